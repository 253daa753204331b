"""Tables to roll on."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.library.records.printed_tables import PrintedTable
from server.play.dice_tables import dice_tables_of, fault_of


def dice_table(table):
    """The only table to roll on; None if there is none."""
    return next(iter(dice_tables_of(table) or ()), None)


def printed(columns, rows, title=None):
    above = {"id": "rule/x/omens", "name": "Omens", "entity_type": "rule", "document_key": "x"}
    return PrintedTable(**above, game_system=None, title=title, within=None, columns=columns, rows=rows)


def test_side_by_side_panels_are_one_table():
    table = dice_table(printed(("1d4", "Omen", "d4", "Omen"), (("1", "Crow", "3–4", "Bell"), ("2", "Rain", "—", ""))))
    assert [(row.first, row.last, *row.cells) for row in table.outcomes] == [
        (1, 1, ("Omen", "Crow")),
        (2, 2, ("Omen", "Rain")),
        (3, 4, ("Omen", "Bell")),
    ]
    assert (table.dice, table.title, table.label) == ("1d4", "Omen", "Omens: Omen")


def test_a_table_without_headings_is_named_after_its_record():
    table = dice_table(printed(("d4", ""), (("1-2", "Crow"), ("3-4", "Bell"))))
    assert (table.title, table.label) == ("Omens", "Omens")


def test_each_titled_column_is_a_table():
    columns = ("1d4 (Small)", "1d6 (Large)", "Card")
    rows = (("—", "1–2", "Fool"), ("1-2", "3-4", "Key"), ("3-4", "5–6", "Moon"))
    small, large = dice_tables_of(printed(columns, rows, title="Cards"))
    assert (small.title, small.dice, len(small.outcomes)) == ("Cards (Small)", "1d4", 2)
    assert (large.title, large.dice) == ("Cards (Large)", "1d6")
    assert [row.cells for row in large.outcomes] == [(("Card", "Fool"),), (("Card", "Key"),), (("Card", "Moon"),)]


def test_a_heading_may_name_the_dice():
    table = dice_table(printed(("Dice: d6", "Omen"), (("1-5", "Crow"), ("6", "Bell"))))
    assert (table.dice, table.outcomes[0].cells) == ("1d6", (("Omen", "Crow"),))


def test_panels_with_other_dice_are_separate_tables():
    assert dice_table(printed(("d4", "Omen", "d6", "Omen"), (("1-4", "Crow", "1-6", "Bell"),))) is None


def test_double_zero_is_100():
    table = dice_table(printed(("D100", "Omen"), (("01-50", "Crow"), ("51–00", "Rain")), title="Omens"))
    assert (table.outcomes[-1].last, table.label) == (100, "Omens")


def test_percent_dice_are_of_a_hundred_sides():
    table = dice_table(printed(("1d%", "Omen"), (("01-50", "Crow"), ("51-00", "Rain"))))
    assert table.dice == "1d100"


PLACES = ("Place", "Lost", "Near", "There")
ROWS = (("Home", "—", "—", "01-100"), ("Cave", "01–05", "06–20", "21–00"))


def test_rows_of_results_are_a_table_each():
    home, cave = dice_tables_of(printed(PLACES, ROWS, title="Arrival"))
    assert (home.title, home.dice, len(home.outcomes)) == ("Arrival (Home)", "1d100", 1)
    assert [(row.first, row.last, *row.cells) for row in cave.outcomes] == [
        (1, 5, ("Place", "Cave"), ("Outcome", "Lost")),
        (6, 20, ("Place", "Cave"), ("Outcome", "Near")),
        (21, 100, ("Place", "Cave"), ("Outcome", "There")),
    ]
    untitled, _ = dice_tables_of(printed(PLACES, ROWS))
    assert untitled.label == "Omens: Place (Home)"


@pytest.mark.parametrize(
    "row",
    [
        ("Sea", "01-05", "06-20", "21-99"),
        ("Sea", "01-05", "05-20", "21-00"),
        ("Sea", "1", "2", "3"),
        ("Sea", "1", "2-3", "4"),
        ("Sea", "01-05", "06-20", "21-00 feet"),
        ("Sea", "—", "—", "—"),
    ],
    ids=["too few", "overlapping", "no such die", "another die", "a measure", "nothing"],
)
def test_rows_are_of_results_only_if_all_cover_one_die(row):
    assert dice_tables_of(printed(PLACES, (*ROWS, row))) is None


@pytest.mark.parametrize(
    ("results", "fault"),
    [
        (("1", "3"), ((2, 4), (), ())),
        (("1-3", "2-4"), ((), (2, 3), ())),
        (("0-2", "3-6"), ((), (), (0, 5, 6))),
    ],
)
def test_what_is_wrong_with_a_table_of_dice(results, fault):
    found = fault_of(printed(("d4", "Omen"), tuple((result, "Crow") for result in results)))
    assert (found.missing, found.repeated, found.impossible) == fault
    assert found.dice == ("d4",)


def test_columns_of_different_dice_are_what_is_wrong():
    found = fault_of(printed(("d4", "Omen", "d6", "Omen"), (("1-4", "Crow", "1-6", "Bell"),)))
    assert (found.dice, found.missing, found.repeated, found.impossible) == (("d4", "d6"), (), (), ())


def test_nothing_is_wrong_with_a_table_that_can_be_rolled_on_or_has_no_dice():
    assert fault_of(printed(("d4", "Omen"), (("1-4", "Crow"),))) is None
    assert fault_of(printed(("Level", "Omen"), (("1", "Crow"),))) is None


@pytest.mark.parametrize(
    "results",
    [("1", "2"), ("1-2", "2-4"), ("0-2", "3-4"), ("1-4", "5"), ("one", "2-4")],
    ids=["too few", "overlapping", "from zero", "too many", "unreadable"],
)
def test_a_table_must_cover_every_result_once(results):
    assert dice_table(printed(("d4", "Omen"), tuple((result, "Crow") for result in results))) is None


@pytest.mark.parametrize("columns", [("Level", "Effect"), ("d4 + level", "Effect"), ("Damage", "2d6 fire")])
def test_tables_without_dice_are_not_rolled_on(columns):
    assert dice_table(printed(columns, (("1", "2"),))) is None


@given(count=st.integers(1, 3), sides=st.integers(2, 20), cuts=st.sets(st.integers(1, 60)), seed=st.integers())
def test_a_roll_gives_the_row_of_its_range(count, sides, cuts, seed):
    starts = sorted({count, *(cut for cut in cuts if count < cut <= count * sides)})
    spans = list(zip(starts, [*(start - 1 for start in starts[1:]), count * sides], strict=True))
    table = dice_table(printed((f"{count}d{sides}", "Span"), tuple((f"{a}-{b}", f"{a} {b}") for a, b in spans)))
    found = table.roll(Random(seed))
    first, last = map(int, found["row"]["Span"].split())
    assert first <= found["roll"] <= last
    assert found == table.roll(Random(seed))
