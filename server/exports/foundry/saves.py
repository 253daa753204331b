"""The saving throw that a creature's feature calls for, with its damage, read from the feature's text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from server.dataset.vocabulary import ABILITIES, DAMAGE_TYPES
from server.exports.foundry.documents import ABILITIES as KEYS
from server.exports.foundry.documents import Document, activity, damage

if TYPE_CHECKING:
    from collections.abc import Sequence

_ABILITY: Final = rf"(?P<ability>{'|'.join(ABILITIES)})"
_CALLS: Final = (
    re.compile(rf"\bDC (?P<dc>\d+) {_ABILITY} sav(?:e|ing throw)s?\b", re.IGNORECASE),
    re.compile(rf"\b{_ABILITY} Saving Throw\W+DC (?P<dc>\d+)", re.IGNORECASE),
)
"""As the books of 2014 and of 2024 print it."""
_TYPE: Final = "|".join(sorted(DAMAGE_TYPES))
_ROLL: Final = re.compile(
    rf"\((?P<dice>\d+d\d+(?: ?[+−-] ?\d+)?)\) (?:extra )?(?P<types>(?:{_TYPE})(?:(?:,? or |, )(?:{_TYPE}))*) damage",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])[*_]*\s+|\n")
_FAILS: Final = re.compile(
    r"\W*(?:on a fail|failure\b|a (?:creature|target) (?:that fails|takes)|the target takes)", re.IGNORECASE
)
_TOGETHER: Final = re.compile(r",? (?:and|plus) (?:an additional )?(?:\d+ )?")
_HALF: Final = re.compile(r"\bhalf (?:as much|(?:the |that |this )?(?:\w+ )?damage)", re.IGNORECASE)
_TOLD: Final = 3
"""In how many sentences a text says what failing and succeeding mean, from that with the saving throw on."""
_HALVED: Final = re.compile(r"\bor half\b[^.]*\ba successful $", re.IGNORECASE)


def save_activity(text: str | None, path: Sequence[object], activation: Document, **facts: Any) -> Document | None:
    """The activity of the one saving throw that a text calls for; None if there is none, or several different ones.

    The damage is what a failure costs: the first rolls in the rest of the sentence, in a next sentence that tells of
    failing, or earlier in the sentence if it says that a success halves them. Any other damage is left to the text.
    """
    text = text or ""
    calls = sorted((found for call in _CALLS for found in call.finditer(text)), key=re.Match.start)
    if len({(found["ability"].lower(), found["dc"]) for found in calls}) != 1:
        return None
    first = calls[0]
    before = _SENTENCE.split(text[: first.start()])[-1]
    halved = _HALVED.search(before)
    after = _SENTENCE.split(text[first.end() :])
    rolls = _dealt_together(before if halved else _failing(after))
    halved = halved or _HALF.search(" ".join(after[:_TOLD]))
    return activity(
        "save",
        path,
        activation,
        **facts,
        save={"ability": [KEYS[first["ability"].lower()]], "dc": {"calculation": "", "formula": first["dc"]}},
        damage={
            "onSave": "half" if rolls and halved else "none",
            "parts": [
                damage(re.sub(r"\s", "", roll["dice"]).replace("−", "-"), re.findall(_TYPE, roll["types"].lower()))
                for roll in rolls
            ],
        },
    )


def _failing(sentences: Sequence[str]) -> str:
    """The rest of the sentence with the saving throw, and the next one if it tells of failing."""
    rest, *others = sentences
    following = next(filter(str.strip, others), "")
    return f"{rest}\n{following}" if _FAILS.match(following) else rest


def _dealt_together(text: str) -> list[re.Match[str]]:
    """The first roll of typed damage, and those that are dealt with it."""
    rolls: list[re.Match[str]] = []
    for found in _ROLL.finditer(text):
        if rolls and not _TOGETHER.fullmatch(text, rolls[-1].end(), found.start()):
            break
        rolls.append(found)
    return rolls
