"""Exports as text: brews for the Homebrewery and bestiaries for Fantasy Statblocks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from server.exports.homebrewery import brew, page
from server.exports.statblocks import bestiary
from server.library.requests.request import Request
from server.sheets.sheet import render

if TYPE_CHECKING:
    from server.library.library import Library

ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
TEXT = ("name", "source", "size", "type", "subtype", "alignment", "speed", "senses", "languages", "cr", "hit_dice")
PHRASES = ("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities")
SECTIONS = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions", "lair_actions")


def every(library: Library, family: str) -> list[dict[str, Any]]:
    answer = library.find(Request(family, detail="names", limit=100))
    found = [library.entity(hit["id"]) for hit in answer["results"]]
    assert found
    return [record for record in found if record]


def test_every_creature_fits_the_type_of_fantasy_statblocks(library: Library) -> None:
    """Its type `Monster`: texts, except armor class, hit points, ability scores, and lists of bonuses and traits."""
    for shown in bestiary(every(library, "creature")):
        assert all(isinstance(shown[name], str) for name in (*TEXT, *PHRASES)), shown["name"]
        assert isinstance(shown["ac"], int)
        assert isinstance(shown["hp"], int)
        assert len(shown.get("stats", ABILITIES)) == len(ABILITIES)
        assert all(isinstance(score, int) for score in shown.get("stats", ()))
        assert all(len(each) == 1 and set(each) <= set(ABILITIES) for each in shown["saves"])
        assert all(isinstance(bonus, int) for each in shown["skillsaves"] for bonus in each.values())
        for section in SECTIONS:
            assert all(set(trait) == {"name", "desc"} for trait in shown.get(section, ()))


def test_a_monster_has_its_facts(library: Library) -> None:
    record = library.entity("creature/srd-2014/goblin")
    assert record is not None
    (shown,) = bestiary([record])

    assert (shown["name"], shown["ac"], shown["hp"], shown["cr"]) == ("Goblin", 15, 7, "1/4")
    assert shown["hit_dice"] == "2d6"
    assert shown["skillsaves"] == [{"stealth": 6}]
    assert shown["source"] == record["document_name"]
    assert shown["license"] == record["license"]
    assert shown["armor_description"] == record["armor_description"]
    assert len(shown["stats"]) == len(ABILITIES)


def test_every_monster_has_a_unique_name(library: Library) -> None:
    """The plug-in keeps one monster per name."""
    records = every(library, "creature")
    names = [shown["name"] for shown in bestiary(records)]

    assert len(set(names)) == len(names)
    assert all(name.startswith(record["name"]) for name, record in zip(names, records, strict=True))


def test_a_monster_has_the_fields_of_other_layouts() -> None:
    told = {
        "armor_class": 15,
        "armor_description": "natural armor",
        "gear": [{"name": "Pebble", "quantity": 3}],
        "group": "Hosts",
        "environments": ["hills", "ruins"],
        "initiative_bonus": 4,
        "page": 12,
        "legendary_actions": [{"name": "Greet", "description": "It greets."}],
        "legendary_uses": 3,
    }
    (shown,) = bestiary([HOST | told])

    assert "stats" not in shown
    assert (shown["name"], shown["ac"], shown["armor_description"]) == ("Host", 15, "natural armor")
    assert (shown["gear"], shown["environments"], shown["group"]) == ("Pebble (3)", "hills, ruins", "Hosts")
    assert (shown["initiative"], shown["page"]) == (4, 12)
    assert shown["legendary_description"] == "*Legendary Action Uses: 3.*"


def test_monsters_with_the_same_name_have_their_book_added() -> None:
    books = [HOST | {"document_name": book} for book in ("The Hills", "The Vale")]

    assert [shown["name"] for shown in bestiary(books)] == ["Host (The Hills)", "Host (The Vale)"]


@pytest.mark.parametrize("family", ["creature", "spell", "equipment"])
def test_a_page_has_the_words_of_the_sheet(library: Library, family: str) -> None:
    """The same words in the same order, with only the Homebrewery's own markup added."""
    for record in every(library, family):
        shown = re.sub(r"^\{\{monster,frame(,wide)?$|^\}\}$|^:$|^___$", "", page(record), flags=re.MULTILINE)
        shown = re.sub(r"(?<=\*\*) :: ", " ", shown)
        assert re.sub(r"#|\s", "", shown) == re.sub(r"#|\s", "", render(record)), record["id"]


def test_a_stat_block_is_framed(library: Library) -> None:
    record = library.entity("creature/srd-2014/goblin")
    assert record is not None
    lines = page(record).splitlines()

    assert lines[0] == "{{monster,frame"
    assert lines[1] == "## Goblin"
    assert lines[3] == "___"
    assert "**Speed** :: 30 ft." in lines
    assert lines.count("}}") == 1
    assert lines[-1].startswith("*")
    assert lines.index("}}") < len(lines) - 1


def test_texts_in_a_frame_are_separated() -> None:
    told = {"traits": [{"name": "Old", "description": "It is old.\n\nVery old.\n\n- So old."}, {"name": "Deaf"}]}
    lines = page(HOST | told | {"actions": [{"name": "Wait", "description": "It waits."}]}).splitlines()
    start = lines.index("***Old.*** It is old.")

    assert lines[start : start + 9] == [
        "***Old.*** It is old.",
        "",
        "Very old.",
        "",
        "- So old.",
        ":",
        "***Deaf.***",
        "### Actions",
        "***Wait.*** It waits.",
    ]


def test_a_spell_has_its_facts_in_columns_below_a_small_heading(library: Library) -> None:
    record = library.entity("spell/srd-2014/detect-magic")
    assert record is not None
    text = page(record)

    assert text.startswith("#### Detect Magic\n")
    assert "**Casting Time:** :: 1 action" in text
    assert "{{" not in text


HOST: dict[str, Any] = {
    "id": "creature/hills/host",
    "entity_type": "creature",
    "name": "Host",
    "document_name": "The Hills",
    "document_key": "hills",
    "description": "**Old Habits.** It greets {{guests}}.\n\n\\page\n\nIt waits.",
}


def test_texts_cannot_open_or_close_blocks() -> None:
    text = brew([HOST, HOST], "The Hills, by nobody. {{")

    assert text.count("{{") == text.count("}}") == 2
    assert text.count("\\page") == 2
    assert "**Old Habits.** It greets" in text
    assert text.rstrip().endswith("# Credits\n\nThe Hills, by nobody. { {")
