"""Records → Parquet: checked against the schema, sorted, byte-identical on every run."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from build_pipeline.expected import ExpectedError
from server.dataset.manifest import DatasetError
from server.dataset.tables.columns import Table

Record = dict[str, Any]

_CELLS: Final = re.compile(r"\btables\[\d+\]\.(?:columns|rows\[\d+\])$")
"""Matches the path of a list of a printed table's cells, which a book may leave blank."""
_PYTHON_TYPES: Final[dict[Any, type]] = {pl.String: str, pl.Int32: int, pl.Float64: float, pl.Boolean: bool}
_INT32: Final = range(-(2**31), 2**31)


class RecordError(ExpectedError):
    """A record violates the schema, which is a bug in a normaliser; the message names entity, column and value."""


def holds(value: object) -> bool:
    """Whether a value holds anything: it is not None, an empty list or a struct with only such members."""
    return any(map(holds, value.values())) if isinstance(value, Mapping) else value not in (None, [])


def write_table(folder: Path, table: Table, records: Iterable[Record], frame: pl.DataFrame | None = None) -> Path:
    """Check, sort and write one table; returns its path.

    Args:
        folder: the dataset's folder.
        table: the table.
        records: its rows.
        frame: the same rows as a frame, if there is one already; it may have more columns.

    Raises:
        RecordError: an unknown column, a missing required value or a value of another type.
    """
    rows = list(records)
    for row in rows:
        for complaint in complaints(table, row):
            msg = f"{table.name}: {row.get('id', row.get('document_key'))}: {complaint}"
            raise RecordError(msg)
    frame = pl.DataFrame(rows, schema=table.schema) if frame is None else frame.select(*table.schema)
    if "slug" in table.schema:
        frame = frame.sort("name", "document_key", "slug", maintain_order=True)
    return write_frame(folder / table.file, frame)


def write_frame(path: Path, frame: pl.DataFrame) -> Path:
    """Write a frame as Parquet (zstd, statistics)."""
    arrow: pa.Table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    pq.write_table(arrow, path, compression="zstd", compression_level=9)
    return path


def read_frame(path: Path, columns: list[str] | None = None) -> pl.DataFrame:
    """Read a Parquet file of a dataset as it is, whatever the current schema says.

    Raises:
        DatasetError: it is missing or damaged, or lacks a column.
    """
    try:
        return pl.read_parquet(path, columns=columns)
    except (OSError, pl.exceptions.PolarsError) as error:
        msg = f"{path} cannot be read ({str(error).splitlines()[0]}): get the dataset again"
        raise DatasetError(msg) from error


def complaints(table: Table, record: Record) -> Iterator[str]:
    """Every violation of the schema by a record, one line each."""
    for name in record.keys() - table.schema.keys():
        yield f"{name} is not a column of {table.name}"
    for column in table.columns:
        value = record.get(column.name)
        if value is None:
            if column.required:
                yield f"{column.name} is required but missing"
        else:
            yield from mismatches(value, column.dtype, column.name)


def mismatches(value: Any, dtype: Any, path: str) -> Iterator[str]:
    """Every part of a value that is not of the column's type, one line each; None is of any type."""
    if value is None:
        return
    if isinstance(dtype, pl.List):
        yield from _list_mismatches(value, dtype, path)
    elif isinstance(dtype, pl.Struct):
        yield from _struct_mismatches(value, dtype, path)
    else:
        expected = _PYTHON_TYPES[dtype if isinstance(dtype, type) else type(dtype)]
        if type(value) is not expected:
            yield f"{path} = {value!r} is not of type {expected.__name__}"
        elif expected is int and value not in _INT32:
            yield f"{path} = {value!r} does not fit in 32 bits"
        elif isinstance(value, float) and not math.isfinite(value):
            yield f"{path} = {value!r} is not a finite number"
        elif value == "":
            yield f"{path} is an empty string; unknown is null"


def _list_mismatches(value: Any, dtype: pl.List, path: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{path} = {value!r} is not a list"
        return
    for position, item in enumerate(value):
        if item is None and not _CELLS.search(path):
            yield f"{path}[{position}] is null"
        yield from mismatches(item, dtype.inner, f"{path}[{position}]")


def _struct_mismatches(value: Any, dtype: pl.Struct, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path} = {value!r} is not a struct"
        return
    members = {f.name: f.dtype for f in dtype.fields}
    for name in sorted(value.keys() - members.keys()):
        yield f"{path}.{name} is not a declared member"
    for name, member in members.items():
        yield from mismatches(value.get(name), member, f"{path}.{name}")
