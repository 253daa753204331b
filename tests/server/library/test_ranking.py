"""What a score is made of: effects, facts asked for in passing, preferred documents, the floor."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.dataset.load import EFFECTS_SCHEMA, Dataset
from server.dataset.ranking import Weights, read_fit, write_fit
from server.library.library import Library
from server.library.preference import precedence
from server.library.ranking import PART_OF_NAME, Parts, _Effects, _Names
from server.library.request import Request, RequestError
from server.library.shelf import Shelf


@pytest.fixture(scope="module")
def explained(tiny: Dataset) -> Iterator[Library]:
    library = Library(tiny, explain=True)
    yield library
    library.close()


def test_scores_say_what_they_are_made_of(explained: Library, tiny: Dataset) -> None:
    weights = read_fit(tiny.path / "ranking.json").weights
    records = explained.find(Request("all", search="fire that burns undead", limit=100))["results"]
    for record in records:
        parts = Parts(**{name: np.array([value]) for name, value in record["score_parts"].items()})
        (strength,) = parts.strength(weights)
        expected = 1 / (1 + np.exp(weights.offset - weights.slope * strength))
        assert record["similarity_score"] == pytest.approx(expected, abs=2e-3)


def test_nothing_is_explained_unasked(tiny_library: Library) -> None:
    results = tiny_library.find(Request("all", search="fire"))["results"]
    assert all("score_parts" not in record for record in results)


def test_facts_asked_for_in_passing_count_and_are_said(explained: Library) -> None:
    answer = explained.find(Request("creature", search="an undead that flies", limit=100))
    assert "type undead" in answer["message"]
    assert {r["score_parts"]["attribute"] for r in answer["results"] if r["type"] == "undead"} == {1.0}
    assert {r["score_parts"]["attribute"] for r in answer["results"] if r["type"] != "undead"} == {0.0}
    # Where all have the fact, it tells nothing apart.
    all_undead = explained.find(Request("creature", search="an undead", filters={"type": "undead"}))
    assert "type undead" not in (all_undead["message"] or "")


def test_a_misspelt_name_counts_and_a_part_of_one_a_little() -> None:
    names = ["fire shield", "shield", "two-weapon fighting", "longbow"]
    assert _Names(names).likeness("Shield").tolist() == [PART_OF_NAME / 2, 1, 0, 0]
    assert _Names(names).likeness("shield fire").tolist() == [1, 0, 0, 0]
    assert _Names(names).likeness("two-weapon").tolist() == [0, 0, pytest.approx(PART_OF_NAME / 2), 0]
    assert 0 < _Names(names).likeness("longbwo")[3] < 1
    assert not _Names(names).likeness("a fire that is a shield").any()
    assert not _Names(names).likeness("?").any()


def test_what_players_call_things_counts(explained: Library) -> None:
    results = explained.find(Request("all", search="hot stuff", limit=100))["results"]
    for record in results:
        burns = "fire" in (record["description"] or "").casefold()
        assert (record["score_parts"]["effect"] > 0.9) == burns


def test_a_query_about_nothing_here_says_so(explained: Library) -> None:
    answer = explained.find(Request("all", search="kubernetes ingress"))
    assert answer["message"].startswith("Hardly anything here")
    assert answer["results"]
    assert max(r["similarity_score"] for r in answer["results"]) < 0.3


@pytest.mark.parametrize(
    ("prefer", "shown"),
    [((), "srd-2024"), (("5e-2014",), "srd-2014"), (("srd-5e",), "srd-2014"), (("hearth", "a5e"), "hearth")],
)
def test_among_equals_the_preferred_document_is_shown(tiny: Dataset, prefer: tuple[str, ...], shown: str) -> None:
    library = Library(tiny, prefer=prefer)
    fireball = library.find(Request("spell", search="fireball"))["results"][0]
    library.close()
    assert fireball["document_key"] == shown


def test_precedence_puts_srds_first_within_what_was_asked_for(tiny: Dataset) -> None:
    shelf = Shelf(tiny.documents)
    assert precedence(shelf) == [{"srd-2024"}, {"srd-2014"}]
    assert precedence(shelf, ("hearth", "5e-2014")) == [{"hearth"}, {"srd-2014"}, {"srd-2024"}]
    with pytest.raises(RequestError, match="Unknown documents"):
        precedence(shelf, ("srd-1999",))


@given(st.lists(st.sets(st.integers(-1, 5), max_size=4), max_size=6))
def test_the_nearest_thing_that_is_said_of_each_counts(said_of: list[set[int]]) -> None:
    """Entity -1 stands in a document that is not served."""
    vectors = np.eye(8, dtype=np.float32)[: len(said_of)]
    columns = {
        "says": [f"phrase {number}" for number in range(len(said_of))],
        "entity_ids": [[str(entity) for entity in sorted(entities)] for entities in said_of],
        "vector": vectors.tolist(),
    }
    with TemporaryDirectory() as folder:
        path = Path(folder) / "effects.parquet"
        pl.DataFrame(columns, schema=EFFECTS_SCHEMA).write_parquet(path)
        effects = _Effects(path, {str(number): number for number in range(6)})
    query = np.array([0.1, -0.2, 0.3, -0.4, 0.5, 0.6, 0.0, 0.0], dtype=np.float32)
    expected = [max((query[p] for p, who in enumerate(said_of) if entity in who), default=0) for entity in range(6)]
    for chosen in (np.arange(6), np.array([1, 3, 4])):
        assert np.allclose(effects.best(query, chosen), np.maximum(0, expected)[chosen])


def test_a_fit_reads_back(tmp_path: Path, tiny: Dataset) -> None:
    fit = read_fit(tiny.path / "ranking.json")
    write_fit(tmp_path / "fit.json", fit)
    assert read_fit(tmp_path / "fit.json") == fit
    assert isinstance(fit.weights, Weights)
