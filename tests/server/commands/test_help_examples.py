"""The examples in the help work as printed, even with nothing but the demo's dataset."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from server.command_line import app
from server.settings import open_library

HELD = {name: app[name].help for name in app if not name.startswith("-")}
EXAMPLES = {name: found[1] for name, told in HELD.items() if (found := re.search(r": (.+)\.$", str(told)))}


def test_the_examples_are_found():
    assert {"encounter", "suggest", "level-up"} <= EXAMPLES.keys()


@pytest.mark.parametrize("command", EXAMPLES)
def test_every_example_of_the_list_of_commands_finds_something(
    command: str, lorekeeper: Callable[..., tuple[int, str, str]], starter_dataset: Path
):
    code, out, err = lorekeeper(command, *shlex.split(EXAMPLES[command]), "--dataset", str(starter_dataset))
    assert code == 0, out + err


@pytest.mark.parametrize("command", ["install", "encounter"])
def test_books_and_monsters_named_in_help_pages_exist(
    command: str, lorekeeper: Callable[..., tuple[int, str, str]], starter_dataset: Path
):
    told = " ".join(lorekeeper(command, "--help")[1].replace("│", " ").split())
    if command == "encounter":
        assert EXAMPLES["encounter"].partition(" ")[2] in told
    for documents in re.findall(r"--documents (\d{4}|[\w-]+,[\w,-]+)", told):
        open_library(starter_dataset, documents).close()
