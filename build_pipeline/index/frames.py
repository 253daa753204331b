"""Records as frames that conditions can ask: the declared columns, and what an entity's texts say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import polars as pl

from build_pipeline.index.passages import prose
from build_pipeline.tables import Record
from server.dataset.columns import Table
from server.dataset.schema import ENTITY_TABLES


def entity_frames(tables: Mapping[str, Iterable[Record]]) -> dict[str, pl.DataFrame]:
    """One frame for each entity table, by its name, rows as given.

    Beside the declared columns a frame has `printed` (name and all prose, without markup) and `property_names` (of
    weapons).

    Args:
        tables: the records of each entity table, by its name.
    """
    return {table.name: _frame(table, list(tables[table.name])) for table in ENTITY_TABLES}


def _frame(table: Table, records: list[Record]) -> pl.DataFrame:
    printed = [f"{record['name']}. {prose(record)}" for record in records]
    names = [[item["name"] for item in record.get("properties") or []] for record in records]
    return pl.DataFrame(records, schema=table.schema).with_columns(
        pl.Series("printed", printed, pl.String),
        pl.Series("property_names", names, pl.List(pl.String)),
    )
