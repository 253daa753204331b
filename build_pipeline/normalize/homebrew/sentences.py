"""Sentences for what OrcPub stores as numbers and flags: properties, proficiencies, modifiers by level."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

from build_pipeline.normalize.homebrew.items import (
    HomebrewCollection,
    Item,
    Key,
    flags,
    in_words,
    keys,
    level_of,
    listed,
    mapping,
    maps,
    text,
    title,
    within,
    words,
)
from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.numerals import ordinal
from build_pipeline.snapshot.orcbrew.field_types import whole
from build_pipeline.snapshot.orcbrew.references import srd_name

Statement = tuple[str, str]
"""A heading and a sentence."""

_PROFICIENT: Final = "Proficiency in {}."
_AMOUNTS: Final[dict[str, Statement]] = {
    "initiative": ("Initiative", "You have a bonus of {0:+d} to initiative."),
    "speed": ("Speed", "Your walking speed {change} feet."),
    "flying-speed": ("Flying Speed", "You have a flying speed of {0} feet."),
    "swimming-speed": ("Swimming Speed", "You have a swimming speed of {0} feet."),
    "climbing-speed": ("Climbing Speed", "You have a climbing speed of {0} feet."),
    "max-hp-bonus": ("Hit Points", "Your hit point maximum {change} for each of your levels."),
    "skill-tool-choice": ("Skills and Tools", "You gain proficiency with {number} skill{s} or tool{s} of your choice."),
    "language-choice": ("Languages", "You learn {number} language{s} of your choice."),
    "weapon-prof-choice": ("Weapons", "You gain proficiency with {number} weapon{s} of your choice."),
    "num-attacks": ("Extra Attack", "You attack {times} when you take the Attack action."),
    "darkvision": ("Darkvision", "You can see in the dark within {0} feet."),
}
"""Property or modifier with a number → heading and sentence."""
_MOST: Final = {"num-attacks": 10}
"""Largest number of a property or modifier, where that is not 1,000."""
_SWITCHES: Final[dict[str, Statement]] = {
    "two-weapon-ac-1": ("Two Weapons", "You have +1 to armor class while you hold a weapon in each hand."),
    "two-weapon-any-one-handed": ("Two Weapons", "You can fight with two one-handed weapons that are not light."),
    "passive-perception-5": ("Passive Perception", "You have +5 to passive Wisdom (Perception)."),
    "passive-investigation-5": ("Passive Investigation", "You have +5 to passive Intelligence (Investigation)."),
    "medium-armor-max-dex-3": ("Medium Armor", "Medium armor lets you add up to 3 for Dexterity."),
    "medium-armor-stealth": ("Medium Armor", "Medium armor does not hinder your Dexterity (Stealth) checks."),
    "saving-throw-advantage-traps": ("Traps", "You have advantage on saving throws against traps."),
    "improvised-weapons-prof": ("Improvised Weapons", "You are proficient with improvised weapons."),
    "magic-novice": ("Magic Novice", "You choose cantrips and a 1st-level spell from one class's list."),
    "ritual-casting": ("Ritual Casting", "You can cast rituals from a ritual book."),
    "attack-spell": ("Attack Cantrip", "You choose a cantrip that needs an attack roll."),
    "flying-speed-equals-walking-speed": ("Flying Speed", "You have a flying speed equal to your walking speed."),
    "lizardfolk-ac": ("Natural Armor", "Without armor your armor class is 13 + your Dexterity modifier."),
    "tortle-ac": ("Natural Armor", "Your armor class is 17, whatever your Dexterity."),
}
"""Property or modifier that is on or off → heading and sentence."""
_GROUPS: Final[dict[str, Statement]] = {
    "skill-prof": ("Skill Proficiencies", _PROFICIENT),
    "skill": ("Skill Proficiencies", _PROFICIENT),
    "skill-prof-or-expertise": ("Skills", "Proficiency in {}, or expertise if you have that."),
    "tool-prof-or-expertise": ("Tools", "Proficiency with {}, or expertise if you have that."),
    "tool-prof": ("Tool Proficiencies", "Proficiency with {}."),
    "tool": ("Tool Proficiencies", "Proficiency with {}."),
    "armor-prof": ("Armor Proficiencies", "Proficiency with {}."),
    "armor": ("Armor Proficiencies", "Proficiency with {}."),
    "weapon-prof": ("Weapon Proficiencies", "Proficiency with {}."),
    "weapon": ("Weapon Proficiencies", "Proficiency with {}."),
    "save": ("Saving Throws", "Proficiency in {} saving throws."),
    "damage-resistance": ("Damage Resistance", "Resistance to {} damage."),
    "damage-immunity": ("Damage Immunity", "Immunity to {} damage."),
    "damage-vulnerability": ("Damage Vulnerability", "Vulnerability to {} damage."),
    "condition-immunity": ("Condition Immunity", "You cannot be {}."),
    "saving-throw-advantage": ("Saving Throws", "Advantage on saving throws against being {}."),
    "language": ("Languages", "You know {}."),
}
"""Property, proficiency or modifier that names several things → heading and sentence."""
_CHOICES: Final[dict[str, Statement]] = {
    "skill-options": ("Skill Proficiencies", "Choose {} of {}."),
    "skill-expertise-options": ("Expertise", "Choose {} of {}, to double your proficiency bonus."),
    "language-options": ("Languages", "Choose {} of {}."),
    "weapon-proficiency-options": ("Weapon Proficiencies", "Choose {} of {}."),
    "multiclass-skill-options": ("Skills of a Second Class", "Choose {} of {}."),
}
"""Proficiency that the player chooses → heading and sentence."""
_NAMES: Final = {
    "simple": "simple weapons",
    "martial": "martial weapons",
    "light": "light armor",
    "medium": "medium armor",
    "heavy": "heavy armor",
    "water-vehicles": "vehicles (water)",
    "land-vehicles": "vehicles (land)",
}
_ACTIONS: Final = {
    "action": "action",
    "b-action": "bonus action",
    "bonus-action": "bonus action",
    "reaction": "reaction",
}
"""Type of a trait → the action that it takes."""
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six")


def number(count: int) -> str:
    """A small number in words."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def ability(value: Any) -> str | None:
    """An ability's name from its key."""
    name = ABILITY_OF.get(value) if isinstance(value, str) else None
    return name.title() if name else None


def by_number(value: Any) -> list[tuple[int, Any]]:
    """The entries of a map whose keys are numbers, in order."""
    numbered = ((whole(key), part) for key, part in mapping(value).items())
    return sorted(((n, part) for n, part in numbered if n is not None and n >= 0), key=lambda pair: pair[0])


def trait_text(part: dict[str, Any]) -> str | None:
    """The text of a trait, with the kind of action that it takes if the text does not mention it."""
    description = text(part.get("description")) or text(part.get("summary"))
    kind = part.get("type")
    taken = _ACTIONS.get(kind.lower()) if isinstance(kind, str) else None
    if taken is None or re.search(rf"\b{taken}\b", description or "", re.IGNORECASE):
        return description
    return " ".join(filter(None, (description, f"It takes {'an' if taken == 'action' else 'a'} {taken}.")))


def multiclass_needs(value: Any) -> str | None:
    """Prerequisites for multiclassing into a class: a map of ability scores, or keys, each of which means 13."""
    scores = dict.fromkeys(flags(value), 13)
    scores |= {key: least for key, given in mapping(value).items() if (least := within(given, 1, 30))}
    needs = [f"{name} {least}" for key, least in scores.items() if (name := ability(key))]
    return listed(needs) if needs else None


def gear_names(keys: Iterable[str]) -> list[str]:
    """Names of skills, weapons, armor or tools as used in a sentence."""
    return [_NAMES.get(key) or ability(key) or thing(key) for key in keys]


def thing(key: str) -> str:
    """The name of a piece of gear: `clothes-common`, in the SRD "Clothes, common" → "common clothes"."""
    name = (srd_name("equipment", key) or words(key)).lower()
    noun, _, kind = name.partition(", ")
    return f"{kind} {noun}".strip()


def properties(props: Any, origin: Item, collection: HomebrewCollection) -> list[Statement]:
    """The properties of a race, feat or class as sentences; unknown ones as key and value."""
    statements: list[Statement] = []
    for key, value in mapping(props).items():
        statements.extend(_property(key, value, origin, collection))
    return joined(statements)


def _property(key: str, value: Any, origin: Item, collection: HomebrewCollection) -> Iterator[Statement]:
    amount = _amount_of(key, value)
    if key in _AMOUNTS and amount:
        yield _amount(key, amount)
    elif key in _SWITCHES and value is True:
        yield _SWITCHES[key]
    elif isinstance(value, dict):
        switched = flags(value)
        if switched:
            yield _group(key, switched, origin, collection)
    elif key in _GROUPS and (members := flags([value] if isinstance(value, Key) else value)):
        yield _group(key, members, origin, collection)
    elif key not in _AMOUNTS and key not in _SWITCHES and value != 0 and (phrase := in_words(value)):
        yield title(key), "Yes." if value is True else stated(phrase)


def stated(phrase: str) -> str:
    """A phrase as a sentence, but a whole number alone without a period: "3." would begin a list in Markdown."""
    return phrase if phrase.isdigit() else f"{phrase[:1].upper()}{phrase[1:]}."


def _amount_of(key: str, value: Any) -> int | None:
    most = _MOST.get(key, 1000)
    return within(value, -most, most)


def _amount(key: str, amount: int) -> Statement:
    heading, sentence = _AMOUNTS[key]
    change = f"{'increases' if amount > 0 else 'decreases'} by {abs(amount)}"
    times = {1: "once", 2: "twice"}.get(amount, f"{number(amount)} times")
    plural = "" if amount == 1 else "s"
    return heading, sentence.format(amount, change=change, number=number(amount), times=times, s=plural)


def _group(key: str, members: list[str], origin: Item, collection: HomebrewCollection) -> Statement:
    if key not in _GROUPS:
        return title(key), stated(listed(gear_names(members)))
    heading, sentence = _GROUPS[key]
    if key == "language":
        return heading, sentence.format(listed([collection.name("languages", k, origin) for k in members]))
    if "damage" in key and "traps" in members:
        others = [m for m in members if m != "traps"]
        traps = f"{heading.partition(' ')[2].capitalize()} to damage of traps."
        return heading, f"{sentence.format(listed(others))} {traps}" if others else traps
    return heading, sentence.format(listed(gear_names(members)))


def proficiencies(profs: Any, origin: Item, collection: HomebrewCollection) -> list[Statement]:
    """The proficiencies of a race, subclass or background as sentences."""
    statements: list[Statement] = []
    for key, value in mapping(profs).items():
        if key in _CHOICES:
            choice = chosen(key, value)
            if choice:
                statements.append((_CHOICES[key][0], choice))
        elif key in {"tool-options", "multiclass-tool-options"}:
            kinds = tool_choices(value)
            if kinds:
                statements.append(("Tool Proficiencies", f"Choose {listed(kinds)}."))
        elif named := keys(value) if key == "save" else flags(value):
            statements.append(_group(key, named, origin, collection))
    return joined(statements)


def chosen(key: str, value: Any) -> str | None:
    """A choice of proficiencies: "Choose two of athletics, nature and survival."; one if no number is given."""
    options = mapping(mapping(value).get("options"))
    among = flags(options)
    if not among:
        return None
    count = whole(mapping(value).get("choose")) or 1
    if among == ["any"]:
        return f"{number(count)} of your choice.".capitalize()
    if len(among) <= count and key == "skill-options":
        return f"{listed(gear_names(among))}.".capitalize()
    names = [srd_name("languages", k) or title(k) for k in among] if key == "language-options" else gear_names(among)
    return _CHOICES[key][1].format(number(count), listed(names))


_TOOL_KINDS: Final = {
    "artisans-tool": ("kind of artisan's tools", "kinds of artisan's tools"),
    "musical-instrument": ("musical instrument", "musical instruments"),
    "gaming-set": ("gaming set", "gaming sets"),
}
"""Kind of tools → its name in the singular and the plural."""


def tool_choices(value: Any) -> list[str]:
    """The tools to choose, one phrase per kind: "one musical instrument"."""
    counts = {
        _TOOL_KINDS.get(key, (words(key), words(key))): whole(count) or 0 for key, count in mapping(value).items()
    }
    return [f"{number(count)} {one if count == 1 else many}" for (one, many), count in counts.items() if count > 0]


def modifiers_by_level(value: Any, origin: Item, collection: HomebrewCollection) -> dict[int, list[Statement]]:
    """Level → a class's level modifiers as sentences. A modifier without a level applies from level 1."""
    spells: dict[int, list[Any]] = defaultdict(list)
    groups: dict[tuple[int, str], list[str]] = defaultdict(list)
    by_level: dict[int, list[Statement]] = defaultdict(list)
    for modifier in maps(value):
        level, kind, given = level_of(modifier.get("level")) or 1, modifier.get("type"), modifier.get("value")
        if not isinstance(kind, str):
            continue
        if kind == "spell":
            spells[level].append({"value": given})
        elif kind in _GROUPS and isinstance(given, str):
            groups[level, kind].append(given)
        elif kind in _SWITCHES:
            by_level[level].append(_SWITCHES[kind])
        elif kind in _AMOUNTS and (amount := _amount_of(kind, given)):
            by_level[level].append(_amount(kind, amount))
        elif kind not in _AMOUNTS and given is not None and not isinstance(given, dict | list):
            by_level[level].append((title(kind), stated(words(given) if isinstance(given, Key) else str(given))))
    for (level, kind), members in groups.items():
        by_level[level].append(_group(kind, members, origin, collection))
    for level, grants in spells.items():
        by_level[level].extend(spell_grants(grants, origin, collection))
    return {level: joined(statements) for level, statements in sorted(by_level.items())}


def spell_grants(value: Any, origin: Item, collection: HomebrewCollection) -> list[Statement]:
    """The spells that a race or class grants, as sentences: from which level, and cast with which ability."""
    groups: dict[tuple[int, str | None], list[str]] = defaultdict(list)
    for grant in maps(value):
        spell = mapping(grant.get("value"))
        key = spell.get("key")
        if isinstance(key, str):
            name, cast_at = collection.name("spells", key, origin), whole(spell.get("level"))
            label = f"*{name}* ({ordinal(cast_at)} level)" if cast_at and cast_at > 0 else f"*{name}*"
            groups[level_of(grant.get("level")) or 1, ability(spell.get("ability"))].append(label)
    statements: list[Statement] = []
    for (level, through), names in groups.items():
        start = f"From level {level} you" if level > 1 else "You"
        end = f", with {through} as your spellcasting ability" if through else ""
        statements.append(("Innate Spells", f"{start} can cast {listed(names)}{end}."))
    return joined(statements)


def joined(statements: Iterable[Statement]) -> list[Statement]:
    """Join the sentences of each heading."""
    together: dict[str, list[str]] = defaultdict(list)
    for heading, sentence in statements:
        if sentence not in together[heading]:
            together[heading].append(sentence)
    return [(heading, " ".join(sentences)) for heading, sentences in together.items()]
