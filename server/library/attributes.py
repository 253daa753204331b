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

_ORDINALS: Final = {
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th",
    "seventh": "7th", "eighth": "8th", "ninth": "9th",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attribute:
    """A fact: in words, how a query asks for it, which entities of the catalogue have it."""

    says: str
    asked: re.Pattern[str]
    having: Mask


class Attributes:
    """The facts of a dataset that queries may ask for."""

    def __init__(self, path: Path, numbers: Mapping[str, int]) -> None:
        """`numbers`: the number of each entity of the catalogue, by id."""
        self._all = []
        for says, asked, identities in pl.read_parquet(path).iter_rows():
            having = np.zeros(len(numbers), dtype=np.bool_)
            having[[numbers[identity] for identity in identities if identity in numbers]] = True
            self._all.append(Attribute(says, re.compile(asked), having))

    def asked(self, query: str, entities: Numbers) -> list[Attribute]:
        """Those that the query asks for and that some of the entities have, but not all."""
        text = " ".join(_ORDINALS.get(word, word) for word in normalize_name(query).split())
        found = (attribute for attribute in self._all if attribute.asked.search(text))
        return [attribute for attribute in found if 0 < np.count_nonzero(attribute.having[entities]) < entities.size]
