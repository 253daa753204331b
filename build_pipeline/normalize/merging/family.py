"""A family: the entities of one table, and what is done to them when all sources are together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from build_pipeline.normalize.merging.draft import Draft, MergeRule

Derive = Callable[[str, dict[str, Any]], dict[str, Any]]
"""(Entity type, merged facts) → facts derived or read out of the text; they replace those merged."""


def _as_they_are(drafts: list[Draft]) -> Iterable[Draft]:
    return drafts


@dataclass(frozen=True, slots=True)
class Family:
    """How the drafts of one table become entities.

    Attributes:
        table: the table's name.
        derive: what follows from the merged facts.
        merge_rules: column → how the values of several sources become one; of other columns the first value wins.
        relate: looks at all drafts of all sources together before they are merged.
    """

    table: str
    derive: Derive
    merge_rules: Mapping[str, MergeRule] = field(default_factory=dict)
    relate: Callable[[list[Draft]], Iterable[Draft]] = _as_they_are
