"""`lorekeeper use`: switch to another pulled dataset."""

from __future__ import annotations

import os

from server.dataset.compatibility import check_schema_version
from server.dataset.load import damaged_files, foreign_tables
from server.dataset.manifest import DatasetError, read_manifest
from server.dataset.terminal import write
from server.store.home import Home


def use(version: str, /) -> int:
    """Take a pulled version into use. Running HTTP servers switch to it."""
    home = Home.of(os.environ)
    folder = home.require(version)
    home.check_manifest(folder)
    manifest = read_manifest(folder)
    check_schema_version(manifest["dataset_version"], manifest["schema_version"])
    if problems := damaged_files(folder, manifest):
        msg = f"the dataset {version} is damaged: {problems[0]}; `lorekeeper pull {version}` gets it again"
        raise DatasetError(msg)
    if problems := foreign_tables(folder):
        msg = f"the dataset {version} does not fit this server: {problems[0]}"
        raise DatasetError(msg)
    home.use(version)
    write(f"the dataset {version} is in use: {folder}\n")
    return 0
