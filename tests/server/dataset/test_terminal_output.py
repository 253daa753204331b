"""Output of commands: control characters are escaped, and JSON stays JSON."""

import json

from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from server.dataset.terminal import PrintableStdout, Terminal, lines_console, write, write_error, write_json

HOSTILE = "a\x1b]0;owned\x07b\u202ec\U000e0041d\x9bm"
SHOWN = r"a\x1b]0;owned\x07b\u202ec\U000e0041d\x9bm"


def test_control_characters_in_lines_are_escaped(capsys):
    write(f"{HOSTILE}\n")
    write_error(f"{HOSTILE}\n")
    PrintableStdout().write(f"{HOSTILE}\n")
    assert capsys.readouterr() == (f"{SHOWN}\n{SHOWN}\n", f"{SHOWN}\n")


def test_json_uses_its_own_escapes(capsys):
    value = {HOSTILE: [HOSTILE, "Élan"]}
    write_json(value)
    text = capsys.readouterr().out
    assert json.loads(text) == value
    assert text.isascii() is False
    assert all(character.isprintable() for character in text.rstrip("\n"))


def test_a_console_escapes_text_and_keeps_its_own_colours(capsys):
    table = Table("name")
    table.add_row(HOSTILE)
    console = Terminal(force_terminal=True, color_system="standard", width=80)
    for each in (HOSTILE, Text(HOSTILE, "bold"), Markdown(HOSTILE), table):
        console.print(each)
        told = capsys.readouterr().out
        assert "owned" in told
        assert not {"\x07", "\u202e", "\U000e0041", "\x9b"} & set(told)
        assert "\x1b]" not in told
    lines_console().print(Text("plain", "bold"))
    assert capsys.readouterr().out == "plain\n"
