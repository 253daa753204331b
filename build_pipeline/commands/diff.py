"""`lorekeeper-build diff`: what came, went and changed between two datasets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import App, Parameter

from build_pipeline.commands.terminal import CommandError
from build_pipeline.release.changes import as_json, as_markdown, as_text
from build_pipeline.release.compare import compare
from server.dataset.manifest import DatasetError

Format = Literal["text", "json", "markdown"]

_WRITERS: Final = {"text": as_text, "json": as_json, "markdown": as_markdown}

app: Final = App(
    name="diff", help_epilogue="Exit codes: 0 they were compared, whatever came of it, 1 not, 2 wrong usage."
)


@app.default
def diff(old: Path, new: Path, /, *, output: Annotated[Format, Parameter(name="--format")] = "text") -> int:
    """Compare two datasets: entities added, removed, renamed and changed, by document and type, and the schema.

    Parameters
    ----------
    old
        Folder of the earlier dataset.
    new
        Folder of the later one.
    output
        text, json (whole values; `identical` says whether anything changed) or markdown (for release notes).
    """
    try:
        comparison = compare(old, new)
    except (DatasetError, OSError) as error:
        raise CommandError(str(error)) from error
    sys.stdout.write(_WRITERS[output](comparison))
    return 0
