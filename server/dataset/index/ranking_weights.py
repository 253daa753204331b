"""The weights of the ranking's formula: fitted by the builder, shipped in the dataset, read by the server."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter, ValidationError

from server.dataset.manifest import DatasetError, first_problems

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Weight = Annotated[float, Field(ge=-10, le=10, allow_inf_nan=False)]
"""Weight of a term that ranges from 0 to about 1; semantic similarity has a weight of 1."""
Steepness = Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)]
Offset = Annotated[float, Field(ge=-100, le=100, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants of the ranking's formula (see `server/library/ranking/ranking.py`).

    Attributes:
        coverage: weight of how much of the query an entity's text contains.
        name: weight of the similarity of its name.
        effect: weight of the similarity to players' phrases for what it does.
        attribute: weight of each fact in the query that it has.
        preferred: weight of being from a preferred document.
        slope, offset: score = 1 / (1 + exp(offset - slope · s)), the probability that a game master finds it useful.
        floor: if the best score, reduced for words that the dataset lacks, is below this times `best_by_chance`,
            probably nothing answers the query.
    """

    coverage: Weight
    name: Weight
    effect: Weight
    attribute: Weight
    preferred: Weight
    slope: Steepness
    offset: Offset
    floor: Share


@dataclass(frozen=True, slots=True)
class Fit:
    """The weights, and how they were fitted: number of queries, metrics, calibration error."""

    weights: Weights
    fitted_on: dict[str, Any]


_FIT: Final = TypeAdapter(Fit)
_GROWTH: Final = 0.2
"""Chosen from ten exponents by how many off-topic queries four libraries miss, with filters and without."""


def best_by_chance(entities: int) -> float:
    """How high the best score of this many entities unrelated to a query is, relative to that of 10,000."""
    return float((entities / 10_000) ** _GROWTH)


def read_fit(path: Path) -> Fit:
    """Read a fit that `write_fit` wrote.

    Raises:
        DatasetError: the file is not that, or a weight is outside of its range.
    """
    try:
        return _FIT.validate_json(path.read_bytes(), strict=True)
    except ValidationError as error:
        msg = f"{path.name} does not hold the ranking's weights ({first_problems(error)}): get the dataset again"
        raise DatasetError(msg) from error


def write_fit(path: Path, fit: Fit) -> None:
    """Write a fit as JSON."""
    path.write_text(json.dumps(asdict(fit), indent=2) + "\n", encoding="utf-8")
