"""`README.md` of a dataset: the dataset card, with its counts and every column."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

from build_pipeline.release.contents import Contents
from build_pipeline.release.templates import render
from server.dataset.manifest import Manifest
from server.dataset.schema import PUBLISHED_TABLES
from server.dataset.tables.columns import Table

CARD_FILE: Final = "README.md"

_SCALARS: Final[dict[Any, str]] = {pl.String: "text", pl.Boolean: "yes/no", pl.Int32: "integer", pl.Float64: "number"}


def card(contents: Contents, manifest: Manifest) -> str:
    """The dataset card."""
    return render(
        "README.md.j2",
        manifest=manifest,
        documents=contents.documents,
        by_type={entity_type: sum(found.values()) for entity_type, found in contents.counts().items()},
        by_document={key: sum(found.values()) for key, found in contents.by_document().items()},
        tables=[_described(contents, table) for table in PUBLISHED_TABLES],
    )


def _described(contents: Contents, table: Table) -> dict[str, Any]:
    return {
        "file": table.file,
        "doc": table.doc,
        "rows": contents.tables[table.name].height,
        "columns": [
            {
                "name": column.name,
                "type": type_name(column.dtype),
                "doc": table.meaning(column),
                "share": contents.filled(table, column).share,
            }
            for column in table.columns
        ],
    }


def type_name(dtype: Any) -> str:
    """A polars type in words: `text`, `list of {name: text, bonus: integer}`."""
    if isinstance(dtype, pl.List):
        return f"list of {type_name(dtype.inner)}"
    if isinstance(dtype, pl.Struct):
        members = {field.name: type_name(field.dtype) for field in dtype.fields}
        if len(set(members.values())) == 1:
            return f"{{{', '.join(members)}: {next(iter(members.values()))}}}"
        return f"{{{', '.join(f'{name}: {kind}' for name, kind in members.items())}}}"
    return _SCALARS[dtype if isinstance(dtype, type) else type(dtype)]
