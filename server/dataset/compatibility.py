"""Decides which datasets this server can read.

A different schema version is rejected. Within a version the schema may grow, and either side may be newer: unknown
tables, columns and struct members are ignored; missing optional ones are null. Missing required columns and differing
types, at any depth, are rejected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from server.dataset.manifest import DatasetError
from server.dataset.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.dataset.tables.columns import PolarsType, Table

UPGRADE_SERVER: Final = "upgrade the server (pip install -U lorekeeper-offline)"
NEWER_DATASET: Final = "get a newer dataset (lorekeeper pull)"

_NESTED_MAY_GROW: Final = pl.ScanCastOptions(missing_struct_fields="insert", extra_struct_fields="ignore")


def check_schema_version(dataset_version: str, schema_version: int) -> None:
    """Reject a dataset of another schema version.

    Raises:
        DatasetError: another version; the message says whether the server or the dataset is older.
    """
    if schema_version == SCHEMA_VERSION:
        return
    advice = UPGRADE_SERVER if schema_version > SCHEMA_VERSION else NEWER_DATASET
    msg = (
        f"the dataset {dataset_version} has schema version {schema_version}, "
        f"this server reads {SCHEMA_VERSION}: {advice}"
    )
    raise DatasetError(msg)


def misfits(file: Path, table: Table) -> Iterator[str]:
    """Reasons a table's file cannot be read, one line each: table, column, found, expected, what to do."""
    return (f"table {table.name}{problem}" for problem in _misfits(file, table))


def read_table(file: Path, table: Table) -> pl.DataFrame:
    """Read a table: exactly its declared columns, in declaration order.

    Raises:
        DatasetError: it has `misfits`, or is damaged.
    """
    if problem := next(misfits(file, table), None):
        raise DatasetError(problem)
    if not file.is_file():
        return pl.DataFrame(schema=table.schema)
    frame = pl.scan_parquet(
        file,
        schema=table.schema,
        missing_columns="insert",
        extra_columns="ignore",
        cast_options=_NESTED_MAY_GROW,
        glob=False,
    )
    try:
        return frame.collect()
    except pl.exceptions.PolarsError as error:
        msg = f"{file.name} cannot be read ({str(error).splitlines()[0]}): get the dataset again"
        raise DatasetError(msg) from error


def _misfits(file: Path, table: Table) -> Iterator[str]:
    if not file.is_file():
        if not table.optional:
            yield f": there is no {file.name}: {NEWER_DATASET}"
        return
    try:
        found = pl.read_parquet_schema(file)
    except pl.exceptions.PolarsError as error:
        yield f": {file.name} is not a Parquet file ({str(error).splitlines()[0]}): get the dataset again"
        return
    for column in table.columns:
        if column.name in found:
            yield from _other_types(column.name, found[column.name], column.dtype)
        elif column.required:
            yield f", column {column.name}: found none, expected {_name(column.dtype)} (required): {NEWER_DATASET}"


def _other_types(path: str, found: PolarsType, expected: PolarsType) -> Iterator[str]:
    """Complaints about types that differ, at any depth, among the members both have."""
    if isinstance(found, pl.Struct) and isinstance(expected, pl.Struct):
        members = {field.name: field.dtype for field in found.fields}
        for field in expected.fields:
            if field.name in members:
                yield from _other_types(f"{path}.{field.name}", members[field.name], field.dtype)
    elif isinstance(found, pl.List) and isinstance(expected, pl.List):
        yield from _other_types(f"{path}[]", found.inner, expected.inner)
    elif found != expected:
        # The schema version rules this out, so there is no telling which side is wrong.
        advice = f"{UPGRADE_SERVER}, then {NEWER_DATASET}"
        yield f", column {path}: found {_name(found)}, expected {_name(expected)}: {advice}"


def _name(dtype: PolarsType) -> str:
    """Short name of a type: `Int32`, `List(Struct)`."""
    return f"List({_name(dtype.inner)})" if isinstance(dtype, pl.List) else str(dtype.base_type())
