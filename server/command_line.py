"""The commands of `lorekeeper`: get a dataset, serve it, search it from the terminal, check it, set up clients."""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from functools import partial
from importlib.metadata import version
from typing import Final

from cyclopts import (
    App,
    Argument,
    CycloptsError,
    Group,
    MissingArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from server.commands.failure import EXPECTED, report
from server.dataset.terminal import lines_console, without_encoding_errors
from server.dataset.vocabulary import YES_NO

_SEARCHES: Final = ("spells", "creatures", "equipment", "options", "rules")
"""The search commands for a single kind, each with the filters of that kind."""


def _one_line(error: CycloptsError) -> str:
    said = " ".join(str(error).split())
    if isinstance(error, UnknownOptionError) and "Did you mean" not in said:
        said += _whose_option(error.token.keyword or error.token.value)
    elif isinstance(error, MissingArgumentError) and error.argument:
        said = _what_is_missing(error.argument, " ".join(error.command_chain or ()))
    elif isinstance(error, UnusedCliTokensError):
        command = " ".join(error.command_chain or ())
        left = " ".join(error.unused_tokens or [])
        said = f"`lorekeeper {command}` has no use for {left}. See `lorekeeper {command} --help`."
    elif isinstance(error, UnknownCommandError):
        said = _instead_of(error.unused_tokens or [])
    return f"lorekeeper: {said}"


def _what_is_missing(argument: Argument, command: str) -> str:
    """The argument that a command lacks, and the values it takes."""
    choices, help_text = argument.get_choices(), argument.parameter.help
    meant = f" Choose from: {', '.join(choices)}." if choices else f" {help_text.rstrip('.')}." if help_text else ""
    return f"`lorekeeper {command}` needs {argument.name}.{meant} See `lorekeeper {command} --help`."


def _instead_of(words: list[str]) -> str:
    """Suggestions for a command line that does not begin with a command."""
    near = get_close_matches(words[0], _commands(), n=1)
    hint = f' Did you mean "{near[0]}"?' if near else ""
    asked = " ".join(word for word in words if not word.startswith("-"))
    ways = f"`lorekeeper show {asked}` prints the entry of that name, `lorekeeper search {asked}` searches for it"
    ways = f"{ways}, `lorekeeper --help`" if asked else "`lorekeeper --help`"
    return f'There is no command "{words[0]}".{hint} {ways} lists the commands.'


def _commands() -> list[str]:
    return [name for name in app if not name.startswith("-")]


def _with_values(words: list[str]) -> list[str]:
    """The words of a command line, with a yes or no joined to the option before it if that option has a negative form.

    The parser would read `--ritual false` as `--ritual`, and `false` as a word to search for.
    """
    if not words or words[0] not in _commands() or YES_NO.keys().isdisjoint(map(str.casefold, words)):
        return words
    options = {
        name
        for argument in app[words[0]].assemble_argument_collection()
        for name in argument.names
        if name in argument.negatives or name.replace("--", "--no-", 1) in argument.negatives
    }
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in options and word.casefold() in YES_NO:
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _whose_option(option: str) -> str:
    """The commands that have an option which another command was given."""
    name = option.partition("=")[0]
    have = [each for each in _SEARCHES if any(name in a.names for a in app[each].assemble_argument_collection())]
    return f" It is an option of: {', '.join(f'lorekeeper {each}' for each in have)}." if have else ""


app = App(
    name="lorekeeper",
    help="Every open D&D 5e rule, spell, monster and item, offline.",
    version=lambda: version("lorekeeper-offline"),
    error_formatter=_one_line,
    error_console=lines_console(stderr=True),
    group_commands=Group("Options", sort_key=5),
)
_look_up = partial(app.command, group=Group("Search and look up", sort_key=1))
_at_the_table = partial(app.command, group=Group("At the table", sort_key=2))
_for_assistants = partial(app.command, group=Group("For your assistant", sort_key=3))
_of_datasets = partial(app.command, group=Group("Datasets", sort_key=4))
# By name, so that each command imports only what it needs and `serve` starts before a client times out.
_look_up("server.commands.search:search_everything", name="search", help="Search everything from the terminal.")
_look_up("server.commands.search:search_spells", name="spells", help="Search spells.")
_look_up("server.commands.search:search_creatures", name="creatures", help="Search monsters, animals and NPCs.")
_look_up("server.commands.search:search_equipment", name="equipment", help="Search gear and magic items.")
_look_up("server.commands.search:search_options", name="options", help="Search classes, races, backgrounds, feats.")
_look_up("server.commands.search:search_rules", name="rules", help="Search rules, conditions, skills and the like.")
_look_up("server.commands.show:show", help="Print a spell, monster, item or rule as a book does.")
_look_up("server.commands.documents:documents", help="List the books of the dataset.")
_look_up("server.commands.sql:sql", help="Query the dataset by SQL from the terminal.")
_at_the_table("server.commands.table:encounter", help='Say how hard an encounter is: 3,3,3,3 "4 wolf" owlbear.')
_at_the_table("server.commands.table:suggest", help="Suggest encounters within a party's budget: 3,3,3,3.")
_at_the_table("server.commands.table:level_up", name="level-up", help="List what a class gains at a level: wizard 5.")
_at_the_table("server.commands.table:spell_list", name="spell-list", help="List a class's spells, with its slots.")
_at_the_table("server.commands.table:roll", help="Roll dice (2d6+3), or on a table that a book prints.")
_for_assistants("server.commands.serve:serve", help="Serve the dataset to MCP clients.")
_for_assistants("server.commands.install:install", help="Add the server to a client's configuration.")
_for_assistants("server.commands.doctor:doctor", help="Check everything between the dataset and your assistant.")
_of_datasets("server.commands.pull:pull", help="Fetch a dataset and take it into use.")
_of_datasets("server.commands.datasets:datasets", help="List the datasets on this machine.")
_of_datasets("server.commands.use:use", help="Take a pulled dataset into use.")
_of_datasets("server.commands.prune:prune", help="Remove pulled datasets that are not in use.")
_of_datasets("server.commands.info:info", help="Show the version and contents of the dataset.")
_of_datasets("server.commands.verify:verify", help="Check a dataset.")
_of_datasets("server.commands.export:export", help="Write the dataset in other forms, or for other programs.")
app.register_install_completion_command(help="Let the shell complete commands, options and values.")


def run() -> None:
    """Run the command line. Exit codes: 0 success, 1 a check failed, 2 wrong usage."""
    without_encoding_errors()
    words = sys.argv[1:]
    if words and words[0] in _commands():
        app[words[0]].help = None  # its own help page shows its docstring; the list must not import it
    try:
        result = app(_with_values(words), result_action="return_value")
    except BrokenPipeError:  # the reader has closed the pipe, as in `lorekeeper info | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except EXPECTED as error:
        sys.exit(report(error))
    else:
        sys.exit(result if isinstance(result, int) else 0)
