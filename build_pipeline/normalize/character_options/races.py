"""Races, species and their subraces, of Open5e v2 and v1 and the D&D 5e API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from build_pipeline.normalize.merging.documents import dnd5e_document, v1_document, v2_document, v2_keys
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference, read_each
from build_pipeline.normalize.merging.merge_rules import MergeRule
from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.labels import NamedText, joining_name, labelled, without_label
from build_pipeline.normalize.text.numerals import number
from build_pipeline.normalize.text.uses import uses
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.names import normalize_name
from server.dataset.schema import ABILITIES
from server.dataset.vocabulary import SIZES

Increase = dict[str, Any]
"""An ability score increase: {ability: name or "any", bonus}."""

_OWN_COLUMNS: Final = {"age": "age", "alignment": "alignment", "languages": "languages", "language": "languages"}
"""Traits (lower case) that become a column of their own → that column."""

_SIZE: Final = re.compile(rf"\b({'|'.join(SIZES)})\b", re.IGNORECASE)
_OWN_SIZE: Final = re.compile(rf"\b(?:your size is|you are|you're) ({'|'.join(SIZES)})\b", re.IGNORECASE)
_LEVEL: Final = re.compile(r"Level \d+")
_FEET: Final = re.compile(r"(?:walking )?speed (?:is|of|increases to)? ?(\d+) feet|^(\d+) feet", re.IGNORECASE)
# At the start of a sentence only: "while transformed, you have a flying speed…" is not a speed of the race.
_MOVEMENT: Final = re.compile(r"(?:^|[.]\s)You (?:also )?have a (fly|swim|climb|burrow)(?:m?ing)? speed of (\d+) feet")

_ABILITY_NAMES: Final = "|".join(ABILITIES)
_INCREASE: Final = re.compile(
    rf"""
    (?P<all>\bability\ scores\ each)\ increase\ by\ (?P<all_bonus>\d)
    | (?P<count>\bone|\btwo|\bthree)\ (?P<other>other\ )?(?:different\ )?ability\ scores?\ of\ your\ choice
      (?:,\ other\ than\ (?P<but>{_ABILITY_NAMES}),|,\ [^,]+,)?
      (?:\ increases?)?\ by\ (?P<any_bonus>\d)
    | (?P<either>\b(?:{_ABILITY_NAMES})\ or\ (?:{_ABILITY_NAMES}))\ score\ (?:increases\ )?by\ (?P<either_bonus>\d)
    | \b(?P<ability>{_ABILITY_NAMES})\ score\ (?:increases\ )?by\ (?P<bonus>\d)
    """,
    re.IGNORECASE | re.VERBOSE,
)

_OF_EVERYBODY: Final = {"creature type", "size", "speed"}


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every race and subrace, as each source has it."""
    yield from _v2_drafts(raw, problems)
    yield from read_each(raw["open5e_v1", "races"].values(), problems, _v1_drafts)
    for endpoint, read in (
        ("2014/races", _dnd5e_race),
        ("2014/subraces", _dnd5e_subrace),
        ("2024/species", _dnd5e_species),
        ("2024/subspecies", _dnd5e_subspecies),
    ):
        yield from read_each(raw["dnd5e_api", endpoint].values(), problems, partial(read, raw))


def _v2_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    species = raw["open5e_v2", "species"]
    found = {draft.keys[0]: draft for draft in read_each(species.values(), problems, _v2_draft)}
    for key, draft in found.items():
        if parent := found.get(species[key].data["subspecies_of"] or ""):
            for column in ("size", "speed"):
                if not draft.facts[column] and parent.facts[column]:
                    draft.facts[column] = parent.facts[column]
                    draft.raw = tuple(dict.fromkeys((*draft.raw, *parent.raw)))
        yield draft


def _v2_draft(obj: RawObject) -> Draft:
    data = obj.data
    parent = data["subspecies_of"]
    traits = sorted(data["traits"], key=lambda t: t["order"] or 0)
    parts = _with_tables([_trait(t["name"], t["desc"]) for t in traits])
    facts = facts_of_traits(parts) | {"description": clean_text(data["desc"]), "size": size_in(parts)}
    speed = speed_in(parts)
    facts["speed"] = speed if "walk" in speed else None
    entity_type = "subrace" if data["is_subspecies"] else "race"
    if parent:
        name = parent.partition("_")[2]
        facts["subrace_of"] = Reference(("race",), name, f"open5e_v2/species/{parent}")
    else:
        facts["subraces"] = []
    return Draft(
        obj.source,
        (obj.id,),
        entity_type,
        v2_document(data),
        data["name"],
        v2_keys(obj.key),
        (parent or "").partition("_")[2],
        facts=facts,
        from_text={"ability_score_increases", "age", "alignment", "languages", "size", "speed"},
    )


def _trait(name: str, text: str | list[str] | None) -> NamedText:
    return {"name": name.strip(), "description": without_label(clean_text(text))}


def _with_tables(traits: list[NamedText]) -> list[NamedText]:
    """The traits, with tables ("Draconic Ancestry table") appended to the trait that they belong to."""
    tables = {(t["name"] or "").removesuffix(" table"): t for t in traits if (t["name"] or "").endswith(" table")}
    names = {t["name"] for t in traits}
    together: list[NamedText] = []
    for trait in traits:
        name = trait["name"] or ""
        if name.removesuffix(" table") in names and name.endswith(" table"):
            continue
        table = tables.get(name)
        text = f"{trait['description']}\n\n{table['description']}" if table else trait["description"]
        together.append({"name": name, "description": text})
    return together


def facts_of_traits(traits: list[NamedText]) -> dict[str, Any]:
    """Columns from a race's traits: a trait with a column of its own leaves the list of traits."""
    facts: dict[str, Any] = {}
    kept: list[NamedText] = []
    for trait in traits:
        name = normalize_name(trait["name"] or "")
        if trait["description"] is None:
            continue
        if name in _OWN_COLUMNS:
            facts[_OWN_COLUMNS[name]] = trait["description"]
        else:
            kept.append(trait)
        if name.startswith("ability score increase"):
            facts["ability_score_increases"] = ability_score_increases(trait["description"])
    return facts | {"traits": kept or None}


def ability_score_increases(text: str | None) -> list[Increase] | None:
    """The increases that a text grants, or None if it states none in the game's usual wording.

    >>> ability_score_increases("Your Wisdom score increases by 2 and one ability score of your choice by 1.")
    [{'ability': 'wisdom', 'bonus': 2}, {'ability': 'any', 'bonus': 1}]
    >>> ability_score_increases("Your Wisdom score increases by 2 and one other ability score of your choice by 1.")
    [{'ability': 'wisdom', 'bonus': 2}, {'ability': 'any but wisdom', 'bonus': 1}]
    >>> ability_score_increases("Your Strength or Wisdom score increases by 1.")
    [{'ability': 'strength or wisdom', 'bonus': 1}]
    """
    found: list[Increase] = []
    for match in _INCREASE.finditer(text or ""):
        if match["all"]:
            found += [{"ability": ability, "bonus": int(match["all_bonus"])} for ability in ABILITIES]
        elif match["count"]:
            excepted = match["but"] or (" or ".join(each["ability"] for each in found) if match["other"] else "")
            ability = f"any but {excepted.lower()}" if excepted else "any"
            found += [{"ability": ability, "bonus": int(match["any_bonus"])}] * number(match["count"])
        elif match["either"]:
            found.append({"ability": match["either"].lower(), "bonus": int(match["either_bonus"])})
        else:
            found.append({"ability": match["ability"].lower(), "bonus": int(match["bonus"])})
    return found or None


def _v1_drafts(obj: RawObject) -> Iterator[Draft]:
    race = _v1_race(obj)
    yield race
    for subrace in obj.data["subraces"]:
        yield _v1_subrace(obj, subrace, race)


def _v1_race(obj: RawObject) -> Draft:
    data = obj.data
    document, also = v1_document(data["document__slug"])
    described = [data["asi_desc"], data["size"], data["speed_desc"], data["vision"], data["traits"]]
    parts = [part for text in described for part in labelled(clean_text(text))[1]]
    facts = facts_of_traits(parts)
    facts |= {
        "description": re.sub(r"\A#[^\n]*\n+", "", clean_text(data["desc"]) or "") or None,
        "ability_score_increases": facts.get("ability_score_increases") or _v1_increases(data),
        "age": without_label(clean_text(data["age"])),
        "alignment": without_label(clean_text(data["alignment"])),
        "languages": without_label(clean_text(data["languages"])),
        # The text wins: v1's fields say Medium and 30 feet where it leaves these to the subrace, and err elsewhere too.
        "size": size_in(parts) or (None if "determined by" in data["size"] else data["size_raw"].lower()),
        "speed": (None if "determined by" in data["speed_desc"] else data["speed"] | speed_in(parts)),
        "subraces": [],
    }
    return Draft(obj.source, (obj.id,), "race", document, data["name"], (obj.key,), also=also, facts=facts)


def _v1_subrace(parent: RawObject, data: JsonObject, race: Draft) -> Draft:
    document, also = v1_document(data["document__slug"])
    parts = [*labelled(clean_text(data["asi_desc"]))[1], *labelled(clean_text(data["traits"]))[1]]
    facts = facts_of_traits(parts)
    facts |= {
        "description": clean_text(data["desc"]),
        "ability_score_increases": facts.get("ability_score_increases") or _v1_increases(data),
        "size": size_in(parts) or race.facts["size"],
        "speed": ((race.facts["speed"] or {}) | speed_in(parts)) or None,
        "subrace_of": Reference(("race",), race.name, parent.id),
    }
    slug = str(data["slug"])
    return Draft(parent.source, (parent.id,), "subrace", document, data["name"], (slug,), parent.key, also, facts)


def _v1_increases(data: JsonObject) -> list[Increase] | None:
    increases = [
        {"ability": name.lower() if name.lower() in ABILITIES else "any", "bonus": row["value"]}
        for row in data["asi"]
        for name in row["attributes"]
    ]
    return increases or None


def _dnd5e_race(raw: RawLayer, obj: RawObject) -> Draft:
    data = obj.data
    traits = _traits_of(raw, "2014", "races", obj)
    facts = {
        "ability_score_increases": _dnd5e_increases(data),
        "age": clean_text(data["age"]),
        "alignment": clean_text(data["alignment"]),
        "size": data["size"].lower(),
        "speed": {"walk": data["speed"]},
        "languages": clean_text(data["language_desc"]),
        "traits": _dnd5e_traits(traits),
        "subraces": [],
    }
    return _dnd5e_draft(obj, traits, "race", data["name"], facts)


def _dnd5e_subrace(raw: RawLayer, obj: RawObject) -> Draft:
    data, parent = obj.data, obj.data["race"]
    races = raw["dnd5e_api", "2014/races"]
    traits = _traits_of(raw, "2014", "subraces", obj)
    race = races[parent["index"]].data if parent["index"] in races else {}
    facts = {
        "description": clean_text(data["desc"]),
        "ability_score_increases": _dnd5e_increases(data),
        "size": race["size"].lower() if race else None,
        "speed": {"walk": race["speed"]} if race else None,
        "traits": _dnd5e_traits(traits),
        "subrace_of": Reference(("race",), parent["name"], f"dnd5e_api/2014/races/{parent['index']}"),
    }
    name = joining_name(data["name"], _subrace_names(raw, dnd5e_document(obj.endpoint), parent["index"]))
    return _dnd5e_draft(obj, traits, "subrace", name, facts, parent=parent["index"])


def _dnd5e_species(raw: RawLayer, obj: RawObject) -> Draft:
    data = obj.data
    traits = _traits_of(raw, "2024", "species", obj)
    own = [t for t in traits if not t.data.get("subspecies")]
    facts: dict[str, Any] = {
        "ability_score_increases": [],  # in the rules of 2024 they come with the background
        "size": _dnd5e_size(data),
        "speed": {"walk": data["speed"]},
        "traits": _dnd5e_traits(own),
        "subraces": [],
    }
    return _dnd5e_draft(obj, traits, "race", data["name"], facts)


def _dnd5e_subspecies(raw: RawLayer, obj: RawObject) -> Draft:
    data, parent = obj.data, obj.data["species"]
    species = raw["dnd5e_api", "2024/species"]
    # Some traits are listed only by the subspecies, and some name the subspecies themselves.
    levels = {trait["index"]: trait["level"] for trait in data["traits"]}
    known = raw["dnd5e_api", "2024/traits"]
    listed = [known[key] for key in levels if key in known]
    traits = listed + [t for t in _traits_of(raw, "2024", "subspecies", obj) if t.key not in levels]
    race = species[parent["index"]].data if parent["index"] in species else {}
    walk = next((t.data["speed"] for t in traits if t.data.get("speed")), race.get("speed"))
    facts = {
        "ability_score_increases": [],
        "size": _dnd5e_size(race),
        "speed": {"walk": walk} if walk else None,
        "traits": _dnd5e_traits(traits, levels),
        "subrace_of": Reference(("race",), parent["name"], f"dnd5e_api/2024/species/{parent['index']}"),
    }
    return _dnd5e_draft(obj, traits, "subrace", data["name"], facts, parent=parent["index"])


def _dnd5e_size(species: JsonObject) -> str | None:
    """The size of a species of 2024; "small or medium" where the player chooses."""
    options = species["size_options"]["from"]["options"] if species.get("size_options") else []
    sizes = [species["size"]] if species.get("size") else [option["size"] for option in options]
    return _either_size(sizes)


def _either_size(sizes: list[str]) -> str | None:
    return " or ".join(sorted({size.lower() for size in sizes}, key=SIZES.index)) or None


def _traits_of(raw: RawLayer, year: str, kind: str, owner: RawObject) -> list[RawObject]:
    """The traits that name a race, subrace, species or subspecies, in the order in which it lists them."""
    traits = raw["dnd5e_api", f"{year}/traits"].values()
    named = [trait["index"] for trait in owner.data.get("traits") or owner.data.get("racial_traits") or ()]
    own = [t for t in traits if any(race["index"] == owner.key for race in t.data.get(kind) or ())]
    return sorted(own, key=lambda t: (named.index(t.key) if t.key in named else len(named), t.key))


def _dnd5e_traits(traits: list[RawObject], levels: Mapping[str, int] = MappingProxyType({})) -> list[NamedText] | None:
    """Traits with their texts, except the options of a trait, which are already in that trait's text.

    `levels`: trait → the character level at which it is gained, if not the first.
    """
    found = []
    for obj in traits:
        trait = _trait(obj.data["name"], obj.data.get("desc") or obj.data.get("description"))
        level = levels.get(obj.key, 1)
        if level > 1:
            trait["description"] = f"{trait['description']} You gain this at character level {level}."
        if not obj.data.get("parent"):
            found.append(trait)
    return found or None


def _dnd5e_draft(
    obj: RawObject, traits: list[RawObject], entity_type: str, name: str, facts: dict[str, Any], *, parent: str = ""
) -> Draft:
    ids = (obj.id, *(trait.id for trait in traits if not trait.data.get("parent")))
    document = dnd5e_document(obj.endpoint)
    return Draft(obj.source, ids, entity_type, document, name, (obj.key,), parent, facts=facts)


def _dnd5e_increases(data: JsonObject) -> list[Increase] | None:
    fixed = [{"ability": ABILITY_OF[b["ability_score"]["index"]], "bonus": b["bonus"]} for b in data["ability_bonuses"]]
    options = data.get("ability_bonus_options")
    chosen = options["from"]["options"][: options["choose"]] if options else []
    return [*fixed, *({"ability": "any", "bonus": option["bonus"]} for option in chosen)] or None


def _subrace_names(raw: RawLayer, document: str, parent: str) -> Iterator[str]:
    """Open5e's names for a document's subraces of a race."""
    for obj in raw["open5e_v2", "species"].values():
        of = obj.data["subspecies_of"]
        if of and of.partition("_")[2] == parent and v2_document(obj.data) == document:
            yield obj.data["name"]
    race = raw["open5e_v1", "races"].get(parent)
    for subrace in race.data["subraces"] if race else ():
        if v1_document(subrace["document__slug"])[0] == document:
            yield subrace["name"]


MERGE_RULES: Final[dict[str, MergeRule]] = {}


def derive(entity_type: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Size, speed and uses stated only in the traits, and a description where no source has one."""
    traits: list[NamedText] = facts.get("traits") or []
    found: dict[str, Any] = {}
    if facts.get("size") is None and (size := size_in(traits)):
        found["size"] = size
    known_speed = facts.get("speed") or {}
    if speed := {kind: feet for kind, feet in speed_in(traits).items() if known_speed.get(kind) is None}:
        found["speed"] = known_speed | speed
    if facts.get("description") is None and traits:
        found["description"] = _introduction(entity_type, facts | found)
    if any(told := [uses(trait["description"]) for trait in traits]):
        found["traits"] = [
            {**trait, **({"uses": often} if often else {})} for trait, often in zip(traits, told, strict=True)
        ]
    return found


def size_in(traits: list[NamedText]) -> str | None:
    """The size that a race's traits give it, lower case; "small or medium" where the player chooses."""
    for trait in traits:
        text = trait["description"] or ""
        if normalize_name(trait["name"] or "") == "size":
            own = _OWN_SIZE.search(text)
            sizes = [own[1]] if own else _SIZE.findall(text)
            return _either_size(sizes)
    return None


def speed_in(traits: list[NamedText]) -> dict[str, int]:
    """The speeds in feet that a race's traits give it permanently."""
    speeds: dict[str, int] = {}
    for trait in traits:
        text = trait["description"] or ""
        if "speed" in normalize_name(trait["name"] or "") and (feet := _FEET.search(text)):
            speeds["walk"] = int(feet[1] or feet[2])
        speeds |= {kind.lower(): int(distance) for kind, distance in _MOVEMENT.findall(text)}
    return speeds


def _introduction(entity_type: str, facts: dict[str, Any]) -> str:
    """A few sentences composed from the facts."""
    parent = facts.get("subrace_of")
    kind = f"A kind of {parent.name}" if entity_type == "subrace" and parent else "A species"
    size = f" of {facts['size']} size" if facts.get("size") else ""
    walk = (facts.get("speed") or {}).get("walk")
    speed = f" with a speed of {walk} feet" if walk else ""
    names = [t["name"] for t in facts["traits"] if t["name"] and normalize_name(t["name"]) not in _OF_EVERYBODY]
    if names and all(map(_LEVEL.fullmatch, names)):
        gained = (f"{trait['name']}: {(trait['description'] or '').rstrip('.')}." for trait in facts["traits"])
        return " ".join((f"{kind}{size}{speed}.", *gained))
    return f"{kind}{size}{speed}. Traits: {', '.join(names)}." if names else f"{kind}{size}{speed}."
