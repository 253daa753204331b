"""Something that a text names, and how to separate the names in a list and find names at the beginning of words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

SEPARATOR: Final = re.compile(r"\s*(?:,|;|/)\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+")
"""Separator of the names in a list."""
_COMMA: Final = re.compile(r"\s*[,;]\s*(?:(?:and|or)\s+)?")
_WORDS_OF_A_NAME: Final = 5


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that a text names.

    Attributes:
        names: its possible names, likeliest first: "the magic missile", "magic missile", "missile".
        entity_types: its possible types, likeliest first.
        parts: names of several things, if no single thing has that name: "detect magic, light".
    """

    names: tuple[str, ...]
    entity_types: tuple[str, ...]
    parts: tuple[str, ...] = ()


def beginnings(words: str, shortest: int = 1) -> Iterator[str]:
    """Possible names at the beginning of words, longest first: "bog newt that hums", "bog newt that", "bog newt"."""
    split = words.split()[:_WORDS_OF_A_NAME]
    yield from (" ".join(split[:end]) for end in range(len(split), shortest - 1, -1))


def endings(words: str, shortest: int = 1) -> tuple[str, ...]:
    """Possible names at the end of words, longest first: "the bog newt", "bog newt", "newt"."""
    split = words.split()
    return tuple(" ".join(split[start:]) for start in range(len(split) - shortest + 1))


def each_of(names: str) -> tuple[str, ...]:
    """The possible names in a list, split at commas, then at "and" too: "detect poison and disease" may be one name."""
    return tuple(dict.fromkeys(filter(None, (*_COMMA.split(names), *SEPARATOR.split(names)))))
