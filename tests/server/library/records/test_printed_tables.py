"""Tables in texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.library.library import Library
from server.library.records.printed_tables import tables_in

CELL = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=8)


def test_a_line_above_a_table_is_its_title():
    table = "| d4 | *Find* |\n|:-:|---|\n| 1–3 | A **_cold_** coin |\n| 4 | Salt \\| sand |"
    text = f"Words.\n\n**Odd Finds.**\n\n{table}\n\nMore."
    assert list(tables_in(text)) == [("Odd Finds", ("d4", "Find"), (("1–3", "A cold coin"), ("4", "Salt | sand")))]


def test_a_sentence_above_a_table_is_not_its_title():
    assert [title for title, *_ in tables_in("Roll once.\n\n| d4 | Find |\n|---|---|\n| 1 | Ash |")] == [None]


def test_short_rows_are_padded_and_long_ones_cut():
    ((_, _, rows),) = tables_in("| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |")
    assert rows == (("1", ""), ("1", "2"))


def test_single_lines_and_horizontal_rules_are_not_tables():
    assert not list(tables_in("Above\n\n---\n\nOne | two\n\n| alone |\n|---|\n| 1 |"))


@given(st.integers(2, 4).flatmap(lambda n: st.lists(st.tuples(*[CELL] * n), min_size=2, max_size=5)))
def test_a_rendered_table_is_read_back(rows):
    first, *others = rows
    lines = [" | ".join(row) for row in (first, ["---"] * len(first), *others)]
    assert [(columns, cells) for _, columns, cells in tables_in("\n".join(f"| {line} |" for line in lines))] == [
        (first, tuple(others))
    ]


def test_tables_are_found_in_the_parts_of_records_too(library: Library):
    (found,) = [table for table in library.tables.all if table.within == "What the Lamp Showed"]
    assert (found.id, found.columns) == ("background/the-lantern-coast/lighthouse-keeper", ("d4", "Sight"))


def test_tables_of_rules_come_from_their_column(library: Library):
    part = {table.id: table for table in library.tables.all}["rule/srd-2024/xp-budget-per-character"]
    assert (part.title, part.columns[1:], part.rows[0]) == (None, ("Low", "Moderate", "High"), ("1", "50", "75", "100"))


@pytest.mark.parametrize("cell", ["*a " * 20_000, " " * 60_000, "*" * 60_000, "_*" * 30_000, "\\|" * 30_000])
def test_cells_are_read_in_linear_time(cell):
    """A pattern that tries every split of such a text would not end."""
    ((_, columns, rows),) = tables_in(f"{cell}\n| d4 | Find |\n|---|---|\n| 1 | {cell} |")
    assert (columns, len(rows)) == (("d4", "Find"), 1)
