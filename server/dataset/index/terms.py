"""Terms for ranking by words: how texts and queries are tokenised, and the glossary that expands queries.

The builder (indexing) and the server (querying) must agree on both.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from server.dataset.files import GLOSSARY_FILE
from server.dataset.manifest import DatasetError, first_problems
from server.dataset.names import normalize_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

Word = TypeVar("Word")
Meaning = TypeVar("Meaning")

K1: Final = 1.5
B: Final = 0.75
"""BM25's parameters; ranking hardly depends on them."""

KEPT: Final = 1 << 14
"""Words whose term is cached, two megabytes at most: the texts have few more."""

_GLOSSARY: Final = TypeAdapter(
    dict[Annotated[str, Field(min_length=1, max_length=100)], Annotated[str, Field(min_length=1, max_length=500)]]
)

_TERM: Final = re.compile(r"[a-z0-9]+")
_POSSESSIVE: Final = re.compile(r"'s?\b")
_SUFFIX: Final = re.compile(r"(?<=\w{3})(?:ing|ed|es|e|s)$")


def terms(text: str) -> list[str]:
    """The terms of a text, in order: folded words without their most common endings.

    >>> terms("The dragon’s fires are burning.")
    ['the', 'dragon', 'fir', 'are', 'burn']
    """
    return [term_of(word) for word in words_of(text)]


def terms_among(text: str, wanted: Collection[str]) -> frozenset[str]:
    """The `wanted` terms that a text has; faster than `terms`, since words that begin with none of them are skipped.

    >>> sorted(terms_among("The dragon’s fires are burning.", {"dragon", "burn", "ic"}))
    ['burn', 'dragon']
    """
    beginnings = tuple(wanted)
    words = {word for word in words_of(text) if word.startswith(beginnings)}
    return frozenset(term for word in words if (term := term_of(word)) in wanted)


def words_of(text: str) -> list[str]:
    """The words of a text, folded, in order."""
    found: list[str] = _TERM.findall(_POSSESSIVE.sub("", normalize_name(text)))
    return found


@lru_cache(KEPT)
def term_of(word: str) -> str:
    """A folded word without its ending."""
    return _SUFFIX.sub("", word)


FUNCTION_WORDS: Final = frozenset(
    terms(
        "a about after all also an and any are as at be by can could did do does for from get gets give gives has have "
        "he her his how i if in into is it its let lets make makes me my not of off on one or our out over she so some "
        "somebody someone something that the their them they thing things this to up us use used using want was we "
        "what when where which while who whose why will with without work would you your"
    )
)
"""Words that say nothing about what is searched for, however rarely the rules use them."""


def longest_runs(
    words: Sequence[Word], longest: int, meaning: Callable[[tuple[Word, ...]], Meaning | None]
) -> Iterator[tuple[int, int, Meaning]]:
    """The runs of words that mean something; of those that overlap, the first and longest.

    Args:
        words: the words of a text.
        longest: the most words that a run may have.
        meaning: what a run means; None for nothing.

    Returns:
        Of each run its start, its end and what it means.

    >>> names = {("owl",): 1, ("owl", "bear"): 2}
    >>> list(longest_runs(["an", "owl", "bear", "owl"], 2, names.get))
    [(1, 3, 2), (3, 4, 1)]
    """
    start = 0
    while start < len(words):
        following = start + 1
        for end in range(min(len(words), start + longest), start, -1):
            if (found := meaning(tuple(words[start:end]))) is not None:
                yield start, end, found
                following = end
                break
        start = following


class Glossary:
    """Players' abbreviations and slang, with the words that the rules use."""

    def __init__(self, meanings: Mapping[str, str]) -> None:
        self._meanings = {tuple(_words(short)): meaning for short, meaning in meanings.items()}
        self._longest = max(map(len, self._meanings), default=0)

    def expand(self, query: str) -> str:
        """The query, followed by what each of its abbreviations stands for.

        >>> Glossary({"AoE": "area of effect"}).expand("best aoe spell")
        'best aoe spell; area of effect'
        """
        found = self._found(_words(query))
        return "; ".join([query, *dict.fromkeys(self._meanings[run] for run in found)])

    def without_abbreviations(self, query: str) -> str:
        """The words of the query that are part of no abbreviation.

        >>> Glossary({"AoE": "area of effect"}).without_abbreviations("best aoe spell")
        'best spell'
        """
        words = _words(query)
        explained = {word for run in self._found(words) for word in run}
        return " ".join(word for word in words if word not in explained)

    def _found(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """The runs of words that are abbreviations; of overlapping ones, the first and longest."""
        known = longest_runs(words, self._longest, lambda run: run if run in self._meanings else None)
        return [run for _, _, run in known]


def read_glossary(folder: Path) -> Glossary:
    """The glossary in a dataset's lexicon folder.

    Raises:
        DatasetError: the file is not one.
    """
    try:
        return Glossary(_GLOSSARY.validate_json((folder / GLOSSARY_FILE).read_bytes(), strict=True))
    except ValidationError as error:
        msg = f"{folder.name}/{GLOSSARY_FILE} is not a glossary ({first_problems(error)}): get the dataset again"
        raise DatasetError(msg) from error


def _words(text: str) -> list[str]:
    return re.findall(r"[\w+/&]+", normalize_name(text))
