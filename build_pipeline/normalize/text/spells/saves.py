"""The saving throw a text calls for, and the effect of a success."""

from __future__ import annotations

import re
from typing import Final

from build_pipeline.normalize.text.dice import HALVED
from server.dataset.schema import ABILITIES

_ABILITY: Final = "|".join(ABILITIES)
_SAVE: Final = re.compile(
    rf"""
    (?P<demand>
      \b(?:mak(?:e|es|ing)|succeeds?(?:\s+(?:on|at|in))?|fails?|failing|attempts?|roll|rolls|pass(?:es)?|saved?)
        \s+(?:(?:a|an|another|its|their|the|your|new|successful|failed|DC\s+\d+|immediate|with)\s+)*\**
    )?\b(?P<ability>{_ABILITY})\**(?:\s+(?:or|and)\s+(?P<other>\w+))?\s+(?:saving[\s-]throw|save)s?\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_UNNAMED: Final = re.compile(
    r"\b(?:makes?|attempts?|succeeds?\s+on|an?)\s+(?:(?:a|an|its|new|fortitude|reflex|will)\s+){0,4}saving\s+throw"
    r"|\b(?:failed|successful)\s+save",
    re.IGNORECASE,
)
_MADE_EASIER: Final = re.compile(
    r"""
    \b(?:advantage|disadvantage|bonus|penalty|proficien\w+|subtract\w*|expertise\s+die|modifier|makes?\s+all)\b
      [^.;]*$
    | \badds?\s+the\s+number\s+rolled\s+to\b[^.;]*$
    | [+]\d+\s+to\s+AC\b[^.;]*$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HELPED: Final = re.compile(
    r"\s+against\s+(?:an\s+effect|the\s+maneuver\s+DC\s+of)\b|[^.;]*\breroll\s+the\s+sav", re.IGNORECASE
)
"""Text after a save that another effect calls for and this one helps, or that something the spell makes rolls."""
_OWN_SAVE: Final = re.compile(
    r"""
    (?<!-)(?<!\bof\ )(?<!\bsee\ )(?<!\bhear\ )(?<!\bfrom\ )(?<!\bwith\ )(?<!\baround\ )(?<!\bnear\ )(?<!\bto\ )\b
      you\s+(?:must\s+|can\s+|still\s+)*$
    | \bwhen\s+you\s+cast\s+this\s+spell,\s+$
    | \byou\s+must\s+either\s+[^.]*\bor\s+$
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Text before a save that the caster makes."""
_LOST_OUTRIGHT: Final = re.compile(
    r"\bautomatically\s+(?:fails?|succeeds?(?:\s+on)?)\s+(?:its\s+|the\s+|a\s+)?$", re.IGNORECASE
)
_ON_SUCCESS: Final = re.compile(
    r"""
    \b(?:
      (?:
          on\s+a\s+success(?:ful)?(?:\s+(?:save|saving\s+throw))?
          | if\s+(?:it|the\s+\w+|a\s+\w+)\s+
            (?:succeeds(?:\s+on\s+an?\s+\w+\s+saving\s+throw)?|makes\s+a\s+successful\s+\w+\s+saving\s+throw)
          | if\s+the\s+saving\s+throw\s+succeeds
        ),
      | on\s+a\s+successful\s+(?:save|saving\s+throw)(?=\s+(?:it|they|the)\s)
    )\s+(?P<then>[^.]+)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NOTHING: Final = re.compile(
    r"""
    \b(?:
      ends?(?!\s+(?:of|its\s+turn)\b) | unaffected | isn['’]t | aren['’]t | is\s+not | not\s+affected
      | no\s+(?:damage|effect) | nothing | immune | avoids? | resists? | spell\s+fails | normally
    )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LESSER: Final = re.compile(
    r"\b(?:on\s+a\s+success(?:ful\s+(?:save|saving\s+throw))?,|(?:those|creatures|targets)\s+that\s+succeed)\s+"
    r"(?:(?:it|they|(?:the|a|each)\s+\w+)\s+)?takes?\s+(?:only\s+)?(?P<count>\d+)d(?P<sides>\d+)\b",
    re.IGNORECASE,
)
"""The dice dealt on a success."""
_ROLLED: Final = re.compile(r"\b\d*d\d+\b")
"""Dice on a success: less damage than on a failure, even if the spell then ends."""
_COUNTED: Final = re.compile(
    r"""
    \bsaving\s+throw(?:,\s+and\s+on\s+a\s+success\s+it\s+moves|\s+to\s+move)\b
    | \bafter\s+(?:succeeding\s+on\s+)?(?:two|three)\b[^.]*\bsav(?:es|ing\s+throws)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A save of which a single success changes nothing yet, or allows something."""
_ESCAPES: Final = re.compile(
    r"""
    \b(?:
      frees? | freed | breaks?\s+free
      | no\s+longer\s+(?:affected|stunned|restrained|poisoned|frightened|charmed|under)
    )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""An effect that a later save, or a check, ends."""
_OF_A_SAVE: Final = re.compile(r"\b(?:sav|succ|fail)", re.IGNORECASE)
_ANY_SAVE: Final = re.compile(r"\bsav(?:e|es|ing)\b", re.IGNORECASE)
_PARAGRAPH_END: Final = re.compile(r"\n\s*\n|\n(?=[-*] )")
_CALLED_FOR: Final = re.compile(r"(?:mak|succeed|attempt|pass)\w*\b(?!.*\b(?:another|new)\b)", re.IGNORECASE)
_MADE_AGAIN: Final = re.compile(
    r"\b(?:end|start)\s+of\s+(?:each|every|its|(?:the|that)\s+\w+['’]s)\b[^.]*$|\b(?:repeat|again)\w*\b[^.]*$",
    re.IGNORECASE,
)
_SUCCEED_OR: Final = re.compile(
    r"\b(?:succeeds?\s+(?:on|at|in)|makes?\s+a\s+successful)\s+[^.]{0,60}?\b(?:saving[\s-]throw|save)\s+or\b",
    re.IGNORECASE,
)
_OR_ELSE: Final = re.compile(r"\s+or\s+(?!takes?\b)", re.IGNORECASE)
_OR: Final = re.compile(
    r"""
    \b(?:succeeds?|success(?:ful)?|mak(?:e|es))\b[^.]*?\b(?:saving[\s-]throw|save)\b[^.]*?\bor\b
    | \bon\s+(?:a\s+)?fail(?:ed|ure)\b
    | \bfailure\s+(?:indicates|means)\b
    | \b(?:it|target|creature|throw|they|who|that|those|range)\s+fails?\b
    | \bfailure\s+on\b
    | \bunless\b[^.]*?\b(?:saving[\s-]throw|save)\b
    | \bnegat\w+
    | \bis\s+unaffected\b
    | \bending\s+the\b
    | \b(?:saving[\s-]throw|save)\s+(?:\w+\s+){0,2}?to\s+(?:avoid|resist|prevent|end|negate|escape|extinguish)\b
    | \bresists?\b
    | \bcan\s+resist\b
    | \bmust\s+first\s+succeed\b
    | \bbreaks?\s+free\s+by\b[^.]*\bsuccess
    | \b(?:saving[\s-]throw|save)\b[^.]*,\s+thus\s+avoiding\b
    | \bprevents\s+the\s+effect\s+with\s+a\s+successful\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def saving_throw(text: str, given: str | None = None) -> str | None:
    """The ability of the first saving throw the text calls for, lower case.

    Saves that are only modified ("advantage on Dexterity saving throws") do not count. If the text calls for a save
    without naming the ability, it is `given`, the source's value, unless the text only modifies that one.
    """
    named = list(_SAVE.finditer(text))
    for match in named:
        if _calls_for(match):
            return match["ability"].lower()
    unnamed = any(not _is_made_easier(text, match.start()) for match in _UNNAMED.finditer(text))
    mistaken = any(match["ability"].lower() == given for match in named)
    return given if unnamed and not mistaken else None


def forced_saves(text: str, first: str | None) -> list[str]:
    """The abilities of all saving throws that a text demands of others, in canonical order.

    `first` is the first one, as `saving_throw` found it. A save that the caster makes does not count.
    """
    forced, own = set[str](), set[str]()
    for match in _SAVE.finditer(text):
        told_to_caster = (match["demand"] or "").startswith("Make ")
        if told_to_caster or (match["demand"] and _OWN_SAVE.search(text, 0, match.start())):
            own.add(match["ability"].lower())
        elif _calls_for(match):
            forced |= {match["ability"].lower(), (match["other"] or "").lower()}
    forced |= {first or ""} - own
    return [ability for ability in ABILITIES if ability in forced]


def _calls_for(match: re.Match[str]) -> bool:
    """Whether a text calls for a save that it names, and does not just mention it or help with another effect's."""
    text, start = match.string, match.start()
    if _HELPED.match(text, match.end()) or _LOST_OUTRIGHT.search(text, 0, start + len(match["demand"] or "")):
        return False
    return bool(match["demand"]) or not _is_made_easier(text, start)


def _is_made_easier(text: str, start: int) -> bool:
    return bool(_MADE_EASIER.search(text[max(0, start - 80) : start]))


def _other_save(text: str, end: int) -> re.Match[str] | None:
    """The first save demanded with another ability than the first, if the last one before `end` has another too."""
    demanded = [match for match in _SAVE.finditer(text, 0, end) if match["demand"]]
    others = [match for match in demanded if match["ability"].lower() != demanded[0]["ability"].lower()]
    return others[0] if others and others[-1] is demanded[-1] else None


def _is_of_another_save(text: str, end: int) -> bool:
    """Whether another save is called for after the first one and before `end`: "a save or fall. … a save"."""
    named = [match for match in _SAVE.finditer(text, 0, end) if _calls_for(match)]
    first = named[0] if named else None
    if first is None or not _OR_ELSE.match(text, first.end()) or not _CALLED_FOR.match(first["demand"] or ""):
        return False
    sentence = text.find(". ", first.end())
    later = (match for match in named if -1 < sentence < match.start())
    return any(match["ability"].lower() != first["ability"].lower() or _is_new(match) for match in later)


def save_effect(text: str, given: str | None = None) -> str | None:
    """Effect of success at the first save: `half` the damage, `none`, or `other` (described in the text).

    `given` is the source's value, used where the text is inconclusive.
    """
    told = _effect(opening) if (opening := _before_later_saves(text)) else None
    return told or _effect(text, given)


def _before_later_saves(text: str) -> str | None:
    """The paragraphs on the first save, if a later paragraph calls for another; None if none does."""
    ends = [match.end() for match in _PARAGRAPH_END.finditer(text)]
    demands = [match.start() for match in _SAVE.finditer(text) if _is_new(match)]
    return next((text[:end] for end in ends if demands and demands[0] < end <= demands[-1]), None)


def _sentence_around(match: re.Match[str]) -> str:
    text, end = match.string, match.end()
    return (
        text[max(text.rfind(mark, 0, match.start()) for mark in (". ", "\n")) + 1 : end] + text[end:].partition(". ")[0]
    )


def _start_of_first_save(text: str) -> int:
    """The offset of the first save's sentence: anything halved before it is not part of its effect."""
    save = _ANY_SAVE.search(text)
    return max(text.rfind(". ", 0, save.start()), text.rfind("\n", 0, save.start())) + 1 if save else 0


def _is_new(match: re.Match[str]) -> bool:
    """Whether a save is called for, and is not the first one made again."""
    return bool(_CALLED_FOR.match(match["demand"] or "")) and not _MADE_AGAIN.search(match.string, 0, match.end())


def _effect(text: str, given: str | None = None) -> str | None:
    halves = HALVED.finditer(text, _start_of_first_save(text))
    half = next((match for match in halves if _OF_A_SAVE.search(_sentence_around(match))), None)
    lesser = _LESSER.search(text)
    if (left := half or lesser) and _is_of_another_save(text, left.start()):
        return "none"
    if half:
        other = _other_save(text, half.start())
        return _effect(text[: other.start()]) if other else "half"
    if lesser:
        most = max(int(count) for count in re.findall(rf"\b(\d+)d{lesser['sides']}\b", text))
        return "half" if most == 2 * int(lesser["count"]) else "other"
    first = _SAVE.search(text)
    if first and (demand := _SUCCEED_OR.search(text)) and demand.start() <= first.start() < demand.end():
        return "none"
    success = next((m for m in _ON_SUCCESS.finditer(text) if not _ESCAPES.search(m["then"])), None)
    if success and (_ROLLED.search(success["then"]) or not _NOTHING.search(success["then"])):
        return "other"
    return "none" if success or _OR.search(text) else "other" if _COUNTED.search(text) else given
