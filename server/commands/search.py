"""`lorekeeper search`, and `spells`, `creatures`, `equipment`, `options` and `rules`: the search tools from a terminal.

Each command's options are its tool's parameters.
"""

import inspect
import json as json_module
import os
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Literal

import polars as pl
from cyclopts import Group, Parameter, Token
from cyclopts.validators import Number

from server.commands.options import DatasetOption, Json, PreferOption
from server.commands.printing import print_answer, print_paged
from server.dataset.columns import Table
from server.dataset.manifest import DatasetError
from server.dataset.paths import resolve
from server.library.filter_types import Filter
from server.settings import DOCUMENTS_VARIABLE, open_library
from server.store.locate import locate_dataset
from server.tools import character_options, creatures, equipment, everything, rules, spells
from server.tools.parameters import DOCUMENTS, MAX_LIMIT, PAGING
from server.tools.parameters import Parameter as ToolParameter
from server.tools.tool import Tool

_FILTERS: Final = Group("Filters", sort_key=2)
_PAGING: Final = {parameter.name for parameter in PAGING}
_TYPES: Final = {"integer": int, "number": float, "boolean": bool}


def _command(tool: Tool) -> Callable[..., int]:
    """A command that calls a search tool."""
    text = next(parameter for parameter in tool.parameters if parameter.target == "search")

    def run(
        *words: Annotated[str, Parameter(help=f"{text.doc}. Without words: everything that passes the filters.")],
        limit: Annotated[int, Parameter(help="Hits on a page.", validator=Number(gte=1, lte=MAX_LIMIT))] = 10,
        page: Annotated[int, Parameter(help="Which page.", validator=Number(gte=1))] = 1,
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
        library = open_library(dataset, os.environ.get(DOCUMENTS_VARIABLE), prefer, explain=explain)
        try:
            answer = tool.answer(library, values, ())
        finally:
            library.close()
        if json:
            print(json_module.dumps(answer, indent=2, ensure_ascii=False))  # noqa: T201 - the output itself
        else:
            print_paged(lambda console: print_answer(answer, console, full=full, page=page))
        return 0

    options = [_option(p, tool) for p in tool.parameters if p is not text and p.name not in _PAGING]
    signature = inspect.signature(run)
    own = [parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
    run.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *options)}
    run.__doc__ = f"{tool.title}: WORDS say what is meant, options what must hold."
    return run


def _option(parameter: ToolParameter, tool: Tool) -> inspect.Parameter:
    """A tool's parameter as an option of a command."""
    kind = parameter.schema["type"]
    help_text = "Only these documents or editions: srd-5e,a5e or 5e-2024." if parameter is DOCUMENTS else parameter.doc
    annotation: Any = _TYPES.get(kind, str) if isinstance(kind, str) else str
    settings: dict[str, Any] = {"help": help_text, "group": _FILTERS}
    if "enum" in parameter.schema:
        annotation = Literal[tuple(parameter.schema["enum"])]
    elif parameter.closed and (values := _values(parameter.closed, tool.tables)):
        # Other words are left to the tool, which knows what was meant.
        annotation = Literal[values] | str
    elif "array" in kind:
        annotation = list[str]
        settings |= {"converter": _comma_separated, "negative": "", "accepts_keys": False, "n_tokens": 1}
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[annotation | None, Parameter(**settings)],
    )


def _values(declared: Filter, tables: Sequence[Table]) -> tuple[str, ...]:
    """What the dataset in use holds for a closed filter, for help and completion; nothing if it cannot be read.

    Why it cannot is said by the command itself, when it opens the dataset.
    """
    try:
        folder = locate_dataset(None, os.environ)
        if folder is None:
            return ()
        found = [
            pl.scan_parquet(folder / table.file).select(resolve(table, path)[0]).unique().collect().to_series()
            for table in tables
            for path in declared.paths
        ]
    except (DatasetError, OSError, pl.exceptions.PolarsError):
        return ()
    flat = (series.explode() if series.dtype == pl.List else series for series in found)
    return tuple(sorted({value for series in flat for value in series.drop_nulls()}))


def _comma_separated(_: type, tokens: Sequence[Token]) -> list[str]:
    return [part.strip() for token in tokens for part in token.value.split(",") if part.strip()]


search_everything = _command(everything.SEARCH)
search_spells = _command(spells.SEARCH)
search_creatures = _command(creatures.SEARCH)
search_equipment = _command(equipment.SEARCH)
search_options = _command(character_options.SEARCH)
search_rules = _command(rules.SEARCH)
