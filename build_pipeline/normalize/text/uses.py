"""How often a feature can be used, parsed from its text: "once … until you finish a long rest"."""

from __future__ import annotations

import re
from typing import Final

from build_pipeline.normalize.text.abilities import ABILITY_OF

_RESTS: Final = r"(?P<rest>(?:(?:short or (?:a )?long|long or short|short|long) )?rest)\b"
_REST: Final = rf"(?:finish(?:es|ed|ing)?|complete) a {_RESTS}"
_COUNTS: Final = {"once": "1", "twice": "2", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
_SPELLED_OUT: Final = {"pb": "proficiency bonus"} | ABILITY_OF
_COUNTED: Final = "|".join(_COUNTS)
_COLUMN: Final = r"in the (?P<column>[A-Z][\w' ]+?) column"

_BY_AMOUNT: Final = (
    r"\bnumber of times (?:per day )?equal to (?:your )?(?P<amount>[^.,(]{3,60}?)"
    rf"(?: \((?:a )?(?P<least>(?:minimum|at least) (?:of )?\w+)[^)]*\))?(?:,|\.| and| before)[^*#]{{0,160}}?{_REST}"
)
"""AMOUNT times (minimum of LEAST) … REST"""
_OF_OPTIONS: Final = (
    r"\bnumber of [a-z]+ options equal to (?:your )?(?P<amount>[^.,(]{3,60}?)\. You regain all expended uses when you "
    rf"{_REST}"
)
"""Options chosen AMOUNT times, all regained on REST"""
_BY_COLUMN: Final = (
    rf"\bnumber of times (?:shown|indicated)[^.]{{0,80}}?{_COLUMN}[^*#]{{0,160}}?"
    rf"(?:all expended uses when you|must) {_REST}"
)
"""Number of times in COLUMN … REST"""
_BY_COUNT: Final = (
    rf"\bcan use (?:this|your|the)? ?[\w' -]{{3,40}} (?P<count>twice|(?:{_COUNTED}) times)\b[^*#]{{0,160}}?"
    rf"(?:regain|all|any) expended uses[^.*#]{{0,40}}?{_REST}"
)
"""COUNT times … REST"""
_ONCE: Final = (
    r"\bonce you(?:'ve| have)? (?:used? (?:this (?:feature|trait|ability|breath weapon|bonus action)|it)"
    r"|cast the spell with this feature)\b[^.]{0,60}?"
    rf"(?:can't|cannot|must|unable)[^.]{{0,60}}?{_REST}(?! or)"
)
"""Used once, not again before REST"""
_AGAIN: Final = rf"\bmust {_REST} before (?:you can use|using) (?:this feature|this trait|it) again"
_NOT_AGAIN: Final = rf"\bcan't use (?:this feature|this trait|this ability|it) again until you {_REST}(?! or)"
_LOST: Final = (
    rf"\bthis (?:feature|state)\b[^.]{{0,20}}?, you (?:lose the ability to use|can't activate) it again"
    rf" until you (?:have )?{_REST}"
)
"""Lost or spent until REST"""
_ONCE_PER: Final = rf"\bonce per {_RESTS}"
_ONCE_A_DAY: Final = r"\bonce (?:per|a|each) (?P<rest>day)\b"
_DONE: Final = r"\b(?:once|after|afterwards) (?:you|it has been) (?!use this benefit)[^.,]{3,60}, you "
_NOT_SO_AGAIN: Final = (
    rf"{_DONE}(?:can't|cannot) (?:do so|use it|use this feature|summon another one|create a new \w+)"
    rf"(?: again)?(?: in this way)? until (?:you |after |have )*{_REST}(?! or)"
)
_MUST_BEFORE: Final = rf"{_DONE}must {_REST} before you can do so again"
"""Done, not again before REST"""
_AFTER_USING: Final = (
    r"\bafter using this (?:feature|ability), you (?:can't|cannot) use it again until (?:you |after )*"
    rf"{_REST}(?! or)"
)

_TO_USE_AGAIN: Final = rf"\bmust (?:then )?{_REST} to use (?:your|this) [\w' -]{{3,40}} again"
"""REST to use something of that name again"""
_CAST: Final = (
    r"\bcast (?:(?!\bcast\b)[^.#]){0,120}?without (?:expending )?a spell slot\b(?:(?!\bcast\b)[^#]){0,60}?"
    r"(?:must|regain the ability to [^.]{0,30}? when you|(?:can't|cannot) [^.]{0,30}? again until you) "
    rf"{_REST}(?! or)"
)
"""A spell cast without a slot, then REST"""
_CAST_ONCE: Final = (
    r"\bcast (?:(?!\bcast\b)[^.#]){2,80}? once(?: with this (?:trait|feature))?(?: at its lowest level)?"
    rf"(?: and|; you) (?:regain the ability to do so when you|must) {_REST}(?! or)"
)
_ONCE_CAST: Final = re.compile(_CAST_ONCE, re.IGNORECASE)
"""A spell cast once, then REST"""
_CAST_BY_COUNT: Final = (
    rf"\bcast [^.#]{{2,60}}? (?P<count>twice|(?:{_COUNTED}) times) without (?:expending )?a spell slot[^#]{{0,20}}?"
    rf"regain all expended uses[^.*#]{{0,40}}? {_REST}"
)
"""A spell cast COUNT times without a slot, then REST"""

_LEVEL: Final = r"(?:level )?(?P<level>\d+)(?:(?:st|nd|rd|th) level)?"
_COUNT: Final = rf"(?P<count>twice|(?:{_COUNTED}) times)"
_GROWS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:at|reach) {_LEVEL}\b[^.]{{0,120}}?\byou can use (?:it|this feature|your [\w' ]{{3,30}}?) {_COUNT}\b",
        rf"\b{_COUNT} (?:between|before) [^.,]{{3,20}}? starting at {_LEVEL}\b",
    )
)
"""A greater COUNT from LEVEL on."""
_ONE_MORE: Final = re.compile(rf"\bgain an additional use when you reach (?:[A-Z]\w+ )?{_LEVEL}\b", re.IGNORECASE)
_GROWS_BY_COLUMN: Final = re.compile(
    rf"\b(?:gain (?:additional|more) uses|number of times you can cast [^.]{{3,60}}? increases)[^.]{{0,80}}? {_COLUMN}"
)
_REGAINED: Final = re.compile(
    rf"\bregain (?P<count>{_COUNTED}) (?:of (?:its|your) )?expended uses? when you finish a {_RESTS}, "
    r"and you regain all\b",
    re.IGNORECASE,
)
"""COUNT regained on REST, before all are on a longer one."""
_SOONER: Final = re.compile(
    rf"\bat {_LEVEL},? you regain (?:the )?use of this feature (?:after|when you) finish(?:ing)? a {_RESTS}",
    re.IGNORECASE,
)
"""Regained on a shorter REST from LEVEL on."""

_EACH: Final = re.compile(r"cast each of (?:them|these|those)\b", re.IGNORECASE)
"""The beginning of a `_CAST` that applies to every spell separately."""
_MORE_SPELLS: Final = re.compile(
    r"\b(?:another|more) [^.]{3,40}? that can be cast in this way\b|\blevels \d+ and \d+, you learn a [\w-]+ spell\b",
    re.IGNORECASE,
)
"""Further spells to which a `_CAST` applies, each of them once."""
_OF_ANOTHER: Final = re.compile(r"\buse (?:[A-Z][\w']* )+a $")
"""Text before the number of times that another feature can be used: "you can use Bell Song a number of times"."""
_CHOICE: Final = re.compile(r"\bone of the following\b", re.IGNORECASE)
"""Text before options, one of which may be used less often than another."""
_ITEM: Final = re.compile(r"(?m)^[*-] .*$")
_HEADING: Final = re.compile(r"(?m)^#+ .*$|^(?:[*-] )?\*{2,3}[^*\n]{3,40}\.\*{2,3}")

_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        *(_BY_AMOUNT, _OF_OPTIONS, _BY_COLUMN, _BY_COUNT, _ONCE, _AGAIN, _NOT_AGAIN),
        *(
            _LOST,
            _ONCE_PER,
            _ONCE_A_DAY,
            _NOT_SO_AGAIN,
            _MUST_BEFORE,
            _AFTER_USING,
            _TO_USE_AGAIN,
            _CAST,
            _CAST_ONCE,
            _CAST_BY_COUNT,
        ),
    )
)


def uses(text: str | None) -> str | None:
    """How often a feature can be used, lower case, or None if its text lacks the game's standard wording.

    Also None if its headed or labelled parts are not used equally often, or if only some of its several options are
    limited.

    >>> uses("Ring it twice. You can't use it again until you finish a Short Rest.")
    '1 per short rest'
    >>> uses("You can cast each of them once without a spell slot. You can't do so again until you finish a long rest.")
    '1 each per long rest'
    """
    text = (text or "").replace("’", "'")
    before, *labelled = _HEADING.split(text)
    told = {uses for part in (before, *labelled) if (uses := _first(part))}
    if labelled and _CHOICE.search(before) and None in map(_first, labelled):
        told &= {_first(_HEADING.split(_ITEM.sub("", text))[0])}
    return told.pop() if len(told) == 1 else None


def _first(text: str) -> str | None:
    """The first use that a text without headings states."""
    found = [
        match
        for pattern in _PATTERNS
        if (match := pattern.search(text)) and not _OF_ANOTHER.search(text, 0, match.start())
    ]
    first = min(found, key=lambda match: match.start(), default=None)
    if first is None:
        return None
    regained = _REGAINED.search(text)
    again = f", {_COUNTS[regained['count'].lower()]} regained per {_rest(regained)}" if regained else ""
    if sooner := _SOONER.search(text):
        again += f" ({_rest(sooner)} from level {sooner['level']})"
    return f"{_grown(_amount(first), text)} per {_rest(first)}{again}"


def _rest(match: re.Match[str]) -> str:
    return match["rest"].lower().replace(" a ", " ")


def _grown(amount: str, text: str) -> str:
    """The number of uses, with how it grows: "1 (2 from level 6, 3 from level 18)"; or the table's column with it."""
    if not amount.isdecimal():
        return amount
    if match := _GROWS_BY_COLUMN.search(text):
        return f"{match['column']} column"
    steps = {int(match["level"]): match["count"] for grows in _GROWS for match in grows.finditer(text)}
    later = [f"{_COUNTS[steps[level].lower().removesuffix(' times')]} from level {level}" for level in sorted(steps)]
    if not later and (match := _ONE_MORE.search(text)):
        later = [f"{int(amount) + 1} from level {match['level']}"]
    return f"{amount} ({', '.join(later)})" if later else amount


def _amount(match: re.Match[str]) -> str:
    groups = match.groupdict()
    if groups.get("column"):
        return f"{groups['column']} column"
    if groups.get("count"):
        return _COUNTS[groups["count"].lower().removesuffix(" times")]
    if not groups.get("amount"):
        return "1 each" if _is_of_several_spells(match) else "1"
    amount = re.sub(r"\b(?:your|a|an) ", "", groups["amount"].strip().lower())
    amount = re.sub(r"\w+", lambda word: _SPELLED_OUT.get(word[0], word[0]), amount)
    least = (groups.get("least") or "").lower().rpartition(" ")[2]
    return f"{amount} (minimum {_COUNTS.get(least, least)})" if least else amount


def _is_of_several_spells(match: re.Match[str]) -> bool:
    """Whether a use is one casting of each of several spells."""
    if not match[0].lower().startswith("cast"):
        return False
    several = sum(1 for _ in _ONCE_CAST.finditer(match.string)) > 1
    return several or bool(_EACH.match(match[0]) or _MORE_SPELLS.search(match.string))
