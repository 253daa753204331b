"""`lorekeeper search`, and `spells`, `creatures`, `equipment`, `options` and `rules`: the search tools from a terminal.

Each command's options are its tool's parameters.
"""

import inspect
import os
import sys
from collections.abc import Callable
from contextlib import closing
from typing import Annotated, Any, Final

from cyclopts import Parameter
from cyclopts.validators import Number

from server.commands.options import DatasetOption, Json, PreferOption
from server.commands.printing import print_answer, print_paged
from server.commands.tool_options import option, with_parameters
from server.dataset.terminal import write_json
from server.settings import DOCUMENTS_VARIABLE, open_library
from server.tools import character_options, creatures, equipment, everything, rules, spells
from server.tools.parameters import DOCUMENTS, MAX_LIMIT, PAGING
from server.tools.tool import Tool

_PAGING: Final = {parameter.name for parameter in PAGING}


def _command(tool: Tool) -> Callable[..., int]:
    """A command that calls a search tool."""
    text = next(parameter for parameter in tool.parameters if parameter.target == "search")

    def run(
        *words: Annotated[str, Parameter(help=f"{text.doc}. Without words: everything that passes the filters.")],
        limit: Annotated[int, Parameter(help="Hits per page.", validator=Number(gte=1, lte=MAX_LIMIT))] = 10,
        page: Annotated[int, Parameter(help="Page to show.", validator=Number(gte=1))] = 1,
        full: Annotated[bool, Parameter(negative="", help="Print whole sheets.")] = False,
        explain: Annotated[bool, Parameter(negative="", help="Show the parts of each score.")] = False,
        json: Json = False,
        dataset: DatasetOption = None,
        prefer: PreferOption = None,
        **given: Any,
    ) -> int:
        arguments = {name: value for name, value in given.items() if value is not None}
        arguments |= {
            text.name: " ".join(words),
            "limit": limit,
            "offset": (page - 1) * limit,
            "detail": "full" if full or json else "summary",
        }
        values = tool.read(arguments)  # invalid arguments are refused before a dataset is loaded
        library = open_library(
            dataset, os.environ.get(DOCUMENTS_VARIABLE), prefer, explain=explain, max_chars=sys.maxsize
        )
        with closing(library):
            library.facts.check_documents(values.get(DOCUMENTS.name))
            answer = tool.answer(library, values, ())
        if json:
            write_json(answer, indent=2)
        else:
            print_paged(lambda console: print_answer(answer, console, full=full, page=page))
        return 0

    options = [option(p, tool) for p in tool.parameters if p is not text and p.name not in _PAGING]
    words = inspect.signature(run).parameters["words"]
    run.__doc__ = f"{tool.title}: WORDS describe what to find, options filter the results."
    return with_parameters(run, [words], options)


search_everything = _command(everything.SEARCH)
search_spells = _command(spells.SEARCH)
search_creatures = _command(creatures.SEARCH)
search_equipment = _command(equipment.SEARCH)
search_options = _command(character_options.SEARCH)
search_rules = _command(rules.SEARCH)
