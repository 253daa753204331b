"""Spells that a magic item casts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.items.spells import Words, names_leading, spells_cast_from

KNOWN = {
    "bane", "create or destroy water", "divination", "entangle", "fireball", "fly", "knock", "light",
    "locate animals or plants", "protection from evil and good", "sleep", "speak with dead", "wish",
}  # fmt: skip
"""The existing spells: plain words mean one only if they are its name."""


def spells(text):
    found = (
        (name, row["usage"], row["level"])
        for row in spells_cast_from(text)
        for name in (leading(row["name"]) if isinstance(row["name"], Words) else [row["name"]])
    )
    return list(dict.fromkeys(found))


def leading(words):
    return names_leading(words, lambda name: name.lower() in KNOWN)


TO_CAST = "to cast one of the following spells"
OF_IT = "of the spell"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("While holding it you can cast the *light* spell at will.", [("light", "At Will", None)]),
        ("You can cast *Fear* or *Web* from it.", [("Fear", None, None), ("Web", None, None)]),
        ("You can expend 2 charges to cast the sleep spell from it.", [("sleep", "2 charges", None)]),
        ("You can cast Wish from it.", [("Wish", None, None)]),
        (
            f"You can expend 1 of its charges {TO_CAST}.\n\n**Fear.** Press to cast *Fear*.",
            [("Fear", "1 charge", None)],
        ),
        (
            "You can press it to cast *Fear*.\n\nIt has 4 charges. Each use of the spoon expends 1 charge.",
            [("Fear", "1 charge", None)],
        ),
        (
            (
                f"You can expend 1 or more of its charges {TO_CAST} from it: fly (3 charges), "
                "fireball (5th-level version, 4 charges), or sleep (1 charge)."
            ),
            [("fly", "3 charges", None), ("fireball", "4 charges", 5), ("sleep", "1 charge", None)],
        ),
        (
            f"You can expend its charges {TO_CAST}: fly (3 charges), newt's mud* (2 charges), or sleep (1 charge).",
            [("fly", "3 charges", None), ("newt's mud", "2 charges", None), ("sleep", "1 charge", None)],
        ),
        (
            "You can cast *jump* from it. The spoon can't be used this way until the next dawn.",
            [("jump", "1/Day", None)],
        ),
        (
            "You can cast *jump* from it.\n\nOnce *jump* is cast, the spoon can't be used until the next dawn.",
            [("jump", "1/Day", None)],
        ),
        (
            "You can cast *bane* with it. You can also cast *knock*. You can't cast *knock* again until the next dawn.",
            [("bane", None, None), ("knock", "1/Day", None)],
        ),
        ("Twice per _long rest_ you can cast _knock_.", [("knock", "2/Long Rest", None)]),
        (
            (
                "It casts one of the spells below.\n\n| Spell | Charge Cost |\n|---|---|\n| *Fly* | 3 |\n"
                "| *Fireball* (level 5 version) | 5 |"
            ),
            [("Fly", "3 charges", None), ("Fireball", "5 charges", 5)],
        ),
        ("| Spell | Charge Cost |\n|---|---|\n| *Fly* | 2 charges per mile |", [("Fly", "2 charges", None)]),
        ("| Spell | Charge Cost |\n|---|---|\n| *Fly* | 0 |", [("Fly", "At Will", None)]),
        (
            (
                "The cup has 6 charges. Tip it and expend 1 charge to see what happens.\n\n| d4 | Effect |\n|---|---|\n"
                "| 1 | Roll 1d4 to determine the spell: on a **1**, *Bane*; on a **2-4**, *Wish*. You cast it. |\n"
                "| 2 | No soup. Instead, you cast *Fly*. |\n| 3 | You cast *Sleep* on a frog. |"
            ),
            [(name, "1 charge", None) for name in ("Bane", "Wish", "Fly", "Sleep")],
        ),
        (
            f"You can expend 1 charge {TO_CAST}:\n\n- *Fear*\n- *Speak with animals*",
            [("Fear", "1 charge", None), ("Speak with animals", "1 charge", None)],
        ),
        ("You cast the create or destroy water spell.", [("create or destroy water", None, None)]),
        (
            "You can cast these spells: _create or_ _destroy water_ (1 charge), _jump_ (2 charges).",
            [("create or destroy water", "1 charge", None), ("jump", "2 charges", None)],
        ),
        ("You can cast *dimension door* once between *long rests*.", [("dimension door", "1/Long Rest", None)]),
        ("You can cast *bane*. Once used 3 times, it can't be used until the next dawn.", [("bane", "3/Day", None)]),
        ("Cast the level 3 version of *fly* or *bane*.", [("fly", None, 3), ("bane", None, None)]),
        ("You can cast the 2nd-level version of the bane spell.", [("bane", None, 2)]),
        (f"You can cast *bane*. You cast the 6th-level version {OF_IT}.", [("bane", None, 6)]),
        (f"You can cast *bane*. For 1 charge, you cast the 1st-level version {OF_IT}.", [("bane", None, None)]),
        ("With it you cast speak with dead as an action.", [("speak with dead", None, None)]),
        ("You can break a spoon to cast a special entangle spell.", [("entangle", None, None)]),
        ("You cast the divination spell.", [("divination", None, None)]),
        (
            "You can expend 1 charge to cast bane, fly, or sleep spell from it.",
            [("bane", "1 charge", None), ("fly", "1 charge", None), ("sleep", "1 charge", None)],
        ),
        (
            "You can cast sleep (3rd-level version), bane, or protection from evil and good on one creature.",
            [("sleep", None, 3), ("bane", None, None), ("protection from evil and good", None, None)],
        ),
        (
            "You can cast one of these from it: bane, wish, or knock. It can't be used until the next dawn.",
            [("bane", "1/Day", None), ("wish", "1/Day", None), ("knock", "1/Day", None)],
        ),
        (
            "You can expend charges to cast one of these: bane* (2 charges) or fly* (1 charge).",
            [("bane", "2 charges", None), ("fly", "1 charge", None)],
        ),
        ("You can cast either _bane_ or sleep.", [("bane", None, None), ("sleep", None, None)]),
        (
            "You can spend 2 charges to cast *fly*, or wait 1 minute and spend 5 charges to cast *wish*.",
            [("fly", "2 charges", None), ("wish", "5 charges", None)],
        ),
        ("Once between _long rests_ you can cast *fly* on yourself.", [("fly", "1/Long Rest", None)]),
        (
            "You can cast *fly* or *bane*. You can’t do so until you finish a _long rest_.",
            [
                ("fly", "1/Long Rest", None),
                ("bane", "1/Long Rest", None),
            ],
        ),
        ("| d4 | Effect |\n|---|---|\n| 1 | You cast *fly*. |\n| 2 | A frog casts about. |", [("fly", None, None)]),
        (
            "You can cast *fly* (no charge) or *bane* (1 charge).",
            [("fly", "At Will", None), ("bane", "1 charge", None)],
        ),
        ("You can hum (1 charge) or cast the *fly* spell (2 charges).", [("fly", "2 charges", None)]),
        ("**Cast Spell.** You can cast *fly* from it.", [("fly", None, None)]),
    ],
)
def test_spells_are_read(text, expected):
    assert spells(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The curse lasts until *remove curse* is cast on it.",
        "When you cast a spell, the spoon hums.",
        "It behaves as if you had cast *knock*.",
        "The moon casts light on it.",
        "It is cast in metal.",
        "This cast iron spoon hums.",
        "It is made of scales cast off by a snake.",
        "A *wish* mends it. Each casting mends the roof.",
        "You can cast a necromancy spell that you know.",
        "You cast the frog at will.",
        "For example, a wizard might cast *fly*.",
        "The orb casts *sleep* on you at will, urging you to yawn.",
        "Casting the *sleep* spell on such a newt has no effect.",
        "It loses charges.\n\n| Spell or Item | Charges Lost |\n|---|---|\n| *Passwall* | 1d6 |",
        "| Spell Level | Rarity |\n|---|---|\n| 1st | Common |",
    ],
)
def test_spells_not_cast_from_the_item_are_ignored(text):
    assert spells(text) == []


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("the bane or locate animals or plants from it", ["bane", "locate animals or plants"]),
        ("fly on a broom, sleep", ["fly"]),
        ("fly sleep", ["fly"]),
        ("an omelette, fly", []),
        ("", []),
    ],
)
def test_names_that_are_beginnings_of_words_are_ignored(words, names):
    assert leading(words) == names


@given(st.text())
def test_reading_never_fails(text):
    spells_cast_from(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You can expend a charge to cast _magic missile._ It sparkles.", [("magic missile", "1 charge", None)]),
        (
            "You can cast _charm person, disguise self,_ or _vicious mockery_ without expending any charges.",
            [
                ("charm person", "At Will", None),
                ("disguise self", "At Will", None),
                ("vicious mockery", "At Will", None),
            ],
        ),
        (
            "You can expend charges to cast *dispel magic* (3 charges), *fireball* (7th-level version, 7 charges).",
            [("dispel magic", "3 charges", None), ("fireball", "7 charges", 7)],
        ),
    ],
)
def test_misplaced_markup_and_facts_of_the_next_spell_are_handled(text, expected):
    assert spells(text) == expected


def test_a_single_use_limits_the_spells_of_a_table():
    table = "| Bead | Spell |\n|---|---|\n| Red | Bane |\n| Blue | Fly |\n"
    once = "Cast the spell of a bead. Once its spell is cast, that bead can't be used until the next dawn."
    assert spells(f"{once}\n\n{table}") == [("Bane", "1/Day", None), ("Fly", "1/Day", None)]
    assert spells(f"Cast the spell of a bead.\n\n{table}") == [("Bane", None, None), ("Fly", None, None)]
    lost = "Once a bead has hummed, it loses its magic until the next dawn."
    two = "| Bead | Spell |\n|---|---|\n| Red | _bane (3rd-level) or fly_ |\n"
    assert spells(f"{lost}\n\n{two}") == [("bane", "1/Day", 3), ("fly", "1/Day", None)]
    tunes = "Play it to cast a spell. Once you have, it can not be used to cast that spell until the next dawn."
    assert spells(f"{tunes}\n\n{table}")[0] == ("Bane", "1/Day", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Casting *bane* on this lamp shows its age.", []),
        ("Alternatively, casting the bane spell on the lamp puts it out.", []),
        ("When hit by a spell cast by a newt, you can use your reaction to cast *bane*.", ["bane"]),
        ("While you watch a creature with *sleep* on it you can use an action to cast *bane* on it.", ["bane"]),
        ("| d4 | Effect |\n|---|---|\n| 1 | You can use an action to cast *bane* on a newt. |\n", ["bane"]),
        (
            "| d4 | Effect |\n|---|---|\n| 1 | You cast what is determined by rolling 1d2: on a **1**, *bane*. |\n",
            ["bane"],
        ),
    ],
)
def test_spells_cast_on_the_item_are_not_cast_from_it(text, expected):
    assert [name for name, *_ in spells(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You expend no more than 4 charges to cast *sleep* from it.", ("sleep", "1 charge", None)),
        ("Expend charges to cast _bane_ (1 charge per spell level, up to 4th-level).", ("bane", "1 charge", None)),
        ("Once per dawn, while you stir you can cast _fly_.", ("fly", "1/Day", None)),
        ("You can cast _fly_ once each per dawn as you stir.", ("fly", "1/Day", None)),
        ("Up to 6 times each day, you can stir it to cast _fly_.", ("fly", "6/Day", None)),
        ("You can cast _fly_. It can't be used again until the next evening.", ("fly", "1/Day", None)),
        ("Stir it, and twice per dawn cast _fly_.", ("fly", "2/Day", None)),
    ],
)
def test_the_minimum_cost_and_the_uses_per_day_are_read(text, expected):
    assert spells(text) == [expected]
