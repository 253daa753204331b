"""The opposite of a fact in words: "flies" and "doesn't fly", "has darkvision" and "without darkvision"."""

from __future__ import annotations

import re
from typing import Final

_THIRD_PERSON: Final = re.compile(r"[a-z]+[^s]s")
_ENDINGS: Final = (
    (re.compile(r"ies$"), "y"),
    (re.compile(r"(?<=ss|sh|ch|zz|[a-z][ox])es$"), ""),
    (re.compile(r"s$"), ""),
)


def opposite(says: str) -> str:
    """The words for lacking a fact, which begin with a verb in the third person, or describe the thing.

    >>> opposite("has a prerequisite"), opposite("deals fire damage"), opposite("type undead")
    ('without a prerequisite', "doesn't deal fire damage", 'not type undead')
    """
    verb, _, rest = says.partition(" ")
    if verb == "has":
        return f"without {rest}"
    if not _THIRD_PERSON.fullmatch(verb):
        return f"not {says}"
    base = next(changed for ending, new in _ENDINGS if (changed := ending.sub(new, verb)) != verb)
    return f"doesn't {base} {rest}".strip()
