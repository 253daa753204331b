"""Level tables of classes, read from Open5e v2's columns, v1's Markdown and the D&D 5e API's levels, and combined."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from build_pipeline.normalize.text.clean import known
from build_pipeline.normalize.text.labels import base_name
from build_pipeline.normalize.text.numerals import ordinal
from build_pipeline.snapshot.raw import JsonObject
from server.dataset.names import slugify

Row = dict[str, Any]
"""One level: {level, proficiency_bonus, features: names, columns: [{name, value}]}."""

LEVELS: Final = range(1, 21)
FULL_CASTER_SLOTS: Final = (
    "2", "3", "42", "43", "432", "433", "4331", "4332", "43331", "43332",
    "433321", "433321", "4333211", "4333211", "43332111", "43332111",
    "433321111", "433331111", "433332111", "433332211",
)  # fmt: skip
"""Spell slots of a full caster by class level, one digit per spell level."""

_ORDINAL: Final = re.compile(r"^(\d{1,2})(?:st|nd|rd|th)?$")
_IMPROVEMENT: Final = re.compile(r"\s+improvements?$", re.IGNORECASE)
_FEATURES: Final = ("Features", "Class Features")
_LEVEL_HEADER: Final = re.compile(r"^\w+ Level$")
"""Subclasses head the first column of a table with their class: "Rogue Level"."""
_NAMING: Final = 10
"""How many levels need features for a table to count as one of features, rather than of spell slots."""
_UNLIMITED: Final = 9999
"""The D&D 5e API's number for "unlimited"."""


def column_name(name: str, key: str = "") -> str:
    """The name of a table column: "1st" is a column of spell slots; a name that contradicts its key gives way to it.

    >>> column_name("2"), column_name("Cantrips Known", "druid_wild-shape-uses")
    ('Spell Slots 2nd', 'Wild Shape Uses')
    """
    if slots := _ORDINAL.match(name):
        return f"Spell Slots {ordinal(int(slots[1]))}"
    words = key.rpartition("_")[2].split("-")
    if key and not set(words) & set(slugify(name).split("-")):
        return " ".join(words).title()
    return name


def from_features(features: list[JsonObject]) -> list[Row] | None:
    """The table of an Open5e v2 class: its columns are features with `data_for_class_table`; None if there are none."""
    rows = {level: _row(level) for level in LEVELS}
    for feature in features:
        for gain in feature["gained_at"]:
            if feature["feature_type"] == "CLASS_LEVEL_FEATURE" and gain["level"] in rows:
                detail = f" ({gain['detail']})" if gain.get("detail") else ""
                _add(rows[gain["level"]]["features"], feature["name"] + detail)
        values = {cell["level"]: known(cell["column_value"]) for cell in feature["data_for_class_table"]}
        for level, value in values.items():
            if value is None or level not in rows:
                continue
            if feature["feature_type"] == "PROFICIENCY_BONUS":
                rows[level]["proficiency_bonus"] = int(value)
            else:
                name = column_name(feature["name"], feature["key"])
                rows[level]["columns"].append({"name": name, "value": value})
    return _unless_bare(rows.values())


def from_markdown(text: str | None) -> list[Row] | None:
    """The table of a class in Markdown, with the columns Level, Proficiency Bonus, Features and others."""
    lines = [line.strip().strip("|").split("|") for line in (text or "").splitlines() if line.strip().startswith("|")]
    if not lines:
        return None
    first, *others = (cell.strip() for cell in lines[0])
    header, rows = [_LEVEL_HEADER.sub("Level", first), *others], {n: _row(n) for n in LEVELS}
    for cells in lines[1:]:
        values = {name: known(value.strip()) for name, value in zip(header, cells, strict=False)}
        level = _ORDINAL.match(values.pop("Level", None) or "")
        if not level or int(level[1]) not in rows:
            continue
        row = rows[int(level[1])]
        bonus = values.pop("Proficiency Bonus", None)
        names = next(filter(None, (values.pop(header, None) for header in _FEATURES)), None)
        row["proficiency_bonus"] = int(bonus) if bonus else None
        row["features"] = [name.strip() for name in names.split(",")] if names else []
        row["columns"] = [{"name": column_name(n), "value": v} for n, v in values.items() if v is not None]
    return _unless_bare(rows.values())


def of_slots(texts: Iterable[str]) -> list[Row] | None:
    """The first table of spell slots by class level among the texts, without the levels before it begins."""
    for table in map(from_markdown, texts):
        rows = [row for row in table or () if row["columns"]]
        if any(cell["name"] == "Spell Slots 1st" for row in rows for cell in row["columns"]):
            return rows
    return None


def from_levels(levels: Iterable[JsonObject]) -> list[Row] | None:
    """The table of a D&D 5e API class: one object per level."""
    rows = {level: _row(level) for level in LEVELS}
    for level in levels:
        row = rows[level["level"]]
        row["proficiency_bonus"] = level.get("prof_bonus")
        row["features"] = [feature["name"].partition(": ")[0] for feature in level["features"]]
        cells = (level.get("spellcasting") or {}) | (level.get("class_specific") or {})
        row["columns"] = [
            {"name": _cell_name(name), "value": text} for name, value in cells.items() if (text := _cell(value))
        ]
    return _unless_bare(rows.values())


def combine(winner: list[Row], loser: list[Row]) -> list[Row]:
    """The winner's table with the loser's feature names added, and with the loser's columns if it has none at all."""
    lacks_columns = not any(row["columns"] for row in winner)
    others = {row["level"]: row for row in loser}
    return [
        {
            "level": row["level"],
            "proficiency_bonus": row["proficiency_bonus"] or other["proficiency_bonus"],
            "features": _union(row["features"], other["features"]),
            "columns": other["columns"] if lacks_columns else row["columns"],
        }
        for row in winner
        for other in [others.get(row["level"], _row(row["level"]))]
    ]


def announces(entry: str, feature: str) -> bool:
    """Whether an entry of a level table refers to a feature.

    >>> announces("Wild Shape improvement", "Wild Shape"), announces("Aura improvements", "Aura of Courage")
    (True, True)
    >>> announces("Brutal Critical (2 dice)", "Brutal Critical"), announces("Aura", "Aura of Courage")
    (True, False)
    """
    name = base_name(feature)
    if not _IMPROVEMENT.search(entry):
        return base_name(entry).removesuffix("s") == name.removesuffix("s")  # "Signature Spell", where there are two
    improved = map(base_name, _IMPROVEMENT.sub("", entry).split(" and "))
    return any(name == part or name.startswith(f"{part}-") for part in improved)


def with_features(rows: list[Row], features: Iterable[dict[str, Any]]) -> list[Row]:
    """The table with every feature named at the levels at which it is gained, unless it already names features."""
    if sum(bool(row["features"]) for row in rows) >= _NAMING:
        return rows
    gained: dict[int, list[str]] = {}
    for feature in features:
        for level in feature["levels"]:
            gained.setdefault(level, []).append(feature["name"])
    return [row | {"features": _union(row["features"], gained.get(row["level"], []))} for row in rows]


def caster_type(rows: list[Row] | None, *, pact: bool) -> str | None:
    """full, half, third or none by the highest spell slots of a level table, or pact if the caller says so."""
    if pact:
        return "pact"
    if rows is None:
        return None
    slots = {cell["name"] for row in rows for cell in row["columns"] if cell["name"].startswith("Spell Slots ")}
    for highest, kind in (("9th", "full"), ("5th", "half"), ("4th", "third")):
        if f"Spell Slots {highest}" in slots:
            return kind
    return None if slots else "none"


def _row(level: int) -> Row:
    return {"level": level, "proficiency_bonus": None, "features": [], "columns": []}


def _unless_bare(rows: Iterable[Row]) -> list[Row] | None:
    """The rows, or None if they contain nothing but feature names."""
    table = list(rows)
    return table if any(row["columns"] or row["proficiency_bonus"] for row in table) else None


def _add(names: list[str], name: str) -> None:
    if name not in names:
        names.append(name)


def _union(names: list[str], others: list[str]) -> list[str]:
    """The names, and those of the others that refer to none of the same features, each once."""
    together = list(names)
    for other in others:
        if not any(announces(name, other) or announces(other, name) for name in together):
            together.append(other)
    return together


def _cell_name(key: str) -> str:
    slots = re.fullmatch(r"spell_slots_level_(\d)", key)
    return f"Spell Slots {ordinal(int(slots[1]))}" if slots else key.replace("_", " ").title()


def _cell(value: Any) -> str | None:
    """A value in a level of the D&D 5e API as text; None for 0 and lists, which tables do not print."""
    if isinstance(value, dict):
        return f"{value['dice_count']}d{value['dice_value']}" if "dice_value" in value else None
    if isinstance(value, list) or not value:
        return None
    return "unlimited" if value == _UNLIMITED else str(value)
