"""A dataset whose files are whole but not what the server reads is refused, by the name of the file."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import faiss
import polars as pl
import pytest

from server.dataset.load import load_dataset
from server.dataset.manifest import DatasetError, file_sha256

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def with_other(tiny_folder: Path, tmp_path: Path) -> Callable[[str, Callable[[Path], None]], Path]:
    """Makes a copy of a dataset in which one file was written anew and recorded so."""

    def copy(name: str, write: Callable[[Path], None]) -> Path:
        folder = tmp_path / "other"
        shutil.copytree(tiny_folder, folder)
        file = folder / name
        write(file)
        manifest = json.loads((folder / "manifest.json").read_bytes())
        manifest["files"][name] |= {"bytes": file.stat().st_size, "sha256": file_sha256(file)}
        (folder / "manifest.json").write_text(json.dumps(manifest))
        return folder

    return copy


def test_an_index_that_is_not_exact(with_other):
    def approximate(file: Path) -> None:
        flat = faiss.read_index(str(file))
        faiss.write_index(faiss.IndexHNSWFlat(flat.d, 4, faiss.METRIC_INNER_PRODUCT), str(file))

    with pytest.raises(DatasetError, match=r"index\.faiss is of type IndexHNSWFlat, .* flat, exact index"):
        load_dataset(with_other("index.faiss", approximate))


def test_a_table_without_a_column(with_other):
    def narrower(file: Path) -> None:
        pl.read_parquet(file).drop("level").write_parquet(file)

    with pytest.raises(DatasetError, match=r"spells\.parquet does not have the declared columns; .*'level'"):
        load_dataset(with_other("spells.parquet", narrower))
