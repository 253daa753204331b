"""Output of commands: control characters are escaped, and JSON stays JSON."""

import io
import json
import sys

import pytest
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from server.dataset.terminal import (
    PrintableStdout,
    Terminal,
    encodable,
    lines_console,
    without_encoding_errors,
    write,
    write_error,
    write_json,
)

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


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", "Élan −1 — “½” … 龍 → ×2"),
        ("cp1252", "Élan -1 — “½” … ? -> ×2"),
        ("ascii", 'Elan -1 - "1/2" ... ? -> x2'),
    ],
)
def test_what_an_encoding_lacks_looks_similar(monkeypatch: pytest.MonkeyPatch, encoding: str, shown: str):
    text = "Élan −1 — “½” … 龍 → ×2"
    stdout = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stdout)
    without_encoding_errors()
    write(f"{text}\n")
    Terminal(width=80).print(text, highlight=False)
    stdout.flush()
    assert stdout.buffer.getvalue().decode(encoding).splitlines() == [shown, shown]
    assert encodable(text, encoding) == shown


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii"])
def test_json_is_whole_in_any_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str):
    value = {"Élan": ["−1", "龍", "\N{DRAGON}"]}
    stdout = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stdout)
    without_encoding_errors()
    write_json(value)
    stdout.flush()
    assert json.loads(stdout.buffer.getvalue().decode(encoding)) == value
