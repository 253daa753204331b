"""`lorekeeper-build build`: a snapshot becomes a dataset."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Final, Self

from cyclopts import App, Parameter
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from build_pipeline.commands.terminal import CommandError, progress_console
from build_pipeline.index.embed import DEFAULT_MODEL, ModelError
from build_pipeline.index.export import ExportError
from build_pipeline.index.passages import MAX_CHUNKS
from build_pipeline.index.vocabulary import VocabularyError
from build_pipeline.normalize.merging.corrections import CorrectionError
from build_pipeline.pipeline import build_dataset
from build_pipeline.snapshot.orcbrew.reader import OrcbrewError
from build_pipeline.snapshot.raw import RawError
from build_pipeline.tables import RecordError
from server.dataset.manifest import DatasetError, Manifest

Flag = Parameter(negative="")

_EXPECTED: Final = (
    RawError,
    OrcbrewError,
    CorrectionError,
    RecordError,
    VocabularyError,
    ModelError,
    ExportError,
    DatasetError,
    OSError,
)
"""Errors in the input of a build; their messages are for people."""

app: Final = App(
    name="build",
    help_epilogue="Exit codes: 0 the dataset was built, 1 it was not (the reason is on stderr), 2 wrong usage.",
)


@app.default
def build(
    *,
    snapshot: Path,
    out: Path,
    orcbrew: Annotated[tuple[Path, ...], Parameter(consume_multiple=True, negative="")] = (),
    model: str = DEFAULT_MODEL,
    previous: Path | None = None,
    chunks: int = MAX_CHUNKS,
    quiet: Annotated[bool, Flag] = False,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> int:
    """Build the dataset of a snapshot: tables, vectors, index and query encoder in one folder.

    Parameters
    ----------
    snapshot
        Folder that `lorekeeper-build snapshot` wrote (or a hand-written raw layer).
    out
        Folder of the dataset; an earlier dataset there is replaced once the new one is whole.
    orcbrew
        Homebrew files to add: .orcbrew files, folders or globs.
    model
        Sentence encoder: a folder, or a name that a package or the model hub has.
    previous
        An earlier dataset, whose vectors are reused where text and model are the same.
    chunks
        Maximum number of text passages per entity, besides its summary; fewer build faster.
    quiet
        No progress and no summary.
    as_json
        Print the manifest's counts, coverage and problems as JSON.
    """
    try:
        with _Bars(quiet=quiet or as_json) as bars:
            manifest = build_dataset(
                snapshot, out, orcbrew=orcbrew, model=model, previous=previous, chunks=chunks, progress=bars.show
            )
    except _EXPECTED as error:
        raise CommandError(str(error)) from error
    if as_json:
        facts = {k: manifest[k] for k in ("dataset_version", "content_hash", "counts", "coverage", "problems")}
        sys.stdout.write(json.dumps(facts, ensure_ascii=False) + "\n")
    elif not quiet:
        sys.stdout.write(_summary(out, manifest))
    return 0


def _summary(out: Path, manifest: Manifest) -> str:
    coverage = manifest["coverage"]
    by_type = ", ".join(f"{count:,} {name}" for name, count in manifest["counts"]["by_type"].items())
    encoder = manifest["encoder"]
    return (
        f"{out}: dataset {manifest['dataset_version']}, {manifest['counts']['entities']:,} entities "
        f"of {len(manifest['counts']['by_document'])} documents\n"
        f"  {by_type}\n"
        f"  raw objects: {coverage['objects']:,} = {coverage['entities']:,} in entities"
        f" + {coverage['documents']:,} of documents + {coverage['no_entities']:,} of vocabularies"
        f" + {coverage['problems']:,} in problems\n"
        f"  query encoder: {encoder['model']}, {encoder['precision']};"
        f" top ten shared with the model: {encoder['export']['overlap']}\n"
    )


class _Bars:
    """A progress bar for each stage, on stderr."""

    def __init__(self, *, quiet: bool) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bars = Progress(*columns, console=progress_console(quiet=quiet), transient=True)
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def show(self, stage: str, done: int, total: int) -> None:
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task(stage)
        self._bars.update(self._tasks[stage], completed=done, total=total)
