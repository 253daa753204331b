"""Families: copies and variants of one thing, which a ranked list shows once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from server.library.catalogue import Catalogue, Numbers

_BONUS: Final = re.compile(r"\s*[(,]?\s*\+\d\b\)?\s*")
_ENCHANTABLE: Final = ("weapon", "armor")


@dataclass(frozen=True, slots=True)
class Family:
    """The best of a family, and the others in the order of the ranking."""

    best: int
    others: tuple[int, ...]


class Families:
    """Which family each entity of a catalogue belongs to.

    One family are the entities of one type with one name, over all documents; of magic items also those whose names
    differ only in a bonus (+1, +2, +3) or in the mundane weapon or armor they are made from.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        types_and_names = list(zip(catalogue.entity_types, catalogue.folded_names, strict=True))
        base = _Base(name for entity_type, name in types_and_names if entity_type in _ENCHANTABLE)
        keys = [
            (entity_type, base.strip(name) if entity_type == "magic-item" else name)
            for entity_type, name in types_and_names
        ]
        numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self._family = [numbers[key] for key in keys]

    def fold(self, ranked: Numbers) -> list[Family]:
        """Fold a ranking: families in the order of their best members."""
        members: dict[int, list[int]] = {}
        for number in ranked.tolist():
            members.setdefault(self._family[number], []).append(number)
        return [Family(best, tuple(others)) for best, *others in members.values()]

    def variants(self, family: Family) -> dict[str, Any] | None:
        """What a record says of the others of its family; None where it is alone."""
        if not family.others:
            return None
        return {
            "count": len(family.others),
            "names": list(dict.fromkeys(self._catalogue.names[i] for i in family.others)),
            "documents": sorted({self._catalogue.document_keys[i] for i in family.others}),
        }


class _Base:
    """Strips bonuses and the names of mundane weapons and armor from names of magic items."""

    def __init__(self, names: Iterable[str]) -> None:
        known = set(_spellings(names))
        longest_first = sorted(known, key=lambda name: (-len(name), name))
        alternatives = "|".join(map(re.escape, longest_first)) or r"(?!)"
        self._base = re.compile(
            rf"\s*[(,]\s*(?:{alternatives})\)?$|(?<=\S) (?:{alternatives})$|^(?:{alternatives})(?= of )"
        )

    def strip(self, name: str) -> str:
        """The name of the family: "flame tongue (greatsword)" → "flame tongue", "+1 longsword" → "+"."""
        without_bonus, bonuses = _BONUS.subn(" + ", name)
        stripped = self._base.sub(" ", without_bonus if bonuses else name)
        return " ".join(stripped.split()) or name


def _spellings(names: Iterable[str]) -> Iterator[str]:
    """A mundane name and how it reads inside another: "crossbow, light" → "light crossbow"; "plate" of "plate armor"."""
    for name in names:
        yield name
        head, comma, tail = name.partition(", ")
        if comma:
            yield f"{tail} {head}"
        if name.endswith(" armor"):
            yield name.removesuffix(" armor")
