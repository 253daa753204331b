"""Facts that a query mentions: "a CR 5 undead", "third-level spell", "bonus action"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import re2

from server.dataset.lexicon import PATTERN_OPTIONS
from server.dataset.names import normalize_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.library.arrays import Mask, Rows

_DIGITS: Final = {
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th",
    "seventh": "7th", "eighth": "8th", "ninth": "9th",
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10",
}  # fmt: skip
_NUMBER_WORD: Final = re.compile(rf"\b({'|'.join(_DIGITS)})\b")


@dataclass(frozen=True, slots=True)
class Attribute:
    """A fact.

    Attributes:
        label: in words: "type undead".
        entities: bool[catalogue size]: what has it.
        filters: the tools' parameters that keep exactly that → value as text; empty if none can.
    """

    label: str
    entities: Mask
    filters: Mapping[str, str]


class Attributes:
    """The facts of a dataset that queries may mention."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], row_of: Mapping[str, int]) -> None:
        """Compile the patterns.

        Args:
            rows: what `read_attributes` returns.
            row_of: catalogue row of each entity, by id; others are ignored.
        """
        self._all: list[Attribute] = []
        self._patterns = re2.Filter()
        for row in rows:
            entities = np.zeros(len(row_of), dtype=np.bool_)
            entities[[row_of[identity] for identity in row["entity_ids"] if identity in row_of]] = True
            filters = {pair["parameter"]: pair["value"] for pair in row["filters"] or ()}
            self._all.append(Attribute(row["says"], entities, filters))
            self._patterns.Add(row["asked"], PATTERN_OPTIONS)
        if self._all:
            self._patterns.Compile()

    def mentioned(self, query: str, entities: Rows) -> list[Attribute]:
        """The facts that the query mentions and that some of the entities have, but not all.

        Facts of several tables with the same label ("deals fire damage") are one.

        Args:
            query: as the caller wrote it.
            entities: int64[n] catalogue rows.
        """
        text = _NUMBER_WORD.sub(lambda match: _DIGITS[match[0]], normalize_name(query))
        found: dict[str, Attribute] = {}
        for number in sorted(self._patterns.Match(text) or ()) if self._all else ():
            fact = self._all[number]
            known = found.get(fact.label)
            found[fact.label] = fact if known is None else _either(known, fact)
        return [fact for fact in found.values() if 0 < np.count_nonzero(fact.entities[entities]) < entities.size]


def _either(one: Attribute, other: Attribute) -> Attribute:
    """The same fact of two tables."""
    return Attribute(one.label, one.entities | other.entities, {**one.filters, **other.filters})
