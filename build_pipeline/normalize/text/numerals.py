"""Small number words: "two" → 2."""

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
