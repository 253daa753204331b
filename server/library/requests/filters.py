"""Every filter, declared once: parameter, path to the values, kind of value, wording.

Everything else derives from `FILTERS`: the tools' parameters, their descriptions and parsing, the terminal's options,
row selection (`selection.py`), message wording, and the tests' cases. `filter_types.py` documents the fields of an
entry.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from server.dataset.vocabulary import canonical_casting_time
from server.library.requests.filter_types import (
    Filter,
    Numbers,
    ValueKind,
    at_least,
    at_most,
    exactly,
    flag,
    fold_dice,
    fold_place,
    one_of,
    text,
)

_LEVEL: Final = Numbers(ValueKind.INTEGER, 0, 9)
_RATING: Final = Numbers(ValueKind.CHALLENGE, 0, 30)
_COUNT: Final = Numbers(ValueKind.INTEGER, 0)
_AMOUNT: Final = Numbers(ValueKind.NUMBER, 0)

_WEAPONS: Final = ("weapon", "magic-item", "all")
_ENCHANTED: Final = ("magic-item", "all")
_MAGICAL: Final = ("weapon", "armor", "magic-item", "all")

_DECLARED: Final[dict[str, tuple[Filter, ...]]] = {
    "spell": (
        exactly("level", "level", _LEVEL, "of level {value}", "0: cantrip"),
        at_least("level_min", "level", _LEVEL, "of level {value} or higher", "E.g. 1"),
        at_most("level_max", "level", _LEVEL, "of level {value} or lower", "E.g. 3"),
        one_of("school", "school", "of school {value}"),
        text("class_key", "classes", "for class {value}", "E.g. wizard"),
        flag("concentration", "concentration", "with concentration", "without concentration", "true: needs it"),
        flag("ritual", "ritual", "castable as rituals", "not castable as rituals", "true: a ritual"),
        text(
            "casting_time",
            "casting_time",
            "with casting time {value}",
            "E.g. reaction",
            fold=canonical_casting_time,
            alternatives=True,
        ),
        text("damage_type", "damage_types", "dealing {value} damage", "E.g. fire"),
        text("inflicts", "inflicts", "inflicting {value}", "E.g. prone"),
        text("forces_saves", ("saving_throw", "forces_saves"), "forcing {value} saves", "E.g. wisdom"),
        at_most(
            "material_cost_max",
            "components.material_cost_gp",
            _AMOUNT,
            "with a material costing {value} gp or less",
            "gp: 100",
            none_without="components.material",
        ),
    ),
    "creature": (
        exactly("cr", "challenge_rating", _RATING, "of challenge rating {value}", "E.g. 5, 1/4"),
        at_least("cr_min", "challenge_rating", _RATING, "of challenge rating {value} or higher", "E.g. 1"),
        at_most("cr_max", "challenge_rating", _RATING, "of challenge rating {value} or lower", "E.g. 1/2"),
        one_of("type", "type", "of type {value}", finer="subtype"),
        one_of("size", ("size", "other_sizes"), "of size {value}"),
        at_least("armor_class_min", "armor_class", _COUNT, "with armor class {value} or higher", "E.g. 15"),
        at_least("hit_points_min", "hit_points", _COUNT, "with {value} hit points or more", "E.g. 50"),
        text("environment", "environments", "in environment {value}", "E.g. desert", fold=fold_place, sparse=True),
        one_of("movement", "speed.*", "that can {value}"),
        text(
            "immune_to",
            ("damage_immunities", "condition_immunities"),
            "immune to {value}",
            "E.g. fire, prone",
            conditional=True,
        ),
        text(
            "resistant_to",
            ("damage_resistances", "condition_resistances"),
            "resistant to {value}",
            "E.g. cold",
            conditional=True,
        ),
        text(
            "vulnerable_to",
            ("damage_vulnerabilities", "condition_vulnerabilities"),
            "vulnerable to {value}",
            "E.g. cold",
            conditional=True,
        ),
        text("inflicts", "inflicts", "inflicting {value}", "E.g. prone"),
        text("forces_saves", "forces_saves", "forcing {value} saves", "E.g. wisdom"),
        text("spell", "spells[].name", "casting {value}", "Name or id", id_path="spells[].id"),
    ),
    "equipment": (
        one_of("rarity", "rarity", "of rarity {value}", only=_MAGICAL),
        text("damage_dice", "damage_dice", "with damage {value}", "E.g. 2d6", only=_WEAPONS, fold=fold_dice),
        flag(
            "is_simple",
            "is_simple",
            "that are simple",
            "that are not simple",
            "false: martial",
            only=_WEAPONS,
        ),
        Filter(
            parameter="requires_attunement",
            paths=("requires_attunement", "attunement_detail"),
            kind=ValueKind.ATTUNEMENT,
            phrase="with attunement ({value})",
            phrase_false="without attunement",
            doc="Or e.g. wizard",
        ),
        at_least("cost_min", "cost_gp", _AMOUNT, "costing {value} gp or more", "gp: 5"),
        at_most("cost_max", "cost_gp", _AMOUNT, "costing {value} gp or less", "gp: 50"),
        at_most("weight_max", "weight_lb", _AMOUNT, "weighing {value} lb or less", "lb: 3"),
        flag("is_finesse", "is_finesse", "with finesse", "without finesse", "true: finesse", only=_WEAPONS),
        flag("is_light", "is_light", "that are light", "that are not light", "true: light", only=_WEAPONS),
        flag("is_magic", "is_magic", "that are magical", "that are not magical", "false: mundane"),
        text("property", "properties[].name", "with property {value}", "E.g. reach", only=_WEAPONS),
        text("mastery", "mastery", "with mastery {value}", "E.g. topple", only=_WEAPONS),
        text("spell", "spells[].name", "casting {value}", "Name or id", id_path="spells[].id", only=_ENCHANTED),
    ),
    "character_option": (
        text(
            "subclass_of",
            "subclass_of.name",
            "of class {value}",
            "E.g. wizard",
            id_path="subclass_of.id",
            only=("class",),
        ),
        text("feat_type", "feat_type", "of feat type {value}", "E.g. origin", only=("feat",)),
    ),
    "rule": (
        text(
            "section",
            ("section", "headings"),
            "in section {value}",
            "E.g. combat",
            only=("rule",),
            refused=True,
        ),
    ),
}

FILTERS: Final = tuple(
    replace(declared, family=family) for family, filters in _DECLARED.items() for declared in filters
)


def filters_of(family: str) -> tuple[Filter, ...]:
    """The filters of a family, in the order the tools list them."""
    return tuple(f for f in FILTERS if f.family == family)
