"""Numeric facts in a magic item's text: weight, price, charges, bonus; and armor penalties it waives."""

from __future__ import annotations

import re
from typing import Any, Final

from build_pipeline.normalize.text.dice import DICE, canonical_dice
from build_pipeline.normalize.text.money import gold, pounds
from build_pipeline.normalize.text.numerals import NUMBER, number
from build_pipeline.normalize.text.tables import without_tables

_WEIGHT: Final = re.compile(
    r"""
    (?P<subject>[\w'’ ]{0,40}?)[,(]?\s*\b(?:always\s+|only\s+){0,2}weigh(?:s|ing)?\s+
    (?:only\s+|about\s+|approximately\s+)?(?P<amount>\d[\d,]{0,12}(?:\.\d+)?(?:/\d+)?|[½¼¾]|half\s+an?|an?)\s*
    (?:an?\s+)?(?P<unit>pound|ounce|lb)s?\b(?!\s+(?:if|or))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WEIGHS: Final = re.compile("weigh", re.IGNORECASE)
_SO_HEAVY: Final = re.compile(r"\b(?:[Tt]his|is an?) (?:[\w-]+ ){0,2}?(?P<amount>\d+)[ -](?:pound|lb) [a-z]+\b")
"""A weight before the item's noun: "this shiny 5-pound stone"."""
_FIRST_LINE: Final = re.compile(r"\A(?P<amount>\d[\d,]*)\s+(?:lbs?|pounds)\.?[ ]*(?=\n)", re.IGNORECASE)
"""A weight on a line of its own above the text."""
_NOT_THE_ITEM: Final = re.compile(
    r"\b(?:object|creature|portal|target|person|anything|something|the\s+sphere|no|single)\b", re.IGNORECASE
)
_FRACTIONS: Final = {"½": "1/2", "¼": "1/4", "¾": "3/4"}
_OUNCES: Final = 16
"""Ounces in a pound."""
_PRICE: Final = re.compile(r"\bweighs?\b[^.]{0,30}?\band\s+costs\s+(?P<price>[\d,]+\s*[cgsep]p)\b", re.IGNORECASE)
_CHARGES: Final = re.compile(
    rf"""
    \b(?:
      has | have | having | holds? | contains? | with | and | of(?:\s+its|\s+the\s+\w+['’]s)? | begins\s+with
      | pool\s+of | total\s+of
    )\s+(?:up\s+to\s+|a\s+maximum\s+of\s+)?(?:(?P<dice>{DICE})|(?P<number>{NUMBER}))\s+
    (?:charges(?!\s+if\b)|(?<=(?:has|old|lds)\s1\s)charge)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TIME_OF_DAY: Final = r"(?:dawn|dusk|midnight|sunset|sunrise|noon)"
_TIME: Final = rf"(?:{_TIME_OF_DAY}|day)"
_WHEN: Final = (
    rf"\s+(?:(?:daily|each\s+day|every\s+day)\s+)?(?:(?:at|each|every)\s+(?:\w+\s+)?{_TIME}"
    rf"|in\s+the\s+\w+\s+before\s+{_TIME}|each\s+night\s+at\s+moonrise|(?:per|each|every)\s+week)\b"
    r"|\s+(?:when|whenever)\s+you\s+finish\s+an?\s+[*_]*(?:short|long)(?:\s+or\s+long)?\s+rest"
    r"|\s+for\s+(?:each|every)\s+[^.,;]+"
)
_REGAINS: Final = re.compile(
    rf"""
    (?:
      \b(?P<before>at\s+{_TIME}(?:\s+each\s+day)?),?\s+(?:the\s+\w+|it)\s+
      | (?:(?<=[.!?]\s)|^)(?P<provided>(?:For\s+each|When|Whenever)\s+[^.,;]+),\s+(?:the\s+\w+|it)\s+
      | \buntil\s+(?P<later>\d+\s+(?:hours|days))\s+have\s+passed,\s+(?:when|at\s+which\s+point)\s+it\s+
    )?\b(?:regain(?:s|ing)?|recovers?)\s+(?P<amount>all|its(?=\s+expended\s+charge\b)|{DICE}|{NUMBER})\s+(?:of\s+)?
    (?:(?:its|the)\s+)?(?:(?:expended|lost|used|spent)\s+)?charges?
    (?P<when>(?:{_WHEN})(?:\s+(?:or\s+when|if)\s+[^.,;]+)?)?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_REGAINS_THEM: Final = re.compile(
    rf"\bregains?\s+(?P<amount>all|{DICE}|{NUMBER})(?:\s+of\s+them)?"
    rf"(?P<when>\s+(?:(?:daily|each\s+day|every\s+day)\s+)?(?:at|each|every)\s+{_TIME})\b",
    re.IGNORECASE,
)
"""Recovery of charges that were named before: "It has 6 charges and regains 1d4 each dawn"."""
_DAILY: Final = re.compile(
    rf"^(?:(?:daily|(?:each|every)\s+day)\s+at|at|each|every)\s+(?P<time>{_TIME_OF_DAY})\b(?:\s+each\s+day)?",
    re.IGNORECASE,
)
"""The ways of saying that something happens every day at a time."""
_RESTORED: Final = re.compile(
    rf"""
    \b(?P<amount>{DICE}|{NUMBER})\s+charges\s+can\s+be\s+restored\s+
    (?P<when>during\s+an?\s+[*_]*(?:short|long)\s+rest)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BONUS_IN_NAME: Final = re.compile(r"\+(\d)")
_EMPHASIS: Final = re.compile(r"[*_]+")
_WEAPON_BONUS: Final = re.compile(
    r"""
    (?:\ba\s+)?\+(?P<bonus>\d)\s+(?:(?:magical\s+)?bonus\s+|(?<=\ba\s\+\d\s))(?:to|on)\s+(?:the\s+)?(?:weapon\s+)?
      attack\s+(?:
        (?:rolls?\s+)?and\s+damage\s+rolls
        | rolls(?=\s+(?:made\s+)?with\s+this\s+magic\s+(?:weapon|arrow|bolt|ammunition))
      )\s+(?:\w+\s+)?(?:made\s+)?(?:with|using|wielding)\s+(?:it|this|the|your|both)\b
    | \b(?:[Tt]his|is\s+an?)\s+\+(?P<of>\d)\s+[a-z]
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ARMOR_BONUS: Final = re.compile(
    r"\+(?P<bonus>\d)\s+bonus\s+to\s+(?:your\s+)?(?:AC|Armor\s+Class)\b(?!\s+against)"
    r"|\b[Yy]our\s+(?:AC|Armor\s+Class)\s+increases\s+by\s+\+?(?P<more>\d)\b(?!\s+against)",
    re.IGNORECASE,
)
_WAIVED: Final = re.compile(
    r"""
    disadvantage\W+on\s+Dexterity\s+\(Stealth\)\s+checks\s+or\s+has\s+a\s+Strength\s+requirement,\s+(?:the|this)\s+
    (?:\w+\s+)?version\s+of\s+the\s+armor\s+does(?:n['’]t|\s+not)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_QUIET: Final = re.compile(
    r"\bdon['’]t\s+have\s+disadvantage\s+on\s+Dexterity\s+\(Stealth\)\s+checks\s+as\s+a\s+result\s+of\s+wearing\b"
    r"|\barmor\s+does(?:n['’]t|\s+not)\s+impose\s+\W*disadvantage\W*\s+on\s+Dexterity\s+\(Stealth\)",
    re.IGNORECASE,
)
_CAP: Final = re.compile(r"\(max (?P<cap>\d)\)")
_ITS_CLASS: Final = re.compile(
    r"\byour (?:AC|armor class) equals (?P<base>\d+) \+ (?:your )?Dexterity modifier(?: \(maximum (?P<cap>\d)\))?",
    re.IGNORECASE,
)
_OTHER_CAP: Final = re.compile(
    r"\bmaximum dexterity modifier\b[^.]*? is (?P<allowed>\d),? instead of (?P<usual>\d)", re.IGNORECASE
)


def weight_lb(text: str) -> float | None:
    """The item's weight in pounds: "It weighs 1/2 pound" → 0.5, "weighs an ounce" → 0.0625.

    Ignores the weight of other objects and the item's capacity.
    """
    for match in _WEIGHT.finditer(text) if _WEIGHS.search(text) else ():
        if _NOT_THE_ITEM.search(match["subject"]):
            continue
        written = " ".join(match["amount"].lower().split())
        amount = _FRACTIONS.get(written, {"half a": "1/2", "half an": "1/2", "a": "1", "an": "1"}.get(written, written))
        weight = pounds(amount)
        return weight / _OUNCES if weight and match["unit"].lower() == "ounce" else weight
    alone = _FIRST_LINE.match(text) or _SO_HEAVY.search(text)
    return pounds(alone["amount"]) if alone else None


def price_gp(text: str) -> float | None:
    """The price stated next to the weight, in gold pieces: "It weighs 1 pound and costs 15 gp" → 15.0."""
    match = _PRICE.search(text)
    return gold(match["price"]) if match else None


def charges(text: str) -> dict[str, Any] | None:
    """The item's charges: {number, or the roll for it; regains: "1d6+1 daily at dawn"}; None without charges.

    Tables are ignored: what they say is about one of their rows, not about the item.
    """
    prose = without_tables(text)
    match = _CHARGES.search(prose)
    if match is None:
        return None
    regained = _REGAINS.search(prose) or _REGAINS_THEM.search(prose, match.end()) or _RESTORED.search(prose)
    return {
        "number": number(match["number"]) if match["number"] else None,
        "roll": canonical_dice(match["dice"]),
        "regains": _regained(regained) if regained else None,
    }


def _regained(match: re.Match[str]) -> str | None:
    """How many charges come back and when, in the same words for the same time; None if the sentence does not say."""
    parts = match.groupdict()
    later = f"after {parts['later']}" if parts.get("later") else ""
    when = _EMPHASIS.sub("", parts["when"] or (parts.get("before") or parts.get("provided") or later).lower())
    when = _DAILY.sub(r"daily at \g<time>", " ".join(when.split()))
    amount = {"its": "1"}.get(match["amount"].lower()) or canonical_dice(match["amount"]) or match["amount"].lower()
    return " ".join(f"{amount} {when}".split()) if when else None


def magic_bonus(name: str, text: str, *, is_weapon: bool, is_armor: bool) -> int | None:
    """The bonus of a magic weapon or armor: from its name ("Mace, +2"), else from its text.

    None for an item with several bonuses ("Weapon, +1, +2, or +3").
    """
    named = _BONUS_IN_NAME.findall(name)
    if named:
        return int(named[0]) if len(named) == 1 else None
    plain = _EMPHASIS.sub("", text)
    found = (is_weapon and _WEAPON_BONUS.search(plain)) or (is_armor and _ARMOR_BONUS.search(plain)) or None
    return int(next(filter(None, found.groups()))) if found else None


def armor_class_text(printed: str, text: str) -> str:
    """The Armor Class that armor prints, with the Dexterity modifier that a text allows instead of the usual one.

    >>> armor_class_text("14 + Dex (max 2)", "The maximum Dexterity modifier you can add … is 3, instead of 2.")
    '14 + Dex (max 3)'
    """
    plain = printed.partition(" + Dex")[0]
    usual = _CAP.search(printed)
    if usual is None and plain != printed:
        return printed
    allowed = {match["usual"]: match["allowed"] for match in _OTHER_CAP.finditer(text)}
    cap = allowed.get(usual["cap"] if usual else "0")
    return f"{plain} + Dex (max {cap})" if cap else printed


def armor_class(text: str) -> tuple[int, str] | None:
    """The Armor Class that a text itself gives, and its printed form: (14, "14 + Dex"), (17, "17 + Dex (max 2)")."""
    match = _ITS_CLASS.search(text)
    if match is None:
        return None
    cap = f" (max {match['cap']})" if match["cap"] else ""
    return int(match["base"]), f"{match['base']} + Dex{cap}"


def waives_strength_and_stealth(text: str) -> tuple[bool, bool]:
    """(waives the Strength requirement, waives the Stealth disadvantage) of the armor's base item."""
    both = bool(_WAIVED.search(text))
    return both, both or bool(_QUIET.search(text))
