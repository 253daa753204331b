"""The tiny dataset as a library, and as a folder that commands can serve."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import faiss
import pytest
from tiny_dataset import build_tiny_dataset

from server.cli import main
from server.dataset.load import INDEX_FILE, VECTORS_FILE, load_dataset
from server.dataset.manifest import MANIFEST_FILE, Manifest, file_sha256
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES
from server.library.library import Library


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the tiny dataset with everything that a server reads."""
    folder = tmp_path_factory.mktemp("dataset")
    dataset = build_tiny_dataset(folder)
    tables = {table.file: dataset.tables[table.name] for table in ENTITY_TABLES} | {DOCUMENTS.file: dataset.documents}
    for name, frame in (tables | {VECTORS_FILE: dataset.vectors}).items():
        frame.write_parquet(folder / name)
    faiss.write_index(dataset.index, str(folder / INDEX_FILE))
    rows = {name: frame.height for name, frame in tables.items()}
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
        **dict.fromkeys(Manifest.__required_keys__),
        **dataset.manifest,
        "encoder": {**encoder, **dataset.manifest["encoder"]},
        "counts": {"entities": sum(dataset.tables[t.name].height for t in ENTITY_TABLES)},
        "problems": [],
        "files": files,
    }
    (folder / MANIFEST_FILE).write_text(json.dumps(facts), encoding="utf-8")
    return folder


@pytest.fixture
def lorekeeper(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Runs a command line in this process: (exit code, stdout, stderr)."""

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
