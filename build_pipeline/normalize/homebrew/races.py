"""Homebrew races and subraces → drafts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from build_pipeline.normalize.homebrew.items import (
    HomebrewCollection,
    Item,
    flags,
    label,
    listed,
    mapping,
    maps,
)
from build_pipeline.normalize.homebrew.sentences import (
    Statement,
    joined,
    proficiencies,
    properties,
    spell_grants,
    trait_text,
)
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.labels import NamedText
from build_pipeline.snapshot.orcbrew.field_types import whole
from server.dataset.vocabulary import SIZES


def drafts(collection: HomebrewCollection) -> Iterator[Draft]:
    """Every homebrew race and subrace."""
    yield from collection.read("races", lambda item: item.draft("race", _facts(item, collection) | {"subraces": []}))
    yield from collection.read("subraces", lambda item: _subrace(item, collection))


def _subrace(item: Item, collection: HomebrewCollection) -> Draft:
    race = item.fields.get("race")
    facts = _facts(item, collection)
    if isinstance(race, str) and race.strip():
        facts["subrace_of"] = collection.reference("races", race.strip(), item)
    return item.draft("subrace", facts, parent=race if isinstance(race, str) else "")


def _facts(item: Item, collection: HomebrewCollection) -> dict[str, Any]:
    fields = item.fields
    props = mapping(fields.get("props"))
    size = fields.get("size")
    size = size.strip().lower() if isinstance(size, str) else None
    return {
        "description": item.description,
        "ability_score_increases": _increases(fields.get("abilities")),
        "size": size if size in SIZES else None,
        "speed": _speed(fields, props),
        "languages": _languages(item, collection),
        "traits": traits_of(item) + [_trait(part) for part in joined(_sentences(item, collection))],
    }


def traits_of(item: Item) -> list[NamedText]:
    """The traits as written, with the level from which each applies."""
    found: list[NamedText] = []
    for part in maps(item.fields.get("traits")):
        described = trait_text(part)
        level = whole(part.get("level")) or 1
        if level > 1:
            described = f"{described or ''} You gain this at level {level}.".strip()
        name = (label(part.get("name")) or "Unnamed trait").rstrip(". ")
        found.append({"name": name, "description": described})
    return found


def _sentences(item: Item, collection: HomebrewCollection) -> Iterator[Statement]:
    fields = item.fields
    darkvision = whole(fields.get("darkvision"))
    if darkvision:
        yield "Darkvision", f"You can see in the dark within {darkvision} feet."
    # Languages have their own column.
    props = {key: v for key, v in mapping(fields.get("props")).items() if key != "language"}
    yield from properties(props, item, collection)
    yield from proficiencies(fields.get("profs"), item, collection)
    yield from spell_grants(fields.get("spells"), item, collection)


def _trait(part: Statement) -> NamedText:
    return {"name": part[0], "description": part[1]}


def _increases(value: Any) -> list[dict[str, Any]] | None:
    if not isinstance(value, dict):
        return None
    bonuses = {ABILITY_OF.get(key, key): whole(bonus) for key, bonus in value.items()}
    names = (*ABILITY_OF.values(), "any")
    return [{"ability": name, "bonus": bonuses[name]} for name in names if bonuses.get(name)]


def _speed(fields: dict[str, Any], props: dict[str, Any]) -> dict[str, Any] | None:
    walk = whole(fields.get("speed"))
    speed: dict[str, Any] = {
        "walk": walk,
        "fly": whole(props.get("flying-speed")) or (walk if props.get("flying-speed-equals-walking-speed") else None),
        "swim": whole(props.get("swimming-speed")) or None,
        "climb": whole(props.get("climbing-speed")) or None,
    }
    return speed if any(feet is not None for feet in speed.values()) else None


def _languages(item: Item, collection: HomebrewCollection) -> str | None:
    """Languages by name (the race's field) and by key (its properties); a number of free choices is a trait instead."""
    named = item.fields.get("languages")
    parts = named if isinstance(named, list) else [named] if isinstance(named, str) else []
    names = [
        collection.name("languages", str(p).lower(), item) if p.islower() else p for p in parts if isinstance(p, str)
    ]
    granted = flags(mapping(item.fields.get("props")).get("language"))
    names += [collection.name("languages", key, item) for key in granted]
    return listed(list(dict.fromkeys(names))) or None
