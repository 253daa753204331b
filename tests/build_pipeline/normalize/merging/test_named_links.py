"""Rows that name spells and items, which get ids of the same edition."""

from __future__ import annotations

from typing import Any

import pytest
from merging import entity

from build_pipeline.normalize.merging.directory import Directory
from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.draft import Reference
from build_pipeline.normalize.merging.links import link
from build_pipeline.normalize.merging.merge import assign_slugs
from build_pipeline.normalize.text.items.spells import Words

DOCUMENTS = {
    key: DocumentMeta(key, key, publisher, game_system=edition)
    for key, publisher, edition in (
        ("srd-2014", "Coast", "5e-2014"),
        ("srd-2024", "Coast", "5e-2024"),
        ("red-book", "Crayon", "5e-2014"),
        ("blue-book", "Crayon", "5e-2014"),
        ("new-blue-book", "Crayon", "5e-2024"),
        ("gold-book", "Mint", "5e-2014"),
        ("a5e-book", "Nib", "a5e"),
    )
}


def linked(document: str, column: str, *rows: dict[str, Any]) -> list[dict[str, Any]]:
    newt = entity("creature", document, "Newt", **{column: list(rows)})
    world = [
        newt,
        entity("spell", "srd-2014", "Fear", level=3),
        entity("spell", "srd-2024", "Fear", level=3),
        entity("spell", "srd-2024", "Starry Wisp", level=0),
        entity("spell", "blue-book", "Drown", level=2),
        entity("spell", "a5e-book", "Fear", level=4),
        entity("weapon", "srd-2014", "Javelin"),
        entity("weapon", "srd-2014", "Ruby"),
        entity("armor", "srd-2014", "Chain Shirt"),
    ]
    assign_slugs(world)
    link(world, DOCUMENTS)
    found: list[dict[str, Any]] = newt.facts[column]
    return found


def spell(name: str, level: int | None = None) -> dict[str, Any]:
    return {"name": name, "id": None, "usage": "At Will", "level": level}


@pytest.mark.parametrize(
    ("document", "name", "expected"),
    [
        ("red-book", "fear", "spell/srd-2014/fear"),
        ("red-book", "drown", "spell/blue-book/drown"),
        ("red-book", "starry wisp", None),
        ("srd-2024", "Fear", "spell/srd-2024/fear"),
        ("srd-2024", "drown", None),
        ("a5e-book", "Fear", "spell/a5e-book/fear"),
        ("a5e-book", "Starry Wisp", None),
        ("gold-book", "drown", None),
        ("new-blue-book", "drown", None),
        ("gold-book", "fear", "spell/srd-2014/fear"),
        ("homebrew", "Starry Wisp", "spell/srd-2024/starry-wisp"),
        ("homebrew", "fear", "spell/srd-2014/fear"),
        ("red-book", "no such spell", None),
        ("srd-2024", "starrywisp", "spell/srd-2024/starry-wisp"),
        ("srd-2024", "wisp starry", "spell/srd-2024/starry-wisp"),
    ],
)
def test_a_spell_is_that_of_the_same_edition(document, name, expected):
    (row,) = linked(document, "spells", spell(name))
    assert row["id"] == expected


def test_a_spell_that_no_book_has_is_in_capitals_as_the_others_are():
    rows = linked("red-book", "spells", spell("ray of the newt"), spell("Ire of Ooze"), spell("fear"))
    assert [row["name"] for row in rows] == ["Ray of the Newt", "Ire of Ooze", "Fear"]


def test_names_without_a_comma_between_them_are_two_spells():
    rows = linked("red-book", "spells", spell("fear drown"))
    assert [row["id"] for row in rows] == ["spell/srd-2014/fear", "spell/blue-book/drown"]
    assert [row["id"] for row in linked("red-book", "spells", spell("fear everyone"))] == [None]


def test_plain_words_name_existing_spells():
    words = {"name": Words("drown or fear from it"), "id": None, "usage": None, "level": None}
    found = linked("red-book", "spells", words, spell("fear"), {**words, "name": Words("the frog")})
    assert [(row["name"], row["usage"]) for row in found] == [("Drown", None), ("Fear", "At Will")]
    assert linked("red-book", "spells", {**words, "name": Words("the frog")}) is None


def test_the_level_is_the_stated_one_or_the_spells_own():
    assert [row["level"] for row in linked("red-book", "spells", spell("fear"), spell("fear", 5))] == [3, 5]


def test_gear_is_found_in_the_plural_and_keeps_its_number():
    (rubies,) = linked("red-book", "gear", {"name": "Rubies", "id": None, "count": 2})
    assert rubies["id"] == "weapon/srd-2014/ruby"
    (javelins, shirt) = linked(
        "srd-2014",
        "gear",
        {"name": "Javelins", "id": None, "quantity": 3},
        {"name": "Chain Shirt", "id": None, "quantity": 1},
    )
    assert javelins == {"name": "Javelin", "id": "weapon/srd-2014/javelin", "quantity": 3}
    assert shirt["id"] == "armor/srd-2014/chain-shirt"


def test_a_rule_has_all_ancestors_of_its_parent():
    jars = entity("rule", "red-book", "Odd Jars", section="Odd Jars", headings=[])
    lids = entity("rule", "red-book", "Lids", parent=below("Odd Jars"), section="Odd Jars", headings=["odd jars"])
    tin = entity("rule", "red-book", "Tin Lids", parent=below("Lids"), section="Lids", headings=["lids"])
    red = entity(
        "rule", "red-book", "Red Lid", parent=below("Lids"), section="Odd Jars", headings=["odd jars", "a", "lids"]
    )
    assign_slugs([tin, lids, red, jars])
    for told in (tin, lids, red):
        told.drafts[0].facts |= told.facts
    link([tin, lids, red, jars], DOCUMENTS)
    assert (tin.facts["section"], tin.facts["headings"]) == ("Odd Jars", ["odd jars", "lids"])
    assert {"section", "headings"} <= tin.from_text
    assert red.facts["headings"] == ["odd jars", "a", "lids"]
    assert not lids.from_text


def below(name: str) -> Reference:
    return Reference(("rule",), name)


def test_other_sources_parents_of_a_books_chapter_are_ignored():
    kitchen = entity("rule", "red-book", "Kitchen")
    lids = entity("rule", "red-book", "Lids")
    lids.drafts[0].facts["headings"] = ["odd jars"]
    jars = entity("rule", "red-book", "Odd Jars")
    for below_it in (jars, lids):
        below_it.facts["parent"] = below("Kitchen")
        below_it.filled["parent"] = "open5e_v2"
    assign_slugs([kitchen, lids, jars])
    link([kitchen, lids, jars], DOCUMENTS)
    assert (jars.facts["parent"], jars.filled) == (None, {})
    assert lids.facts["parent"]["name"] == "Kitchen"


@pytest.mark.parametrize(("more", "expected"), [((), ["Tin", "Red"]), (("Gold",), ["Gold", "Red", "Tin"])])
def test_children_are_in_the_order_of_a_text_that_names_them_all(more, expected):
    table = "| Lid |\n|---|\n| Tin |\n| Red |\n\nOf these none is brass."
    lids = entity("rule", "red-book", "Lids", description=table)
    kinds = [entity("rule", "red-book", name, parent=below("Lids")) for name in ("Red", "Tin", *more)]
    for kind in kinds:
        kind.drafts[0].facts |= kind.facts
    assign_slugs([lids, *kinds])
    link([lids, *kinds], DOCUMENTS)
    assert lids.facts["children"] == expected


@pytest.mark.parametrize(
    ("printed", "called"),
    [
        ("Newt, Giant", "giant newt"),
        ("Bat, Swarm of Bats", "swarm of bats"),
        ("Oil (flask)", "oil"),
        ("Newt", "newts"),
        ("Torch", "torches"),
        ("Wolf", "wolves"),
        ("Ruby", "rubies"),
    ],
)
def test_a_text_may_call_a_thing_otherwise_than_its_heading(printed: str, called: str) -> None:
    world = [entity("weapon", "srd-2014", printed), origin := entity("creature", "srd-2014", "Imp")]
    assign_slugs(world)
    directory = Directory(world, DOCUMENTS)
    assert directory.nearest(called, ("weapon",), origin) is world[0]
