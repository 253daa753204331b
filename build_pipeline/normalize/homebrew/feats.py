"""Homebrew feats, and kinds that have no entity type of their own: invocations, boons, styles, unused selections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.homebrew.classes import offered, options_text
from build_pipeline.normalize.homebrew.items import HomebrewCollection, Item, flags, listed, mapping, words
from build_pipeline.normalize.homebrew.sentences import Statement, ability, gear_names, properties
from build_pipeline.normalize.merging.draft import Draft, Reference
from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.labels import NamedText

_BULLET: Final = re.compile(r"^\s*(?:[•●▪◦]|\*(?!\*)|[-–—]\s)\s*")
_IN_NAME: Final = re.compile(
    r"^(?P<name>.+?)\s*\((?:requires|prerequisites?|req)\b[.:]?\s*(?P<needs>[^()]+)\)?\s*$", re.IGNORECASE
)
_IN_TEXT: Final = re.compile(r"^\W*prerequisites?\b\W*(?P<needs>[^\n]{3,120}?)[*_.\s]*\n", re.IGNORECASE)
_FEAT_TYPES: Final = {
    "feats": None,
    "invocations": "invocation",
    "boons": "pact boon",
    "fighting-styles": "fighting style",
    "draconic-ancestries": "draconic ancestry",
    "selections": "selection",
}
"""Kind → type of feat."""
_OFFERED_BY: Final = {
    "invocations": Reference(("class",), "Warlock"),
    "boons": Reference(("class",), "Warlock"),
    "draconic-ancestries": Reference(("race",), "Dragonborn"),
}
"""Kind → the class or race whose options OrcPub takes them for."""


def drafts(collection: HomebrewCollection) -> Iterator[Draft]:
    """Every homebrew feat, and the kinds that become feats. Selections that a class offers are its features instead."""
    used = {
        selection.raw.id
        for kind in ("classes", "subclasses")
        for item in collection.kind(kind)
        for _, selection in offered(item, collection)
    }
    for kind in _FEAT_TYPES:
        yield from collection.read(kind, lambda item: None if item.raw.id in used else _draft(item, collection))


def _draft(item: Item, collection: HomebrewCollection) -> Draft:
    name, needs = _name(item)
    feat_type, offered_by = _FEAT_TYPES[item.kind], _OFFERED_BY.get(item.kind)
    facts = _facts(item, collection, needs) | {
        "feat_type": feat_type,
        "option_of": [offered_by] if offered_by else None,
    }
    draft = item.draft("feat", facts, name=name, parent=feat_type or "")
    draft.from_text = {"prerequisite"}  # OrcPub stores only the ability: its rule is 13 or higher
    return draft


def _name(item: Item) -> tuple[str, str | None]:
    """(name, prerequisite), as authors write it into the name: "Sculptor of Flesh (Requires: 7th level)"."""
    match = _IN_NAME.match(item.name)
    return (match["name"], match["needs"]) if match else (item.name, None)


def _facts(item: Item, collection: HomebrewCollection, needs: str | None) -> dict[str, Any]:
    fields = item.fields
    parts = [item.description, options_text(item) if item.kind == "selections" else _breath(fields)]
    description = "\n\n".join(filter(None, parts)) or None
    first = _IN_TEXT.match(description or "")
    if description and first:
        needs, description = needs or first["needs"], description[first.end() :].strip() or None
    statements = [
        *_increases(fields.get("ability-increases"), description or ""),
        *properties(fields.get("props"), item, collection),
    ]
    benefits: list[NamedText] = [{"name": name, "description": sentence} for name, sentence in statements]
    return {
        "description": description,
        "prerequisite": needs or _prerequisite(fields, item, collection),
        "benefits": [*_bullets(description), *benefits] or _unlisted(description),
    }


def _bullets(description: str | None) -> list[NamedText]:
    """A text's bullets as benefits."""
    lines = [line.strip() for line in (description or "").split("\n")]
    return [{"name": None, "description": _BULLET.sub("", line)} for line in lines if _BULLET.match(line)]


def _unlisted(description: str | None) -> list[NamedText] | None:
    """A text without a list of benefits, as a single benefit: prose does not show where each of several ends."""
    return [{"name": None, "description": description}] if description else None


def _prerequisite(fields: dict[str, Any], item: Item, collection: HomebrewCollection) -> str | None:
    needs = []
    for need in flags(fields.get("prereqs")):
        name = ability(need)
        if name:
            needs.append(f"{name} 13 or higher")
        elif need == "spellcasting":
            needs.append("the ability to cast at least one spell")
        else:
            needs.append(f"proficiency with {gear_names([need])[0]}")
    races = [collection.name("races", key, item) for key in flags(mapping(fields.get("path-prereqs")).get("race"))]
    if races:
        needs.append(listed(races, "or"))
    prerequisite = ", ".join(dict.fromkeys(needs))
    return prerequisite[:1].upper() + prerequisite[1:] or None


def _increases(value: Any, description: str) -> list[Statement]:
    """Ability score increases: a set of abilities to choose one from, or a fork's pairs of bonus and ability.

    Left out if the description already mentions them.
    """
    if not isinstance(value, list):
        return []
    pairs = [part for part in value if isinstance(part, list) and len(part) == 2]  # noqa: PLR2004 bonus and ability
    names = [name.title() for key in (*flags(value), *(k for _, k in pairs)) if (name := ABILITY_OF.get(str(key)))]
    statements: list[Statement] = []
    if _mentions_increase(description, names):
        pass
    elif pairs:
        raised = [f"{ability(key) or 'any ability'} by {bonus}" for bonus, key in pairs]
        statements.append(("Ability Score Increase", f"Increase {listed(raised)}."))
    elif names:
        chosen = names[0] if len(names) == 1 else f"your choice of {listed(sorted(names), 'or')}"
        statements.append(("Ability Score Increase", f"Increase {chosen} by 1, to a maximum of 20."))
    if "saves?" in flags(value) and not re.search(r"\bsaving throws?\b", description, re.IGNORECASE):
        statements.append(("Saving Throws", "You gain proficiency in saving throws of the ability that you increase."))
    return statements


def _mentions_increase(description: str, names: list[str]) -> bool:
    """Whether a text mentions an increase of all these abilities, by name or abbreviation."""
    increase = re.search(r"\bincreas|\+\s*1\b", description, re.IGNORECASE)
    return bool(increase) and all(name in description or name[:3].upper() in description for name in names)


def _breath(fields: dict[str, Any]) -> str | None:
    """The breath weapon of a fork's draconic ancestry."""
    breath = mapping(fields.get("breath-weapon"))
    if not breath:
        return None
    sizes = [breath.get(part) for part in ("line-width", "line-length", "cone-size", "length")]
    size = " by ".join(str(feet) for feet in sizes if isinstance(feet, int))
    area = words(str(breath.get("area-type") or "area"))
    save = ability(breath.get("save"))
    kind = words(str(breath.get("damage-type") or ""))
    parts = [f"a {area} of {size} feet" if size else f"a {area}", *([f"{save} save"] if save else [])]
    return f"Breath weapon: {kind} damage in {', '.join(parts)}."
