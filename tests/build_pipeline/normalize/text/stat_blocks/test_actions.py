"""Names, usage and order of actions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.stat_blocks.actions import (
    action,
    in_order,
    is_sentence,
    legendary_uses,
    recharge,
    split_wrongly,
    trait,
    union,
)


@pytest.mark.parametrize(
    ("name", "bare", "usage"),
    [
        ("Fire Breath (Recharge 5–6)", "Fire Breath", "Recharge 5-6"),
        ("Enslave (3/day)", "Enslave", "3/Day"),
        ("Wing Attack (Costs 2 Actions)", "Wing Attack", "Costs 2 Actions"),
        ("Wail (Cost 2 Actions)", "Wail", "Costs 2 Actions"),
        ("Wail (Recharge after a Short or Long Rest)", "Wail", "Recharges after a Short or Long Rest"),
        ("Wail (Recharge: Short/Long Rest)", "Wail", "Recharges after a Short or Long Rest"),
        ("Wail (Recharge after Short or Long Rest)", "Wail", "Recharges after a Short or Long Rest"),
        ("Wail (Recharges on a Short or Long Rest)", "Wail", "Recharges after a Short or Long Rest"),
        ("Wail (Recharges after a Long or Short Rest)", "Wail", "Recharges after a Short or Long Rest"),
        ("Wail (Recharges 5-6)", "Wail", "Recharge 5-6"),
        ("Bite (Newt, Frog, or Eel Form Only)", "Bite", "Newt, Frog, or Eel Form Only"),
        ("Tail Slap (2)", "Tail Slap", "Costs 2 Actions"),
        ("Sun Disc (Costs 2 Actions, Recharge 5-6)", "Sun Disc", "Costs 2 Actions; Recharge 5-6"),
        ("Bite (Wolf Form Only)", "Bite", "Wolf Form Only"),
        ("Bite (Newt or Eel Form)", "Bite", "Newt or Eel Form"),
        ("Sting (Bite in Newt Form)", "Sting (Bite in Newt Form)", None),
        ("Bite (Snake Head)", "Bite (Snake Head)", None),
        ("Duck (1/round)", "Duck", "1/Round"),
        ("Claw.", "Claw", None),
    ],
)
def test_usage_is_removed_from_the_name(name, bare, usage):
    found = action(name, "It strikes.")
    assert (found["name"], found["usage"]) == (bare, usage)


def test_a_spells_level_is_moved_to_the_text():
    found = action("Fireball (3rd-Level; V, S)", "Flames burst.")
    assert (found["name"], found["description"]) == ("Fireball", "(3rd-Level; V, S) Flames burst.")
    assert action("Fireball", "(3rd-Level; V, S) Flames burst.")["name"] == "Fireball"


def test_given_usage_comes_first_without_repeats():
    assert action("Breath (Recharge 6)", "", [recharge(6)])["usage"] == "Recharge 6"
    assert action("Bite (Newt Form only)", "", ["Newt form only"])["usage"] == "Newt Form Only"
    assert action("Gaze (Gaze, Newt Only)", "", ["Gaze, Newt Only"])["usage"] == "Gaze; Newt Only"
    assert action("Storm (Costs 2 Actions)", "", ["1/Day"])["usage"] == "1/Day; Costs 2 Actions"


def test_traits_keep_their_names():
    assert trait("Legendary Resistance (3/Day).", "It succeeds.") == {
        "name": "Legendary Resistance (3/Day)",
        "description": "It succeeds.",
    }


@given(st.text(), st.text())
def test_reading_never_fails(name, text):
    action(name, text)
    is_sentence(name)


@pytest.mark.parametrize("name", ["Bite", "Cloud of Insects", "Strength of the Mountain", "Summon Demon (1/Day)"])
def test_sentences_are_not_names(name):
    assert not is_sentence(name)


def test_sentences_are_joined_with_the_row_that_they_describe():
    rows = [
        {"name": "Swallow", "desc": "The worm gulps its prey down."},
        {"name": "If a swallowed creature deals thirty damage in one turn, the worm lets go", "desc": ""},
        {"name": "Bless", "desc": "One of these:"},
        {"name": "Luck: The ally may roll twice for a day", "desc": ""},
        {"name": "Smiths hammer at their anvils all day long", "desc": "Few are rich."},
    ]
    mended, lore, legendary = split_wrongly(rows)
    assert mended == [
        {
            "name": "Swallow",
            "desc": "The worm gulps its prey down.\n\n"
            "If a swallowed creature deals thirty damage in one turn, the worm lets go.",
        },
        {"name": "Bless", "desc": "One of these:\n\n**Luck.** The ally may roll twice for a day."},
    ]
    assert lore == ["Smiths hammer at their anvils all day long. Few are rich."]
    assert legendary == []


@pytest.mark.parametrize(
    "told", ["The dragon can take 3 legendary actions", "The bogqueenhas 1 legendary action it can take"]
)
def test_the_introduction_of_legendary_actions_is_not_an_action(told):
    rows = [{"name": told, "desc": "One at a time."}, {"name": "Roar", "desc": "It roars."}]
    mended, _, legendary = split_wrongly(rows)
    assert [row["name"] for row in mended] == ["Roar"]
    assert legendary == [f"{told}. One at a time."]


def test_a_name_that_continues_a_sentence_is_text():
    rows = [
        {"name": "Flicker", "desc": "It leaves for the Pond of"},
        {"name": "Mist from the Sea", "desc": "It sees into the Inner"},
        {"name": "Sea", "desc": "It returns."},
        {"name": "Bite", "desc": "It bites."},
    ]
    mended, _, _ = split_wrongly(rows)
    whole = "It leaves for the Pond of Mist from the Sea. It sees into the Inner Sea. It returns."
    assert [(row["name"], row["desc"]) for row in mended] == [("Flicker", whole), ("Bite", "It bites.")]


def test_a_name_after_a_choice_continues_the_sentence():
    rows = [
        {"name": "Multiattack", "desc": "Two Talon or Hurl"},
        {"name": "Mud attacks", "desc": "It may sing instead."},
        {"name": "Song", "desc": "A listener can use only one"},
        {"name": "Song die at a time", "desc": "It ends at dusk."},
    ]
    assert [row["desc"] for row in split_wrongly(rows)[0]] == [
        "Two Talon or Hurl Mud attacks. It may sing instead.",
        "A listener can use only one Song die at a time. It ends at dusk.",
    ]


def test_how_a_creature_fights_is_lore():
    rows = [
        {"name": "Hop", "desc": "It hops."},
        {"name": "Combat", "desc": " It hides, then hops."},
        {"name": "Newts specialize in quiet hopping", "desc": "Some hop for pay."},
    ]
    mended, lore, _ = split_wrongly(rows)
    assert [row["name"] for row in mended] == ["Hop"]
    assert lore == ["It hides, then hops.", "Newts specialize in quiet hopping. Some hop for pay."]


def test_the_beginning_of_a_sentence_is_not_a_name():
    rows = [{"name": "Whirl", "desc": "A whirl comes."}, {"name": "As a bonus action", "desc": "The whirl ends."}]
    assert split_wrongly(rows)[0] == [{"name": "Whirl", "desc": "A whirl comes.\n\nThe whirl ends."}]


def test_the_order_of_the_older_list_wins_over_numbers():
    rows = [
        {"name": "Bite", "order_in_statblock": None},
        {"name": "Claw", "order_in_statblock": 1},
        {"name": "Tail", "order_in_statblock": 0},
    ]
    assert [row["name"] for row in in_order(rows, [])] == ["Tail", "Claw", "Bite"]
    told = [{"name": "Bite (Wolf Form Only)"}, {"name": "Claw"}, {"name": "Tail"}]
    assert [row["name"] for row in in_order(rows, told)] == ["Bite", "Claw", "Tail"]
    assert [row["name"] for row in in_order(rows, told[:1])] == ["Bite", "Tail", "Claw"]
    cut = [{"name": "Claw"}, {"name": "False"}, {"name": "Bite"}]
    rows = [{"name": "Bite"}, {"name": "Claw"}, {"name": "False Appearance"}]
    assert [row["name"] for row in in_order(rows, cut)] == ["Claw", "False Appearance", "Bite"]


def test_lines_of_a_list_belong_to_the_row_that_announces_it():
    rows = [
        {"name": "Gifts", "desc": "The hag knows these tricks:"},
        {"name": "At will", "desc": "light"},
        {"name": "1/day each", "desc": "fog cloud, sleep"},
        {"name": "Bite", "desc": "It bites."},
        {"name": "Lost Limbs", "desc": "Roll a die:"},
        {"name": "1-3: Arm", "desc": "It crawls."},
        {"name": "Moods", "desc": "It takes one. 1d100 Result"},
        {"name": "01-50 Merry:", "desc": "It hums."},
    ]
    mended, _, _ = split_wrongly(rows)
    assert [row["name"] for row in mended] == ["Gifts", "Bite", "Lost Limbs", "Moods"]
    assert mended[0]["desc"].endswith("* **At will:** light\n\n* **1/day each:** fog cloud, sleep")
    assert mended[2]["desc"] == "Roll a die:\n\n* **1-3: Arm:** It crawls."
    assert mended[3]["desc"] == "It takes one. 1d100 Result\n\n* **01-50 Merry:** It hums."


@pytest.mark.parametrize(
    ("told", "uses"),
    [
        ("Legendary Action Uses: 3 (4 in Lair). It can expend a use.", 3),
        ("The queen can take 2 legendary actions, choosing from these.", 2),
        ("The moth has one legendary action it can take.", 1),
        ("Three between turns.", 3),
        ("It acts as it likes.", None),
        (None, None),
    ],
)
def test_legendary_uses_are_counted(told, uses):
    assert legendary_uses(told) == uses


def test_merging_adds_missing_rows_and_keeps_the_better_texts():
    ours = [action("Claw", "ours"), action("Sting", "ours")]
    theirs = [action("Bite", "theirs"), action("Claw", "theirs"), action("Sting (Beast Shape)", "theirs")]
    assert [(row["name"], row["description"]) for row in union(ours, theirs)] == [
        ("Bite", "theirs"),
        ("Claw", "ours"),
        ("Sting", "ours"),
    ]
    assert union(ours, theirs[1:]) == ours
    assert [row["name"] for row in union(ours, theirs[:1])] == ["Claw", "Sting", "Bite"]
    assert union([], theirs) == theirs


def test_a_name_joined_to_its_attack_is_separated():
    rows = [{"name": "8 Tail Melee Weapon Attack: +5 to hit, reach 5 ft", "desc": ", one target. Hit: 7 cold damage."}]
    assert split_wrongly(rows)[0] == [
        {"name": "8 Tail", "desc": "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 cold damage."}
    ]


@pytest.mark.parametrize(
    ("told", "usage", "text"),
    [
        ("(3/day) It sings.", "3/Day", "It sings."),
        ("(Recharge 5–6). It sings.", "Recharge 5-6", "It sings."),
        ("(1/Day; Newt Form Only)It sings.", "1/Day; Newt Form Only", "It sings."),
        ("(It is wet.) It sings.", None, "(It is wet.) It sings."),
        ("(3/Day)", None, "(3/Day)"),
    ],
)
def test_usage_before_a_text_is_read(told, usage, text):
    row = action("Song", told)
    assert (row["usage"], row["description"]) == (usage, text)
    assert trait("Song", told) == {"name": f"Song ({usage})" if usage else "Song", "description": text}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Song (3/day)", "Song (3/Day)"),
        ("Song (3/ Day)", "Song (3/Day)"),
        ("Song (Recharge: Short/Long Rest)", "Song (Recharges after a Short or Long Rest)"),
        ("Song (3/Day, or 4/Day in Lair)", "Song (3/Day, or 4/Day in Lair)"),
        ("Song (Psionics)", "Song (Psionics)"),
    ],
)
def test_usage_in_a_traits_name_has_the_spelling_that_it_has_in_actions(name, expected):
    assert trait(name, "It sings.")["name"] == expected


def test_repeated_usage_is_given_once():
    row = action("Song (Newt Form Only)", "(Newt Form Only) It sings.", ["Recharge 6"])
    assert (row["usage"], row["description"]) == ("Recharge 6; Newt Form Only", "It sings.")
    assert trait("Song (1/Day)", "(1/Day) It sings.")["name"] == "Song (1/Day)"


def test_a_sentence_before_all_rows_is_named_by_its_label():
    rows = [{"name": "Lone Newts: A single newt has 2 hit points and does damage", "desc": "They swim."}]
    assert split_wrongly(rows)[0] == [
        {"name": "Lone Newts", "desc": "A single newt has 2 hit points and does damage. They swim."}
    ]
