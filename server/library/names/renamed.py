"""What one edition of the rules calls otherwise than the other: the Thug of 2014 is the Tough of 2024.

So are features and traits, which have no records of their own: the monk's Ki is Monk's Focus.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from server.dataset.names import normalize_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FILE: Final = Path(__file__).with_suffix(".toml")
PARTS_FILE: Final = FILE.with_stem("renamed_parts")
EDITIONS: Final = {"5e-2014": "the 2014 rules", "5e-2024": "the 2024 rules"}
"""Game system → its name in messages."""
OLDEST, _NEWEST = EDITIONS
SRDS: Final = frozenset({"srd-2014", "srd-2024"})
"""The documents whose names are compared."""
_GENERAL: Final = ("armor", "axe", "sword", "weapon")
"""Kinds of items that one edition names before the item itself: Vicious Weapon (Club), Vicious Club."""
_ASIDE: Final = re.compile(r"(?P<name>[^()]+) \((?P<aside>[^()]+)\)")
_AMOUNT: Final = re.compile(r" \([^()]*\d[^()]*\)")


class Counterpart(NamedTuple):
    """The same thing in another edition.

    Attributes:
        name: its folded name there.
        entity_type: its type in 2024, which is at least of the same table in 2014.
        game_system: the other edition.
        whole: whether it is the thing itself; false if it has the thing as a part.
    """

    name: str
    entity_type: str
    game_system: str
    whole: bool


class Successor(NamedTuple):
    """What another edition has for a feature, a trait or a column of a level table.

    Attributes:
        of: the name of the part, folded.
        name: its name there.
        game_system: the other edition.
        relation: how it is that: "renamed", "merged" if it has the part as one of several, "replaced" if it works in
            another way.
        owners: the folded names of the class, subclass or species that has it.
    """

    of: str
    name: str
    game_system: str
    relation: str
    owners: frozenset[str]


def counterparts(folded_name: str) -> Sequence[Counterpart]:
    """What the other edition calls the things of this name; an amount in parentheses may be left out.

    >>> [each.name for each in counterparts("thug")]
    ['tough']
    """
    return _known().get(folded_name, ())


def successors(folded_part: str) -> Sequence[Successor]:
    """What the other edition has for the features, traits and columns of this name.

    >>> [each.name for each in successors("ki")]
    ["Monk's Focus"]
    """
    return _known_parts().get(folded_part, ())


def without_parentheses(folded_name: str) -> Iterator[str]:
    """The names that have the words in parentheses of a name among its other words, at any place.

    Or in place of a general word: Vicious Club for Vicious Weapon (Club). None for a name without parentheses.

    >>> "potion of greater healing" in without_parentheses("potion of healing (greater)")
    True
    >>> [name for name in without_parentheses("vicious weapon (club)") if "weapon" not in name]
    ['vicious club']
    """
    if told := _ASIDE.fullmatch(folded_name):
        words, aside = told["name"].split(), told["aside"]
        yield from (" ".join((*words[:place], aside, *words[place:])) for place in range(len(words) + 1))
        for place in (place for place, word in enumerate(words) if word in _GENERAL):
            yield " ".join((*words[:place], aside, *words[place + 1 :]))


@cache
def declared(file: Path = FILE) -> Mapping[str, Any]:
    """A list as it is written: relation → entity type, or owner of parts → name in 2014 → name or names in 2024."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def _known() -> Mapping[str, Sequence[Counterpart]]:
    known: defaultdict[str, list[Counterpart]] = defaultdict(list)
    for each in _entries(FILE):
        name, there = normalize_name(each.name), normalize_name(each.there)
        for spelt in dict.fromkeys((name, _AMOUNT.sub("", name))):
            known[spelt].append(Counterpart(there, each.of, each.game_system, each.relation == "renamed"))
    return dict(known)


@cache
def _known_parts() -> Mapping[str, Sequence[Successor]]:
    known: defaultdict[str, list[Successor]] = defaultdict(list)
    for each in _entries(PARTS_FILE):
        part, owner = normalize_name(each.name), normalize_name(each.of)
        owners = frozenset({owner, *(other.name for other in counterparts(owner))})
        known[part].append(Successor(part, each.there, each.game_system, each.relation, owners))
    return dict(known)


class _Entry(NamedTuple):
    """A name in one edition and the name `there`, in the edition `game_system`; `of` an entity type or an owner."""

    relation: str
    of: str
    name: str
    there: str
    game_system: str


def _entries(file: Path) -> Iterator[_Entry]:
    """The entries of a list, from 2014 to 2024 and back; what is only a part of something there has no way back."""
    for relation, groups in declared(file).items():
        for of, names in groups.items():
            for old, listed in names.items():
                for new in [listed] if isinstance(listed, str) else listed:
                    yield _Entry(relation, of, old, new, _NEWEST)
                    if relation != "merged":
                        yield _Entry(relation, of, new, old, OLDEST)
