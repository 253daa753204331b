"""Options in separate rows are moved to the row that announces them."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.creatures.announced import with_options
from build_pipeline.normalize.text.stat_blocks.actions import action, trait

BITE = action("Bite", "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 5 (1d6 + 2) piercing damage.")


def names(rows):
    return [row["name"] for row in rows]


@pytest.mark.parametrize("introduction", ["The newt uses one of the following breath weapons", "Its breath weapons"])
@pytest.mark.parametrize("mark", [".", ":"])
def test_breaths_belong_to_the_breath_weapons_that_announce_them(introduction, mark):
    rows = [
        action("Breath Weapons", introduction + mark, ["Recharge 5-6"]),
        action("Cold Breath", "The newt exhales cold."),
        action("Wet Breath (1/Day)", "The newt spits water."),
        action("Change Shape", "The newt becomes a frog."),
    ]
    found = with_options("Pond Newt", rows)
    if "following" not in introduction:
        assert found == rows
        return
    assert names(found) == ["Breath Weapons", "Change Shape"]
    assert found[0]["description"] == (
        f"{introduction}{mark}\n\n***Cold Breath.*** The newt exhales cold."
        "\n\n***Wet Breath (1/Day).*** The newt spits water."
    )
    assert found[0]["usage"] == "Recharge 5-6"


def test_numbered_options_end_with_the_last_number():
    rows = [
        action("Hex", "The target is hexed. Roll 1d4:"),
        action("1", "Fear Hex. It fears."),
        action("2", "Sleep Hex. It sleeps."),
        action("Hide", "Nobody sees anything."),
    ]
    assert names(with_options("Hag", rows)) == ["Hex", "Hide"]


def test_effects_end_where_the_creature_acts_or_attacks():
    effects = [action("Fear", "The target flees."), action("Laughter", "The target falls down.")]
    told = action("Arrows", "The newt suffers one of the following effects:")
    acts = action("Hop", "The pond newt hops.")
    assert names(with_options("Pond Newt", [told, *effects, acts])) == ["Arrows", "Hop"]
    assert names(with_options("Pond Newt", [told, *effects, BITE])) == ["Arrows", "Bite"]


def test_attacks_of_options_are_the_attacks_of_their_row():
    table = action("Shapes", "Roll a d10 on the following table.")
    (found,) = with_options("Newt", [table, {**BITE, "name": "1 Bite"}])
    assert [attack["name"] for attack in found["attacks"]] == ["Bite"]


def test_alternative_effects_are_options():
    rows = [
        action("Hex", "The target suffers one of the following effects of the newt's choice. It can save each turn."),
        action("Wet Hex", "The target drips."),
        action("Cold Hex", "The target shivers."),
        action("Hop", "The newt hops."),
    ]
    assert names(with_options("Pond Newt", rows)) == ["Hex", "Hop"]


def test_traits_have_options_too():
    (found,) = with_options("Newt", [trait("Brewer", "It has the following potions:"), trait("Ale", "It foams.")])
    assert found == trait("Brewer", "It has the following potions:\n\n***Ale.*** It foams.")


@pytest.mark.parametrize(
    "announcing", ["Another newt gains the following additional action:", "It bites, with the following attack:"]
)
def test_an_action_that_is_only_enabled_stays_separate(announcing):
    rows = [action("Help", announcing), BITE]
    assert with_options("Newt", rows) == rows
