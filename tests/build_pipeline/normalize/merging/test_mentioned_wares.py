"""`links` of gear: contents of packs, products of tools, fuel of lamps, equipment of options, base items."""

from __future__ import annotations

import pytest
from merging import entity

from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.mentioned import add_links
from build_pipeline.normalize.merging.merge import assign_slugs

DOCUMENTS = {key: DocumentMeta(key, key, "Coast", game_system="5e-2014") for key in ("srd-2014", "red-book")}


@pytest.mark.parametrize(
    ("category", "text"),
    [
        ("equipment-pack", "Includes a horn and 2 torches. The pack also has 5 feet of mud."),
        ("equipment-pack", "A Loud Pack contains the following items: Horn, 2 bags of Torches."),
        ("tools", "**Utilize:** Hum (DC 5)\n**Craft:** Horn, any instrument (except Lute), Torch"),
    ],
)
def test_packs_and_tools_link_to_contents_and_products(category, text):
    world_of = [entity("adventuring-gear", "red-book", name) for name in ("Horn", "Torch", "Lute")]
    everything = [*world_of, entity("adventuring-gear", "red-book", "Loud", item_category=category, description=text)]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert everything[-1].facts["links"] == [each.id for each in world_of[:2]]


def test_a_thing_links_to_the_packs_that_contain_it():
    pack = entity("adventuring-gear", "red-book", "Singer's Pack")
    horn = entity(
        "adventuring-gear", "red-book", "Horn", item_category="goods", description="A horn, found in a singer's pack."
    )
    assign_slugs([pack, horn])
    add_links([pack, horn], DOCUMENTS, {})
    assert horn.facts["links"] == [pack.id]


@pytest.mark.parametrize(
    ("held", "name"),
    [
        ("a bag of 1,000 odd beads", "Odd Bead"),
        ("2 days of gruel", "Gruel"),
        ("5 days gruel", "Gruel"),
        ("3 blocks of lard", "Block of Lard"),
        ("a book of puns", "Book"),
        ("9 feet of red cord strapped to its side", "Red Cord"),
        ("4 cases for maps and scrolls", "Map or Scroll Case"),
    ],
)
def test_contents_of_a_pack_are_recognised_with_or_without_a_measure(held, name):
    thing = entity("adventuring-gear", "red-book", name)
    pack = entity(
        "adventuring-gear", "red-book", "Pack", item_category="equipment-pack", description=f"Includes {held}."
    )
    assign_slugs([thing, pack])
    add_links([thing, pack], DOCUMENTS, {})
    assert pack.facts["links"] == [thing.id]


def test_tables_of_items_and_names_of_tools_are_linked():
    tools = entity("adventuring-gear", "red-book", "Tinker's Tools")
    hats = [entity("magic-item", "red-book", f"Hat of Hats ({kind})", is_magic=True) for kind in ("red", "blue")]
    for hat in hats:
        hat.facts["description"] = (
            "Mended with tinker’s tools.\n\n| Hat | Fear |\n|---|---|\n"
            "| Hat of Hats (red) | 1 |\n| *Hat of Hats (blue)* | 2 |\n"
        )
    assign_slugs([tools, *hats])
    add_links([tools, *hats], DOCUMENTS, {})
    assert [set(hat.facts["links"]) for hat in hats] == [{tools.id, hats[1].id}, {tools.id, hats[0].id}]


@pytest.mark.parametrize(
    ("oil", "text"),
    [("Oil", "A Lamp burns Oil as fuel."), ("Oil (flask)", "Once lit, it burns for an age on a flask (1 cup) of oil.")],
)
def test_a_lamp_links_to_the_oil_that_it_burns(oil, text):
    everything = [
        entity("adventuring-gear", "red-book", oil),
        entity("adventuring-gear", "red-book", "Odd Lamp", item_category="adventuring-gear", description=text),
    ]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert everything[1].facts["links"] == [everything[0].id]


def test_a_set_links_to_its_members():
    world_of = [entity("adventuring-gear", "red-book", name) for name in ("Horn", "Lute")]
    horns = "Made of horn.\n\nIncludes: Horn, Lute."
    everything = [
        *world_of,
        entity("adventuring-gear", "red-book", "Loud", item_category="item-set", description=horns),
    ]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert everything[-1].facts["links"] == [each.id for each in world_of]


@pytest.mark.parametrize(
    ("made_from", "expected"),
    [("Horn, Pipe, or Lute", ["horn", "lute"]), ("any pipe or horn, but not lute", ["horn"]), ("Any Horn", [])],
)
def test_a_magic_item_links_to_its_base_items(made_from, expected):
    world_of = [entity("adventuring-gear", "red-book", name) for name in ("Horn", "Lute")]
    text = f"It hums.\n\nMade from: {made_from}."
    everything = [*world_of, entity("magic-item", "red-book", "Hummer", is_magic=True, description=text)]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert everything[-1].facts["links"] == [f"adventuring-gear/red-book/{slug}" for slug in expected]


@pytest.mark.parametrize(
    ("column", "listed", "expected"),
    [
        ("starting_equipment", "(*a*) 2 horns or (*b*) a set of wet lutes\n* Mud", ["horn", "wet-lute"]),
        (
            "starting_equipment",
            "Choose A or B: (A) Horn (wet), Sundries (wet lute), 5 GP; or (B) 55 GP",
            ["horn", "wet-lute"],
        ),
        ("equipment", "A mud or horn (hollow) whistle, a bag containing 10 gp", []),
        ("tool_proficiencies", "One wet lute.", ["wet-lute"]),
        ("proficiencies", {"tools": "Horn"}, ["horn"]),
    ],
)
def test_an_option_links_to_its_gear_and_tools(column, listed, expected):
    gear = [entity("adventuring-gear", "red-book", name) for name in ("Horn", "Wet Lute")]
    everything = [*gear, entity("class", "red-book", "Diver", **{column: listed})]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert everything[-1].facts["links"] == [f"adventuring-gear/red-book/{slug}" for slug in expected]


def test_a_variant_links_to_its_generic():
    generic, variant = entity("magic-item", "red-book", "Slayer"), entity("magic-item", "red-book", "Slayer (Mace)")
    variant.drafts[0].raw += generic.drafts[0].raw
    everything = [generic, variant]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert variant.facts["links"] == [generic.id]
    assert generic.facts["links"] == []
