"""All headings of the real books can be looked up, including terms and questions that the APIs lack."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from answerable import answerable_names, unanswered
from books import recorded_books
from merging import recorded

from build_pipeline.normalize.books.drafts import BOOKS
from build_pipeline.normalize.books.tree import read_book
from build_pipeline.normalize.records import normalize
from build_pipeline.sources import SOURCES
from build_pipeline.tables import Record
from server.dataset.schema import ENTITY_TABLES

pytestmark = pytest.mark.recordings

ENOUGH = 0.98
FLOORS = {"srd-2024 Character Origins": 0.93}
"""The exceptions: the tables of two species are in the trait that they belong to, under its name."""


@pytest.fixture(scope="module")
def real(recordings, once_a_session):
    """(raw layer, records by table) of the APIs and books; normalised once for all workers, in a minute."""
    raw = recorded_books(recordings)
    for table in (*(table.name for table in ENTITY_TABLES), "documents"):
        for obj in recorded(recordings, table):
            raw.add(obj)

    def make(folder: Path) -> None:
        tables = json.dumps(normalize(raw, SOURCES).tables)
        folder.mkdir()
        (folder / "tables.json").write_text(tables)

    folder = once_a_session("normalized-recordings", make)
    return raw, json.loads((folder / "tables.json").read_text())


def of_book(tables, book: str) -> Iterator[Record]:
    return (row for table in ENTITY_TABLES for row in tables[table.name] if row["document_key"] == book)


@pytest.mark.parametrize("book", BOOKS)
def test_headings_can_be_looked_up(real, book):
    raw, tables = real
    parts = unanswered(book, read_book(raw, book), answerable_names(of_book(tables, book)))
    short = {
        part: f"{count - len(missing)} of {count}; not {', '.join(missing[:20])}"
        for part, (count, missing) in parts.items()
        if count - len(missing) < FLOORS.get(f"{book} {part}", ENOUGH) * count
    }
    assert short == {}


TERMS = (
    "Bloodied",
    "Heroic Inspiration",
    "Difficulty Class",
    "Concentration",
    "Hide",
    "Emanation",
    "Stabilize",
    "Cover",
    "Grappled",
    "Opportunity Attacks",
    "Long Rest",
    "D20 Test",
)

QUESTIONS = (
    ("XP Budget per Character", "| 15 | 3,300 | 5,400 | 7,800 |"),  # how strong may an encounter be
    ("Magic Item Crafting Time and Cost", "| Very Rare |"),  # how is a magic item crafted
    ("Sample Poisons", "assassins-blood"),  # which poisons are there
    ("High Altitude", "10,000 feet"),  # what does thin air do
    ("Spell Preparation by Class", "| Cleric |"),  # when do I change my prepared spells
    ("One Spell with a Spell Slot per Turn", "only one spell slot"),  # may I cast two spells in a turn
)


@pytest.mark.parametrize("term", TERMS)
def test_a_term_of_the_glossary_is_found(real, term):
    """By its name, or by another name that look-ups accept."""
    names = {
        label.casefold()
        for row in real[1]["rules"]
        if row["document_key"] == "srd-2024"
        for label in (row["name"], *row["keys"])
    }
    assert term.casefold() in names


@pytest.mark.parametrize(("name", "fact"), QUESTIONS)
def test_a_question_has_its_answer(real, name, fact):
    rules = [row for row in real[1]["rules"] if row["document_key"] == "srd-2024"]
    below = {row["id"] for row in rules if row["name"] == name}
    assert any(fact in row["description"] or fact in str(row["related"]) for row in rules if row["id"] in below)


def test_rules_of_the_apis_keep_their_keys_and_ids(real):
    """Rules of the APIs are still found under their ids."""
    ids = {row["id"] for row in real[1]["rules"]}
    assert {
        "rule/srd-2024/ability-checks-d20-tests",
        "rule/srd-2024/armor-class",
        "rule/srd-2024/cover",
        "rule/srd-2014/alignment-monsters",
        "rule/srd-2014/spell-saving-throws",
        "rule/srd-2014/saving-throws",
        "rule/srd-2014/objects",
        "rule/srd-2014/weapons-table",
    } <= ids


@pytest.mark.parametrize(
    ("rule", "parent"),
    [
        ("rule/srd-2014/weapons-table", "rule/srd-2014/weapons"),
        ("rule/srd-2014/spell-saving-throws", "rule/srd-2014/casting-a-spell"),
        ("rule/srd-2014/combining-magical-effects", "rule/srd-2014/casting-a-spell"),
    ],
)
def test_a_rule_is_where_the_book_prints_it(real, rule, parent):
    assert next(row["parent"]["id"] for row in real[1]["rules"] if row["id"] == rule) == parent


@pytest.mark.parametrize(
    ("rule", "meant", "homonym"),
    [
        ("rule/srd-2014/monsters", "rule/srd-2014/hit-points-monsters", "rule/srd-2014/hit-points-damage-and-healing"),
        ("rule/srd-2014/racial-traits", "rule/srd-2014/size-races", "rule/srd-2014/size-monsters"),
        ("rule/srd-2014/armor", "rule/srd-2014/light-armor", "proficiency/srd-2014/light-armor"),
        (
            "rule/srd-2014/casting-time",
            "rule/srd-2014/reactions-spellcasting",
            "rule/srd-2014/reactions-combat-sequence",
        ),
        ("rule/srd-2014/ranged-attacks", "rule/srd-2014/range", "weapon-property/srd-2014/range"),
        ("rule/srd-2024/melee-attacks", "rule/srd-2024/reach", "weapon-property/srd-2024/reach"),
        ("rule/srd-2024/vision-and-light", "rule/srd-2024/light", "weapon-property/srd-2024/light"),
        (
            "rule/srd-2024/social-interaction",
            "rule/srd-2024/ability-checks-social-interaction",
            "rule/srd-2024/ability-checks-d20-tests",
        ),
    ],
)
def test_a_rule_is_related_to_its_own_parts_not_to_their_homonyms(real, rule, meant, homonym):
    related = next(row["related"] for row in real[1]["rules"] if row["id"] == rule)
    assert meant in related
    assert homonym not in related


@pytest.mark.parametrize("rule", ["ability-checks", "ability-scores-and-modifiers", "travel-pace"])
def test_a_text_that_names_its_table_has_it(real, rule):
    row = next(row for row in real[1]["rules"] if row["id"] == f"rule/srd-2014/{rule}")
    assert row["tables"]
    assert row["tables"][0]["title"] in row["description"]


def test_every_section_of_rules_is_read(real):
    """Every section that is a rule, or a list of things, becomes an entity."""
    raw, tables = real
    read = {raw_id for row in tables["rules"] for raw_id in row["provenance"]["raw"]}
    rules_parts = ("playing-the-game", "character-creation", "rules-glossary", "gameplay-toolbox", "spells", "combat")
    unread = {
        obj.id
        for book in BOOKS
        for obj in raw["srd", book].values()
        if obj.key.split("/")[0] in rules_parts and obj.id not in read
    }
    assert {key for key in unread if "/poison/sample-poisons/" not in key} == set()
