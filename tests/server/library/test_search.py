"""Ranked answers: all filtered entities, ordered and folded, exact names first; also if the encoder fails."""

import dataclasses
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiny_dataset import ROWS

from server.dataset.dataset import Dataset
from server.dataset.index.query_model import QueryModel
from server.library.hits import Hits
from server.library.library import Library
from server.library.records.records import Form
from server.library.requests.request import Request
from server.library.search import Best, Search

WORDS = st.lists(st.sampled_from(["fire", "flame", "burns", "dragon", "blade", "word", "undead", "tax"]), max_size=5)


def _all_pages(library: Library, limit: int, **asked: Any) -> Iterator[dict[str, Any]]:
    offset: int | None = 0
    while offset is not None:
        page = library.find(Request(**asked, limit=limit, offset=offset))
        assert page["offset"] == offset
        assert page["count"] == len(page["results"])
        yield from page["results"]
        offset = page["next_offset"]


@settings(max_examples=20)
@example(["fire", "word"], 1, ("hearth", "a5e"))
@given(WORDS, st.integers(4, 30), st.sampled_from([None, ("srd-2014",), ("hearth", "a5e")]))
def test_pages_together_are_the_whole_ranking(
    tiny_library: Library, words: list[str], limit: int, documents: tuple[str, ...] | None
) -> None:
    asked: dict[str, Any] = {"family": "all", "search": " ".join(words), "documents": documents}
    whole = tiny_library.find(Request(**asked, limit=100))
    pages = list(_all_pages(tiny_library, limit, **asked))
    assert [r["id"] for r in pages] == [r["id"] for r in whole["results"]]
    ids = {r["id"] for r in pages}
    assert len(ids) == len(pages)
    allowed = {"srd-2014"} if documents == ("srd-2014",) else {"hearth", "a5e-ag"}
    inside = [row for row in ROWS if documents is None or row["document_key"] in allowed]
    assert ids <= {row["id"] for row in inside}
    assert whole["total"] == len(inside)
    if words:
        scores = [r["similarity_score"] for r in pages]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)
        # Nothing is dropped: every entity is listed or folded into one that is.
        assert len(pages) + sum(r["variants"]["count"] for r in pages if "variants" in r) == len(inside)
    else:
        assert all("similarity_score" not in r for r in pages)
        assert len(pages) == len(inside)


def test_meaning_words_and_names_all_count(tiny_library: Library) -> None:
    def first(search: str, **asked: Any) -> str:
        return str(tiny_library.find(Request(family="all", search=search, **asked))["results"][0]["name"])

    assert first("a wall of flame rises") == "Wall of Fire"
    assert first("drains life") == "Wraith"
    assert first("hunter mark") == "Hunter’s Mark"
    assert first("fier bolt") == "Fire Bolt"
    # A word that no text has can only be a name, however short the query.
    assert first("grapled") == "Grappled"


def test_an_exact_name_comes_first(tiny_library: Library) -> None:
    results = tiny_library.find(Request(family="all", search=" CHAIN mail "))["results"]
    assert results[0]["name"] == "Chain Mail"
    assert results[0]["similarity_score"] >= results[1]["similarity_score"]


def test_copies_and_variants_are_folded_into_the_best(tiny_library: Library) -> None:
    fireball = tiny_library.find(Request(family="spell", search="fireball"))["results"][0]
    assert fireball["document_key"] == "srd-2024"
    assert fireball["variants"] == {"count": 3, "names": ["Fireball"], "documents": ["a5e-ag", "hearth", "srd-2014"]}
    blades = tiny_library.find(Request(family="equipment", search="flame tongue greatsword", limit=100))["results"]
    assert blades[0]["variants"]["count"] == 3
    assert len([r for r in blades if r["name"].startswith("Longsword (+")]) == 1
    one_book = tiny_library.find(Request(family="spell", search="fireball", documents=("hearth",)))["results"][0]
    assert one_book["document_key"] == "hearth"
    assert "variants" not in one_book


def test_a_repeated_word_counts_once(tiny_library: Library) -> None:
    def scores(search: str) -> dict[str, float]:
        results = tiny_library.find(Request(family="spell", search=search, limit=100))["results"]
        return {record["name"]: record["similarity_score"] for record in results}

    once, often = scores("fire"), scores("fire " * 12)
    assert often == pytest.approx(once, abs=0.02)


def test_ties_are_sorted_by_id(tiny_library: Library) -> None:
    results = tiny_library.find(Request(family="all", search="?", documents=("srd-2014",), limit=100))["results"]
    keys = [(-r["similarity_score"], r["id"]) for r in results]
    assert keys == sorted(keys)


def test_a_long_query_is_cut_and_says_so(tiny_library: Library, caplog: pytest.LogCaptureFixture) -> None:
    response = tiny_library.find(Request(family="spell", search="a ball of fire " * 50))
    assert response["count"] == 10
    assert "64 tokens" in response["message"]
    assert caplog.records
    assert tiny_library.find(Request(family="spell", search="a bead of flame"))["message"] is None


def _unranked(library: Library, caplog: pytest.LogCaptureFixture) -> None:
    response = library.find(Request(family="spell", search="wall of ash", limit=100))
    assert [r["name"] for r in response["results"]][:2] == ["Wall of Fire", "Élan of Ash"]
    assert all("similarity_score" not in r for r in response["results"])
    assert "Not ranked" in response["message"]
    assert caplog.records
    # The exact name comes first, although another name has its words; copies are folded into the preferred one.
    named = library.find(Request(family="spell", search="Fireball", limit=100))
    first, second = named["results"][:2]
    assert (first["name"], first["document_key"], first["variants"]["count"]) == ("Fireball", "srd-2024", 3)
    assert second["name"] == "Delayed Blast Fireball"
    assert named["count"] + 3 == named["total"]


def test_without_its_encoder_the_library_still_answers(
    tiny: Dataset, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copytree(tiny.path, tmp_path / "copy", ignore=shutil.ignore_patterns("*.onnx"))
    _unranked(Library(dataclasses.replace(tiny, path=tmp_path / "copy")), caplog)


def test_an_encoder_over_its_time_limit_is_not_waited_for(
    tiny: Dataset, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    encode, may_end = QueryModel.encode, Event()
    with monkeypatch.context() as slow:
        slow.setattr(QueryModel, "encode", lambda *asked: may_end.wait() and encode(*asked))
        library = Library(tiny, encode_timeout=0.5)
        _unranked(library, caplog)
        may_end.set()
        library.wait_until_ready()
    ranked = library.find(Request(family="spell", search="wall of ash"))
    library.close()
    assert ranked["message"] is None, "a text whose encoding took too long is encoded again"
    assert "similarity_score" in ranked["results"][0]


def test_summaries_name_only_the_first_variants() -> None:
    names = [f"Blade {number}" for number in range(30)]
    hits = Hits(31, [0], extra={0: {"variants": {"count": 30, "names": names, "documents": ["x"]}}})
    (full,), (summary,) = (hits.add_to([0], [{"name": "Blade"}], form) for form in (Form.FULL, Form.SUMMARY))
    assert full["variants"]["names"] == names
    assert summary["variants"] == {"count": 30, "names": names[:8], "documents": ["x"]}


@pytest.mark.parametrize(
    ("family", "query", "first"),
    [
        ("rule", "longbow range", 'lookup_equipment(name="Longbow")'),
        ("creature", "regain hit points on a short rest", 'lookup_rule(rule_type="rule", name="Short Rest")'),
        ("spell", "heavy armor that disadvantages stealth", 'lookup_equipment(name="Plate Armor")'),
    ],
)
def test_what_other_kinds_have_that_fits_better_is_named(library: Library, family: str, query: str, first: str) -> None:
    said = "Other kinds fit this query better: "
    answer = library.find(Request(family, search=query))
    pointed = answer["message"].partition(said)[2]
    assert pointed.startswith(first)
    scores = [float(score) for score in re.findall(r"\((0\.\d\d)\)", pointed)]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) >= max(0.4, answer["results"][0]["similarity_score"] + 0.14, scores[0] - 0.16)
    for unsaid in (
        Request(family, search=query, offset=1),
        Request(family, search=query, documents=("lantern-coast",)),
        Request("all", search=query),
    ):
        assert said not in (library.find(unsaid)["message"] or "")


def test_a_good_answer_is_not_compared_with_other_kinds(library: Library) -> None:
    found = library.find(Request("rule", search="how does a short rest work"))
    assert found["results"][0]["similarity_score"] > 0.5
    assert "Other kinds" not in (found["message"] or "")


def test_what_a_query_denies_is_not_compared_with_other_kinds(library: Library) -> None:
    found = library.find(Request("spell", search="no verbal component"))
    assert found["results"][0]["similarity_score"] < 0.5
    assert "without a verbal component" in found["message"]
    assert "Other kinds" not in found["message"]


def test_things_that_differ_only_in_parentheses_are_named_once(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = library._catalogue.names
    alike = [row for row, name in enumerate(names) if name.startswith("Flame Tongue (")]
    other = names.index("Dagger")
    best = [Best(row, score, None) for row, score in zip((*alike, other), (0.8, 0.79, 0.78), strict=True)]
    monkeypatch.setattr(Search, "best", lambda *_: best)
    message = library.find(Request("rule", search="a burning blade that cuts"))["message"]
    pointed = message.partition("Other kinds fit this query better: ")[2]
    assert re.findall(r'name="([^"]*)"', pointed) == [names[alike[0]], "Dagger"]
