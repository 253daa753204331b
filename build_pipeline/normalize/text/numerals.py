"""Number words and ordinals: "two" → 2, 3 → "3rd"."""

from __future__ import annotations

from typing import Final

_WORDS: Final = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_NUMBERS: Final = {word: value for value, word in enumerate(_WORDS, 1)}

NUMBER: Final = rf"(?:{'|'.join(_WORDS)}|\d{{1,2}})"
"""Pattern for a small number, as a word or in digits."""


def number(text: str) -> int:
    """The value of a `NUMBER` match.

    Raises:
        ValueError: neither a number word up to twelve nor digits.

    >>> number("Three"), number("11")
    (3, 11)
    """
    return _NUMBERS[text.lower()] if text.lower() in _NUMBERS else int(text)


def ordinal(count: int) -> str:
    """A number as an ordinal.

    >>> ordinal(3), ordinal(11), ordinal(21)
    ('3rd', '11th', '21st')
    """
    suffix = "th" if 10 < count % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")  # noqa: PLR2004
    return f"{count}{suffix}"
