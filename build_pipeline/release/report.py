"""`report.html`: contents, coverage, reach of the vocabularies, problems and changes of a dataset.

One self-contained file.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from build_pipeline.release.changes import change_groups, frame_lines, summary
from build_pipeline.release.compare import DatasetDiff
from build_pipeline.release.contents import Contents
from build_pipeline.release.templates import render
from server.dataset.manifest import Manifest

REPORT_FILE: Final = "report.html"

_PLOTS: Final = (
    ("Spells by level", "spells", "level"),
    ("Spells by school", "spells", "school"),
    ("Creatures by challenge rating", "creatures", "challenge_rating"),
    ("Creatures by type", "creatures", "type"),
    ("Equipment by category", "equipment", "item_category"),
    ("Equipment by rarity", "equipment", "rarity"),
)
_MOST_BARS: Final = 40
_MOST_PROBLEMS: Final = 200


@dataclass(frozen=True, slots=True)
class Plot:
    """A bar chart: title, and (label, value) of each bar."""

    title: str
    bars: list[tuple[str, int]]


def report(contents: Contents, manifest: Manifest, comparison: DatasetDiff | None) -> str:
    """The report as HTML; `comparison` with the previous version, if there is one."""
    counts = contents.counts()
    return render(
        "report.html.j2",
        manifest=manifest,
        documents=contents.documents,
        counts=counts,
        by_document=contents.by_document(),
        fills=contents.fills(),
        effects=contents.reached(contents.effects),
        attributes=contents.reached(contents.attributes),
        plots=[
            Plot("Entities by type", [(t, sum(found.values())) for t, found in counts.items()]),
            *(Plot(title, _bars(contents, table, column)) for title, table, column in _PLOTS),
        ],
        checks=manifest.get("checks", []),
        problems=manifest["problems"][:_MOST_PROBLEMS],
        problem_count=len(manifest["problems"]),
        problem_groups=_problem_groups(manifest),
        comparison=comparison,
        summary=summary(comparison) if comparison else "",
        frame_lines=list(frame_lines(comparison)) if comparison else [],
        changes=list(change_groups(comparison)) if comparison else [],
    )


def _bars(contents: Contents, table: str, column: str) -> list[tuple[str, int]]:
    """Values of a column with their counts: numbers by value, words by count."""
    counted: Counter[Any] = Counter(contents.tables[table][column].drop_nulls().to_list())
    if all(isinstance(value, int | float) for value in counted):
        found = sorted(counted.items())
    else:
        found = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return [(f"{value:g}" if isinstance(value, float) else str(value), count) for value, count in found[:_MOST_BARS]]


def _problem_groups(manifest: Manifest) -> list[tuple[str, int]]:
    """Number of problems per endpoint."""
    endpoints = Counter(entry["raw"].rpartition("/")[0] or entry["raw"] for entry in manifest["problems"])
    return sorted(endpoints.items(), key=lambda item: (-item[1], item[0]))
