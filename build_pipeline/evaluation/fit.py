"""Fitting the ranking weights to judged queries: coordinate ascent on nDCG@10, then calibration of the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from build_pipeline.evaluation.evaluate import Answer, Judged, JudgementError, Query
from build_pipeline.evaluation.metrics import METRICS, USEFUL, JudgedItem, calibration_error, judged_items, measure
from server.dataset.index.ranking_weights import Fit, Weights, best_by_chance

Floats = npt.NDArray[np.float64]

GRID: Final = {
    "coverage": (0.15, 0.2, 0.25, 0.3, 0.35),
    "name": (0.2, 0.3, 0.4, 0.5),
    "effect": (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4),
    "attribute": (0.0, 0.05, 0.1, 0.15, 0.2, 0.25),
    "preferred": (0.0, 0.02, 0.04, 0.06, 0.08),
}
"""Values tried for each weight. The grid is coarse: the judged set cannot tell finer values apart.

`preferred` is capped because judges favoured well-known documents, and `coverage` because more of it gains on the
tuning half what it loses on other queries.
"""
START: Final = Weights(
    coverage=0.35, name=0.5, effect=0.3, attribute=0.15, preferred=0.04, slope=5.0, offset=4.0, floor=0.0
)
"""Starting point of every fit; a weight keeps this value unless another one is clearly better."""
_CLEARLY: Final = 0.002
"""Smallest gain in nDCG@10 that counts: with a hundred queries, less is noise."""
_FOLDS: Final = 5
_CALIBRATED: Final = 20
_FIRST: Final = 3
"""Number of results that somebody looks at before searching again."""
_FALSE_ALARM: Final = 20
"""Cost of a warning about weak matches for a real query, relative to that of no warning for one that is off topic."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The n results of a query, with the parts whose weighted sum is their strength.

    Attributes:
        query: the query.
        items: what each result counts as; results may share an item.
        parts: float64, (n, 1 + len(GRID)); the columns are the semantic part, then the parts in the order of `GRID`.
        unknown: how much less certain every score is because of the query's words that no entity has.
        known: grades of all items judged for the query, found or not.
    """

    query: Query
    items: Sequence[JudgedItem]
    parts: Floats
    unknown: float
    known: Mapping[JudgedItem, int]

    def ranked(self, weights: Weights) -> npt.NDArray[np.int64]:
        """Row numbers in the order that the weights rank them, int64, (n,)."""
        return np.argsort(-self.strength(weights), kind="stable")

    def strength(self, weights: Weights) -> Floats:
        """The weighted sum of each candidate's parts, by which it is ranked, float64, (n,)."""
        strength: Floats = self.parts @ np.array([1.0, *(getattr(weights, part) for part in GRID)])
        return strength

    def certainty(self, weights: Weights) -> float:
        """What the server compares with the floor: the best score, reduced for words that no entity has."""
        best = float(self.strength(weights).max())
        score = 1 / (1 + np.exp(weights.offset - weights.slope * best))
        return float((1 - self.unknown) * score / best_by_chance(len(self.items)))

    def answered(self, weights: Weights) -> bool:
        """Whether one of the first results is useful: a warning above them would be false."""
        return any(self.known.get(self.items[i], 0) >= USEFUL for i in self.ranked(weights)[:_FIRST])

    @property
    def named(self) -> bool:
        """Whether the query is a name, possibly misspelt or partial: the floor does not apply to these."""
        return bool(self.parts[:, 1 + list(GRID).index("name")].any())


def fit(judged: Judged, answer: Answer, on_topic: Sequence[str], off_topic: Sequence[str]) -> Fit:
    """Fit the weights to a judged set, and cross-validate them on held-out queries.

    Args:
        judged: the queries and judgements.
        answer: the engine, explaining its scores.
        on_topic: further real queries, without judgements.
        off_topic: queries that have nothing to do with the content.

    Raises:
        JudgementError: a query finds nothing.
    """
    found = [_candidates(judged, query, answer) for query in judged.queries]
    weights = _calibrated(found, _coordinate_ascent(found))
    foreign, real = ([_asked(judged, text, answer) for text in texts] for texts in (off_topic, on_topic))
    answered = [c for c in found if c.answered(weights)]
    certainty = [[c.certainty(weights) for c in some if not c.named] for some in (foreign, [*answered, *real])]
    weights = replace(weights, floor=min(1.0, _threshold(*certainty)))
    held_out = [(fold, _calibrated(rest, _coordinate_ascent(rest))) for fold, rest in _folds(found)]
    pairs = [_scored(fold, fitted) for fold, fitted in held_out]
    return Fit(
        weights,
        {
            "queries": len(found),
            "ndcg@10": round(_ndcg(found, weights), 4),
            "ndcg@10 on held-out queries": round(
                fmean(v for fold, fitted in held_out for one in fold if (v := _ndcg_of(one, fitted)) is not None), 4
            ),
            "ece": round(calibration_error(*_scored(found, weights)), 4),
            "ece on held-out queries": round(
                calibration_error([s for p in pairs for s in p[0]], [u for p in pairs for u in p[1]]), 4
            ),
        },
    )


def _asked(judged: Judged, text: str, answer: Answer) -> Candidates:
    return _candidates(judged, Query("", "search_all", text, {}, ""), answer)


def _candidates(judged: Judged, query: Query, answer: Answer) -> Candidates:
    results = answer(query)
    if not results:
        msg = f"{query.text!r} finds nothing in this dataset, so nothing can be fitted to it; leave the query out"
        raise JudgementError(msg)
    known = judged.grades.get(query.qid, {})
    items = [judged_items([result])[0] for result in results]
    return Candidates(query, items, _parts(results), results[0]["parts"]["unknown"], known)


def _coordinate_ascent(found: Sequence[Candidates]) -> Weights:
    """Coordinate ascent: set one weight after another to its best value until none improves."""
    best, reached = START, _ndcg(found, START)
    while True:
        before = reached
        for part, values in GRID.items():
            for value in values:
                tried = replace(best, **{part: value})
                if (score := _ndcg(found, tried)) > reached + _CLEARLY:
                    best, reached = tried, score
        if reached == before:
            return best


def _ndcg(found: Sequence[Candidates], weights: Weights) -> float:
    return fmean(value for c in found if (value := _ndcg_of(c, weights)) is not None)


def _ndcg_of(candidates: Candidates, weights: Weights) -> float | None:
    ranked = list(dict.fromkeys(candidates.items[i] for i in candidates.ranked(weights)))
    return measure(candidates.query.query_class, candidates.known, ranked)[METRICS[0]]


def _calibrated(found: Sequence[Candidates], weights: Weights) -> Weights:
    """The weights with slope and offset from a logistic regression of usefulness on strength."""
    strength, useful = _judged_strength(found, weights)

    def loss(line: Floats) -> float:
        margin = (line[0] * strength - line[1]) * np.where(useful, 1, -1)
        return float(np.logaddexp(0, -margin).mean())

    slope, offset = minimize(loss, np.array([weights.slope, weights.offset]), method="Nelder-Mead").x
    return replace(weights, slope=round(float(slope), 3), offset=round(float(offset), 3))


def _judged_strength(found: Sequence[Candidates], weights: Weights) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Strength (float64) and usefulness (bool) of the m judged candidates among the top results, (m,) each."""
    pairs = [
        (float(candidates.strength(weights)[i]), grade >= USEFUL)
        for candidates in found
        for i in candidates.ranked(weights)[:_CALIBRATED]
        if (grade := candidates.known.get(candidates.items[i])) is not None
    ]
    return np.array([s for s, _ in pairs]), np.array([u for _, u in pairs], dtype=np.bool_)


def _scored(found: Sequence[Candidates], weights: Weights) -> tuple[list[float], list[bool]]:
    strength, useful = _judged_strength(found, weights)
    return list(1 / (1 + np.exp(weights.offset - weights.slope * strength))), useful.tolist()


def _parts(results: Sequence[Mapping[str, Any]]) -> Floats:
    """The parts of the results' scores, as an array for `Candidates.parts`."""
    return np.array([[r["parts"]["semantic"], *(r["parts"][part] for part in GRID)] for r in results])


def _threshold(low: Sequence[float], high: Sequence[float]) -> float:
    """The cheapest threshold between `low` and `high` values, where a high value below it costs `_FALSE_ALARM`."""

    def wrong(value: float) -> float:
        return fmean(x >= value for x in low) + _FALSE_ALARM * fmean(x < value for x in high)

    values = sorted((*low, *high))
    return round(float(min(((a + b) / 2 for a, b in pairwise(values)), key=wrong)), 4)


def _folds(found: Sequence[Candidates]) -> list[tuple[list[Candidates], list[Candidates]]]:
    """Cross-validation splits: (fold, all other queries), with the queries assigned to folds in turn."""
    folds = [list(found[number::_FOLDS]) for number in range(_FOLDS)]
    return [(fold, [c for other in folds if other is not fold for c in other]) for fold in folds]
