"""Homebrew classes and subclasses → drafts. The selections that they offer become features."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final

from build_pipeline.normalize.character_options.features import Feature, in_order, with_level
from build_pipeline.normalize.homebrew.items import (
    HomebrewCollection,
    Item,
    flags,
    keys,
    label,
    level_of,
    listed,
    mapping,
    maps,
    text,
    within,
)
from build_pipeline.normalize.homebrew.progressions import progression
from build_pipeline.normalize.homebrew.sentences import (
    by_number,
    chosen,
    gear_names,
    modifiers_by_level,
    multiclass_needs,
    number,
    proficiencies,
    properties,
    thing,
    tool_choices,
    trait_text,
)
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.numerals import ordinal
from build_pipeline.snapshot.orcbrew.field_types import whole
from build_pipeline.snapshot.orcbrew.references import folded, srd_name

_CASTERS: Final = {1: "full", 2: "half", 3: "third"}
_LISTS: Final[dict[str, tuple[str, Callable[[int], int] | None]]] = {
    "cleric-spells": ("Domain Spells", lambda level: 2 * level - 1),
    "paladin-spells": ("Oath Spells", lambda level: max(3, 4 * level - 3)),
    "warlock-spells": ("Expanded Spell List", None),
}
"""Field of a subclass → its feature, and spell level → the class level that gives its spells; None if none does."""
_SPELL_LEVELS: Final = range(1, 10)
_SUBCLASS_LEVELS: Final = {"cleric": 1, "sorcerer": 1, "warlock": 1, "druid": 2, "wizard": 2}
"""Built-in class → the level at which it grants its subclass, if not the usual one."""
_USUAL_SUBCLASS_LEVEL: Final = 3
_OF_COLUMNS: Final = frozenset(("armor", "weapon", "save", "tool", "tool-options", "skill", "skill-options"))
"""Proficiencies with a column of their own."""

_PROFICIENCIES: Final = {"armor-prof": "armor", "weapon-prof": "weapon", "tool-prof": "tool", "skill-prof": "skill"}
"""Type of level modifier → the kind of proficiency that it gives."""


def drafts(collection: HomebrewCollection) -> Iterator[Draft]:
    """Every homebrew class and subclass."""
    yield from collection.read("classes", lambda item: _class(item, collection))
    yield from collection.read("subclasses", lambda item: _subclass(item, collection))


def _subclass(item: Item, collection: HomebrewCollection) -> Draft:
    facts = _shared(item, collection)
    parent = item.fields.get("class")
    if isinstance(parent, str) and parent.strip():
        facts["subclass_of"] = collection.reference("classes", parent.strip(), item)
    facts["subclass_spells"] = list(_subclass_spells(item, collection)) or None
    also = (selection.raw.id for _, selection in offered(item, collection))
    return item.draft("subclass", facts, parent=parent if isinstance(parent, str) else "", also=also)


def offered(item: Item, collection: HomebrewCollection) -> Iterator[tuple[dict[str, Any], Item]]:
    """The selections that a class or subclass offers: (entry with the level, selection)."""
    for entry in maps(item.fields.get("level-selections")):
        key = entry.get("type")
        selection = collection.find("selections", key, item) if isinstance(key, str) else None
        if selection is not None:
            yield entry, selection


def _class(item: Item, collection: HomebrewCollection) -> Draft:
    also = (selection.raw.id for _, selection in offered(item, collection))
    return item.draft("class", _class_facts(item, collection), also=also)


def _class_facts(item: Item, collection: HomebrewCollection) -> dict[str, Any]:
    fields = item.fields
    given = fields.get("hit-die")
    die = within(given.removeprefix("d") if isinstance(given, str) else given, 1, 100)
    facts = _shared(item, collection) | {
        "hit_dice": f"d{die}" if die else None,
        "starting_equipment": equipment(item),
        "spell_list": _spell_list(item, collection),
        "subclasses": [],
    }
    if needs := multiclass_needs(fields.get("multiclass-prereqs")):
        facts["multiclassing"] = {"prerequisite": needs, "proficiencies": None}
    if die:
        facts["hit_points_first_level"] = f"{die} + your Constitution modifier"
        facts["hit_points_per_level"] = (
            f"1d{die} (or {die // 2 + 1}) + your Constitution modifier per {item.name.lower()} level after 1st"
        )
    names = " ".join(feature["name"].lower() for feature in facts["features"] or ())
    if fields.get("spellcasting") is None and "spellcasting" not in names and "pact magic" not in names:
        facts["caster_type"] = "none"
    return facts


def _shared(item: Item, collection: HomebrewCollection) -> dict[str, Any]:
    casting = mapping(item.fields.get("spellcasting"))
    ability = casting.get("ability")
    return {
        "description": item.description,
        "proficiencies": _proficiencies(item),
        "features": _joined(_features(item, collection)) or None,
        "spellcasting_ability": ABILITY_OF.get(ability) if isinstance(ability, str) else None,
        "caster_type": _CASTERS.get(whole(casting.get("level-factor")) or 0) if casting else None,
        "progression": progression(item),
    }


def _feature(name: str, level: int | None, description: str | None, levels: list[int] | None = None) -> Feature:
    return {"name": name, "level": level, "levels": levels or ([level] if level else []), "description": description}


def _joined(features: Iterable[Feature]) -> list[Feature]:
    """Features by level. Features of the same name and level are joined: a trait may only introduce a selection."""
    together: dict[tuple[str, int | None], Feature] = {}
    for feature in features:
        same = together.setdefault((feature["name"].lower(), feature["level"]), feature)
        if same is not feature:
            descriptions = (same["description"], feature["description"])
            same["description"] = "\n\n".join(dict.fromkeys(filter(None, descriptions))) or None
            same["levels"] = sorted({*same["levels"], *feature["levels"]})
    return in_order(together.values())


def _features(item: Item, collection: HomebrewCollection) -> Iterator[Feature]:
    """All features of a class or subclass, field by field."""
    found = chain(
        _traits(item),
        _modifiers(item, collection),
        _selections(item, collection),
        _class_features(item.fields) if item.kind == "classes" else (),
        _casting(item, collection),
        _spell_lists(item, collection),
        _properties(item, collection),
    )
    first = _first_level(item, collection)
    return (with_level(feature, first) for feature in found)


def _first_level(item: Item, collection: HomebrewCollection) -> int | None:
    """The level of a feature without one: 1 for a class; for a subclass the one at which its class grants it."""
    if item.kind == "classes":
        return 1
    parent = item.fields.get("class")
    if not isinstance(parent, str):
        return None
    if found := collection.find("classes", parent, item):
        return _subclass_level(found.fields)
    return _SUBCLASS_LEVELS.get(folded(parent), _USUAL_SUBCLASS_LEVEL) if srd_name("classes", parent) else None


def _subclass_level(fields: dict[str, Any]) -> int:
    """The level at which a homebrew class grants its subclass; OrcPub takes the first if it names none."""
    return level_of(fields.get("subclass-level")) or 1


def _traits(item: Item) -> Iterator[Feature]:
    for part in maps(item.fields.get("traits")):
        name = (label(part.get("name")) or "Unnamed feature").rstrip(". ")
        yield _feature(name, level_of(part.get("level")), trait_text(part))


def _modifiers(item: Item, collection: HomebrewCollection) -> Iterator[Feature]:
    """Features from `:level-modifiers`, without the proficiencies that have a column."""
    modifiers = [part for part in maps(item.fields.get("level-modifiers")) if not _of_column(part, item)]
    for level, sentences in modifiers_by_level(modifiers, item, collection).items():
        for name, sentence in sentences:
            # Level 1 may mean that the modifier names no level.
            yield _feature(name, level if level > 1 else None, sentence)


def _casting(item: Item, collection: HomebrewCollection) -> Iterator[Feature]:
    casting = mapping(item.fields.get("spellcasting"))
    if casting:
        # Half and third casters have slots from 2nd or 3rd level, but may know cantrips before.
        casts = next((row["level"] for row in progression(item) or () if row["columns"]), None)
        level = max(filter(None, (casts, _first_level(item, collection))), default=None)
        yield _feature("Spellcasting", level, _spellcasting(casting, item, collection))


def _spell_lists(item: Item, collection: HomebrewCollection) -> Iterator[Feature]:
    for field, (feature, class_level) in _LISTS.items():
        parts = []
        for level, names in _granted(mapping(item.fields.get(field)), item, collection):
            gained = f"{ordinal(class_level(level))} level" if class_level else f"{ordinal(level)}-level spells"
            parts.append(f"{gained}: {', '.join(names)}")
        if parts:
            yield _feature(feature, None, f"{'; '.join(parts)}.")


def _subclass_spells(item: Item, collection: HomebrewCollection) -> Iterator[dict[str, Any]]:
    """The same spells as rows of `subclass_spells`."""
    for field, (_, class_level) in _LISTS.items():
        granted = _granted(mapping(item.fields.get(field)), item, collection)
        for level, names in ((level, names) for level, names in granted if level in _SPELL_LEVELS):
            gained = class_level(level) if class_level else None
            for name in names:
                yield {"name": name, "id": None, "level": level, "class_level": gained, "choice": None}


def _properties(item: Item, collection: HomebrewCollection) -> Iterator[Feature]:
    """Features from properties, and from the proficiencies without a column."""
    others = {key: v for key, v in mapping(item.fields.get("profs")).items() if key not in _OF_COLUMNS}
    sentences = (*properties(item.fields.get("props"), item, collection), *proficiencies(others, item, collection))
    for name, sentence in sentences:
        yield _feature(name, None, sentence)


def _of_column(modifier: dict[str, Any], item: Item) -> str | None:
    """The kind of proficiency that a modifier gives a class at 1st level, or None."""
    kind, given = modifier.get("type"), modifier.get("value")
    is_first = item.kind == "classes" and (level_of(modifier.get("level")) or 1) == 1
    return _PROFICIENCIES.get(kind) if is_first and isinstance(kind, str) and isinstance(given, str) else None


def _class_features(fields: dict[str, Any]) -> Iterator[Feature]:
    levels = fields.get("ability-increase-levels")
    increases = sorted(filter(None, map(level_of, levels))) if isinstance(levels, list) else []
    if increases:
        gain = "You raise one ability score by 2, or two by 1 each."
        yield _feature("Ability Score Improvement", increases[0], gain, increases)
    choice = label(fields.get("subclass-title"))
    if choice:
        described = text(fields.get("subclass-help")) or "You choose a subclass."
        yield _feature(choice, _subclass_level(fields), described)


def _selections(item: Item, collection: HomebrewCollection) -> Iterator[Feature]:
    """One feature per selection: when to choose, how many, and from what."""
    entries: dict[str, list[dict[str, Any]]] = defaultdict(list)
    selections: dict[str, Item] = {}
    for entry, selection in offered(item, collection):
        entries[selection.raw.id].append(entry)
        selections[selection.raw.id] = selection
    for raw_id, selection in selections.items():
        counts = {level_of(e.get("level")) or 1: within(e.get("num"), 1, 99) or 1 for e in entries[raw_id]}
        levels = sorted(counts)
        when = listed([f"{number(counts[level])} at level {level}" for level in levels])
        described = "\n\n".join(filter(None, (f"Choose {when}.", selection.description, options_text(selection))))
        yield _feature(selection.name, levels[0], described, levels)


def options_text(selection: Item) -> str | None:
    """The options of a selection, one paragraph each."""
    paragraphs = []
    for option in maps(selection.fields.get("options")):
        name, described = label(option.get("name")) or "Unnamed option", text(option.get("description"))
        paragraphs.append(f"**{name}.** {described}" if described else f"**{name}**")
    return "\n\n".join(dict.fromkeys(paragraphs)) or None


def _spellcasting(casting: dict[str, Any], item: Item, collection: HomebrewCollection) -> str:
    """The class's spellcasting in sentences."""
    sentences = []
    kind = _CASTERS.get(whole(casting.get("level-factor")) or 0)
    ability = ABILITY_OF.get(str(casting.get("ability")))
    if kind:
        sentences.append(f"You cast spells as a {kind} caster.")
    if ability:
        sentences.append(f"{ability.title()} is your spellcasting ability.")
    source = casting.get("spell-list-kw")
    if isinstance(source, str):
        sentences.append(f"Your spells are those of the {collection.name('classes', source, item)} spell list.")
    if casting.get("prepares-spells?") is True:
        sentences.append("You prepare your spells.")
    known = {"all": "You know every spell of your list.", "acquire": "You learn spells as you find them."}
    mode = casting.get("known-mode")
    if isinstance(mode, str) and mode in known:
        sentences.append(known[mode])
    paragraphs = [" ".join(sentences)]
    for level, spells in by_number(casting.get("spell-list")):
        names = sorted(collection.name("spells", key, item) for key in spells if isinstance(key, str)) if spells else []
        if names:
            heading = "Cantrips" if level == 0 else f"{ordinal(level)} level"
            paragraphs.append(f"**{heading}.** {', '.join(names)}")
    return "\n\n".join(filter(None, paragraphs)) or "You cast spells."


def _spell_list(item: Item, collection: HomebrewCollection) -> list[dict[str, Any]] | None:
    """The spells of a class that has a list of its own, by level."""
    levels = by_number(mapping(item.fields.get("spellcasting")).get("spell-list"))
    rows = [
        {
            "level": level,
            "spells": [collection.reference("spells", key, item) for key in spells if isinstance(key, str)],
        }
        for level, spells in levels
        if spells
    ]
    return [row for row in rows if row["spells"]] or None


def _granted(lists: dict[str, Any], item: Item, collection: HomebrewCollection) -> Iterator[tuple[int, list[str]]]:
    """(Spell level, names of its spells)."""
    for level, spells in by_number(lists):
        listing = list(spells.values()) if isinstance(spells, dict) else spells if isinstance(spells, list) else []
        if names := [collection.name("spells", key, item) for key in listing if isinstance(key, str)]:
            yield level, names


def _proficiencies(item: Item) -> dict[str, Any] | None:
    """Proficiencies of a class. For armor, weapons and tools, `true` means: only as a character's first class."""
    profs = mapping(item.fields.get("profs"))
    given: dict[str, list[str]] = defaultdict(list)
    for part in maps(item.fields.get("level-modifiers")):
        if kind := _of_column(part, item):
            given[kind] += gear_names([part["value"]])
    saves = [ABILITY_OF[key] for key in keys(profs.get("save")) if key in ABILITY_OF]
    skills = [*gear_names(flags(profs.get("skill"))), *given["skill"]]
    choice = chosen("skill-options", profs.get("skill-options"))
    columns = {
        "armor": ", ".join([*_trained(profs.get("armor"), item), *given["armor"]]) or None,
        "weapons": ", ".join([*_trained(profs.get("weapon"), item), *given["weapon"]]) or None,
        "tools": ", ".join(
            [*_trained(profs.get("tool"), item), *given["tool"], *tool_choices(profs.get("tool-options"))]
        )
        or None,
        "saving_throws": saves or None,
        "skills": " ".join(filter(None, (f"{listed(skills)}.".capitalize() if skills else "", choice or ""))) or None,
    }
    return columns if any(columns.values()) else None


def _trained(value: Any, item: Item) -> list[str]:
    always = [key for key, first in mapping(value).items() if first is False]
    first = flags(value)
    if item.kind != "classes" or not always:
        # If it is true of all of them, there is nothing to distinguish.
        return gear_names([*first, *(always if item.kind == "classes" else [])])
    return [*gear_names(always), *(f"{name} (only as your first class)" for name in gear_names(first))]


def equipment(item: Item) -> str | None:
    """Starting equipment of a class or background in sentences: first what is given, then the choices."""
    fields = item.fields
    given = []
    for field in ("weapons", "armor", "equipment"):
        given += things(fields.get(field))
    sentences = [f"{', '.join(given)}."] if given else []
    for field in ("weapon-choices", "armor-choices", "equipment-choices", "equipment-selections"):
        for choice in maps(fields.get(field)):
            among = things(choice.get("options"))
            if among:
                name = label(choice.get("name"))
                sentences.append(f"{name}: {listed(among, 'or')}." if name else f"{listed(among, 'or')}.".capitalize())
    return " ".join(sentences) or None


def things(value: Any) -> list[str]:
    """Items with their quantities: "4 javelin"."""
    names = {"simple": "any simple weapon", "martial": "any martial weapon"}
    counts = {names.get(key) or thing(key): whole(count) for key, count in mapping(value).items()}
    return [f"{count} {name}" if count and count > 1 else name for name, count in counts.items() if count != 0]
