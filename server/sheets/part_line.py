"""A part of a record on one line: `Armor Class: 19`, `Level 5: Extra Attack; Proficiency Bonus +3, Rages 3`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.dataset.sentences import first_sentence
from server.sheets.classes import column_values
from server.sheets.wording import modifier, titled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.dataset.record import Record

_UNITS: Final = frozenset({"gp", "lb", "feet", "minutes"})
"""Last words of the names of fields that have a unit."""


def part_line(part: Record, fields: Sequence[str], asked: str) -> str:
    """The part in a few words.

    Args:
        part: `part`, its name, and its entries, whose levels are structs.
        fields: paths of the fields that it is instead of entries.
        asked: how the part was asked for: the name of a column, if it is a level table.
    """
    if fields:
        return "; ".join(filter(None, (_fact(path, part) for path in fields)))
    levels = part.get("progression") or ()
    if len(levels) > 1:
        levels = [level | {"columns": [*_bonus(level), *(level["columns"] or ())]} for level in levels]
        known = [column["name"] for level in levels for column in level["columns"]]
        columns = column_values([asked, *(name for name in known if name.casefold().startswith(f"{asked} "))], levels)
        return "; ".join(f"{column}: {values}" for column, values in columns.items())
    if levels:
        return f"{part['part']}: {'; '.join(filter(None, _gains(levels[0])))}"
    entries = [each for values in part.values() if isinstance(values, list) for each in values]
    names = list(dict.fromkeys(each.get("name", part["part"]) for each in entries))
    return f"{part['part']}: {', '.join(names)}" if len(names) > 1 else f"{names[0]}{_told(entries[0])}"


def _told(entry: Mapping[str, Any]) -> str:
    """What a trait, action or feature is: the level that grants it, its first sentence, what grows with levels."""
    levels = entry.get("levels") or ([] if entry.get("level") is None else [entry["level"]])
    granted = f" (level {', '.join(map(str, levels))})" if levels else ""
    grows = (f"{column}: {values}." for column, values in (entry.get("by_level") or {}).items())
    return f"{granted}: {' '.join(filter(None, (first_sentence(entry.get('description')), *grows)))}"


def _fact(path: str, record: Record) -> str | None:
    value: Any = record
    for name in path.split("."):
        value = (value or {}).get(name)
    words = path.replace(".", "_").split("_")
    unit = f" {words.pop()}" if words[-1] in _UNITS else ""
    label = titled(" ".join(words).removeprefix("is ")).replace("Dc", "DC")
    return None if value is None else f"{label}: {_said(value)}{unit}"


def _said(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:,g}"
        case dict():
            known = ((name, each) for name, each in value.items() if each not in (None, False))
            words = ((name.replace("_", " "), each) for name, each in known)
            return ", ".join(name if each is True else f"{name} {_said(each)}" for name, each in words)
        case list():
            named = (each["name"] if isinstance(each, dict) and "name" in each else _said(each) for each in value)
            return ", ".join(named) or "none"
    return str(value)


def _gains(level: Mapping[str, Any]) -> tuple[str, str]:
    values = [f"{column['name']} {column['value']}" for column in (*_bonus(level), *(level["columns"] or ()))]
    return ", ".join(level["features"] or ()), ", ".join(values)


def _bonus(level: Mapping[str, Any]) -> list[dict[str, str]]:
    """The column of the proficiency bonus, which level tables have apart."""
    bonus = level["proficiency_bonus"]
    return [] if bonus is None else [{"name": "Proficiency Bonus", "value": modifier(bonus)}]
