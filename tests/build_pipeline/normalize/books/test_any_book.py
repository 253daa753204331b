"""Properties of every book: the starter's few sections, and the recorded books."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from books import recorded_books
from starter_rows import STARTER

from build_pipeline.normalize.books.character_options import class_options, classes, feats, origins
from build_pipeline.normalize.books.creatures import stat_blocks
from build_pipeline.normalize.books.entries import rejoined
from build_pipeline.normalize.books.equipment import equipment, magic_items, poisons
from build_pipeline.normalize.books.rules import rules
from build_pipeline.normalize.books.spells import spells
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.snapshot.raw import RawLayer, read_raw_layer
from build_pipeline.sources import ENDPOINTS
from server.dataset.names import normalize_name

READERS = (
    rules.rule_drafts,
    poisons.poison_drafts,
    *(part.drafts for part in (classes, class_options, origins, feats, stat_blocks, spells, equipment, magic_items)),
)
BOOKS = ("srd-2014", "srd-2024")


@pytest.fixture(scope="module", params=["starter", pytest.param("recordings", marks=pytest.mark.recordings)])
def raw(request: pytest.FixtureRequest) -> RawLayer:
    if request.param == "starter":
        return RawLayer.of(obj for obj in read_raw_layer(STARTER, ENDPOINTS) if obj.source == "srd")
    return recorded_books(request.getfixturevalue("recordings"))


@pytest.fixture(scope="module")
def problems() -> Problems:
    return Problems()


@pytest.fixture(scope="module")
def drafts(raw: RawLayer, problems: Problems) -> list[Draft]:
    return [draft for read in READERS for draft in read(raw, problems)]


def facts(drafts: list[Draft], entity_type: str) -> Iterator[tuple[Draft, dict[str, Any]]]:
    return ((draft, draft.facts) for draft in drafts if draft.entity_type == entity_type)


def test_every_reader_finds_something(raw: RawLayer) -> None:
    assert [read for read in READERS if not any(True for _ in read(raw, Problems()))] == []


def test_nothing_is_read_only_partly(drafts: list[Draft], problems: Problems) -> None:
    """Except two stat blocks that a transcription prints twice."""
    assert drafts
    assert [each for each in problems.entries if "occurs a second time" not in each["reason"]] == []


def test_classes_are_complete(drafts: list[Draft]) -> None:
    found = list(facts(drafts, "class"))
    assert found
    for draft, told in found:
        bonuses = [row["proficiency_bonus"] for row in told["progression"]]
        assert bonuses == [2 + level // 4 for level in range(20)], draft.name
        assert all(feature["level"] for feature in told["features"] if feature["levels"]), draft.name
        assert len(told["proficiencies"]["saving_throws"]) == 2
        assert told["multiclassing"]["prerequisite"].endswith("13")


def test_every_entry_of_a_level_table_is_described(drafts: list[Draft]) -> None:
    """Except those that stand for a feature of the subclass."""
    for draft, told in facts(drafts, "class"):
        described = {level for feature in told["features"] for level in feature["levels"]}
        for row in told["progression"]:
            named = [name for name in row["features"] if not name.casefold().endswith(" feature")]
            assert not named or row["level"] in described, (draft.name, row)


def test_subclasses_gain_features_when_their_class_says(drafts: list[Draft]) -> None:
    allowed = {
        (draft.document_key, draft.name): {
            row["level"]
            for row in told["progression"]
            if any(name.casefold().endswith(" feature") for name in row["features"])
        }
        for draft, told in facts(drafts, "class")
    }
    for draft, told in facts(drafts, "subclass"):
        levels = [feature["level"] for feature in told["features"] if feature["level"]]
        late = {level for level in levels if level != min(levels)}
        # Circle spells come from 3rd level on, between two features of the circle; Fiend spells like them.
        assert late - {3} <= allowed[draft.document_key, told["subclass_of"].name], draft.name


def test_every_spell_is_complete(drafts: list[Draft]) -> None:
    for draft, told in facts(drafts, "spell"):
        whole = ("description", "school", "casting_time", "range", "duration", "classes")
        assert all(told[column] for column in whole), draft.name
        assert told["components"]["material"] == bool(told["components"]["material_description"]), draft.name
        assert ("reaction" in told["casting_time"]) <= bool(told["reaction_condition"]), draft.name


def test_the_class_lists_agree_with_the_spells(raw: RawLayer, drafts: list[Draft]) -> None:
    """A printed class list and the spells on it agree."""
    for book in BOOKS:
        lists = spells.classes_by_list(raw, book)
        listing = {name.lower() for names in lists.values() for name in names}
        for draft, told in facts(drafts, "spell"):
            if draft.document_key == book and draft.name not in {
                "Mind Spike",
                "Phantasmal Force",
            }:  # errors in the book
                listed = sorted(name.lower() for name in lists.get(normalize_name(draft.name), ()))
                assert listed == [name for name in told["classes"] if name in listing], draft.name


def test_every_stat_block_has_the_facts_that_its_book_prints(drafts: list[Draft]) -> None:
    """Summoned creatures have no challenge rating, and their numbers depend on the caster."""
    for draft, told in facts(drafts, "creature"):
        if told.get("challenge_rating") is not None:
            assert told["armor_class"], draft.name
            assert told["hit_points"], draft.name
            assert (told["initiative_bonus"] is not None) == (draft.document_key == "srd-2024"), draft.name


def test_every_text_is_read(raw: RawLayer, drafts: list[Draft]) -> None:
    """Except texts under the headings of whole parts."""
    read = {raw_id for draft in drafts for raw_id in draft.raw}
    sections = [obj for book in BOOKS for obj in raw["srd", book].values() if obj.data["level"] > 1]
    assert [obj.id for obj in sections if obj.data["markdown"].strip("-\n ") and obj.id not in read] == []


def test_a_sentence_continues_on_the_next_page():
    assert rejoined("A frog sits as close\n\nto you as it can.\n") == "A frog sits as close to you as it can."
    assert rejoined("one frog\n\nhand: one toad\n\nIt hums.") == "one frog\n\nhand: one toad\n\nIt hums."
