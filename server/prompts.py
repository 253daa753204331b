"""Prompts for a game master's routine tasks; each says which tools to use and what to quote.

FastMCP's own prompts describe arguments to people by JSON schemas, and refuse them with Python's words for types.
"""

import json
import logging
from collections.abc import Callable, Collection
from typing import Annotated, Any, Final, cast

from fastmcp import FastMCP
from fastmcp.exceptions import ValidationError
from fastmcp.prompts import Prompt, PromptArgument
from mcp_types import Prompt as ListedPrompt
from pydantic import Field, PrivateAttr, TypeAdapter
from pydantic import ValidationError as InvalidError
from pydantic_core import ArgsKwargs

from server.play.limits import HIGHEST_LEVEL, MOST_CHARACTERS, USUAL_DIFFICULTY, Difficulty, Edition

AnEdition = Annotated[Edition, Field(description="Edition of the rules, 2024 or 2014.")]
Documents = Annotated[str, Field(description="Allowed books, by key, comma-separated; empty for all of the edition.")]
Level = Annotated[int, Field(ge=1, le=HIGHEST_LEVEL, description=f"Level, 1 to {HIGHEST_LEVEL}.")]

_CITE: Final = "Name the document and the id of each rule or record that a number or ruling comes from."


def add_prompts(server: FastMCP, toolsets: Collection[str]) -> None:
    """Add the prompts, which use the tools of these sets."""
    prompts = Prompts(works_out="table" in toolsets)
    server.add_prompt(_Written.by(prompts.build_encounter, "Build an encounter"))
    server.add_prompt(_Written.by(prompts.prepare_spells, "Prepare a spell list"))
    server.add_prompt(_Written.by(prompts.compare_options, "Compare two options"))
    server.add_prompt(_Written.by(prompts.settle_rules, "Settle a rules question"))


class _Written(Prompt):
    """A prompt written by a function, whose parameters are its arguments."""

    _write: TypeAdapter[Any] = PrivateAttr()

    @classmethod
    def by(cls, write: Callable[..., str], title: str) -> "_Written":
        """The prompt that `write` writes; its docstring is the description."""
        adapter: TypeAdapter[Any] = TypeAdapter(cast("Any", write))  # Pydantic calls functions too
        schema = adapter.json_schema()
        arguments = [
            PromptArgument(name=name, description=shown["description"], required=name in schema["required"])
            for name, shown in schema["properties"].items()
        ]
        written = cls(name=write.__name__, title=title, description=write.__doc__, arguments=arguments)
        written._write = adapter
        return written

    def to_mcp_prompt(self, **overrides: Any) -> ListedPrompt:
        """The prompt as in `prompts/list`, without FastMCP's `_meta`, which no client uses."""
        return super().to_mcp_prompt(**{"_meta": None, **overrides})

    async def render(self, arguments: dict[str, Any] | None = None) -> str:
        """The text for these arguments.

        Raises:
            ValidationError: one of them is missing, unknown or invalid.
        """
        try:
            return str(self._write.validate_python(ArgsKwargs((), arguments or {})))
        except InvalidError as error:
            refused = {str(each["loc"][0]): each["input"] for each in error.errors(include_url=False)}
            said = " ".join(self._refusal(name, value, arguments or {}) for name, value in refused.items())
            raise ValidationError(said, log_level=logging.DEBUG) from None  # otherwise FastMCP logs a trace

    def _refusal(self, name: str, value: object, given: dict[str, Any]) -> str:
        """What is wrong with an argument, and what would be right."""
        described = {argument.name: argument.description for argument in self.arguments or ()}
        if name not in described:
            return f"There is no argument {json.dumps(name)}: {self.name} takes {', '.join(described)}."
        wrong = f"cannot be {json.dumps(value)}" if name in given else "is missing"
        return f"{name} {wrong}: {described[name]}"


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
            Difficulty, Field(description="How hard: low, moderate or high; 2014 has only one measure.")
        ] = USUAL_DIFFICULTY,
        edition: AnEdition = "2024",
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
        edition: AnEdition = "2024",
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
        edition: AnEdition = "2024",
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
        edition: AnEdition = "2024",
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
