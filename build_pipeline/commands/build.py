"""`lorekeeper-build build`: a snapshot becomes a dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

from cyclopts import App, Parameter
from cyclopts.validators import Number

from build_pipeline.commands.caches import CacheDir, build_cache
from build_pipeline.commands.progress import Stages
from build_pipeline.commands.terminal import EXIT_FAILED, Flag, Json
from build_pipeline.index.engine_names import EngineName
from build_pipeline.index.models import DEFAULT_MODEL
from build_pipeline.index.passages import MAX_CHUNKS
from build_pipeline.pipeline import build_dataset
from build_pipeline.snapshot.orcbrew.model import SOURCE
from server.dataset.manifest import Manifest
from server.dataset.terminal import write, write_error, write_json

_SHOWN: Final = 10
"""Maximum number of damaged, and of doubtful, entities of homebrew that the summary names."""

app: Final = App(
    name="build",
    help_epilogue=(
        "Exit codes: 0 the dataset was built, 1 it was not (the reason is on stderr), or with --strict facts break a "
        "rule, 2 wrong usage."
    ),
)


@app.default
def build(
    *,
    snapshot: Path,
    out: Path,
    orcbrew: Annotated[tuple[Path, ...], Parameter(consume_multiple=True, negative="", show_default=False)] = (),
    model: str = DEFAULT_MODEL,
    previous: Path | None = None,
    cache_dir: CacheDir = None,
    no_cache: Flag = False,
    engine: EngineName = "local",
    chunks: Annotated[int, Parameter(validator=Number(gte=0))] = MAX_CHUNKS,
    max_questions: Annotated[int | None, Parameter(validator=Number(gte=0))] = None,
    strict: Flag = False,
    quiet: Flag = False,
    as_json: Json = False,
) -> int:
    """Build the dataset of a snapshot: tables, vectors, index and query encoder in one folder.

    Parameters
    ----------
    snapshot
        Folder that `lorekeeper-build snapshot` wrote (or a hand-written raw layer).
    out
        Folder of the dataset; an earlier dataset there is replaced once the new one is complete.
    orcbrew
        Homebrew files to add: .orcbrew files, folders or globs.
    model
        Sentence encoder: a folder, or the name of a model in a package or on the model hub.
    previous
        An earlier dataset, whose vectors are reused where text and model are the same.
    cache_dir
        Folder that keeps vectors, the exported model and parsed texts, so that a repeated or killed build continues
        where it was. Default: the folder build in LOREKEEPER_CACHE, or in the user's cache folder.
    no_cache
        Compute everything, and keep nothing.
    engine
        What computes the vectors: `local`, the cores of this machine; `ray`, the workers of the Ray cluster that
        RAY_ADDRESS names, or of one started here. The dataset is the same.
    chunks
        Maximum number of text passages per entity, besides its summary; a build with fewer is faster.
    max_questions
        Maximum number of questions per thing that search learns from. Default: all; a build with fewer is faster, and
        its search finds less.
    strict
        Fail if a fact breaks a rule of `lorekeeper-build check` without an exception. That includes a book's file that
        is not as declared, a section that cannot be read, and an outdated correction. The dataset is written anyway.
    quiet
        No progress and no summary.
    as_json
        Print the manifest's counts, coverage and problems as JSON.
    """
    with Stages(quiet=quiet or as_json) as bars:
        manifest = build_dataset(
            snapshot,
            out,
            orcbrew=orcbrew,
            model=model,
            previous=previous,
            cache=None if no_cache else build_cache(cache_dir),
            engine=engine,
            chunks=chunks,
            max_questions=max_questions,
            progress=bars.show,
        )
    if as_json:
        facts = {k: manifest[k] for k in ("dataset_version", "content_hash", "counts", "coverage", "problems")}
        write_json(facts)
    elif not quiet:
        write(summary(out, manifest))
    broken = [row for row in manifest["checks"] if row["broken"]]
    for row in broken if strict else ():
        write_error(f"{row['rule']}: {row['broken']:,} of {row['checked']:,} facts break the rule\n")
    return EXIT_FAILED if strict and broken else 0


def summary(out: Path, manifest: Manifest) -> str:
    """A summary of what was built, for people."""
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
        f"  query encoder: {encoder['model']}, {encoder['precision']}\n"
        + "".join(f"  {line}\n" for line in _homebrew(manifest))
    )


def _homebrew(manifest: Manifest) -> Iterator[str]:
    """What is wrong with homebrew, at most `_SHOWN` lines of each sort: who builds may not have checked the files."""
    problems = [row for row in manifest["problems"] if row["raw"].partition("/")[0] == SOURCE]
    damage = [row for row in problems if row.get("page")]
    if damage:
        yield f"homebrew: {len(damage):,} damaged; `lorekeeper-build orcbrew check FILE` shows the places"
        yield from _listed([f"{row['page']}: {row['reason']}{_about(row, ' [{}]')}" for row in damage])
    doubtful = [row for row in problems if not row.get("page")]
    if doubtful:
        yield f"homebrew: {len(doubtful):,} doubtful"
        yield from _listed([f"{_about(row, '{}: ')}{row['reason']}" for row in doubtful])


def _about(row: Mapping[str, str], form: str) -> str:
    """The entity that a problem is about, or nothing."""
    about = row["raw"].partition("/")[2]
    return form.format(about) if about else ""


def _listed(lines: Sequence[str]) -> Iterator[str]:
    yield from (f"  {line}" for line in lines[:_SHOWN])
    if len(lines) > _SHOWN:
        yield f"  … and {len(lines) - _SHOWN:,} more"
