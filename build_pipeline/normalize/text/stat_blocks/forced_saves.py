"""The saving throws that a stat block's traits and actions force on others: with what DC, and what failing costs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.areas import area_of_effect
from build_pipeline.normalize.text.dice import DICE, HALVED, TYPES, canonical_dice, types_in
from server.dataset.schema import ABILITIES

ABILITY: Final = "|".join(rf"{short}(?:{ability[3:]})?" for short, ability in ABILITY_OF.items())
_ABILITIES: Final = rf"(?:{ABILITY})(?:(?:,?\s+or\s+|,\s*|/)(?:{ABILITY}))*"
_SAVE: Final = re.compile(
    rf"""
    \bDC\s*(?P<dc>\d+)\s+(?P<abilities>{_ABILITIES})\b(?!\s*\()
      (?:
        \s+(?:saving(?:\s+throws?|(?=\s+or\b))|saves?|negates|half|partial)\b
        | (?=\s+or\b(?!\s+(?:{ABILITY})\b))
      )
    | \b(?P<named>{_ABILITIES})\s+(?:saving\s+throws?|saves?)\b[:_*]*\s*
      (?:\(?DC\s*(?:(?P<after>\d+)\b(?!\s+plus\b)|equals\b)|your\s+spell\s+save\s+DC\b)
    | (?:\bmakes\s+a\s|\bmust\s+succeed\s+on\s+an?\s|:\s)\s*(?P<bare>{_ABILITIES})\s+
      (?:saving\s+throw|save)(?:,\s+taking|\s+or)\b
    | \((?P<first>{_ABILITIES})\s+DC\s*(?P<first_dc>\d+)\s+(?:negates|half|partial)\b
    | \(DC\s*(?P<terse_dc>\d+)\s+(?P<terse>{_ABILITIES})\b(?!\s*\(|\s+(?:ability\s+)?checks?\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ESCAPED: Final = re.compile(r"\b(?:break|burst|pry|tear)\w*\b[^.();]{0,30}$", re.IGNORECASE)
"""Text before the DC of a check that ends something: "until somebody breaks the thread (DC 9 Str)"."""
_UNNUMBERED: Final = re.compile(r"(?:throw|save)(?:, taking| or)\b", re.IGNORECASE)
_UNNAMED_SAVE: Final = re.compile(
    r"\b(?:save|spell\s?casting)\s+DC\s*(?:is\s+)?(?P<dc>\d+)|\((?:spell save )?DC\s*(?P<bare>\d+)\)"
    r"|\bDC\s*(?P<any>\d+)\s+saving\s+throw\b",
    re.IGNORECASE,
)
"""Saves without a named ability: those against spells, and "a DC 11 saving throw"."""
_DISGORGES: Final = re.compile(
    r"[^.]*?\bor\s+(?:it\s+)?(?:regurgitates?|disgorges?|expels?|transforms?\s+into\s+its)\b", re.IGNORECASE
)
"""Text after the creature's own save, made to keep what it has swallowed, or its form."""


_TERSE: Final = re.compile(
    r"\W*(?:(?:saving\s+throws?|saves?)\b\W*)?(?:for\s+)?"
    r"(?P<effect>half|halves|reduces\b[^.]{0,20}?\bhalf|negates|not|partial|to\s+(?:avoid|resist))\b"
)
"""The effect of a success in a few words, after what a failure costs: "27 (5d10) radiant (DC 16 Dex half)"."""
_BEFORE_SUCCESS: Final = re.compile(r"\bsuccessful\s+$", re.IGNORECASE)
_HALF_BEFORE: Final = re.compile(r"\bhalf\b(?!\s+(?:of\s+)?its\b)|\bhalved\b", re.IGNORECASE)
_HALF: Final = re.compile(r"[,:)]\s+half\b\s*(?:of\s+it\b|if\b|otherwise\b|[.)])", re.IGNORECASE)
"""Half of the damage named before: "56 (16d6) fire damage, half if it holds"."""
_NO_DAMAGE: Final = re.compile(r"\bno\s+damage\b", re.IGNORECASE)
_BEFORE_FAILING: Final = re.compile(r"\bfails?\s+(?:an?|another)\s+$", re.IGNORECASE)
_ON_SUCCESS: Final = re.compile(
    r"\b(?:on\s+a\s+success\w*(?:\s+(?:saving\s+throw|save))?|success\s*:|(?:if\s+it|creatures?|targets?|that)\s+succeeds?)"
    r"(?!\w)\W*(?P<then>[^.]*)",
    re.IGNORECASE,
)
_NOTHING: Final = re.compile(
    r"""
    \b(?:
      no\s+(?:\w+\s+)?(?:damage|effect) | nothing | unaffected | not\s+affected | avoids? | resists? | ends? | immune
      | (?:is|are|does|suffers?)(?:n['’]t|\s+not)
    )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OR_ELSE: Final = re.compile(
    r"\W*(?:(?:saving\s+throws?|saves?)\b)?[^.;]*?\b(?:or|fail(?:s|ed|ing|ure)?)\b", re.IGNORECASE
)
_FAILS: Final = re.compile(
    r"""
    \W*(?:
      (?:first\s+|second\s+)?failure\b | fail: | on\s+a\s+fail
      | (?:if\s+)?(?:it|they|those|(?:each|any|an?|the)\s+(?:creature|target))\s+(?:(?:that|who)\s+)?fail(?:s|ed)?\b
    )
    | .*\b(?:on\s+a\s+fail|(?:or|and)\s+half\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A sentence that tells what failing costs, by its beginning or because it says so."""
_SUCCEEDS: Final = re.compile(r"\W*(?:on\s+a\s+success|success\b)", re.IGNORECASE)
_REPEATED: Final = re.compile(r"\b(?:repeat|re-?save)", re.IGNORECASE)
"""What follows is about the same saving throw, made again later."""
_QUALIFIED: Final = r"(?:\s+(?:extra|additional|more|magical|points?\s+of))*\s+"
_ROLL: Final = re.compile(
    rf"(?P<dice>{DICE})\)?{_QUALIFIED}(?:(?P<types>{TYPES})\b(?:\s+damage\b)?|damage\b)"
    rf"|(?<![\d+d(−–-])(?P<flat>\d+){_QUALIFIED}(?P<flat_types>{TYPES})\s+damage\b",
    re.IGNORECASE,
)
_TOGETHER: Final = re.compile(
    r",?\s+(?:and|plus)\s+(?:takes\s+)?(?:an?\s+)?(?:additional\s+|extra\s+)?(?:\d+\s*\()?", re.IGNORECASE
)
_LATER: Final = re.compile(r"\s+(?:at|on)\s+the\s+(?:start|end|beginning)\s+of\s+(?:each|its|every)\b", re.IGNORECASE)
"""Text after damage that comes with time, if something else has happened: a grapple, a curse."""
_HIT: Final = re.compile(r"\bhit:|\bto\s+hit\b", re.IGNORECASE)
_TOLD: Final = 3
"""In how many sentences, from that with the saving throw on, a text says what failing and succeeding mean."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A saving throw that a text calls for.

    Attributes:
        abilities: those it can be made with, in canonical order.
        dc: None if the text does not give it.
        place: the number of its sentence.
        start: its first character there.
        end: the end of its ability and DC.
    """

    abilities: list[str]
    dc: int | None
    place: int
    start: int
    end: int


def forced_saves(sentences: Sequence[str]) -> list[dict[str, Any]]:
    """The saving throws that the sentences of one trait or action call for, each once: `abilities`, `dc`, and so on.

    The damage is what a failure costs: the first rolls in the rest of the sentence or in a later one that tells of
    failing, or those directly before the saving throw if that halves them. Other damage is left to the text. The area
    is the one named with the saving throw, or most recently before it.
    """
    found: list[dict[str, Any]] = []
    calls = [call for place, sentence in enumerate(sentences) for call in _calls(sentence, place)]
    for number, call in enumerate(calls):
        save = _save(sentences, calls[:number], call, calls[number + 1 :])
        # Called for again without a cost of its own, it is the same one, repeated.
        same = [each for each in found if (each["abilities"], each["dc"]) == (save["abilities"], save["dc"])]
        if not same or (save["damage"] and all(each["damage"] != save["damage"] for each in same)):
            found.append(save)
    return found


def _calls(sentence: str, place: int) -> Iterator[_Call]:
    for match in _SAVE.finditer(sentence) if "DC" in sentence or _UNNUMBERED.search(sentence) else ():
        if _DISGORGES.match(sentence, match.end()) or (match["terse"] and _ESCAPED.search(sentence, 0, match.start())):
            continue
        abilities = match["abilities"] or match["named"] or match["bare"] or match["first"] or match["terse"]
        named = {ABILITY_OF[each[:3].lower()] for each in re.findall(ABILITY, abilities, re.IGNORECASE)}
        dc = match["dc"] or match["after"] or match["first_dc"] or match["terse_dc"]
        ends = (match.end(group) for group in range(1, len(match.groups()) + 1))
        yield _Call(
            [ability for ability in ABILITIES if ability in named],
            int(dc) if dc else None,
            place,
            match.start(),
            max(ends),
        )


def _save(sentences: Sequence[str], earlier: Sequence[_Call], call: _Call, later: Sequence[_Call]) -> dict[str, Any]:
    sentence = sentences[call.place]
    start = max((each.end for each in earlier if each.place == call.place), default=0)
    first, rest = sentence[start : call.start], _before_next(sentences, call.place, later)[call.end :]
    following = [] if _follows_failing(sentences, call, earlier) else list(_following(sentences, call, later))
    effect = _told_briefly(first, rest)
    if effect == "half":
        rolls = _last_rolls(first)
    else:
        costs = (each for each in following if _FAILS.match(each) and not _SUCCEEDS.match(each))
        rolls = _first_rolls("\n".join((rest, next(costs, ""))))
    return {
        "abilities": call.abilities,
        "dc": call.dc,
        "save_effect": effect or _effect(first, rest, following),
        "damage": [
            {
                "dice": canonical_dice(roll["dice"]) or roll["flat"],
                "type": " or ".join(types_in(roll["types"] or roll["flat_types"] or "")) or None,
            }
            for roll in rolls
        ],
        "area_of_effect": _area(sentences, earlier, call, f"{first}{sentence[call.start : call.end]}{rest}"),
    }


def _before_next(sentences: Sequence[str], place: int, later: Sequence[_Call]) -> str:
    """A sentence up to the next saving throw, if it calls for another."""
    return sentences[place][: next((each.start for each in later if each.place == place), None)]


def _follows_failing(sentences: Sequence[str], call: _Call, earlier: Sequence[_Call]) -> bool:
    """Whether a saving throw is part of what failing an earlier one costs: "On a failure, … must succeed on …"."""
    return bool(earlier) and earlier[-1].place < call.place and bool(_FAILS.match(sentences[call.place][: call.start]))


def _following(sentences: Sequence[str], call: _Call, later: Sequence[_Call]) -> Iterator[str]:
    """The sentences after a saving throw that can tell of it, up to another that does not follow from failing it."""
    if any(each.place == call.place for each in later):
        return
    for place in range(call.place + 1, min(call.place + _TOLD, len(sentences))):
        told = _before_next(sentences, place, later)
        if _REPEATED.search(told):
            return
        yield told
        if any(each.place == place and not _follows_failing(sentences, each, [call]) for each in later):
            return


def _told_briefly(first: str, rest: str) -> str | None:
    """The effect of a success if the words next to the saving throw tell it: "or half with a successful DC 12 …"."""
    if terse := _TERSE.match(rest):
        return "half" if "hal" in terse["effect"] else "other" if terse["effect"] == "partial" else "none"
    if _BEFORE_SUCCESS.search(first):
        return "half" if _HALF_BEFORE.search(first) else "none" if _NO_DAMAGE.search(first) else None
    return None


def _effect(first: str, rest: str, following: Sequence[str]) -> str | None:
    """The effect of a success as the text around the saving throw tells it; None if it is silent."""
    told = "\n".join((rest, *following))
    if HALVED.search(told) or _HALF.search(told):
        return "half"
    if success := _ON_SUCCESS.search(told):
        return "none" if _NOTHING.search(success["then"]) else "other"
    costs = _BEFORE_FAILING.search(first) or _OR_ELSE.match(rest) or any(map(_FAILS.match, following))
    return "none" if costs else None


def _area(sentences: Sequence[str], earlier: Sequence[_Call], call: _Call, around: str) -> dict[str, Any] | None:
    before = sentences[earlier[-1].place + 1 if earlier else 0 : call.place]
    return next(filter(None, map(area_of_effect, (around, *reversed(before)))), None)


def _first_rolls(text: str) -> list[re.Match[str]]:
    """The first roll of damage that is not dealt later, and those that are dealt with it."""
    at_once = ([roll for roll in group if not _LATER.match(text, roll.end())] for group in _groups(text))
    return next(filter(None, at_once), [])


def _last_rolls(text: str) -> list[re.Match[str]]:
    """The last rolls dealt together; after a hit, whose own damage comes first, only the last roll."""
    groups = _groups(text)
    return (groups[-1][-1:] if _HIT.search(text) else groups[-1]) if groups else []


def _groups(text: str) -> list[list[re.Match[str]]]:
    """The rolls of damage in a text, by what is dealt at once."""
    groups: list[list[re.Match[str]]] = []
    for found in _ROLL.finditer(text):
        if groups and _TOGETHER.fullmatch(text, groups[-1][-1].end(), found.start()):
            groups[-1].append(found)
        else:
            groups.append([found])
    return groups


def unnamed_dcs(text: str) -> Iterator[int]:
    """The DCs of saving throws without a named ability: those against spells, and "a DC 11 saving throw"."""
    for match in _UNNAMED_SAVE.finditer(text):
        yield int(match[match.lastgroup or 0])
