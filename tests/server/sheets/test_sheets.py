"""Sheets of every record of the starter dataset, and snapshots of one of each kind as books print them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

from server.dataset.schema import TABLE_OF
from server.library.library import Library
from server.library.requests.request import Request
from server.sheets.restated import without_restatement
from server.sheets.sheet import render, render_all

NAMED = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions", "features", "benefits")
LONG = 40
"""Minimum characters of a text; shorter values are facts, which may be printed twice."""
PARSER = MarkdownIt("commonmark").enable("table")

SNAPSHOTS = Path(__file__).parents[2] / "snapshots" / "sheets"

PRINTED = (
    "ability-score/srd-2014/strength",
    "adventuring-gear/srd-2014/arrow-bow",
    "alignment/srd-2014/neutral-good",
    "armor/srd-2014/half-plate",
    "armor/srd-2024/plate-armor",
    "background/srd-2014/acolyte",
    "background/srd-2024/sage",
    "class/srd-2014/wizard",
    "class/srd-2024/paladin",
    "condition/srd-2014/exhaustion",
    "creature/srd-2014/aboleth",
    "creature/srd-2014/goblin",
    "creature/srd-2024/ancient-red-dragon",
    "creature/srd-2024/goblin-warrior",
    "creature/srd-2024/wraith",
    "creature/the-lantern-coast/fog-wrecker",
    "damage-type/srd-2024/fire",
    "feat/srd-2014/grappler",
    "feat/srd-2024/agonizing-blast",
    "feat/srd-2024/grappler",
    "language/srd-2014/elvish",
    "magic-item/srd-2014/flame-tongue-longsword",
    "magic-item/srd-2024/energy-bow",
    "magic-item/srd-2024/holy-avenger",
    "magic-school/srd-2014/evocation",
    "proficiency/srd-2014/longswords",
    "race/srd-2014/elf",
    "race/srd-2024/elf",
    "rule/srd-2014/cover",
    "rule/srd-2024/falling-net",
    "rule/srd-2024/travel-pace",
    "skill/srd-2014/stealth",
    "spell/srd-2014/counterspell",
    "spell/srd-2014/detect-magic",
    "spell/srd-2024/fire-bolt",
    "spell/srd-2024/shield",
    "subclass/srd-2014/champion",
    "subrace/srd-2014/high-elf",
    "weapon/srd-2014/longsword",
    "weapon/srd-2024/longbow",
    "weapon-property/srd-2024/vex",
)


class OneFileASheet(SingleFileSnapshotExtension):
    """The sheet of `spell/srd-2014/shield` is the file `spell_srd-2014_shield.md`."""

    _write_mode = WriteMode.TEXT
    file_extension = "md"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:  # noqa: ARG003 - all sheets lie in one folder
        return str(SNAPSHOTS)

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:  # noqa: ARG003
        return str(index).replace("/", "_")


def records(library: Library, **asked: Any) -> Iterator[dict[str, Any]]:
    """All records in full."""
    offset: int | None = 0
    while offset is not None:
        answer = library.find(Request("all", limit=100, offset=offset, **asked))
        offset = answer["next_offset"]
        yield from answer["results"]


@pytest.fixture(scope="module")
def everything(dataset) -> list[dict[str, Any]]:
    library = Library(dataset, max_response_chars=100_000_000)
    found = list(records(library))
    library.close()
    return found


def words(text: str) -> str:
    """The words of a text without markup."""
    return re.sub(r"[\W_]+", " ", text).strip()


def texts(value: Any) -> str:
    """Every text in a record."""
    if isinstance(value, dict):
        return "\n".join(map(texts, value.values()))
    if isinstance(value, list):
        return "\n".join(map(texts, value))
    return value if isinstance(value, str) else ""


def test_every_record_has_a_sheet(everything):
    assert {record["entity_type"] for record in everything} == set(TABLE_OF)
    for record in everything:
        sheet = render(record)
        assert sheet.startswith(f"## {record['name']}")
        assert record["document_name"] in sheet.splitlines()[-1]
        assert record["id"] in sheet.splitlines()[-1]
        assert "\n\n\n" not in sheet
        unknown = set(re.findall(r"\bNone\b|\bnull\b|\[\]|\{\}|\*\* *\*\*", sheet)) - set(
            re.findall(r"\w+", texts(record))
        )
        of_class = {**(record.get("proficiencies") or {}), **(record.get("multiclassing") or {})}
        assert not unknown - ({"None"} if "none" in of_class.values() else set()), record["id"]


def test_every_table_row_has_a_cell_for_every_column(everything):
    for record in everything:
        tables = re.findall(r"(?:^\|.*\|$\n?)+", render(record), re.MULTILINE)
        for table in tables:
            assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1, record["id"]


def test_no_text_is_lost(everything):
    """All traits, features and texts are printed, and no named text twice."""
    for record in everything:
        sheet = words(render(record))
        parts = [part for column in NAMED for part in record.get(column) or ()]
        for text in (without_restatement(record).get("description"), *(part["description"] for part in parts)):
            assert words(text or "") in sheet, record["id"]
        for part in parts:
            if len(part["description"] or "") > LONG:
                assert sheet.count(words(part["description"])) <= [p["description"] for p in parts].count(
                    part["description"]
                )


@pytest.mark.parametrize("entity_id", PRINTED)
def test_sheets_equal_their_snapshots(everything, snapshot: SnapshotAssertion, entity_id):
    (record,) = [record for record in everything if record["id"] == entity_id]
    assert f"{render(record)}\n" == snapshot(name=entity_id, extension_class=OneFileASheet)


def test_every_kind_is_printed():
    assert {entity_id.split("/")[0] for entity_id in PRINTED} == set(TABLE_OF)


def test_summaries_have_sheets(library):
    for record in records(library, detail="summary"):
        assert record["name"] in render(record)


def test_a_summary_lists_names_of_traits_and_actions(library):
    (goblin,) = [record for record in records(library, detail="summary") if record["id"] == "creature/srd-2014/goblin"]
    assert goblin["actions"] == ["Scimitar", "Shortbow"]
    assert "### Actions\n\n***Scimitar.***\n\n***Shortbow.***\n\n" in render(goblin)


def test_names_are_printed_as_a_list():
    names = [{"name": "Bag of *Tricks*", "document": "srd-2014", "id": "magic-item/srd-2014/bag-of-tricks"}]
    assert render_all(names) == r"- Bag of \*Tricks\* (magic-item/srd-2014/bag-of-tricks)"


def test_a_single_table_is_printed():
    identity = {"id": "rule/hearth/ashes", "entity_type": "rule", "name": "Ashes", "document_key": "hearth"}
    table = {"title": "Kinds of Ash", "columns": ["d4", "Ash"], "rows": [["1", "grey"]]}
    assert render(identity | {"part": "Kinds of Ash", "tables": [table]}).splitlines()[4:9] == [
        "**Kinds of Ash**",
        "",
        "| d4 | Ash |",
        "| :-- | :-- |",
        "| 1 | grey |",
    ]


@pytest.mark.parametrize(
    ("entity_type", "page", "shown"), [("creature", 12, "page 12"), ("spell", "phb 241", "phb 241")]
)
def test_the_page_follows_the_book(entity_type: str, page: object, shown: str):
    told = {"id": f"{entity_type}/hearth/ash", "entity_type": entity_type, "name": "Ash", "document_key": "hearth"}
    assert render(told | {"page": page}).splitlines()[-1] == f"*hearth, {shown}. {entity_type}/hearth/ash*"


def test_the_group_of_a_creature_is_printed_below():
    told = {"id": "creature/hearth/ash", "entity_type": "creature", "name": "Ash", "document_key": "hearth"}
    assert "\n\n**Group:** Embers  \n**Environments:** hearth\n\n" in render(
        told | {"group": "Embers", "environments": ["hearth"]}
    )


def test_a_cut_record_is_marked(everything):
    assert render(everything[0] | {"truncated": True}).endswith(f"{everything[0]['id']}. Shortened*")


def test_sheets_are_separated(everything):
    assert len(PARSER.parse(render_all(everything[:2]))) > 2
    assert render_all(everything[:2]) == f"{render(everything[0])}\n\n---\n\n{render(everything[1])}"


def test_an_unknown_kind_has_its_facts_printed():
    record = {
        "id": "vehicle/home/raft",
        "entity_type": "vehicle",
        "name": "Raft",
        "document_key": "home",
        "crew": 2,
        "speed": {"swim": 1.5, "fly": None},
        "leaks": True,
        "parts": [{"name": "Mast", "description": "Holds the sail."}, {"name": None, "description": "A rope."}],
        "cargo": ["rope", "barrels"],
        "owner": None,
    }
    assert render(record) == (
        "## Raft\n\n*Vehicle*\n\n**Crew:** 2  \n**Speed:** swim 1.5  \n**Leaks:** yes  \n**Cargo:** Rope, Barrels\n\n"
        "### Parts\n\n***Mast.*** Holds the sail.\n\nA rope.\n\n*home. vehicle/home/raft*"
    )


def test_concentration_is_printed_if_the_duration_is_unknown():
    identity = {"id": "spell/home/fog", "entity_type": "spell", "name": "Fog", "document_key": "home"}
    fog = {**identity, "concentration": True, "duration": None}
    assert "**Duration:** Concentration" in render(fog)


def test_facts_that_only_the_2024_books_print_are_printed():
    record = {
        "id": "creature/home/marsh-drake",
        "entity_type": "creature",
        "name": "Marsh Drake",
        "document_key": "home",
        "document_name": "At Home",
        "game_system": "5e-2024",
        "page": 12,
        "armor_class": 15,
        "initiative_bonus": -1,
        "challenge_rating": 5.0,
        "experience_points": 1800,
        "lair_experience_points": 2300,
        "proficiency_bonus": 3,
        "gear": [{"name": "Spear", "quantity": 3}, {"name": "Shield", "quantity": 1}],
        "senses": {"blindsight": 60, "blind_beyond": True, "passive_perception": 13},
        "damage_immunities": ["poison"],
        "condition_immunities": ["poisoned", "prone"],
        "legendary_uses": 3,
        "legendary_actions": [{"name": "Snap", "description": "Melee Attack Roll: +5. Hit: 4 damage.", "usage": None}],
    }
    assert re.split(r"\n\n|  \n", render(record)) == [
        "## Marsh Drake",
        "**AC** 15 **Initiative** −1 (9)",
        "**Immunities** Poison; Poisoned, Prone",
        "**Gear** Spear (3), Shield",
        "**Senses** Blindsight 60 ft. (blind beyond this radius); Passive Perception 13",
        "**CR** 5 (XP 1,800, or 2,300 in lair; PB +3)",
        "### Legendary Actions",
        "*Legendary Action Uses: 3.*",
        "***Snap.*** *Melee Attack Roll:* +5. *Hit:* 4 damage.",
        "*At Home, page 12. creature/home/marsh-drake*",
    ]


@pytest.mark.parametrize("system", ["5e-2014", "5e-2024"])
def test_a_line_with_more_than_its_column_is_printed_instead(system):
    lines = {
        "Type": "Fey or Plant",
        "Armor Class": "11 + the spell's level",
        "Hit Points": "30 + 10 per level",
        "Speed": "30 ft. (40 ft. in newt form)",
        "Skills": "Stealth +4 (+6 in mud)",
        "Senses": "darkvision 60 ft. (newt form only), passive Perception 12",
    }
    record = {
        "id": "creature/home/newt",
        "entity_type": "creature",
        "name": "Newt",
        "document_key": "home",
        "document_name": "At Home",
        "game_system": system,
        "size": "small",
        "speed": {"walk": 30},
        "skills": {"stealth": 4},
        "senses": {"darkvision": 60, "passive_perception": 12},
        "stat_lines": [{"name": label, "description": line} for label, line in lines.items()],
    }
    sheet = render(record)
    short = {"Armor Class": "AC", "Hit Points": "HP"} if system == "5e-2024" else {}
    assert "*Small Fey or Plant*" in sheet
    for label, line in list(lines.items())[1:]:
        assert re.findall(rf"\*\*{short.get(label, label)}\*\* (.*?)(?:  )?$", sheet, re.MULTILINE) == [line]


def test_resisted_conditions_are_printed():
    record = {"id": "creature/home/newt", "entity_type": "creature", "name": "Newt", "document_key": "home"}
    sheet = render(record | {"condition_resistances": ["prone"], "condition_vulnerabilities": ["stunned"]})
    assert "**Condition Vulnerabilities** stunned  \n**Condition Resistances** prone" in sheet
    both = {"game_system": "5e-2024", "damage_resistances": ["cold"], "condition_resistances": ["prone"]}
    newer = render(record | both)
    assert "**Resistances** Cold, Prone" in newer


def test_a_class_has_its_options_and_multiclassing():
    record = {
        "id": "class/home/hexer",
        "entity_type": "class",
        "name": "Hexer",
        "document_key": "home",
        "primary_ability": "charisma",
        "multiclassing": {"prerequisite": "Charisma 13", "proficiencies": None},
        "features": [
            {"name": "Hex", "level": None, "levels": None, "uses": "1 per long rest", "description": "A curse."}
        ],
        "options": [{"name": "Evil Eye", "document_key": "home"}, {"name": "Old Eye", "document_key": "other"}],
    }
    sheet = render(record)
    assert "### Multiclassing\n\n**Prerequisite:** Charisma 13\n" in sheet
    assert "#### Hex\n\n*1 per long rest*\n\nA curse." in sheet
    assert "### Options\n\n- Evil Eye\n- Old Eye (other)" in sheet
    assert "**Primary Ability:** Charisma" in render(record | {"game_system": "5e-2024"})
