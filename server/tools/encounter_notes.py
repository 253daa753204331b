"""What the tools for encounters say about their answers: the sentences of their messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.library.message import Given, Message, Named, NamedTool
from server.play.encounters import MOST_PER_CHARACTER
from server.play.limits import USUAL_DIFFICULTY
from server.tools import values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.library.facts import Row
    from server.library.library import Library
    from server.play.candidates import Candidates
    from server.play.encounters import Party

BORROWED: Final = "Environments are those of the same creatures in other books: the books of this edition print none."


def measured_outside(library: Library, party: Party, documents: Sequence[str] | None) -> str | None:
    """A note if the measure is of a document that is not allowed, whose rules therefore are not cited."""
    if not party.measure or not party.budgets or party.measure.document in library.facts.documents(documents):
        return None
    left_out = Message(", which ", Named("documents"), " leaves out, so its rules are not cited.")
    return Message(f"The budgets are from {party.measure.document}", left_out)


def without_measure(
    library: Library, party: Party, given: Mapping[str, Any], documents: Sequence[str] | None
) -> Message:
    """Why there are no budgets: the levels, the edition, or the systems of the documents."""
    if party.measure:
        why = f"{party.measure.document} has no budget for these levels"
    elif "edition" in given:
        why = f"No book of {given['edition']} in this library measures encounters"
    else:
        systems = sorted(filter(None, set(library.facts.documents(documents).values())))
        why = f"No book {f'of {values.listed(systems)} ' if systems else ''}in this library measures encounters"
    return Message(
        f"{why}, so only experience points are known: choose another ",
        Named("edition"),
        ", or give ",
        NamedTool("suggest_encounter"),
        " a budget, e.g. ",
        Given("xp", 500),
        ".",
    )


def far_below(party: Party, found: Mapping[str, Any]) -> str | None:
    """A note on an encounter that is less than the books have a word for."""
    if not (found["difficulty"] or "").startswith("below "):
        return None
    easiest, budget = next(iter(party.budgets.items()))
    return f'{found["xp"]:,} XP is less than half of the lowest budget, {budget:,} XP for "{easiest}".'


def why_easier(found: Sequence[Mapping[str, Any]], party: Party, given: Mapping[str, Any], kinds: int) -> str | None:
    """A note if no suggestion has the requested difficulty."""
    asked = given.get("difficulty", USUAL_DIFFICULTY)
    if "xp" in given or asked not in party.budgets or any(each["difficulty"] == asked for each in found):
        return None
    most = MOST_PER_CHARACTER * len(party.levels)
    return Message(
        f'None of these is "{asked}": at most {most} creatures fight, two for each character, and the request '
        f"leaves {kinds} to choose from. A higher ",
        Named("cr_max"),
        ", fewer filters or no ",
        Named("search", left_out=True),
        " leave more.",
    )


def too_strong(candidates: Candidates, party: Party) -> str | None:
    """A note if the creature that fits best is above the lowest level, or if all are."""
    if not candidates.above:
        return None
    best = candidates.above[0]
    if best.get("fit", 1) <= max((row.get("fit", 1) for row in candidates.rows), default=0):
        return None
    named = f"{best['name']} ({best['id']}), of challenge rating {best['challenge_rating_text']},"
    above = f"{named} is above the lowest level, which is {min(party.levels)}: give "
    return Message(above, Named("cr_max"), " to include it.")


def too_expensive(candidates: Sequence[Row], budget: int) -> str:
    """A note that the budget is too small for any of the creatures."""
    cheapest = min(candidates, key=lambda row: (row["experience_points"], row["id"]))
    return (
        f"The budget is {budget:,} XP, and the cheapest matching creature, {cheapest['name']} ({cheapest['id']}), "
        f"is worth {cheapest['experience_points']:,}."
    )


def only_in(elsewhere: Sequence[Row]) -> str | None:
    """A note if only creatures of other books pass the filters."""
    systems = sorted({row["game_system"] for row in elsewhere if row["game_system"]})
    if not systems:
        return None
    there = (
        f"No creature of these books passes these filters, but {len(elsewhere)} of {values.listed(systems)} do: give "
    )
    return Message(there, Given("documents", (systems[0],), lead="documents, e.g. "), ".")
