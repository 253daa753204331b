"""Homebrew spells → drafts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.homebrew.items import HomebrewCollection, Item, flags, mapping, text
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.spells.fields import spell_components
from build_pipeline.snapshot.orcbrew.field_types import COMPONENT_LETTERS, whole
from server.dataset.vocabulary import canonical_casting_time

_RITUAL: Final = re.compile(r"(?:(?<!\s)\s+)?\(?\britual\b\)?", re.IGNORECASE)
_REACTION: Final = re.compile(r"reaction\b[\s,:(]*(?P<condition>.*?)\)?\.?$", re.IGNORECASE | re.DOTALL)
_TAKEN: Final = re.compile(r"^(?:which|that)\s+you\s+(?:can\s+)?take\s+", re.IGNORECASE)
_CONCENTRATION: Final = re.compile(r"(?:(?<![\s,])[\s,]+)?\(?\bconcentration\b\)?[\s,:]*(?:up\s+to\s+)?", re.IGNORECASE)
_FEET: Final = re.compile(
    r"(?<=\d)\s*-?\s*(?:ft\b\.?|feet\b|foot\b|['’])(?![\s-]*(?:radius|cone|line|cube|sphere))", re.IGNORECASE
)
_INLINE_HIGHER: Final = re.compile(r"(?<=[.!?)])[ ]+(?=[*_]*At Higher Levels?[.:*_])")
_HIGHER: Final = re.compile(r"^\W*at\s+higher\s+levels?\W*", re.IGNORECASE)
_TIME: Final = re.compile(r"\d{1,6}\s*(?:min|hr|hour)s?\.?")
_LEVELS: Final = range(10)


def drafts(collection: HomebrewCollection) -> Iterator[Draft]:
    """Every homebrew spell."""
    lists = _class_lists(collection)

    def read(item: Item) -> Draft:
        return item.draft("spell", _facts(item, collection, lists))

    return collection.read("spells", read)


def _class_lists(collection: HomebrewCollection) -> dict[str, set[str]]:
    """Raw id of a homebrew spell → the homebrew classes whose spell lists contain it."""
    lists: dict[str, set[str]] = defaultdict(set)
    for item in collection.kind("classes"):
        casting = mapping(item.fields.get("spellcasting"))
        for keys in mapping(casting.get("spell-list")).values():
            for key in keys if isinstance(keys, list) else ():
                spell = collection.find("spells", key, item) if isinstance(key, str) else None
                if spell is not None:
                    lists[spell.raw.id].add(item.name.lower())
    return lists


def _facts(item: Item, collection: HomebrewCollection, lists: dict[str, set[str]]) -> dict[str, Any]:
    fields = item.fields
    level, school = whole(fields.get("level")), fields.get("school")
    time, duration = text(fields.get("casting-time")), text(fields.get("duration"))
    description, higher = _split_higher(item.description)
    classes = {collection.name("classes", key, item).lower() for key in flags(fields.get("spell-lists"))}
    own = fields.get("concentration")
    return {
        "description": description,
        "level": level if level in _LEVELS else None,
        "school": school.strip().lower() or None if isinstance(school, str) else None,
        "casting_time": canonical_casting_time(_RITUAL.sub("", time)) if time else None,
        "reaction_condition": _reaction_condition(time),
        "range": _range(fields.get("range")),
        "duration": _duration(duration),
        "concentration": "concentration" in duration.lower() if duration else own if isinstance(own, bool) else None,
        "ritual": fields.get("ritual") is True or bool(time and _RITUAL.search(time)),
        "components": _components(fields.get("components")),
        "higher_level": higher,
        "classes": sorted(classes | lists.get(item.raw.id, set())) or None,
        "attack_roll": True if fields.get("attack-roll?") is True else None,
    }


def _split_higher(description: str | None) -> tuple[str | None, str | None]:
    """(description, effect at higher levels): the latter follows "At Higher Levels", perhaps inside a paragraph."""
    if not description:
        return None, None
    paragraphs = _INLINE_HIGHER.sub("\n\n", description).split("\n")
    start = next((n for n, paragraph in enumerate(paragraphs) if _HIGHER.match(paragraph)), None)
    if start is None or start == 0:
        return description, None
    higher = _HIGHER.sub("", "\n".join(paragraphs[start:]).strip()).strip()
    return "\n".join(paragraphs[:start]).strip(), higher or None


def _reaction_condition(time: str | None) -> str | None:
    match = _REACTION.search(time) if time else None
    condition = _TAKEN.sub("", match["condition"].strip()) if match else ""
    return condition or None


def _range(value: Any) -> str | None:
    """Normalise a range: "90 ft." and a bare "90" or 90 → "90 feet", "touch" → "Touch"."""
    printed = str(value) if isinstance(value, int) and not isinstance(value, bool) else text(value)
    if not printed:
        return None
    spelled = _FEET.sub(" feet", printed.rstrip(". "))
    if spelled.isdigit():
        spelled = f"{spelled} feet"
    return spelled[:1].upper() + spelled[1:]


def _duration(printed: str | None) -> str | None:
    """The duration without "Concentration, up to", which has its own column."""
    spelled = _CONCENTRATION.sub("", printed).strip(" .,").lower() if printed else ""
    if spelled == "instant":
        return "Instantaneous"
    most, time = ("up to ", spelled[6:]) if spelled.startswith("up to ") else ("", spelled)
    spelled = f"{most}{canonical_casting_time(time)}" if _TIME.fullmatch(time) else spelled
    return spelled[:1].upper() + spelled[1:] or None


def _components(value: Any) -> dict[str, Any] | None:
    if isinstance(value, str) and (match := COMPONENT_LETTERS.fullmatch(value)):
        letters = match["letters"].upper()
        return spell_components(("V" in letters, "S" in letters, "M" in letters), text(match["material"]))
    if not isinstance(value, dict):
        return None
    material = text(value.get("material-component"))
    has_material = value.get("material") is True or material is not None
    return spell_components((value.get("verbal") is True, value.get("somatic") is True, has_material), material)
