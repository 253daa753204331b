"""The effects of a spell cast with a higher slot, or by a caster of a higher level."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.text.dice import DICE, canonical_dice
from build_pipeline.normalize.text.spells.slot_descriptions import told_at_slots
from build_pipeline.snapshot.raw import JsonObject
from server.dataset.schema import CASTING_OPTION

Option = dict[str, Any]
"""One entry of the column `casting_options`."""

_TYPE: Final = re.compile(r"(?P<kind>slot|player)_level_(?P<level>\d+)")
_SUM: Final = re.compile(rf"{DICE}(?:\s*\+\s*{DICE})*|\d+", re.IGNORECASE)
_HEALING: Final = re.compile(r"\d+d(?P<sides>\d+)(?P<modifier> \+ .+)")
_COUNTED: Final = ("damage", "healing", "targets")
"""Columns that the text states for every slot if it states them for one."""
_OPTIONS: Final = "casting_options"
_LEVELS: Final = ("slot_level", "character_level")


def option(**facts: Any) -> Option:
    """An option with these facts; all others are unknown."""
    return dict.fromkeys(CASTING_OPTION.to_schema()) | facts


def v2_options(rows: Iterable[JsonObject], level: int) -> list[Option] | None:
    """v2's `casting_options` that differ from the usual casting, or None if none does.

    v2 repeats a cantrip's option at every character level; an option that only repeats the level before is left out,
    and so is the slot of the spell's own level, which is the usual casting.
    """
    found: list[Option] = []
    for row in rows:
        match = _TYPE.fullmatch(row["type"])
        facts = {
            "damage": _amount(row["damage_roll"]),
            "targets": row["target_count"],
            "duration": _sentence_case(row["duration"]),
            "concentration": row["concentration"],
            "range": row["range"] if row["range"] != "0" else None,
            "area_size": row["shape_size"],
            "description": row["desc"],
        }
        if match and any(value is not None for value in facts.values()):
            of = {"slot": "slot_level", "player": "character_level"}[match["kind"]]
            found.append(option(**{of: int(match["level"])}, **facts))
    found = [each for each in found if each["slot_level"] != level]
    return without_repetitions(found) or None


def dnd5e_options(data: JsonObject) -> list[Option] | None:
    """The D&D 5e API's damage and healing by level, except at the lowest level, which is the usual casting."""
    damage: JsonObject = data.get("damage") or {}
    found = {
        ("slot_level", "damage"): damage.get("damage_at_slot_level"),
        ("character_level", "damage"): damage.get("damage_at_character_level"),
        ("slot_level", "healing"): _healing(data),
    }
    options = [
        option(**{level: int(number), column: _amount(amount)})
        for (level, column), by_level in found.items()
        for number, amount in list((by_level or {}).items())[1:]
    ]
    return without_repetitions(options) or None


def _healing(data: JsonObject) -> Mapping[str, str] | None:
    """Hit points restored by level; the API also files temporary ones and a raised maximum under healing."""
    restores = any(re.search(r"\b(?:regains?|restores?)\b", text) for text in data["desc"])
    return data.get("heal_at_slot_level") if restores else None


def _amount(roll: str | None) -> str | None:
    """Dice as "4d6" or "4d6+5d6", or a number, without a caster's modifier; a bonus ("+2") is not an amount."""
    if not roll or not (match := _SUM.match(roll.strip())):
        return None
    return "+".join(filter(None, (canonical_dice(part) for part in re.split(r"\+(?=\s*\d*d)", match[0])))) or match[0]


def _sentence_case(text: str | None) -> str | None:
    """A duration in the dataset's spelling; v2's "0" is not one."""
    return text[:1].upper() + text[1:] if text and text != "0" else None


def without_repetitions(options: Iterable[Option]) -> list[Option]:
    """Options in the order of their levels, without those of a character level that repeat the one before."""
    ordered = sorted(options, key=lambda o: tuple(o[level] or 0 for level in _LEVELS))
    kept: list[Option] = []
    for each in ordered:
        if each["character_level"] is None or not kept or _effect(each) != _effect(kept[-1]):
            kept.append(each)
    return kept


def healing_instead(each: Option) -> Option:
    """The option of a spell that only heals, with v2's damage as its healing."""
    return each | {"healing": each["healing"] or each["damage"], "damage": None}


def overlaid(
    given: Iterable[Option] | None, read: Iterable[Option], usual: Mapping[str, Any] | None = None
) -> list[Option] | None:
    """A source's options, overridden by the columns that the text states; None if there are none.

    Values that are the same as in the usual casting are left out.
    """
    tells = [{k: v for k, v in each.items() if v is not None} for each in read]
    told = {column: None for each in tells for column in each if column in _COUNTED}
    by_level = {_level(each): each | told for each in given or ()}
    for each in tells:
        by_level[_level(each)] = by_level.get(_level(each), {}) | {"description": None} | each
    as_usual = usual or {}
    differing = (
        option(**{k: v for k, v in each.items() if k not in as_usual or as_usual[k] != v}) for each in by_level.values()
    )
    return without_repetitions(each for each in differing if any(v is not None for v in _effect(each).values())) or None


def with_modifier(options: list[Option] | None, heals: str | None) -> list[Option] | None:
    """The options, with the usual casting's modifier added to those that heal only dice of the same kind.

    Args:
        options: as returned by `overlaid`.
        heals: the healing of the usual casting: "1d4 + spellcasting ability modifier".
    """
    usual = _HEALING.fullmatch(heals or "")
    if not options or usual is None:
        return options
    same_dice = re.compile(rf"\d+d{usual['sides']}")
    return [
        each | {"healing": f"{each['healing']}{usual['modifier']}"}
        if each["healing"] and same_dice.fullmatch(each["healing"])
        else each
        for each in options
    ]


def add_words(spells: Iterable[Entity]) -> None:
    """Give spells whose options are still unknown, corrections included, what their text says each higher slot does."""
    for spell in spells:
        level, higher_level = spell.facts.get("level"), spell.facts.get("higher_level")
        known = spell.facts.get(_OPTIONS) or _OPTIONS in spell.corrected
        if level and higher_level and not known and (told := overlaid(None, told_at_slots(level, higher_level))):
            spell.facts[_OPTIONS] = told
            spell.from_text.add(_OPTIONS)
            if source := spell.filled.get("higher_level"):
                spell.filled[_OPTIONS] = source


def _level(each: Option) -> tuple[int | None, ...]:
    return tuple(each.get(level) for level in _LEVELS)


def _effect(each: Option) -> Option:
    return {column: value for column, value in each.items() if column not in _LEVELS}
