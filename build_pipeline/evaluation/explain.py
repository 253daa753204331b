"""One judged query explained: what each part of the ranking added to its results, and where the judged ones are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from build_pipeline.evaluation.evaluate import Answer, Judged, JudgementError, Query
from build_pipeline.evaluation.metrics import USEFUL, JudgedItem, judged_item
from server.dataset.index.ranking_weights import Weights

TOP: Final = 10
"""Number of results that are shown whatever their grade: those that nDCG@10 considers."""
PARTS: Final = ("semantic", "coverage", "name", "effect", "attribute", "preferred")
"""The parts of the ranking that are summed up."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A judged item or a result, and why it has its rank.

    Attributes:
        item: group of kinds, and the name in lower case.
        rank: its place, counting every item once; None if it is not among the results.
        grade: its judgement; None if nobody judged it.
        score: its `similarity_score`; None without a rank.
        gains: part of the ranking → what it added to the strength behind the score; empty without a rank.
    """

    item: JudgedItem
    rank: int | None
    grade: int | None
    score: float | None
    gains: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """The same in the form of `--json`."""
        kind, name = self.item
        place = {"rank": self.rank, "grade": self.grade, "score": self.score}
        return {"kind": kind, "name": name} | place | {"gains": self.gains}


def find_query(judged: Judged, qid: str) -> Query:
    """The query of that id.

    Raises:
        JudgementError: there is none.
    """
    queries = {query.qid: query for query in judged.queries}
    if qid not in queries:
        msg = f"no query has the id {qid!r}; the ids are {', '.join(sorted(queries)) or 'none'}"
        raise JudgementError(msg)
    return queries[qid]


def explain(judged: Judged, query: Query, answer: Answer, weights: Weights) -> list[Explained]:
    """The first `TOP` results and every item judged useful, in the order of their ranks; those not found come last.

    Args:
        judged: the queries and judgements.
        query: one of the queries.
        answer: the engine, explaining its scores.
        weights: the weights by which the engine multiplies the parts.
    """
    known = judged.grades.get(query.qid, {})
    found = list(_ranked(answer(query), known, weights))
    shown = [each for each in found if (each.rank or 0) <= TOP or (each.grade or 0) >= USEFUL]
    ranked = {each.item for each in found}
    missing = [(item, grade) for item, grade in known.items() if grade >= USEFUL and item not in ranked]
    missing.sort(key=lambda judgement: (-judgement[1], judgement[0]))
    return [*shown, *(Explained(item, None, grade, None, {}) for item, grade in missing)]


def _ranked(
    results: Sequence[Mapping[str, Any]], known: Mapping[JudgedItem, int], weights: Weights
) -> Iterator[Explained]:
    """The items of results, each at its first occurrence."""
    seen: set[JudgedItem] = set()
    for result in results:
        item = judged_item(result["kind"], result["name"])
        if item not in seen:
            seen.add(item)
            gains = {part: round(getattr(weights, part, 1.0) * result["parts"][part], 3) for part in PARTS}
            yield Explained(item, len(seen), known.get(item), result["score"], gains)
