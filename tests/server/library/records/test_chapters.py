"""Rules in the order of their books, chapters with their parts."""

import dataclasses
from collections.abc import Iterator

import polars as pl
import pytest
from tiny_dataset import reference, rule

from server.dataset.dataset import Dataset
from server.dataset.schema import RULES
from server.library.catalogue import Catalogue
from server.library.library import Library
from server.library.records.chapters import Chapters
from server.library.requests.request import Request


def _catalogue(tiny: Dataset, rows: list[dict[str, object]]) -> Catalogue:
    tables = tiny.tables | {"rules": pl.DataFrame(rows, schema=RULES.schema)}
    return Catalogue(tables, ["srd-2014", "srd-2024", "hearth"])


def test_every_rule_precedes_its_parts_book_by_book(tiny: Dataset) -> None:
    travel = rule("rule", "srd-2024", "Travel", "", reading_order=9)
    combat = rule("rule", "srd-2014", "Combat", "", reading_order=1)
    turn = rule("rule", "srd-2014", "Your Turn", "", reading_order=2, parent=reference(combat))
    # It comes under the heading of the turn, although printed in the same paragraph.
    actions = rule("rule", "srd-2014", "Actions", "", reading_order=2, parent=reference(turn))
    cover = rule("rule", "srd-2014", "Cover", "", reading_order=3, parent=reference(combat))
    brawls = rule("rule", "hearth", "Brawls", "")
    oaths = rule("rule", "srd-2014", "Oaths", "")
    catalogue = _catalogue(tiny, [brawls, cover, oaths, actions, travel, combat, turn])
    chapters = Chapters(catalogue)
    rules = catalogue.part_of(RULES)
    row = {name: rules.start + i for i, name in enumerate(rules.frame["name"])}
    names = [catalogue.names[i] for i in chapters.parts_of([row["Combat"]])]
    assert names == ["Your Turn", "Actions", "Cover"]
    everything = catalogue.in_name_order(catalogue.of_documents({"srd-2014", "srd-2024", "hearth"}).nonzero()[0])
    read = chapters.in_reading_order(everything[everything >= rules.start])
    assert [catalogue.names[i] for i in read] == ["Brawls", "Combat", *names, "Oaths", "Travel"]


@pytest.fixture
def in_chapters(tiny: Dataset) -> Iterator[Library]:
    """The tiny library, with the rule Cover as a chapter of two other rules."""
    rows = {row["id"]: row for row in tiny.tables["rules"].to_dicts()}
    cover = rows["rule/srd-2014/cover"] | {"reading_order": 1}
    attacks = {"parent": reference(cover), "reading_order": 3, "headings": ["combat", "cover"]}
    falling = {"parent": reference(cover), "reading_order": 2, "headings": ["combat", "cover"]}
    rows |= {
        cover["id"]: cover,
        "rule/srd-2014/opportunity-attacks": rows["rule/srd-2014/opportunity-attacks"] | attacks,
        "rule/srd-2014/falling": rows["rule/srd-2014/falling"] | falling,
    }
    table = pl.DataFrame(list(rows.values()), schema=RULES.schema)
    library = Library(dataclasses.replace(tiny, tables=tiny.tables | {"rules": table}))
    yield library
    library.close()


def test_a_chapter_found_by_name_comes_with_its_parts(in_chapters: Library) -> None:
    found = in_chapters.find(Request("rule", "rule", name="cover"))
    assert [record["name"] for record in found["results"]] == ["Cover", "Falling", "Opportunity Attacks"]
    assert found["total"] == 3
    part = in_chapters.find(Request("rule", "rule", name="falling"))
    assert [record["name"] for record in part["results"]] == ["Falling"]
    by_words = in_chapters.find(Request("rule", "rule", name="cov"))
    assert [record["name"] for record in by_words["results"]] == ["Cover"]


def test_only_parts_that_pass_the_filters_come_with_a_chapter(in_chapters: Library) -> None:
    found = in_chapters.find(Request("rule", "rule", name="cover", filters={"section": "combat"}))
    assert [record["name"] for record in found["results"]] == ["Cover", "Falling", "Opportunity Attacks"]
    found = in_chapters.find(Request("rule", "rule", name="cover", filters={"section": "adventuring"}))
    assert found["results"] == []


def test_the_rules_of_a_section_are_in_reading_order(in_chapters: Library) -> None:
    section = in_chapters.find(Request("rule", "rule", filters={"section": "combat"}))
    assert [record["name"] for record in section["results"]] == ["Cover", "Falling", "Opportunity Attacks"]
    all_rules = in_chapters.find(Request("rule", "rule"))
    assert [record["name"] for record in all_rules["results"]][:2] == ["Brawls", "Cover"]
