"""Classes and subclasses: Open5e v2 and v1; the D&D 5e API's are read in `classes_dnd5e`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from build_pipeline.normalize.character_options import classes_dnd5e, progressions
from build_pipeline.normalize.character_options.features import combined, completed, in_order
from build_pipeline.normalize.character_options.options import feat_type, joined_options, listed_options
from build_pipeline.normalize.merging.documents import v1_document, v2_document, v2_keys
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference, read_each
from build_pipeline.normalize.merging.merge_rules import MergeRule
from build_pipeline.normalize.text.clean import clean_text, known, stated
from build_pipeline.normalize.text.labels import base_name, gained_level, headed, labelled, prerequisite_first
from build_pipeline.normalize.text.subclass_spells import subclass_spells
from build_pipeline.normalize.text.tables import plain
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.names import slugify
from server.dataset.schema import ABILITIES

_NOT_FEATURES: Final = {
    "PROFICIENCY_BONUS",
    "PROFICIENCIES",
    "STARTING_EQUIPMENT",
    "CORE_TRAITS_TABLE",
    "SPELL_SLOTS",
    "CLASS_TABLE_DATA",
}
"""v2's `feature_type`s of entries that are not features."""

_COLUMN_DATA: Final = "[Column data]"
_TABLE_ROW: Final = re.compile(r"^\|([^|\n]+)\|([^|\n]+)\|[ \t]*$", re.MULTILINE)
_ABILITY: Final = re.compile(rf"\b({'|'.join(ABILITIES)})\b", re.IGNORECASE)
_SPELLCASTING: Final = re.compile(
    rf"\b({'|'.join(ABILITIES)}) is (?:your|the) spellcasting ability"
    rf"|\bspellcasting ability for [^.]{{1,40}} is ({'|'.join(ABILITIES)})",
    re.IGNORECASE,
)
_MARKED: Final = re.compile(r"[^a-z0-9#*]+")
"""Characters ignored when headings are searched: spaces, and apostrophes that a source misspells."""
_ASIDE: Final = re.compile(r"\A(\*[^*\n]*\bCompare to\b[^*\n]*\*)\n\n(.+)\Z", re.DOTALL)
_CASTER_FEATURES: Final = {"spellcasting", "spellcasting-ability", "pact-magic"}
_INHERITED: Final = ("hit_dice", "spellcasting_ability", "caster_type")
"""Columns that a subclass inherits from its class, unless it says otherwise."""
_OF_OWN_SPELLS: Final = ("progression", "caster_type", "spellcasting_ability")
"""Columns read from the text of a subclass with spellcasting of its own."""

# Member of `proficiencies` → how v2 names it in prose (2014) and in the table of core traits (2024).
_PROFICIENCY_LABELS: Final = {
    "armor": ("armor", "armor training"),
    "weapons": ("weapons", "weapon proficiencies"),
    "tools": ("tools", "tool proficiencies"),
    "skills": ("skills", "skill proficiencies"),
}
_SAVES_LABELS: Final = ("saving throws", "saving throw proficiencies")


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every class and subclass, as each source has it."""
    yield from _as_printed(_v2_drafts(raw, problems), raw)
    yield from read_each(raw["open5e_v1", "classes"].values(), problems, _v1_drafts)
    yield from classes_dnd5e.drafts(raw, problems)


def _as_printed(drafts: Iterable[Draft], raw: RawLayer) -> Iterator[Draft]:
    """v2's drafts, with the features of subclasses in the order of v1's headings: v2 sorts them by name.

    A feature without a heading in v1, the table of spells before the first one, comes first.
    """
    printed: dict[tuple[str, str], str] = {}
    for obj in raw["open5e_v1", "classes"].values():
        with Problems().instead_of_failing(obj):  # reported when its own drafts are read
            for archetype in obj.data["archetypes"]:
                document, _ = v1_document(archetype["document__slug"])
                printed[document, base_name(archetype["name"])] = str(archetype["desc"])
    for draft in drafts:
        text = printed.get((draft.document_key, base_name(draft.name)))
        if text and draft.entity_type == "subclass" and (features := draft.facts["features"]):
            draft.facts["features"] = sorted(features, key=partial(_place, _MARKED.sub("", text.casefold())))
        yield draft


def _place(text: str, feature: Mapping[str, Any]) -> int:
    """Offset of a feature's name after the mark of a heading or of bold in a text without `_MARKED`; -1 if absent."""
    name = _MARKED.sub("", feature["name"].casefold())
    return min((place for mark in "#*" if (place := text.find(f"{mark}{name}")) >= 0), default=-1)


def _v2_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    objects = raw["open5e_v2", "classes"].values()
    spellings = classes_dnd5e.feature_names(raw)
    whole = (obj for obj in objects if not obj.data["subclass_of"])
    classes = {draft.keys[0]: draft for draft in read_each(whole, problems, lambda obj: _v2_class(obj, spellings))}
    for draft in classes.values():
        yield from joined_options(_listed_options(draft))
        yield draft
    parts = (obj for obj in objects if obj.data["subclass_of"])
    yield from read_each(parts, problems, lambda obj: _v2_subclass(obj, spellings, classes))


def _listed_options(draft: Draft) -> Iterator[Draft]:
    """The options that a class lists among its features ("Augmentation Effects"), as feats; their lead-in stays."""
    for listed, parts in listed_options(draft.facts["features"] or ()):
        kind = feat_type(listed["name"])
        for part in parts:
            needs, text = prerequisite_first(part["description"])
            facts = {
                "description": text,
                "prerequisite": needs,
                "feat_type": kind,
                "option_of": [Reference(("class",), draft.name, draft.raw[0])],
            }
            name = plain(part["name"] or listed["name"])
            yield Draft(draft.source, draft.raw, "feat", draft.document_key, name, (), kind, facts=facts)
        listed["description"] = headed(listed["description"])[0]
    described = [feature for feature in draft.facts["features"] or () if feature["description"]]
    draft.facts["features"] = _with_leads(described) or None


def _with_leads(features: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The features, with the lead-in to a list of options appended to the gained feature of the same name."""
    gained = {feature["name"]: feature for feature in features if feature["level"] is not None}
    leads = [feature for feature in features if feature["level"] is None and feature["name"] in gained]
    for lead in leads:
        gained[lead["name"]]["description"] += f"\n\n{lead['description']}"
    return [feature for feature in features if feature not in leads]


def _v2_draft(obj: RawObject, entity_type: str, spellings: Mapping[str, str]) -> Draft:
    data = obj.data
    parts = [feature | {"name": _feature_name(feature, spellings)} for feature in data["features"]]
    features = [_v2_feature(part) for part in parts if _is_feature(part, data["name"])]
    facts: dict[str, Any] = {
        "description": _lore_first(data["desc"]),
        "hit_dice": (data["hit_dice"] or "").lower() or None,
        "features": in_order(features) or None,
        "spellcasting_ability": spellcasting_ability(features),
        "progression": progressions.from_features(parts),
    }
    document = v2_document(data)
    return Draft(obj.source, (obj.id,), entity_type, document, data["name"], v2_keys(obj.key), facts=facts)


def _v2_class(obj: RawObject, spellings: Mapping[str, str]) -> Draft:
    data, draft = obj.data, _v2_draft(obj, "class", spellings)
    hit_points = data.get("hit_points") or {}
    core_traits = _core_traits(data["features"])
    pact = any(base_name(f["name"]) == "pact-magic" for f in draft.facts["features"] or ())
    texts = {f["feature_type"]: clean_text(f["desc"]) for f in data["features"]}
    draft.facts |= {
        "hit_points_first_level": _small_dice(hit_points.get("hit_points_at_1st_level")),
        "hit_points_per_level": _small_dice(hit_points.get("hit_points_at_higher_levels")),
        "proficiencies": proficiencies(core_traits, [s["name"] for s in data["saving_throws"]]),
        "starting_equipment": texts.get("STARTING_EQUIPMENT") or core_traits.get("starting equipment"),
        "caster_type": (data["caster_type"] or "").lower()
        or progressions.caster_type(draft.facts["progression"], pact=pact),
        "subclasses": [],
    }
    draft.from_text = {"spellcasting_ability"}
    return draft


def _v2_subclass(obj: RawObject, spellings: Mapping[str, str], classes: Mapping[str, Draft]) -> Draft:
    data, draft = obj.data, _v2_draft(obj, "subclass", spellings)
    of = data["subclass_of"]
    parent = classes.get(of["key"])
    draft.facts["subclass_of"] = Reference(("class",), of["name"], f"open5e_v2/classes/{of['key']}")
    draft.parent_slug = of["key"].partition("_")[2]
    # Subclasses with spellcasting of their own print a table of slots; v2's field says NONE even for full casters.
    draft.facts["progression"] = progressions.of_slots(f["description"] for f in draft.facts["features"] or ())
    draft.facts["caster_type"] = progressions.caster_type(draft.facts["progression"], pact=False)
    draft.from_text |= {column for column in _OF_OWN_SPELLS if draft.facts[column] is not None}
    for column in _INHERITED:
        if parent and draft.facts.get(column) is None:
            draft.facts[column] = parent.facts[column]
            draft.from_text.add(column)
            draft.raw = tuple(dict.fromkeys((*draft.raw, *parent.raw)))
    return draft


def _is_feature(feature: JsonObject, class_name: str) -> bool:
    text = clean_text(feature["desc"])
    spell_list = feature["name"] == f"{class_name} Spell List"
    return feature["feature_type"] not in _NOT_FEATURES and text not in (None, _COLUMN_DATA) and not spell_list


def _lore_first(text: str | None) -> str | None:
    """A description, with the note "Compare to the core book's …" moved from its beginning to its end."""
    cleaned = clean_text(text)
    return _ASIDE.sub(r"\2\n\n\1", cleaned) if cleaned else None


def _feature_name(feature: JsonObject, spellings: Mapping[str, str]) -> str:
    """A feature's name; a misspelt one ("Studdied Attacks") is replaced by the D&D 5e API's name for the same key."""
    name = (clean_text(feature["name"]) or "").rstrip(".").removesuffix(" (table)")
    return name if slugify(name) in spellings else spellings.get(feature["key"].rpartition("_")[2], name)


def _v2_feature(feature: JsonObject) -> dict[str, Any]:
    levels = sorted({gain["level"] for gain in feature["gained_at"]})
    return {
        "name": feature["name"],
        "level": levels[0] if levels else None,
        "levels": levels,
        "description": clean_text(feature["desc"]),
    }


def _core_traits(features: list[JsonObject]) -> dict[str, str]:
    """Label (lower case) → text, of v2's proficiencies (prose with bold labels) and core traits (a table)."""
    traits: dict[str, str] = {}
    for feature in features:
        text = clean_text(feature["desc"]) or ""
        if feature["feature_type"] == "PROFICIENCIES":
            traits |= {(part["name"] or "").lower(): part["description"] or "" for part in labelled(text)[1]}
        elif feature["feature_type"] == "CORE_TRAITS_TABLE":
            traits |= {name.strip().lower(): value.strip() for name, value in _TABLE_ROW.findall(text)}
    return traits


def proficiencies(traits: dict[str, str], saving_throws: list[str]) -> dict[str, Any]:
    """Proficiencies as the text lists them; `saving_throws`, from a field, is used where the text lists none."""
    members: dict[str, Any] = {
        member: stated(next((traits[label] for label in labels if label in traits), None))
        for member, labels in _PROFICIENCY_LABELS.items()
    }
    saves = abilities_in(next((traits[label] for label in _SAVES_LABELS if label in traits), ""))
    return members | {"saving_throws": saves or abilities_in(", ".join(saving_throws)) or None}


def abilities_in(text: str) -> list[str]:
    """The abilities that a text names in full, in the game's order."""
    return sorted({name.lower() for name in _ABILITY.findall(text)}, key=ABILITIES.index)


def spellcasting_ability(features: list[dict[str, Any]]) -> str | None:
    """The ability that the spellcasting feature names, lower case."""
    texts = (f["description"] or "" for f in features if base_name(f["name"]) in _CASTER_FEATURES)
    return next(((m[1] or m[2]).lower() for m in map(_SPELLCASTING.search, texts) if m), None)


def _small_dice(text: str | None) -> str | None:
    return re.sub(r"(\d)D(\d)", r"\1d\2", text) if text else None


def _v1_drafts(obj: RawObject) -> Iterator[Draft]:
    yield _v1_class(obj)
    for archetype in obj.data["archetypes"]:
        yield _v1_subclass(obj, archetype)


def _v1_class(obj: RawObject) -> Draft:
    data = obj.data
    document, also = v1_document(data["document__slug"])
    table = progressions.from_markdown(data["table"])
    features = _headed_features(data["desc"])
    pact = any(base_name(f["name"]) == "pact-magic" for f in features)
    hit_dice = re.search(r"d\d+", data["hit_dice"])
    facts = {
        "hit_dice": hit_dice[0] if hit_dice else None,
        "hit_points_first_level": known(data["hp_at_1st_level"]),
        "hit_points_per_level": known(data["hp_at_higher_levels"]),
        "proficiencies": {
            "armor": stated(data["prof_armor"]),
            "weapons": stated(data["prof_weapons"]),
            "tools": stated(data["prof_tools"]),
            "saving_throws": abilities_in(data["prof_saving_throws"]) or None,
            "skills": stated(data["prof_skills"]),
        },
        "starting_equipment": clean_text(data["equipment"]),
        "features": features or None,
        "spellcasting_ability": known(data["spellcasting_ability"].lower()),
        "caster_type": progressions.caster_type(table, pact=pact),
        "progression": table,
        "subclasses": [],
    }
    return Draft(obj.source, (obj.id,), "class", document, data["name"], (obj.key,), also=also, facts=facts)


def _v1_subclass(parent: RawObject, archetype: JsonObject) -> Draft:
    document, also = v1_document(archetype["document__slug"])
    facts = {
        "description": _lore_first(headed(clean_text(archetype["desc"]))[0]),
        "features": _headed_features(archetype["desc"]) or None,
        "subclass_of": Reference(("class",), parent.data["name"], parent.id),
    }
    slug = str(archetype["slug"])
    return Draft(parent.source, (parent.id,), "subclass", document, archetype["name"], (slug,), parent.key, also, facts)


def _headed_features(text: str) -> list[dict[str, Any]]:
    """Features of a v1 text: its sections, at the level that their text states."""
    features = []
    for part in headed(clean_text(text))[1]:
        level = gained_level(part["description"])
        levels = [level] if level else []
        features.append({"name": part["name"], "level": level, "levels": levels, "description": part["description"]})
    return [f for f in features if f["description"]]


def _combine_proficiencies(winner: dict[str, Any], loser: dict[str, Any]) -> dict[str, Any]:
    return {
        member: better_spaced(value, loser.get(member)) if isinstance(value, str) else value or loser.get(member)
        for member, value in winner.items()
    }


def better_spaced(winner: str, loser: str | None) -> str:
    """The winner's text without spaces inside a word of the loser's ("Na ture" where the loser has "Nature")."""
    words = set(re.findall(r"[^\W\d]+", loser or ""))

    def joined(match: re.Match[str]) -> str:
        split = match[1] + match[2] in words and match[1] not in words
        return match[1] if split else match[0]

    return re.sub(r"\b([^\W\d]+) (?=([^\W\d]+))", joined, winner)


MERGE_RULES: Final[dict[str, MergeRule]] = {
    "features": combined,
    "progression": progressions.combine,
    "proficiencies": _combine_proficiencies,
    "starting_equipment": better_spaced,
}


def derive(entity_type: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Levels and spells stated only in texts, the level table completed from them, a description if there is none."""
    found: dict[str, Any] = {}
    if features := facts.get("features"):
        found["features"] = features = completed(features, of_subclass=entity_type == "subclass")
        if entity_type == "subclass" and (spells := subclass_spells(facts["name"], features)):
            found["subclass_spells"] = spells
        if facts.get("progression"):
            found["progression"] = progressions.with_features(facts["progression"], features)
    if facts.get("description") is None and (text := _introduction(entity_type, facts | found)):
        found["description"] = text
    return found


def _introduction(entity_type: str, facts: dict[str, Any]) -> str | None:
    """A few sentences composed from the facts, for a class that no source describes."""
    features = facts.get("features")
    if not features:
        return None
    gained = [f for f in features if f["level"]] or features
    names = ", ".join(dict.fromkeys(f["name"] for f in gained))
    if entity_type == "subclass":
        parent = facts.get("subclass_of")
        return f"A subclass of the {parent.name}. Features: {names}." if parent else f"A subclass. Features: {names}."
    caster, ability = facts.get("caster_type"), facts.get("spellcasting_ability")
    magic = {"none": " that casts no spells", "pact": " with pact magic"}.get(caster or "", "")
    if ability:
        magic = (magic or " that casts spells") + f" through {ability.title()}"
    proficiencies = facts.get("proficiencies") or {}
    trained = [
        f"{label}: {', '.join(text).title() if isinstance(text, list) else text.rstrip('.').lower()}"
        for member, label in (("saving_throws", "saving throws"), ("armor", "armor"), ("weapons", "weapons"))
        if (text := proficiencies.get(member))
    ]
    sentences = [f"A class with a {facts['hit_dice']} hit die{magic}" if facts.get("hit_dice") else f"A class{magic}"]
    sentences += ["; ".join([trained[0][0].upper() + trained[0][1:], *trained[1:]])] if trained else []
    return ". ".join([*sentences, f"Features: {names}."])
