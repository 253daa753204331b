"""Markdown on terminals of any width: no word of a table is lost."""

import re

import pytest
from rich.console import Console

from server.commands.terminal_markdown import TerminalMarkdown

COLUMNS = ("Level", "Proficiency Bonus", "Features", "Cantrips Known", "1st", "2nd", "3rd", "4th", "5th")
TABLE = "\n".join(
    (
        f"| {' | '.join(COLUMNS)} |",
        f"|{'---|' * len(COLUMNS)}",
        "| 1st | +2 | Spellcasting, Recovery | 3 | 2 | a | b | c | d |",
        "| 20th | +6 | Ability Score Improvement | 5 | 4 | e | f | g | h |",
    )
)


def printed(width: int) -> str:
    console = Console(width=width, force_terminal=False)
    with console.capture() as capture:
        console.print(TerminalMarkdown(TABLE))
    return capture.get()


@pytest.mark.parametrize("width", [100, 80, 60, 40, 24])
def test_every_word_is_there(width):
    shown = printed(width)
    assert set(re.findall(r"[\w+]+", TABLE)) <= set(re.findall(r"[\w+]+", shown))
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= width


def test_columns_that_do_not_fit_stand_below_with_their_rows_named():
    assert printed(100).count("20th") == 1
    assert printed(40).count("20th") > 1
