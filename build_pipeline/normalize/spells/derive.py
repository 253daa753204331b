"""Facts that a spell's text states in addition to, or better than, the sources' fields."""

from __future__ import annotations

import re
from typing import Any, Final

from build_pipeline.kept import kept
from build_pipeline.normalize.spells.casting_options import healing_instead, overlaid, with_modifier
from build_pipeline.normalize.spells.fields import MOST_TARGETS, read_material
from build_pipeline.normalize.text import areas
from build_pipeline.normalize.text.dice import damage_rolls, damage_types, dealt_damage
from build_pipeline.normalize.text.spells import saves, targeting
from build_pipeline.normalize.text.spells.healing import healing
from build_pipeline.normalize.text.spells.higher_levels import Casting, growth, things_made
from build_pipeline.normalize.text.spells.inflicted import inflicted_conditions
from build_pipeline.snapshot.raw import JsonObject

_ON_SUCCESS: Final = re.compile(r"\bon a success[^.]{0,300}?(?<!\d)(?P<dice>\d+d\d+) \w+ damage", re.IGNORECASE)
_ON_FAILURE: Final = re.compile(r"\bon a fail[^.]{0,300}?(?<!\d)(?P<dice>\d+d\d+) \w+ damage", re.IGNORECASE)
_APART: Final = re.compile(
    r"^#{2,6} [^\n]+\n+(?:(?:[^\n#|]+|#+ [^\n]+)\n+){0,4}?(?:[-*] )?\*\*(?:AC|Armor Class)\b"
    r"|^#{2,6} [^\n]+ Template$|^\*{2,3}Ritual Focus\b",
    re.MULTILINE,
)
"""Where a text continues with a stat block or template of creatures, or with the effects of a ritual focus."""


@kept
def derive(entity_type: str, facts: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001
    """The facts that the text states; they replace those of the fields.

    Only the damage types of a summoned creature's stat block count.

    v2's values come from keywords: "fire" in "resistance to fire damage", Intelligence in "Intelligence 4 or higher", a
    d4 that is not damage, a line's width as its size. Its attack rolls, set wherever an attack is mentioned, are in no
    draft.
    """
    whole_text = facts.get("description")
    if not whole_text:
        return {}
    description, higher_level = _of_the_spell(whole_text), facts.get("higher_level") or ""
    derived = _at_its_level(facts, description, f"{whole_text}\n\n{higher_level}")
    derived["inflicts"] = inflicted_conditions(f"{description}\n\n{higher_level}")
    if facts.get("level") is not None:
        derived |= _when_cast(facts | derived, facts, description, higher_level)
    if components := facts.get("components"):
        derived["components"] = read_material(components, description)
    return derived


def _at_its_level(facts: dict[str, Any], description: str, whole_text: str) -> dict[str, Any]:
    """What the text states of the spell at its own level."""
    area = areas.area_of_effect(description) or _area_of_range(facts.get("range"))
    types = damage_types(whole_text, facts.get("damage_types") or ())
    save = saves.saving_throw(description, facts.get("saving_throw"))
    return {
        "damage_types": types,
        "damage_dice": _damage_dice(facts.get("damage_dice"), description, types),
        "saving_throw": save,
        "save_effect": saves.save_effect(description, facts.get("save_effect")) if save else None,
        "attack_roll": facts.get("attack_roll") or targeting.needs_attack_roll(description),
        "area_of_effect": area,
        "target_count": _targets(facts, description, area),
        "forces_saves": saves.forced_saves(description, save),
        "heals": healing(description),
    }


def _when_cast(facts: dict[str, Any], given: dict[str, Any], description: str, higher_level: str) -> dict[str, Any]:
    """The casting options, and the number of targets, which they tell of some spells.

    Args:
        facts: the spell's facts with those of its text.
        given: a source's.
        description: the text of the spell itself.
        higher_level: its text on higher levels.
    """
    area, heals = facts["area_of_effect"], facts["heals"]
    usual = Casting(
        level=facts["level"],
        description=description,
        targets=facts["target_count"],
        feet=area["size"] if area and area["unit"] == "feet" else None,
        damage=facts["damage_dice"],
        heals=heals,
        duration=facts.get("duration"),
        range=facts.get("range"),
    )
    options = given.get("casting_options") or []
    if heals and not facts["damage_types"]:
        options = [healing_instead(each) for each in options]
    if targeting.counts_by_modifier(description):
        options = [each | {"targets": None} for each in options]
    if usual.damage and given.get("damage_dice") not in {None, usual.damage}:
        options = [each | {"damage": None} for each in options]  # the source's are of all rolls together
    targets = things_made(usual, higher_level) or usual.targets
    as_usual = {"concentration": facts.get("concentration"), "targets": targets, "damage": usual.damage}
    grown = overlaid(options, growth(usual, higher_level), as_usual)
    if targets is None and not str(facts.get("range")).startswith("Self"):
        targets = _counted_on_from(grown)
    return {"target_count": targets, "casting_options": with_modifier(grown, heals)}


def _of_the_spell(description: str) -> str:
    """The text of the spell itself, without that of a creature that it summons."""
    apart = _APART.search(description)
    return description[: apart.start()] if apart else description


def _damage_dice(given: str | None, description: str, types: list[str]) -> str | None:
    """The dice of the spell's main damage: those of a failed save, if there is one.

    Args:
        given: those that a source gives, which count if the text deals damage without dice.
        description: the text.
        types: the types of damage that it deals.
    """
    dice = next(iter(damage_rolls(description)), given if types else None)
    lesser, whole = _ON_SUCCESS.search(description), _ON_FAILURE.search(description)
    if lesser and whole and lesser["dice"] == dice:
        dice = whole["dice"]
    return dice or next((damage.dice for damage in dealt_damage(description)), None)


def _area_of_range(text: str | None) -> JsonObject | None:
    return areas.area_of_effect(text) if text and "(" in text else None


def _counted_on_from(options: list[JsonObject] | None) -> int | None:
    """1 if the first option has two targets: one more than the creature or thing that the spell makes at its level."""
    counts = [each["targets"] for each in options or () if each["targets"] is not None]
    return 1 if counts and counts[0] == 2 else None  # noqa: PLR2004


def _targets(facts: dict[str, Any], description: str, area: JsonObject | None) -> int | None:
    """How many targets the caster chooses; a source's 1 counts only if the text does not contradict it."""
    if targeting.counts_by_modifier(description):
        return None
    if told := targeting.leaping_targets(description) or int(targeting.takes_along_one(description)):
        return told
    count: int | None = facts.get("target_count")
    if count is not None and count > 1:
        return count
    if chosen := _chosen_targets(description):
        return chosen
    on_oneself = str(facts.get("range")).startswith("Self")  # the sources count the caster as the target
    alone = on_oneself and not targeting.has_another_target(description)
    aims_elsewhere = facts.get("range") != "Self" and targeting.has_no_single_target(description)
    return None if alone or area or aims_elsewhere or targeting.has_many_targets(description) else count


def _chosen_targets(description: str) -> int:
    """How many others the text has the caster choose; 0 if it does not say."""
    chosen = targeting.target_count(description)
    if chosen and chosen <= MOST_TARGETS:
        return chosen - targeting.counts_the_caster(description)
    return int(targeting.has_one_target(description))
