"""Tables found by what they are called."""

from random import Random

import pytest

from server.library.library import Library
from server.play.rolls import dice_tables, is_called, rolled, similar, tables_named, uneven


@pytest.mark.parametrize(
    "name",
    [
        *("Omens of the Road", "rule/srd-2024/marching-order", "omens", "Omens of the Road: Omens"),
        *("Omens table", "road omen", "omen roads"),
    ],
)
def test_names_of_a_table(book_library: Library, name):
    (found,) = tables_named(dice_tables(book_library, None), name)
    assert found.label == "Omens of the Road: Omens"
    assert [row.cells for row in found.outcomes] == [
        (("Omen", "A crow"),), (("Omen", "Rain"),), (("Omen", "A bell"),), (("Omen", "A stranger"),)
    ]  # fmt: skip


def test_only_within_the_documents(book_library: Library):
    assert tables_named(dice_tables(book_library, ["srd-2014"]), "omens") == []
    assert tables_named(dice_tables(book_library, None), "") == []


def test_a_misspelt_name_gets_similar_ones(book_library: Library):
    assert similar(dice_tables(book_library, None), "omenz of the raod", 5)[0] == "Omens of the Road: Omens"


def test_a_roll_names_its_source_and_repeats_by_seed(book_library: Library):
    (table,) = tables_named(dice_tables(book_library, None), "omens")
    found = rolled(table, Random(5))
    assert found["id"] == "rule/srd-2024/marching-order"
    assert found["dice"] == "1d6"
    assert found == rolled(table, Random(5))
    assert len({rolled(table, Random(seed))["roll"] for seed in range(60)}) == 6


def test_a_table_found_by_its_words_alone_is_not_called_so(book_library: Library):
    (table,) = tables_named(dice_tables(book_library, None), "road omen")
    assert is_called(table, "Omens table")
    assert is_called(table, "omens of the road")
    assert not is_called(table, "road omen")


def test_a_table_that_cannot_be_rolled_on_is_known(book_library: Library):
    assert uneven(book_library, None, "omens of the road") == ["Omens of the Road"]
    assert uneven(book_library, ["srd-2014"], "omens of the road") == []
    assert uneven(book_library, None, "marching order") == []
