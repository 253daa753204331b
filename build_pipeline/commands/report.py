"""`lorekeeper-build report`: a dataset's contents as one HTML page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from cyclopts import App

from build_pipeline.commands.terminal import CommandError
from build_pipeline.release.compare import compare
from build_pipeline.release.contents import Contents
from build_pipeline.release.report import REPORT_FILE
from build_pipeline.release.report import report as make_report
from server.dataset.manifest import DatasetError, read_manifest

app: Final = App(name="report", help_epilogue="Exit codes: 0 the report is there, 1 it is not, 2 wrong usage.")


@app.default
def report(dataset: Path, /, *, out: Path = Path(REPORT_FILE), previous: Path | None = None) -> int:
    """Write a dataset report: counts, column coverage, problems, plots, changes; one self-contained HTML file.

    Parameters
    ----------
    dataset
        Folder of the dataset.
    out
        File to write.
    previous
        An earlier dataset to compare with.
    """
    try:
        manifest = read_manifest(dataset)
        comparison = compare(previous, dataset) if previous is not None else None
        out.write_text(make_report(Contents.of(dataset), manifest, comparison), encoding="utf-8", newline="\n")
    except (DatasetError, OSError) as error:
        raise CommandError(str(error)) from error
    sys.stdout.write(f"{out}\n")
    return 0
