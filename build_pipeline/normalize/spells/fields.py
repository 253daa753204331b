"""The fields of a spell that sources write differently, in one spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from build_pipeline.normalize.text.spells import materials
from build_pipeline.snapshot.raw import JsonObject

MOST_TARGETS: Final = 20
"""A higher count is a way of writing "any number"."""
_CLASS_SPELLINGS: Final = {"sorceror": "sorcerer"}
_NO_CLASSES: Final = {"ritual caster"}
"""v1 lists a feat among the classes."""

_SCHOOL_SPELLINGS: Final = {"transformation": "transmutation"}
_FEET: Final = re.compile(r"\b(?:ft\b\.?|feet|foot)(?![\s-]*(?:radius|cone|line|cube|dome|sphere))", re.IGNORECASE)
_UP_TO: Final = re.compile(r"^(?:concentration,?\s+)?up\s+to\s+", re.IGNORECASE)
_GLUED_PRICE: Final = re.compile(r"(?<=\d)(?=[pgesc]p\b)")
_TRIGGER: Final = re.compile(r"^(?:which|that)\s+you\s+take\s+", re.IGNORECASE)
_TRIGGER_WORDS: Final = ("when", "in ", "while", "just", "at ", "immediately", "as ", "after", "before", "if ")
_WIDEST: Final = 500
"""A larger size in feet is an area in square feet or a mile."""


def class_names(names: Iterable[str]) -> list[str] | None:
    """Class names in lower case, sorted; None where a source lists none, as every spell is on a list."""
    folded = {_CLASS_SPELLINGS.get(name.strip().lower(), name.strip().lower()) for name in names}
    return sorted(folded - _NO_CLASSES - {""}) or None


def school_name(name: str) -> str:
    """A school of magic in lower case; v2 files one spell under a word that is not a school."""
    return _SCHOOL_SPELLINGS.get(name.strip().lower(), name.strip().lower())


def spell_range(text: str) -> str | None:
    """One spelling of a range: "60 ft" and "60 Feet" → "60 feet", "self" → "Self", "1 Miles" → "1 mile"."""
    spelled = _FEET.sub("feet", " ".join(text.split())).rstrip(".")
    spelled = re.sub(r"(?<= )miles?\b", "mile" if re.match(r"1\s", spelled) else "miles", spelled, flags=re.IGNORECASE)
    if spelled == "anys":
        return "Special"
    return spelled[:1].upper() + spelled[1:] if spelled else None


def spell_duration(text: str, *, concentration: bool) -> str | None:
    """A duration with its first letter upper case: "up to 1 minute" of a concentration spell → "1 minute".

    `concentration` already says that the spell may end early.
    """
    spelled = " ".join(text.split()).rstrip(".").lower()
    if concentration:
        spelled = _UP_TO.sub("", spelled)
    return spelled[:1].upper() + spelled[1:] if spelled else None


def reaction_condition(text: str | None) -> str | None:
    """The trigger of a reaction: "which you take when you hum" and "you hum" → "when you hum"."""
    condition = _TRIGGER.sub("", " ".join((text or "").split())).rstrip(".")
    if not condition:
        return None
    return condition if condition.startswith(_TRIGGER_WORDS) else f"when {condition}"


def spell_components(
    parts: tuple[bool, ...], material: str | None, cost: float | None = None, *, consumed: bool | None = None
) -> JsonObject:
    """The struct of a spell's components; `cost` and `consumed` are from a field on the material."""
    verbal, somatic, has_material = parts
    material = material if has_material else None  # v2 files a condition of casting there
    return {
        "verbal": verbal,
        "somatic": somatic,
        "material": has_material,
        "material_description": _GLUED_PRICE.sub(" ", material.rstrip(".")) if material else None,
        "material_cost_gp": cost,
        "material_consumed": consumed,
    }


def read_material(components: JsonObject, description: str) -> JsonObject:
    """The components, with the material's price and whether it is consumed read from the texts.

    A field that says otherwise is wrong (v2 marks every priced material of 2024 as consumed); it only fills in a price
    that the texts do not state.
    """
    material = components["material_description"]
    if not material:
        return components
    cost = materials.cost_gp(material)
    return {
        **components,
        "material_cost_gp": cost if cost is not None else components["material_cost_gp"],
        "material_consumed": materials.is_consumed(material, description),
    }


def sized_area(type: str | None, size: int | None) -> JsonObject | None:  # noqa: A002 the API's name
    """The struct of an area of effect from fields; None if there is none, or its size is not a length."""
    return {"shape": type, "size": size, "unit": "feet"} if type and size and size <= _WIDEST else None
