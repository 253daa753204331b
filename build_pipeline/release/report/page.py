"""The report: contents, changes, truth, columns, figures and a map of a dataset, on one self-contained page."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from build_pipeline.check.decisions import read_decisions
from build_pipeline.evaluation.evaluate import Figures, Judged, estimates, groups
from build_pipeline.evaluation.metrics import METRICS, Estimate
from build_pipeline.release.comparison.changes import change_groups, frame_lines, retrieval_lines, summary
from build_pipeline.release.comparison.compare import DatasetDiff
from build_pipeline.release.contents import Contents, Fill, optional_columns
from build_pipeline.release.report import truth
from build_pipeline.release.report.roll import Roll, call_the_roll, facets
from build_pipeline.release.report.vector_map import SIDE, vector_map
from build_pipeline.release.templates import render
from server.dataset.closed_sets import CLOSED_SETS
from server.dataset.files import RANKING_FILE
from server.dataset.index.ranking_weights import read_fit
from server.dataset.manifest import Manifest
from server.dataset.schema import TABLE_OF
from server.dataset.tables.columns import Column

REPORT_FILE: Final = "report.html"
MARKER: Final = '<meta name="generator" content="lorekeeper-build report">'
"""Distinguishes a report from other pages."""

_TEMPLATES: Final = files("build_pipeline.release") / "templates" / "report"
_MOST_BARS: Final = 40
_MOST_CHANGES: Final = 200
"""Maximum number of changes listed per document and kind."""


def report(
    folder: Path,
    contents: Contents,
    manifest: Manifest,
    comparison: DatasetDiff | None,
    measured: tuple[Judged, Figures] | None = None,
) -> str:
    """The report as HTML.

    Args:
        folder: the dataset's folder.
        contents: its tables.
        manifest: its manifest.
        comparison: the comparison with the previous version, if there is one.
        measured: judged queries and how they were answered, if that was measured.
    """
    style, script = (_TEMPLATES.joinpath(name).read_text(encoding="utf-8") for name in ("style.css", "script.js"))
    roll = call_the_roll(contents)
    figures = facets(contents)
    decisions = read_decisions(folder)
    return render(
        "report/page.html.j2",
        marker=Markup(MARKER),  # noqa: S704 - a constant
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        policy=_policy(style, script),
        data=roll.data(contents, figures),
        manifest=manifest,
        meaning=_meanings(),
        documents=contents.documents,
        by_document=contents.by_document(),
        by_kind={kind: count for kind, (_, count) in roll.kinds.items()},
        kind_bars=_kind_bars(roll),
        most_bars=_MOST_BARS,
        editions=_counted(contents, "game_system"),
        licences=_counted(contents, "license"),
        told_by=_told_by(roll),
        facets=figures,
        comparison=comparison,
        changes=_changes(comparison),
        rules=truth.rules(manifest, decisions),
        corrections=truth.corrections(decisions),
        coverage=truth.coverage(manifest),
        sources=truth.sources(manifest),
        problems=truth.problems(manifest),
        most_facts=truth.MOST_FACTS,
        columns=_columns(contents),
        vocabularies={"effect": contents.reached(contents.effects), "attribute": contents.reached(contents.attributes)},
        map_side=SIDE,
        map_paths=_map_paths(folder, roll),
        fitted=read_fit(folder / RANKING_FILE).fitted_on,
        metrics=METRICS,
        measured=_measured(measured),
    )


def _policy(style: str, script: str) -> str:
    """A content security policy that allows this style and this script, and nothing else."""
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    return (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; base-uri 'none'; "
        "form-action 'none'"
    )


def _meanings() -> dict[str, str]:
    """Key of a source or an edition → what it is."""
    wanted = {"documents.source_api", "documents.game_system"}
    sets = (closed.meanings for closed in CLOSED_SETS if wanted & set(closed.paths))
    return {value: meaning.rstrip(".") for values in sets for value, meaning in values.items()}


def _counted(contents: Contents, column: str) -> list[tuple[str | None, int, int]]:
    """(Value, documents, entities) of a column of `documents`, the value with the most entities first."""
    documents: Counter[str | None] = Counter()
    entities: Counter[str | None] = Counter()
    by_document = contents.by_document()
    for row in contents.documents:
        documents[row[column]] += 1
        entities[row[column]] += sum(by_document[row["document_key"]].values())
    return [(value, documents[value], count) for value, count in entities.most_common()]


def _told_by(roll: Roll) -> dict[str, int]:
    """Source → number of entities that it describes."""
    return dict(Counter(name for names in roll.frame["sources"].to_list() for name in names))


def _kind_bars(roll: Roll) -> list[tuple[str, int, str]]:
    """(Kind, entities, the page's query that lists them), the most frequent first."""
    bars = [(kind, count, f"kind={kind}") for kind, (_, count) in roll.kinds.items()]
    return sorted(bars, key=lambda bar: -bar[1])


def _changes(comparison: DatasetDiff | None) -> dict[str, Any] | None:
    if comparison is None:
        return None
    return {
        "summary": summary(comparison),
        "frame": list(frame_lines(comparison)),
        "retrieval": list(retrieval_lines(comparison)),
        "groups": [(where, len(lines), lines[:_MOST_CHANGES]) for where, lines in change_groups(comparison)],
    }


def _columns(contents: Contents) -> dict[str, list[tuple[Column, Fill]]]:
    """Kind → its optional columns with their coverage."""
    return {
        kind: list(zip(optional_columns(TABLE_OF[kind], kind), fills, strict=True))
        for kind, fills in contents.fills().items()
    }


def _map_paths(folder: Path, roll: Roll) -> list[dict[str, Any]]:
    """One path per kind: its points in order, the kinds with the most points first, so that none is hidden."""
    places = vector_map(folder, roll.ids)
    return [
        {
            "kind": kind,
            "family": _family(kind),
            "count": count,
            "d": "".join(f"M{x} {y}h0" for x, y in places[start : start + count].tolist()),
        }
        for kind, (start, count) in sorted(roll.kinds.items(), key=lambda item: -item[1][1])
    ]


def _family(kind: str) -> str:
    """The group that gives a kind its colour: its table, with magic items apart from other equipment."""
    return "magic" if kind == "magic-item" else TABLE_OF[kind].name


def _measured(measured: tuple[Judged, Figures] | None) -> list[tuple[str, int, dict[str, Estimate]]]:
    """(Group, queries, metric → mean) of the queries that were measured, all of them first."""
    if measured is None:
        return []
    judged, figures = measured
    return [
        (name, len(qids), estimates(figures, qids))
        for members in groups(judged).values()
        for name, qids in members.items()
    ]
