"""Records and the response budget."""

import json
from typing import Any

import pytest
from tiny_dataset import ROWS

from server.dataset.dataset import Dataset
from server.dataset.schema import TABLE_OF
from server.library.library import Library
from server.library.requests.request import Detail, Request, RequestError
from server.sheets.sheet import render


def _one(library: Library, **asked: Any) -> dict[str, Any]:
    (record,) = library.find(Request(**asked))["results"]
    return dict(record)


def test_a_record_has_the_fields_of_its_type(tiny: Dataset) -> None:
    library = Library(tiny, max_response_chars=1_000_000)
    common = {"id", "entity_type", "name", "slug", "description", "document", "document_key", "sources", "license"}
    for record in library.find(Request(family="all", limit=100))["results"]:
        assert record.keys() >= common
        assert record["document"] == record["document_key"]
        assert not record.keys() & {"provenance", "keys", "name_normalized", "is_weapon", "is_armor", "headings"}
        columns = {c.name for c in TABLE_OF[record["entity_type"]].columns_of(record["entity_type"]) if c.response}
        assert record.keys() - {"document"} <= columns


def test_answers_leave_out_what_their_texts_say_but_whole_records_have_it(tiny_library: Library) -> None:
    imp = _one(tiny_library, family="creature", name="Hearth Imp", detail="full")
    assert "saves" not in imp
    whole = tiny_library.entity(imp["id"])
    assert whole is not None
    assert {name: whole[name] for name in imp} == imp
    (save,) = whole["saves"]
    assert (save["feature"], save["dc"], save["damage"][0]["dice"]) == ("Soot Cloud", 11, "2d6")


def test_only_weapons_have_weapon_facts(tiny_library: Library) -> None:
    asked = {"family": "equipment", "kind": "magic-item"}
    blade = _one(tiny_library, **asked, name="Longsword (+1)")
    assert "damage_dice" in blade
    assert "armor_class" not in blade
    shield = _one(tiny_library, **asked, name="Arrow-Catching Shield")
    assert "damage_dice" not in shield
    assert shield["armor_class"] == 2
    assert not {"damage_dice", "armor_class"} & _one(tiny_library, **asked, name="Robe of the Archmagi").keys()


def test_nested_fields_have_only_known_members(tiny_library: Library) -> None:
    scout = _one(tiny_library, family="creature", name="Scout")
    assert scout["skills"] == {"perception": 5, "stealth": 6}
    fields = (value for value in scout.values() if isinstance(value, dict | list))
    assert not any(map(_has_null, fields))


def test_summaries_have_the_facts_and_the_first_sentence(tiny_library: Library) -> None:
    record = _one(tiny_library, family="spell", name="fireball", documents=("hearth",), detail="summary")
    assert record["description"] == "A bead of flame bursts into a roaring sphere."
    assert record["level"] == 3
    assert "components" not in record


def _has_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_null, value.values()))
    return any(map(_has_null, value)) if isinstance(value, list) else value is None


def test_summaries_have_only_known_fields_and_full_records_have_all(tiny: Dataset) -> None:
    library = Library(tiny, max_response_chars=1_000_000)
    summaries = library.find(Request(family="all", detail="summary", limit=100))["results"]
    full = library.find(Request(family="all", limit=100))["results"]
    assert not any(map(_has_null, summaries))
    for summary, record in zip(summaries, full, strict=True):
        columns = [c for c in TABLE_OF[record["entity_type"]].columns_of(record["entity_type"]) if c.name in record]
        told = {c.name for c in columns if (c.summary or c.choice) and record[c.name] not in (None, {})}
        assert summary.keys() == told | {"document"}
        assert {c.name for c in columns if c.required} <= record.keys()
        identity = {"id", "entity_type", "name", "document", "document_key", "document_name", "document_source"}
        assert all(summary[field] == record[field] for field in identity)


def test_summaries_have_the_facts_that_people_choose_by(tiny_library: Library) -> None:
    asked: dict[str, Any] = {"detail": "summary", "documents": ("srd-2014", "hearth")}
    dragon = _one(tiny_library, family="creature", name="adult red dragon", **asked)
    assert dragon["actions"] == ["Fire Breath"] * 4
    imp = _one(tiny_library, family="creature", name="hearth imp", **asked)
    assert imp["speed"] == {"walk": 0, "fly": 40, "hover": True}
    assert imp["damage_immunities"] == ["fire", "poison"]
    paladin = _one(tiny_library, family="character_option", kind="class", name="paladin", **asked)
    assert paladin["subclasses"] == ["Oath of Devotion", "Oath of the Hearth"]
    assert paladin["features"] == ["1: Divine Sense", "3: Divine Health", "6: Aura"]
    oath = _one(tiny_library, family="character_option", kind="class", name="oath of devotion", **asked)
    assert oath["subclass_of"] == {"name": "Paladin"}
    assert "progression" not in paladin


def test_names_have_only_name_document_and_id(tiny_library: Library) -> None:
    for asked in ({"family": "spell", "search": "fire"}, {"family": "all"}, {"family": "creature", "name": "*dragon"}):
        response = tiny_library.find(Request(**asked, detail="names", limit=5))
        assert response["count"] == min(5, response["total"])
        assert all(list(record) == ["name", "document", "id"] for record in response["results"])


def test_level_tables_are_markdown_tables(tiny_library: Library) -> None:
    paladin = _one(tiny_library, family="character_option", kind="class", name="paladin")
    assert paladin["progression"].splitlines()[-3:] == [
        "| 1st | +2 | Divine Sense | — |",
        "| 2nd | +2 | — | 2 |",
        "| 3rd | +2 | Divine Health | 3 |",
    ]


def test_summaries_over_the_budget_keep_their_first_sentence(tiny: Dataset) -> None:
    """They lose what people choose by, then the facts, the first records last; identity and sentence stay."""
    roomy = Library(tiny).find(Request("creature", detail="summary", limit=100))
    shortest = []
    for budget in range(len(json.dumps(roomy)) + 600, 3_000, -200):
        page = Library(tiny, max_response_chars=budget).find(Request("creature", detail="summary", limit=100))
        assert len(json.dumps(page, ensure_ascii=False)) <= budget
        if page["count"] < roomy["count"]:
            break
        described = [record.get("description") for record in page["results"]]
        assert described == [record["description"] for record in roomy["results"]]
        forms = [2 if "truncated" not in r else 1 if "challenge_rating" in r else 0 for r in page["results"]]
        whole = forms.count(2)
        assert forms == [2] * whole + [forms[-1]] * (len(forms) - whole)
        shortest.append(forms[-1])
    assert shortest == sorted(shortest, reverse=True)
    assert set(shortest) == {2, 1, 0}


@pytest.mark.parametrize(
    ("detail", "budget", "told"), [("full", 20_000, "in full"), ("summary", 5_500, "as whole summaries")]
)
def test_the_message_about_the_next_offset_uses_the_requests_words(
    tiny: Dataset, detail: Detail, budget: int, told: str
) -> None:
    library = Library(tiny, max_response_chars=budget)
    response = library.find(Request("creature", detail=detail, limit=100))
    assert f"to get them {told}, use offset=" in response["message"]


def test_answers_stay_within_the_budget_and_say_what_was_cut(tiny: Dataset) -> None:
    library = Library(tiny, max_response_chars=12_000)
    response = library.find(Request(family="creature", name="*dragon*"))
    assert len(json.dumps(response, ensure_ascii=False)) <= 12_000
    full = [r for r in response["results"] if not r.get("truncated")]
    assert 0 < len(full) < response["count"] == 6
    assert response["results"][: len(full)] == full
    assert f"offset={len(full)}" in response["message"]
    for record in response["results"][len(full) :]:
        assert "ability_scores" not in record
        assert record["actions"] == ["Fire Breath"] * 4
        assert record["challenge_rating"]


def test_a_budget_too_small_for_summaries_ends_the_page(tiny: Dataset) -> None:
    library = Library(tiny, max_response_chars=4_000)
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = library.find(Request(family="spell", limit=100, offset=offset))
        assert len(json.dumps(page, ensure_ascii=False)) <= 4_000
        assert page["count"] < 13
        seen += [r["id"] for r in page["results"]]
        offset = page["next_offset"]
    assert sorted(seen) == sorted(row["id"] for row in ROWS if row["entity_type"] == "spell")


@pytest.mark.parametrize("part", [None, "Fire Breath"])
def test_a_single_record_that_is_too_long_comes_in_pieces(tiny: Dataset, part: str | None) -> None:
    asked = {"family": "creature", "name": "Ancient Red Dragon", "documents": ("srd-2014",), "part": part}
    whole = render(_one(Library(tiny), **asked))
    library = Library(tiny, max_response_chars=1_500)
    told, pieces = [], []
    offset: int | None = 0
    while offset is not None:
        page = library.find(Request(**asked, offset=offset))
        assert len(json.dumps(page, ensure_ascii=False)) <= 1_500
        (record,) = page["results"]
        assert (record["name"], record["truncated"], page["total"]) == ("Ancient Red Dragon", True, 1)
        told.append(page["message"])
        pieces.append(record["sheet"])
        offset = page["next_offset"]
    assert len(pieces) > 2
    assert "".join(pieces) == whole
    assert f"continue with offset={len(pieces[0])}." in told[0]
    assert told[-1].endswith("the last one.")
    past = library.find(Request(**asked, offset=len(whole)))
    assert (past["results"], past["total"], past["next_offset"]) == ([], 1, None)
    assert past["message"] == f"offset {len(whole)} is past the end: there are {len(whole)} characters."


def test_a_long_record_among_others_is_shortened(tiny: Dataset) -> None:
    library = Library(tiny, max_response_chars=1_500)
    page = library.find(Request(family="creature", name="Ancient Red Dragon", limit=1))
    assert page["total"] == 2
    assert page["results"][0]["truncated"] is True
    assert len(json.dumps(page, ensure_ascii=False)) <= 1_500


def test_messages_quote_only_the_beginning_of_arguments(tiny_library: Library) -> None:
    books = tuple(f"book {number}" for number in range(5_000))
    for asked in (
        {"name": "x" * 100_000},
        {"filters": {"class_key": "x" * 100_000}},
        {"documents": ("x" * 100_000,)},
        {"documents": ("hearth", *books), "filters": {"level": 9}},
        {"documents": ("hearth",) * 5_000, "filters": {"level": 9}},
    ):
        assert len(tiny_library.find(Request(family="spell", **asked))["message"]) < 1_000
    with pytest.raises(RequestError) as refusal:
        tiny_library.find(Request(family="spell", filters={"school": "x" * 100_000}))
    assert len(str(refusal.value)) < 300


def test_an_offset_past_the_end_gives_an_empty_answer_that_says_so(tiny_library: Library) -> None:
    response = tiny_library.find(Request(family="spell", offset=50))
    assert (response["results"], response["next_offset"], response["total"]) == ([], None, 13)
    assert response["message"] == "offset 50 is past the end: there are 13 results."
    folded = tiny_library.find(Request(family="spell", search="fireball", offset=50))
    assert folded["message"].endswith("offset 50 is past the end: there are 10 results, 13 with their variants.")


def test_every_answer_names_its_dataset(tiny_library: Library) -> None:
    for answer in (tiny_library.find(Request(family="spell", documents=())), tiny_library.list_documents()):
        assert answer["dataset"]["version"] == "2026.11.20"
        assert set(answer["dataset"]) == {"version", "built_at", "snapshot_at", "schema_version"}


def test_lists_begin_with_what_others_derive_from(tiny_library: Library) -> None:
    def types(**asked: str) -> list[str]:
        return [record["entity_type"] for record in tiny_library.find(Request(**asked, limit=100))["results"]]

    assert types(family="character_option", kind="class") == ["class", "subclass", "subclass"]
    assert types(family="character_option", kind="race") == ["race"] * 3 + ["subrace"] * 2
    weapons = types(family="equipment", kind="weapon")
    assert weapons == sorted(weapons, key=["weapon", "magic-item"].index)
    assert set(weapons) == {"weapon", "magic-item"}
