"""Facts in the words of the books: modifiers, ordinals, dice, prices, speeds, lists."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from server.dataset.vocabulary import ABILITIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.dataset.record import Record

_SMALL: Final = frozenset(
    {"a", "an", "and", "at", "but", "by", "for", "from", "in", "of", "on", "or", "per", "the", "to", "with"}
)
_WORD: Final = re.compile(r"[^\W\d_][\w’']*")
_ABILITY: Final = re.compile(rf"\b(?:{'|'.join(ABILITIES)})\b")
_COINS: Final = ((1, "gp"), (Fraction(1, 10), "sp"), (Fraction(1, 100), "cp"))
SENSES: Final = ("blindsight", "darkvision", "keensense", "tremorsense", "truesight")
"""The senses that have a range."""
_SPEEDS: Final = ("burrow", "climb", "fly", "swim")


def follows_2024(record: Record) -> bool:
    """Whether the sheet follows the layout of the 2024 books; all others follow that of 2014."""
    return bool(record.get("game_system") == "5e-2024")


def titled(words: str) -> str:
    """Words in title case: `Sleight of Hand`. Existing capitals stay."""

    def capital(found: re.Match[str]) -> str:
        word = found[0]
        small = found.start() > 0 and word in _SMALL
        return word if small else word[0].upper() + word[1:]

    return _WORD.sub(capital, words.replace("_", " "))


def capitalized(words: str) -> str:
    """The same words with a capital first letter."""
    return words[:1].upper() + words[1:]


def with_abilities(words: str) -> str:
    """The same words with the names of abilities as the books write them: `Wisdom modifier`."""
    return _ABILITY.sub(lambda found: found[0].capitalize(), words)


def listed(words: Iterable[str]) -> str:
    """`one`, `one and two`, `one, two, and three`."""
    *first, last = list(words) or [""]
    if not first:
        return last
    return f"{', '.join(first)}{',' if len(first) > 1 else ''} and {last}"


def modifier(number: int) -> str:
    """`+3`, `+0`, `−1`."""
    return f"+{number}" if number >= 0 else f"−{-number}"


def ability_modifier(score: int) -> int:
    """The modifier of an ability score."""
    return (score - 10) // 2


def ordinal(number: int) -> str:
    """`1st`, `12th`, `23rd`."""
    teen = number // 10 % 10 == 1
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def dice(formula: str) -> str:
    """`18d10+72` as the books space it: `18d10 + 72`."""
    return re.sub(r"\s*([-+−])\s*", lambda sign: f" {sign[1].replace('-', '−')} ", formula)


def counted(number: int, one: str, several: str) -> str:
    """`1 entry`, `1,204 entries`."""
    return f"{number:,} {one if number == 1 else several}"


def joined(phrases: Sequence[str]) -> str:
    """Damage types or conditions, joined by commas, or by semicolons if a phrase has commas of its own."""
    return ("; " if any("," in phrase for phrase in phrases) else ", ").join(phrases)


def money(gp: float, *, capitals: bool = False) -> str:
    """A price in the largest coin that needs no fraction: `1,500 gp`, `5 sp`."""
    exact = Fraction(gp).limit_denominator(10_000)
    worth, coin = next(((w, c) for w, c in _COINS if (exact / w).denominator == 1), _COINS[0])
    amount = exact / worth
    shown = f"{int(amount):,}" if amount.denominator == 1 else f"{float(amount):g}"
    return f"{shown} {coin.upper() if capitals else coin}"


def pounds(weight: float) -> str:
    """`3 lb.`, `1/4 lb.`, `1 1/2 lb.`."""
    exact = Fraction(weight).limit_denominator(1_000)
    whole, part = divmod(exact, 1)
    if part and part.denominator not in (2, 4):
        return f"{weight:g} lb."
    return f"{' '.join(filter(None, (f'{whole:,}' if whole or not part else '', str(part) if part else '')))} lb."


def speeds(speed: Mapping[str, Any], *, capitals: bool = False) -> str:
    """`30 ft., fly 60 ft. (hover)`; empty if none is known."""
    shown = [] if speed.get("walk") is None else [f"{speed['walk']} ft."]
    for kind in _SPEEDS:
        if speed.get(kind) is not None:
            hover = " (hover)" if kind == "fly" and speed.get("hover") else ""
            shown.append(f"{kind.capitalize() if capitals else kind} {speed[kind]} ft.{hover}")
    return ", ".join(shown)
