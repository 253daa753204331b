"""Which datasets a server reads: the one place that decides.

Another schema version is refused. Within one version the schema may grow, in either direction: tables, columns and
struct members that a reader does not know are ignored, optional ones that a dataset lacks are null. A required column
that is missing and a type that differs, however deep, are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from server.dataset.manifest import DatasetError
from server.dataset.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.dataset.columns import PolarsType, Table

UPGRADE_SERVER: Final = "upgrade the server (pip install -U lorekeeper-offline)"
NEWER_DATASET: Final = "get a newer dataset (lorekeeper pull)"

_NESTED_MAY_GROW: Final = pl.ScanCastOptions(missing_struct_fields="insert", extra_struct_fields="ignore")


def check_schema_version(dataset_version: str, schema_version: int) -> None:
    """Refuse a dataset of another schema version.

    Raises:
        DatasetError: the message says whether the server or the dataset is the older one.
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
    """What keeps a table's file from being read, one line each: table, column, found, expected, what to do."""
    return (f"table {table.name}{problem}" for problem in _misfits(file, table))


def read_table(file: Path, table: Table) -> pl.DataFrame:
    """Read a table that has no misfits: exactly its declared columns, in their order.

    Raises:
        DatasetError: it has misfits.
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
    return frame.collect()


def _misfits(file: Path, table: Table) -> Iterator[str]:
    if not file.is_file():
        if not table.optional:
            yield f": there is no {file.name}: {NEWER_DATASET}"
        return
    found = pl.read_parquet_schema(file)
    for column in table.columns:
        if column.name in found:
            yield from _other_types(column.name, found[column.name], column.dtype)
        elif column.required:
            yield f", column {column.name}: found none, expected {_name(column.dtype)} (required): {NEWER_DATASET}"


def _other_types(path: str, found: PolarsType, expected: PolarsType) -> Iterator[str]:
    """Where a type differs from the one declared in what both have."""
    if isinstance(found, pl.Struct) and isinstance(expected, pl.Struct):
        members = {field.name: field.dtype for field in found.fields}
        for field in expected.fields:
            if field.name in members:
                yield from _other_types(f"{path}.{field.name}", members[field.name], field.dtype)
    elif isinstance(found, pl.List) and isinstance(expected, pl.List):
        yield from _other_types(f"{path}[]", found.inner, expected.inner)
    elif found != expected:
        # The schema version promises that this does not happen, so nothing says which of the two is wrong.
        advice = f"{UPGRADE_SERVER}, then {NEWER_DATASET}"
        yield f", column {path}: found {_name(found)}, expected {_name(expected)}: {advice}"


def _name(dtype: PolarsType) -> str:
    """A type in short: `Int32`, `List(Struct)`."""
    return f"List({_name(dtype.inner)})" if isinstance(dtype, pl.List) else str(dtype.base_type())
