"""`lorekeeper encounter`, `suggest`, `level-up`, `spell-list` and `roll`: the tools of the set `table` from a terminal.

A tool's required parameters are positional, the rest are options.
"""

import inspect
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Annotated, Any

from cyclopts import Parameter

from server.commands.options import DatasetOption, Json, PreferOption
from server.commands.printing import print_paged
from server.commands.terminal_markdown import TerminalMarkdown
from server.commands.tool_options import completer, help_of, option, with_parameters
from server.commands.wording import in_a_terminal
from server.dataset.terminal import write_json
from server.settings import DOCUMENTS_VARIABLE, open_library
from server.sheets import worked_out
from server.tools import advancement, encounters, rolls
from server.tools.parameters import Parameter as ToolParameter
from server.tools.tool import Tool


def _command(tool: Tool, sheet: Callable[[dict[str, Any]], str], told: str) -> Callable[..., int]:
    """A command that calls a tool and prints its answer as a sheet; `told` is its help."""
    required = [parameter for parameter in tool.parameters if parameter.required]

    def run(
        *words: str | tuple[str, ...],
        json: Json = False,
        dataset: DatasetOption = None,
        prefer: PreferOption = None,
        **given: Any,
    ) -> int:
        arguments = {name: value for name, value in given.items() if value is not None}
        for parameter, word in zip(required, words, strict=True):
            arguments[parameter.name] = _value(parameter, (word,) if isinstance(word, str) else word)
        tool.read(arguments)  # invalid arguments are refused before a dataset is loaded
        library = open_library(dataset, os.environ.get(DOCUMENTS_VARIABLE), prefer, max_chars=sys.maxsize)
        with closing(library):
            answer = tool.call(library, arguments)
        if json:
            write_json(answer, indent=2)
        else:
            said = answer | {"message": in_a_terminal(answer["message"] or "")}
            print_paged(lambda console: console.print(TerminalMarkdown(sheet(said))))
        return 0 if answer["results"] else 1

    run.__doc__ = told
    first = [_word(parameter, tool, many=_takes_rest(parameter, required)) for parameter in required]
    return with_parameters(run, first, [option(p, tool) for p in tool.parameters if not p.required])


def _takes_rest(parameter: ToolParameter, required: Sequence[ToolParameter]) -> bool:
    """Whether a parameter takes all remaining words: the items of a list, or the words of an unquoted name."""
    return parameter is required[-1] and parameter.schema["type"] != "integer"


def _is_list(parameter: ToolParameter) -> bool:
    return bool(parameter.schema["type"] == "array")


def _value(parameter: ToolParameter, words: tuple[str, ...]) -> str | list[str]:
    """The value of a parameter that the tool expects; a list in a single word is split at commas."""
    if not _is_list(parameter):
        return " ".join(words)
    parts = words[0].split(",") if len(words) == 1 else words
    return [part.strip() for part in parts if part.strip()]


def _word(parameter: ToolParameter, tool: Tool, *, many: bool) -> inspect.Parameter:
    """A required parameter as a positional argument of the command."""
    return inspect.Parameter(
        parameter.name.removesuffix("_key"),
        inspect.Parameter.POSITIONAL_ONLY,
        annotation=Annotated[
            tuple[str, ...] if many else str,
            Parameter(help=help_of(parameter), completer=completer(parameter, tool)),
        ],
    )


encounter = _command(
    encounters.EVALUATE,
    worked_out.encounters,
    "Evaluate an encounter for a party.\n\n"
    "Prints its experience points against the budgets of its edition (2024: low, moderate, high; 2014: one worthy "
    "challenge, as its open books print no budgets), with the books' cautions.",
)
suggest = _command(
    encounters.SUGGEST,
    worked_out.encounters,
    "Random encounters that never exceed a party's budget, with the filters of `lorekeeper creatures`; another --seed "
    "draws others. Without --cr, --cr-min or --cr-max, no creature's CR is above the lowest level.",
)
level_up = _command(
    advancement.LEVEL_UP,
    worked_out.gains,
    "A class's gains by level, with a subclass's if given: features in full, the numbers of its table that change, "
    "including slots, and the experience points of the level. One level, or all after --from-level.",
)
spell_list = _command(
    advancement.SPELL_LIST,
    worked_out.spell_list,
    "A class's spell list by spell level, with the slots, numbers and cantrip damage of a character level, or with the "
    "effect of casting each spell with one slot. To filter by school etc.: `lorekeeper spells`.",
)
roll = _command(
    rolls.ROLL,
    worked_out.rolls,
    "Roll on a table that a book prints with a column of dice: a spell's or item's effects, madness, a background's "
    "ideals. A record's name rolls on all of its tables. Prints the roll, its row, and the record that has the table. "
    "Rolls plain dice too, e.g. 2d6+3.",
)
