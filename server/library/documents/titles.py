"""What people call documents and their publishers, whole or in part: "Tome of Beasts 2", "Lantern Coast"."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from server.dataset.index.terms import FUNCTION_WORDS, longest_runs, terms
from server.dataset.names import normalize_name
from server.library.closed.books import is_closed
from server.library.closed.content import closed_things

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ARTICLES: Final = frozenset({"the", "a", "an"})
_JOINING: Final = frozenset(terms("of the"))
"""Function words that the beginning of a title may contain; with others it is an ordinary phrase: "spells that"."""
_MIN_CONTENT: Final = 2
"""Words with a meaning of their own that a title in a text has at least, unless it is one whole word."""
_MIN_LETTERS: Final = 5
"""Letters of a title of one word; a shorter one may be an abbreviation of anything."""

_CODE: Final = re.compile(r"[a-z]+\d+[a-z]*")
"""A key that no ordinary word is spelled like: tob2."""

_MIN_PART: Final = 4
"""Letters of the first word of a part of a title."""

Terms = tuple[str, ...]


class Word(NamedTuple):
    """A word of a text: its term, and where it begins and ends."""

    term: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Title:
    """What documents are called.

    Attributes:
        spelling: the title as the dataset spells it.
        keys: the keys of these documents.
        entry: an entry of `documents` for them: the name of the only one, else the title.
    """

    spelling: str
    keys: frozenset[str]
    entry: str


class Mention(NamedTuple):
    """A title in a text: where it begins and ends."""

    title: Title
    start: int
    end: int


class Titles:
    """The titles of some documents: their names, aliases and publishers, parts of these, and keys such as tob2.

    >>> books = [("vault", ["The Amber Vault of Nim"], "Salt Press"), ("owls", ["Owls"], "Salt Press")]
    >>> titles = Titles(books)
    >>> [mention.title.entry for mention in titles.mentions("ghosts from the Amber Vault")]
    ['The Amber Vault of Nim']
    >>> sorted(titles.entry("salt press"))
    ['owls', 'vault']
    """

    def __init__(self, called: Iterable[tuple[str, Sequence[str], str | None]]) -> None:
        """Index them.

        Args:
            called: for each document its key, its name and aliases, and its publisher.
        """
        names = list(called)
        name_of = {key: own[0] for key, own, _ in names}

        def titled(spelt: Iterable[tuple[str, str]]) -> dict[Terms, Title]:
            return dict(_titles(spelt, name_of))

        whole = titled((own, key) for key, each, _ in names for own in each)
        publishers = titled((publisher, key) for key, _, publisher in names if publisher)
        spelt = [(own, key) for key, each, publisher in names for own in (*each, *filter(None, [publisher]))]
        begun = titled((beginning, key) for own, key in spelt for beginning in _beginnings(own))
        told = begun | publishers | whole
        codes = {(key,): Title(key, frozenset({key}), key) for key in name_of if _CODE.fullmatch(key)}
        self._told = codes | {run: title for run, title in told.items() if _is_told(run)}
        self._longest = max(map(len, self._told), default=0)
        self._entries = {run: title for run, title in titled(_parts(names)).items() if len(title.keys) == 1} | told

    def entry(self, text: str) -> frozenset[str]:
        """The keys of the documents that an entry of `documents` is a title of, or the part of only one title."""
        title = self._entries.get(_without_article(tuple(word.term for word in words(text))))
        return title.keys if title else frozenset()

    def mentions(self, text: str) -> Iterator[Mention]:
        """The titles in a text; of those that overlap, the first and longest."""
        own = words(text)
        for first, end, title in longest_runs([word.term for word in own], self._longest, self._told.get):
            yield Mention(title, own[first].start, own[end - 1].end)


def words(text: str) -> list[Word]:
    """The words of a text."""
    found = ((match, normalize_name(match[0])) for match in _WORD.finditer(text))
    return [Word("".join(terms(folded)) or folded, match.start(), match.end()) for match, folded in found]


def _titles(spelt: Iterable[tuple[str, str]], name_of: Mapping[str, str]) -> Iterator[tuple[Terms, Title]]:
    """Titles after their terms, from (spelling, key of a document) pairs; the first spelling counts."""
    keys: defaultdict[Terms, set[str]] = defaultdict(set)
    spellings: dict[Terms, str] = {}
    for spelling, key in spelt:
        run = _without_article(tuple(word.term for word in words(spelling)))
        keys[run].add(key)
        spellings.setdefault(run, spelling)
    for run, each in keys.items():
        if run:
            entry = name_of[next(iter(each))] if len(each) == 1 else spellings[run]
            yield run, Title(spellings[run], frozenset(each), entry)


def _beginnings(title: str) -> Iterator[str]:
    """The beginnings of a title that are told as such: "Lantern Coast" of "The Lantern Coast Gazetteer"."""
    own = words(title)
    for end in range(_MIN_CONTENT, len(own)):
        run = _without_article(tuple(word.term for word in own[:end]))
        text = title[own[0].start : own[end - 1].end]
        joining = {*run} & FUNCTION_WORDS
        is_phrase = len(run) > 1 and joining <= _JOINING and run[-1] not in joining and _is_told(run)
        if is_phrase and not closed_things(text) and not is_closed(text):
            yield text


def _parts(names: Sequence[tuple[str, Sequence[str], str | None]]) -> Iterator[tuple[str, str]]:
    """(part, key of the document) of each document's name and publisher: runs of words from one with a meaning."""
    for key, titles, publisher in names:
        for title in filter(None, (*titles[:1], publisher)):
            own = words(title)
            for first, (term, start, _) in enumerate(own):
                if _is_content(term) and len(term) >= _MIN_PART:
                    ends = [word.end for word in own[first:] if word.term not in FUNCTION_WORDS]
                    yield from ((title[start:end], key) for end in ends)


def _is_told(run: Terms) -> bool:
    """Whether a text with these terms means a title rather than what the words mean."""
    content = [term for term in run if _is_content(term)]
    return len(content) >= _MIN_CONTENT or (len(run) == 1 == len(content) and len(run[0]) >= _MIN_LETTERS)


def _is_content(term: str) -> bool:
    return term not in FUNCTION_WORDS and not term[0].isdigit()


def _without_article(run: Terms) -> Terms:
    return run[1:] if run[:1] and run[0] in _ARTICLES else run
