"""Editions that a name or a question tells: the words are no part of what is looked for, the documents follow them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.library.editions import Edition, edition_of, within_edition
from server.library.request import Request

if TYPE_CHECKING:
    from server.library.library import Library


@pytest.mark.parametrize(
    ("text", "rest", "year"),
    [
        ("owlbear 2024", "owlbear", "2024"),
        ("Owlbear (2024)", "Owlbear", "2024"),
        ("how do I hide in 5.5e", "how do I hide", "2024"),
        ("SRD 5.1 counterspell", "counterspell", "2014"),
        ("the 2014 version of counterspell", "counterspell", "2014"),
        ("2024 rules for hiding", "hiding", "2024"),
        ("sneak attack One D&D", "sneak attack", "2024"),
        ("healing spells in D&D 5e", "healing spells", None),
        # Two editions are compared; nothing else is said; a number, a book's key and another game are no edition.
        ("exhaustion, 2014 and 2024", "exhaustion, 2014 and 2024", None),
        ("2024", "2024", None),
        ("5e", "5e", None),
        ("a trap of 12,014 gp", "a trap of 12,014 gp", None),
        ("deals 5.5 damage", "deals 5.5 damage", None),
        ("a5e knight", "a5e knight", None),
        ("advanced 5th edition fighter", "advanced 5th edition fighter", None),
    ],
)
def test_what_a_text_says_besides_the_edition(text: str, rest: str, year: str | None) -> None:
    assert edition_of(text) == Edition(rest, year)


def _found(library: Library, request: Request) -> tuple[set[str], str]:
    answer = library.find(request)
    return {record["document_key"] for record in answer["results"]}, str(answer["message"])


def test_a_name_with_an_edition_is_that_of_its_documents(tiny_library: Library) -> None:
    plain, _ = _found(tiny_library, Request("spell", name="fireball"))
    assert plain >= {"srd-2014", "srd-2024"}
    assert _found(tiny_library, Request("spell", name=("fireball 2024",)))[0] == {"srd-2024"}
    documents, message = _found(tiny_library, Request("spell", name="fireball (2014)"))
    assert "srd-2024" not in documents
    assert "srd-2014" in documents
    assert message.startswith('Read as documents=["2014"]')


def test_a_search_with_an_edition_is_one_without_the_words(tiny_library: Library) -> None:
    def ranked(request: Request) -> list[tuple[str, float]]:
        return [(record["id"], record["similarity_score"]) for record in tiny_library.find(request)["results"]]

    told = ranked(Request("spell", search="a ball of fire, 2024 rules"))
    assert told == ranked(Request("spell", search="a ball of fire", documents=("2024",)))
    # Documents that were asked for stay.
    both = Request("spell", search="a ball of fire 2024", documents=("srd-2014",))
    assert {document for document, _ in ranked(both)} == {
        document for document, _ in ranked(Request("spell", search="a ball of fire", documents=("srd-2014",)))
    }


def test_an_edition_that_the_library_lacks_is_a_word_like_others() -> None:
    request = Request("spell", name="fireball 2024")
    assert within_edition(request, lambda _: False) == request
    assert within_edition(request, lambda year: year == "2024").name == "fireball"
