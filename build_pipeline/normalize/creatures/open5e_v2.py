"""Creatures of Open5e v2 → drafts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from build_pipeline.normalize.creatures import open5e_words as words
from build_pipeline.normalize.creatures.defences import named_by_traits, settled_defences
from build_pipeline.normalize.creatures.open5e_v1 import v2_key
from build_pipeline.normalize.creatures.texts import Mend, Texts
from build_pipeline.normalize.merging.documents import v2_document, v2_keys
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.normalize.text.dice import canonical_dice
from build_pipeline.normalize.text.stat_blocks import lines as stat_block
from build_pipeline.normalize.text.stat_blocks.actions import (
    action,
    bare_name,
    in_order,
    recharge,
    split_wrongly,
    trait,
    usage_in,
)
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.schema import ABILITIES

_SAME_FOR_ALL: Final = 0.95
_MANY: Final = 20
_SWARM: Final = re.compile(r"swarm(?: of\b|,)|.*\bswarm$", re.IGNORECASE)
_SWARMS: Final = re.compile(r"(?:The [\w ]+ )?can occupy another creature\W?s space", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Books:
    """Properties of v2's data for whole books.

    Attributes:
        defaults: (document, field) where v2 has one value for a whole book that prints none: not all 586 creatures of
            one book are chaotic evil, and no 2024 stat block names natural armor.
        with_hover: documents in which anything hovers; the others were read without the word.
        with_hit_dice: documents that print hit dice.
    """

    defaults: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    with_hover: frozenset[str] = field(default_factory=frozenset)
    with_hit_dice: frozenset[str] = field(default_factory=frozenset)


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every creature of v2, with what v1 preserves better: order, usage, complete texts."""
    older = {v2_key(obj.data): obj.data for obj in raw["open5e_v1", "monsters"].values()}
    creatures = raw["open5e_v2", "creatures"]
    texts = Texts(raw)
    books = _books([obj.data for obj in creatures.values()])

    def read(obj: RawObject) -> Draft | None:
        if v2_document(obj.data) in books.with_hit_dice and not obj.data["hit_dice"] and obj.key not in older:
            problems.add(obj.id, "an unfinished copy of a creature: no hit dice, and v1 does not have it")
            return None
        return _draft(obj, older.get(obj.key, {}), books, texts.of(v2_document(obj.data), obj.data["name"]))

    yield from read_each(creatures.values(), problems, read)


def _books(creatures: Iterable[JsonObject]) -> _Books:
    values: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    hovering: set[str] = set()
    for data in creatures:
        if not data.get("document"):
            continue
        document = v2_document(data)
        for name in ("alignment", "armor_detail"):
            if data.get(name):
                values[document, name][str(data[name])] += 1
        values[document, "hit_dice"]["known" if data.get("hit_dice") else "unknown"] += 1
        if (data.get("speed") or {}).get("hover"):
            hovering.add(document)

    def uniform(counts: Counter[str]) -> bool:
        return counts.total() >= _MANY and counts.most_common(1)[0][1] >= _SAME_FOR_ALL * counts.total()

    same = {where: counts.most_common(1)[0][0] for where, counts in values.items() if uniform(counts)}
    return _Books(
        frozenset(where for where in same if where[1] != "hit_dice"),
        frozenset(hovering),
        frozenset(document for (document, name), value in same.items() if (name, value) == ("hit_dice", "known")),
    )


def _draft(obj: RawObject, older: JsonObject, books: _Books, mend: Mend) -> Draft:
    data = obj.data
    document = v2_document(data)
    actions, lore, legendary = _actions(data, older, mend)
    from_v1 = {column: "open5e_v1" for column in actions if _v1_adds_to_actions(data, older, column, mend)}
    traits = _traits(data, older, mend)
    scores = data["ability_scores"]
    printed = _defences_before(data["resistances_and_immunities"], older)
    from_v1 |= dict.fromkeys([*printed, *(["traits"] if _v1_adds_to_traits(data, older) else [])], "open5e_v1")
    defences = _defences(data["resistances_and_immunities"], printed)
    kind_told = [str(told).lower() for told in (older.get("subtype"), older.get("type")) if known(told)]
    facts: dict[str, Any] = {
        "description": mend("\n\n".join(lore)),
        "size": _size(data["size"]["key"], data["hit_dice"], document),
        "type": data["type"]["key"],
        "subtype": "swarm"
        if not any("swarm" in told for told in kind_told)
        and _is_swarm(data["name"], traits, told=bool(older.get("subtype")))
        else stat_block.end_of_type(data["alignment"]),
        "alignment": None if (document, "alignment") in books.defaults else stat_block.alignment(data["alignment"]),
        "armor_class": data["armor_class"],
        "armor_description": None
        if (document, "armor_detail") in books.defaults
        else stat_block.armor_description(data["armor_detail"], data["armor_class"]),
        "hit_points": data["hit_points"],
        "hit_dice": canonical_dice(data["hit_dice"]),
        "speed": stat_block.speed(data["speed"], records_hover=document in books.with_hover),
        "ability_scores": {ability: scores[ability] for ability in ABILITIES},
        "saving_throws": stat_block.proficient_saves(data["saving_throws"], scores),
        "skills": stat_block.skills(data["skill_bonuses"]),
        "proficiency_bonus": data["proficiency_bonus"],
        **settled_defences(defences, traits),
        "senses": {
            **{
                sense: stat_block.plausible_range(data.get(f"{sense}_range"))
                for sense in ("darkvision", "blindsight", "tremorsense", "truesight")
            },
            "passive_perception": data["passive_perception"],
        },
        "languages": words.languages(mend(data["languages"]["as_string"]) or ""),
        "challenge_rating": data["challenge_rating"],
        "experience_points": data["experience_points"] or None,
        "traits": traits,
        **actions,
        "legendary_description": clean_text(mend(" ".join(legendary))),
        "group": data.get("subcategory") or None,
        "environments": None
        if older.get("environments")
        else words.environments((row["name"] for row in data["environments"]), split=True),
    }
    worked_out = {"size"} if facts["size"] != data["size"]["key"] else set()
    if facts["subtype"]:
        worked_out.add("subtype")
    worked_out |= named_by_traits(defences, traits)
    name = words.name(data["name"])
    return Draft(
        "open5e_v2",
        (obj.id,),
        "creature",
        document,
        name,
        v2_keys(obj.key),
        facts=facts,
        from_text=worked_out,
        taken=from_v1,
    )


def _is_swarm(name: str, traits: Iterable[JsonObject], *, told: bool) -> bool:
    """Whether it is a swarm, by its name, or by its trait if v1 has no subtype: v2 keeps only its members' type."""
    return bool(_SWARM.match(name)) or (
        not told and any(row["name"] == "Swarm" and _SWARMS.match(row["description"] or "") for row in traits)
    )


def _size(size: str, hit_dice: str | None, document: str) -> str:
    """The size; from the hit die where v2 says small and SRD 5.2 prints "Tiny" or "Medium or Small"."""
    die = re.search(r"d\d+", hit_dice or "")
    if die and (document, size) == ("srd-2024", "small"):
        return stat_block.SIZE_OF_HIT_DIE.get(die.group(), size)
    return size


def _actions(data: JsonObject, older: JsonObject, mend: Mend) -> tuple[dict[str, Any], list[str], list[str]]:
    """(column → actions, lore, introductions of legendary actions), each column in the book's order."""
    columns: dict[str, Any] = {}
    all_lore: list[str] = []
    introductions: list[str] = []
    for action_type, column in words.COLUMN_OF_TYPE.items():
        rows = [row for row in data["actions"] if row["action_type"] == action_type]
        mended, lore, legendary = split_wrongly(in_order(rows, older.get(column) or ()))
        all_lore += lore
        introductions += legendary
        known_before = words.by_name(older.get(column))
        columns[column] = [_action(row, known_before.get(bare_name(row["name"]), {}), mend) for row in mended]
    return columns, all_lore, introductions


def _action(row: JsonObject, older: Mapping[str, Any], mend: Mend) -> dict[str, Any]:
    """An action; the usage in v1's name of it is as printed, v2's is computed ("144/Day" for 10 minutes)."""
    usages = [*(_printed_usage(older) or _limits(row)), *_cost(row)]
    text = words.fuller(row["desc"], older.get("desc"))
    return action(mend(row["name"]) or "", mend(text), usages)


def _v1_adds_to_actions(data: JsonObject, older: JsonObject, column: str, mend: Mend) -> bool:
    """Whether v1 has more of some action of a column than v2: its usage, or more of its text."""
    before = words.by_name(older.get(column))
    rows = (row for row in data["actions"] if words.COLUMN_OF_TYPE[row["action_type"]] == column)
    pairs = ((row, before.get(bare_name(row["name"]))) for row in rows)
    return any(former and _action(row, former, mend) != _action(row, {}, mend) for row, former in pairs)


def _printed_usage(older: Mapping[str, Any]) -> list[str]:
    """The usage that v1 has in an action's name."""
    return [usage for usage in usage_in(str(older.get("name", ""))) if not usage.startswith("Costs ")]


def _limits(row: JsonObject) -> Iterator[str]:
    if limits := row["usage_limits"]:
        yield f"{limits['param']}/Day" if limits["type"] == "PER_DAY" else recharge(limits["param"])


def _cost(row: JsonObject) -> Iterator[str]:
    cost = row["legendary_action_cost"] or 1
    if row["action_type"] == "LEGENDARY_ACTION" and cost > 1:
        yield f"Costs {cost} Actions"
    if row["limited_to_form"]:
        yield row["limited_to_form"]


def _traits(data: JsonObject, older: JsonObject, mend: Mend) -> list[JsonObject]:
    """The traits in v1's order: v2 sorts them by name, which breaks up tables that run through several."""
    named = [words.with_whole_name(row, older.get("special_abilities")) for row in data["traits"] if known(row["name"])]
    before = words.by_name(older.get("special_abilities"))
    mended, _, _ = split_wrongly(in_order(named, older.get("special_abilities") or ()))
    texts = ((row["name"], row["desc"], before.get(bare_name(row["name"]), {}).get("desc")) for row in mended)
    return [trait(mend(name) or "", mend(words.fuller(text, longer))) for name, text, longer in texts]


def _v1_adds_to_traits(data: JsonObject, older: JsonObject) -> bool:
    """Whether v1 has more of some trait than v2, which cuts long names and some texts."""
    told = older.get("special_abilities")
    before = words.by_name(told)
    return any(
        words.with_whole_name(row, told) != row
        or words.fuller(row["desc"], before.get(bare_name(row["name"]), {}).get("desc")) != row["desc"]
        for row in data["traits"]
        if known(row["name"])
    )


def _defences_before(data: JsonObject, older: JsonObject) -> dict[str, str]:
    """Column → the book's wording, from v1, where v2 has only a list of damage types and the wording says more."""
    bare = (column for column in stat_block.DAMAGE_COLUMNS if data[column] and not data[f"{column}_display"])
    printed = {column: older[column] for column in bare if older.get(column)}
    return {
        column: text
        for column, text in printed.items()
        if set(stat_block.damage_kinds(text)) != {row["name"].lower() for row in data[column]}
    }


def _defences(data: JsonObject, before: Mapping[str, str]) -> dict[str, list[str]]:
    lists = {
        column: stat_block.damage_kinds(data[f"{column}_display"] or before.get(column))
        or [row["name"].lower() for row in data[column]]
        for column in stat_block.DAMAGE_COLUMNS
    }
    conditions = data["condition_immunities_display"] or ", ".join(row["name"] for row in data["condition_immunities"])
    return {**lists, "condition_immunities": stat_block.conditions(conditions)}
