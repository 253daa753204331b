"""Names in texts: any text can be read, and the words around a name that distinguish it from a plain word."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from build_pipeline.normalize.text.mentions.mention import Mention
from build_pipeline.normalize.text.mentions.mentions import mentions, sections_named
from build_pipeline.normalize.text.mentions.plain_names import rules_named

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
def test_words_called_spells_are_spells(text, expected):
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
def test_appearing_creatures_are_found(text, expected):
    found = [name for mention in mentions(text) if mention.entity_types == ("creature",) for name in mention.names]
    assert [name for name in found if name in expected] == expected
    assert bool(found) == bool(expected)


def test_any_ending_of_the_preceding_words_may_be_the_name():
    (mention,) = mentions("by the wall of fire spell")
    assert mention == Mention(
        ("by the wall of fire", "the wall of fire", "wall of fire", "of fire", "fire"), ("spell",)
    )


def test_an_item_may_be_named_with_more_or_fewer_words():
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
def test_words_of_the_rules_are_not_spells_of_that_name(text, named):
    assert bool(list(mentions(text))) is named


def test_creatures_of_the_named_bestiary_are_found():
    found = list(mentions("the scale of a mud wyrm (see Tome of Beasts)."))
    assert [(each.names[2], each.entity_types) for each in found] == [("mud wyrm", ("creature",))]


def test_a_name_before_a_page_reference_is_found():
    found = next(iter(mentions("While wearing the hat of a newt (see page 12), you sing.")))
    assert found.names[:2] == ("the hat of a newt", "hat of a newt")


def test_every_spell_of_a_list_is_found():
    listed = spells("The following spells are in the book: bane, fly, and true seeing.")
    assert listed[1:] == ["bane", "fly", "true seeing"]
    assert spells("Two spells were in it: one was eaten.")[1:] == []
    for several in (
        "These spells are instead bane, true seeing, and fly.",
        "Cast the bane, true seeing, or fly spell.",
    ):
        assert {"bane", "true seeing", "fly"} <= set(spells(several))
    assert {"bane", "true seeing"} <= set(spells("It stops spells like bane and true seeing."))


def test_words_called_properties_are_properties_of_weapons():
    found = list(mentions("It has the heavy and two-handed properties, and a special property."))
    assert found == [Mention((name,), ("weapon-property",)) for name in ("heavy", "two-handed")]


def test_a_comparison_with_a_condition_does_not_mean_it():
    named = [mention.names for mention in mentions("It lies as if paralyzed, then acts as though it were charmed.")]
    assert named == []
    assert next(iter(mentions("If paralyzed, it lies."))).names == ("paralyzed",)


def test_labels_and_headings_are_not_names():
    text = "**Fear**\n\n**Light.** It shines.\n\n* **Web**: sticky\n\n| **Wish** | 9 |\n\n***Bane.*** It fails."
    assert list(mentions(text)) == []


def test_every_quoted_section_is_found():
    text = 'It is hidden (see "Hiding" and "Cover," or the "Light" section). Pick one of the tables in "Trades."'
    assert [mention.names for mention in sections_named(text)] == [("Hiding",), ("Cover",), ("Light",), ("Trades",)]
    assert not list(sections_named('He shouts "Cover" at once.'))


def test_bloodied_and_rattled_name_conditions():
    found = [mention.names for mention in mentions("While bloodied, the newt rattles what is rattled.")]
    assert found == [("bloodied",), ("rattled",)]


def test_idioms_do_not_mean_conditions():
    assert not list(mentions("Rogues lead a charmed life."))
    assert next(iter(mentions("A rogue is charmed for life."))).names == ("charmed",)


def test_poisoned_things_do_not_have_the_condition():
    assert not list(mentions("A poisoned dart or meal kills. Cooks smell poisoned or burnt food."))
    assert next(iter(mentions("A newt poisoned by darts sleeps."))).names == ("poisoned",)


def test_a_spell_that_works_like_another_names_it():
    assert [mention.names for mention in mentions("As mend jar, but you can mend all.")] == [("mend jar",)]
    assert not list(mentions("As a newt, you can hum."))


def test_spells_are_found_in_brackets_and_table_columns():
    found = [mention.names for mention in mentions("A spell that raises walls (such as mud dam, or hedge).")]
    assert found[-2:] == [("mud dam", "mud"), ("hedge",)]
    table = "| Level | Warden Spells |\n|---|---|\n| 3rd | mud dam, hedge |"
    assert [mention.parts for mention in mentions(table)] == [("mud dam", "hedge")]


def test_column_headings_say_what_their_cells_name():
    table = "| Weapon | Properties | Price |\n|---|---|---|\n| Prod | Loud (60 ft.), Two-Handed | Poor |"
    found = [(mention.names[-1], mention.entity_types, mention.parts) for mention in mentions(table)]
    assert found[0] == ("Prod", ("weapon",), ("Prod",))
    assert found[1] == ("Loud, Two-Handed", ("weapon-property",), ("Loud", "Two-Handed"))
    assert len(found) == 2
    turned = "| d4 | Species |\n|---|---|\n| 1 | Newtling, marsh |"
    assert [mention.names for mention in mentions(turned)] == [("marsh Newtling", "Newtling, marsh")]


def test_each_of_two_spells_may_have_a_note():
    found = [mention.names for mention in mentions("It is under the mud dam (if wet) or dust (if dry) spell.")]
    assert {("mud dam", "dam"), ("dust",)} <= set(found)


def test_an_item_may_be_a_version_of_another():
    (mention,) = mentions("This bigger version of mud boots has 3 puddles.")
    assert mention.names[-1] == "mud boots"
    assert mention.entity_types == ("magic-item",)
    assert not list(mentions("It casts a version of mud."))


def test_adjectives_of_things_are_not_conditions():
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
def test_plain_words_are_not_game_terms(text):
    named = [*mentions(text), *rules_named(text)]
    kinds = [mention.names for mention in named if {"condition", "rule"} & set(mention.entity_types)]
    assert not kinds
    assert not any("divination" in mention.names for mention in named)


def test_features_and_training_are_found_with_their_whole_names():
    (feature,) = mentions("If you have the Pact of the Newt feature, it sings.")
    assert feature == Mention(("Pact of the Newt",), ("feat",))
    found = [mention.names for mention in mentions("You have proficiency with the Prod and Paddle.")]
    assert found == [("Prod",), ("Paddle",)]
