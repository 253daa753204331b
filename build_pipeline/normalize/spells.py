"""Spells of every source → drafts, and what only their text tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from build_pipeline.normalize.merging.documents import dnd5e_document, v1_document, v2_document
from build_pipeline.normalize.merging.draft import Draft, MergeRule, Problems, read_each
from build_pipeline.normalize.text import spell_text
from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.normalize.text.dice import canonical_dice, damage_rolls, damage_types
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.schema import ABILITIES
from server.dataset.vocabulary import canonical_casting_time

_CLASS_SPELLINGS: Final = {"sorceror": "sorcerer"}
_NO_CLASSES: Final = {"ritual caster"}
"""v1 lists a feat among the classes."""

_ABILITY_OF: Final = {ability[:3]: ability for ability in ABILITIES}
_FEET: Final = re.compile(r"\b(?:ft\b\.?|feet|foot)(?![\s-]*(?:radius|cone|line|cube|dome|sphere))", re.IGNORECASE)
_UP_TO: Final = re.compile(r"^(?:concentration,?\s+)?up\s+to\s+", re.IGNORECASE)
_TRIGGER: Final = re.compile(r"^(?:which|that)\s+you\s+take\s+", re.IGNORECASE)
_TRIGGER_WORDS: Final = ("when", "in ", "while", "just", "at ", "immediately", "as ", "after", "before", "if ")
_WIDEST: Final = 500
"""A larger size in feet is an area in square feet or a mile."""
_MOST_TARGETS: Final = 20
"""A higher count is a way of writing "any number"."""


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every spell as each source tells it."""
    for obj in raw["dnd5e_api", "2014/classes-spells"].values():
        if not obj.data["results"]:
            problems.add(obj.id, "the class has no spells")
    lists = raw["open5e_v1", "spelllist"].values()
    v2, v1, dnd5e = (
        raw[place].values()
        for place in (("open5e_v2", "spells"), ("open5e_v1", "spells"), ("dnd5e_api", "2014/spells"))
    )
    yield from read_each(v2, problems, _from_v2)
    yield from read_each(
        v1, problems, lambda obj: _from_v1(obj, [row for row in lists if obj.key in row.data["spells"]])
    )
    yield from read_each(dnd5e, problems, lambda obj: _from_dnd5e(obj, raw))


def _from_v2(obj: RawObject) -> Draft:
    data = obj.data
    document = v2_document(data)
    material = clean_text(data["material_specified"])
    classes = [c["name"] for c in data["classes"]]
    facts: dict[str, Any] = {
        "description": clean_text(_mend(data["desc"])),
        "level": data["level"],
        "school": data["school"]["name"].lower(),
        "casting_time": canonical_casting_time(data["casting_time"]),
        "reaction_condition": _reaction_condition(data["reaction_condition"]),
        "range": _range(data["range_text"]),
        "duration": _duration(data["duration"], concentration=data["concentration"]),
        "concentration": data["concentration"],
        "ritual": data["ritual"],
        "components": _components(
            (data["verbal"], data["somatic"], data["material"]),
            material,
            cost=float(data["material_cost"] or 0) or None,
            consumed=data["material_consumed"] or None,
        ),
        "higher_level": clean_text(data["higher_level"]),
        "classes": _classes(classes),
        "damage_dice": _damage_roll(data["damage_roll"]),
        "damage_types": [kind.lower() for kind in data["damage_types"]] or None,
        "saving_throw": known(data["saving_throw_ability"].lower()),
        "attack_roll": data["attack_roll"],
        "area_of_effect": _area(data["shape_type"], data["shape_size"]),
        "target_count": _target_count(data),
    }
    return Draft("open5e_v2", (obj.id,), "spell", document, data["name"], _keys(obj.key), facts=facts)


def _from_v1(obj: RawObject, lists: list[RawObject]) -> Draft:
    data = obj.data
    document, also = v1_document(data["document__slug"])
    time, _, condition = data["casting_time"].partition(",")
    is_reaction = "reaction" in time
    classes = [*data["dnd_class"].split(","), *(row.data["name"] for row in lists)]
    facts: dict[str, Any] = {
        "description": clean_text(_mend(data["desc"])),
        "level": data["level_int"],
        "school": data["school"].lower(),
        "casting_time": canonical_casting_time(time),
        "reaction_condition": _reaction_condition(condition) if is_reaction else None,
        "range": _range(data["range"]),
        "duration": _duration(data["duration"], concentration=data["requires_concentration"]),
        "concentration": data["requires_concentration"],
        "ritual": data["can_be_cast_as_ritual"],
        "components": _components(
            tuple(data[f"requires_{part}_components"] for part in ("verbal", "somatic", "material")),
            clean_text(data["material"]),
        ),
        "higher_level": clean_text(data["higher_level"]),
        "classes": _classes(classes),
    }
    raw = (obj.id, *(row.id for row in lists))
    return Draft("open5e_v1", raw, "spell", document, data["name"], (obj.key,), also=also, facts=facts)


def _from_dnd5e(obj: RawObject, raw: RawLayer) -> Draft:
    data = obj.data
    lists = raw["dnd5e_api", "2014/classes-spells"].values()
    listing = [row for row in lists if any(spell["index"] == obj.key for spell in row.data["results"])]
    damage: JsonObject = data.get("damage") or {}
    by_level = damage.get("damage_at_slot_level") or damage.get("damage_at_character_level") or {}
    facts: dict[str, Any] = {
        "description": clean_text(data["desc"]),
        "level": data["level"],
        "school": data["school"]["name"].lower(),
        "casting_time": canonical_casting_time(data["casting_time"]),
        "range": _range(data["range"]),
        "duration": _duration(data["duration"], concentration=data["concentration"]),
        "concentration": data["concentration"],
        "ritual": data["ritual"],
        "components": _components(
            tuple(letter in data["components"] for letter in "VSM"), clean_text(data.get("material"))
        ),
        "higher_level": clean_text(data["higher_level"]),
        "classes": _classes([c["name"] for c in data["classes"]] + [row.key for row in listing]),
        "damage_dice": canonical_dice(next(iter(by_level.values()), None)),
        "damage_types": [damage["damage_type"]["name"].lower()] if "damage_type" in damage else None,
        "saving_throw": _ABILITY_OF[data["dc"]["dc_type"]["index"]] if data.get("dc") else None,
        "attack_roll": True if data.get("attack_type") else None,
        "area_of_effect": _area(**data["area_of_effect"]) if data.get("area_of_effect") else None,
    }
    ids = (obj.id, *(row.id for row in listing))
    return Draft("dnd5e_api", ids, "spell", dnd5e_document(obj.endpoint), data["name"], (obj.key,), facts=facts)


def derive(entity_type: str, facts: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001
    """What the text tells beyond, or better than, the sources' fields.

    v2's own were found by words: "fire" in "resistance to fire damage", Intelligence in "Intelligence 4 or higher", a
    d4 that is no damage, a line's width as its size.
    """
    description = facts.get("description")
    if not description:
        return {}
    text = f"{description}\n\n{facts.get('higher_level') or ''}"
    area = spell_text.area_of_effect(description) or facts.get("area_of_effect") or _area_of_range(facts.get("range"))
    types = damage_types(text, facts.get("damage_types") or ())
    told: dict[str, Any] = {
        "damage_types": types,
        "damage_dice": _damage_dice(facts.get("damage_dice"), damage_rolls(description), types),
        "saving_throw": spell_text.saving_throw(description, facts.get("saving_throw")),
        "attack_roll": bool(facts.get("attack_roll")) or spell_text.needs_attack_roll(description),
        "area_of_effect": area,
        "target_count": _targets(facts.get("target_count"), description, area),
    }
    if components := facts.get("components"):
        told["components"] = _read_material(components)
    return told


def _fill_components(winner: JsonObject, loser: JsonObject) -> JsonObject:
    return {part: winner[part] if winner[part] is not None else loser[part] for part in winner}


def _fuller_range(winner: str, loser: str) -> str:
    """The range that names its area: "Self (15-foot cone)" rather than "Self"."""
    return loser if winner == "Self" and loser.startswith("Self (") else winner


def _both_classes(winner: list[str], loser: list[str]) -> list[str]:
    return sorted({*winner, *loser})


MERGE_RULES: Final[dict[str, MergeRule]] = {
    "components": _fill_components,
    "range": _fuller_range,
    "classes": _both_classes,
}
"""Columns of which both sources' values are used."""


def _keys(key: str) -> tuple[str, ...]:
    return (key, key.partition("_")[2])


def _mend(text: str) -> str:
    """A character lost in transit between digits was a dash ("20�50 miles")."""
    return re.sub(r"(?<=\d)\ufffd(?=\d)", "–", text)


def _classes(names: Iterable[str]) -> list[str] | None:
    """Class names in lower case, sorted; None where a source lists none (none is no spell's true list)."""
    folded = {_CLASS_SPELLINGS.get(name.strip().lower(), name.strip().lower()) for name in names}
    return sorted(folded - _NO_CLASSES - {""}) or None


def _range(text: str) -> str | None:
    """One spelling of a range: "60 ft" and "60 Feet" → "60 feet", "self" → "Self", "1 Miles" → "1 mile"."""
    spelled = _FEET.sub("feet", " ".join(text.split())).rstrip(".")
    spelled = re.sub(r"(?<= )miles?\b", "mile" if re.match(r"1\s", spelled) else "miles", spelled, flags=re.IGNORECASE)
    if spelled == "anys":
        return "Special"
    return spelled[:1].upper() + spelled[1:] if spelled else None


def _duration(text: str, *, concentration: bool) -> str | None:
    """A duration with its first letter upper case: "up to 1 minute" of a concentration spell → "1 minute".

    That the spell may end early is what `concentration` says.
    """
    spelled = " ".join(text.split()).rstrip(".").lower()
    if concentration:
        spelled = _UP_TO.sub("", spelled)
    return spelled[:1].upper() + spelled[1:] if spelled else None


def _reaction_condition(text: str | None) -> str | None:
    """What triggers a reaction: "which you take when you are hit" and "you are hit" → "when you are hit"."""
    condition = _TRIGGER.sub("", " ".join((text or "").split())).rstrip(".")
    if not condition:
        return None
    return condition if condition.startswith(_TRIGGER_WORDS) else f"when {condition}"


def _components(
    parts: tuple[bool, ...], material: str | None, cost: float | None = None, *, consumed: bool | None = None
) -> JsonObject:
    verbal, somatic, has_material = parts
    return {
        "verbal": verbal,
        "somatic": somatic,
        "material": has_material,
        "material_description": material.rstrip(".") if material else None,
        "material_cost_gp": cost,
        "material_consumed": consumed,
    }


def _read_material(components: JsonObject) -> JsonObject:
    """The material's price and whether it is used up, where its description tells."""
    material = components["material_description"]
    if not material:
        return components
    cost, consumed = spell_text.cost_gp(material), spell_text.is_consumed(material)
    return {
        **components,
        "material_cost_gp": cost if cost is not None else components["material_cost_gp"],
        "material_consumed": consumed or bool(components["material_consumed"]),
    }


def _damage_roll(roll: str) -> str | None:
    """v2's damage roll; "40" is a roll without dice, "d" is none."""
    return canonical_dice(roll) or (roll if roll.isdigit() else None)


def _damage_dice(told: str | None, rolls: list[str], types: list[str]) -> str | None:
    """The dice a source gives if the text rolls them as damage, or deals damage without dice beside it."""
    if told in rolls or (told and types and not rolls):
        return told
    return rolls[0] if rolls else None


def _area(type: str | None, size: int | None) -> JsonObject | None:  # noqa: A002 the API's name
    return {"shape": type, "size": size, "unit": "feet"} if type and size and size <= _WIDEST else None


def _area_of_range(text: str | None) -> JsonObject | None:
    return spell_text.area_of_effect(text) if text and "(" in text else None


def _target_count(data: JsonObject) -> int | None:
    """v2's count where it is meant: 1 is also its default for areas and points."""
    count: int | None = data["target_count"]
    if not count or count > _MOST_TARGETS or (count == 1 and data["target_type"] in {"area", "point"}):
        return None
    return count


def _targets(count: int | None, description: str, area: JsonObject | None) -> int | None:
    if count is not None and count > 1:
        return count
    chosen = spell_text.target_count(description)
    if chosen and chosen <= _MOST_TARGETS:
        return chosen
    return None if area or spell_text.has_many_targets(description) else count
