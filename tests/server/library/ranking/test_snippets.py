"""Quotes in ranked summaries, and parts that match a query better than their record."""

import json
from typing import Any

import numpy as np
import polars as pl
import pytest
from tiny_dataset import creature

from server.dataset.dataset import Dataset
from server.dataset.schema import CREATURES, ENTITY_TABLES
from server.library.catalogue import Catalogue
from server.library.library import Library
from server.library.ranking.snippets import Snippets
from server.library.requests.request import Request

IDF = {"howl": 4.0, "smok": 4.0, "smell": 3.0, "fear": 3.0, "hound": 3.0, "the": 0.1, "what": 6.0, "do": 6.0}

HOUND = creature(
    "hearth",
    "Ash Hound",
    1,
    "beast",
    "A hound of embers. Its **howl** carries far.",
    traits=[
        {"name": "Keen Smell", "description": "No smoke hides you from *its nose*. It follows any trail."},
        {
            "name": "Howl",
            "description": "Whoever hears it runs. The fear lasts a minute. The hound does it once.",
        },
    ],
)


class _Words:
    """The weights of the words above; any other word weighs 5."""

    def weights(self, query: str) -> dict[str, float]:
        return {word: IDF.get(word, 5.0) for word in query.split()}


class _Passages:
    """One passage, as similar as any other."""

    def passages(self, _query: object, _row: int) -> dict[int, float]:
        return {1: 0.5}


def _snippets() -> Snippets:
    tables = {t.name: pl.DataFrame([HOUND] if t is CREATURES else [], schema=t.schema) for t in ENTITY_TABLES}
    return Snippets(Catalogue(tables, ["hearth"]), _Words(), _Passages())  # type: ignore[arg-type]


def _snippet(query: str, snippets: Snippets | None = None) -> tuple[str | None, str | None]:
    """The matching text and part."""
    (found,) = (snippets or _snippets()).find(query, np.zeros(3, dtype=np.float32), [0])
    return found.matched, found.part


def test_a_record_without_parts_is_read_only_for_its_quote() -> None:
    plain = creature("hearth", "Ash", 1, "ooze", "It burns. It smells of smoke.")
    tables = {t.name: pl.DataFrame([plain] if t is CREATURES else [], schema=t.schema) for t in ENTITY_TABLES}
    snippets = Snippets(Catalogue(tables, ["hearth"]), _Words(), _Passages())  # type: ignore[arg-type]
    (found,) = snippets.find("smok", np.zeros(3, dtype=np.float32), [0])
    assert (found.part, snippets._cut.cache_info().misses) == (None, 0)
    assert (found.matched, snippets._cut.cache_info().misses) == ("It smells of smoke.", 1)


def test_a_text_is_split_once_for_all_queries():
    snippets, queries = _snippets(), ("howl fear", "smok", "what do", "howl fear")
    assert [_snippet(query, snippets) for query in queries] == [_snippet(query) for query in queries]
    assert snippets._cut.cache_info().misses == 1


@pytest.mark.parametrize(
    ("query", "snippet"),
    [
        # The first sentence is in every summary, so it is not quoted again.
        ("ember", (None, None)),
        ("howl carri far", ("Its howl carries far.", None)),
        ("smok hid", ("Keen Smell: No smoke hides you from its nose.", "Keen Smell")),
        ("fear howl", ("Howl: Whoever hears it runs.", "Howl")),
        # The record has the word too, but it is the name of the part.
        ("howl", ("Howl: Whoever hears it runs.", "Howl")),
        ("hound", (None, None)),
        # Part and record have different words of the query: neither fits better.
        ("ember fear", (None, None)),
        # The part has too little of it.
        ("smok that blind poison and kill", ("Keen Smell: No smoke hides you from its nose.", None)),
        ("what do keen smell do", ("Keen Smell: No smoke hides you from its nose.", "Keen Smell")),
        # Words of the record's name may stand beside those of the part.
        ("hound keen smell", ("Keen Smell: No smoke hides you from its nose.", "Keen Smell")),
    ],
)
def test_the_best_sentence_and_part_are_quoted(query: str, snippet: tuple[str | None, str | None]) -> None:
    assert _snippet(query) == snippet


PRICES = """What a smithy sells.

| Blade | Weight | Cost |
| --- | --- | --- |
| **Knives** | | |
| Long knife | 2 lb. | 2 gp |
| Knife | 1 lb. | — |
| Sabre | 3 lb. | 5th of a crown |

Prices rise in a war."""


@pytest.mark.parametrize(
    ("query", "matched"),
    [
        # The words of the query come first in the row; of two such rows, the one about nothing else is quoted.
        ("cost knif", "Blade: Knife, Weight: 1 lb."),
        ("long knif", "Blade: Long knife, Weight: 2 lb., Cost: 2 gp"),
        # No row has more of the query than its heading.
        ("pric war", "Prices rise in a war."),
        # Ordinals are numbers.
        ("sabr 5", "Blade: Sabre, Weight: 3 lb., Cost: 5th of a crown"),
        ("sabr 5th", "Blade: Sabre, Weight: 3 lb., Cost: 5th of a crown"),
    ],
)
def test_the_matching_table_row_is_quoted(query: str, matched: str) -> None:
    smithy = creature("hearth", "Smithy", 1, "construct", PRICES)
    tables = {t.name: pl.DataFrame([smithy] if t is CREATURES else [], schema=t.schema) for t in ENTITY_TABLES}
    snippets = Snippets(Catalogue(tables, ["hearth"]), _Words(), _Passages())  # type: ignore[arg-type]
    assert _snippet(query, snippets) == (matched, None)


def _found(library: Library, search: str, **asked: Any) -> dict[str, Any]:
    answer = library.find(Request("creature", search=search, **asked))
    return next(record for record in answer["results"] if record["name"] == "Adult Red Dragon")


def test_summaries_have_quotes_and_full_records_do_not(tiny_library: Library) -> None:
    summary = _found(tiny_library, "cone of fire", detail="summary")
    assert summary["matched"] == "Fire Breath: It breathes fire in a cone."
    assert summary["part"] == "Fire Breath"
    full = _found(tiny_library, "cone of fire")
    assert "matched" not in full
    listed = tiny_library.find(Request("creature", detail="summary"))["results"]
    assert not any("matched" in record or "part" in record for record in listed)


def test_a_part_that_fits_better_is_the_result(tiny_library: Library) -> None:
    part = _found(tiny_library, "cone of fire")
    assert part["part"] == "Fire Breath"
    assert {action["name"] for action in part["actions"]} == {"Fire Breath"}
    assert part["actions"][0]["description"].startswith("It breathes fire in a cone.")
    assert part["type"] == "dragon"
    assert "traits" not in part
    asked = Request("creature", name=part["name"], documents=(part["document_key"],), part=part["part"])
    (looked_up,) = tiny_library.find(asked)["results"]
    assert looked_up.items() <= part.items()
    whole = _found(tiny_library, "a cruel red dragon")
    assert "part" not in whole
    assert "traits" in whole


def test_quotes_are_cut_before_summaries(tiny: Dataset) -> None:
    def page(budget: int) -> dict[str, Any]:
        library = Library(tiny, max_response_chars=budget)
        answer = library.find(Request("creature", search="cone of fire", detail="summary", limit=100))
        library.close()
        return answer

    roomy = page(60_000)
    quoted = [record["id"] for record in roomy["results"] if "matched" in record]
    tight = page(len(json.dumps(roomy, ensure_ascii=False)) * 4 // 5)
    kept = [record["id"] for record in tight["results"] if "matched" in record]
    assert [r["id"] for r in tight["results"]] == [r["id"] for r in roomy["results"]]
    assert len(kept) < len(quoted)
    assert kept == quoted[: len(kept)]
    assert all(record["description"] for record in tight["results"])
