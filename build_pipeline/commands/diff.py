"""`lorekeeper-build diff`: entities added, removed and changed between two datasets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import App, Parameter

from build_pipeline.commands.terminal import CommandError, Flag
from build_pipeline.release.comparison.changes import as_json, as_markdown, as_text, search_gain
from build_pipeline.release.comparison.retrieval import compare_with_search, read_given
from server.dataset.terminal import write

Format = Literal["text", "json", "markdown"]

_WRITERS: Final = {"text": as_text, "json": as_json, "markdown": as_markdown}

app: Final = App(
    name="diff",
    help_epilogue="Exit codes: 0 compared, 1 not compared or, with --strict, search got worse, 2 wrong usage.",
)


@app.default
def diff(
    old: Path,
    new: Path,
    /,
    *,
    output: Annotated[Format, Parameter(name="--format")] = "text",
    queries: Path | None = None,
    qrels: Path | None = None,
    strict: Flag = False,
) -> int:
    """Compare two datasets: entities added, removed, renamed and changed, by document and type, and the schema.

    Parameters
    ----------
    old
        Folder of the earlier dataset.
    new
        Folder of the later one.
    output
        text, json (full values; `identical` is false if anything changed) or markdown (for release notes).
    queries
        Judged queries to run against both datasets to compare answers. JSON lines: qid, tool, query, filters, class.
    qrels
        Their judgements. JSON lines: qid, kind, name, grade (0 to 3).
    strict
        Fail if search got clearly worse: the 95 % confidence interval of the nDCG@10 difference is below 0.
    """
    judged = read_given(queries, qrels)
    if strict and judged is None:
        msg = "--strict judges search, so it needs --queries and --qrels"
        raise CommandError(msg)
    comparison = compare_with_search(old, new, judged)
    write(_WRITERS[output](comparison))
    if strict and comparison.retrieval[0].worse:
        gain = search_gain(comparison.retrieval[0])
        msg = f"search in {new} is clearly worse than in {old} ({gain}); do not release it as it is"
        raise CommandError(msg)
    return 0
