"""Lair actions and regional effects that sources have among the traits or in the description of a creature."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.text.stat_blocks.actions import action

_LAIR: Final = re.compile(r"\bLair(?: Actions)?$")
_LAIR_TEXT: Final = re.compile(r"^On initiative count 20\b")
_IN_LAIR: Final = re.compile(r"\bin (?:its|her|his|their) lair has a challenge rating of \d+ \((?P<xp>[\d,]+) XP\)")
_LAIR_ACTIONS: Final = "Lair Actions"
_REGIONAL: Final = "Regional Effects"
_SECTION: Final = re.compile(
    r"^#+ (?P<name>Lair Actions|Regional Effects)\n+(?P<text>.*?)(?=^#+ |\Z)", re.MULTILINE | re.DOTALL
)


def settle_lairs(drafts: Iterable[Draft]) -> None:
    """Give every creature its `lair_actions`, regional effects last, from its traits or else its description.

    It also gets its `lair_experience_points` if the description states them.

    A description shared by several creatures is about a kind, of which only the legendary ones have such lairs; the
    text that becomes the lair actions of one of them is removed from it.
    """
    everything = list(drafts)
    shared = Counter((draft.source, draft.facts.get("description")) for draft in everything)
    told: set[tuple[str, str | None]] = set()
    for draft in everything:
        facts = draft.facts
        found = _from_traits(facts)
        if in_lair := _IN_LAIR.search(facts.get("description") or ""):
            facts["lair_experience_points"] = int(in_lair["xp"].replace(",", ""))
            draft.from_text.add("lair_experience_points")
        if facts.get("legendary_actions") or shared[draft.source, facts.get("description")] == 1:
            in_description = _from_description(facts.get("description") or "")
            found = in_description | found
            told |= {(draft.source, facts["description"])} if in_description else set()
        if found:
            facts["lair_actions"] = [action(name, found[name]) for name in (_LAIR_ACTIONS, _REGIONAL) if name in found]
            draft.from_text.add("lair_actions")
    for draft in everything:
        if (draft.source, draft.facts.get("description")) in told:
            draft.facts["description"] = _SECTION.sub("", draft.facts["description"]).strip() or None


def _from_traits(facts: dict[str, Any]) -> dict[str, str]:
    """The texts of traits about the lair, which are removed from the traits."""
    found: dict[str, str] = {}
    traits = facts.get("traits") or []
    for row in traits:
        if name := _told_by(row):
            found[name] = row["description"]
    if found:
        facts["traits"] = [row for row in traits if not _told_by(row)]
    return found


def _told_by(row: Mapping[str, Any]) -> str | None:
    if _LAIR.search(row["name"]) and _LAIR_TEXT.match(row["description"] or ""):
        return _LAIR_ACTIONS
    return _REGIONAL if row["name"] == _REGIONAL and row["description"] else None


def _from_description(text: str) -> dict[str, str]:
    return {match["name"]: match["text"].strip() for match in _SECTION.finditer(text)}
