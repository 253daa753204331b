"""Titles of documents and publishers, in `documents` and in texts."""

from __future__ import annotations

from typing import Final

import pytest

from server.dataset.dataset import Dataset
from server.library.catalogue import Catalogue
from server.library.documents.book_names import BookNames
from server.library.documents.named_documents import NamedDocuments
from server.library.documents.titles import Titles
from server.library.library import Library
from server.library.names.name_index import NameIndex
from server.library.names.ordinary_words import OrdinaryWords
from server.library.requests.request import Request

BOOKS: Final = [
    ("reeds", ["Book of Reeds", "reedbook"], "Heron Press"),
    ("reeds-2", ["Book of Reeds 2"], "Heron Press"),
    ("reeds-3", ["Book of Reeds 3 (2023 Edition)"], "Heron Press"),
    ("marsh", ["The Marsh Gazetteer for 5th Edition"], "Heron Press"),
    ("more-marsh", ["Marsh Gazetteer Extended"], "Heron Press"),
    ("bad", ["Spells That Don't Work"], "Ottermade"),
    ("nim", ["Nim’dara Campaign Setting", "nimdara"], None),
    ("up", ["Step Up Advanced"], None),
    ("mm", ["Monster Manual Enlarged"], None),
    ("bor4", ["Fourth Book of Reeds"], None),
]


@pytest.mark.parametrize(
    ("entry", "keys"),
    [
        ("Book of Reeds", {"reeds"}),
        ("the book of reeds", {"reeds"}),
        ("Book of Reeds 3", {"reeds-3"}),
        ("reeds 2", {"reeds-2"}),
        ("reeds", set()),
        ("Marsh Gazetteer", {"marsh", "more-marsh"}),
        ("Extended", {"more-marsh"}),
        ("Nimdara", {"nim"}),
        ("Nim'dara", {"nim"}),
        ("Heron Press", {"reeds", "reeds-2", "reeds-3", "marsh", "more-marsh"}),
        ("Ottermade", {"bad"}),
        ("that", set()),
        ("", set()),
    ],
)
def test_an_entry_may_be_a_title_or_a_part_of_one(entry: str, keys: set[str]) -> None:
    assert Titles(BOOKS).entry(entry) == keys


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("dragons from the Book of Reeds 2", ["Book of Reeds 2"]),
        ("Book of Reeds dragons", ["Book of Reeds"]),
        ("the marsh gazetteers", ["The Marsh Gazetteer"]),
        ("nim’dara backgrounds", ["Nim’dara Campaign Setting"]),
        ("nimdara backgrounds, or those of Heron Press", ["Nim’dara Campaign Setting", "Heron Press"]),
        ("bor4 dragons", ["bor4"]),
        ("a dragon (BOR4)", ["bor4"]),
        # Ordinary words, however few titles have them.
        ("an mm of snow, or 5e up to 4", []),
        ("spells that heal", []),
        ("how do I step up", []),
        ("a book about reeds", []),
        ("creatures of the marsh", []),
        ("monster manual dragons", []),
    ],
)
def test_titles_in_a_text_are_found(text: str, entries: list[str]) -> None:
    said = [mention.title.entry for mention in Titles(BOOKS).mentions(text)]
    assert [each.removeprefix("The ") for each in said] == [each.removeprefix("The ") for each in entries]


def _read(library: Library, text: str, **asked: object) -> tuple[set[str], str]:
    answer = library.find(Request(**({"family": "all", "search": text} | asked)))
    return {record["document_key"] for record in answer["results"]}, str(answer["message"])


@pytest.mark.parametrize("text", ["Tales of the Hearth fire", "fire spells in the hearthbook", "fire (Hearthbook)"])
def test_a_search_that_names_a_book_is_limited_to_it(tiny_library: Library, text: str) -> None:
    documents, message = _read(tiny_library, text)
    assert documents == {"hearth"}
    assert message.startswith('Read as documents=["Tales of the Hearth"], the source named in the text.')


@pytest.fixture(scope="module")
def books(tiny: Dataset) -> BookNames:
    catalogue = Catalogue(tiny.tables, tiny.documents["document_key"].to_list())
    names = [("hearth", ["Tales of the Hearth"], "Otter Press"), ("fire", ["Fire Damage"], None)]
    return BookNames(catalogue, NameIndex(catalogue), Titles(names), OrdinaryWords(catalogue))


@pytest.mark.parametrize(
    "text",
    [
        *(
            f"red owls {words} Tales of the Hearth"
            for words in (
                "in",
                "from",
                "for",
                "of",
                "under",
                "using",
                "by",
                "out of",
                "the",
                "published in",
                "made for",
            )
        ),
        *(
            f"Tales of the Hearth{words} red owls"
            for words in (
                "",
                "'s",
                ":",
                " book",
                " setting",
                " supplement",
                " rules",
                " edition",
                " version of",
                " srd",
            )
        ),
        "red owls (Tales of the Hearth)",
        "red owls, Tales of the Hearth",
        "red owls written by Otter Press",
    ],
)
def test_the_words_around_a_book_go_with_its_name(books: BookNames, text: str) -> None:
    assert books.read(text) == NamedDocuments("red owls", ("Tales of the Hearth",))


@pytest.mark.parametrize("article", ["a", "any", "each", "every", "her", "his", "its", "my", "our", "some", "your"])
def test_what_is_one_of_several_is_no_book(books: BookNames, article: str) -> None:
    text = f"red owls in {article} Tales of the Hearth"
    assert books.read(text) == NamedDocuments(text)


def test_a_text_that_is_only_a_book_lists_the_book(tiny_library: Library) -> None:
    for asked in ({}, {"family": "spell"}, {"family": "spell", "search": None, "name": "Tales of the Hearth"}):
        assert _read(tiny_library, "what is in Tales of the Hearth?", **asked)[0] == {"hearth"}


def test_a_name_with_a_title_is_looked_up_in_that_book(tiny_library: Library) -> None:
    for name in ("System Reference Document 5.2 fireball", ("fireball (System Reference Document 5.2)",)):
        assert _read(tiny_library, "", family="spell", search=None, name=name)[0] == {"srd-2024"}
    names = ("Adventurer's Guide fireball", "alarm")
    message = _read(tiny_library, "", family="spell", search=None, name=names)[1]
    assert message.startswith("The names are not all of one source, so all are searched")


def test_requested_documents_are_kept(tiny_library: Library) -> None:
    documents, message = _read(tiny_library, "Tales of the Hearth fire", documents=("srd-2014",))
    assert documents == {"srd-2014"}
    assert "Searched in srd-2014, not in the source that was named: Tales of the Hearth." in message
    documents, message = _read(tiny_library, "Tales of the Hearth fire", documents=("hearth",))
    assert documents == {"hearth"}
    assert "Searched in" not in message


def test_the_name_of_a_thing_is_not_a_title(tiny_library: Library) -> None:
    documents, message = _read(tiny_library, "fire in an adventurer's guide")
    assert len(documents) > 1
    assert "Read as" not in message
