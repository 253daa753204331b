"""The dataset in forms other than Parquet: one SQLite file with full-text search, JSON lines, CSV.

All of them have every published table with every column of the schema, as well as the tables of `about.py`.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Final

import polars as pl

from server.dataset.compatibility import check_schema_version, read_table
from server.dataset.export_folder import export_folder
from server.dataset.files import NOTICE_FILE
from server.dataset.forms.about import EXPLAINING_TABLES, explaining_frames, is_json
from server.dataset.forms.sqlite_file import write_sqlite
from server.dataset.manifest import read_manifest
from server.dataset.replacing import replacing_file
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, PUBLISHED_TABLES, TAGS
from server.dataset.strict_json import dump_json
from server.dataset.tables.columns import Table

Frames = Mapping[Table, pl.DataFrame]


def read_frames(dataset: Path, documents: Collection[str] | None = None) -> Frames:
    """Every table of a dataset, and those that explain them.

    Args:
        dataset: its folder.
        documents: keys of the documents to keep; None for all.

    Raises:
        DatasetError: it is missing, or does not fit this program.
    """
    manifest = read_manifest(dataset)
    check_schema_version(manifest["dataset_version"], manifest["schema_version"])
    frames = {table.name: read_table(dataset / table.file, table) for table in PUBLISHED_TABLES}
    if documents is not None:
        frames = _only(frames, documents)
    notice = (dataset / NOTICE_FILE).read_text(encoding="utf-8")
    frames |= explaining_frames(frames, manifest, notice)
    return {table: frames[table.name] for table in (*PUBLISHED_TABLES, *EXPLAINING_TABLES)}


def write_form(form: str, dataset: Path, out: Path, documents: Collection[str] | None = None) -> None:
    """Write a dataset in one of `FORMS`; what is at `out` is replaced once the new one is complete.

    Args:
        form: a key of `FORMS`.
        dataset: the dataset's folder.
        out: the file for `sqlite`; for the others, the folder with one file per table.
        documents: keys of the documents to keep; None for all.

    Raises:
        DatasetError: the dataset is missing, or does not fit this program.
        FileExistsError: `out` is a folder for `sqlite`, or holds anything but an earlier export for the others.
    """
    frames = read_frames(dataset, documents)
    if form == "sqlite":
        _write_file(out, frames)
        return
    with export_folder(out) as new:
        FORMS[form](new, frames)
        shutil.copyfile(dataset / NOTICE_FILE, new / NOTICE_FILE)


def write_jsonl(folder: Path, frames: Frames) -> None:
    """Write one file per table, with one JSON object per row that has all columns."""
    for table, frame in frames.items():
        with (folder / f"{table.name}.jsonl").open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in frame.iter_rows(named=True))


def write_csv(folder: Path, frames: Frames) -> None:
    """Write one file per table, with a header.

    Null is an empty cell, lists and structs are JSON text, booleans true or false.
    """
    for table, frame in frames.items():
        with (folder / f"{table.name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(table.schema)
            writer.writerows(_cells(table, frame))


FORMS: Final[Mapping[str, Callable[[Path, Frames], None]]] = {
    "sqlite": write_sqlite,
    "jsonl": write_jsonl,
    "csv": write_csv,
}
"""Form → its writer."""


def _cells(table: Table, frame: pl.DataFrame) -> Iterator[list[object]]:
    nested = [is_json(column.dtype) for column in table.columns]
    for row in frame.iter_rows():
        yield [_cell(value, nested=n) for value, n in zip(row, nested, strict=True)]


def _cell(value: object, *, nested: bool) -> object:
    if value is None:
        return ""
    if nested:
        return dump_json(value)
    return ("true" if value else "false") if isinstance(value, bool) else value


def _only(frames: dict[str, pl.DataFrame], documents: Collection[str]) -> dict[str, pl.DataFrame]:
    kept = {
        table.name: frames[table.name].filter(pl.col("document_key").is_in(list(documents)))
        for table in (DOCUMENTS, *ENTITY_TABLES)
    }
    ids = pl.concat([kept[table.name]["id"] for table in ENTITY_TABLES])
    return kept | {TAGS.name: frames[TAGS.name].filter(pl.col("entity_id").is_in(ids.implode()))}


def _write_file(out: Path, frames: Frames) -> None:
    if out.is_dir():
        msg = f"{out} is a folder; name the file to write"
        raise FileExistsError(msg)
    out.parent.mkdir(parents=True, exist_ok=True)
    with replacing_file(out) as new:
        write_sqlite(new, frames)
