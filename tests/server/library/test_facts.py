"""Columns of the entities that pass filters, or that a name means."""

import pytest

from server.dataset.dataset import Dataset
from server.library.library import Library
from server.library.requests.request import Request, RequestError


def ids(rows):
    return [row["id"] for row in rows]


def test_preferred_documents_come_first(dataset: Dataset, library: Library):
    request = Request("creature", name="owlbear")
    newest = ["creature/srd-2024/owlbear", "creature/srd-2014/owlbear"]
    assert ids(library.facts.named(request, ["id"])) == newest
    other = Library(dataset, prefer=["5e-2014"])
    assert ids(other.facts.named(request, ["id"])) == newest[::-1]
    other.close()


def test_only_entities_that_pass_are_returned(library: Library):
    request = Request("creature", filters={"cr_min": 20}, documents=("srd-2014", "srd-2041"))
    found = library.facts.passing(request, ["id", "challenge_rating", "document_key"])
    assert found
    assert all(row["challenge_rating"] >= 20 and row["document_key"] == "srd-2014" for row in found)
    assert "srd-2041" in library.facts.unknown_documents(request)[0]


def test_an_id_is_found_within_the_documents(library: Library):
    asked = Request("creature", name="creature/srd-2014/owlbear")
    assert ids(library.facts.named(asked, ["id"])) == ["creature/srd-2014/owlbear"]
    fenced = Request("creature", name="creature/srd-2014/owlbear", documents=("srd-2024",))
    assert ids(library.facts.named(fenced, ["id"])) == []


def test_contradictory_filters_are_refused(library: Library):
    with pytest.raises(RequestError, match="cr_min"):
        library.facts.passing(Request("creature", filters={"cr_min": 5, "cr_max": 2}), ["id"])


def test_a_game_system_has_its_documents(library: Library):
    assert library.facts.documents(["2024"]) == {"srd-2024": "5e-2024"}
    assert next(iter(library.facts.documents(None))) == "srd-2024"
