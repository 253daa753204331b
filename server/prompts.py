"""Prompts for what a game master does every week; each says which tools to use and what to quote."""

from typing import Annotated, Literal

from fastmcp import FastMCP
from pydantic import Field

Edition = Annotated[Literal["2024", "2014"], Field(description="Edition of the rules.")]
Documents = Annotated[str, Field(description="Allowed books, by key, comma-separated; empty for all of the edition.")]
Level = Annotated[int, Field(ge=1, le=20, description="Level, 1 to 20.")]


def add_prompts(server: FastMCP) -> None:
    """Add the prompts."""
    server.prompt(build_encounter, title="Build an encounter")
    server.prompt(prepare_spells, title="Prepare a spell list")
    server.prompt(compare_options, title="Compare two options")
    server.prompt(settle_rules, title="Settle a rules question")


def build_encounter(
    *,
    characters: Annotated[int, Field(ge=1, description="Number of characters.")],
    level: Level,
    place: Annotated[str, Field(description="Where, or what about: a swamp, cultists, an ambush.")] = "",
    difficulty: Annotated[Literal["low", "moderate", "high"], Field(description="How hard it should be.")] = "moderate",
    edition: Edition = "2024",
    documents: Documents = "",
) -> str:
    """An encounter within the experience budget of the rules."""
    of_2014 = " The open books of 2014 hold no such table, so say that the budget is that of 2024."
    return f"""\
Build an encounter of {difficulty} difficulty for {characters} characters of level {level}{_about(place)}.
Read the budget with lookup_rule(rule_type='rule', name='Combat Encounter Difficulty', documents=['srd-2024']) and \
what lies below it: experience points per character for {difficulty} difficulty at level {level}, times {characters}. \
The monsters' experience points together must not exceed it.{of_2014 if edition == "2014" else ""}
Find candidates with search_creature(search=…, cr_max=…, {_fence(edition, documents)}, detail='summary') and, to be \
sure that the set is complete, with query.
Show the budget and the sum; each monster with number, challenge rating, experience points and document; how they \
fight together; one easier and one harder variant."""


def prepare_spells(
    *,
    class_name: Annotated[str, Field(description="The class, e.g. wizard.")],
    level: Level,
    purpose: Annotated[str, Field(description="What lies ahead, e.g. a siege, a heist.")] = "",
    edition: Edition = "2024",
    documents: Documents = "",
) -> str:
    """Spells to prepare, from what the class can cast at that level."""
    fence = _fence(edition, documents)
    return f"""\
Prepare a spell list for a {class_name} of level {level}{_about(purpose)}.
Read cantrips, prepared spells and slots from the class table: lookup_character_option(type='class', \
name='{class_name}', {fence}).
List what can be chosen, all pages: search_spell(class_key='{class_name}', level_max=…, {fence}, detail='summary'); \
search by meaning for what lies ahead.
Give the list by level with a few words why, concentration and rituals marked, at most as many as the table allows, \
each with its document; then two swaps for a different day."""


def compare_options(
    *,
    first: Annotated[str, Field(description="A class, subclass, feat, spell, item, species or monster.")],
    second: Annotated[str, Field(description="What to compare it with.")],
    edition: Edition = "2024",
    documents: Documents = "",
) -> str:
    """Two things side by side, fact by fact."""
    return f"""\
Compare {first} and {second}.
Look both up in full ({_fence(edition, documents)}); if a name is in several books, say which you took.
Put the facts side by side in a table, then what each is better at, by level or situation, with the numbers from the \
records. Where a record says nothing, say that it is unknown."""


def settle_rules(
    *,
    question: Annotated[str, Field(description="What the table is arguing about.")],
    edition: Edition = "2024",
    documents: Documents = "",
) -> str:
    """A ruling with the sentences that it rests on."""
    return f"""\
Settle this rules question: {question}
Search search_rule and search_all ({_fence(edition, documents)}) for the rules, conditions, spells and features \
concerned, and look up in full what the answer rests on.
Answer in one or two sentences first. Then quote the sentences that settle it, each with name, document and edition. \
Say what the rules leave to the game master, and whether the other edition differs."""


def _about(subject: str) -> str:
    return f", for this: {subject}" if subject else ""


def _fence(edition: str, documents: str) -> str:
    keys = [key.strip() for key in documents.split(",") if key.strip()] or [f"5e-{edition}"]
    return f"documents={keys}"
