"""Facts that a query asks for in passing: "a CR 5 undead", "third-level spell", "bonus action"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from server.dataset.names import normalize_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from server.library.catalogue import Mask, Numbers

_NUMBERS: Final = {
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th",
    "seventh": "7th", "eighth": "8th", "ninth": "9th",
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10",
}  # fmt: skip
_NUMBER_WORD: Final = re.compile(rf"\b({'|'.join(_NUMBERS)})\b")


@dataclass(frozen=True, slots=True)
class Attribute:
    """A fact: in words, and which entities of the catalogue have it."""

    says: str
    having: Mask


class Attributes:
    """The facts of a dataset that queries may ask for."""

    def __init__(self, path: Path, numbers: Mapping[str, int]) -> None:
        """`numbers`: the number of each entity of the catalogue, by id."""
        self._all = []
        for says, asked, identities in pl.read_parquet(path, columns=["says", "asked", "entity_ids"]).iter_rows():
            having = np.zeros(len(numbers), dtype=np.bool_)
            having[[numbers[identity] for identity in identities if identity in numbers]] = True
            self._all.append((re.compile(asked), Attribute(says, having)))

    def asked(self, query: str, entities: Numbers) -> list[Attribute]:
        """Those that the query asks for and that some of the entities have, but not all.

        What is said alike of several tables ("deals fire damage") is one fact.
        """
        text = _NUMBER_WORD.sub(lambda match: _NUMBERS[match[0]], normalize_name(query))
        found: dict[str, Mask] = {}
        for asked, fact in self._all:
            if asked.search(text):
                found[fact.says] = found[fact.says] | fact.having if fact.says in found else fact.having
        facts = (Attribute(says, having) for says, having in found.items())
        return [fact for fact in facts if 0 < np.count_nonzero(fact.having[entities]) < entities.size]
