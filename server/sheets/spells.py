"""Spells: level and school, casting time, range, components, duration, the text, and the effect of a higher slot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from server.dataset.record import Record
from server.sheets.markdown import entry, facts, italic, plain, prose
from server.sheets.wording import capitalized, follows_2024, ordinal, titled

if TYPE_CHECKING:
    from collections.abc import Iterator

_LETTERS: Final = (("verbal", "V"), ("somatic", "S"), ("material", "M"))


def body(record: Record) -> Iterator[str]:
    """The blocks of a spell's sheet."""
    modern = follows_2024(record)
    classes = ", ".join(titled(plain(name)) for name in record.get("classes") or ())
    yield italic(_kind_2024(record, classes) if modern else _kind_2014(record))
    yield facts(
        ("Casting Time", _casting_time_2024(record) if modern else _casting_time_2014(record)),
        ("Range", plain(record["range"]) if record.get("range") else None),
        ("Components", _components(record)),
        ("Duration", _duration(record)),
        ("Classes", None if modern else classes),
        colon=True,
    )
    yield prose(record.get("description"))
    if record.get("higher_level"):
        yield entry(_higher_level_title(record), record["higher_level"])


def _kind_2014(record: Record) -> str:
    """`3rd-level evocation (ritual)`, `Evocation cantrip`."""
    level, school = record.get("level"), record.get("school")
    ritual = " (ritual)" if record.get("ritual") else ""
    if level == 0:
        return f"{capitalized(school or '')} cantrip".strip() + ritual
    return " ".join(filter(None, (None if level is None else f"{ordinal(level)}-level", school))) + ritual


def _kind_2024(record: Record, classes: str) -> str:
    """`Level 3 Evocation (Sorcerer, Wizard)`, `Evocation Cantrip (Bard)`."""
    level, school = record.get("level"), titled(record.get("school") or "")
    kind = f"{school} Cantrip" if level == 0 else school if level is None else f"Level {level} {school}"
    return kind.strip() + (f" ({classes})" if classes else "")


def _casting_time_2014(record: Record) -> str | None:
    """`1 reaction, which you take when …`."""
    time, condition = record.get("casting_time"), record.get("reaction_condition")
    return f"{time}, which you take {plain(condition)}" if time and condition else time


def _casting_time_2024(record: Record) -> str | None:
    """`Action or Ritual`, `Reaction, which you take when …`."""
    time = record.get("casting_time")
    if not time:
        return None
    number, _, unit = time.partition(" ")
    time = titled(unit) if number == "1" and unit in ("action", "bonus action", "reaction") else time
    ritual = " or Ritual" if record.get("ritual") else ""
    condition = record.get("reaction_condition")
    return time + ritual + (f", which you take {plain(condition)}" if condition else "")


def _components(record: Record) -> str | None:
    components = record.get("components") or {}
    letters = ", ".join(letter for component, letter in _LETTERS if components.get(component))
    material = components.get("material_description")
    return f"{letters} ({plain(material)})".strip() if material else letters


def _duration(record: Record) -> str | None:
    duration = record.get("duration")
    if not record.get("concentration"):
        return duration and plain(duration)
    if not duration:
        return "Concentration"
    timed = duration[:1].isdigit()
    return f"Concentration, {'up to ' if timed else ''}{plain(duration[:1].lower() + duration[1:])}"


def _higher_level_title(record: Record) -> str | None:
    """The books' title; those of 2014 have none for a cantrip at higher levels."""
    cantrip = record.get("level") == 0
    if follows_2024(record):
        return "Cantrip Upgrade" if cantrip else "Using a Higher-Level Spell Slot"
    return None if cantrip else "At Higher Levels"
