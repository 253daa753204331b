"""Families: copies and variants of one thing, which a ranked list shows once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from server.dataset.vocabulary import DAMAGE_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from server.library.catalogue import Catalogue, Numbers

_BONUS: Final = re.compile(r"\s*[(,]?\s*\+\d\b\)?\s*")
_VARIED: Final = re.compile(rf"\b(?:(?:{'|'.join(DAMAGE_TYPES)}) (?=resistance$)|(?<=of )\w+ (?=slaying$))")
"""What else is filled in: "Ring of Cold Resistance", "Arrow of Giant Slaying"."""
_WEAPONS: Final = ("weapon", "sword", "axe", "bow")
_ARMOR: Final = ("armor", "armour")
"""Words that stand for any base of their kind: "Dancing Sword", "Sword of Sharpness (Longsword)"."""


class Families:
    """Which family each entity of a catalogue belongs to.

    One family are the entities of one type with one name, over all documents; of magic items also those whose names
    differ only in a bonus (+1, +2, +3), in the mundane weapon or armor they are made from, or in what they resist or
    slay.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        named = list(zip(catalogue.entity_types, catalogue.folded_names, strict=True))
        bases = _Bases(
            weapons={name for entity_type, name in named if entity_type == "weapon"},
            armor={name for entity_type, name in named if entity_type == "armor"},
        )
        keys = [(t, bases.family(name) if t == "magic-item" else name) for t, name in named]
        numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self._family = np.array([numbers[key] for key in keys], dtype=np.int64)

    def best(self, ranked: Numbers) -> Numbers:
        """Where in a ranking the best of each family stands."""
        _, first = np.unique(self._family[ranked], return_index=True)
        return np.sort(first)

    def variants(self, best: int, ranked: Numbers) -> dict[str, Any] | None:
        """What a record says of the others of its family in the ranking; None where it is alone."""
        family = ranked[self._family[ranked] == self._family[best]].tolist()
        others = [number for number in family if number != best]
        if not others:
            return None
        return {
            "count": len(others),
            "names": list(dict.fromkeys(self._catalogue.names[i] for i in others)),
            "documents": sorted({self._catalogue.document_keys[i] for i in others}),
        }


class _Bases:
    """The mundane weapons and armor that magic items are made from, as they read inside the names of those."""

    def __init__(self, weapons: set[str], armor: set[str]) -> None:
        # A magic shield is a thing of its own, not the shield version of a suit of armor.
        spellings = {name: "armor" for name in _spellings(armor) if name != "shield"} | dict.fromkeys(_ARMOR, "armor")
        spellings |= dict.fromkeys(_spellings(weapons), "") | dict.fromkeys(_WEAPONS, "")
        self._made_of = spellings
        longest_first = sorted(spellings, key=lambda name: (-len(name), name))
        base = f"(?P<base>{'|'.join(map(re.escape, longest_first))})"
        self._forms = [
            (re.compile(rf"\s*[(,]\s*{base}\)?$"), ""),
            (re.compile(rf"^{base}(?=$| of )"), "~"),
            (re.compile(rf"(?<=\S) {base}$"), ""),
        ]

    def family(self, name: str) -> tuple[str, str, str]:
        """What all variants of a magic item share: its name without base and bonus, whether it is armor, has a bonus.

        "flame tongue (greatsword)" and "flame tongue longsword" → ("flame tongue", "", ""),
        "+1 longsword" and "weapon, +2" → ("~", "", "+"), "plate of warding (+1)" → ("~ of warding", "armor", "+").
        """
        kept, bonuses = _BONUS.subn(" ", _VARIED.sub("", name))
        kept = " ".join(kept.split())
        made_of = ""
        for form, placeholder in self._forms:
            if found := form.search(kept):
                made_of = self._made_of[found["base"]]
                kept = form.sub(placeholder, kept)
        return kept, made_of, "+" if bonuses else ""


def _spellings(names: Iterable[str]) -> Iterator[str]:
    """A mundane name and how it reads inside another: "crossbow, light" → "light crossbow", "plate armor" → "plate"."""
    for name in names:
        yield name
        head, comma, tail = name.partition(", ")
        if comma:
            yield f"{tail} {head}"
        if name.endswith(" armor"):
            yield name.removesuffix(" armor")
