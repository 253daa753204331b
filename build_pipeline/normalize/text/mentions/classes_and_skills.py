"""Find the classes and skills that texts name.

A class is meant where its spells, levels or features are: "the wizard spell list", "a cleric 6/paladin 4", "the rogue's
Sneak Attack"; "a wizard's tower" may belong to anyone who does magic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_pipeline.normalize.text.mentions.mention import Mention
from server.dataset.schema import SKILLS

_CLASS: Final = ("class",)
_CONDITION: Final = ("condition",)
_SKILL: Final = ("skill",)

_NAMES: Final = r"(?P<names>[A-Za-z]+(?:(?:, (?:and |or )?| and | or |/)[A-Za-z]+)*)"
_CLASSES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_NAMES} (?:class(?:es)?|[Ss]pells?|spell lists?|cantrips?|levels?|Levels?)\b",
        rf"\b(?:class|classes): {_NAMES}",
        rf"\blevels in (?:the )?{_NAMES}(?: in (?P<other>[a-z]+))?",
        r"\b[Ff]eature of the (?P<names>[A-Za-z]+)",
        r"\b(?P<names>[A-Za-z]+)['’]s (?:[A-Z][a-z]+|version of|eldritch invocation)",
        r"\b(?P<names>[A-Za-z]+) \d+/(?P<other>[A-Za-z]+) \d+",
        r"\b(?:\d+(?:st|nd|rd|th)-level|level \d+) (?P<names>[A-Za-z]+)",
        rf"{_NAMES} (?:use \w+ as their spellcasting ability|can use \w+ (?:\w+ ){{1,2}}as a spellcasting focus)",
        r"\bMagic Initiate \((?P<names>[A-Za-z]+)\)",
    )
)
_APART: Final = re.compile(r",? and |,? or |, |/")
_SKILLS: Final = re.compile(
    rf"\b(?<!Passive )(?:{'|'.join(skill.replace('_', ' ').title().replace(' Of ', ' of ') for skill in SKILLS)})\b"
    r"(?! (?:[A-Z]|traits?\b|\((?:Very|Uncommon|Common|Rare|Legendary)\b))"
)
"""Passive Perception is a score; something with a rarity is a kind of item, and Immortal Nature a trait."""
_OF_SKILLS: Final = re.compile(
    r"proficien|\bskills?\b|\bexpertise\b|\bchecks?\b|\bpassive\b|\bis \d+\b|\+\d+ to\b|\bchoose either\b"
    r"|(?-i:\([A-Z])",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"(?<=[.;!?|])\s+|\n+")
_LISTED: Final = re.compile(r"^[-*•] (?P<name>[A-Z][A-Za-z ]+)$", re.MULTILINE)

_CAPITALISED: Final = re.compile(r"(?:(?<=[a-z,] )(?<!\bas if )|(?<=\bA ))(?P<name>[A-Z][a-z]+)\b(?! [A-Z]| of )")
"""A capitalised word inside a sentence: somebody's or something's name."""

_FIRM: Final = "Wizards of the Coast"
"""A text that names it may also call it "Wizards"."""

_MARKS: Final = re.compile(r"[*_]+")


def classes_named(text: str) -> Iterator[Mention]:
    """The classes whose spells, levels or features a text refers to."""
    plain = _MARKS.sub("", text)
    for pattern in _CLASSES:
        for match in pattern.finditer(plain):
            for names in filter(None, match.groups()):
                yield from (Mention((name,), _CLASS) for name in _APART.split(names))


def skills_named(text: str) -> Iterator[Mention]:
    """Skills in lists, and in sentences on proficiency, skills or checks: "Choose two skills from Arcana or Nature"."""
    plain = _MARKS.sub("", text)
    listed = (match["name"] for match in _LISTED.finditer(plain))
    sentences = (sentence for sentence in _SENTENCE_END.split(plain) if _OF_SKILLS.search(sentence))
    for part in (*(name for name in listed if _SKILLS.match(name)), *sentences):
        yield from (Mention((match[0],), _SKILL) for match in _SKILLS.finditer(part))


def capitalised_names(text: str) -> Iterator[Mention]:
    """Classes and conditions that a book names and capitalises: "two Clerics cast", "an Invisible force"."""
    plain = _MARKS.sub("", text)
    for match in _CAPITALISED.finditer(plain.replace("Wizards", "") if _FIRM in plain else plain):
        yield Mention((match["name"],), _CLASS)
        yield Mention((match["name"],), _CONDITION)
