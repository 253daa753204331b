"""Variant groups: copies and variants of one thing, which a ranked list shows once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from server.dataset.vocabulary import DAMAGE_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from server.library.arrays import Floats, Mask, Rows
    from server.library.catalogue import Catalogue

NEAR: Final = 0.05
"""How much less a preferred copy may score than the best one that it is shown instead of."""
_BONUS: Final = re.compile(r"\s*[(,]?\s*(?:or )?\+\d\b\)?\s*")
_FILLED_IN: Final = re.compile(rf"\b(?:(?:{'|'.join(DAMAGE_TYPES)}) (?=resistance$)|(?<=of )\w+ (?=slaying$))")
"""Words that vary within a name: "Ring of Cold Resistance", "Arrow of Giant Slaying"."""
_ANY_WEAPON: Final = ("weapon", "sword", "axe", "bow")
_ANY_ARMOR: Final = ("armor", "armour")
"""Words that stand for any base item of their kind: "Dancing Sword", "Sword of Sharpness (Longsword)"."""


class VariantGroups:
    """Which entities of a catalogue are variants of each other.

    A group is the entities of one type with one name, across documents. Magic items are also grouped if their names
    differ only in a bonus (+1, +2, +3), in the mundane weapon or armor they are made from, or in what they resist or
    slay.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        named = list(zip(catalogue.entity_types, catalogue.folded_names, strict=True))
        bases = BaseItems(
            weapons={name for entity_type, name in named if entity_type == "weapon"},
            armor={name for entity_type, name in named if entity_type == "armor"},
        )
        keys = [(t, bases.group_key(name) if t == "magic-item" else name) for t, name in named]
        numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self._group = np.array([numbers[key] for key in keys], dtype=np.int64)
        copies = {key: number for number, key in enumerate(dict.fromkeys(named))}
        self._copy = np.array([copies[key] for key in named], dtype=np.int64)
        self._by_group = np.argsort(self._group, kind="stable")
        self._groups_in_order = self._group[self._by_group]

    def first_of_each(self, ranked: Rows) -> Rows:
        """Positions in `ranked` (int64[n] catalogue rows) of the first member of each group, ascending."""
        groups = self._group[ranked]
        return np.flatnonzero(_first_positions(groups)[groups] == np.arange(ranked.size))

    def to_show(self, ranked: Rows, scores: Floats, preferred: Mask) -> Rows:
        """Positions in `ranked` of one member of each group, ascending: the first, or a preferred copy near it.

        A copy has the same name in another document. It is the same thing, so a reader is better served by the version
        of a preferred document, unless its text answers the query less well.

        Args:
            ranked: int64[n]: catalogue rows.
            scores: float64[n]: their scores, descending.
            preferred: bool[catalogue size].
        """
        first = self.first_of_each(ranked)
        copies = self._copy[ranked]
        candidates = np.flatnonzero(preferred[ranked])
        at = _first_positions(copies, candidates)[copies[first]]
        near = (at >= 0) & (scores[first] - scores[at] <= NEAR)
        return np.sort(np.where(near, at, first))

    def variants(self, rows: Sequence[int], ranked: Rows) -> list[dict[str, Any] | None]:
        """The `variants` field of each entity (catalogue rows): the other members found; None if there are none."""
        place = np.full(self._group.size, -1, dtype=np.int64)
        place[ranked] = np.arange(ranked.size)
        return [self._others(row, place) for row in rows]

    def _others(self, row: int, place: Rows) -> dict[str, Any] | None:
        """The `variants` field; `place`: int64[catalogue size], where each entity was found, -1 if it was not."""
        group = self._group[row]
        start, stop = np.searchsorted(self._groups_in_order, [group, group + 1])
        members = self._by_group[start:stop]
        found = members[place[members] >= 0]
        others = [member for member in found[np.argsort(place[found])].tolist() if member != row]
        if not others:
            return None
        return {
            "count": len(others),
            "names": list(dict.fromkeys(self._catalogue.names[i] for i in others)),
            "documents": sorted({self._catalogue.document_keys[i] for i in others}),
        }


class BaseItems:
    """The mundane weapons and armor that magic items are made from, recognised in the names of magic items."""

    def __init__(self, weapons: set[str], armor: set[str]) -> None:
        """Take the folded names of the mundane items."""
        # A magic shield is an item of its own, not the shield version of a suit of armor.
        kinds = {name: "armor" for name in _spellings(armor) if name != "shield"} | dict.fromkeys(_ANY_ARMOR, "armor")
        kinds |= dict.fromkeys(_spellings(weapons), "") | dict.fromkeys(_ANY_WEAPON, "")
        self._kinds = kinds
        longest_first = sorted(kinds, key=lambda name: (-len(name), name))
        base = f"(?P<base>{'|'.join(map(re.escape, longest_first))})"
        in_brackets_or_after_comma = re.compile(rf"\s*[(,]\s*{base}\)?$")  # flame tongue (greatsword)
        whole_or_before_of = re.compile(rf"^{base}(?=$| of )")  # greatsword of sharpness
        last_word = re.compile(rf"(?<=\S) {base}$")  # flame tongue greatsword
        self._replacements = ((in_brackets_or_after_comma, ""), (whole_or_before_of, "~"), (last_word, ""))

    def group_key(self, name: str) -> tuple[str, str, str]:
        """The key of all variants of a magic item: its name without base item and bonus, "armor" or "", "+" or "".

        "flame tongue (greatsword)" and "flame tongue longsword" → ("flame tongue", "", ""),
        "+1 longsword" and "weapon, +2" → ("~", "", "+"), "plate of warding (+1)" → ("~ of warding", "armor", "+").
        """
        key, bonuses = _BONUS.subn(" ", _FILLED_IN.sub("", name))
        key = " ".join(key.split())
        kind = ""
        for pattern, replacement in self._replacements:
            if match := pattern.search(key):
                kind = self._kinds[match["base"]]
                key = pattern.sub(replacement, key)
        return key, kind, "+" if bonuses else ""


def _spellings(names: Iterable[str]) -> Iterator[str]:
    """A mundane name, and how it reads inside others: "crossbow, light" → "light crossbow", "plate armor" → "plate"."""
    for name in names:
        yield name
        head, comma, tail = name.partition(", ")
        if comma:
            yield f"{tail} {head}"
        if name.endswith(" armor"):
            yield name.removesuffix(" armor")


def _first_positions(numbers: Rows, candidates: Rows | None = None) -> Rows:
    """For each number up to the largest, the first position that has it, -1 if none has.

    Args:
        numbers: int64[n], not negative.
        candidates: the positions that count, ascending; all by default.
    """
    positions = np.arange(numbers.size) if candidates is None else candidates
    first = np.full(int(numbers.max(initial=-1)) + 1, -1, dtype=np.int64)
    first[numbers[positions][::-1]] = positions[::-1]  # of several values for one position, the last is kept
    return first
