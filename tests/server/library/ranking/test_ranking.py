"""The parts of a score: effects, facts in the query, preferred documents, the floor."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from server.dataset.dataset import Dataset
from server.dataset.index.ranking_weights import Weights, read_fit, write_fit
from server.library.catalogue import Catalogue
from server.library.documents.document_index import DocumentIndex
from server.library.documents.preference import precedence
from server.library.library import Library
from server.library.queries.mentioned_facts import DENIED
from server.library.ranking.ranking import Ranking, ScoreParts
from server.library.ranking.variant_groups import VariantGroups
from server.library.requests.request import Request, RequestError


@pytest.fixture(scope="module")
def explained(tiny: Dataset) -> Iterator[Library]:
    library = Library(tiny, explain=True)
    yield library
    library.close()


def test_scores_are_explained_by_their_parts(explained: Library, tiny: Dataset) -> None:
    weights = read_fit(tiny.path / "ranking.json").weights
    records = explained.find(Request("all", search="fire that burns undead", limit=100))["results"]
    for record in records:
        parts = ScoreParts(**{name: np.array([value]) for name, value in record["score_parts"].items()})
        (strength,) = parts.strength(weights)
        expected = 1 / (1 + np.exp(weights.offset - weights.slope * strength))
        assert record["similarity_score"] == pytest.approx(expected, abs=2e-3)


def test_scores_are_explained_only_on_request(tiny_library: Library) -> None:
    results = tiny_library.find(Request("all", search="fire"))["results"]
    assert all("score_parts" not in record for record in results)


def test_facts_in_the_query_count_and_are_named(explained: Library) -> None:
    answer = explained.find(Request("creature", search="an undead that flies", limit=100))
    assert "type undead" in answer["message"]
    assert {r["score_parts"]["attribute"] for r in answer["results"] if r["type"] == "undead"} == {1.0}
    assert {r["score_parts"]["attribute"] for r in answer["results"] if r["type"] != "undead"} == {0.0}
    # A fact that all have changes nothing.
    all_undead = explained.find(Request("creature", search="an undead", filters={"type": "undead"}))
    assert "type undead" not in (all_undead["message"] or "")


def test_entities_with_a_denied_fact_come_last(explained: Library) -> None:
    answer = explained.find(Request("creature", search="a creature that is not undead", limit=100))
    assert "not type undead" in answer["message"]
    types = [record["type"] == "undead" for record in answer["results"]]
    assert any(types)
    assert types == sorted(types)


def test_entities_with_a_denied_name_come_last(explained: Library) -> None:
    answer = explained.find(Request("creature", search="a beast that isn't a wolf", limit=100))
    assert "not called wolf" in answer["message"]
    called = ["wolf" in record["name"].casefold() for record in answer["results"]]
    assert any(called)
    assert not any(called[:3])


def test_a_denied_part_counts_against_its_records(explained: Library) -> None:
    answer = explained.find(Request("creature", search="a creature without fire breath", limit=100))
    assert "without fire breath" in answer["message"]
    scores = {record["name"]: record["score_parts"]["attribute"] for record in answer["results"]}
    assert scores["Adult Red Dragon"] == 0
    assert scores["Dire Wolf"] == DENIED


def test_rules_are_not_excluded_by_their_names(explained: Library) -> None:
    name = explained.find(Request("rule", limit=1))["results"][0]["name"]
    answer = explained.find(Request("rule", search=f"a check, not {name}"))
    assert "not called" not in (answer["message"] or "")


def test_entities_need_not_have_all_facts_of_a_scene(explained: Library) -> None:
    short = "something lucky and easy"
    scene = f"our heroes went down into old tombs last night, where it was cold and dark: {short}"
    one, other = (explained.find(Request("creature", search=query, limit=100))["results"] for query in (short, scene))
    assert {record["score_parts"]["attribute"] for record in one} == {0, 1, 6}
    assert {record["score_parts"]["attribute"] for record in other} == {0, 1, 2}


def test_players_names_for_things_count(explained: Library) -> None:
    results = explained.find(Request("all", search="hot stuff", limit=100))["results"]
    for record in results:
        burns = "fire" in (record["description"] or "").casefold()
        assert (record["score_parts"]["effect"] > 0.9) == burns


def test_weak_matches_are_marked(explained: Library) -> None:
    answer = explained.find(Request("all", search="kubernetes ingress"))
    best = max(r["similarity_score"] for r in answer["results"])
    assert answer["message"].startswith(f"Weak matches only, the best with a score of {best:.2f}")
    assert answer["results"]
    assert {r["score_parts"]["unknown"] for r in answer["results"]} == {1.0}


def test_without_preferred_documents_none_is_preferred(tiny: Dataset) -> None:
    library = Library(tiny, documents=["hearth"], explain=True)
    results = library.find(Request("all", search="fire"))["results"]
    library.close()
    assert {record["score_parts"]["preferred"] for record in results} == {1.0}


@pytest.mark.parametrize(
    "search", ["how does fireball work?", "What is the save DC of a Fireball?", "rules for fireball"]
)
def test_a_question_about_a_thing_ranks_like_its_name(tiny_library: Library, search: str) -> None:
    answer = tiny_library.find(Request("all", search=search))
    assert answer["results"][0]["name"] == "Fireball"
    assert "Weak matches" not in (answer["message"] or "")


@pytest.mark.parametrize("search", ["a wall of flame rises", "wraith", "fierball", "kubernetes", "breath fire"])
def test_good_matches_and_names_are_not_marked_weak(explained: Library, search: str) -> None:
    answer = explained.find(Request("all", search=search))
    assert ("Weak matches" in (answer["message"] or "")) == (search == "kubernetes")


@pytest.mark.parametrize(
    ("prefer", "shown"),
    [((), "srd-2024"), (("5e-2014",), "srd-2014"), (("srd-5e",), "srd-2014"), (("hearth", "a5e"), "hearth")],
)
def test_the_preferred_document_is_shown_among_equals(tiny: Dataset, prefer: tuple[str, ...], shown: str) -> None:
    library = Library(tiny, prefer=prefer)
    fireball = library.find(Request("spell", search="fireball"))["results"][0]
    library.close()
    assert fireball["document_key"] == shown


def test_srds_come_first_among_the_requested_documents(tiny: Dataset) -> None:
    documents = DocumentIndex(tiny.documents)
    assert precedence(documents) == [{"srd-2024"}, {"srd-2014"}]
    assert precedence(documents, ("hearth", "5e-2014")) == [{"hearth"}, {"srd-2014"}, {"srd-2024"}]
    with pytest.raises(RequestError, match="Unknown documents"):
        precedence(documents, ("srd-1999",))


def test_exact_names_come_first_then_preferred_documents_and_ids(tiny: Dataset) -> None:
    catalogue = Catalogue(tiny.tables, tiny.documents["document_key"].to_list())
    hearth = catalogue.of_documents({"hearth"})
    named = np.flatnonzero(catalogue.of_documents({"hearth", "a5e-ag"}))
    ranking = Ranking(catalogue, tiny, [hearth], VariantGroups(catalogue))
    entities = np.arange(catalogue.size)[::-1].copy()
    words = ranking.lexical("?", ranking.wanted("?", entities), "?", entities)
    ranked = ranking.rank(words, np.zeros(tiny.index.d, dtype=np.float32), named)
    keys = [
        (row not in named, -score, not hearth[row], catalogue.ids[row])
        for row, score in zip(ranked.rows.tolist(), ranked.scores.tolist(), strict=True)
    ]
    assert keys == sorted(keys)
    assert len({score for _, score, _, _ in keys[: named.size]}) == 1
    assert entities[ranked.positions].tolist() == ranked.rows.tolist()


def test_a_written_fit_is_read_back(tmp_path: Path, tiny: Dataset) -> None:
    fit = read_fit(tiny.path / "ranking.json")
    write_fit(tmp_path / "fit.json", fit)
    assert read_fit(tmp_path / "fit.json") == fit
    assert isinstance(fit.weights, Weights)
