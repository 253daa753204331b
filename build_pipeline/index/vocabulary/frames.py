"""Records as frames that conditions can query: the declared columns, and the entities' text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import polars as pl

from build_pipeline.index.passages import prose
from build_pipeline.tables import Record
from server.dataset.schema import ENTITY_TABLES
from server.dataset.tables.columns import Table


def entity_frames(tables: Mapping[str, Iterable[Record]]) -> dict[str, pl.DataFrame]:
    """One frame for each entity table, by its name, rows as given.

    Besides the declared columns, a frame has `printed` (name and all prose, without markup) and `property_names` (of
    weapons).

    Args:
        tables: the records of each entity table, by its name.
    """
    return {table.name: _frame(table, list(tables[table.name])) for table in ENTITY_TABLES}


def with_tags(frames: Mapping[str, pl.DataFrame], rows: Iterable[Record]) -> dict[str, pl.DataFrame]:
    """The same frames with `does`, the slugs of each entity's tags; null for an entity without any.

    Args:
        frames: the result of `entity_frames`.
        rows: the rows of the table of tags.
    """
    pairs = [(row["entity_id"], row["tag"]) for row in rows]
    does = pl.DataFrame(pairs, schema={"id": pl.String, "does": pl.String}, orient="row").group_by("id").agg("does")
    return {name: frame.join(does, on="id", how="left", maintain_order="left") for name, frame in frames.items()}


def _frame(table: Table, records: list[Record]) -> pl.DataFrame:
    printed = [f"{record['name']}. {prose(record)}" for record in records]
    names = [[item["name"] for item in record.get("properties") or []] for record in records]
    return pl.DataFrame(records, schema=table.schema).with_columns(
        pl.Series("printed", printed, pl.String),
        pl.Series("property_names", names, pl.List(pl.String)),
    )
