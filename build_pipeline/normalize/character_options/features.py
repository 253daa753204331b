"""Features of classes and subclasses: assembled from their parts, with levels, uses and prerequisites from texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from build_pipeline.normalize.text.labels import base_name, gained_level, later_levels, prerequisite_first
from build_pipeline.normalize.text.uses import uses

Feature = dict[str, Any]
"""One feature, as the schema has it; a source may leave out `uses` and `prerequisite`."""

_SPELLCASTING: Final = "spellcasting"
_PARTS_OF_SPELLCASTING: Final = re.compile(
    r"cantrips|spellbook|spell-slots|spells-known(?:-.+)?|preparing-and-casting-spells|spellcasting-(?:ability|focus)"
    r"|ritual-casting"
)
_NO_LEVEL: Final = re.compile(r"Restriction\b")
"""Entries among a subclass's features that are not gained: who may choose it, and what it forbids."""
_HEADED_WITH_LEVEL: Final = re.compile(
    r"^#{2,6} *(?P<name>[^\n]+)\n+"
    r"(?=(?:Starting |Beginning |Also )?(?:at|when you reach|by) \d{1,2}(?:st|nd|rd|th) level)",
    re.MULTILINE | re.IGNORECASE,
)


def in_order(features: Iterable[Feature]) -> list[Feature]:
    """Features by level, as in a book's class table, those without a level last; features of one level keep order."""
    return sorted(features, key=lambda f: (f["level"] is None, f["level"] or 0))


def combined(winner: list[Feature], loser: list[Feature]) -> list[Feature]:
    """The winner's features, with levels added from the loser.

    A single level of the loser is used only if the winner has none. Several list when a feature is gained again, and
    the winner may lack some of them.
    """
    levels_of = {base_name(f["name"]): f["levels"] for f in loser}
    shared = Counter(base_name(f["name"]) for f in winner)
    together = []
    for feature in winner:
        name, levels = base_name(feature["name"]), feature["levels"]
        others = levels_of.get(name, []) if shared[name] == 1 else []
        if not levels or len(others) > 1:
            levels = sorted({*levels, *others})
        together.append(feature | {"level": levels[0] if levels else None, "levels": levels})
    return together


def completed(features: Iterable[Feature], *, of_subclass: bool) -> list[Feature]:
    """Features with levels, uses and prerequisites from texts; in a subclass, one without a level has the lowest."""
    parts = [part for feature in _with_parts(features) for part in _apart(feature)]
    first = min((f["level"] for f in parts if f["level"]), default=None) if of_subclass else None
    return in_order(_completed(with_level(feature, first)) for feature in parts)


def with_level(feature: Feature, first: int | None) -> Feature:
    """The feature; without a level, it gets the one in its text or else `first`, unless it is not gained at all."""
    if feature["level"] or _NO_LEVEL.match(feature["name"]):
        return feature
    level = gained_level(feature["description"]) or first
    return feature | {"level": level, "levels": feature["levels"] or ([level] if level else [])}


def _completed(feature: Feature) -> Feature:
    text = feature["description"]
    levels = sorted({*feature["levels"], *later_levels(text)})
    needs, described = prerequisite_first(text)
    found = {"uses": uses(text), "prerequisite": needs}
    return {
        **feature,
        "level": levels[0] if levels else None,
        "levels": levels,
        **{name: value for name, value in found.items() if value},
        "description": described,
    }


def _with_parts(features: Iterable[Feature]) -> list[Feature]:
    """The features, with those that are parts of spellcasting ("Spell Slots") moved into its text."""
    whole = list(features)
    casting = next((f for f in whole if base_name(f["name"]) == _SPELLCASTING), None)
    parts = [f for f in whole if _PARTS_OF_SPELLCASTING.fullmatch(base_name(f["name"]))]
    if casting is None or not parts:
        return whole
    text = "\n\n".join(
        [casting["description"], *(f"### {f['name']}\n\n{f['description']}" for f in _as_printed(parts))]
    )
    return [f | {"description": text} if f is casting else f for f in whole if f not in parts]


def _as_printed(parts: list[Feature]) -> list[Feature]:
    """Parts of spellcasting in the order that all classes use."""
    order = ("cantrip", "spellbook", "spell-slot", "preparing", "spells-known", "spellcasting-ability")
    return sorted(
        parts,
        key=lambda f: next((n for n, begin in enumerate(order) if base_name(f["name"]).startswith(begin)), len(order)),
    )


def _apart(feature: Feature) -> Iterator[Feature]:
    """A feature, and any within its text that have a heading and a level of their own."""
    text = feature["description"] or ""
    headed = _HEADED_WITH_LEVEL.finditer(text) if base_name(feature["name"]) != _SPELLCASTING else ()
    marks = [mark for mark in headed if not _PARTS_OF_SPELLCASTING.fullmatch(base_name(mark["name"]))]
    if not marks:
        yield feature
        return
    yield feature | {"description": text[: marks[0].start()].strip()}
    for mark, end in zip(marks, [*(m.start() for m in marks[1:]), len(text)], strict=True):
        described = text[mark.end() : end].strip()
        level = gained_level(described)
        yield {"name": mark["name"].strip(), "level": level, "levels": [level], "description": described}
