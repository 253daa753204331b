"""Dice and damage parsed from running text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from server.dataset.vocabulary import DAMAGE_TYPES

_TYPE: Final = "|".join(DAMAGE_TYPES)
TYPES: Final = rf"(?:{_TYPE})(?:(?:,\s*|\s+|/)(?:(?:and|or|and/or)\s+)?(?:{_TYPE})){{0,12}}"
"""Pattern for a damage type or a list of them: "acid, cold, or fire"."""
DICE: Final = r"(?:(?<!\d)\d+)?d\d+(?:\s*[+\u2212\u2013-]\s*\d+(?!d|\d))?"
"""Pattern for a dice expression, spaces allowed: "2d6 + 3"; a match never begins inside a number."""
HALVED: Final = re.compile(
    r"""
    (?<!equal\sto\s)\bhalf\s+
      (?:as\s+much|(?:of\s+)?(?:the|that|this|its)\s+(?:\w+\s+)?damage|(?:\w+\s+)?damage(?!\s+with\s+weapon))
    | \b(?:
        halv\w+\s+(?:the|this|that)\s+(?:\w+\s+)?damage
        | (?:damage\s+is|are)\s+halved
        | damage\s+by\s+half
        | half\s+(?:on|with)\s+a\s+success\w*
      )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Words that halve damage, as a successful saving throw does."""
_CANONICAL: Final = re.compile(r"(?P<count>\d+)d(?P<sides>\d+)(?:(?P<sign>[+-])(?P<bonus>\d+))?|(?P<flat>\d+)")
_FIRST_DICE: Final = re.compile(DICE, re.IGNORECASE)
_EACH_TYPE: Final = re.compile(_TYPE)

_AMOUNT: Final = rf"(?:(?P<dice>{DICE})|(?<!\d)(?P<flat>\d+))\)?"
_QUALIFIERS: Final = (
    r"(?:\s+(?:points?\s+of|bonus|extra|additional|more|magical|nonmagical|ongoing|of|"
    r"(?:plus|\+)\s+the\s+spell['’]s\s+level))*\s+"
)
_MENTION: Final = re.compile(
    rf"(?:{_AMOUNT}{_QUALIFIERS})?\b(?P<types>{TYPES})(?:\s*\([^()]*\))?\s+damage\b"
    rf"(?!\s+(?:resistance|immunity|vulnerability))(?:\s+or\s+(?P<other>{_TYPE})\b(?!\s+damage))?",
    re.IGNORECASE,
)
_ROLL: Final = re.compile(
    rf"(?P<dice>{DICE})\)?{_QUALIFIERS}(?:(?:{TYPES})(?:\s*\([^()]*\))?\s+)?damage\b"
    rf"|\bdamage\s+(?:to\s+itself\s+)?equal\s+to\s+(?P<equal>{DICE})"
    r"|\bdamage\s+die\s+(?:is|becomes)\s+a\s+(?P<die>d\d+)",
    re.IGNORECASE,
)
_FIRST_OF_SEVERAL: Final = re.compile(
    rf"(?P<dice>{DICE})\)?{_QUALIFIERS}(?P<types>{TYPES})(?:\s+damage\b)?", re.IGNORECASE
)
_AT_ONCE: Final = re.compile(
    rf",?\s+(?:and|plus)\s+(?:an?\s+)?(?P<dice>{DICE})\)?{_QUALIFIERS}(?P<types>{TYPES})\s+damage\b", re.IGNORECASE
)
_DEALS: Final = re.compile(
    r"\b(?:deal|deals|dealing|dealt|does|take|takes|taking|suffer|suffers|suffering|inflict|inflicts|inflicting|cause|"
    r"causes|causing|half|extra|additional|converted\s+to|becomes?|can\s+be|changes?\s+to|half\s+as\s+much)\b"
)
_NOT_DEALT: Final = re.compile(
    r"""
    \b(?:
        resist\w*
        | immun\w*
        | vulnerab\w*
        | reduc\w*
        | prevent\w*
        | absorb\w*
        | would
        | whenever
        | ignor\w*
        | any
        | from
        | against
        | heal\w*
        | protect\w*
        | such\s+as
        | enough\s+to
        | subjected\s+to
        | (?:
            (?<!choose\ )if | when | until | after | once | unless | (?:each|every)\s+time | (?<!\brule\ )that | who
            | which | has | have | by
          )\s+(?:[\w'’]+\s+){0,7}?(?:take|takes|taken|suffers|dealt|deals|deal|dealing|inflicts|causes)
      )\b
    | \binstead\s+of\s+(?:its\s+|the\s+)?(?:normal\s+|usual\s+)?$
    """,
    re.VERBOSE,
)
_AMOUNT_NOT_DEALT: Final = re.compile(
    r"\b(?:at\s+least|for\s+every|resist\w*|reduc\w*|prevent\w*|absorb\w*|repairs?|would|destroyed\s+by|"
    r"freed\b[^.]*\bby)\s+(?:\w+\s+){0,3}$|^\s*dealing\s+$"
)
_TAKEN_BY_CASTER: Final = re.compile(r"\byou\s+(?:\w+\s+){0,5}take\s+(?:an\s+extra\s+)?$", re.IGNORECASE)
_PASSED_ON: Final = re.compile(r"\s+as\s+if\s+(?:it|he|she|they)\s+were\s+the\s+target\b")
"""Damage of an attack that a creature used as a shield takes instead of its target."""
_EQUAL_TO: Final = re.compile(r"\s+(?:equal\s+to|determined\s+by)\b")
_TRIGGER: Final = re.compile(r"\b(?:if|when|whenever|until|unless|once)\s+(?:[\w'’]+\s+){0,8}?(?:takes?|dealt)\b")
_CHOICE: Final = re.compile(
    rf"""
    \b(?:choos\w+|select\w*)\b(?:(?!n['’]t\b|\bnot\b)[^.])*?\b
    (?P<types>(?:{_TYPE})(?:,\s*(?:or\s+)?|\s+or\s+)(?:{TYPES}))\b
    """,
    re.VERBOSE,
)
_DAMAGE_OF_CHOICE: Final = re.compile(
    r"\bdamage\s+of\s+(?:the|a|that|this|your)\b[^.]{0,20}\b(?:type|kind|choice|chosen|chose)\b"
    r"|\b(?:damage\s+)?of\s+the\s+(?:type\s+(?:you\s+)?chose|chosen\s+type)|\bdamage(?:'s|’s)?\s+type\s+is"
    r"|\bof\s+the\s+chosen\b|\bdamage\s+of\s+the\s+(?:same|selected)\b|\bchosen\s+(?:damage\s+)?type\b"
)
_NOT_OF_CHOICE: Final = re.compile(
    r"""
    \b(?:resist\w*|immun\w*|vulnerab\w*|reduc\w*|(?:when|whenever|if)\s+(?:[\w'’]+\s+){0,5}?(?:takes?|deals?)\s+)
    [^.]{0,30}$
    """,
    re.VERBOSE,
)
_IS_OF_TYPE: Final = re.compile(
    r"(?<!if\sthe\s)(?<!unless\sthe\s)(?<!if\sany\sof\sthe\s)\bdamage\s+(?:type\s+)?(?:is|becomes)\s+(?:either\s+)?"
    rf"(?P<types>{TYPES})\b|\bit\s+can\s+be\s+(?P<possible>{TYPES})\s+damage\b"
)
_NOTE_ON_TYPE: Final = re.compile(rf"(?P<type>\b(?:{_TYPE}))\s+\([^()]*\)(?=,|\s+or\b|\s+damage\b)", re.IGNORECASE)
"""A type with a note on when it applies: "Radiant (Celestial), Psychic (Fey), or Necrotic (Fiend) damage"."""
_TYPE_IN_CELL: Final = re.compile(rf"\|\s*{DICE}\s+(?P<types>{TYPES})\s*(?=\|)", re.IGNORECASE)
_TYPE_BY_TABLE: Final = re.compile(r"\bdamage,?\s+of\s+a\s+type\s+determined\s+by\b", re.IGNORECASE)
_TYPE_ALONE_IN_CELL: Final = re.compile(rf"\|\s*(?P<types>{_TYPE})\s*(?=\|)", re.IGNORECASE)
_TYPE_IN_BRACKETS: Final = re.compile(rf"\((?P<types>{TYPES})\)")
_OF_TYPE_IN_BRACKETS: Final = re.compile(r"\bdamage\s+of\s+the\s+type\s+in\s+parentheses\b")
_SENTENCE_END: Final = re.compile(r"[.!?:;]\s|\n")


@dataclass(frozen=True, slots=True)
class Damage:
    """A mention of damage in a text.

    Attributes:
        dice: "2d6+3", a flat "5", or None if no amount precedes it.
        types: the damage types, as listed; several if one of them is chosen.
        start: offset of the mention in the text.
        end: offset after its end.
    """

    dice: str | None
    types: tuple[str, ...]
    start: int
    end: int


def canonical_dice(text: str | None) -> str | None:
    """The first dice expression of a text in canonical form, or None if it has none.

    >>> canonical_dice("18d10 + 72"), canonical_dice("2D6 − 1"), canonical_dice("10d6 + 4d6"), canonical_dice("none")
    ('18d10+72', '2d6-1', '10d6', None)
    """
    match = _FIRST_DICE.search(text or "")
    if not match:
        return None
    compact = re.sub(r"\s+", "", match.group().lower()).replace("\u2212", "-").replace("\u2013", "-")
    return f"1{compact}" if compact.startswith("d") else compact


def roll_or_number(text: str | None) -> str | None:
    """A text in a form that `mean` accepts: its first dice in canonical form, or itself if it is a number; else None.

    >>> roll_or_number("1d8 + 2"), roll_or_number("1"), roll_or_number("d"), roll_or_number(None)
    ('1d8+2', '1', None, None)
    """
    number = (text or "").strip()
    return canonical_dice(text) or (number if re.fullmatch("[0-9]+", number) else None)


def average(dice: str) -> int:
    """The average of canonical dice as the books print it, rounded down: "18d10+72" → 171.

    Raises:
        ValueError: not canonical dice.
    """
    return math.floor(mean(dice))


def mean(dice: str) -> float:
    """The average of canonical dice, or the value of a number given in their place: "1d8" → 4.5, "5" → 5.0.

    Raises:
        ValueError: neither canonical dice nor a number.
    """
    match = _CANONICAL.fullmatch(dice)
    if not match:
        msg = f"neither canonical dice, such as 2d6+3, nor a number: {dice!r}"
        raise ValueError(msg)
    if match["flat"]:
        return float(match["flat"])
    bonus = int(f"{match['sign'] or '+'}{match['bonus'] or 0}")
    return int(match["count"]) * (int(match["sides"]) + 1) / 2 + bonus


def types_in(text: str) -> list[str]:
    """Every damage type named in a text, in order, each once."""
    return list(dict.fromkeys(_EACH_TYPE.findall(text.casefold())))


def highest(dice: str) -> int:
    """The highest result of dice: "1d4+2" → 6."""
    rolled, _, bonus = dice.partition("+")
    count, _, sides = rolled.partition("d")
    return int(count) * int(sides) + int(bonus or 0)


def dealt_damage(text: str) -> Iterator[Damage]:
    """The damage a text deals, in order: mentions with an amount, or with a verb of dealing or taking.

    Excludes damage that is only resisted, prevented or a trigger ("resistance to fire damage", "whenever it takes
    cold damage").
    """
    return (damage for damage in _mentions(text) if _is_dealt(damage, text))


def without_notes_on_types(text: str) -> str:
    """The text without bracketed notes on when a damage type applies: "cold (if wet) or fire (if dry) damage"."""
    return _NOTE_ON_TYPE.sub(r"\g<type>", text)


def damage_types(text: str, given: Iterable[str] = ()) -> list[str]:
    """Every damage type a text deals, each once, in alphabetical order.

    `given` lists types given by a source: kept if the text mentions them other than as resisted or as a trigger.
    """
    text = without_notes_on_types(text)
    kinds = {kind for damage in dealt_damage(text) for kind in damage.types}
    kinds |= {kind for match in _TYPE_IN_CELL.finditer(text) for kind in types_in(match["types"])}
    if _TYPE_BY_TABLE.search(text):
        kinds |= {kind for match in _TYPE_ALONE_IN_CELL.finditer(text) for kind in types_in(match["types"])}
    mentioned = {kind for damage in _mentions(text) for kind in damage.types}
    folded = text.casefold()
    kinds |= {kind for kind in set(given) - mentioned if kind in folded}
    for match in _IS_OF_TYPE.finditer(folded):
        kinds.update(types_in(match["types"] or match["possible"]))
    if any(not _NOT_OF_CHOICE.search(folded[: match.start()]) for match in _DAMAGE_OF_CHOICE.finditer(folded)):
        for match in _CHOICE.finditer(folded):
            kinds.update(types_in(match["types"]))
    if _OF_TYPE_IN_BRACKETS.search(folded):
        for match in _TYPE_IN_BRACKETS.finditer(folded):
            kinds.update(types_in(match["types"]))
    return sorted(kinds)


def damage_rolls(text: str) -> list[str]:
    """Every damage roll of a text, in order: "takes 8d6 fire damage", "necrotic damage equal to 1d8".

    Damage that the caster takes comes last.
    """
    dealt = (
        match for match in _ROLL.finditer(text) if not _AMOUNT_NOT_DEALT.search(text[: match.start()].casefold()[-80:])
    )
    others_first = sorted(dealt, key=lambda match: bool(_TAKEN_BY_CASTER.search(text, 0, match.start())))
    rolls = (canonical_dice(match["dice"] or match["equal"] or match["die"]) for match in others_first)
    return [roll for roll in rolls if roll]


def dealt_at_once(text: str, first: str) -> list[str]:
    """The roll `first` and those of other types dealt along with it: "4d6 fire damage and 4d6 cold damage".

    A further roll of the same type is later damage, as from something that keeps burning.
    """
    roll = next((each for each in _FIRST_OF_SEVERAL.finditer(text) if canonical_dice(each["dice"]) == first), None)
    rolls, seen = [first], set[str]()
    while roll:
        seen |= set(types_in(roll["types"]))
        roll = _AT_ONCE.match(text, roll.end())
        if roll is None or seen & set(types_in(roll["types"])):
            break
        rolls.append(canonical_dice(roll["dice"]) or "")
    return rolls


def _mentions(text: str) -> Iterator[Damage]:
    for match in _MENTION.finditer(text):
        dice = canonical_dice(match["dice"]) or match["flat"]
        yield Damage(dice, tuple(types_in(f"{match['types']} {match['other'] or ''}")), match.start(), match.end())


def _is_dealt(damage: Damage, text: str) -> bool:
    before = _SENTENCE_END.split(text[max(0, damage.start - 160) : damage.start].casefold())[-1]
    if damage.dice or (_EQUAL_TO.match(text, damage.end) and not _TRIGGER.search(before)):
        return not _AMOUNT_NOT_DEALT.search(before)
    return bool(_DEALS.search(before)) and not (_NOT_DEALT.search(before) or _PASSED_ON.match(text, damage.end))
