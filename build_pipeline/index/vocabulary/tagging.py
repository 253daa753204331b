"""Which entities have which tags of the vocabulary, and the words or facts that earned them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import polars as pl

from build_pipeline.declared import DeclaredError
from build_pipeline.index.vocabulary.inflictions import inflicting_words
from build_pipeline.index.vocabulary.patterns import PatternError, Texts
from build_pipeline.index.vocabulary.vocabulary import Condition, Listing, Tag, Vocabulary, describes
from build_pipeline.tables import Record
from server.dataset.names import normalize_name

Rows = frozenset[int]

_LONGEST: Final = 200
"""Maximum number of characters of evidence; the middle of longer evidence is left out."""

_IN_PARENTHESES: Final = r"\s*\([^()]*\)$"
_STRING_OR_NAME: Final = re.compile(r"'(?:[^']|'')*'|([a-z_]+(?:\.[a-z_]+)?)")


@dataclass(frozen=True, slots=True)
class Tagged:
    """An entity that does what a tag says.

    Attributes:
        entity_id: its id.
        tag: what it does, as a slug.
        phrases: the same in players' words.
        evidence: the words of its text, or the facts, that earned the tag.
    """

    entity_id: str
    tag: str
    phrases: tuple[str, ...]
    evidence: str


def tag_entities(frames: Mapping[str, pl.DataFrame], vocabulary: Vocabulary) -> list[Tagged]:
    """Tag every entity that does what a tag says; ordered by entity and tag.

    Args:
        frames: the result of `entity_frames`.
        vocabulary: the tags of each table.

    Raises:
        DeclaredError: a condition is not valid SQL or a regular expression, or names a column that its table lacks.
    """
    tagged = [
        Tagged(identity, tag.tag, tag.phrases, evidence)
        for table, tags in vocabulary.items()
        for tag, found in Tagger(table, frames[table], tags).reached()
        for identity, evidence in found.items()
    ]
    return sorted(tagged, key=lambda found: (found.entity_id, found.tag))


def by_phrase(tagged: Iterable[Tagged]) -> dict[str, list[str]]:
    """Players' phrase → the ids of the entities that do it, both sorted."""
    ids: dict[str, set[str]] = {}
    for found in tagged:
        for phrase in found.phrases:
            ids.setdefault(phrase, set()).add(found.entity_id)
    return {phrase: sorted(ids[phrase]) for phrase in sorted(ids)}


def tag_rows(tagged: Iterable[Tagged]) -> list[Record]:
    """The published table: one row for each entity and tag, with the phrase and evidence of its first entry."""
    rows: dict[tuple[str, str], Record] = {}
    for found in tagged:
        row = {
            "entity_id": found.entity_id,
            "tag": found.tag,
            "phrase": found.phrases[0],
            "evidence": found.evidence,
        }
        rows.setdefault((found.entity_id, found.tag), row)
    return list(rows.values())


class Tagger:
    """Applies the tags of one table to its entities; rows are positions in the frame."""

    def __init__(self, table: str, frame: pl.DataFrame, tags: Sequence[Tag]) -> None:
        """Search all texts for all patterns.

        Args:
            table: its name, for messages.
            frame: one of the frames of `entity_frames`.
            tags: what to look for.

        Raises:
            DeclaredError: a pattern is not a regular expression.
        """
        self._table = table
        self._frame = frame
        self._tags = tags
        self._ids: list[str] = frame["id"].to_list()
        self._all: Rows = frozenset(range(frame.height))
        self._columns: dict[str, list[Any]] = {}
        patterns = [p for tag in tags for c in tag.conditions for p in (*c.text, *c.every, *c.unless)]
        try:
            self.texts = Texts(frame["printed"].to_list(), patterns)
        except PatternError as error:
            msg = f"table {table}: {error}"
            raise DeclaredError(msg) from error
        for row in {row for tag in tags for listing in tag.apart for row in self.listed(listing)}:
            for rows in self.texts.matching.values():
                rows.discard(row)

    def reached(self) -> Iterator[tuple[Tag, dict[str, str]]]:
        """Each tag with the ids of the entities that do it → the evidence.

        Raises:
            DeclaredError: a condition is not valid SQL, or names a column that the table lacks.
        """
        for tag in self._tags:
            found = {row: self._evidence(row, conditions) for row, conditions in self.described(tag).items()}
            for listing in tag.exclude:
                for row in self.listed(listing):
                    found.pop(row, None)
            for listing in tag.include:
                for row in self.listed(listing):
                    found.setdefault(row, f"{self._values('name')[row]}: {listing.because}")
            yield tag, {self._ids[row]: evidence for row, evidence in found.items()}

    def described(self, tag: Tag) -> dict[int, tuple[Condition, ...]]:
        """The rows that satisfy a tag's conditions → the conditions that hold: its own, and the first alternative.

        Raises:
            DeclaredError: as `reached`.
        """
        if not (describes(tag) or tag.either):
            return {}
        own = self._holding(tag, tag)
        if not tag.either:
            return dict.fromkeys(sorted(own), (tag,))
        found: dict[int, tuple[Condition, ...]] = {}
        for alternative in tag.either:
            for row in sorted(own & self._holding(tag, alternative)):
                found.setdefault(row, (tag, alternative))
        return found

    def named(self, words: Sequence[str]) -> Rows:
        """The rows with one of the words in the name."""
        return self._where(pl.col("name_normalized").str.contains(words_pattern(words)))

    def listed(self, listing: Listing) -> Rows:
        """The rows that a list names."""
        return frozenset(row for name in listing.names for row in self.called(name))

    def called(self, name: str) -> Rows:
        """The rows of an id or name, including variants whose names continue in parentheses."""
        return self._by_id.get(name, frozenset()) | self._by_name.get(normalize_name(name), frozenset())

    @cached_property
    def _by_id(self) -> dict[str, Rows]:
        return {identity: frozenset({row}) for row, identity in enumerate(self._ids)}

    @cached_property
    def _by_name(self) -> dict[str, Rows]:
        plain = self._frame["name_normalized"].str.replace(_IN_PARENTHESES, "")
        rows: dict[str, set[int]] = {}
        for row, names in enumerate(zip(self._frame["name_normalized"], plain, strict=True)):
            for name in names:
                rows.setdefault(name, set()).add(row)
        return {name: frozenset(found) for name, found in rows.items()}

    def _holding(self, tag: Tag, condition: Condition) -> Rows:
        """The rows for which a condition is true."""
        rows = self._all
        if condition.where:
            try:
                rows = self._where(pl.sql_expr(condition.where))
            except pl.exceptions.PolarsError as error:
                msg = f"{tag.tag}, table {self._table}: {error}"
                raise DeclaredError(msg) from error
        if condition.inflicts:
            rows &= self._where(pl.col("inflicts").list.contains(condition.inflicts))
        matching = self.texts.matching
        if condition.text:
            rows &= frozenset().union(*(matching[pattern] for pattern in condition.text))
        for pattern in condition.every:
            rows &= matching[pattern]
        for pattern in condition.unless:
            rows -= matching[pattern]
        if condition.named:
            rows &= self.named(condition.named)
        return rows - self.named(condition.not_named) if condition.not_named else rows

    def _where(self, predicate: pl.Expr) -> Rows:
        return frozenset(self._frame.select(predicate.fill_null(value=False).arg_true()).to_series().to_list())

    def _evidence(self, row: int, conditions: Sequence[Condition]) -> str:
        """The words of a text that made the conditions true; the facts that did, if the conditions require no words."""
        words = [word for condition in conditions for word in self._words(row, condition)]
        return " … ".join(map(_shortened, dict.fromkeys(words))) or "; ".join(self._facts(row, conditions))

    def _words(self, row: int, condition: Condition) -> Iterator[str]:
        if condition.named:
            yield from re.findall(words_pattern(condition.named), self._values("name_normalized")[row])[:1]
        if condition.inflicts and (words := self._inflicting(row, condition.inflicts)):
            yield words
        if condition.text:
            earning = next(pattern for pattern in condition.text if row in self.texts.matching[pattern])
            yield self.texts.words(row, earning)
        for pattern in condition.every:
            yield self.texts.words(row, pattern)

    def _inflicting(self, row: int, condition: str) -> str:
        name, printed = self._values("name")[row], self._values("printed")[row]
        return inflicting_words(name, printed, condition, stat_block=self._table == "creatures")

    def _facts(self, row: int, conditions: Sequence[Condition]) -> Iterator[str]:
        asked = [name for c in conditions for name in (*_STRING_OR_NAME.findall(c.where), c.inflicts and "inflicts")]
        for name in filter(None, dict.fromkeys(asked)):
            column, _, member = name.partition(".")
            if column in self._frame.columns:
                value = self._values(column)[row]
                yield f"{name}: {_displayed(value.get(member) if member and value is not None else value)}"

    def _values(self, column: str) -> list[Any]:
        if column not in self._columns:
            self._columns[column] = self._frame[column].to_list()
        return self._columns[column]


def words_pattern(words: Sequence[str]) -> str:
    """A regular expression for any of some whole words of names, in which `*` stands for any letters.

    >>> re.findall(words_pattern(["bow", "were*"]), "bow crossbow werewolf")
    ['bow', 'werewolf']
    """
    whole = (r"\w*".join(re.escape(normalize_name(part)) for part in word.split("*")) for word in words)
    return rf"\b(?:{'|'.join(whole)})\b"


def _shortened(words: str) -> str:
    """The words as they are, or their beginning and end, each cut between two words.

    >>> _shortened("first " + "middle " * 40 + "last").split(" … ")[1].startswith("middle")
    True
    """
    if len(words) <= _LONGEST:
        return words
    beginning, end = words[: _LONGEST // 2 + 1], words[-_LONGEST // 2 - 1 :]
    return f"{beginning[: beginning.rfind(' ')].rstrip()} … {end[end.find(' ') :].lstrip()}"


def _displayed(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(item["name"] if isinstance(item, dict) else str(item) for item in value) or "none"
    if value is None:
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)
