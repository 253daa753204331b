"""Stat blocks of books: every layout, complete and incomplete, in invented blocks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from books import book_layer
from hypothesis import given
from hypothesis import strategies as st
from printed_blocks import NEWER, NEWER_HEAD, OLDER, SAVES, SCORES, TABLES

from build_pipeline.normalize.books.creatures import stat_blocks
from build_pipeline.normalize.books.creatures.stat_block_head import read_head
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.tables import complaints
from server.dataset.schema import ABILITIES, CREATURES


def read(endpoint: str, text: str) -> tuple[dict[str, Draft], list[str]]:
    problems = Problems()
    drafts = list(stat_blocks.drafts(book_layer(endpoint, text), problems))
    for draft in drafts:
        assert [c for c in complaints(CREATURES, draft.facts) if "required" not in c] == []
    return {draft.name: draft for draft in drafts}, [entry["reason"] for entry in problems.entries]


@pytest.fixture(scope="module")
def older() -> tuple[dict[str, Draft], list[str]]:
    return read("srd-2014", OLDER)


def newer(table: str, marks: str = "####") -> tuple[dict[str, Draft], list[str]]:
    return read("srd-2024", NEWER.format(head=NEWER_HEAD.format(table=TABLES[table]), marks=marks))


def names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


def test_the_head_of_a_block_of_2014_is_read(older):
    facts = older[0]["Bog Ogre"].facts
    assert (facts["size"], facts["type"], facts["subtype"]) == ("large", "giant", "bog folk, shapechanger")
    assert (facts["armor_class"], facts["armor_description"]) == (13, "13 (hide armor), 11 while prone")
    assert (facts["hit_points"], facts["hit_dice"]) == (59, "7d10+21")
    assert (facts["speed"]["walk"], facts["speed"]["swim"], facts["speed"]["fly"]) == (40, 20, None)
    assert facts["ability_scores"]["constitution"] == 16
    assert facts["saving_throws"] == {"strength": 6, "constitution": 5}
    assert facts["skills"] == {"perception": 2, "sleight_of_hand": 3}
    assert facts["damage_resistances"] == ["cold", "piercing from nonmagical attacks"]
    assert (facts["damage_immunities"], facts["condition_immunities"]) == ([], ["charmed", "poisoned"])
    assert (facts["senses"]["blindsight"], facts["senses"]["blind_beyond"]) == (30, True)
    assert facts["senses"]["passive_perception"] == 12
    assert (facts["languages"], facts["gear"]) == (None, None)
    assert (facts["challenge_rating"], facts["experience_points"], facts["initiative_bonus"]) == (0.5, 100, None)
    assert facts["group"] == "Bog Folk"


def test_the_body_of_a_block_of_2014_is_read(older):
    facts = older[0]["Bog Ogre"].facts
    assert names(facts["traits"]) == ["Weaknesses", "Mud Cloak (1/Day)"]
    assert facts["traits"][0]["description"] == "The ogre has these flaws:\n\n**Salt.** Salt stings it."
    assert [(row["name"], row["usage"]) for row in facts["actions"]] == [
        ("Breath Weapons", "Recharge 5-6"),
        ("Slap", None),
        ("Spells", None),
    ]
    assert facts["actions"][0]["description"].endswith("***Mud Breath.*** A cone of mud.")
    assert facts["actions"][1]["attacks"][0]["damage"] == [{"dice": "2d6+4", "type": "bludgeoning"}]
    assert facts["actions"][2]["description"].endswith("* **At will:** *light*\n* **1/day each:** *fear*, *sleep*")
    assert [(row["name"], row["usage"]) for row in facts["legendary_actions"]] == [("Wade", "Costs 2 Actions")]
    assert facts["legendary_uses"] == 2
    assert facts["reactions"] == facts["bonus_actions"] == []
    assert facts["lair_actions"] is None


def test_the_description_has_lore_variants_and_facts_without_a_column(older):
    blocks, _ = older
    assert blocks["Bog Ogre"].facts["description"] == "A **bog ogre** hoards frogs.\n\nIt eats them, too."
    assert blocks["Bog Ogre"].facts["stat_lines"] == [
        {"name": "Speed", "description": "40 ft., swim 20 ft. (30 ft. in eel form)"}
    ]
    assert blocks["Bog Ogre"].facts["legendary_actions"][0]["description"] == "It wades.\n\nIts speed stays 20 feet."
    assert blocks["Mire Bat"].facts["hit_points"] is None
    assert blocks["Mire Bat"].facts["stat_lines"] == [{"name": "Hit Points", "description": "half of its summoner's"}]
    assert blocks["Mire Bat"].facts["description"] == (
        "Bats like **sour** things.\n\n### Variant: Clouds of Bats\n\nMany bats are a cloud."
    )
    assert blocks["Mire Bat"].facts["actions"][1]["description"].endswith("***Sour Breath.*** A sour cone.")


@pytest.mark.parametrize("table", TABLES)
def test_every_layout_of_abilities_is_read(table):
    facts = newer(table)[0]["Gate Warden"].facts
    assert facts["ability_scores"] == SCORES
    assert facts["saving_throws"] == SAVES


@pytest.mark.parametrize("marks", ["####", "###"])
def test_a_block_of_2024_is_read_even_with_headings_on_its_level(marks):
    blocks, problems = newer("rows", marks)
    assert problems == []
    facts = blocks["Gate Warden"].facts
    assert (facts["size"], facts["type"], facts["subtype"]) == ("medium", "humanoid", "warden")
    assert (facts["armor_class"], facts["initiative_bonus"], facts["proficiency_bonus"]) == (17, 3, 2)
    assert (facts["experience_points"], facts["lair_experience_points"]) == (700, 1100)
    assert (facts["damage_vulnerabilities"], facts["damage_immunities"]) == (["fire"], ["cold", "poison"])
    assert facts["condition_immunities"] == ["charmed (with ward)", "poisoned"]
    assert [(item["name"], item["quantity"]) for item in facts["gear"]] == [("Chain Shirt", 1), ("Javelins", 3)]
    assert names(facts["traits"]) == ["Steadfast"]
    assert names(facts["actions"]) == ["Glaive", "Spellcasting"]
    assert facts["actions"][1]["description"].endswith(
        "* **At Will:** *Light, Mending*\n* **1/Day Each:** *Fear* (level 4 version)"
    )
    assert (names(facts["legendary_actions"]), facts["legendary_uses"]) == (["Stare"], 3)
    assert (facts["group"], blocks["Moth"].facts["group"]) == ("Wardens", None)


def test_the_raw_objects_are_the_block_its_parts_and_its_groups_heading():
    draft = newer("rows")[0]["Gate Warden"]
    assert len(draft.raw) == len(set(draft.raw)) == 5
    assert draft.raw[0].startswith("srd/srd-2024/")


def test_a_block_printed_twice_is_read_once_and_differences_are_named():
    block = NEWER.format(head=NEWER_HEAD.format(table=TABLES["rows"]), marks="###").partition("## Moth")[2]
    again = block.replace("It flutters", "It dives")
    blocks, problems = read("srd-2024", f"# Monsters\n\n## Moth{block}\n## Moth{block}")
    assert (len(blocks), len(blocks["Moth"].raw), problems) == (1, 4, [])
    _, (problem,) = read("srd-2024", f"# Monsters\n\n## Moth{block}\n## Moth{again}")
    assert problem.endswith("stat block 'Moth': occurs a second time and differs in actions")


@pytest.mark.parametrize(
    ("printed", "instead", "says"),
    [
        ("**Speed** 30 ft.", "**Speed** quick", "cannot read Speed 'quick'"),
        ("Passive Perception 13", "Passive 13", "cannot read Senses"),
        ("**CR** 3 (XP", "**CR** three (XP", "cannot read Challenge"),
        ("+3 (13)", "high", "cannot read Initiative 'high'"),
        ("| **Score** | 16 ", "| **Score** | high ", "cannot read the table of abilities"),
        ("**Flutter.** It", "It", "cannot read its Actions"),
    ],
)
def test_an_incomplete_block_is_kept_and_named_with_file_and_line(printed, instead, says):
    text = NEWER.format(head=NEWER_HEAD.format(table=TABLES["rows"]), marks="####").replace(printed, instead)
    blocks, problems = read("srd-2024", text)
    assert blocks["Moth"].facts["armor_class"] == 17
    (problem,) = [problem for problem in problems if "'Moth'" in problem]
    assert problem.startswith("book.md:")
    assert says in problem


def test_numbers_that_depend_on_the_spell_are_unknown():
    head = NEWER_HEAD.format(table=TABLES["cells"])
    head = head.replace("**AC** 17 |", "**AC** 11 + the spell's level |").replace("45 (7d8 + 14)", "30 + 10 per level")
    head = head.replace("3 (XP 700, or 1,100 in lair; PB +2)", "None (XP 0; PB equals your own)")
    blocks, problems = read("srd-2024", f"# Spells\n\n## Call Moth\n\nYou call a moth.\n\n### Moth\n\n{head}")
    facts = blocks["Moth"].facts
    assert problems == []
    assert (facts["armor_class"], facts["hit_points"]) == (None, None)
    assert facts["description"] is None
    assert facts["stat_lines"] == [
        {"name": "Armor Class", "description": "11 + the spell's level"},
        {"name": "Hit Points", "description": "30 + 10 per level"},
    ]
    assert "challenge_rating" not in facts
    assert facts["experience_points"] == 0
    assert facts["group"] is None


def test_facts_missing_in_a_head_of_2024_are_unknown():
    text = NEWER_HEAD.format(table=TABLES["rows"]).replace("Humanoid (Warden)", "Fey or Plant")
    head = read_head(text.replace("**Senses** ", "**Senses** Blindsight 10 ft.; "))
    assert head is not None
    assert (head.facts.get("type"), head.facts.get("subtype"), head.beyond) == (None, None, {"Type": "Fey or Plant"})
    assert (head.facts["senses"]["blindsight"], head.facts["senses"]["blind_beyond"]) == (10, None)


def test_a_conditional_skill_bonus_is_in_the_text():
    text = NEWER_HEAD.format(table=TABLES["rows"])
    printed = re.search(r"\*\*Skills\*\* (.*)", text)
    assert printed is not None
    head = read_head(text.replace(printed[0], "**Skills** Stealth +4 (+6 near lamps)"))
    assert head is not None
    assert head.facts["skills"]["stealth"] == 4
    assert head.beyond == {"Skills": "Stealth +4 (+6 near lamps)"}


def test_other_texts_are_not_stat_blocks():
    assert read_head("*Weapon (Sword), rare*\n\n**AC** of the wielder rises.") is None
    assert read_head("*Large object, unaligned*\n\nA barrel with legs.") is None
    assert read("srd-2024", "# Items\n\n## Barrel\n\n**Armor Class:** 20\n\n**Hit Points:** 200")[0] == {}


@given(st.dictionaries(st.sampled_from(ABILITIES), st.integers(1, 30), min_size=6, max_size=6), st.integers(1, 30))
def test_printed_scores_and_numbers_are_read_back(scores, armor_class):
    cells = " | ".join(f"{score} ({(score - 10) // 2:+d})".replace("-", "−") for score in map(scores.get, ABILITIES))
    table = f"| STR | DEX | CON | INT | WIS | CHA |\n|---|---|---|---|---|---|\n| {cells} |"
    head = read_head(NEWER_HEAD.format(table=table).replace("**AC** 17", f"**AC** {armor_class}"))
    assert head is not None
    assert head.facts["ability_scores"] == scores
    assert head.facts["saving_throws"] == {}
    assert head.facts["armor_class"] == armor_class


@pytest.mark.slow
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200))
def test_no_text_makes_the_reader_fail(noise):
    text = f"# Monsters\n\n## Moth\n\n{NEWER_HEAD.format(table=TABLES['rows'])}\n{noise}\n"
    problems = Problems()
    list(stat_blocks.drafts(book_layer("srd-2024", text), problems))
    assert not [entry for entry in problems.entries if "not of the form" in entry["reason"]]


def test_a_creature_of_two_sizes_has_both() -> None:
    drafts, _ = read("srd-2014", OLDER.replace("*Large giant (bog folk, shapechanger)", "*Medium or Small giant"))
    two, one = drafts["Bog Ogre"].facts, read("srd-2014", OLDER)[0]["Bog Ogre"].facts
    assert (two["size"], two["other_sizes"], two["type"]) == ("medium", ["small"], "giant")
    assert (one["size"], one["other_sizes"]) == ("large", None)
    less = read("srd-2014", OLDER.replace("*Large giant (bog folk, shapechanger)", "*Large or Smaller giant"))[0][
        "Bog Ogre"
    ]
    assert (less.facts["size"], less.facts["other_sizes"]) == ("large", ["medium", "small", "tiny"])
