"""Facts that queries mention: which entities have them, and how many of some facts each has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.library.arrays import Floats, Mask, Rows

ALL_OF_SEVERAL: Final = 2
"""Added to the count of facts for an entity that has every one of several."""
ALL_THAT_IS_ASKED: Final = 4
"""Added instead if the query asks for nothing but facts: what has them all comes before whatever else is similar."""
DENIED: Final = 3
"""Weight of lacking what a query denies: an entity that has it is wrong, whatever else it has."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A fact.

    Attributes:
        label: its wording: "type undead".
        entities: bool[catalogue size]: the entities that have it.
        filters: tool parameter → value as text; together they keep exactly these entities; empty if no filters can.
        choice: offset in the query of the first of the facts that "or" joins with this one; None if it joins none.
        denied: it is the opposite of a fact that the query does not want.
        opposite: the wording of its opposite; empty if that is the wording denied.
    """

    label: str
    entities: Mask
    filters: Mapping[str, str]
    choice: int | None = None
    denied: bool = False
    opposite: str = ""


def counts(mentioned: Sequence[Attribute], entities: Rows, *, long: bool = False, only_facts: bool = False) -> Floats:
    """How many of the facts each entity has; alternatives count once.

    Alternatives are facts that the query joins by "or", and facts that no single entity has together.

    Args:
        mentioned: the facts.
        entities: int64[n] catalogue rows.
        long: the query describes a scene, of which nothing need have all the facts.
        only_facts: the query asks for nothing else.

    Returns:
        float64[n]; each denied fact counts `DENIED` times.
    """
    choices: dict[int | str, Mask] = {}
    for fact in mentioned:
        key = fact.label if fact.choice is None else fact.choice
        choices[key] = choices.get(key, False) | fact.entities[entities]
    groups: list[Mask] = []
    for has in choices.values():
        for place, group in enumerate(groups):
            if not (group & has).any():
                groups[place] = group | has
                break
        else:
            groups.append(has)
    total = sum((group.astype(np.float64) for group in groups), start=np.zeros(entities.size))
    several = ALL_OF_SEVERAL if len(groups) > 1 and not long else 0
    earned = ALL_THAT_IS_ASKED if groups and only_facts else several
    together = earned * (total == len(groups))
    lacking = sum((fact.entities[entities] for fact in mentioned if fact.denied), start=np.zeros(entities.size))
    return np.asarray(total + together + (DENIED - 1) * lacking, dtype=np.float64)


def tells_apart(fact: Attribute, entities: Rows) -> bool:
    """Whether some of the entities (int64[n]) have a fact, but not all."""
    return 0 < int(np.count_nonzero(fact.entities[entities])) < entities.size
