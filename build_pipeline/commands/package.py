"""`lorekeeper-build package`: a dataset becomes a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from cyclopts import App, Parameter

from build_pipeline.commands.terminal import Flag, Json, progress_console
from build_pipeline.release.allowed import ALLOWED_DOCUMENTS, read_allow_list
from build_pipeline.release.comparison.changes import summary
from build_pipeline.release.comparison.retrieval import read_given
from build_pipeline.release.package import Packaged
from build_pipeline.release.package import package as make_package
from server.dataset.terminal import write, write_json

app: Final = App(
    name="package",
    help_epilogue="Exit codes: 0 the release was made, 1 it was not (the reason is on stderr), 2 wrong usage.",
)


@app.default
def package(
    *,
    dataset: Path,
    out: Path,
    previous: Path | None = None,
    queries: Path | None = None,
    qrels: Path | None = None,
    listing: Path | None = None,
    base_url: str = "",
    allow_list: Annotated[Path, Parameter(show_default=lambda _: f"data/{ALLOWED_DOCUMENTS.name}")] = ALLOWED_DOCUMENTS,
    quiet: Flag = False,
    as_json: Json = False,
) -> int:
    """Make the archives, wheel, checksums, release notes and listing of a dataset.

    Parameters
    ----------
    dataset
        Folder that `lorekeeper-build build` wrote.
    out
        Folder of the release; if it has a listing.json, the release is added to it.
    previous
        The previously released dataset, for the notes.
    queries
        Judged queries, as for `diff`: the notes report how search changed since the previous dataset.
    qrels
        Their judgements.
    listing
        An earlier listing.json to add to, if it is not in --out.
    base_url
        Where the files will be, with {version} for the version. Default: next to the listing.
    allow_list
        File that declares which documents may be published; a dataset with any other is refused.
    quiet
        No progress and no summary.
    as_json
        Print the listing's entry, and the files, as JSON.
    """
    with progress_console(quiet=quiet or as_json).status("") as status:
        made = make_package(
            dataset,
            out,
            allowed=read_allow_list(allow_list),
            previous=previous,
            judged=read_given(queries, qrels),
            listing=listing,
            base_url=base_url,
            progress=status.update,
        )
    if as_json:
        facts = {"release": made.release, "files": [str(path) for path in made.files]}
        write_json(facts)
    elif not quiet:
        write(_summary(made))
    return 0


def _summary(made: Packaged) -> str:
    lines = [f"release {made.release['dataset_version']}"]
    if made.comparison is not None:
        lines.append(f"  since {made.comparison.old_version}: {summary(made.comparison)}")
    lines += [f"  {path.name}  {path.stat().st_size:,} bytes" for path in made.files]
    return "\n".join(lines) + "\n"
