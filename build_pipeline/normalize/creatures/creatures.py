"""Creatures of Open5e v1 and v2 → drafts, and what follows from a creature's other facts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

from build_pipeline.normalize.creatures.creatures_dnd5e import drafts_dnd5e
from build_pipeline.normalize.merging.documents import v1_document, v2_document
from build_pipeline.normalize.merging.draft import Draft, MergeRule, Problems, read_each
from build_pipeline.normalize.text import stat_block
from build_pipeline.normalize.text.actions import action, in_order, recharge, split_wrongly, trait, union
from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.normalize.text.dice import canonical_dice
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.names import normalize_name
from server.dataset.schema import ABILITIES
from server.dataset.vocabulary import EXPERIENCE_BY_CHALLENGE, challenge_rating_text, proficiency_bonus

_V2_ACTIONS: Final = {
    "ACTION": "actions",
    "BONUS_ACTION": "bonus_actions",
    "REACTION": "reactions",
    "LEGENDARY_ACTION": "legendary_actions",
}
_SAME_FOR_ALL: Final = 0.95
_MANY: Final = 20
_ALL_ENVIRONMENTS: Final = 25
"""A creature said to live in more kinds of places than this was given none: 140 of them list all 31 there are."""

_ENVIRONMENT_SPELLINGS: Final = {
    "mountains": "mountain",
    "hill": "hills",
    "ruin": "ruins",
    "caverns": "caves",
    "coastal": "coast",
    "the abyss": "abyss",
}
_LOST_COMMA: Final = re.compile(r"(?<=[a-z)’'])  (?=[a-z])")
_BROKEN_ESCAPE: Final = re.compile(r"æ00(?P<code>[0-9a-f]{2})")
_HARD_BREAK: Final = re.compile(r" {2,}\r?\n(?!\||\n)")
_LICENCE_SCRAP: Final = re.compile(r"\s*Open Game License\s*$")


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every creature as each source tells it."""
    older = {_v2_key(obj.data): obj.data for obj in raw["open5e_v1", "monsters"].values()}
    creatures = raw["open5e_v2", "creatures"]
    defaults = _defaults(obj.data for obj in creatures.values())
    yield from read_each(creatures.values(), problems, lambda obj: _from_v2(obj, older.get(obj.key), defaults))
    yield from read_each(raw["open5e_v1", "monsters"].values(), problems, _from_v1)
    yield from drafts_dnd5e(raw, problems)


def derive(entity_type: str, facts: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001
    """Challenge rating as text, proficiency bonus and experience where no source gives them: the rules' tables."""
    rating = facts.get("challenge_rating")
    if rating is None:
        return {}
    experience = facts.get("experience_points")
    return {
        "challenge_rating_text": challenge_rating_text(rating),
        "proficiency_bonus": facts.get("proficiency_bonus") or proficiency_bonus(rating),
        "experience_points": experience if experience is not None else EXPERIENCE_BY_CHALLENGE.get(rating),
    }


def _first_filled(winner: list[Any], loser: list[Any]) -> list[Any]:
    return winner or loser


def _all_places(winner: list[str], loser: list[str]) -> list[str]:
    return sorted({*winner, *loser})


MERGE_RULES: Final[dict[str, MergeRule]] = {
    "speed": stat_block.fill_members,
    "senses": stat_block.fill_members,
    "skills": stat_block.fill_members,
    "condition_immunities": stat_block.both_lists,
    "damage_immunities": _first_filled,
    "damage_resistances": _first_filled,
    "damage_vulnerabilities": _first_filled,
    "traits": _first_filled,
    "actions": union,
    "bonus_actions": union,
    "reactions": union,
    "legendary_actions": union,
    "environments": _all_places,
}
"""Columns of which both sources' values are used.

v2 lost actions: all of Tome of Beasts 3, and those that share their name with a legendary action.
"""


def _from_v2(obj: RawObject, older: JsonObject | None, defaults: frozenset[tuple[str, str]]) -> Draft:
    data = obj.data
    document = v2_document(data)
    defences = data["resistances_and_immunities"]
    actions, lore, legendary = _v2_actions(data, older or {})
    scores = data["ability_scores"]
    facts: dict[str, Any] = {
        "description": "\n\n".join(lore) or None,
        "size": _v2_size(data["size"]["key"], data["hit_dice"], document),
        "type": data["type"]["key"],
        "subtype": "swarm" if re.match(r"swarm of\b|.*\bswarm$", data["name"].lower()) else None,
        "alignment": None if (document, "alignment") in defaults else stat_block.alignment(data["alignment"]),
        "armor_class": data["armor_class"],
        "armor_description": None
        if (document, "armor_detail") in defaults
        else stat_block.armor_description(data["armor_detail"]),
        "hit_points": data["hit_points"],
        "hit_dice": canonical_dice(data["hit_dice"]),
        "speed": stat_block.speed(data["speed"]),
        "ability_scores": {ability: scores[ability] for ability in ABILITIES},
        "saving_throws": stat_block.proficient_saves(data["saving_throws"], scores),
        "skills": stat_block.skills(data["skill_bonuses"]),
        "proficiency_bonus": data["proficiency_bonus"],
        **{
            f"damage_{kind}": _v2_damage_kinds(defences, f"damage_{kind}")
            for kind in ("vulnerabilities", "resistances", "immunities")
        },
        "condition_immunities": stat_block.conditions(
            defences["condition_immunities_display"]
            or ", ".join(row["name"] for row in defences["condition_immunities"])
        ),
        "senses": {
            **{
                sense: stat_block.sane_range(data[f"{sense}_range"])
                for sense in ("darkvision", "blindsight", "tremorsense", "truesight")
            },
            "passive_perception": data["passive_perception"],
        },
        "languages": _languages(data["languages"]["as_string"]),
        "challenge_rating": data["challenge_rating"],
        "experience_points": data["experience_points"] or None,
        "traits": _traits(data["traits"], document),
        **actions,
        "legendary_description": clean_text(" ".join(legendary)),
        "environments": _environments(row["name"] for row in data["environments"]),
    }
    _move_conditions(facts)
    keys = (obj.key, obj.key.partition("_")[2])
    mended = {"size"} if facts["size"] != data["size"]["key"] else set()
    return Draft("open5e_v2", (obj.id,), "creature", document, data["name"], keys, facts=facts, from_text=mended)


def _v2_size(size: str, hit_dice: str | None, document: str) -> str:
    """The size; by the hit die where v2 says small of what SRD 5.2 prints as "Tiny" or as "Medium or Small"."""
    die = re.search(r"d\d+", hit_dice or "")
    if die and (document, size) == ("srd-2024", "small"):
        return stat_block.SIZE_OF_HIT_DIE.get(die.group(), size)
    return size


def _v2_actions(data: JsonObject, older: JsonObject) -> tuple[dict[str, Any], list[str], list[str]]:
    """(column → actions, lore, introductions of legendary actions), each column in the book's order.

    Some legendary actions stand among the ordinary ones again.
    """
    columns: dict[str, Any] = {}
    all_lore: list[str] = []
    introductions: list[str] = []
    for action_type, column in _V2_ACTIONS.items():
        rows = [row for row in data["actions"] if row["action_type"] == action_type]
        order = {normalize_name(row["name"]): n for n, row in enumerate(older.get(column) or ())}
        mended, lore, legendary = split_wrongly(in_order(rows, order))
        all_lore += lore
        introductions += legendary
        document = v2_document(data)
        columns[column] = [
            action(_mend(row["name"], document) or "", _mend(row["desc"], document), _v2_usage(row)) for row in mended
        ]
    legendary_ones = [(row["name"], row["description"]) for row in columns["legendary_actions"]]
    columns["actions"] = [row for row in columns["actions"] if (row["name"], row["description"]) not in legendary_ones]
    return columns, all_lore, introductions


def _v2_usage(row: JsonObject) -> Iterator[str]:
    limits = row["usage_limits"]
    if limits:
        if limits["type"] == "PER_DAY":
            yield f"{limits['param']}/Day"
        else:
            yield recharge(limits["param"])
    cost = row["legendary_action_cost"] or 1
    if row["action_type"] == "LEGENDARY_ACTION" and cost > 1:
        yield f"Costs {cost} Actions"
    if row["limited_to_form"]:
        yield row["limited_to_form"]


def _traits(rows: Iterable[JsonObject], document: str) -> list[JsonObject]:
    mended, _, _ = split_wrongly(row for row in rows if known(row["name"]))
    return [trait(row["name"], _mend(row["desc"], document)) for row in mended]


def _v2_damage_kinds(defences: JsonObject, column: str) -> list[str]:
    return stat_block.damage_kinds(defences[f"{column}_display"]) or [row["name"].lower() for row in defences[column]]


def _from_v1(obj: RawObject) -> Draft:
    data = obj.data
    document, also = v1_document(data["document__slug"])
    kind, subtype = data["type"].lower(), (known(data["subtype"]) or "").lower()
    columns: dict[str, Any] = {}
    all_lore: list[str] = []
    introductions: list[str] = []
    for column in _V2_ACTIONS.values():
        mended, lore, legendary = split_wrongly(row for row in data[column] or () if known(row["name"]))
        columns[column] = [action(row["name"], _mend(row["desc"], document)) for row in mended] or None
        all_lore += lore
        introductions += legendary
    facts: dict[str, Any] = {
        "description": _description(data["desc"]) or "\n\n".join(all_lore) or None,
        "size": data["size"].lower(),
        "type": None if kind == "swarm" else kind,
        "subtype": "swarm" if kind == "swarm" else subtype or None,
        "alignment": stat_block.alignment(data["alignment"]),
        "armor_class": data["armor_class"],
        "armor_description": stat_block.armor_description(data["armor_desc"]),
        "hit_points": data["hit_points"],
        "hit_dice": canonical_dice(data["hit_dice"]),
        "speed": stat_block.speed(data["speed"]),
        "ability_scores": {ability: data[ability] for ability in ABILITIES},
        "saving_throws": {a: data[f"{a}_save"] for a in ABILITIES if data[f"{a}_save"] is not None},
        "skills": stat_block.skills(data["skills"]),
        **{
            f"damage_{kind}": stat_block.damage_kinds(data[f"damage_{kind}"])
            for kind in ("vulnerabilities", "resistances", "immunities")
        },
        "condition_immunities": stat_block.conditions(data["condition_immunities"]),
        "senses": stat_block.senses(data["senses"]),
        "languages": _languages(data["languages"]),
        "challenge_rating": data["cr"],
        "traits": _traits(data["special_abilities"] or (), document) or None,
        **columns,
        "legendary_description": clean_text(data["legendary_desc"]) or clean_text(" ".join(introductions)),
        "environments": _environments(data["environments"]),
    }
    _move_conditions(facts)
    keys = (obj.key, _v2_key(data))
    return Draft("open5e_v1", (obj.id,), "creature", document, data["name"], keys, also=also, facts=facts)


def _v2_key(monster: JsonObject) -> str:
    """The v2 key of a v1 monster: the last part of `/v2/creatures/tob2_a-mi-kuk/`."""
    return str(monster.get("v2_converted_path")).strip("/").rpartition("/")[2]


def _defaults(creatures: Iterable[JsonObject]) -> frozenset[tuple[str, str]]:
    """(document, field) where v2 writes one value for a whole book that prints none.

    All 586 creatures of one book are not chaotic evil; nor does a 2024 stat block name natural armor.
    """
    values: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for data in creatures:
        for field in ("alignment", "armor_detail"):
            if data.get("document") and data.get(field):
                values[v2_document(data), field][str(data[field])] += 1
    return frozenset(
        where
        for where, counts in values.items()
        if counts.total() >= _MANY and counts.most_common(1)[0][1] >= _SAME_FOR_ALL * counts.total()
    )


def _move_conditions(facts: dict[str, Any]) -> None:
    """Black Flag prints damage and conditions in one line of immunities: give each list its own."""
    immunities = facts["damage_immunities"]
    misplaced = [member for member in immunities if member in stat_block.CONDITIONS]
    if misplaced:
        facts["damage_immunities"] = [member for member in immunities if member not in misplaced]
        facts["condition_immunities"] = stat_block.both_lists(facts["condition_immunities"], misplaced)


def _languages(text: str) -> str | None:
    """Languages as text: "Common,Draconic" → "Common, Draconic"; a dash is none."""
    spaced = re.sub(r",(?=\S)", ", ", (known(text) or "").strip())
    return clean_text(spaced)


def _environments(names: Iterable[str]) -> list[str] | None:
    """Kinds of places in lower case, "Forest or Jungle" as two; None where unknown."""
    listed = list(names)
    if not listed or len(listed) > _ALL_ENVIRONMENTS:
        return None
    places = {place for name in listed for place in name.lower().split(" or ")} - {"any"}
    return sorted(_ENVIRONMENT_SPELLINGS.get(place, place) for place in places) or None


def _description(text: str) -> str | None:
    """A creature's description: a paragraph at every hard line break.

    The opening mark of the first, emphasised paragraph may be lost.
    """
    cleaned = clean_text(_HARD_BREAK.sub("\n\n", text))
    if not cleaned:
        return None
    first, _, rest = cleaned.partition("\n")
    if first.endswith("_") and first.count("_") % 2:
        first = f"_{first}"
    return _LICENCE_SCRAP.sub("", f"{first}\n{rest}".strip())


def _mend(text: str | None, document: str) -> str | None:
    """Undo two accidents: the Monstrous Menagerie's commas became blanks, some letters became "æ00e1"."""
    if not text:
        return None
    text = _BROKEN_ESCAPE.sub(lambda m: chr(int(m["code"], 16)), text)
    return _LOST_COMMA.sub(", ", text) if document == "a5e-mm" else text
