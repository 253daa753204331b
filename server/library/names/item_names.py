"""Items that players name by what they hold or by their bonus, where the books have one entry for all of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from server.library.names.other_names import one_spelling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_SCROLL: Final = re.compile(
    r"(?:spell )?scrolls? (?:of|with|for) (?:an? |the )?(?P<after>.+?)(?: spells?)?"
    r"|(?P<before>.+?)(?: spell)? scrolls?|(?:spell )?scrolls? \(?(?P<aside>.*level.*|cantrip)\)?"
)
_ORDINALS: Final = ("1st", "2nd", "3rd", *(f"{level}th" for level in range(4, 10)))
_WORDS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_LEVEL: Final = re.compile(rf"(?:(?P<ordinal>{'|'.join((*_ORDINALS, *_WORDS))})[ -]level|level (?P<level>[1-9]))")
_AMMUNITION: Final = re.compile(
    r"(?:blowgun |crossbow |firearm |sling )?(?:arrow|bolt|bullet|needle)s? (?P<bonus>\+[1-3])"
)


class Entry(NamedTuple):
    """The entry of the books that covers a thing.

    Attributes:
        names: its folded names in the books.
        why: why the thing has no entry of its own, as a clause after "the open books".
    """

    names: tuple[str, ...]
    why: str


def entry_of(folded: str, levels_of: Callable[[str], Iterable[int]]) -> Entry | None:
    """The entry that covers a thing; None if none is known.

    Args:
        folded: the name of the thing.
        levels_of: the levels of the spells of a folded name.

    >>> entry_of("scroll of fireball", {"fireball": [3]}.get).names
    ('spell scroll (level 3)', 'spell scroll (3rd level)')
    >>> entry_of("+1 arrows", {}.get).names
    ('ammunition +1',)
    """
    if arrows := _AMMUNITION.fullmatch(one_spelling(folded)):
        return Entry((f"ammunition {arrows['bonus']}",), "which have one entry for all ammunition")
    if scroll := _SCROLL.fullmatch(folded):
        held = scroll["after"] or scroll["before"] or scroll["aside"]
        names = [name for level in _levels(held) or levels_of(held) for name in _scrolls(level)]
        return Entry(tuple(names), "which name scrolls by the level of the spell") if names else None
    return None


def _levels(held: str) -> list[int]:
    """The level that a scroll is said to have, 0 for a cantrip; none if it is said to hold a spell."""
    if held == "cantrip":
        return [0]
    told = _LEVEL.fullmatch(held)
    if told is None:
        return []
    ordinal = told["ordinal"]
    return [
        int(told["level"]) if ordinal is None else (_ORDINALS if ordinal in _ORDINALS else _WORDS).index(ordinal) + 1
    ]


def _scrolls(level: int) -> tuple[str, ...]:
    if not level:
        return ("spell scroll (cantrip)",)
    return (f"spell scroll (level {level})", f"spell scroll ({_ORDINALS[level - 1]} level)")
