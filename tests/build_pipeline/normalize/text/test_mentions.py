"""What texts name: any text is read, and by which words a name is told from a plain word."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from build_pipeline.normalize.text.mention import Mention
from build_pipeline.normalize.text.mentions import mentions, sections_named
from build_pipeline.normalize.text.plain_names import rules_named

MARKUP = st.text(alphabet="*_ab,\n|\"'.: -")


def spells(text: str) -> list[str]:
    found = (mention.names[-1] for mention in mentions(text) if mention.entity_types == ("spell",))
    return list(dict.fromkeys(found))


@given(st.text() | MARKUP)
@example("*',*")
def test_any_text_is_read_and_names_are_words_of_it(text):
    for mention in (*mentions(text), *sections_named(text)):
        assert all(name.strip() for name in (*mention.names, *mention.parts))
        assert all(name in text.replace("*", "").replace("_", "") for name in mention.names)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hit by an acid arrow spell", ["arrow"]),
        ("knows the *light* cantrip", ["light"]),
        ("by a true resurrection or a wish spell", ["wish", "true resurrection"]),
        ("grants the fear and true seeing spells", ["seeing", "the fear", "fear"]),
        ("its spell slots, spell list and spell attack", []),
        ("an illusion spell", []),
        ("like the minor illusion spell", ["illusion"]),
        ("If you cast tree stride while you hum", ["tree stride"]),
        ("works like the divination spell", ["divination", "divination spell"]),
        ("by means of a heal or wish spell", ["wish", "a heal", "heal"]),
        ("It can hold a shield, or cast spells.", ["cast", "a shield"]),
        ("some spells that read minds, such as tree stride, or fear", ["some", "tree", "fear"]),
        ("It has the benefits of tree stride.", ["tree stride"]),
        ("A curse is lifted by tree stride, or rest.", ["tree stride"]),
        ("It is cured by tree stride, water walk, or a nap.", ["tree stride", "water walk", "a nap"]),
        ("within the area of an antimagic field", ["antimagic field"]),
        ("removed magically with water breathing", ["water breathing"]),
        ("knocked over by greater newts; targeted by light", []),
        ("Only lesser restoration wakes it.", ["lesser restoration"]),
        ("It can't counter or dispel magic effects.", []),
        ("Each is muddled (as the spell confusion) at once.", ["the", "confusion"]),
        ("Only wish or comparable magic dries it.", ["wish"]),
    ],
)
def test_spells_are_called_spells(text, expected):
    assert spells(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It calls 1d4 bog newts (use marsh frog statistics).", ["marsh frog", "bog newts"]),
        ("It magically calls 2d4 newts or great frogs.", ["newts", "great frogs"]),
        ("It splits into 5 (1d4 + 2) newts.", []),
        ("It splits into 2 (1d4) newts with 9 hit points.", ["newts"]),
        ("It takes 2d6 fire damage.", []),
        ("It calls 1 swarm of newts, frogs, or eels.", ["swarm of newts", "swarm of frogs", "swarm of eels"]),
        ("It rises the next night as a bog newt.", ["bog newt"]),
        ("You were a frog before transforming into a bog newt.", []),
        ("It raises the frog as a bog newt or reed imp, or a jar.", ["bog newt", "reed imp"]),
        ("It returns as a reed imp or newt. A newt uses the stat block of a giant newt.", ["giant newt", "reed imp"]),
        ("A reed imp becomes a giant imp, and a newt becomes a giant newt.", ["giant imp", "giant newt"]),
        ("A reed imp or bog newt magically appears beside it.", ["reed imp", "bog newt"]),
        ("It calls 2d4 newts, 1d4 reed imps, or 1 bog newt.", ["newts", "reed imps", "bog newt"]),
        ("It calls 3d6 newts or eels 2d4 frogs or 1 swarm of eels.", ["newts", "eels", "frogs", "swarm of eels"]),
        ("It can turn into a reed lion and roar.", ["reed lion"]),
        ("It rises as a reed imp 1d4 hours later.", ["reed imp"]),
        ("It opens, and a bog newt appears.", ["bog newt"]),
        ("It summons three swarms of newts.", ["swarm of newts"]),
        ("The hat calls forth frogs by calling forth one bog newt a day.", ["bog newt"]),
        ("The jar can become a bog newt for an hour.", ["bog newt"]),
        ("The jar turns into a bog newt for an hour.", ["bog newt"]),
        ("The jar becomes a bog newt.", ["bog newt"]),
        ("He becomes a knight.", []),
    ],
)
def test_creatures_that_appear_are_named(text, expected):
    found = [name for mention in mentions(text) if mention.entity_types == ("creature",) for name in mention.names]
    assert [name for name in found if name in expected] == expected
    assert bool(found) == bool(expected)


def test_all_endings_of_the_words_before_may_be_the_name():
    (mention,) = mentions("by the wall of fire spell")
    assert mention == Mention(
        ("by the wall of fire", "the wall of fire", "wall of fire", "of fire", "fire"), ("spell",)
    )


def test_an_item_may_be_named_by_more_words_or_fewer():
    (mention,) = mentions("It has a bag of beans here.")
    assert mention == Mention(
        ("has a bag of beans here", "has a bag of beans", "a bag of beans here", "a bag of beans",
         "bag of beans here", "bag of beans"),
        ("magic-item",),
    )  # fmt: skip


def test_emphasis_holds_one_name_or_several():
    (mention,) = mentions("Casts *fear, light or web* here.")
    assert (mention.names, mention.parts) == (("fear, light or web",), ("fear", "light or web", "light", "web"))
    (mention,) = mentions("Casts *fear, hop and skip* here.")
    assert mention.parts == ("fear", "hop and skip", "hop", "skip")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("You gain _resistance_ to soup.", False),
        ("A cloud of _darkness_ rises.", False),
        ("You see in _dim light or darkness_.", False),
        ("It helps against _fear_.", False),
        ("It casts _resistance_, then _darkness_ on the cook.", True),
        ("| 3rd | *darkness* |", True),
    ],
)
def test_words_of_the_rules_are_not_the_spells_of_that_name(text, named):
    assert bool(list(mentions(text))) is named


def test_creatures_of_the_bestiary_that_is_named():
    found = list(mentions("the scale of a mud wyrm (see Tome of Beasts)."))
    assert [(each.names[2], each.entity_types) for each in found] == [("mud wyrm", ("creature",))]


def test_what_stands_on_another_page_is_named_before_it():
    found = next(iter(mentions("While wearing the hat of a newt (see page 12), you sing.")))
    assert found.names[:2] == ("the hat of a newt", "hat of a newt")


def test_every_spell_of_a_list_is_named():
    listed = spells("The following spells are in the book: bane, fly, and true seeing.")
    assert listed[1:] == ["bane", "fly", "true seeing"]
    assert spells("Two spells were in it: one was eaten.")[1:] == []
    for several in (
        "These spells are instead bane, true seeing, and fly.",
        "Cast the bane, true seeing, or fly spell.",
    ):
        assert {"bane", "true seeing", "fly"} <= set(spells(several))
    assert {"bane", "true seeing"} <= set(spells("It stops spells like bane and true seeing."))


def test_properties_of_weapons_are_called_properties():
    found = list(mentions("It has the heavy and two-handed properties, and a special property."))
    assert found == [Mention((name,), ("weapon-property",)) for name in ("heavy", "two-handed")]


def test_whoever_lies_as_if_paralyzed_is_not():
    named = [mention.names for mention in mentions("It lies as if paralyzed, then acts as though it were charmed.")]
    assert named == []
    assert next(iter(mentions("If paralyzed, it lies."))).names == ("paralyzed",)


def test_labels_and_headings_are_not_names():
    text = "**Fear**\n\n**Light.** It shines.\n\n* **Web**: sticky\n\n| **Wish** | 9 |\n\n***Bane.*** It fails."
    assert list(mentions(text)) == []


def test_readers_are_sent_to_every_section_quoted():
    text = 'It is hidden (see "Hiding" and "Cover," or the "Light" section). Pick one of the tables in "Trades."'
    assert [mention.names for mention in sections_named(text)] == [("Hiding",), ("Cover",), ("Light",), ("Trades",)]
    assert not list(sections_named('He shouts "Cover" at once.'))


def test_a_bloodied_or_rattled_newt_has_the_condition():
    found = [mention.names for mention in mentions("While bloodied, the newt rattles what is rattled.")]
    assert found == [("bloodied",), ("rattled",)]


def test_a_charmed_life_is_a_lucky_one():
    assert not list(mentions("Rogues lead a charmed life."))
    assert next(iter(mentions("A rogue is charmed for life."))).names == ("charmed",)


def test_a_poisoned_weapon_or_meal_poisons():
    assert not list(mentions("A poisoned dart or meal kills. Cooks smell poisoned or burnt food."))
    assert next(iter(mentions("A newt poisoned by darts sleeps."))).names == ("poisoned",)


def test_a_spell_that_does_what_another_one_does_names_it():
    assert [mention.names for mention in mentions("As mend jar, but you can mend all.")] == [("mend jar",)]
    assert not list(mentions("As a newt, you can hum."))


def test_spells_stand_in_brackets_and_in_columns_of_tables():
    found = [mention.names for mention in mentions("A spell that raises walls (such as mud dam, or hedge).")]
    assert found[-2:] == [("mud dam", "mud"), ("hedge",)]
    table = "| Level | Warden Spells |\n|---|---|\n| 3rd | mud dam, hedge |"
    assert [mention.parts for mention in mentions(table)] == [("mud dam", "hedge")]


def test_a_tables_columns_say_what_their_cells_name():
    table = "| Weapon | Properties | Price |\n|---|---|---|\n| Prod | Loud (60 ft.), Two-Handed | Poor |"
    found = [(mention.names[-1], mention.entity_types, mention.parts) for mention in mentions(table)]
    assert found[0] == ("Prod", ("weapon",), ("Prod",))
    assert found[1] == ("Loud, Two-Handed", ("weapon-property",), ("Loud", "Two-Handed"))
    assert len(found) == 2
    turned = "| d4 | Species |\n|---|---|\n| 1 | Newtling, marsh |"
    assert [mention.names for mention in mentions(turned)] == [("marsh Newtling", "Newtling, marsh")]


def test_two_spells_may_have_a_note_each():
    found = [mention.names for mention in mentions("It is under the mud dam (if wet) or dust (if dry) spell.")]
    assert {("mud dam", "dam"), ("dust",)} <= set(found)


def test_an_item_may_be_a_version_of_another():
    (mention,) = mentions("This bigger version of mud boots has 3 puddles.")
    assert mention.names[-1] == "mud boots"
    assert mention.entity_types == ("magic-item",)
    assert not list(mentions("It casts a version of mud."))


def test_a_fog_without_a_smell_is_not_under_a_condition():
    assert not list(mentions("The fog is invisible, odorless, and full of newts."))


@pytest.mark.parametrize(
    "text",
    [
        "A staff of petrified wood.",
        "The food is spoiled, rotted, or poisoned.",
        "A lid restrained in any way stays shut.",
        "the song that blinded Lars",
        "Blinded by grief, it sings.",
        "It is as unconscious as a stone.",
        "one of the divination and transmutation spells",
        "the staff holds darkvision (2 charges)",
    ],
)
def test_plain_words_are_no_game_terms(text):
    named = [*mentions(text), *rules_named(text)]
    kinds = [mention.names for mention in named if {"condition", "rule"} & set(mention.entity_types)]
    assert not kinds
    assert not any("divination" in mention.names for mention in named)


def test_features_and_training_are_named_whole():
    (feature,) = mentions("If you have the Pact of the Newt feature, it sings.")
    assert feature == Mention(("Pact of the Newt",), ("feat",))
    found = [mention.names for mention in mentions("You have proficiency with the Prod and Paddle.")]
    assert found == [("Prod",), ("Paddle",)]
