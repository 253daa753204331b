"""`lorekeeper-build report`: a dataset's contents as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cyclopts import App

from build_pipeline.commands.terminal import CommandError
from build_pipeline.evaluation.evaluate import figures_of
from build_pipeline.release.comparison.retrieval import compare_with_search, read_given
from build_pipeline.release.contents import Contents
from build_pipeline.release.report.page import MARKER, REPORT_FILE
from build_pipeline.release.report.page import report as make_report
from build_pipeline.text_files import write_text
from server.dataset.manifest import read_manifest
from server.dataset.terminal import write

app: Final = App(name="report", help_epilogue="Exit codes: 0 the report is there, 1 it is not, 2 wrong usage.")


@app.default
def report(
    dataset: Path,
    /,
    *,
    out: Path = Path(REPORT_FILE),
    previous: Path | None = None,
    queries: Path | None = None,
    qrels: Path | None = None,
) -> int:
    """Write a dataset report: contents, changes, checks, columns, a map of the vectors; one self-contained HTML file.

    Parameters
    ----------
    dataset
        Folder of the dataset.
    out
        File to write; only an earlier report is replaced.
    previous
        An earlier dataset to compare with.
    queries
        Judged queries to measure search with, as `eval` takes them; with --previous, in both datasets.
    qrels
        Their judgements.
    """
    _check_replaceable(out)
    manifest = read_manifest(dataset)
    judged = read_given(queries, qrels)
    comparison = compare_with_search(previous, dataset, judged) if previous is not None else None
    measured = (judged, figures_of(dataset, judged)) if judged is not None else None
    text = make_report(dataset, Contents.of(dataset), manifest, comparison, measured)
    write_text(out, text)
    write(f"{out}\n")
    return 0


def _check_replaceable(out: Path) -> None:
    if out.is_file() and MARKER not in out.read_text(encoding="utf-8", errors="replace"):
        msg = f"{out} is not an earlier report; name a new file"
        raise CommandError(msg)
