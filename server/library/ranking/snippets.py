"""The text that matched in a record: its best sentence, and the trait, action or feature that fits better than it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import polars as pl

from server.dataset.index.terms import FUNCTION_WORDS, terms, terms_among
from server.dataset.passages import NAMED_COLUMNS, TEXT_COLUMNS, Sentence, passage_groups, sentences_of
from server.dataset.sentences import first_block, first_sentence, shortened
from server.dataset.tables.columns import narrowed
from server.library.records.printed_tables import cells_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from server.dataset.record import Record
    from server.library.arrays import Mask, Vector
    from server.library.catalogue import Catalogue
    from server.library.ranking.bm25_index import Bm25Index
    from server.library.ranking.vector_index import VectorIndex

_COVERAGE: Final = 0.3
"""Weight of the share of the query's words that a sentence has, relative to the similarity of its passage."""
_MAX_HEADING_WORDS: Final = 3
"""A shorter sentence is a heading within the text: "Exhaustion Levels."."""
_NOTHING: Final = "—–- "
"""What an empty cell of a table has."""
_ORDINAL: Final = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
_MIN_COVERAGE: Final = 0.8
"""Share of the query's words (by IDF) that a part must have to be the result."""

KEPT: Final = 200
"""Records whose sentences are cached, a megabyte: the same results are requested again in another form, or found by
other words."""


@dataclass(frozen=True)
class _Text:
    """The data that snippets need from a record, whatever the query.

    Attributes:
        sentences: all of its text.
        name: the terms of its name.
        facts: its short facts.
        first: the first sentence, as summaries show it.
    """

    sentences: tuple[Sentence, ...]
    name: frozenset[str]
    facts: str
    first: str | None

    @cached_property
    def passages(self) -> tuple[int, ...]:
        """Number of the passage that each sentence is in."""
        groups = enumerate(passage_groups(self.sentences), 1)
        return tuple(number for number, passage in groups for _ in passage)


class _Found(NamedTuple):
    """A sentence, and which of the query's terms it has."""

    sentence: Sentence
    terms: frozenset[str]


class Snippet:
    """The text that matched in a record, computed on demand: full records quote nothing, and most have no parts."""

    def __init__(
        self,
        cut: Callable[[], _Text],
        wanted: Mapping[str, float],
        similarity: Callable[[], Mapping[int, float]],
        *,
        has_parts: bool,
    ) -> None:
        """Prepare.

        Args:
            cut: reads the record.
            wanted: the query's terms with their IDF.
            similarity: compares its passages: number → inner product with the query.
            has_parts: whether the record has traits, actions, features or benefits.
        """
        self._cut = cut
        self._wanted = wanted
        self._similarity = similarity
        self._has_parts = has_parts

    @cached_property
    def part(self) -> str | None:
        """Name of the part that fits the query better than the record as a whole; None if none does."""
        if not self._has_parts:
            return None
        own = terms_among(self._text.facts, self._wanted)
        return _best_part(self._sentences, self._wanted, name=self._text.name, own=own)

    @cached_property
    def matched(self) -> str | None:
        """The best sentence, after the name of its part; None if it is what a summary shows anyway."""
        if not self._sentences:
            return None
        similarity = self._similarity()
        # With one passage, or none, the similarity is the same for all sentences.
        numbers = self._text.passages if len(similarity) > 1 else (0,) * len(self._sentences)
        matched = _quoted(_best_sentence(self._sentences, numbers, self._wanted, similarity, self.part))
        return None if matched == self._text.first else matched

    @cached_property
    def _text(self) -> _Text:
        return self._cut()

    @cached_property
    def _sentences(self) -> list[_Found]:
        # A row is read with the heading of its table: "CR: 5, XP: 1,800".
        return [
            _Found(s, _found_in(s.text if s.columns is None else f"{s.columns} {s.text}", self._wanted))
            for s in self._text.sentences
        ]


class Snippets:
    """Finds what matched in the records of a catalogue, without encoding anything."""

    def __init__(self, catalogue: Catalogue, words: Bm25Index, vectors: VectorIndex) -> None:
        self._catalogue = catalogue
        self._words = words
        self._vectors = vectors
        self._cut = lru_cache(KEPT)(self._cut_now)
        self._with_parts = np.concatenate([_with_parts(part.frame) for part in catalogue.parts])
        self._texts = {
            part.table.name: part.frame.select(
                narrowed(c, "name", "description") if c.name in NAMED_COLUMNS else pl.col(c.name)
                for c in part.table.columns
                if c.name in {"name", *TEXT_COLUMNS, *NAMED_COLUMNS}
                or (c.summary and c.dtype in {pl.String, pl.List(pl.String)})
            )
            for part in catalogue.parts
        }

    def find(self, query: str, vector: Vector, rows: Sequence[int]) -> list[Snippet]:
        """The text that matched in each of some entities.

        Args:
            query: with its abbreviations expanded.
            vector: float32[dimensions]: the encoded query.
            rows: catalogue rows.
        """
        weights = self._words.weights(query)
        wanted = {_as_number(term): idf for term, idf in weights.items() if term not in FUNCTION_WORDS}
        return [
            Snippet(
                partial(self._cut, row),
                wanted,
                partial(self._vectors.passages, vector, row),
                has_parts=bool(self._with_parts[row]),
            )
            for row in rows
        ]

    def _cut_now(self, row: int) -> _Text:
        (record,) = self._catalogue.read(self._texts, [row])
        return _Text(
            tuple(sentences_of(record)),
            frozenset(terms(record["name"])),
            " ".join(_own_words(record)),
            first_sentence(record["description"]),
        )


def _with_parts(frame: pl.DataFrame) -> Mask:
    """bool[rows of the frame]: which have parts."""
    found = np.zeros(frame.height, dtype=np.bool_)
    for column in set(NAMED_COLUMNS) & set(frame.columns):
        found |= frame[column].list.len().fill_null(0).to_numpy() > 0
    return found


def _as_number(text: str) -> str:
    """A text with its ordinal numbers as numbers: a table has "5" where a question has "5th", or reversed."""
    return _ORDINAL.sub(r"\1", text)


def _found_in(text: str, wanted: Mapping[str, float]) -> frozenset[str]:
    """Which of the terms a text has; "5th" counts as "5" if the terms have numbers."""
    if any(map(str.isdigit, wanted)):
        text = _as_number(text)
    folded = text.casefold()
    if not any(
        term in folded for term in wanted
    ):  # most sentences end here: splitting into terms takes ten times as long
        return frozenset()
    return terms_among(text, wanted)


def _best_sentence(
    sentences: Sequence[_Found],
    numbers: Sequence[int],
    wanted: Mapping[str, float],
    similarity: Mapping[int, float],
    part: str | None,
) -> Sentence:
    """The sentence that has most of the query's words, in a passage similar to it; prose if there is any.

    Args:
        sentences: all of a record, at least one.
        numbers: the number of each sentence's passage.
        wanted: the query's terms with their IDF.
        similarity: number of a passage → inner product with the query; later passages are not embedded.
        part: the part that it must be from; None for any.
    """
    total = sum(wanted.values()) or 1.0
    least = min(similarity.values(), default=0.0)

    def fit(place: int) -> tuple[bool, bool, float, float]:
        sentence, terms_found = sentences[place]
        share = _share_of_first_cell(sentence, terms_found)
        prose = share > 0 or (sentence.prose and sentence.text.count(" ") >= _MAX_HEADING_WORDS)
        covered = _sum_of(wanted, terms_found) / total
        score = similarity.get(numbers[place], least) + _COVERAGE * covered
        return sentence.part == part or part is None, prose, score, share

    return sentences[max(range(len(sentences)), key=fit)].sentence


def _share_of_first_cell(sentence: Sentence, terms_found: frozenset[str]) -> float:
    """How much of what a table's row is about was asked for: "Plate" for plate, rather than "Half plate"."""
    if sentence.columns is None or not terms_found:
        return 0.0
    first_cell, *others = cells_of(sentence.markdown)
    if not any(others):  # a heading within the table
        return 0.0
    first = terms(_as_number(first_cell))
    return sum(term in terms_found for term in first) / len(first) if first else 0.0


def _best_part(
    sentences: Iterable[_Found], wanted: Mapping[str, float], *, name: frozenset[str], own: frozenset[str]
) -> str | None:
    """The part that fits the query better than the record around it.

    It has all of the query's words that the rest of the record has, and more; or the query is its name.

    Args:
        sentences: all of the record.
        wanted: the query's terms with their IDF.
        name: the terms of the record's name, which a query may combine with those of a part.
        own: those of the query's terms that the record's short facts have.
    """
    around = set(own)
    texts: dict[str, set[str]] = {}
    for sentence, terms_found in sentences:
        words = around if sentence.part is None else texts.setdefault(sentence.part, set(name & wanted.keys()))
        words.update(terms_found)
    names = {part: frozenset(terms(part)) for part, words in texts.items() if words}

    def fits(part: str) -> bool:
        if around < texts[part]:
            return _sum_of(wanted, texts[part]) >= _MIN_COVERAGE * sum(wanted.values())
        return not wanted.keys() <= name and wanted.keys() <= name | names[part]

    def fit(part: str) -> tuple[float, int, float]:
        return _sum_of(wanted, names[part]), -len(names[part]), _sum_of(wanted, texts[part])

    return max(filter(fits, names), key=fit, default=None)


def _own_words(record: Record) -> Iterable[str]:
    """The short facts of a record."""
    for column, value in record.items():
        if column in TEXT_COLUMNS:
            continue
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (member for member in value if isinstance(member, str))


def _sum_of(wanted: Mapping[str, float], words: Iterable[str]) -> float:
    return sum(wanted[word] for word in words if word in wanted)


def _quoted(sentence: Sentence) -> str:
    """A sentence without markup, after the name of its part; the cells of a row after the names of their columns."""
    said = shortened(_read_out(sentence) or first_block(sentence.markdown) or sentence.text)
    return said if sentence.part is None or said.startswith(sentence.part) else f"{sentence.part}: {said}"


def _read_out(row: Sentence) -> str:
    """A row of a table as words, "CR: 5, XP: 1,800"; empty for any other sentence."""
    if row.columns is None:
        return ""
    pairs = zip_longest(cells_of(row.columns), cells_of(row.markdown), fillvalue="")
    return ", ".join(f"{column}: {cell}" if column else cell for column, cell in pairs if cell.strip(_NOTHING))
