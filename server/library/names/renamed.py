"""Things that one edition of the rules calls otherwise than the other: the Thug of 2014 is the Tough of 2024."""

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


def counterparts(folded_name: str) -> Sequence[Counterpart]:
    """What the other edition calls the things of this name; an amount in parentheses may be left out.

    >>> [each.name for each in counterparts("thug")]
    ['tough']
    """
    return _known().get(folded_name, ())


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
def declared() -> Mapping[str, Any]:
    """The list as it is written: `renamed` and `merged`, each entity type → name in 2014 → name or names in 2024."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def _known() -> Mapping[str, Sequence[Counterpart]]:
    known: defaultdict[str, list[Counterpart]] = defaultdict(list)
    for name, counterpart in _pairs():
        for spelt in dict.fromkeys((name, _AMOUNT.sub("", name))):
            known[spelt].append(counterpart)
    return dict(known)


def _pairs() -> Iterator[tuple[str, Counterpart]]:
    for relation, types in declared().items():
        whole = relation == "renamed"
        for entity_type, names in types.items():
            for old, listed in names.items():
                for new in [listed] if isinstance(listed, str) else listed:
                    before, after = normalize_name(old), normalize_name(new)
                    yield before, Counterpart(after, entity_type, _NEWEST, whole)
                    if whole:
                        yield after, Counterpart(before, entity_type, OLDEST, whole)
