"""Numbers in words: "fifth", "five"."""

from __future__ import annotations

import re
from typing import Final

_DIGITS: Final = {
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th",
    "seventh": "7th", "eighth": "8th", "ninth": "9th",
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10",
}  # fmt: skip
_NUMBER_WORD: Final = re.compile(rf"\b({'|'.join(_DIGITS)})\b")


def in_digits(folded: str) -> str:
    """A folded text with its numbers up to ten in digits.

    >>> in_digits("fifth level, level five")
    '5th level, level 5'
    """
    return _NUMBER_WORD.sub(lambda match: _DIGITS[match[0]], folded)
