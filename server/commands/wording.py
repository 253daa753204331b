"""Translation of messages written for callers of tools into the words of the command line."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from server.library.request import WHERE_DOCUMENTS_ARE

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
    "list_documents": "documents",
    "evaluate_encounter": "encounter",
    "suggest_encounter": "suggest",
}
"""Tool → the equivalent command."""

_VALUE: Final = r'(?:=|, e\.g\. (?=\[))(?P<value>\[[^\]]*\]|"[^"]*"|[^\s,;:()]*[^\s,.;:()])'

_BEFORE: Final = ("eaving out ", "eave out ", "give ", "raise ")
_AFTER: Final = (
    " cannot be ",
    " applies only to ",
    " is required",
    " is empty",
    " is an empty list",
    " is not a filter",
    " was not given",
    r' (?:[\d./]+|"[^"]*") (?:is greater than|cannot be combined|can be combined) ',
)
"""Text before or after a word that shows that it is the name of a parameter."""

_GIVEN: Final = r'(?:[^()"]|"[^"]*")*'
"""Arguments of a call."""
_LOOK_UP: Final = re.compile(rf'lookup_\w+\({_GIVEN}\bname="(?P<name>[^"]*)"{_GIVEN}\)')
_LOOK_UP_OF_PART: Final = re.compile(rf": lookup_\w+\({_GIVEN}\bpart={_GIVEN}\)")


def in_a_terminal(message: str) -> str:
    """A message for callers of tools, reworded for the command line.

    `type="undead"` becomes `--type undead`; a named parameter becomes an option, a named tool a command.
    """
    given, named, tools = _patterns()
    said = message.replace(WHERE_DOCUMENTS_ARE, "`lorekeeper documents` lists the valid keys.")
    said = re.sub(r"\boffset \d+ is past", "that page is past", said)
    said = _LOOK_UP_OF_PART.sub("", said)  # the command prints whole records
    said = _LOOK_UP.sub(lambda found: f"`lorekeeper show {found['name']}`", said)
    said = given.sub(lambda found: f"{_option(found['name'])} {_typed(found['value'])}", said)
    said = named.sub(lambda found: _option(found[0]), said)
    return tools.sub(lambda found: f"`lorekeeper {_COMMANDS[found[0]]}`", said)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Patterns of a parameter with its value, of a parameter's name without a value, and of a tool.

    A one-word name may be an ordinary word: without a value it is a parameter only next to text that shows it.
    Required parameters, names and search texts are positional arguments of a command, not options.
    """
    from server.tools.registry import TOOLS  # noqa: PLC0415 - only needed if there is a message

    parameters = [parameter for tool in TOOLS for parameter in tool.parameters if not parameter.required]
    options = {parameter.name for parameter in parameters if parameter.target not in ("name", "search")}
    names = "|".join(sorted(options, key=len, reverse=True))
    long = "|".join(name for name in names.split("|") if "_" in name)
    before = "|".join(f"(?<={words})" for words in _BEFORE)
    spoken_of = rf"(?:{before})(?:{names})\b|(?<![\w-])(?:{names})(?={'|'.join(_AFTER)})"
    return (
        re.compile(rf"(?<![\w-])(?P<name>{names}){_VALUE}"),
        re.compile(rf"(?<![\w/-])(?:{long})\b(?![/.])|{spoken_of}"),
        re.compile(rf"\b(?:{'|'.join(_COMMANDS)})\b"),
    )


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _typed(value: str) -> str:
    """A value as typed in a command: quoted only if it has spaces, the items of a list separated by commas."""
    parts = re.findall(r'"([^"]*)"', value) or [value]
    joined = ",".join(parts)
    return f'"{joined}"' if " " in joined else joined
