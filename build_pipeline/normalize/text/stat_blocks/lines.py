"""Parse minor stat block lines (defences, senses, speeds, skills, saves), given as text or as an object's members."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any, Final

from build_pipeline.normalize.text.clean import known
from server.dataset import vocabulary
from server.dataset.schema import SKILLS
from server.dataset.vocabulary import SIZES

DAMAGE_COLUMNS: Final = ("damage_vulnerabilities", "damage_resistances", "damage_immunities")
CONDITION_COLUMNS: Final = ("condition_vulnerabilities", "condition_resistances", "condition_immunities")
LEVEL_UP_CONDITIONS: Final = ("fatigue", "confused", "doomed", "rattled", "slowed", "strife", "encumbered")
"""Conditions found only in Level Up's rules."""
CONDITIONS: Final = (*vocabulary.CONDITIONS, "diseased", "bloodied", "surprised", *LEVEL_UP_CONDITIONS)
"""The conditions of every publisher, and states that texts treat like conditions."""
CONDITION_OF_VERB: Final = {"blinds": "blinded", "deafens": "deafened", "paralyzes": "paralyzed", "stuns": "stunned"}
SIZE_OF_HIT_DIE: Final = dict(zip(("d4", "d6", "d8", "d10", "d12", "d20"), SIZES, strict=True))
"""The rules' table "Hit Dice by Size"."""

_CONDITION_SPELLINGS: Final = {
    "paralysis": "paralyzed", "exhausted": "exhaustion", "blindness": "blinded", "blind": "blinded",
    "poison": "poisoned", "fatigued": "fatigue", "confusion": "confused", "petrification": "petrified",
}  # fmt: skip

_PHYSICAL: Final = r"(?:bludgeoning|piercing|slashing)"
_PHRASE: Final = re.compile(
    rf"\b(?:nonmagic(?:al)?\b|damage\s+(?:from|with|of|dealt)|(?:{_PHYSICAL}[\s,]*(?:(?:and|or)\s+)?)+"
    r"(?:damage\s+|weapons?\s+)*(?:from|with|made|that|dealt|attacks|weapons|\(from)).*$"
)
_SENTENCE: Final = re.compile(r"^one\s+of\b|\b(?:is|are|enjoys)\s+(?:immune|vulnerable|resistant|the)\b")
_COMMAS: Final = re.compile(r"\s*,\s*(?:(?:and|or)\s+)?(?![^()]*\))|\s+and\s+(?![^()]*\))")
_MISSPELT: Final = {
    "lighting": "lightning",
    "piericing": "piercing",
    "nomagical": "nonmagical",
    "non magical": "nonmagical",
    "b/p/s": "bludgeoning, piercing, and slashing",
    "w/": "with ",
    "&": "and",
}
_MISSPELLING: Final = re.compile("|".join(rf"(?<!\w){re.escape(word)}" for word in _MISSPELT))
_KINDS: Final = rf"(?P<kinds>{_PHYSICAL}(?:[\s,]+(?:(?:and|or)\s+)?{_PHYSICAL})*)"
_NONMAGIC_FIRST: Final = re.compile(rf"^nonmagic(?:al)?\s+{_KINDS}\s+(?P<means>attacks|weapons)")
_KINDS_FROM: Final = re.compile(rf"^{_KINDS}(?:\s+damage)?\s+(?:from|with)\b")
_EXCEPTED: Final = re.compile(
    r"\s(?:not\s+made\s+with|that\s+aren['’]t)\s+(?P<metal>adamantine|cold\s+iron|silver)(?:ed)?(?:\s+weapons)?$"
)
_AFTER_PHRASE: Final = re.compile(rf",\s*(?=(?:{'|'.join(CONDITIONS)}|(?:\w+\s+){{1,2}}resilience)\b)")
"""Comma before a condition or trait name that follows a phrase: it starts a new list member."""
_MARKUP: Final = re.compile(r"\[/?\+\+\].*")
SENSES: Final = ("darkvision", "blindsight", "tremorsense", "truesight", "keensense")
"""Senses with a range; keensense is from Black Flag."""

_SENSE_SPELLINGS: Final = {"blindsense": "blindsight"}
"""An older edition's name of a sense → its current name."""
_SENSE: Final = re.compile(
    rf"\b(?P<sense>{'|'.join((*SENSES, *_SENSE_SPELLINGS))})\s+(?:to\s+)?(?P<range>\d+)", re.IGNORECASE
)
_BLIND_BEYOND: Final = re.compile(r"\b(?:blind|can['’]t sense) beyond\b", re.IGNORECASE)
_PASSIVE: Final = re.compile(r"\bpassive\s+perception\s+(?P<value>\d+)", re.IGNORECASE)
_FARTHEST: Final = 500
"""Longest printed range of a sense, in feet; anything larger is two numbers run together ("60 (18)")."""

_BRACKETS: Final = re.compile(r"\([^()]*\)")
_OTHER_FORM: Final = re.compile(
    r"(?:[a-z]+\s+)?\d+\s*ft\.?\s*\((?![^()]*\d\s*ft\b)[^()]*\b(?:only|requires|if)\b[^()]*\)", re.IGNORECASE
)
"""A conditional speed; in brackets that contain a speed, the condition is only about that one."""
_MODE: Final = r"(?:walk|burrow|climb|fly|swim)"
_MODES: Final = re.compile(
    rf"(?:\b(?P<modes>{_MODE}(?:\s+or\s+{_MODE})*)\s+)?(?P<feet>\d+)\s*(?:ft\b|feet\b)", re.IGNORECASE
)

_SKILL_SPELLINGS: Final = {"sleight": "sleight_of_hand", "animal": "animal_handling"}
_OF_A_FORM: Final = re.compile(r"in (?:[a-z]+ )+form\b", re.IGNORECASE)
_SPELL_WORN: Final = re.compile(r"^\d+(?= mage armor\b)")
_HALF_ALIGNMENT: Final = re.compile(r"(?:any\s+)?(?:non-)?(?:lawful|chaotic|good|evil)")


def damage_kinds(text: str | None) -> list[str]:
    """Members of a list of resistances: each damage type separately, a longer phrase as one, a sentence as printed.

    >>> damage_kinds("cold, fire; bludgeoning, piercing, and slashing from nonmagical attacks")
    ['cold', 'fire', 'bludgeoning, piercing, and slashing from nonmagical attacks']
    """
    plain = " ".join(html.unescape(known(text) or "").split())
    folded = plain.lower().rstrip(".")
    folded = _MISSPELLING.sub(lambda m: _MISSPELT[m[0]], _MARKUP.sub("", folded))
    folded = re.sub(r",(?=\S)", ", ", folded)
    if _SENTENCE.search(folded):
        return [plain]
    members: list[str] = []
    for part in folded.split(";"):
        phrase = _PHRASE.search(part)
        members += _COMMAS.split(part[: phrase.start()] if phrase else part)
        members += map(_canonical_phrase, _AFTER_PHRASE.split(phrase[0])) if phrase else []
    bare = (re.sub(r"^(\w+) damage$", r"\1", member.strip()) for member in members)
    return list(dict.fromkeys(member for member in bare if member))


def _canonical_phrase(phrase: str) -> str:
    """The spelling that most books use for a phrase; others vary only its order, commas and wording.

    >>> _canonical_phrase("slashing and piercing damage from nonmagical attacks that aren't silvered")
    'piercing and slashing from nonmagical attacks not made with silvered weapons'
    """
    phrase = _NONMAGIC_FIRST.sub(r"\g<kinds> from nonmagical \g<means>", phrase)
    phrase = _KINDS_FROM.sub(lambda match: f"{_listed(match['kinds'])} from", phrase)
    return _EXCEPTED.sub(lambda match: f" not made with {match['metal'].replace('silver', 'silvered')} weapons", phrase)


def _listed(kinds: str) -> str:
    """Physical damage types in alphabetical order, as "a, b, and c"."""
    *first, last = sorted(set(re.findall(_PHYSICAL, kinds)))
    return f"{', '.join(first)}{',' * (len(first) > 1)} and {last}" if first else last


def conditions(text: str | None) -> list[str]:
    """Members of a list of conditions, in canonical spelling."""
    found: list[str] = []
    for part in re.split(r"\s*[,;]\s*(?:and\s+)?", (known(text) or "").lower().strip()):
        words = part.split()
        found += words if len(words) > 1 and all(_condition(word) in CONDITIONS for word in words) else [part]
    return list(dict.fromkeys(_condition(part) for part in found if part))


def _condition(word: str) -> str:
    return _CONDITION_SPELLINGS.get(word, word)


def senses(text: str, *, records_blindness: bool = True) -> dict[str, int | bool | None]:
    """Ranges in feet and passive Perception of a line such as "darkvision 60 ft., passive Perception 12".

    `blind_beyond`, if not stated, is unknown without blindsight or keensense: most lines that state it have one.
    `records_blindness`: the book prints it for some creatures, so its absence means False rather than unknown.
    """
    ranges: dict[str, int | None] = dict.fromkeys(SENSES)
    for match in _SENSE.finditer(text):
        sense = _SENSE_SPELLINGS.get(match["sense"].lower(), match["sense"].lower())
        ranges[sense] = ranges[sense] or plausible_range(int(match["range"]))
    passive = _PASSIVE.search(text)
    blind = (bool(_BLIND_BEYOND.search(text)) and any(ranges.values())) or (False if records_blindness else None)
    return {
        **ranges,
        "blind_beyond": blind if blind or ranges["blindsight"] or ranges["keensense"] else None,
        "passive_perception": int(passive["value"]) if passive else None,
    }


def plausible_range(feet: int | None) -> int | None:
    """The range of a sense in feet, or None if implausible."""
    return feet if feet is not None and 0 < feet <= _FARTHEST else None


def speed(modes: Mapping[str, Any], *, records_hover: bool = True) -> dict[str, int | bool | None]:
    """Speeds in feet by mode. 0 is a fact (a shark cannot walk); the absence of hovering is known only for flyers.

    `records_hover`: the source records hovering, so its absence means False rather than unknown.
    """
    feet = {mode: _feet(modes.get(mode)) for mode in ("walk", "fly", "swim", "climb", "burrow")}
    if feet["burrow"] is None:
        feet["burrow"] = _feet(modes.get("bur."))
    hover = bool(modes.get("hover")) or (False if records_hover else None)
    return {**feet, "hover": hover if feet["fly"] or hover else None}


def printed_speed(text: str) -> dict[str, int | bool | None] | None:
    """Speeds in feet of a line such as "30 ft., climb or fly 20 ft. (hover)", or None if it has none.

    Conditional speeds ("climb 30 ft. (bear form only)", "30 ft. (40 ft. in wolf form)") count only for modes that the
    creature otherwise lacks.
    """
    modes: dict[str, Any] = {"hover": "hover" in text.lower()}
    always = list(_MODES.finditer(_BRACKETS.sub("", _OTHER_FORM.sub("", text))))
    for match in [*always, *(each for each in _MODES.finditer(text) if each["modes"])]:
        for mode in (match["modes"] or "walk").lower().split(" or "):
            modes.setdefault(mode, match["feet"])
    return speed(modes) if len(modes) > 1 else None


def _feet(value: Any) -> int | None:
    match = re.match(r"\s*(\d+)", str(value)) if value is not None else None
    return int(match[1]) if match else None


def skills(bonuses: Mapping[str, int]) -> dict[str, int]:
    """Skill bonuses by the schema's keys, without entries that are not skills ("any", "darkvision")."""
    keys = {key.lower().replace(" ", "_"): bonus for key, bonus in bonuses.items()}
    named = {_SKILL_SPELLINGS.get(key, key): bonus for key, bonus in keys.items()}
    return {skill: named[skill] for skill in SKILLS if skill in named}


def modifier(score: int) -> int:
    """The modifier of an ability score."""
    return (score - 10) // 2


def proficient_saves(saves: Mapping[str, int], scores: Mapping[str, int]) -> dict[str, int]:
    """Proficient saves; if all six are printed, those above the bare ability modifier."""
    if len(saves) < 6:  # noqa: PLR2004 the six abilities
        return dict(saves)
    return {ability: bonus for ability, bonus in saves.items() if bonus > modifier(scores[ability])}


def alignment(text: str | None) -> str | None:
    """An alignment in lower case; None if there is none, or only a fragment of a type line ("Titan)")."""
    folded = " ".join((known(text) or "").lower().split())
    if not folded or folded.count("(") != folded.count(")"):
        return None
    if folded == "any" or (folded.startswith("any ") and _HALF_ALIGNMENT.fullmatch(folded)):
        return f"{folded} alignment"
    return folded


def end_of_type(alignment: str | None) -> str | None:
    """The last subtype of a type line that was cut at a comma, if that fragment is given as the alignment: "Titan)"."""
    scrap = (known(alignment) or "").strip()
    return scrap.removesuffix(")").lower() if scrap.endswith(")") and "(" not in scrap else None


def armor_description(text: str | None, armor_class: int | None = None) -> str | None:
    """The source of an armor class, without stray brackets and emphasis.

    Where it begins with the form that has the armor class, it makes sense only with the number: "10 in newt form, 11
    (natural armor) in bear form".
    """
    plain = (known(text) or "").replace("_", "").strip()
    if plain.startswith("n humanoid form") and plain.endswith(" for"):
        plain = f"i{plain}m"  # both ends were cut off
    if _OF_A_FORM.match(plain) and armor_class is not None:
        plain = f"{armor_class} {plain}"
    plain = _SPELL_WORN.sub(r"\g<0> with", plain)
    if plain.count("(") < plain.count(")"):
        plain = plain.replace(")", "", 1)
    return {"natural": "natural armor", "": None}.get(plain, plain)
