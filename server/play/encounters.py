"""Encounters: the experience points and difficulty of one for a party, and the books' cautions."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from server.dataset.names import normalize_name
from server.library.message import Message, Named
from server.library.names.renamed import EDITIONS, counterparts
from server.library.requests.request import Request, RequestError
from server.play.citation import Citation, rule_named
from server.play.measures import Measure, measure_of
from server.play.named import nothing_named, of_one_name, stands_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from server.library.facts import Row
    from server.library.library import Library

MOST_PER_CHARACTER: Final = 2
"""Creatures per character above which the books advise caution."""
MOST_STAT_BLOCKS: Final = 3

_LEAST_SHARE: Final = 0.5
"""Share of the easiest budget below which an encounter does not have that difficulty."""

COLUMNS: Final = (
    *("id", "name", "document_key", "game_system", "type", "group", "environments"),
    *("challenge_rating", "challenge_rating_text", "experience_points"),
)
"""The columns of a creature that encounters need."""

_MONSTERS: Final = Named("monsters")
_IS_NUMBERED: Final = re.compile(r"[-+]?\d")
"""How what is not a name begins: a number alone, a fraction, dice."""
_EDITIONS: Final = ("5e-2024", "5e-2014")
"""If several are allowed, the measure of the first is used."""


@dataclass(frozen=True)
class Party:
    """The levels of the characters, and how their edition measures encounters (None if the library cannot)."""

    levels: tuple[int, ...]
    measure: Measure | None

    @property
    def budgets(self) -> dict[str, int]:
        """Difficulty, the easiest first → experience points."""
        return self.measure.budgets(self.levels) if self.measure else {}

    def difficulty(self, xp: int | None) -> str | None:
        """The easiest difficulty whose budget covers `xp` experience points.

        "above …" if none does, "below …" if they are less than half of the easiest budget, that is no match even for
        half of the party; None if there are no budgets or `xp` is unknown.
        """
        budgets = self.budgets
        if not budgets or xp is None:
            return None
        easiest, *_, hardest = [*budgets, *budgets]
        if xp < budgets[easiest] * _LEAST_SHARE:
            return f"below {easiest}"
        return next((name for name, most in budgets.items() if xp <= most), f"above {hardest}")


def party_of(library: Library, levels: Sequence[int], edition: str | None, documents: Sequence[str] | None) -> Party:
    """The party, with the measure of an edition (a year), otherwise that of the allowed documents."""
    allowed = set(library.facts.documents(documents).values())
    systems = [f"5e-{edition}"] if edition else [system for system in _EDITIONS if system in allowed]
    measures = (measure_of(library, system) for system in systems)
    return Party(tuple(levels), next(filter(None, measures), None))


def encounter(party: Party, creatures: Mapping[str, int], known: Mapping[str, Row]) -> dict[str, Any]:
    """An encounter of given creatures, with its experience points and difficulty.

    Args:
        party: the characters who fight it.
        creatures: id → number.
        known: id → `COLUMNS` of the creature.

    Returns:
        `monsters`, `creatures` (their number), `xp` and `difficulty`; creatures of unknown worth have null for their
        experience points and are not counted in `xp`, which is null if no worth is known.
    """
    monsters = [_monster(known[identity], count) for identity, count in creatures.items()]
    counted = [monster["xp"] for monster in monsters if monster["xp"] is not None]
    xp = sum(counted) if counted else None
    return {
        "monsters": monsters,
        "creatures": sum(creatures.values()),
        "xp": xp,
        "difficulty": party.difficulty(xp),
    }


def cautions(library: Library, party: Party, found: Mapping[str, Any]) -> list[Citation]:
    """The books' cautions against an encounter, each with the rule that it comes from."""
    if party.measure is None:
        return []
    characters, lowest = len(party.levels), min(party.levels)
    ratings = [(monster["name"], monster["challenge_rating"]) for monster in found["monsters"]]
    strong = [name for name, rating in ratings if rating is not None and rating > lowest]
    weak = [name for name, rating in ratings if rating == 0]
    said = {
        "Many Creatures": f"{found['creatures']} creatures are more than {MOST_PER_CHARACTER} for each of {characters} "
        f"character{'s' * (characters > 1)}"
        if found["creatures"] > MOST_PER_CHARACTER * characters
        else None,
        "Powerful Creatures": f"{' and '.join(strong)}: challenge rating above level {lowest}" if strong else None,
        "CR 0 Creatures": f"{' and '.join(weak)}: challenge rating 0, to be used sparingly" if weak else None,
        "Number of Stat Blocks": f"{len(ratings)} stat blocks are more than {MOST_STAT_BLOCKS}"
        if len(ratings) > MOST_STAT_BLOCKS
        else None,
    }
    document = party.measure.document
    return [rule for name, says in said.items() if says for rule in rule_named(library, name, document, says)]


def unrated(creatures: Iterable[Row]) -> str | None:
    """A message about those creatures (`COLUMNS`) that have no challenge rating to count; None if all have one."""
    names = sorted(f"{row['name']} ({row['id']})" for row in creatures if _worth(row) is None)
    return f"Of unknown challenge rating, so not counted: {', '.join(names)}." if names else None


def chosen(
    library: Library, asked: Sequence[tuple[str, int]], party: Party, documents: Sequence[str] | None
) -> tuple[Counter[str], dict[str, Row]]:
    """The creatures that names or ids stand for: id → number, and id → `COLUMNS`.

    If several books have a creature, the one in the edition of the party's measure is taken, even if that calls it
    otherwise, then the preferred one.

    Raises:
        RequestError: a name matches nothing, several creatures, or only creatures without experience points.
    """
    numbers: Counter[str] = Counter()
    known = {}
    for name, count in asked:
        row = _creature(library, name, party, documents)
        known[row["id"]] = row
        numbers[row["id"]] += count
    return numbers, known


def called_otherwise(asked: Iterable[tuple[str, int]], known: Mapping[str, Row]) -> Iterator[str]:
    """A sentence on each name that is what the other edition calls one of the creatures."""
    for name, _ in asked:
        for row in known.values():
            names = (each.name for each in counterparts(normalize_name(row["name"])) if each.whole)
            if any(stands_for(name, other) for other in names):
                yield f'"{name}" is {row["name"]} in {EDITIONS[row["game_system"]]}.'


def _monster(row: Row, count: int) -> dict[str, Any]:
    each = _worth(row)
    return {
        "count": count,
        "name": row["name"],
        "id": row["id"],
        "document": row["document_key"],
        "challenge_rating": row["challenge_rating"],
        "xp_each": each,
        "xp": None if each is None else each * count,
    }


def _worth(row: Row) -> int | None:
    """The experience points of a creature; None if it has no challenge rating to give them, whatever is printed."""
    points: int | None = row["experience_points"]
    return None if row["challenge_rating"] is None and not points else points


def _creature(library: Library, name: str, party: Party, documents: Sequence[str] | None) -> Row:
    request = Request("creature", name=name, documents=None if documents is None else tuple(documents))
    rows = of_one_name(library.facts.named(request, COLUMNS), _MONSTERS.name, name, "creatures")
    if not rows:
        why: str = nothing_named(library, request)
        if _IS_NUMBERED.match(name):
            why = f'"{name}" is not a creature. Put a whole number and its name together, as in "2 druid".'
        raise RequestError(parameter=_MONSTERS.name, value=name, message=Message(_MONSTERS, ": ", why))
    worth = [row for row in rows if row["experience_points"] is not None]
    if not worth:
        unknown = f": the experience points of {rows[0]['name']} ({rows[0]['id']}) are unknown: leave it out."
        raise RequestError(parameter=_MONSTERS.name, value=name, message=Message(_MONSTERS, unknown))
    system = party.measure.game_system if party.measure else None
    own = next((row for row in worth if row["game_system"] == system or row["id"] == name), None)
    return own or _called_in(system, library, worth, documents) or worth[0]


def _called_in(
    system: str | None, library: Library, rows: Iterable[Row], documents: Sequence[str] | None
) -> Row | None:
    """What an edition calls a creature of the other one, if that is one creature: the Tough of 2024 for the Thug."""
    there = (each for row in rows for each in counterparts(normalize_name(row["name"])))
    names = {each.name for each in there if each.whole and each.game_system == system}
    if len(names) != 1:
        return None
    request = Request("creature", name=names.pop(), documents=None if documents is None else tuple(documents))
    found = (row for row in library.facts.named(request, COLUMNS) if row["game_system"] == system)
    return next((row for row in found if row["experience_points"] is not None), None)
