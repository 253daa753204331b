"""Prompts for a game master's routine tasks; each says which tools to use and what to quote."""

from collections.abc import Collection
from typing import Annotated, Final, Literal

from fastmcp import FastMCP
from pydantic import Field

from server.play.limits import HIGHEST_LEVEL, MOST_CHARACTERS, USUAL_DIFFICULTY, Difficulty

Edition = Annotated[Literal["2024", "2014"], Field(description="Edition of the rules.")]
Documents = Annotated[str, Field(description="Allowed books, by key, comma-separated; empty for all of the edition.")]
Level = Annotated[int, Field(ge=1, le=HIGHEST_LEVEL, description=f"Level, 1 to {HIGHEST_LEVEL}.")]

_CITE: Final = "Name the document and the id of each rule or record that a number or ruling comes from."


def add_prompts(server: FastMCP, toolsets: Collection[str]) -> None:
    """Add the prompts, which use the tools of these sets."""
    prompts = Prompts(works_out="table" in toolsets)
    server.prompt(prompts.build_encounter, title="Build an encounter")
    server.prompt(prompts.prepare_spells, title="Prepare a spell list")
    server.prompt(prompts.compare_options, title="Compare two options")
    server.prompt(prompts.settle_rules, title="Settle a rules question")


class Prompts:
    """The prompts of one server."""

    def __init__(self, *, works_out: bool) -> None:
        """With `works_out`, use the tools of the set `table`, which do the calculations."""
        self._works_out = works_out

    def build_encounter(
        self,
        *,
        characters: Annotated[
            int, Field(ge=1, le=MOST_CHARACTERS, description=f"Number of characters, 1 to {MOST_CHARACTERS}.")
        ],
        level: Level,
        place: Annotated[str, Field(description="Place or theme: a swamp, cultists, an ambush.")] = "",
        difficulty: Annotated[
            Difficulty, Field(description="How hard it should be; 2014 has only one measure.")
        ] = USUAL_DIFFICULTY,
        edition: Edition = "2024",
        documents: Documents = "",
    ) -> str:
        """An encounter within the rules' budget of experience points."""
        fence = _fence(edition, documents)
        ways = self._drawn_encounter if self._works_out else self._reckoned_encounter
        return f"""\
Build an encounter of {difficulty} difficulty for {characters} characters of level {level}{_about(place)}.
{ways(characters, level, difficulty, edition, fence)}
Show the budget and the sum; each monster with number, challenge rating, experience points, document and id; how they \
fight together; one easier and one harder variant, with their sums. {_CITE}"""

    def prepare_spells(
        self,
        *,
        class_name: Annotated[str, Field(description="The class, e.g. wizard.")],
        level: Level,
        purpose: Annotated[str, Field(description="What lies ahead, e.g. a siege, a heist.")] = "",
        edition: Edition = "2024",
        documents: Documents = "",
    ) -> str:
        """Spells to prepare, from what the class can cast at that level."""
        fence = _fence(edition, documents)
        read = (
            f"spell_list(class_key='{class_name}', level={level}, {fence}) has the numbers of the class table, the "
            "slots and every spell that they allow."
            if self._works_out
            else f"Read cantrips, prepared or known spells and slots from the class table: lookup_character_option("
            f"type='class', name='{class_name}', part='level {level}', {fence}). List the spells to choose from, all "
            f"pages: search_spell(class_key='{class_name}', level_max=…, {fence}, detail='summary')."
        )
        return f"""\
Prepare a spell list for a {class_name} of level {level}{_about(purpose)}.
{read} Search by meaning for what lies ahead: search_spell(search=…, class_key='{class_name}', {fence}).
Give the list by level with a few words on why, concentration, rituals and costly components marked, at most as many \
as the table allows, each with its document; then two swaps for a different day. {_CITE}"""

    def compare_options(
        self,
        *,
        first: Annotated[str, Field(description="A class, subclass, feat, spell, item, species or monster.")],
        second: Annotated[str, Field(description="What to compare it with.")],
        edition: Edition = "2024",
        documents: Documents = "",
    ) -> str:
        """Two options side by side, fact by fact."""
        fence = _fence(edition, documents)
        levels = f" For classes level_up(class_key=…, from_level=0, level=…, {fence}) has the gains of each level."
        return f"""\
Compare {first} and {second}.
Look both up in full ({fence}); if a name is in several books, say which you took, and if it is not in that edition, \
say so, and in which edition it is.{levels if self._works_out else ""}
Put the facts side by side in a table, then what each is better at, by level or situation, with the numbers from the \
records. Where a record says nothing, say that it is unknown. {_CITE}"""

    def settle_rules(
        self,
        *,
        question: Annotated[str, Field(description="What the table is arguing about.")],
        edition: Edition = "2024",
        documents: Documents = "",
    ) -> str:
        """A ruling with the sentences that it rests on."""
        fence = _fence(edition, documents)
        return f"""\
Settle this rules question: {question}
Look up by name what it names: conditions, actions, spells, features (lookup_* with {fence}). Then search search_rule \
and search_all ({fence}) for the general rule and its exceptions, and read in full what the answer rests on: \
specific rules beat general ones.
Answer in one or two sentences first. Then quote the sentences that settle it, word for word, each with name, document \
and id. Say what the rules leave to the game master, and whether the other edition differs. Quote nothing that no \
record says."""

    @staticmethod
    def _drawn_encounter(characters: int, level: int, difficulty: str, edition: str, fence: str) -> str:
        party = [level] * characters
        return f"""\
suggest_encounter(party={party}, difficulty='{difficulty}', edition='{edition}', search=…, {fence}) draws random \
encounters within the budget; filters such as type and environment narrow them, another seed draws others. Change what \
does not fit the place, and check what you changed with evaluate_encounter(party={party}, monsters=['2 …'], \
edition='{edition}', {fence}): its sum must not exceed the budget; report its cautions and its message."""

    @staticmethod
    def _reckoned_encounter(characters: int, level: int, difficulty: str, edition: str, fence: str) -> str:
        budget = (
            "Read the budget with lookup_rule(rule_type='rule', name='Combat Encounter Difficulty', "
            f"documents=['srd-2024']) and the rules below it: experience points per character for {difficulty} "
            f"difficulty at level {level}, times {characters}."
            if edition == "2024"
            else "The open books of 2014 print no budgets and no multipliers, so say that. Their one measure, in "
            "lookup_rule(rule_type='rule', name='Challenge', documents=['srd-2014']): a monster whose challenge rating "
            f"is the level of four characters is a worthy challenge. The budget is a quarter of the experience points "
            f"of challenge rating {level}, times {characters}."
        )
        return f"""\
{budget} The monsters' experience points together must not exceed it.
Find candidates with search_creature(search=…, cr_max=…, {fence}, detail='summary') and, to be sure that the set is \
complete, with query."""


def _about(subject: str) -> str:
    return f", for this: {subject}" if subject else ""


def _fence(edition: str, documents: str) -> str:
    keys = [key.strip() for key in documents.split(",") if key.strip()] or [f"5e-{edition}"]
    return f"documents={keys}"
