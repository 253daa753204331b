"""Shapes of raw objects that other objects look up.

A defect in most fields costs only the object itself (`draft.read_each`). The fields that other objects' normalisation
relies on (a trait's owners, a rule's ruleset, a weapon's name) are declared here; objects without them are set aside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.snapshot.raw import RawLayer

Form = Any
"""A type; None; {member: form}, "?" after an optional member's name; [form of each item]; (alternative, …)."""

_TEXT: Final = (str, None)
_NAMED: Final = {"name": str}
_INDEXED: Final = {"index": str}
_V1: Final = {"name": str, "document__slug": str}
_V2: Final = {"name": str, "document": (str, {"key": str})}

_RULES_TEXT: Final = {"name": str, "desc": (str, [str], None)}
_OPTIONS: Final = {"from": {"options": [{"item?": (_INDEXED, None)}]}}
_FEATURE: Final = {
    "name": str,
    "class": _INDEXED,
    "subclass?": (_INDEXED, None),
    "level": (int, _INDEXED),
    "parent?": (_INDEXED, None),
    "feature_specific?": ({"subfeature_options?": (_OPTIONS, None)}, None),
}
_LEVEL: Final = {
    "class": _INDEXED,
    "subclass?": (_INDEXED, None),
    "level": int,
    "prof_bonus?": (int, None),
    "features": [_NAMED],
    "spellcasting?": (dict, None),
    "class_specific?": (dict, None),
}
_OWNER: Final = {
    "name": str,
    "proficiencies?": [_INDEXED],
    "starting_proficiencies?": [_INDEXED],
    "proficiency_choices?": list,
}
_TRAIT: Final = {
    "name": str,
    "desc?": (str, [str], None),
    "description?": (str, [str], None),
    "speed?": (int, None),
    "proficiencies?": ([_INDEXED], None),
} | dict.fromkeys(("races?", "subraces?", "species?", "subspecies?"), ([_INDEXED | _NAMED], None))
_V2_CLASS: Final = _V2 | {"subclass_of": ({"name": str, "key": str}, None)}

EVERY_ENDPOINT: Final = "*"
"""Stands for all endpoints of a source without a form of their own."""

_HOMEBREW: Final = {"book": str, "option_pack": _TEXT, "disabled": bool, "item": dict}
"""The wrapper of every kind of homebrew."""

_SECTION: Final = {
    **dict.fromkeys(("title", "markdown", "file"), str),
    **dict.fromkeys(("level", "line", "order"), int),
    "path": [str],
}
"""A section of a book."""

FORMS: Final[dict[str, dict[str, Form]]] = {
    "open5e_v1": {
        **dict.fromkeys(("backgrounds", "feats", "magicitems", "weapons", "armor", "planes"), _V1),
        "conditions": _V1 | {"desc": str},
        "monsters": _V1 | {"speed?": (dict, None)},
        "sections": _V1 | {"desc": str, "parent": str},
        "classes": _V1 | {"archetypes": [_V1 | {"slug": str}]},
        "races": _V1 | {"subraces": [_V1 | {"slug": str}]},
        "documents": {
            **dict.fromkeys(("title", "organization", "license", "copyright"), str),
            **dict.fromkeys(("url", "author", "desc"), _TEXT),
        },
    },
    "open5e_v2": {
        **dict.fromkeys(("spells", "magicitems", "weapons", "armor", "services", "backgrounds", "feats"), _V2),
        "items": _V2 | {"category": {"key": str}, "weapon": (dict, None), "armor": (dict, None)},
        "creatures": _V2 | {"speed?": (dict, None)},
        "classes": _V2_CLASS,
        "species": _V2 | {"subspecies_of": _TEXT},
        "environments": {"name": str},
        "languages": _V2 | {"is_secret": bool},
        "rulesets": _V2 | {"desc": _TEXT},
        "rules": _V2 | {"desc": _TEXT, "ruleset": str, "index": int, "initialHeaderLevel": int},
        "skills": {"name": str, "descriptions": [{"document": str, "desc": _TEXT}]},
        "licenses": {"name": str, "desc": str},
        "documents": {
            "name": str,
            "display_name": str,
            "licenses": [_NAMED],
            "publisher": _NAMED,
            "gamesystem": {"key": str},
            "publication_date": str,
            **dict.fromkeys(("permalink", "author", "desc"), _TEXT),
        },
    },
    "dnd5e_api": {
        "2014/rules": _RULES_TEXT | {"subsections": [_INDEXED | _NAMED]},
        "2014/rule-sections": _RULES_TEXT,
        "2014/races": {"name": str, "size": str, "speed": int},
        "2014/classes-levels": _LEVEL,
        "2014/subclasses-levels": _LEVEL | {"subclass": _INDEXED, "features": [_INDEXED | _NAMED]},
        "2014/classes-spells": {"results": [_NAMED]},
        "2014/spells": {"name": str, "classes": [_NAMED]},
        "2024/species": {
            "name": str,
            "size?": _TEXT,
            "size_options?": ({"from": {"options": [{"size": str}]}}, None),
            "speed": int,
        },
        **{
            f"{year}/{name}": form
            for year in ("2014", "2024")
            for name, form in {
                "features": _FEATURE,
                "traits": _TRAIT,
                "classes": _OWNER,
                "backgrounds": _OWNER,
                "proficiencies": {"name": str, "type": str, "reference": _INDEXED | _NAMED},
                "equipment": _NAMED | {"equipment_categories?": [_INDEXED]},
                "magic-items": {"name": str, "variants": [_INDEXED | _NAMED]},
                "monsters": _NAMED,
            }.items()
        },
    },
    "orcbrew": {EVERY_ENDPOINT: _HOMEBREW},
    "srd": {EVERY_ENDPOINT: _SECTION},
}
"""Source → endpoint → form of its objects."""


def well_formed(raw: RawLayer, problems: Problems, forms: Mapping[str, Mapping[str, Form]] = FORMS) -> RawLayer:
    """The layer without its malformed objects, which are reported in `problems`."""
    kept = RawLayer(info=raw.info)
    for where, objects in raw.endpoints.items():
        declared = forms.get(where[0], {})
        form = declared.get(where[1], declared.get(EVERY_ENDPOINT, dict))
        kept.endpoints[where] = {}
        for key, obj in objects.items():
            if defect := shape_error(obj.data, form):
                problems.add(obj.id, f"not shaped like the other objects of its endpoint: {defect}")
            else:
                kept.endpoints[where][key] = obj
    return kept


def shape_error(value: Any, form: Form, path: str = "it") -> str | None:
    """Where and how a value deviates from a form, or None if it does not.

    >>> shape_error({"name": "Elf", "traits": [{"order": 1}]}, {"name": str, "size?": str, "traits": [{"name": str}]})
    'it.traits[0].name is missing'
    """
    if isinstance(form, tuple):
        found = [shape_error(value, alternative, path) for alternative in form]
        return None if None in found else found[0]
    if isinstance(form, dict) and isinstance(value, dict):
        return next(filter(None, (_member_shape_error(value, name, inner, path) for name, inner in form.items())), None)
    if isinstance(form, list) and isinstance(value, list):
        return next(filter(None, (shape_error(item, form[0], f"{path}[{n}]") for n, item in enumerate(value))), None)
    fits = value is None if form is None else isinstance(form, type) and type(value) is form
    return None if fits else f"{path} is {type(value).__name__}"


def _member_shape_error(value: dict[str, Any], member: str, form: Form, path: str) -> str | None:
    name = member.removesuffix("?")
    if name in value:
        return shape_error(value[name], form, f"{path}.{name}")
    return None if member.endswith("?") else f"{path}.{name} is missing"
