"""The tiny dataset: as a folder, as a library, and as two releases that can be pulled."""

import json
import logging
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import faiss
import pytest
from mirror import NEW, OLD, SILENT, Mirror, edition, pack, release
from tiny_dataset import build_tiny_dataset

from server.cli import main
from server.dataset.files import INDEX_FILE, NOTICE_FILE, VECTORS_FILE
from server.dataset.load import load_dataset
from server.dataset.manifest import MANIFEST_FILE, file_sha256
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES
from server.library.library import Library
from server.store.home import Home
from server.store.pull import pull_file


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the tiny dataset, with everything that a server reads."""
    folder = tmp_path_factory.mktemp("dataset")
    dataset = build_tiny_dataset(folder)
    tables = {table.file: dataset.tables[table.name] for table in ENTITY_TABLES} | {DOCUMENTS.file: dataset.documents}
    for name, frame in (tables | {VECTORS_FILE: dataset.vectors}).items():
        frame.write_parquet(folder / name)
    faiss.write_index(dataset.index, str(folder / INDEX_FILE))
    (folder / NOTICE_FILE).write_text("# Notices\n", encoding="utf-8")
    rows = {name: frame.height for name, frame in tables.items()}
    unknown = {"content_hash": "0" * 64, "builder": {}, "sources": [], "coverage": {}, "problems": []}
    files = {
        str(path.relative_to(folder)): {
            "sha256": file_sha256(path),
            "bytes": path.stat().st_size,
            "rows": rows.get(path.name),
        }
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    encoder = dict.fromkeys(("model", "revision", "weights_sha256", "pooling", "precision"), "tiny")
    facts: dict[str, Any] = {
        **unknown,
        **dataset.manifest,
        "encoder": {**encoder, **dataset.manifest["encoder"]},
        "counts": {"entities": sum(dataset.tables[t.name].height for t in ENTITY_TABLES)},
        "files": files,
    }
    (folder / MANIFEST_FILE).write_text(json.dumps(facts), encoding="utf-8")
    return folder


@pytest.fixture
def lorekeeper(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Runs a command line in this process: (exit code, stdout, stderr)."""
    # `serve` adds a handler for this test's stderr, which later tests must not inherit.
    monkeypatch.setattr(logging.root, "handlers", [])
    monkeypatch.setattr(logging.root, "level", logging.root.level)

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["lorekeeper", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


@pytest.fixture(scope="session")
def tiny_library(tiny_folder: Path) -> Iterator[Library]:
    library = Library(load_dataset(tiny_folder))
    yield library
    library.close()


@pytest.fixture(scope="session")
def editions(tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Version → dataset folder."""
    folder = tmp_path_factory.mktemp("editions")
    return {version: edition(tiny_folder, folder / version, version) for version in (OLD, NEW)}


@pytest.fixture(scope="session")
def shop(editions: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the archives and the listing of both releases."""
    folder = tmp_path_factory.mktemp("shop")
    Mirror(folder).publish(*(release(pack(editions[v], folder, v)[1], v) for v in editions))
    return folder


@pytest.fixture(scope="session")
def settled(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose current dataset is the old release; to be copied."""
    home = Home(tmp_path_factory.mktemp("settled") / "home")
    pull_file(home, next(shop.glob(f"*{OLD}*")), SILENT)
    return home.root


@pytest.fixture
def home(settled: Path, tmp_path: Path) -> Home:
    """A home whose current dataset is the old release."""
    return Home(shutil.copytree(settled, tmp_path / "home"))
