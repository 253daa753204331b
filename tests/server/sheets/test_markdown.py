"""Elements of Markdown, which a parser reads back as what they were made from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from server.sheets.markdown import entry, facts, one_line, plain, prose, table

PARSER = MarkdownIt("commonmark").enable("table")


def shown(markdown: str) -> str:
    """The text that a reader sees, without markup."""
    inline = [token for token in PARSER.parse(markdown) if token.type == "inline"]
    return "".join(child.content for token in inline for child in token.children or ())


@given(st.text("*_[]<>|`\\abc", min_size=1))
def test_names_are_shown_unchanged(name):
    assert shown(f"Name: {plain(name)}") == f"Name: {name}"


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(st.lists(st.text("a|*\\ \n", max_size=4), min_size=n, max_size=n), min_size=1)
    )
)
def test_a_table_has_every_cell(rows):
    columns = [f"Column {place}" for place in range(len(rows[0]))]
    tokens = PARSER.parse(table(columns, rows))
    cells = [token.content for token, after in zip(tokens[1:], tokens, strict=False) if after.type == "td_open"]
    assert len(cells) == len(rows) * len(columns)
    assert all(cells)


def test_a_ragged_table_is_refused():
    with pytest.raises(ValueError, match="a row of 1 cells in a table of 2 columns"):
        table(["a", "b"], [["1"]])


def test_facts_without_a_value_are_left_out():
    assert facts(("Range", "60 feet"), ("Area", None), ("Duration", "")) == "**Range** 60 feet"


def test_a_list_is_joined_on_one_line():
    assert one_line("You own:\n\n* a rope\n* a torch") == "You own: a rope; a torch"


@pytest.mark.parametrize(
    ("text", "fitted"),
    [
        (None, ""),
        ("At will: light\n1/day: fly", "At will: light  \n1/day: fly"),
        ("Choose:\n- one\n- two\nThen go on.", "Choose:\n- one\n- two\n\nThen go on."),
        ("- one\n  still one", "- one\n  still one"),
        ("Roll:\n|d4|What|\n|---|---|\n|1|A|", "Roll:\n\n|d4|What|\n|---|---|\n|1|A|"),
        ("# Top\n## Below", "### Top\n\n#### Below"),
        ("###### Lowest\ntext", "### Lowest\n\ntext"),
        ("A line.\n---\nAnother.", "A line.\n\n---\n\nAnother."),
    ],
)
def test_headings_of_texts_are_below_the_name(text, fitted):
    assert prose(text) == fitted


@pytest.mark.parametrize(
    ("name", "text", "run_in"),
    [
        ("Amphibious", "It breathes.", "***Amphibious.*** It breathes."),
        ("Get Down!", "It ducks.", "***Get Down!*** It ducks."),
        ("Choice", "- one\n- two", "***Choice.***\n\n- one\n- two"),
        (None, "Only text.", "Only text."),
        ("Only a Name", None, "***Only a Name.***"),
    ],
)
def test_names_are_run_in(name, text, run_in):
    assert entry(name, text) == run_in
