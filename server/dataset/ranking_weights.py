"""The weights of the ranking's formula: fitted by the builder, shipped in the dataset, read by the server."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants of the ranking's formula (see `server/library/ranking.py`).

    Attributes:
        coverage: weight of how much of the query an entity's text contains.
        name: weight of the similarity of its name.
        effect: weight of the similarity of what players call what it does.
        attribute: weight of each fact that the query mentions and it has.
        preferred: weight of being from a preferred document.
        slope, offset: score = 1 / (1 + exp(offset - slope · s)), the probability that a game master finds it useful.
        floor: if the best score, times the share of the query's words that the dataset has, is below it, probably
            nothing answers the query.
    """

    coverage: float
    name: float
    effect: float
    attribute: float
    preferred: float
    slope: float
    offset: float
    floor: float


@dataclass(frozen=True, slots=True)
class Fit:
    """The weights, and how they were fitted: number of queries, metrics, calibration error."""

    weights: Weights
    fitted_on: dict[str, Any]


def read_fit(path: Path) -> Fit:
    """Read a fit that `write_fit` wrote."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    return Fit(Weights(**stored["weights"]), stored["fitted_on"])


def write_fit(path: Path, fit: Fit) -> None:
    """Write a fit as JSON."""
    path.write_text(json.dumps(asdict(fit), indent=2) + "\n", encoding="utf-8")
