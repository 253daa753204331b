"""How the quality of search changed between two datasets, measured with judged queries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from build_pipeline.evaluation.evaluate import (
    Figures,
    Judged,
    JudgementError,
    difference,
    estimates,
    figures_of,
    groups,
    read_judged,
)
from build_pipeline.evaluation.metrics import METRICS
from build_pipeline.release.comparison.compare import DatasetDiff, RetrievalChange, compare


def read_given(queries: Path | None, qrels: Path | None) -> Judged | None:
    """Read the judged queries given to a command; None if none were given.

    Raises:
        JudgementError: they are malformed, or one file is given without the other.
    """
    if queries is None and qrels is None:
        return None
    if queries is None or qrels is None:
        msg = "--queries and --qrels must be given together"
        raise JudgementError(msg)
    return read_judged(queries, qrels)


def compare_with_search(old: Path, new: Path, judged: Judged | None) -> DatasetDiff:
    """Compare two dataset folders, and their search if there are judged queries.

    Raises:
        DatasetError: one of them is not a dataset, or has a schema that this version cannot search.
    """
    comparison = compare(old, new)
    if judged is None:
        return comparison
    changes = _changes(judged, figures_of(old, judged), figures_of(new, judged))
    return replace(comparison, retrieval=tuple(changes))


def _changes(judged: Judged, old: Figures, new: Figures) -> Iterator[RetrievalChange]:
    for group, members in groups(judged).items():
        for member, qids in members.items():
            was, now = _of(old, qids), _of(new, qids)
            yield RetrievalChange(
                group=member if group == member else f"{group.removeprefix('by_')} {member}",
                queries=len(qids),
                old=estimates(was, qids),
                new=estimates(now, qids),
                difference={metric: difference(now, was, metric) for metric in METRICS},
            )


def _of(figures: Figures, qids: list[str]) -> Figures:
    """Figures of a subset of the queries."""
    return replace(figures, per_query={qid: figures.per_query[qid] for qid in qids})
