"""Rules for what records say about the sources of their facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from build_pipeline.check.rule import EVERY_TABLE, Rule, Verdict, World
from build_pipeline.tables import Record, holds


def _holding(record: Record, _world: World) -> Iterator[Verdict]:
    told = record.get("provenance") or {}
    filled = [each["column"] for each in told.get("filled") or ()]
    for member, columns in (("filled", filled), *((m, told.get(m) or ()) for m in ("from_text", "corrected"))):
        for column in columns:
            yield None if holds(record.get(column)) else f"{member} names {column}, which holds nothing"


def _sources(record: Record, _world: World) -> Iterator[Verdict]:
    told = record.get("provenance") or {}
    read = {raw.partition("/")[0] for raw in told.get("raw") or ()}
    for each in told.get("filled") or ():
        column, source = each["column"], each["source"]
        if source not in read:
            yield f"{column} is from {source}, of which it has no raw object"
        else:
            yield f"{column} is from its main source, {source}" if source == record.get("document_source") else None


RULES: Final = (
    Rule("provenance-columns", "Provenance names only columns that hold a value.", EVERY_TABLE, _holding),
    Rule("provenance-sources", "Every filled-in value comes from another source that the record was read from.",
         EVERY_TABLE, _sources),
)  # fmt: skip
