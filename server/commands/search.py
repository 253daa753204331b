"""`lorekeeper search`: the tools from a terminal."""

from __future__ import annotations

import json as json_module
import os
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console

from server.commands.options import DatasetOption, PreferOption
from server.commands.printing import print_answer
from server.library.messages import did_you_mean
from server.settings import DOCUMENTS_VARIABLE, SettingsError, open_library
from server.tools.registry import TOOLS, tool_named
from server.tools.tool import Tool
from server.tools.values import YES_NO, listed

_TEXT_TARGETS = ("search", "name")


def search(
    text: str = "",
    /,
    *,
    tool: Annotated[str, Parameter(help="The tool to call, e.g. lookup_spell.")] = "search_all",
    json: Annotated[bool, Parameter(negative="", help="Print the tool's response as JSON.")] = False,
    explain: Annotated[bool, Parameter(negative="", help="Show the parts of each score.")] = False,
    dataset: DatasetOption = None,
    prefer: PreferOption = None,
    **filters: Annotated[str, Parameter(help="The tool's parameters: --level 3 --documents srd-5e,a5e --ritual true.")],
) -> int:
    """Search the library: TEXT is what to search for, or the name to look up."""
    chosen = tool_named(tool)
    if chosen is None:
        names = [known.name for known in TOOLS]
        msg = f"there is no tool {tool!r}.{did_you_mean(tool, names)} The tools: {listed(names)}"
        raise SettingsError(msg)
    arguments = _arguments(chosen, text, {name.replace("-", "_"): value for name, value in filters.items()})
    if not json and chosen.ranked and any(parameter.name == "detail" for parameter in chosen.parameters):
        arguments.setdefault("detail", "summary")
    values = chosen.read(arguments)  # invalid arguments are refused before a dataset is loaded
    library = open_library(dataset, os.environ.get(DOCUMENTS_VARIABLE), prefer, explain=explain)
    try:
        answer, text_content = chosen.respond(library, arguments)
    finally:
        library.close()
    if json:
        print(json_module.dumps(answer, indent=2, ensure_ascii=False))  # noqa: T201 - the output itself
    elif values.get("format") == "markdown":
        print(text_content)  # noqa: T201 - as above
    else:
        print_answer(answer, Console(), full=values.get("detail") == "full")
    return 0


def _arguments(tool: Tool, text: str, options: dict[str, str]) -> dict[str, Any]:
    """The tool's arguments from the words of a command line."""
    kinds = {parameter.name: parameter.schema["type"] for parameter in tool.parameters}
    arguments: dict[str, Any] = {name: _value(kinds.get(name), value) for name, value in options.items()}
    main = next((p for p in tool.parameters if p.target in _TEXT_TARGETS), None)
    if main is not None and (text or main.required):
        arguments.setdefault(main.name, text)
    elif text:
        msg = f"{tool.name} takes no text"
        raise SettingsError(msg)
    return arguments


def _value(kind: str | list[str] | None, word: str) -> Any:
    """A word of the command line, converted to the parameter's JSON type."""
    if kind is not None and "array" in kind and "string" not in kind:
        return [part.strip() for part in word.split(",") if part.strip()]
    if kind == "boolean":
        return YES_NO.get(word.casefold(), word)
    return word
