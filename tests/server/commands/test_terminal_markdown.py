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
def test_every_word_of_a_table_is_printed(width):
    shown = printed(width)
    # Too wide a table has shorter headings: 2 for 2nd.
    shorter = TABLE.replace("Proficiency", "Prof.").replace("2nd", "2").replace("3rd", "3").replace("4th", "4")
    words = set(re.findall(r"[\w+]+", shown))
    assert (
        set(re.findall(r"[\w+]+", TABLE)) <= words or set(re.findall(r"[\w+]+", shorter.replace("5th", "5"))) <= words
    )
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= width


def test_columns_that_do_not_fit_are_printed_below_with_row_names():
    assert printed(100).count("20th") == 1
    assert printed(40).count("20th") > 1


def test_no_word_is_broken_while_the_longest_words_of_all_columns_fit():
    words = ("Spellcasting", "Countercharm", "Improvements")
    rows = "".join(f"| {level} | +2 | {word}, {word} {word} | {'a ' * 9} |\n" for level, word in enumerate(words))
    console = Console(width=60, force_terminal=False)
    with console.capture() as capture:
        console.print(TerminalMarkdown(f"| Level | Proficiency Bonus | Features | Notes |\n|---|---|---|---|\n{rows}"))
    shown = capture.get()
    assert [shown.count(word) for word in words] == [3, 3, 3]
    assert max(map(len, shown.splitlines())) <= 60


def test_headings_are_shorter_rather_than_columns_below_each_other():
    columns = ("Level", "Proficiency Bonus", "Features", *(f"{n}{end}" for n, end in ((1, "st"), (2, "nd"), (3, "rd"))))
    markdown = f"| {' | '.join(columns)} |\n|{'---|' * 6}\n| 1st | +2 | Spellcasting | 2 | — | — |"
    by_width = {}
    for width in (60, 38, 28, 20):
        console = Console(width=width, force_terminal=False)
        with console.capture() as capture:
            console.print(TerminalMarkdown(markdown))
        shown = capture.get()
        by_width[width] = ("Prof." in shown, shown.count("Level"))
    assert by_width == {60: (False, 1), 38: (True, 1), 28: (True, 2), 20: (False, 3)}
