"""Creatures as Foundry NPCs: the stat block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from server.dataset.vocabulary import ABILITY_OF_SKILL, CONDITIONS, CREATURE_TYPES, DAMAGE_TYPES
from server.exports.foundry.documents import ABILITIES, Document, document, html
from server.exports.foundry.features import features
from server.sheets.creatures import armor_class, gear, printed_lines, resisted, sizes
from server.sheets.markdown import facts, heading, plain
from server.sheets.wording import ability_modifier, dice, modifier, titled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from server.dataset.record import Record

SIZES: Final = {"tiny": "tiny", "small": "sm", "medium": "med", "large": "lg", "huge": "huge", "gargantuan": "grg"}
SKILLS: Final = {
    "acrobatics": "acr",
    "animal_handling": "ani",
    "arcana": "arc",
    "athletics": "ath",
    "deception": "dec",
    "history": "his",
    "insight": "ins",
    "intimidation": "itm",
    "investigation": "inv",
    "medicine": "med",
    "nature": "nat",
    "perception": "prc",
    "performance": "prf",
    "persuasion": "per",
    "religion": "rel",
    "sleight_of_hand": "slt",
    "stealth": "ste",
    "survival": "sur",
}
"""Skill → its key; the system does not have the skills of other publishers."""
_CONDITIONS: Final = frozenset({*CONDITIONS, "diseased"})
HABITATS: Final = {
    **{name: name for name in ("arctic", "desert", "forest", "grassland", "mountain", "swamp", "underdark", "urban")},
    "underwater": "underwater",
    "coast": "coastal",
    "hills": "hill",
}
"""Environment → habitat; other environments become custom text."""
_SIZE_OF_TOKEN: Final = {"large": 2, "huge": 3, "gargantuan": 4, "titanic": 5}
_BYPASSES: Final = {"nonmagical": "mgc", "silver": "sil", "adamantine": "ada"}
_SENSES: Final = ("darkvision", "blindsight", "tremorsense", "truesight")
_MOVEMENTS: Final = ("walk", "fly", "swim", "climb", "burrow")
_SWARM: Final = "swarm"
_OPENING: Final = re.compile(rf"\blarge enough for an? ({'|'.join(SIZES)})\b", re.IGNORECASE)
_BLIND: Final = "blind beyond this radius"
_PASSIVE: Final = 10
"""The base of a passive check, to which the skill's bonus is added."""
_RESISTANCES: Final = re.compile(r"Legendary Resistance \((\d+)/Day", re.IGNORECASE)


def npc(record: Record) -> Document:
    """A creature as an actor."""
    tokens = _SIZE_OF_TOKEN.get(record.get("size") or "", 1)
    system = {
        "abilities": {key: _ability(record, name) for name, key in ABILITIES.items()},
        "attributes": _attributes(record),
        "details": {
            "alignment": titled(record.get("alignment") or ""),
            "type": _type(record),
            "cr": record.get("challenge_rating"),
            "habitat": _habitat(record),
            "biography": {"value": _biography(record), "public": ""},
        },
        "traits": _traits(record),
        "skills": dict(_skills(record)),
        "resources": {
            "legact": {"value": record.get("legendary_uses") or 0, "max": record.get("legendary_uses") or 0},
            "legres": {"value": _resistances(record), "max": _resistances(record)},
            "lair": {"value": _has_lair(record), "initiative": None},
        },
    }
    token = {"name": record["name"], "width": tokens, "height": tokens}
    return document(record, "npc", system, items=list(features(record)), prototypeToken=token)


def _biography(record: Record) -> str:
    """The description, and the facts that the system has no field for, or only a number."""
    foreign = {name: bonus for name, bonus in (record.get("skills") or {}).items() if name not in SKILLS}
    told = facts(
        ("Size", sizes(record) if record.get("other_sizes") else None),
        ("Armor Class", armor_class(record) if record.get("armor_description") else None),
        (
            "Skills",
            ", ".join(f"{titled(name)} {modifier(bonus)}" for name, bonus in foreign.items() if bonus is not None),
        ),
        *printed_lines(record).items(),
        ("Gear", gear(record)),
        ("Group", plain(record.get("group") or "")),
        colon=True,
    )
    legendary = record.get("legendary_description")
    shown = f"{heading(3, 'Legendary Actions')}\n\n{legendary}" if legendary else None
    return "\n".join(filter(None, map(html, (record.get("description"), told, shown))))


def _habitat(record: Record) -> Document:
    environments = record.get("environments") or ()
    return {
        "value": [{"type": HABITATS[each]} for each in environments if each in HABITATS],
        "custom": "; ".join(titled(each) for each in environments if each not in HABITATS),
    }


def _ability(record: Record, name: str) -> Document:
    """The score, and whether it is proficient in the saving throw, with any surplus of the printed bonus.

    If no score is known, the system assumes one without a modifier, and the printed saving throw becomes a bonus.
    """
    score = (record.get("ability_scores") or {}).get(name)
    save = (record.get("saving_throws") or {}).get(name)
    if score is None:
        return {"proficient": 0, "bonuses": {"check": "", "save": _bonus(save or 0)}}
    beyond = 0 if save is None else save - ability_modifier(score) - _proficiency(record)
    return {"value": score, "proficient": 0 if save is None else 1, "bonuses": {"check": "", "save": _bonus(beyond)}}


def _skills(record: Record) -> Iterator[tuple[str, Document]]:
    """The skills with a bonus of their own: the system rolls all others with the ability modifier."""
    passive = (record.get("senses") or {}).get("passive_perception")
    for name, key in SKILLS.items():
        ability = ABILITY_OF_SKILL[name]
        untrained = _modifier(record, ability)
        bonus = (record.get("skills") or {}).get(name)
        rolled = untrained if bonus is None else bonus
        beyond = passive - _PASSIVE - rolled if name == "perception" and passive is not None else 0
        if bonus is None and not beyond:
            continue
        proficiency = _proficiency(record)
        value = 0 if bonus is None else 2 if rolled - untrained >= 2 * proficiency else 1
        check = rolled - untrained - value * proficiency
        yield (
            key,
            {
                "value": value,
                "ability": ABILITIES[ability],  # without it, the system would take Dexterity
                "bonuses": {"check": _bonus(check), "passive": _bonus(beyond)},
            },
        )


def _bonus(number: int) -> str:
    return str(number) if number else ""


def _modifier(record: Record, ability: str) -> int:
    """The modifier of the score, or of the score that the system assumes if none is known."""
    score = (record.get("ability_scores") or {}).get(ability)
    return 0 if score is None else ability_modifier(score)


def _proficiency(record: Record) -> int:
    return int(record.get("proficiency_bonus") or 2)


def _attributes(record: Record) -> Document:
    speed, senses = record.get("speed") or {}, record.get("senses") or {}
    initiative = record.get("initiative_bonus")
    points = record.get("hit_points") or 0
    keen = senses.get("keensense")
    special = (f"Keensense {keen} ft." if keen else None, _BLIND if senses.get("blind_beyond") else None)
    return {
        "ac": {"flat": record.get("armor_class"), "calc": "flat"},
        "hp": {"value": points, "max": points, "formula": dice(record.get("hit_dice") or "").replace("−", "-")},
        "init": {"bonus": "" if initiative is None else _bonus(initiative - _modifier(record, "dexterity"))},
        "movement": {
            **{kind: speed.get(kind) or 0 for kind in _MOVEMENTS},
            "units": "ft",
            "hover": bool(speed.get("hover")),
        },
        "senses": {
            **{kind: senses.get(kind) or 0 for kind in _SENSES},
            "units": "ft",
            "special": "; ".join(filter(None, special)),
        },
    }


def _type(record: Record) -> Document:
    told, subtype = record.get("type") or "", record.get("subtype") or ""
    known, swarm = told in CREATURE_TYPES, _swarm(record)
    return {
        "value": told if known else "custom",
        "subtype": "" if swarm and subtype == _SWARM else titled(subtype),
        "swarm": swarm,
        "custom": "" if known else titled(told),
    }


def _swarm(record: Record) -> str:
    """The size of a swarm's members, from the opening that they pass through; empty if not a swarm or not stated."""
    if _SWARM not in (record.get("subtype") or ""):
        return ""
    told = (_OPENING.search(trait.get("description") or "") for trait in record.get("traits") or ())
    return next((SIZES[found[1].lower()] for found in told if found), "")


def _traits(record: Record) -> Document:
    conditions = record.get("condition_immunities") or ()
    return {
        "size": SIZES.get(record.get("size") or "", "grg" if record.get("size") == "titanic" else "med"),
        "dv": _damage_trait(resisted(record, "vulnerabilities")),
        "dr": _damage_trait(resisted(record, "resistances")),
        "di": _damage_trait(record.get("damage_immunities")),
        "ci": {
            "value": sorted(_CONDITIONS & set(conditions)),
            "custom": "; ".join(each for each in conditions if each not in _CONDITIONS),
        },
        "languages": {"value": [], "custom": record.get("languages") or ""},
    }


def _damage_trait(phrases: Sequence[str] | None) -> Document:
    """Types of damage; a phrase on nonmagical attacks gives its types and bypasses, any other phrase stays as text."""
    types: set[str] = set()
    bypasses: set[str] = set()
    others = []
    for phrase in phrases or ():
        before, nonmagical, _ = phrase.partition(" from nonmagical ")  # what follows may be "cold iron", not a type
        named = set(re.findall(r"[a-z]+", before)).intersection(DAMAGE_TYPES)
        if phrase in DAMAGE_TYPES:
            types.add(phrase)
        elif named and nonmagical and "(" not in phrase:
            types |= named
            bypasses |= {key for word, key in _BYPASSES.items() if word in phrase}
        else:
            others.append(phrase)
    return {"value": sorted(types), "bypasses": sorted(bypasses), "custom": "; ".join(others)}


def _has_lair(record: Record) -> bool:
    """Whether it has lair actions or, as in the books of 2024, more experience points in its lair."""
    return bool(record.get("lair_actions") or record.get("lair_experience_points"))


def _resistances(record: Record) -> int:
    told = (f"{trait['name']} ({trait.get('usage') or ''})" for trait in record.get("traits") or ())
    found = (_RESISTANCES.match(name.replace(") (", "; ")) for name in told)
    return next((int(match[1]) for match in found if match), 0)
