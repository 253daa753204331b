"""What of a record matched a query: its best sentence, and the trait, action or feature that fits better than it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from server.dataset.passages import NAMED_COLUMNS, TEXT_COLUMNS, Sentence, passage_groups, sentences_of
from server.dataset.sentences import first_sentence, shortened
from server.dataset.terms import FUNCTION_WORDS, terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.library.arrays import Vector
    from server.library.bm25_index import Bm25Index
    from server.library.catalogue import Catalogue
    from server.library.vector_index import VectorIndex

_COVERAGE: Final = 0.3
"""Weight of the share of the query's words that a sentence has, beside the similarity of its passage."""
_MIN_COVERAGE: Final = 0.6
"""Share of the query's words (by IDF) that a part must have to be the result."""

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Snippet:
    """What of a record matched.

    Attributes:
        matched: the sentence, after the name of the part it is from; None if it is what a summary shows anyway.
        part: name of the part that fits the query better than the record as a whole; None if none does.
    """

    matched: str | None
    part: str | None


class Snippets:
    """Finds what matched in the records of a catalogue; nothing is encoded for it."""

    def __init__(self, catalogue: Catalogue, words: Bm25Index, vectors: VectorIndex) -> None:
        self._catalogue = catalogue
        self._words = words
        self._vectors = vectors
        self._columns = {
            part.table.name: [
                c.name
                for c in part.table.columns
                if c.name in {"name", *TEXT_COLUMNS, *NAMED_COLUMNS}
                or (c.summary and c.dtype in {pl.String, pl.List(pl.String)})
            ]
            for part in catalogue.parts
        }

    def find(self, query: str, vector: Vector, rows: Sequence[int]) -> list[Snippet]:
        """What matched in each of some entities.

        Args:
            query: with what its abbreviations stand for.
            vector: float32[dimensions]: the encoded query.
            rows: catalogue rows.
        """
        wanted = {term: idf for term, idf in self._words.weights(query).items() if term not in FUNCTION_WORDS}
        return [self._of(record, wanted, self._vectors.passages(vector, row)) for row, record in self._read(rows)]

    def _of(self, record: Record, wanted: Mapping[str, float], similarity: Mapping[int, float]) -> Snippet:
        sentences = list(sentences_of(record))
        best = _best_sentence(sentences, wanted, similarity)
        if best is None:
            return Snippet(None, None)
        part = _best_part(record, sentences, wanted)
        if part is not None and best.part != part:
            best = _best_sentence([s for s in sentences if s.part == part], wanted, {}) or best
        matched = _quoted(best)
        return Snippet(None if matched == first_sentence(record["description"]) else matched, part)

    def _read(self, rows: Sequence[int]) -> list[tuple[int, Record]]:
        """Catalogue row and texts of each entity, in the order of `rows`."""
        found: dict[int, Record] = {}
        for part in self._catalogue.parts:
            mine = [row for row in rows if part.start <= row < part.stop]
            if mine:
                frame = part.frame.select(self._columns[part.table.name])[[row - part.start for row in mine]]
                found.update(zip(mine, frame.to_dicts(), strict=True))
        return [(row, found[row]) for row in rows]


def _best_sentence(
    sentences: Sequence[Sentence], wanted: Mapping[str, float], similarity: Mapping[int, float]
) -> Sentence | None:
    """The sentence that has most of the query's words, in a passage similar to it; prose if there is any.

    Args:
        sentences: of one text.
        wanted: the query's terms with their IDF.
        similarity: number of a passage → inner product with the query; later passages are not embedded.
    """
    total = sum(wanted.values()) or 1.0
    least = min(similarity.values(), default=0.0)
    scored = [
        (sentence.prose, similarity.get(number, least) + _COVERAGE * _sum_of(wanted, terms(sentence.text)) / total)
        for number, group in enumerate(passage_groups(sentences), 1)
        for sentence in group
    ]
    return sentences[scored.index(max(scored))] if scored else None


def _best_part(record: Record, sentences: Iterable[Sentence], wanted: Mapping[str, float]) -> str | None:
    """The part that fits the query better than the record around it.

    It has all of the query's words that the record has, and more; or they are its name.
    """
    around = set(terms(" ".join(_own_words(record))))
    name = set(terms(record["name"]))
    texts: dict[str, set[str]] = {}
    for sentence in sentences:
        words = around if sentence.part is None else texts.setdefault(sentence.part, set(name))
        words.update(terms(sentence.text))

    def fits(part: str) -> bool:
        if wanted.keys() & around < wanted.keys() & texts[part]:
            return _sum_of(wanted, texts[part]) >= _MIN_COVERAGE * sum(wanted.values())
        return not wanted.keys() <= name and wanted.keys() <= name.union(terms(part))

    def fit(part: str) -> tuple[float, float, int]:
        return _sum_of(wanted, terms(part)), _sum_of(wanted, texts[part]), -len(texts[part])

    return max(filter(fits, texts), key=fit, default=None)


def _own_words(record: Record) -> Iterable[str]:
    """The short facts of a record."""
    for value in record.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (member for member in value if isinstance(member, str))


def _sum_of(wanted: Mapping[str, float], words: Iterable[str]) -> float:
    return sum(wanted[word] for word in set(words) if word in wanted)


def _quoted(sentence: Sentence) -> str:
    """A sentence without markup, after the name of its part."""
    said = first_sentence(sentence.markdown) or shortened(sentence.text)
    return said if sentence.part is None or said.startswith(sentence.part) else f"{sentence.part}: {said}"
