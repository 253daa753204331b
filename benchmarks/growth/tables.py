"""Copies of a dataset's tables and of its index of words, with new ids and names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from server.dataset.names import normalize_name
from server.dataset.schema import ENTITY_TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

_TYPES: Final = sorted({entity_type for table in ENTITY_TABLES for entity_type in table.entity_types})
_ID: Final = rf"^(?:{'|'.join(_TYPES)})/[^/\s]+/[^/\s]+$"
_KEEPS_ITS_ORDER: Final = ["name", "document_key", "slug"]


def copied(frame: pl.DataFrame, number: int) -> pl.DataFrame:
    """A table with all ids, at any depth, replaced by those of copy `number`; copy 0 is the table itself."""
    return frame.select(_with_ids(pl.col(name), dtype, number).alias(name) for name, dtype in frame.schema.items())


def copied_entities(frame: pl.DataFrame, number: int, names: Mapping[str, str]) -> pl.DataFrame:
    """The same for a table of entities, with their names replaced by those in `names`."""
    if not number:
        return frame
    suffix = pl.lit(_suffix(number))
    name = frame["name"].replace_strict(names, return_dtype=pl.String)
    return copied(frame, number).with_columns(
        pl.col("slug") + suffix,
        pl.col("keys").list.eval(pl.element() + suffix),
        name=name,
        name_normalized=pl.Series([normalize_name(each) for each in name.to_list()], dtype=pl.String),
    )


def in_order(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """One table of entities from several, in the order that the server expects."""
    return pl.concat(frames).sort(_KEEPS_ITS_ORDER, maintain_order=True)


def with_copies(frame: pl.DataFrame, column: str, scale: int) -> pl.DataFrame:
    """A table with a column of lists of ids extended by the ids of all copies."""
    lists = [copied(frame.select(column), number)[column].alias(str(number)) for number in range(scale)]
    return frame.with_columns(pl.DataFrame(lists).select(pl.concat_list(pl.all()).alias(column))[column])


def repeated_columns(
    starts: npt.NDArray[np.integer], rows: npt.NDArray[np.integer], size: int, scale: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The sparse matrix that stacks another one `scale` times vertically, column by column.

    Args:
        starts: int[columns + 1], where each column's values begin.
        rows: int[values], the row of each value.
        size: number of rows.
        scale: number of repetitions.

    Returns:
        int64 `starts` and `rows` of the result, and for each of its values the position of the original.
    """
    lengths = np.diff(starts)
    column = np.repeat(np.arange(lengths.size), lengths)
    first = starts[:-1].astype(np.int64)[column]
    offset = np.arange(rows.size) - first
    places = np.empty(rows.size * scale, dtype=np.int64)
    new_rows = np.empty_like(places)
    for number in range(scale):
        there = first * scale + lengths[column] * number + offset
        places[there] = np.arange(rows.size)
        new_rows[there] = rows + number * size
    return starts.astype(np.int64) * scale, new_rows, places


def _suffix(number: int) -> str:
    return f"-copy-{number}"


def _with_ids(values: pl.Expr, dtype: pl.DataType, number: int) -> pl.Expr:
    """Values with the ids among them, at any depth, replaced by those of a copy."""
    if not number:
        return values
    if isinstance(dtype, pl.List):
        return values.list.eval(_with_ids(pl.element(), dtype.inner, number))  # type: ignore[arg-type]
    if isinstance(dtype, pl.Struct):
        fields = dtype.fields
        members = [_with_ids(values.struct.field(f.name), f.dtype, number).alias(f.name) for f in fields]  # type: ignore[arg-type]
        return pl.when(values.is_not_null()).then(pl.struct(members))
    if dtype == pl.String:
        return values.str.replace(_ID, "${0}" + _suffix(number))
    return values
