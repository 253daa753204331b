"""A family: the entities of one table, and how drafts of all sources become them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.merging.merge_rules import MergeRule

Derive = Callable[[str, dict[str, Any]], dict[str, Any]]
"""(Entity type, merged facts and `name`) → facts derived from them or their texts; these replace the merged ones."""


def _unchanged(drafts: list[Draft]) -> Iterable[Draft]:
    return drafts


@dataclass(frozen=True, slots=True)
class Family:
    """How the drafts of one table become entities.

    Attributes:
        table: the table's name.
        derive: derives further facts from the merged ones.
        merge_rules: column → how to merge several sources' values; for other columns the first value wins.
        prepare: transforms the drafts of all sources together, before merging.
        reads: text columns that `derive` reads, the most informative first.
    """

    table: str
    derive: Derive
    merge_rules: Mapping[str, MergeRule] = field(default_factory=dict)
    prepare: Callable[[list[Draft]], Iterable[Draft]] = _unchanged
    reads: tuple[str, ...] = ("description",)
