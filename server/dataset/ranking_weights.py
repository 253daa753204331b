"""How strongly each part of a ranking counts: fitted by the builder, shipped in the dataset, read by the server."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers of the ranking's formula.

    Attributes:
        coverage: of the words that an entity's text shares with the query.
        name: of the likeness of its name.
        effect: of what players call what it does.
        attribute: of each fact that the query asks for in passing and it has.
        preferred: of standing in a preferred document.
        slope, offset: score = 1 / (1 + exp(offset - slope · s)): the probability that a game master calls it useful.
        floor: below this s of the best result, nothing in the dataset is about the query.
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
    """The weights, and what they were fitted on: number of queries, metrics, calibration error."""

    weights: Weights
    fitted_on: dict[str, Any]


def read_fit(path: Path) -> Fit:
    """Read a fit that `write_fit` wrote."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    return Fit(Weights(**stored["weights"]), stored["fitted_on"])


def write_fit(path: Path, fit: Fit) -> None:
    """Write a fit as JSON."""
    path.write_text(json.dumps(asdict(fit), indent=2) + "\n", encoding="utf-8")
