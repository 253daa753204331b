"""Parsing of a call's values for the library, or refusal with a message that says what is valid.

Models send numbers, yes and no as text, and capitals and stray spaces; all are accepted. Types are never guessed: a
boolean is not a number, a string is not a list.
"""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from server.dataset.names import normalize_name
from server.dataset.vocabulary import CHALLENGE_RATINGS, YES_NO, challenge_rating_text
from server.library.message import Given, Message, Named
from server.library.messages import did_you_mean
from server.library.requests.filter_types import cut
from server.library.requests.request import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

HIGHEST_NUMBER: Final = 1_000_000_000
"""Bound of numbers that have no other: far above any value in the game, far below overflow."""

MAX_TEXT: Final = 2_000
"""Maximum length of a text to search for; the encoder reads about a thousand characters."""

MAX_NAME: Final = 200
"""Maximum length of a name or an entry in a list; the longest name in any source has about a hundred characters."""

MAX_ENTRIES: Final = 100
"""Maximum number of entries in a list."""

_ATTUNEMENT: Final = re.compile(r"requires attunement(?: by(?: an?| the)?)?\b", re.IGNORECASE)
"""The sources' prefix of an attunement requirement."""

_NUMBER: Final = re.compile(r"[+-]?\d{1,12}(\.\d{0,12})?", re.ASCII)
_RANGE: Final = re.compile(r"(?P<least>[\d/]+)\s*(?:-|–|to)\s*(?P<most>[\d/]+)", re.ASCII)
"""A range as people write it: 2-4."""
_FRACTION: Final = re.compile(r"1\s*/\s*[248]", re.ASCII)


def shown(value: object) -> str:
    """A value as quoted in error messages: JSON on one line, cut at 80 characters, always printable."""
    try:
        quoted = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):  # thousands of digits, or of brackets
        return "a value too large to show"
    return " ".join(cut(quoted).encode("utf-8", "backslashreplace").decode().splitlines())


def listed(words: Iterable[str]) -> str:
    """A list of words, formatted for messages."""
    return ", ".join(words)


def refusal(parameter: str, value: object, valid: str, hint: str = "") -> RequestError:
    """The error for an invalid value: the parameter, the value received, what is valid, a hint."""
    message = Message(Named(parameter), f" cannot be {shown(value)}.", hint, f" Valid values: {valid}.")
    return RequestError(parameter, value, message)


def text(parameter: str, value: object, valid: str = "text", longest: int = MAX_NAME) -> str:
    """Text of at most `longest` characters, stripped."""
    if not isinstance(value, str):
        raise refusal(parameter, value, valid)
    if len(value) > longest:
        hint = f" It has {len(value):,} characters."
        raise refusal(parameter, value, f"{valid} of up to {longest:,} characters", hint)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise refusal(parameter, value, "text in Unicode") from None
    return value.strip()


def name(parameter: str, value: object) -> str:
    """A name: text that is not empty."""
    if not (stripped := text(parameter, value)):
        raise refusal(parameter, value, "a name")
    return stripped


def member(parameter: str, value: object) -> str:
    """Text, or any other value's JSON, so the library rejects it and lists the valid values."""
    return text(parameter, value) if isinstance(value, str) else shown(value)


def choice(
    parameter: str, value: object, choices: tuple[str, ...], hint_for: Callable[[str], str] | None = None
) -> str:
    """One of a tool's fixed tokens, in any case; underscores and spaces are accepted for hyphens.

    Args:
        parameter: its name.
        value: the value received.
        choices: the tokens.
        hint_for: from a refused value, in the form of tokens, to a hint; "" if it has none.
    """
    if isinstance(value, str):
        folded = value.strip().casefold()
        hyphenated = re.sub(r"[\s_]+", "-", folded)
        for token in choices:
            if token in (folded, hyphenated):
                return token
        hint = (hint_for(hyphenated) if hint_for else "") or did_you_mean(value, choices)
    else:
        hint = ""
    raise refusal(parameter, value, listed(choices), hint)


def texts(parameter: str, value: object, example: str) -> tuple[str, ...]:
    """A list of texts."""
    valid = f"a list of strings such as {example}"
    if not isinstance(value, list | tuple):
        raise refusal(parameter, value, valid)
    if len(value) > MAX_ENTRIES:
        raise refusal(parameter, value, f"{valid}, with up to {MAX_ENTRIES} entries", f" It has {len(value):,}.")
    for item in value:
        if not isinstance(item, str):
            raise refusal(parameter, value, valid)
    return tuple(text(parameter, item) for item in value)


def names(parameter: str, value: object, most: int) -> str | tuple[str, ...]:
    """A text, or a list of at most `most` texts, at least one of them a name."""
    if not isinstance(value, list | tuple):
        return text(parameter, value, f"text, or a list of up to {most} names")
    if len(value) > most:
        raise refusal(parameter, value, f"text, or a list of up to {most} names")
    entries = texts(parameter, value, example='["fireball", "shield"]')
    if not any(map(normalize_name, entries)):
        message = Message(Named(parameter), " is a list without a name: leave it out for all of them.")
        raise RequestError(parameter, value, message)
    return entries


def boolean(parameter: str, value: object) -> bool:
    """A JSON boolean, or one of the words for it."""
    known = YES_NO.get(value.strip().casefold()) if isinstance(value, str) else value
    if not isinstance(known, bool):
        raise refusal(parameter, value, "true, false")
    return known


def number(parameter: str, value: object, minimum: float, maximum: float | None) -> float:
    """A finite number within bounds, or one as text; without a maximum, `HIGHEST_NUMBER` is the bound."""
    return _bounded(parameter, value, minimum, maximum, "a number")


def integer(parameter: str, value: object, minimum: float, maximum: float | None) -> int:
    """An integer within bounds, as for `number`."""
    noun = "a whole number"
    parsed = _bounded(parameter, value, minimum, maximum, noun)
    if not parsed.is_integer():
        raise refusal(parameter, value, _range(noun, minimum, maximum))
    return int(parsed)


def challenge_rating(parameter: str, value: object, *, exact: bool) -> float:
    """A challenge rating as number or text ("1/4"); `exact` rejects numbers that are not challenge ratings."""
    valid = listed(challenge_rating_text(rating) for rating in CHALLENGE_RATINGS)
    if isinstance(value, str) and _FRACTION.fullmatch(value.strip()):
        return float(Fraction(re.sub(r"\s", "", value)))
    parsed = _as_number(value)
    if parsed is None or (exact and parsed not in CHALLENGE_RATINGS):
        raise refusal(parameter, value, valid, _as_bounds(parameter, value) if exact else "")
    if not CHALLENGE_RATINGS[0] <= parsed <= CHALLENGE_RATINGS[-1]:
        raise refusal(parameter, value, valid)
    return parsed


def _as_bounds(parameter: str, value: object) -> str:
    """A hint for a range where one number is meant: the two parameters that bound it."""
    told = _RANGE.fullmatch(value.strip()) if isinstance(value, str) else None
    if told is None:
        return ""
    least, most = Given(f"{parameter}_min", told["least"]), Given(f"{parameter}_max", told["most"])
    return Message(" For a range: ", least, ", ", most, ".")


def attunement(parameter: str, value: object) -> bool | str:
    """Yes or no in any spelling, or text to search for in the attunement requirement."""
    if isinstance(value, bool):
        return value
    words = text(parameter, value, valid := 'true, false, "yes", "no", or who may attune, such as "wizard"')
    if not words:
        raise refusal(parameter, value, valid)
    by_whom = _ATTUNEMENT.sub("", words, count=1).strip() or "yes"
    return YES_NO.get(by_whom.casefold(), by_whom)


def _bounded(parameter: str, value: object, minimum: float, maximum: float | None, noun: str) -> float:
    parsed = _as_number(value)
    if parsed is None or not minimum <= parsed <= _highest(maximum):
        raise refusal(parameter, value, _range(noun, minimum, maximum))
    return parsed


def _range(noun: str, minimum: float, maximum: float | None) -> str:
    return f"{noun} from {minimum:g} to {_highest(maximum):,.10g}"


def _highest(maximum: float | None) -> float:
    return HIGHEST_NUMBER if maximum is None else maximum


def _as_number(value: object) -> float | None:
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value.strip()) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return float(value) if abs(value) <= HIGHEST_NUMBER else None
    return value if math.isfinite(value) else None
