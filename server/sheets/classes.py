"""Classes and subclasses: their starting traits, level table and features."""

from __future__ import annotations

import re
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from server.dataset.record import Record
from server.sheets.character_options import children
from server.sheets.markdown import facts, heading, italic, plain, prose, table
from server.sheets.wording import capitalized, follows_2024, listed, modifier, ordinal, titled, with_abilities

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_SLOTS: Final = re.compile(r"Spell Slots (?P<level>\d(?:st|nd|rd|th))")
_COLUMN: Final = re.compile(r"([A-Z][\w'’]*(?: [A-Z][\w'’]*)*) column")
_SLOTS_EXPLAINED: Final = "The columns 1st, 2nd, and so on are spell slots per spell level."


def body(record: Record) -> Iterator[str]:
    """The blocks of a class's or subclass's sheet."""
    parent = record.get("subclass_of")
    yield italic(f"{plain(parent['name'])} subclass" if parent else "Subclass" if _is_subclass(record) else "Class")
    yield prose(record.get("description"))
    if not _is_subclass(record):
        yield from _core_traits(record) if follows_2024(record) else _class_features(record)
    if record.get("progression"):
        yield heading(3, f"The {plain(record['name'])} Table")
        yield record["progression"]
    features = record.get("features")
    if features:
        yield heading(3, "Features")
        for feature in features:
            yield from _feature(feature, record)
    yield from children("Options", record.get("options"), record)
    yield from children("Subclasses", record.get("subclasses"), record)


def _is_subclass(record: Record) -> bool:
    return bool(record["entity_type"] == "subclass")


def _class_features(record: Record) -> Iterator[str]:
    """The sections Hit Points, Proficiencies, Equipment and Multiclassing, as the books of 2014 print them."""
    has = record.get("proficiencies") or {}
    saves = ", ".join(map(capitalized, has.get("saving_throws") or ()))
    blocks = {
        "Hit Points": facts(
            ("Hit Dice", _hit_dice(record, "1d")),
            ("Hit Points at 1st Level", record.get("hit_points_first_level")),
            ("Hit Points at Higher Levels", record.get("hit_points_per_level")),
            colon=True,
        ),
        "Proficiencies": facts(
            ("Armor", capitalized(has.get("armor") or "")),
            ("Weapons", has.get("weapons")),
            ("Tools", capitalized(has.get("tools") or "")),
            ("Saving Throws", saves),
            ("Skills", has.get("skills")),
            colon=True,
        ),
        "Equipment": prose(record.get("starting_equipment"), under=3),
        "Multiclassing": _multiclassing(record),
    }
    for title, block in blocks.items():
        if block:
            yield heading(3, title)
            yield block


def _core_traits(record: Record) -> Iterator[str]:
    """The table of core traits and the section Multiclassing, as the books of 2024 print them."""
    has = record.get("proficiencies") or {}
    block = facts(
        ("Primary Ability", titled(record.get("primary_ability") or "")),
        ("Hit Point Die", _hit_dice(record, "D")),
        ("Hit Points at Level 1", record.get("hit_points_first_level")),
        ("Hit Points per Level", record.get("hit_points_per_level")),
        ("Saving Throw Proficiencies", listed(map(capitalized, has.get("saving_throws") or ()))),
        ("Skill Proficiencies", has.get("skills")),
        ("Weapon Proficiencies", has.get("weapons")),
        ("Tool Proficiencies", capitalized(has.get("tools") or "")),
        ("Armor Training", capitalized(has.get("armor") or "")),
        ("Starting Equipment", record.get("starting_equipment")),
        colon=True,
    )
    if block:
        yield heading(3, f"Core {plain(record['name'])} Traits")
        yield block
    if second := _multiclassing(record):
        yield heading(3, "Multiclassing")
        yield second


def _hit_dice(record: Record, before: str) -> str | None:
    die = record.get("hit_dice")
    name = record["name"] if follows_2024(record) else record["name"].lower()
    return f"{die.replace('d', before, 1)} per {plain(name)} level" if die else None


def _multiclassing(record: Record) -> str:
    multiclassing = record.get("multiclassing") or {}
    lines = (
        ("Prerequisite", multiclassing.get("prerequisite")),
        ("Proficiencies gained", capitalized(multiclassing.get("proficiencies") or "")),
    )
    return facts(*lines, colon=True)


def level_table(record: Record) -> str:
    """The level table in Markdown, with every column that any level has, in order of first appearance, slots last.

    Args:
        record: a class or subclass with `name`, `game_system` and the structs of its levels as `progression`.
    """
    levels = record["progression"]
    names = _column_names(levels)
    names.sort(key=lambda name: found["level"] if (found := _SLOTS.fullmatch(name)) else "")
    slots = italic(_SLOTS_EXPLAINED) if any(map(_SLOTS.fullmatch, names)) else ""
    columns = ["Level", "Proficiency Bonus", "Features", *(_SLOTS.sub(r"\g<level>", name) for name in names)]
    rows = table(columns, [_row(level, names, record) for level in levels], left={"Features"})
    return "\n\n".join(filter(None, (slots, rows)))


def columns_of(feature: Mapping[str, Any], progression: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The columns of a level table that a feature refers to: the one with its name, and those that its text names.

    "The Invocations column" is the column Eldritch Invocations.

    Args:
        feature: a struct with `name` and `description`.
        progression: structs with `level` and `columns`, of `name` and `value`.

    Returns:
        For each column its values where they change: `1d6 at level 1, 2d6 at 3`.
    """
    return column_values([feature["name"], *_COLUMN.findall(feature.get("description") or "")], progression)


def column_values(names: Iterable[str], progression: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The columns of a level table that names mean, as `columns_of` returns them."""
    meant = [name.casefold() for name in names]
    columns = _column_names(progression)
    return {
        column: _by_level(column, progression)
        for column in columns
        if any(_ends_alike(column.casefold(), name) for name in meant)
    }


def _ends_alike(one: str, other: str) -> bool:
    """Whether the words of one are the last of the other's: Invocations, Eldritch Invocations."""
    return f" {one}".endswith(f" {other}") or f" {other}".endswith(f" {one}")


def _by_level(column: str, progression: Sequence[Mapping[str, Any]]) -> str:
    cells = ((level["level"], each) for level in progression for each in level.get("columns") or ())
    values = ((level, cell["value"]) for level, cell in cells if cell["name"] == column)
    changes = [(value, next(same)[0]) for value, same in groupby(values, itemgetter(1))]
    return ", ".join(f"{value} at {'' if place else 'level '}{level}" for place, (value, level) in enumerate(changes))


def _column_names(progression: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(column["name"] for level in progression for column in level.get("columns") or ()))


def _row(level: dict[str, Any], names: list[str], record: Record) -> list[object]:
    values = {column["name"]: column["value"] for column in level.get("columns") or ()}
    bonus = level.get("proficiency_bonus")
    return [
        level["level"] if follows_2024(record) else ordinal(level["level"]),
        None if bonus is None else modifier(bonus),
        ", ".join(level.get("features") or ()),
        *(values.get(name) for name in names),
    ]


def _feature(feature: dict[str, Any], record: Record) -> Iterator[str]:
    """`#### Level 4: …` in the books of 2024; otherwise the name, with its levels below."""
    level, name = feature.get("level"), plain(feature["name"])
    levels = feature.get("levels") or ([] if level is None else [level])
    modern = follows_2024(record)
    yield heading(4, f"Level {level}: {name}" if modern and level is not None else name)
    uses = [plain(with_abilities(feature["uses"]))] if feature.get("uses") else []
    uses += [f"prerequisite: {plain(feature['prerequisite'])}"] if feature.get("prerequisite") else []
    yield italic(capitalized("; ".join([*_when(levels, modern=modern), *uses])))
    yield prose(feature.get("description"), under=4)
    yield facts(*feature.get("by_level", {}).items(), colon=True)


def _when(levels: list[int], *, modern: bool) -> list[str]:
    if modern:
        again = [str(level) for level in levels[1:]]
        return [f"again at level{'s' * (len(again) > 1)} {listed(again)}"] if again else []
    return [f"{listed(map(ordinal, levels))} level"] if levels else []
