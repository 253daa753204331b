"""Classes and subclasses of the D&D 5e API, whose features and levels are objects of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Final

from build_pipeline.normalize.character_options import progressions
from build_pipeline.normalize.character_options.options import feat_type, joined_options
from build_pipeline.normalize.merging.documents import dnd5e_document, v1_document, v2_document
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference, read_each
from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.labels import base_name, joining_name, prerequisite_first
from build_pipeline.normalize.text.numerals import ordinal
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.names import slugify
from server.dataset.schema import ABILITIES

SOURCE: Final = "dnd5e_api"

_NAMED_IN_FULL: Final = {"land type", "draconic ancestry"}
"""Types of options whose short names are mere words such as "Black"."""


_PROFICIENCY_MEMBER: Final = {"Armor": "armor", "Weapons": "weapons"}
"""Type of a proficiency → member of `proficiencies`; saving throws have a field of their own, all others are tools."""


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """The classes and subclasses of both years, with the features and levels that belong to them."""
    for year in ("2014", "2024"):
        own = _belongings(raw, year)
        yield from joined_options(read_each(raw[SOURCE, f"{year}/features"].values(), problems, partial(_option, raw)))
        yield from read_each(raw[SOURCE, f"{year}/classes"].values(), problems, partial(_class, raw, *own))
        yield from read_each(raw[SOURCE, f"{year}/subclasses"].values(), problems, partial(_subclass, raw, *own))


def _option(raw: RawLayer, obj: RawObject) -> Draft | None:
    """An option of a feature ("Metamagic: Careful Spell"), which the API has as a feature with a parent feature."""
    data, year = obj.data, obj.endpoint.partition("/")[0]
    parent = _parent(raw, obj)
    if parent is None:
        return None
    of, _, short = data["name"].partition(": ")
    kind = feat_type(parent["name"])
    owner, endpoint = ("subclass", "subclasses") if data.get("subclass") else ("class", "classes")
    text = clean_text(data.get("desc") or data.get("description"))
    facts = {
        "description": prerequisite_first(text)[1],
        "prerequisite": _needs(raw, year, data) or prerequisite_first(text)[0],
        "feat_type": kind,
        "option_of": [Reference((owner,), data[owner]["name"], f"{SOURCE}/{year}/{endpoint}/{data[owner]['index']}")],
    }
    # "Dragon Ancestor: Black - Acid Damage" and "Circle of the Land: Arctic" mean nothing without their beginning.
    name = data["name"].partition(" - ")[0] if kind in _NAMED_IN_FULL else short or of
    return Draft(SOURCE, (obj.id,), "feat", dnd5e_document(obj.endpoint), name, (obj.key,), kind, facts=facts)


def _parent(raw: RawLayer, obj: RawObject) -> JsonObject | None:
    """The feature that an object is an option of: the one that it names, or else the one that lists it."""
    features = raw[SOURCE, obj.endpoint]
    if named := obj.data.get("parent"):
        return features[named["index"]].data
    for feature in features.values():
        choice = (feature.data.get("feature_specific") or {}).get("subfeature_options")
        if choice and any((option.get("item") or {}).get("index") == obj.key for option in choice["from"]["options"]):
            return feature.data
    return None


def _needs(raw: RawLayer, year: str, data: JsonObject) -> str | None:
    """The prerequisite of an option in the book's wording: "9th level, Pact of the Chain feature"."""
    needs = []
    for need in data.get("prerequisites") or ():
        if need["type"] == "level":
            needs.append(f"{ordinal(need['level'])} level")
        else:
            endpoint, _, key = need[need["type"]].rpartition("/")
            found = raw[SOURCE, f"{year}/{endpoint.rpartition('/')[2]}"].get(key)
            name = found.data["name"] if found else key.replace("-", " ")
            needs.append(f"{name.lower()} cantrip" if need["type"] == "spell" else f"{name} feature")
    return ", ".join(needs) or None


def feature_names(raw: RawLayer) -> dict[str, str]:
    """Slug → name of every feature, as the API spells them."""
    names = (obj.data["name"] for year in ("2014", "2024") for obj in raw[SOURCE, f"{year}/features"].values())
    return {slugify(name): name for name in names}


Belongings = dict[tuple[str, str], list[RawObject]]
"""("class" or "subclass", its index) → the objects that belong to it."""


def _belongings(raw: RawLayer, year: str) -> tuple[Belongings, Belongings]:
    """(features, levels), each by the class or subclass that they belong to."""
    features: Belongings = defaultdict(list)
    levels: Belongings = defaultdict(list)
    listed = {
        feature["index"]: level.data["subclass"]
        for level in raw[SOURCE, f"{year}/subclasses-levels"].values()
        for feature in level.data["features"]
    }
    for sorted_in, endpoints in ((features, ("features",)), (levels, ("classes-levels", "subclasses-levels"))):
        for endpoint in endpoints:
            for obj in raw[SOURCE, f"{year}/{endpoint}"].values():
                subclass = obj.data.get("subclass") or listed.get(obj.key)  # one feature is listed only by its level
                owner = ("subclass", subclass["index"]) if subclass else ("class", obj.data["class"]["index"])
                sorted_in[owner].append(obj)
    return features, levels


def _class(raw: RawLayer, all_features: Belongings, all_levels: Belongings, obj: RawObject) -> Draft:
    data = obj.data
    features, levels = all_features["class", obj.key], all_levels["class", obj.key]
    table = progressions.from_levels(level.data for level in levels)
    found = _features((f.data for f in features), data["name"])
    casting = data.get("spellcasting")
    facts = {
        "hit_dice": f"d{data['hit_die']}",
        "proficiencies": _proficiencies(data, raw, obj.endpoint.partition("/")[0]),
        "starting_equipment": _starting_equipment(data),
        "features": found or None,
        "spellcasting_ability": ABILITY_OF[casting["spellcasting_ability"]["index"]] if casting else None,
        "caster_type": progressions.caster_type(table, pact=any(base_name(f["name"]) == "pact-magic" for f in found)),
        "progression": table,
        "primary_ability": data.get("primary_ability", {}).get("desc", "").lower() or None,
        "multiclassing": _multiclassing(data.get("multi_classing") or {}),
        "spell_list": _spell_list(raw, obj),
        "subclasses": [],
    }
    ids = (obj.id, *(part.id for part in (*features, *levels)))
    return Draft(SOURCE, ids, "class", dnd5e_document(obj.endpoint), data["name"], (obj.key,), facts=facts)


def _multiclassing(data: JsonObject) -> dict[str, str | None] | None:
    """The prerequisite and proficiencies of a second class."""
    options = (data.get("prerequisite_options") or {}).get("from", {}).get("options", [])
    needs, choices = ([_score(n) for n in found] for found in (data.get("prerequisites") or [], options))
    given = [item["name"].removeprefix("Tool: ") for item in data.get("proficiencies") or ()]
    given += [_choice(choice) for choice in data.get("proficiency_choices") or ()]
    prerequisite = " and ".join([*needs, *([" or ".join(choices)] if choices else [])])
    return {"prerequisite": prerequisite, "proficiencies": ", ".join(given) or None} if prerequisite else None


def _choice(choice: JsonObject) -> str:
    names = [option["item"]["name"] for option in choice["from"]["options"]]
    kind = "skill" if all(name.startswith("Skill: ") for name in names) else "tool"
    return f"{choice['choose']} {kind} of your choice"


def _score(need: JsonObject) -> str:
    return f"{ABILITY_OF[need['ability_score']['index']].title()} {need['minimum_score']}"


def _spell_list(raw: RawLayer, obj: RawObject) -> list[dict[str, Any]] | None:
    """The spells of a class by level, where the API lists them (2014)."""
    listed = raw[SOURCE, f"{obj.endpoint}-spells"].get(obj.key)
    levels: dict[int, list[Reference]] = defaultdict(list)
    for spell in listed.data["results"] if listed else ():
        raw_id = f"{SOURCE}/{obj.endpoint.partition('/')[0]}/spells/{spell['index']}"
        levels[spell["level"]].append(Reference(("spell",), spell["name"], raw_id))
    return [{"level": level, "spells": spells} for level, spells in sorted(levels.items())] or None


def _subclass(raw: RawLayer, all_features: Belongings, all_levels: Belongings, obj: RawObject) -> Draft:
    data, document = obj.data, dnd5e_document(obj.endpoint)
    features, levels = all_features["subclass", obj.key], all_levels["subclass", obj.key]
    parent = data["class"]
    # The objects of 2024 repeat their features; those of 2014 have them only as separate objects.
    rows = data.get("features") or [f.data for f in features]
    summary = f"*{data['summary']}*\n\n" if data.get("summary") else ""
    text = clean_text(data.get("desc") or data.get("description"))
    facts = {
        "description": summary + text if text else None,
        "features": _features(rows, data["name"]) or None,
        "subclass_of": Reference(
            ("class",), parent["name"], f"{SOURCE}/{obj.endpoint.replace('sub', '')}/{parent['index']}"
        ),
    }
    name = joining_name(data["name"], _subclass_names(raw, document, parent["name"]))
    ids = (obj.id, *(part.id for part in (*features, *levels)))
    return Draft(SOURCE, ids, "subclass", document, name, (obj.key,), parent["index"], facts=facts)


def _subclass_names(raw: RawLayer, document: str, parent: str) -> Iterator[str]:
    """Open5e's names for a document's subclasses of a class."""
    for obj in raw["open5e_v2", "classes"].values():
        of = obj.data["subclass_of"]
        if of and of["name"] == parent and v2_document(obj.data) == document:
            yield obj.data["name"]
    for obj in raw["open5e_v1", "classes"].values():
        for archetype in obj.data["archetypes"] if obj.data["name"] == parent else ():
            if v1_document(archetype["document__slug"])[0] == document:
                yield archetype["name"]


def _features(objects: Iterable[JsonObject], owner: str) -> list[dict[str, Any]]:
    """Features, with one entry for a feature gained again at higher levels; options of a feature are left out."""
    found: dict[str, dict[str, Any]] = {}
    for data in sorted(objects, key=_level):
        name, level = data["name"].removesuffix(f": {owner}"), _level(data)
        text = clean_text(data.get("desc") or data.get("description"))
        if data.get("parent") or name.endswith(" feature") or text is None:
            continue
        feature = found.setdefault(base_name(name), {"name": name, "level": level, "levels": [], "description": text})
        feature["levels"] = sorted({*feature["levels"], level})
    return list(found.values())


def _level(data: JsonObject) -> int:
    """The level of a feature: a number, or in 2024 a reference such as {"index": "barbarian-7"}."""
    level = data["level"]
    return int(level["index"].rpartition("-")[2]) if isinstance(level, dict) else int(level)


def _proficiencies(data: JsonObject, raw: RawLayer, year: str) -> dict[str, Any]:
    kinds = raw[SOURCE, f"{year}/proficiencies"]
    lists: dict[str, list[str]] = defaultdict(list)
    for item in data["proficiencies"]:
        kind = kinds[item["index"]].data["type"] if item["index"] in kinds else None
        if kind and kind != "Saving Throws":
            lists[_PROFICIENCY_MEMBER.get(kind, "tools")].append(item["name"].removeprefix("Tool: "))
    choices = [choice["desc"] for choice in data["proficiency_choices"]]
    members: dict[str, Any] = {name: ", ".join(lists[name]) or None for name in ("armor", "weapons", "tools")}
    saves = [ABILITY_OF[ability["index"]] for ability in data["saving_throws"]]
    return members | {
        "saving_throws": sorted(saves, key=ABILITIES.index) or None,
        "skills": choices[0] if choices else None,
    }


def _starting_equipment(data: JsonObject) -> str | None:
    options = [option["desc"] for option in data["starting_equipment_options"]]
    fixed = [
        f"{item['quantity']} {name}" if item["quantity"] > 1 else name
        for item in data.get("starting_equipment") or ()
        for name in [item["equipment"]["name"]]
    ]
    if len(options) == 1 and not fixed:
        letters = [letter for letter in "abcd" if f"({letter})" in options[0]]
        text = options[0]
        for letter in letters:
            text = text.replace(f"({letter})", f"({letter.upper()})")
        choice = {2: "A or B", 3: "A, B, or C"}.get(len(letters))
        return f"Choose {choice}: {text}" if choice else text
    return "\n".join(f"* {line}" for line in [*options, *fixed]) or None
