"""Classes of books, from an invented class in the layouts of both editions."""

import pytest
from book_pages import book
from warden_book import WARDEN_2024, WITNESS_2014, warden_2014

from build_pipeline.normalize.books.character_options import class_options, classes
from build_pipeline.normalize.merging.draft import Problems


@pytest.fixture
def problems():
    return Problems()


@pytest.fixture
def of_2024(problems):
    return {d.name: d for d in classes.drafts(book(srd_2024=WARDEN_2024), problems)}


@pytest.fixture
def of_2014(problems):
    raw = book(srd_2014=warden_2014(), srd_2014_second=WITNESS_2014)
    return {d.name: d for d in classes.drafts(raw, problems)}


def names(spell_list):
    return [(row["level"], [spell.name for spell in row["spells"]]) for row in spell_list]


def levels(draft):
    return {f["name"]: f["levels"] for f in draft.facts["features"]}


def test_both_books_are_read_completely(of_2024, of_2014, problems):
    assert list(of_2024) == list(of_2014) == ["Warden", "Vow of Stone"]
    assert not problems.entries
    assert {d.document_key for d in of_2014.values()} == {"srd-2014"}


def test_a_class_of_2024_has_its_core_traits(of_2024):
    facts = of_2024["Warden"].facts
    assert (facts["hit_dice"], facts["primary_ability"]) == ("d10", "strength or wisdom")
    assert facts["proficiencies"] == {
        "armor": "none",
        "weapons": "Simple weapons",
        "tools": None,
        "skills": "Choose 2: Nature or Perception",
        "saving_throws": ["strength", "wisdom"],
    }
    assert facts["multiclassing"] == {
        "prerequisite": "Strength 13 or Wisdom 13",
        "proficiencies": "training with Shields",
    }
    assert names(facts["spell_list"]) == [(0, ["Bell"]), (1, ["Fog", "Tide"])]
    assert facts["spellcasting_ability"] == "wisdom"


def test_levels_of_2024_come_from_headings_and_table(of_2024):
    assert levels(of_2024["Warden"]) == {
        "Watch": [1],
        "Spellcasting": [1],
        "Knots": [2, 6],
        "Warden Subclass": [3],
        "Sleepy Wardens": [],
    }
    assert levels(of_2024["Vow of Stone"]) == {"Stone Spells": [3, 9], "Stone Skin": [7]}


def test_the_table_of_2024_is_as_printed(of_2024):
    table = of_2024["Warden"].facts["progression"]
    assert [row["level"] for row in table] == list(range(1, 21))
    assert [row["features"] for row in table[5:8]] == [["Knots"], ["Subclass feature"], []]
    assert table[4]["columns"] == [
        {"name": "Bells", "value": "1"},
        {"name": "Spell Slots 1st", "value": "4"},
        {"name": "Spell Slots 2nd", "value": "1"},
    ]


def test_levels_of_2014_come_from_table_and_texts(of_2014):
    assert levels(of_2014["Warden"]) == {
        "Watch": [1, 5, 9],
        "Spellcasting": [2],
        "Knot Craft": [2],
        "Reef": [2],
        "Warden Vow": [3],
        "Long Watch": [20],
        "Broken Vows": [],
    }
    assert levels(of_2014["Vow of Stone"]) == {"Stone Spells": [3, 9], "Stone Skin": [3]}


def test_a_section_without_a_level_belongs_to_the_feature_before_it(of_2014):
    [casting] = [f for f in of_2014["Warden"].facts["features"] if f["name"] == "Spellcasting"]
    assert casting["description"].endswith("### Bell Focus\n\nYou can use a bell as a spellcasting focus.")


def test_text_about_all_subclasses_is_in_the_feature_that_chooses_one(of_2014):
    [vow] = [f for f in of_2014["Warden"].facts["features"] if f["name"] == "Warden Vow"]
    assert vow["description"].endswith("\n\nAll vows bind.")
    assert of_2014["Vow of Stone"].facts["description"] == "Slow people."


def test_slots_are_in_the_class_table_and_a_misprint_is_corrected(of_2014):
    table = of_2014["Warden"].facts["progression"]
    assert table[1]["features"] == ["Spellcasting", "Knot Craft"]
    assert {cell["name"]: cell["value"] for cell in table[2]["columns"]} == {
        "Bells": "3",
        "Spell Slots 1st": "3",
        "Spell Slots 2nd": "1",
    }


def test_a_class_of_2014_has_its_proficiencies(of_2014):
    facts = of_2014["Warden"].facts
    assert (facts["hit_dice"], facts["hit_points_first_level"]) == ("d10", "10 + your Constitution modifier")
    assert facts["starting_equipment"] == "* a horn"
    assert facts["multiclassing"] == {"prerequisite": "Strength 13 or Wisdom 13", "proficiencies": "none"}
    assert names(facts["spell_list"]) == [(0, ["Bell"]), (1, ["Fog", "Tide"])]


def test_an_incomplete_class_is_named_with_file_and_line(problems):
    torn = WARDEN_2024.replace("| **Hit Point Die** | D10 per Warden level |\n", "").replace("| 20 |", "| twenty |")
    list(classes.drafts(book(srd_2024=torn), problems))
    where = "0.md:1: the class Warden is incomplete"
    assert [entry["reason"] for entry in problems.entries] == [
        f"{where}: no hit_dice",
        f"{where}: 19 levels in its table instead of 20",
    ]


def test_options_are_entities_with_their_class(problems):
    raw = book(srd_2024=WARDEN_2024, srd_2014=warden_2014())
    found = {(d.document_key, d.name): d.facts for d in class_options.drafts(raw, problems)}
    assert set(found) == {
        ("srd-2024", "Reef"),
        ("srd-2024", "Slip"),
        ("srd-2024", "Fool's Bow"),
        ("srd-2014", "Fool's Bow"),
    }
    bow = found["srd-2024", "Fool's Bow"]
    assert (bow["feat_type"], bow["prerequisite"]) == ("knot options", "Level 6+ Warden, Reef")
    assert bow["description"] == "You tie it behind your back."
    assert [(r.entity_types, r.name) for r in bow["option_of"]] == [(("class",), "Warden")]
    assert found["srd-2024", "Reef"]["feat_type"] == "knots"
    assert found["srd-2014", "Fool's Bow"]["prerequisite"] == "fog cantrip"


STYLES = """

### Style

Choose one of the following options.

#### Slow

You are slow.
"""


def test_an_option_of_two_classes_is_one_entity(problems):
    one = warden_2014({1: "Watch, Style"}).partition("## Warden Vows")[0] + STYLES
    other = one.partition("# Classes\n")[2].replace("Warden", "Sentry")
    [slow] = class_options.drafts(book(srd_2014=one + other), problems)
    assert slow.facts["feat_type"] == "style"
    assert [r.name for r in slow.facts["option_of"]] == ["Warden", "Sentry"]
