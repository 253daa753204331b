"""Creatures: read from every API, repaired, merged, and completed with what follows from their other facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from build_pipeline.kept import kept
from build_pipeline.normalize.creatures import dnd5e, open5e_v1, open5e_v2
from build_pipeline.normalize.creatures.repairs import mended
from build_pipeline.normalize.merging.corrections import Correction
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.merging.merge_rules import MergeRule, all_in_order, all_sorted, filled, unless_empty
from build_pipeline.normalize.text.stat_blocks import lines
from build_pipeline.normalize.text.stat_blocks.actions import legendary_uses, union
from build_pipeline.normalize.text.stat_blocks.effects import effects
from build_pipeline.normalize.text.stat_blocks.spells import spells_in
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.schema import STAT_BLOCK_SECTIONS
from server.dataset.vocabulary import EXPERIENCE_BY_CHALLENGE, challenge_rating_text, proficiency_bonus

_VARIANT: Final = "Variant:"
"""The start of the name of a row about a variant of the creature, whose spells are not the creature's."""

_LIST_LOST: Final = re.compile(r"\bspells\b[^.]*:\s*\Z")
"""The end of a text that announces spells, of which its source lost the list: they are unknown, not none."""

_HOVERS: Final = re.compile(r"\bcan hover while flying\b")
_FORM: Final = "Form Only"
"""Part of the name of a row that applies only in another form."""

_RADIATES: Final = re.compile(r"\bradiates an? (?P<alignment>(?:(?:Lawful|Chaotic) and )?(?:Good|Evil)) aura\b")
"""Level Up's monsters have no alignment, except those with a trait that states it."""

prepare = mended
"""The step for the drafts of all sources together."""


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every creature, as each API has it."""
    for api in (open5e_v2, open5e_v1, dnd5e):
        yield from api.drafts(raw, problems)


@kept
def derive(entity_type: str, facts: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001
    """Facts from the rules' tables and the texts of traits and actions that go beyond the fields of a stat block."""
    return _from_tables(facts) | _from_texts(facts)


def reads(correction: Correction) -> bool:
    """Whether `derive` reads what an entry corrects: a creature's traits or actions."""
    return correction.entity.startswith("creature/") and correction.path[0] in STAT_BLOCK_SECTIONS


def _from_tables(facts: dict[str, Any]) -> dict[str, Any]:
    """Challenge rating as text; proficiency bonus, experience points and initiative where no source gives them."""
    derived: dict[str, Any] = {}
    rating = facts.get("challenge_rating")
    if rating is not None:
        experience = facts.get("experience_points")
        derived = {
            "challenge_rating_text": challenge_rating_text(rating),
            "proficiency_bonus": facts.get("proficiency_bonus") or proficiency_bonus(rating),
            "experience_points": _experience(rating, facts) if experience is None else experience,
        }
    dexterity = (facts.get("ability_scores") or {}).get("dexterity")
    if facts.get("initiative_bonus") is None and dexterity is not None:
        derived["initiative_bonus"] = lines.modifier(dexterity)
    return derived


def _experience(rating: float, facts: Mapping[str, Any]) -> int | None:
    """The experience points for a challenge rating by the rules: 0 for a creature of rating 0 that can do no harm."""
    harmless = rating == 0 and not any(facts.get(column) for column in ("actions", "reactions"))
    return 0 if harmless else EXPERIENCE_BY_CHALLENGE.get(rating)


def stat_block(facts: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    """All traits and actions, by column."""
    return {column: facts.get(column) or [] for column in STAT_BLOCK_SECTIONS}


def _from_texts(facts: dict[str, Any]) -> dict[str, Any]:
    sections = stat_block(facts)
    rows = [row for section in sections.values() for row in section]
    if not rows:
        return {}
    found = effects(facts["name"], sections)
    spells = spells_in(row for row in rows if not row["name"].startswith(_VARIANT))
    if spells or not any(_LIST_LOST.search(row["description"] or "") for row in rows):
        found["spells"] = spells
    if uses := facts.get("legendary_uses") or legendary_uses(facts.get("legendary_description")):
        found["legendary_uses"] = uses
    for row in rows:
        text = row["description"] or ""
        if facts.get("speed") and _HOVERS.search(text) and _FORM not in row["name"]:
            found["speed"] = {**facts["speed"], "hover": True}
        radiated = _RADIATES.search(text)
        if radiated and not facts.get("alignment"):
            found.setdefault("alignment", radiated["alignment"].lower().replace(" and ", " "))
    return found


MERGE_RULES: Final[dict[str, MergeRule]] = {
    "speed": filled,
    "senses": filled,
    "skills": filled,
    "condition_immunities": all_in_order,
    "damage_immunities": unless_empty,
    "damage_resistances": unless_empty,
    "damage_vulnerabilities": unless_empty,
    "condition_resistances": unless_empty,
    "condition_vulnerabilities": unless_empty,
    "traits": unless_empty,
    "actions": union,
    "bonus_actions": union,
    "reactions": union,
    "legendary_actions": union,
    "environments": all_sorted,
}
"""Column → how the values of both sources are combined.

v2 lost actions: all those of Tome of Beasts 3, and those that share their name with a legendary action.
"""
