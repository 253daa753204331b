"""Markdown tables: read, removed and repaired."""

from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.tables import has_torn_row, plain, tables_in, with_plain_formulas, without_tables

_CELL = st.text("abc 1+", min_size=1, max_size=6).map(str.strip).filter(bool)


@given(st.integers(1, 5).flatmap(lambda width: st.lists(st.lists(_CELL, min_size=width, max_size=width), min_size=1)))
def test_a_written_table_is_read_back(rows):
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    text = "\n".join(
        ["Before.", "", "Caption here", "", lines[0], "|---" * len(rows[0]) + "|", *lines[1:], "", "After."]
    )
    [table] = tables_in(text)
    assert table.caption == "Caption here"
    assert [list(table.header), *map(list, table.rows)] == rows
    assert not has_torn_row(text)
    assert without_tables(text) == "Before.\n\nAfter."


def test_a_sentence_above_a_table_is_not_a_caption():
    [table] = tables_in("Roll a die.\n\n| d6 | Bell |\n|---|---|\n| 1 | Brass |\n")
    assert table.caption is None
    assert table.column("Bell") == ["Brass"]
    assert table.column("Rope") is None


def test_a_row_without_its_cells_is_recognised():
    assert has_torn_row("| d6 | Flaw |\n|---|---|\n| 1 |\n| 2 | Loud |\n")
    assert not has_torn_row("No table.")


def test_boxes_of_one_column_are_paragraphs():
    text = "So:\n\n| **Save** = 8 + bells |\n| --- |\n| **Attack** = bells |\n"
    assert with_plain_formulas(text) == "So:\n\n**Save** = 8 + bells\n\n**Attack** = bells"


def test_emphasis_is_removed_and_words_are_kept():
    assert plain("**Wolf**, *Cure Wounds* and snake_case") == "Wolf, Cure Wounds and snake_case"
