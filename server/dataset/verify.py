"""Verifies a dataset: everything that loading checks, and that there are no other files. Reports every problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.dataset.compatibility import check_schema_version
from server.dataset.contents import wrong_contents
from server.dataset.files import ATTRIBUTES_FILE, EFFECTS_FILE, NEAR_WORDS_FILE, RANKING_FILE
from server.dataset.index.bm25 import read_bm25
from server.dataset.index.lexicon import read_attributes, read_effects, read_near_words
from server.dataset.index.phrases import load_phrases
from server.dataset.index.quantized import load_quantized
from server.dataset.index.query_model import load_query_model
from server.dataset.index.ranking_weights import read_fit
from server.dataset.index.terms import read_glossary
from server.dataset.load import damaged_files, foreign_tables, read_dataset
from server.dataset.manifest import MANIFEST_FILE, DatasetError, read_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from server.dataset.dataset import Dataset


def verify(path: Path) -> list[str]:
    """Complaints about the dataset in `path`, one line each; empty if it is valid."""
    try:
        manifest = read_manifest(path)
        check_schema_version(manifest["dataset_version"], manifest["schema_version"])
        if problems := damaged_files(path, manifest) or foreign_tables(path):
            return problems
        dataset = read_dataset(path, manifest)
    except DatasetError as error:
        return [str(error)]
    return [*wrong_contents(dataset), *_unreadable(dataset), *_unlisted_files(dataset)]


def _unreadable(dataset: Dataset) -> Iterator[str]:
    """Complaints of the readers of the other files, which a server loads when it starts."""
    folder, ids, entry = dataset.path, dataset.ids, dataset.manifest["encoder"]
    readers: tuple[Callable[[], object], ...] = (
        lambda: load_query_model(dataset.encoder_path, entry),
        lambda: load_quantized(dataset),
        lambda: read_bm25(dataset.lexicon_path, len(ids)),
        lambda: read_near_words(folder / NEAR_WORDS_FILE, read_bm25(dataset.lexicon_path, len(ids)).words),
        lambda: read_glossary(dataset.lexicon_path),
        lambda: read_effects(folder / EFFECTS_FILE, ids, entry["dimensions"]),
        lambda: load_phrases(dataset),
        lambda: read_attributes(folder / ATTRIBUTES_FILE, ids),
        lambda: read_fit(folder / RANKING_FILE),
    )
    for read in readers:
        try:
            read()
        except DatasetError as error:
            yield str(error)


def _unlisted_files(dataset: Dataset) -> list[str]:
    listed = set(dataset.manifest["files"]) | {MANIFEST_FILE}
    found = {p.relative_to(dataset.path).as_posix() for p in dataset.path.rglob("*") if p.is_file()}
    return [f"{name} is not in the manifest" for name in sorted(found - listed) if not name.startswith("raw/")]
