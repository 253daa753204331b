"""Every stat block of the System Reference Documents, from the recorded texts of the books."""

from __future__ import annotations

import pytest
from books import recorded_books

from build_pipeline.normalize.books.creatures import stat_blocks
from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.normalize.text.dice import average

pytestmark = pytest.mark.recordings

BLOCKS = {"srd-2024": 335, "srd-2014": 319}
WITHOUT_HIT_POINTS = {"Animated Object", "Otherworldly Steed", "Giant Insect", "Draconic Spirit", "Avatar of Death"}


@pytest.fixture(scope="module")
def read(recordings):
    problems = Problems()
    drafts = list(stat_blocks.drafts(recorded_books(recordings), problems))
    return drafts, [entry["reason"] for entry in problems.entries]


@pytest.mark.parametrize("document", BLOCKS)
def test_every_block_is_read(read, document):
    drafts, _ = read
    assert len({draft.name for draft in drafts if draft.document_key == document}) == BLOCKS[document]


def test_unreadable_parts_are_named(read):
    _, problems = read
    assert sorted(problem.partition(": stat block ")[2] for problem in problems) == [
        "'Stone Giant': occurs a second time and differs in saving_throws",
        "'Storm Giant': occurs a second time and differs in actions",
    ]


def test_every_block_has_its_facts(read):
    drafts, _ = read
    for draft in drafts:
        facts = draft.facts
        assert facts["size"], draft.name
        assert len(facts["ability_scores"]) == 6, draft.name
        assert facts["senses"]["passive_perception"], draft.name
        assert facts["speed"]["walk"] is not None, draft.name
        if draft.name not in WITHOUT_HIT_POINTS:
            assert facts["armor_class"], draft.name
            assert facts["hit_points"], draft.name
            assert facts.get("challenge_rating") is not None or draft.name == "Giant Fly", draft.name
        if draft.document_key == "srd-2024" and draft.name not in WITHOUT_HIT_POINTS:
            assert facts["initiative_bonus"] is not None, draft.name
            assert facts["proficiency_bonus"], draft.name


def test_hit_points_are_the_average_of_the_dice_except_in_two_errors(read):
    drafts, _ = read
    off = {
        draft.name
        for draft in drafts
        if draft.facts["hit_points"]
        and draft.facts["hit_dice"]
        and abs(average(draft.facts["hit_dice"]) - draft.facts["hit_points"]) > 1
    }
    assert off == {"Sphinx of Wonder", "Wight"}


def test_legendary_creatures_have_their_number_of_actions(read):
    drafts, _ = read
    legendary = [draft for draft in drafts if draft.facts["legendary_actions"]]
    assert len(legendary) == 60
    assert all(draft.facts["legendary_uses"] == 3 for draft in legendary)
