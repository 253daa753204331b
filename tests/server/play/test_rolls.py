"""Finding tables by their names."""

from random import Random

import pytest

from server.library.library import Library
from server.library.names.name_index import Instead
from server.library.records.printed_tables import PrintedTable
from server.library.requests.request import RequestError
from server.play.dice_tables import DiceTable, dice_tables_of
from server.play.rolls import dice_tables, faults, renamed, rolled, similar, tables_named
from server.tools.registry import tool_named


@pytest.mark.parametrize(
    "name",
    [
        *("Omens of the Road", "rule/srd-2024/marching-order", "omens", "Omens of the Road: Omens"),
        *("Omens table", "road omen", "omen roads"),
    ],
)
def test_a_table_is_found_by_its_names(book_library: Library, name):
    (found,) = tables_named(dice_tables(book_library, None), name)
    assert found.label == "Omens of the Road: Omens"
    assert [row.cells for row in found.outcomes] == [
        (("Omen", "A crow"),), (("Omen", "Rain"),), (("Omen", "A bell"),), (("Omen", "A stranger"),)
    ]  # fmt: skip


def test_only_tables_of_the_documents_are_found(book_library: Library):
    assert tables_named(dice_tables(book_library, ["srd-2014"]), "omens") == []
    assert tables_named(dice_tables(book_library, None), "") == []


def test_a_misspelt_name_gets_similar_ones(book_library: Library):
    assert similar(dice_tables(book_library, None), "omenz of the raod", 5)[0] == "Omens of the Road: Omens"


def test_a_roll_names_its_source_and_is_repeated_by_its_seed(book_library: Library):
    (table,) = tables_named(dice_tables(book_library, None), "omens")
    found = rolled(table, Random(5))
    assert found["id"] == "rule/srd-2024/marching-order"
    assert found["dice"] == "1d6"
    assert found == rolled(table, Random(5))
    assert len({rolled(table, Random(seed))["roll"] for seed in range(60)}) == 6


def test_words_that_find_a_table_are_not_its_name(book_library: Library):
    (table,) = tables_named(dice_tables(book_library, None), "road omen")
    assert table.is_called("Omens table")
    assert table.is_called("omens of the road")
    assert not table.is_called("road omen")


def test_the_tables_of_preferred_documents_come_first(book_library: Library):
    books = [table.printed.document_key for table in dice_tables(book_library, None)]
    assert list(dict.fromkeys(books)) == ["srd-2024", "the-lantern-coast"]


def table(book: str, title: str, within: str | None = None, name: str = "Omens") -> DiceTable:
    printed = PrintedTable(
        id=f"rule/{book}/{name.lower()}",
        name=name,
        entity_type="rule",
        document_key=book,
        game_system=None,
        title=title,
        within=within,
        columns=("d2", "Seen"),
        rows=(("1", title), ("2", "Rain")),
    )
    (found,) = dice_tables_of(printed) or ()
    return found


def test_a_records_name_means_the_tables_of_its_first_book():
    first, second, other = table("hills", "Crows"), table("hills", "Bells"), table("vale", "Doves")
    assert tables_named([first, second, other], "omens") == [first, second]


def test_a_table_is_found_by_its_name_in_another_edition():
    deck = table("srd-2024", "Cards", name="Mysterious Deck")
    assert tables_named([deck], "deck of many things") == []
    assert renamed([deck], "Deck of Many Things table") == Instead(("Mysterious Deck",), "the 2024 rules")
    assert renamed([table("srd-2024", "Cards")], "deck of many things") is None


def test_words_find_tables_by_their_context_in_order_without_repeats():
    tables = [table("hills", title, within="By the Road", name=title) for title in ("Crows", "Bells", "Doves")]
    again = table("vale", "Crows", within="By the Road", name="Crows")
    assert tables_named([*tables, again], "road seen") == tables


def test_a_name_of_too_many_tables_gets_suggestions(book_library: Library):
    roll = tool_named("roll_table")
    answer = roll.call(book_library, {"table": "many doors"})
    assert answer["results"] == []
    assert answer["message"] == '"many doors" may be any of 9 tables: name one of those suggested.'
    assert len(answer["suggestions"]) == 9
    (found,) = roll.call(book_library, {"table": answer["suggestions"][2]})["results"]
    assert (found["id"], found["table"]) == ("rule/srd-2024/travel-pace", "Door Cat")


@pytest.mark.parametrize("name", ["omens of the road", "rule/srd-2024/marching-order", "road omens", "Omens table"])
def test_what_is_wrong_with_a_table_is_known_by_any_of_its_names(book_library: Library, name):
    (fault,) = faults(book_library, None, name)
    assert (fault.printed.title, fault.missing) == ("Broken", (2, 3, 4))


def test_only_the_faults_of_the_documents_and_of_the_name_are_known(book_library: Library):
    assert faults(book_library, ["srd-2014"], "omens of the road") == []
    assert faults(book_library, None, "many doors") == []
    assert faults(book_library, None, "") == []


def test_a_roll_on_a_record_says_which_of_its_tables_is_broken(book_library: Library):
    said = tool_named("roll_table").call(book_library, {"table": "omens of the road"})["message"]
    assert "Omens of the Road (rule/srd-2024/marching-order) has no row for 2-4 of d4. Look up" in said


def test_a_broken_table_alone_is_not_told_to_be_missing(book_library: Library):
    answer = tool_named("roll_table").call(book_library, {"table": "hollow clock"})
    assert answer["results"] == []
    assert answer["message"].startswith("Not rolled on, as the printed tables do not fit their dice: Hollow Clock")
    assert "several rows for 2 of d4 and rows for 5-6, which d4 cannot give" in answer["message"]
    assert "Found no table" not in answer["message"]


def test_plain_dice_are_rolled_without_a_table(library: Library):
    roll = tool_named("roll_table")
    answer = roll.call(library, {"table": "2d6+3", "seed": 7, "times": 3})
    assert answer == roll.call(library, {"table": "2d6+3", "seed": 7, "times": 3})
    assert len(answer["results"]) == 3
    for each in answer["results"]:
        assert each["roll"] == sum(map(int, each["row"]["2d6"].split(", "))) + 3
        assert (each["dice"], each["table"], each["id"]) == ("2d6 + 3", None, None)
    with pytest.raises(
        RequestError, match=r"cannot be \"101d6\"\. Valid values: dice with 1 to 1000 sides, at most 100"
    ):
        roll.call(library, {"table": "101d6"})


def test_a_table_of_a_closed_book_is_explained(book_library: Library):
    for asked in ("wild magic surge", "Wild Magic Surge table"):
        said = tool_named("roll_table").call(book_library, {"table": asked})["message"]
        assert said.endswith("Wild Magic Surge (rule, Player's Handbook) is not open content.")
