"""Editions mentioned in a name or query: their words are removed, and their documents are searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.library.documents.editions import edition_of, within_edition
from server.library.documents.named_documents import NamedDocuments
from server.library.requests.request import Request

if TYPE_CHECKING:
    from server.library.library import Library


@pytest.mark.parametrize(
    ("text", "rest", "entry"),
    [
        ("owlbear 2024", "owlbear", "2024"),
        ("Owlbear (2024)", "Owlbear", "2024"),
        ("how do I hide in 5.5e", "how do I hide", "2024"),
        ("SRD 5.1 counterspell", "counterspell", "2014"),
        ("the 2014 version of counterspell", "counterspell", "2014"),
        ("2024 rules for hiding", "hiding", "2024"),
        ("sneak attack One D&D", "sneak attack", "2024"),
        ("healing spells in D&D 5e", "healing spells", None),
        # There is nothing else; a number and a book's key are not editions.
        ("2024", "2024", None),
        ("5e", "5e", None),
        ("a trap of 12,014 gp", "a trap of 12,014 gp", None),
        ("deals 5.5 damage", "deals 5.5 damage", None),
        ("a5e-ag knight", "a5e-ag knight", None),
        # Another game.
        ("a5e knight", "knight", "a5e"),
        ("advanced 5th edition fighter", "fighter", "a5e"),
        ("Tales of the Valiant mechanist", "mechanist", "bfrd"),
        ("mechanist in ToV", "mechanist", "bfrd"),
    ],
)
def test_the_words_of_an_edition_are_removed(text: str, rest: str, entry: str | None) -> None:
    assert edition_of(text) == NamedDocuments(rest, (entry,) if entry else ())


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("exhaustion, 2014 and 2024", "exhaustion"),
        ("what changed in exhaustion between 2014 and 2024?", "exhaustion"),
        ("difference between grappling in 2014 and 2024", "grappling"),
        ("surprise 2014 vs 2024", "surprise"),
        ("how did surprise change from 2014 to 2024", "surprise"),
        ("compare the 2014 and 2024 versions of counterspell", "counterspell"),
        ("Fireball 5.5e versus SRD 5.1", "Fireball"),
        ("what's different about hiding in 2024 compared to 2014", "hiding"),
    ],
)
def test_a_comparison_of_editions_is_searched_in_both(text: str, rest: str) -> None:
    assert edition_of(text) == NamedDocuments(rest, ("2024", "2014"))


def _found(library: Library, request: Request) -> tuple[set[str], str]:
    answer = library.find(request)
    return {record["document_key"] for record in answer["results"]}, str(answer["message"])


def test_a_name_with_an_edition_is_looked_up_in_its_documents(tiny_library: Library) -> None:
    plain, _ = _found(tiny_library, Request("spell", name="fireball"))
    assert plain >= {"srd-2014", "srd-2024"}
    assert _found(tiny_library, Request("spell", name=("fireball 2024",)))[0] == {"srd-2024"}
    documents, message = _found(tiny_library, Request("spell", name="fireball (2014)"))
    assert "srd-2024" not in documents
    assert "srd-2014" in documents
    assert message.startswith('Read as documents=["2014"]')


def test_a_search_with_an_edition_is_limited_to_its_documents(tiny_library: Library) -> None:
    def ranked(request: Request) -> list[tuple[str, float]]:
        return [(record["id"], record["similarity_score"]) for record in tiny_library.find(request)["results"]]

    told = ranked(Request("spell", search="a ball of fire, 2024 rules"))
    assert told == ranked(Request("spell", search="a ball of fire", documents=("2024",)))
    # Requested documents are kept.
    both = Request("spell", search="a ball of fire 2024", documents=("srd-2014",))
    assert {document for document, _ in ranked(both)} == {
        document for document, _ in ranked(Request("spell", search="a ball of fire", documents=("srd-2014",)))
    }


def test_an_edition_that_the_library_lacks_is_searched_as_words() -> None:
    request = Request("spell", name="fireball 2024")
    assert within_edition(request, lambda _: ()) == request
    assert within_edition(request, lambda entries: entries).name == "fireball"


@pytest.mark.parametrize(
    ("names", "documents", "said"),
    [
        (("fireball 2024", "alarm"), None, "The names are not all of one edition, so all are searched"),
        (("fireball 2024", "fireball 2014"), None, "The names are not all of one edition, so all are searched"),
        (("fireball 2024",), ("5e-2014",), "Searched in 5e-2014, not in the edition that was named: 2024."),
        (("fireball 2024",), ("srd-2024",), "None"),
    ],
)
def test_an_edition_that_cannot_be_applied_is_mentioned(
    tiny_library: Library, names: tuple[str, ...], documents: tuple[str, ...] | None, said: str
) -> None:
    found, message = _found(tiny_library, Request("spell", name=names, documents=documents))
    assert message.startswith(said)
    assert found


def test_another_game_counts_as_an_edition(tiny_library: Library) -> None:
    for text in ("counterspell A5E", "fireball in Level Up", "fireball (Advanced 5th Edition)"):
        assert _found(tiny_library, Request("spell", search=text))[0] == {"a5e-ag"}
    assert edition_of("Level Up fireball") == NamedDocuments("fireball", ("a5e",))
    for text in ("how do I level up", "level up wizard", "Level Up a wizard", "When I Level Up do I learn spells"):
        assert edition_of(text).entries == ()


def test_words_that_almost_compare_editions_are_read_in_linear_time() -> None:
    """Anything slower would exceed the test's time limit."""
    said = f"exhaustion{' or' * 200_000} rest"
    assert edition_of(f"2014 2024 {said}").text == said
