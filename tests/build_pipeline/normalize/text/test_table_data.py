from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.tables import table_data


@pytest.mark.parametrize(
    ("above", "title"),
    [
        ("**Torches**\n\n", "Torches"),
        ("### Torches\n\n", "Torches"),
        ("### Torches\n", "Torches"),
        ("Torches\n\n", "Torches"),
        ("As the table says:\n\n", None),
        ("", None),
    ],
)
def test_a_table_is_titled_by_the_heading_or_caption_above_it(above: str, title: str | None) -> None:
    [table] = table_data(
        f"Light costs.\n\n{above}| Kind | Hours |\n|---|:-:|\n| **Torch** | 1 |\n| *Lamp* | 6 |\n\nMore."
    )
    assert table == {"title": title, "columns": ["Kind", "Hours"], "rows": [["Torch", "1"], ["Lamp", "6"]]}


def test_rows_are_as_wide_as_the_header_and_blank_cells_are_null() -> None:
    [table] = table_data("| A | B | C |\n|---|---|---|\n| 1 |\n| 1 | | 3 |\n| 1 | 2 | 3 | 4 |")
    assert table["rows"] == [["1", None, None], ["1", None, "3"], ["1", "2", "3"]]


def test_a_footnote_mark_is_kept() -> None:
    [table] = table_data("| Rope | Toll* |\n|---|---|\n| *Hemp* | 1* |\n| **Jute** | *2* |\n\n*Halved in rain.")
    assert (table["columns"], table["rows"]) == (["Rope", "Toll*"], [["Hemp", "1*"], ["Jute", "2"]])


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        (
            "| Knots | Toll | Knots | Toll |\n|---|---|---|---|\n| 1 | 2 | 3 | 6 |\n| 2 | 4 | | |",
            ["Knots", "Toll"],
            [["1", "2"], ["2", "4"], ["3", "6"]],
        ),
        ("| Rope | Rope |\n|---|---|\n| Hemp | Silk |\n| Jute | |", ["Rope"], [["Hemp"], ["Jute"], ["Silk"]]),
        (
            "| Rope | Toll | Toll |\n|---|---|---|\n| Hemp | 1 | 2 |",
            ["Rope", "Toll", "Toll"],
            [["Hemp", "1", "2"]],
        ),
    ],
)
def test_panels_with_the_same_column_names_are_one_table(text: str, columns: list[str], rows: list[list[str]]) -> None:
    [table] = table_data(text)
    assert (table["columns"], table["rows"]) == (columns, rows)


def test_a_table_without_headers_has_no_columns() -> None:
    [table] = table_data("| | |\n|---|---|\n| Dash | Hide |")
    assert (table["columns"], table["rows"]) == ([], [["Dash", "Hide"]])


def test_an_escaped_bar_is_not_a_border() -> None:
    [table] = table_data("| A |\n|---|\n| x \\| y\\* |")
    assert table["rows"] == [["x | y*"]]


def test_several_tables_have_their_own_titles() -> None:
    text = "**One**\n\n| A |\n|---|\n| 1 |\n\n**Two**\n\n| B |\n|---|\n| 2 |\n"
    assert [(t["title"], t["columns"]) for t in table_data(text)] == [("One", ["A"]), ("Two", ["B"])]


@given(st.text(alphabet="|-\n ab*", max_size=200))
def test_in_any_text_rows_are_as_wide_as_their_table(text: str) -> None:
    for table in table_data(text):
        assert len({len(row) for row in table["rows"]} | ({len(table["columns"])} if table["columns"] else set())) <= 1
        assert all(cell != "" for row in [table["columns"], *table["rows"]] for cell in row)
