"""Sections are split only at line endings of CommonMark."""

from __future__ import annotations

import pytest

from build_pipeline.snapshot.web.sections import split_sections


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_other_line_separators_do_not_end_a_line(character: str, end: str) -> None:
    text = end.join([f"intro{character}more", "# One", "text one", "# Two", "text two", ""])
    assert [(section.title, section.markdown, section.line) for section in split_sections(text)] == [
        ("", f"intro{character}more", 1),
        ("One", "text one", 2),
        ("Two", "text two", 4),
    ]
