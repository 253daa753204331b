"""`lorekeeper datasets`: which datasets are on this machine, and which are published."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from server.commands.options import Json, ListingOption
from server.dataset.manifest import DatasetError, read_manifest
from server.dataset.schema import SCHEMA_VERSION
from server.dataset.terminal import write, write_error, write_json
from server.settings import dataset_listing
from server.store.home import Home
from server.store.locate import how_to_get_one, installed_datasets, locate_dataset

Row = dict[str, Any]


def datasets(
    *,
    available: Annotated[bool, Parameter(negative="", help="List the published datasets instead.")] = False,
    url: ListingOption = None,
    json: Json = False,
) -> int:
    """List the datasets on this machine, with * for the one in use. Only --available accesses the network."""
    home = Home.of(os.environ)
    rows = _published(home, dataset_listing(url)) if available else _local(home)
    if json:
        write_json(rows, indent=2)
        return 0
    if not rows:
        write(f"{how_to_get_one()}\n")
    for row in rows:
        write(f"{_line(row)}\n")
    return 0


def _local(home: Home) -> list[Row]:
    in_use = _in_use()
    folders = [*map(home.folder, home.versions()), *installed_datasets().values()]
    if in_use is not None and in_use not in folders:
        folders.append(in_use)
    return [{**_described(folder), "where": str(folder), "in_use": folder == in_use} for folder in folders]


def _in_use() -> Path | None:
    try:
        return locate_dataset(None, os.environ)
    except DatasetError as error:
        write_error(f"{error}\n")
        return None


def _described(folder: Path) -> Row:
    try:
        manifest = read_manifest(folder)
    except DatasetError as error:
        return {"version": folder.name, "damaged": str(error)}
    return {
        "version": manifest["dataset_version"],
        "schema_version": manifest["schema_version"],
        "snapshot_at": manifest["snapshot_at"],
        "bytes": sum(entry["bytes"] for entry in manifest["files"].values()),
    }


def _line(row: Row) -> str:
    mark = "*" if row["in_use"] else " "
    if "damaged" in row:
        return f"{mark} {row['version']:<16}{'damaged':>11}  {row['where']}"
    readable = row["schema_version"] == SCHEMA_VERSION
    schema = "" if readable else f"  (schema {row['schema_version']}, which this server cannot read)"
    return f"{mark} {row['version']:<16}{row['bytes'] / 1e6:>8,.0f} MB  {row['where']}{schema}"


def _published(home: Home, url: str) -> list[Row]:
    from server.store.pull import fetch_listing  # noqa: PLC0415 - only if something is fetched

    listing = fetch_listing(url)
    pulled = set(home.versions())
    return [
        {
            "version": release["dataset_version"],
            "schema_version": release["schema_version"],
            "snapshot_at": release["snapshot_at"],
            "bytes": release["archive"]["bytes"],
            "where": "pulled" if release["dataset_version"] in pulled else "published",
            "in_use": release["dataset_version"] == home.current(),
        }
        for _, found in sorted(listing["available"].items(), key=lambda item: int(item[0]), reverse=True)
        for release in found
    ]
