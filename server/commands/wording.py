"""Messages for callers of tools in the words of the command line."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from server.library.message import Call, Given, Message, Named, NamedTool, Offset, WhereDocumentsAre

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.library.message import Piece

_COMMANDS: Final = {
    "search_all": "search",
    "search_spell": "spells",
    "search_creature": "creatures",
    "search_equipment": "equipment",
    "search_character_option": "options",
    "search_rule": "rules",
    **dict.fromkeys(
        ("lookup_spell", "lookup_creature", "lookup_equipment", "lookup_character_option", "lookup_rule"), "show"
    ),
    "query": "sql",
    "list_documents": "documents",
    "evaluate_encounter": "encounter",
    "suggest_encounter": "suggest",
}
"""Tool → the equivalent command."""
_SAID: Final[Mapping[type, str]] = {
    Offset: "That page",
    WhereDocumentsAre: "`lorekeeper documents` lists the valid keys.",
}
_WORDS: Final = ("name", "search", "sql")
"""Parameters of calls that are words of a command, not options."""


def in_a_terminal(message: str) -> str:
    """A message in the words of the command line: `--type undead` for `type="undead"`, and commands for tools."""
    return "".join(map(_said, Message(message).pieces))


def _said(piece: Piece) -> str:
    match piece:
        case Named(name):
            return _option(name)
        case Given():
            return _with_value(piece)
        case NamedTool(name):
            return f"`lorekeeper {_COMMANDS[name]}`" if name in _COMMANDS else name
        case Call():
            return _command(piece)
    return _SAID.get(type(piece), str(piece))


def _command(call: Call) -> str:
    words = [_typed(given) if given.name in _WORDS else _with_value(given) for given in call.given]
    if _COMMANDS[call.tool] == "show":  # it prints whole records, and takes nothing but a name
        words = [_typed(given) for given in call.given if given.name == "name"]
    return f"{call.lead}`lorekeeper {' '.join((_COMMANDS[call.tool], *words))}`" if words else ""


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}" if name in _options() else name


def _with_value(given: Given) -> str:
    if given.name not in _options():
        return str(given)
    if _options()[given.name] == "boolean":
        return _option(given.name) if given.value else f"--no-{given.name.replace('_', '-')}"
    return f"{_option(given.name)} {_typed(given)}"


def _typed(given: Given) -> str:
    """A value as typed in a command: quoted only if it has spaces, the items of a list separated by commas."""
    typed = ",".join(given.texts)
    return f'"{typed}"' if " " in typed else typed


@cache
def _options() -> Mapping[str, Any]:
    """The parameters that are options of some command → their JSON types.

    The others are words of the command: what is required, names, and texts to search for.
    """
    from server.tools.registry import TOOLS  # noqa: PLC0415 - only needed if there is a message

    parameters = [parameter for tool in TOOLS for parameter in tool.parameters]
    optional = (each for each in parameters if each.is_kind or not each.required)
    return {each.name: each.schema["type"] for each in optional if each.target not in ("name", "search")}
