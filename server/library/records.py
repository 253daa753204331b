"""Entities as response records: the fields that their type has, full or in summary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from server.dataset.schema import CHILD, REFERENCE, TABLE_OF, Column

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    import polars as pl

    from server.library.catalogue import Catalogue

Record = dict[str, Any]

SENTENCE_CHARS: Final = 300
"""Longest first sentence in a summary."""

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[\"'”’*_)]*\s+(?=[\"'“‘*_(]*[A-Z0-9])")
_NOT_PROSE: Final = re.compile(r"^(?:#|\||-{3}|\*{3}|>?\s*$)")
_HAS_FACTS: Final = {"weapon": "is_weapon", "armor": "is_armor"}
"""The facts of these types an entity of another type has only where the column says so."""


def first_sentence(text: str | None) -> str | None:
    """The first sentence of a Markdown text's first paragraph of prose; None where it has none."""
    paragraphs = (line.strip() for line in (text or "").splitlines())
    paragraph = next((line for line in paragraphs if not _NOT_PROSE.match(line)), "")
    sentence = _SENTENCE_END.split(paragraph, maxsplit=1)[0]
    if len(sentence) > SENTENCE_CHARS:
        sentence = sentence[: SENTENCE_CHARS - 1].rsplit(" ", 1)[0] + "…"
    return sentence or None


class Records:
    """Renders entities of a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def full(self, numbers: Iterable[int], documents: Collection[str] | None) -> list[Record]:
        """Everything about the entities, in the order given; `documents`: mention nothing of others (None: mention all)."""
        return self._render(list(numbers), documents, summary=False)

    def summaries(self, numbers: Iterable[int], documents: Collection[str] | None) -> list[Record]:
        """Identity, filterable facts and first sentence."""
        records = self._render(list(numbers), documents, summary=True)
        for record in records:
            record["description"] = first_sentence(record["description"])
        return records

    def _render(self, numbers: list[int], documents: Collection[str] | None, *, summary: bool) -> list[Record]:
        rows: dict[int, Record] = {}
        for part in self._catalogue.parts:
            mine = [number for number in numbers if part.start <= number < part.stop]
            if mine:
                columns = _read(part.frame, part.table.columns, summary=summary)
                found = part.frame.select(columns)[[number - part.start for number in mine]].to_dicts()
                rows.update(zip(mine, found, strict=True))
        return [_record(rows[number], documents, summary=summary) for number in numbers]


def _read(frame: pl.DataFrame, columns: Iterable[Column], *, summary: bool) -> list[str]:
    flags = set(_HAS_FACTS.values())
    return [c.name for c in columns if c.name in flags or (c.response and (c.summary or not summary))]


def _record(row: Record, documents: Collection[str] | None, *, summary: bool) -> Record:
    record: Record = {}
    for column in TABLE_OF[row["entity_type"]].columns_of(row["entity_type"]):
        if not column.response or (summary and not column.summary) or not _has(row, column):
            continue
        value = row[column.name]
        if column.sparse and value is not None:
            value = {member: fact for member, fact in value.items() if fact is not None}
        if documents is not None:
            value = _inside(column, value, documents)
        if column.name == "document_key":
            record["document"] = value
        record[column.name] = value
    return record


def _has(row: Record, column: Column) -> bool:
    """Weapon facts belong to weapons and to magic items that are one; armor likewise."""
    owner = next((t for t in _HAS_FACTS if t in column.entity_types), None)
    return owner in {None, row["entity_type"]} or row[_HAS_FACTS[str(owner)]]


def _inside(column: Column, value: Any, documents: Collection[str]) -> Any:
    """The value without what stands in other documents: children go, a reference keeps only its name."""
    if value is None:
        return None
    if column.dtype == REFERENCE:
        inside = value["document_key"] is None or value["document_key"] in documents
        return value if inside else {"id": None, "name": value["name"], "document_key": None}
    if getattr(column.dtype, "inner", None) == CHILD:
        return [child for child in value if child["document_key"] in documents]
    if column.name == "related":
        return [entry for entry in value if _document_of(entry) in {None, *documents}]
    return value


def _document_of(entry: str) -> str | None:
    """The document of an entity id; None of a mere name."""
    entity_type, _, rest = entry.partition("/")
    return rest.partition("/")[0] if entity_type in TABLE_OF and "/" in rest else None
