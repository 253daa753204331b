"""Questions in the words of fields: "how long does haste last" asks for the duration, "who can cast it" for classes."""

from __future__ import annotations

import re
from typing import Final

_CLASSES: Final = r"(?:wh(?:at|ich) class(?:es)?|who)"
_RANK: Final = r"(\d(?:st|nd|rd|th))[ -]level"
_WORDS: Final = tuple(
    (re.compile(rf"\b{question}\b"), fields)
    for question, fields in (
        (r"how long (.*)\blast", r"duration \1"),
        (r"how long (.*)\btake to cast", r"casting time \1"),
        (r"how long (.*)\blive", r"age \1"),
        (r"how old (.*)\b(?:get|live)", r"age \1"),
        (r"where (.*)\blives?", r"environment \1"),
        (r"how (?:big|large|tall)", "size"),
        (r"how fast (.*)\b(burrow|climb|fly|swim)", r"\2 speed \1"),
        (r"how fast", "speed"),
        (r"how heavy", "weight"),
        (r"how expensive", "cost"),
        (r"how far (.*)\b(?:reach|shoot|throw)", r"range \1"),
        (rf"{_CLASSES} (?:can )?(?:cast|get|have|has|know|learn)s?", "classes"),
        (r"cast as a ritual", "ritual"),
        (rf"cast (?:at|with|using) (?:an? )?{_RANK}(?: spell)?(?: slot)?|upcast", "higher level"),
        (r"proficient", "proficiencies"),
        (r"(?:is|are) (.*)\b(immune|resistant|vulnerable) to (?:\w+ ){0,2}\w+", r"\2 \1"),
        (r"what conditions? (.*)\binflicts?", r"inflicts \1"),
        (r"dmg", "damage"),
        (r"what armor can (.*)\b(?:use|wear)", r"armor proficiencies \1"),
        (r"what weapons? can (.*)\b(?:use|wield)", r"weapons proficiencies \1"),
        (r"can (.*)\bwear (?:\w+ ){0,2}\w+", r"armor proficiencies \1"),
        (rf"(?:when|what level) (.*)\b{_RANK} (?:spells|slots|spell slots)", r"spell slots \2 \1"),
        (r"(?:at )?what level (?=(?:can|do|does)\b)", ""),
        (r"(?:lvl|lv) ?(?=\d)", "level "),
    )
)
"""A question → the names of the fields, or of the columns of a level table, that answer it; the first of each line."""


def in_words_of_fields(folded: str) -> str:
    """A folded query with the questions in it replaced by the names of what they ask for.

    >>> in_words_of_fields("how long does haste last"), in_words_of_fields("how fast does a roc fly")
    ('duration does haste ', 'fly speed does a roc ')
    """
    for question, fields in _WORDS:
        folded = question.sub(fields, folded)
    return folded
