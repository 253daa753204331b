"""What a spell does with a higher slot or at a higher level, from sources and texts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.spells.casting_options import (
    add_words,
    dnd5e_options,
    healing_instead,
    option,
    overlaid,
    v2_options,
    with_modifier,
    without_repetitions,
)
from server.dataset.schema import CASTING_OPTION


def v2_row(kind: str, **facts: Any) -> dict[str, Any]:
    empty = ("damage_roll", "target_count", "duration", "concentration", "range", "shape_size", "desc")
    return {"type": kind, **dict.fromkeys(empty), **facts}


def told(options: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    return [{k: v for k, v in each.items() if v is not None} for each in options or []]


def test_rows_of_v2_become_options():
    rows = [
        v2_row("default", damage_roll="1d6"),
        v2_row("slot_level_4", damage_roll="4d6 + 5d6", target_count=2),
        v2_row("slot_level_3", duration="a day", concentration=False, shape_size=20, range="1 mile"),
        v2_row("ritual"),
        v2_row("slot_level_5"),
    ]
    assert told(v2_options(rows, 2)) == [
        {"slot_level": 3, "duration": "A day", "concentration": False, "area_size": 20, "range": "1 mile"},
        {"slot_level": 4, "damage": "4d6+5d6", "targets": 2},
    ]


def test_the_slot_of_the_spells_own_level_is_the_usual_casting():
    rows = [v2_row(f"slot_level_{level}", desc=f"ends spells of level {level}") for level in (3, 4)]
    assert told(v2_options(rows, 3)) == [{"slot_level": 4, "description": "ends spells of level 4"}]


def test_an_empty_duration_is_null():
    assert v2_options([v2_row("slot_level_4", duration="0")], 3) is None


def test_a_cantrip_of_v2_repeats_its_options():
    rows = [v2_row(f"player_level_{level}", damage_roll="1d8" if level < 11 else "2d8") for level in range(5, 13)]
    assert told(v2_options(rows, 0)) == [
        {"character_level": 5, "damage": "1d8"},
        {"character_level": 11, "damage": "2d8"},
    ]


def test_amounts_of_the_dnd5e_api_become_options():
    damage = {"damage_at_slot_level": {"3": "8d6", "4": "9d6"}, "damage_at_character_level": None}
    healing = {"1": "1d8 + MOD", "2": "2d8 + MOD"}
    data = {"desc": ["A friend regains hit points."], "damage": damage, "heal_at_slot_level": healing}
    assert told(dnd5e_options(data)) == [{"slot_level": 2, "healing": "2d8"}, {"slot_level": 4, "damage": "9d6"}]


@pytest.mark.parametrize("desc", ["Gain temporary hit points.", "Your maximum rises."])
def test_amounts_that_are_not_healing_are_ignored(desc):
    assert dnd5e_options({"desc": [desc], "heal_at_slot_level": {"1": "5", "2": "10"}}) is None


def test_rolls_of_a_spell_that_only_heals_are_healing():
    assert told([healing_instead(option(slot_level=2, damage="2d8"))]) == [{"slot_level": 2, "healing": "2d8"}]


def test_the_text_overrides_the_source():
    source = [option(slot_level=2, damage="9d9", targets=2)]
    text = [{"slot_level": 2, "damage": "2d6"}, {"slot_level": 3, "damage": "3d6"}]
    assert told(overlaid(source, text)) == [
        {"slot_level": 2, "damage": "2d6", "targets": 2},
        {"slot_level": 3, "damage": "3d6"},
    ]
    assert overlaid(None, []) is None


def test_numbers_of_the_text_replace_those_of_all_slots():
    source = [
        option(slot_level=2, targets=2, duration="1 day"),
        option(slot_level=3, targets=3, description="It targets three."),
        option(slot_level=4, description="It croaks."),
    ]
    assert told(overlaid(source, [{"slot_level": 3, "targets": 2}])) == [
        {"slot_level": 2, "duration": "1 day"},
        {"slot_level": 3, "targets": 2},
        {"slot_level": 4, "description": "It croaks."},
    ]


def test_options_equal_to_the_usual_casting_are_left_out():
    text = [
        {"slot_level": 2, "duration": "1 hour", "concentration": True},
        {"slot_level": 3, "duration": "1 day", "concentration": False},
        {"slot_level": 4, "concentration": True},
    ]
    assert told(overlaid(None, text, usual={"concentration": True})) == [
        {"slot_level": 2, "duration": "1 hour"},
        {"slot_level": 3, "duration": "1 day", "concentration": False},
    ]


levels = st.one_of(st.none(), st.integers(1, 20))
options = st.builds(option, slot_level=levels, character_level=levels, damage=st.sampled_from(["1d6", "2d6", None]))


@given(st.lists(options))
def test_options_are_complete_and_ordered(found):
    kept = without_repetitions(found)
    assert all(set(each) == set(CASTING_OPTION.to_schema()) for each in kept)
    order = [(each["slot_level"] or 0, each["character_level"] or 0) for each in kept]
    assert order == sorted(order)
    assert without_repetitions(kept) == kept


def test_healing_keeps_the_modifier_of_the_usual_casting():
    options = [
        option(slot_level=2, healing="3d4"),
        option(slot_level=3, damage="4d4"),
        option(slot_level=4, healing="40"),
    ]
    found = with_modifier(options, "2d4 + spellcasting ability modifier")
    assert [each["healing"] for each in found] == ["3d4 + spellcasting ability modifier", None, "40"]
    assert with_modifier(options, "2d4") == options
    assert with_modifier(None, "2d4 + spellcasting ability modifier") is None


@pytest.mark.parametrize(
    ("known", "corrected", "words"),
    [
        (None, set(), ["Roll an additional 2d8.", "Roll an additional 4d8."]),
        ([option(slot_level=9, targets=2)], set(), [None]),
        (None, {"casting_options"}, []),
    ],
)
def test_words_are_given_only_without_numbers(known, corrected, words):
    facts = {
        "level": 7,
        "higher_level": "Roll an additional 2d8 for each slot level above 7th.",
        "casting_options": known,
    }
    draft = Draft("srd", ("srd/newt-song",), "spell", "srd-2014", "Newt Song")
    spell = Entity([draft], "srd-2014", facts, corrected=corrected)
    add_words([spell])
    assert [each["description"] for each in spell.facts["casting_options"] or ()] == words
    assert ("casting_options" in spell.from_text) is (len(words) > 1)
