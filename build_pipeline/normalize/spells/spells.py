"""Spells: every source's drafts, how their facts are merged, and the facts that only the text states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.merging.merge_rules import MergeRule, all_sorted, filled
from build_pipeline.normalize.spells import dnd5e, open5e
from build_pipeline.normalize.spells.derive import derive
from build_pipeline.snapshot.raw import RawLayer

__all__ = ["MERGE_RULES", "derive", "drafts"]


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """The drafts of every spell from each API."""
    yield from open5e.drafts(raw, problems)
    yield from dnd5e.drafts(raw, problems)


def _fuller_range(winner: str, loser: str) -> str:
    """The range that names its area: "Self (15-foot cone)" rather than "Self"."""
    return loser if loser.startswith(f"{winner} (") else winner


MERGE_RULES: Final[dict[str, MergeRule]] = {
    "components": filled,
    "range": _fuller_range,
    "classes": all_sorted,
}
"""Columns for which the values of several sources are combined."""
