"""Closed books, by the names that players use: as entries of `documents`, and in what they ask."""

import pytest

from server.library.closed.books import closed_books, is_closed
from server.library.library import Library
from server.library.requests.request import Request

OPEN = "(not an open book; open books of the game: srd-2014 and srd-2024)"


@pytest.mark.parametrize(
    "entry",
    [
        "PHB", "PHB 2024", "2024 Player's Handbook", "the 2024 PHB", "Player's Handbook (2014)", "D&D Players Handbook",
        "new dmg", "Xanathar's Guide", "Tasha’s Cauldron", "Volo's Guide", "Fizban's Treasury", "Mordenkainen's Tome",
        "Rime of the Frostmaiden", "Monsters of the Multiverse", "mm", "xanathar",
    ],
)  # fmt: skip
def test_players_names_of_closed_books(entry: str) -> None:
    assert is_closed(entry)


@pytest.mark.parametrize("entry", ["2024", "5e-2024", "Guide", "Adventurer's Guide", "srd", "the", "", "5e"])
def test_other_entries_are_no_closed_books(entry: str) -> None:
    assert not is_closed(entry)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("slow time in the PHB", ["PHB"]),
        ("Monster Manual ooze", ["Monster Manual"]),
        ("Xanathar’s Guide to Everything or Tasha's Cauldron", ["Xanathar’s Guide to Everything", "Tasha's Cauldron"]),
        ("traps in the DMG", ["DMG"]),
        ("how much dmg does it do", []),
        ("Tasha's Hideous Laughter", []),
        ("a monster's manual of player tactics", []),
        ("a 5 mm gap", []),
        ("", []),
    ],
)
def test_texts_name_them(text: str, named: list[str]) -> None:
    assert [text[book.start : book.end] for book in closed_books(text)] == named


@pytest.mark.parametrize(
    ("query", "rest", "book"),
    [
        ("a ball of fire in the PHB", "a ball of fire", "PHB"),
        ("Monster Manual ball of fire", "ball of fire", "Monster Manual"),
        ("ball of fire (Xanathar's Guide)", "ball of fire", "Xanathar's Guide"),
    ],
)
def test_a_search_is_one_without_the_book_and_says_so(tiny_library: Library, query: str, rest: str, book: str) -> None:
    named, plain = (tiny_library.find(Request("spell", search=text)) for text in (query, rest))
    assert named["results"] == plain["results"]
    assert named["message"] == " ".join(filter(None, [f'Searched without "{book}" {OPEN}.', plain["message"]]))


def test_the_year_of_a_closed_book_is_an_edition(tiny_library: Library) -> None:
    answer = tiny_library.find(Request("spell", name="fireball (PHB 2024)"))
    assert [record["document_key"] for record in answer["results"]] == ["srd-2024"]
    assert (
        f'Read as documents=["2024"], the edition named in the text. Searched without "PHB" {OPEN}.'
        in (answer["message"])
    )
    assert tiny_library.find(Request("spell", name="fireball", documents=("PHB 2024",)))["total"] == 0


def test_a_text_that_is_only_a_book_or_a_pattern_stays(tiny_library: Library) -> None:
    for name in ("PHB", "*PHB*"):
        assert f'Found no spells named "{name}".' in tiny_library.find(Request("spell", name=name))["message"]
