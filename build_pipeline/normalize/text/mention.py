"""Something that a text names, and how the names in a list and the words of a name are told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

SEPARATOR: Final = re.compile(r"\s*(?:,|;|/)\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+")
"""Between the names of a list."""
_COMMA: Final = re.compile(r"\s*[,;]\s*(?:(?:and|or)\s+)?")
_WORDS_OF_A_NAME: Final = 5


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that a text names.

    Attributes:
        names: what may be its name, likeliest first: "the magic missile", "magic missile", "missile".
        entity_types: the types that it may have, likeliest first.
        parts: names of several things, if no single thing has that name: "detect magic, light".
    """

    names: tuple[str, ...]
    entity_types: tuple[str, ...]
    parts: tuple[str, ...] = ()


def beginnings(words: str, shortest: int = 1) -> Iterator[str]:
    """What may be a name that words begin with, longest first: "bog newt that hums", "bog newt that", "bog newt"."""
    split = words.split()[:_WORDS_OF_A_NAME]
    yield from (" ".join(split[:end]) for end in range(len(split), shortest - 1, -1))


def each_of(names: str) -> tuple[str, ...]:
    """What a list may name, apart by commas, then by "and" too: "detect poison and disease" is one of a list."""
    return tuple(dict.fromkeys(filter(None, (*_COMMA.split(names), *SEPARATOR.split(names)))))
