"""Rules from invented books: names, chapters, tags, tables, sidebars, terms, and merging with the APIs."""

from __future__ import annotations

import pytest
from books import book_layer
from merging import linked

from build_pipeline.normalize.books.rules.rules import WHOLE_CHARS, rule_drafts
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.rules import rules
from build_pipeline.normalize.rules.outline import opening
from build_pipeline.snapshot.raw import RawLayer

GLOSSARY = """
# Playing the Game

## Combat

Steel is drawn.

### Cover

Behind a wall a target is harder to hit, as the Cover table says in full.

### Cover

| Degree | Bonus |
|---|---|
| Half | +2 |

### Order

Who is quick goes first in every round of a fight. Who is slow goes last.

> **Marching in Line**
>
> A narrow corridor lets only one person pass at a time.

# Rules Glossary

## Cover

Cover protects what stands behind it from arrows and worse. *See also* "Playing the Game" ("Combat").

## Dash [Action]

With this action you gain extra movement for the turn. *See also* "Cover" and "Prone."

## Prone [Condition]

While you have the Prone condition, you crawl or stand up.

**_Movement._** Crawling costs more.
"""


def read(raw: RawLayer, *more: Draft) -> dict[str, Entity]:
    drafts = [*rule_drafts(raw, Problems()), *rules.drafts(raw, Problems()), *more]
    return {entity.id: entity for entity in linked(rules.prepare(drafts), rules)}


@pytest.fixture
def found() -> dict[str, Entity]:
    return read(book_layer("srd-2024", GLOSSARY))


def test_every_heading_is_a_rule_with_its_chapter_and_place(found: dict[str, Entity]) -> None:
    order = found["rule/srd-2024/order"]
    assert order.facts["section"] == "Playing the Game"
    assert order.facts["headings"] == ["playing the game", "combat"]
    assert order.facts["parent"]["id"] == "rule/srd-2024/combat"
    assert order.sources == ["srd"]
    assert found["rule/srd-2024/combat"].facts["related"] == [
        "rule/srd-2024/cover-combat",
        "rule/srd-2024/order",
    ]
    placed = [e for e in found.values() if e.facts["reading_order"]]
    names = [e.name for e in sorted(placed, key=lambda e: e.facts["reading_order"])]
    assert names.index("Combat") < names.index("Order") < names.index("Rules Glossary") < names.index("Dash")


def test_tags_are_read_from_brackets(found: dict[str, Entity]) -> None:
    assert found["rule/srd-2024/dash"].facts["tags"] == ["action"]
    assert found["condition/srd-2024/prone"].facts["tags"] == ["condition"]
    assert found["rule/srd-2024/order"].facts["tags"] == []


def test_see_also_refers_to_the_glossary_or_the_named_chapter(found: dict[str, Entity]) -> None:
    assert found["rule/srd-2024/dash"].facts["related"] == [
        "rule/srd-2024/cover-rules-glossary",
        "condition/srd-2024/prone",
    ]
    assert "rule/srd-2024/combat" in found["rule/srd-2024/cover-rules-glossary"].facts["related"]


def test_a_table_under_a_heading_is_in_the_rule_that_names_it_and_a_rule(found: dict[str, Entity]) -> None:
    table = [{"title": "Cover", "columns": ["Degree", "Bonus"], "rows": [["Half", "+2"]]}]
    assert found["rule/srd-2024/cover-combat"].facts["tables"] == table
    assert found["rule/srd-2024/cover-combat"].facts["related"] == ["rule/srd-2024/cover-table"]
    assert found["rule/srd-2024/cover-table"].facts["tables"] == [table[0] | {"title": None}]


SEATS = """
# Playing the Game

## Tavern

The Seats table names them all.

### Seats

| Seat | Price |
|---|---|
| Bench | 1 CP |

Who sits down must order something.

### Brawls

The Wounds table tells how it ends.

### Wounds

| d4 | Wound |
|---|---|
| 1 | Nose\\* |

**Peace.** It is made over a drink.

### Prizes

| Prize |
|---|
| Ham* |

*Of a *young* boar, as a rule.
"""


def test_text_after_a_table_continues_the_text_before_it() -> None:
    found = read(book_layer("srd-2024", SEATS))
    tavern, seats = found["rule/srd-2024/tavern"], found["rule/srd-2024/seats"]
    bench = "**Seats**\n\n| Seat | Price |\n|---|---|\n| Bench | 1 CP |\n\nWho sits down must order something."
    assert tavern.facts["description"].startswith(f"The Seats table names them all.\n\n{bench}\n\n### Brawls")
    assert seats.facts["description"] == "| Seat | Price |\n|---|---|\n| Bench | 1 CP |"
    brawls, wounds = found["rule/srd-2024/brawls"], found["rule/srd-2024/wounds"]
    assert brawls.facts["description"].endswith("| 1 | Nose\\* |\n\n**Peace.** It is made over a drink.")
    assert wounds.facts["parent"]["id"] == brawls.id
    assert wounds.facts["description"].endswith("| 1 | Nose\\* |")
    assert "young" in found["rule/srd-2024/prizes"].facts["description"]


def test_a_captioned_table_keeps_its_footnote() -> None:
    text = (
        "# Playing the Game\n\n## Tavern\n\nSit.\n\n**Jugs**\n\n| Jug |\n|---|\n| Big\\* |\n\n\\* With a lid.\n\nDrink."
    )
    jugs = read(book_layer("srd-2014", text))["rule/srd-2014/jugs"]
    assert jugs.facts["description"] == "| Jug |\n|---|\n| Big\\* |\n\n\\* With a lid."


def test_a_sidebar_is_a_rule_inside_its_host(found: dict[str, Entity]) -> None:
    sidebar = found["rule/srd-2024/marching-in-line"]
    assert sidebar.facts["description"] == "A narrow corridor lets only one person pass at a time."
    assert sidebar.facts["parent"]["id"] == "rule/srd-2024/order"
    assert "only one person" in found["rule/srd-2024/order"].facts["description"]


def test_a_short_chapter_has_all_its_text_and_a_long_one_only_its_own() -> None:
    short = read(book_layer("srd-2024", "# Spells\n\n## Range\n\nFar or near.\n\n### Touch\n\nAs far as an arm.\n"))
    assert short["rule/srd-2024/range"].facts["description"] == "Far or near.\n\n### Touch\n\nAs far as an arm."
    words = "So it goes on and on. " * (WHOLE_CHARS // 20)
    long = read(book_layer("srd-2024", f"# Spells\n\n## Range\n\nFar.\n\n### Touch\n\n{words}\n"))
    assert long["rule/srd-2024/range"].facts["description"] == "Far."
    assert long["rule/srd-2024/spells"].facts["description"] == "Spells contains these rules: Range."


def test_other_kinds_are_left_to_their_readers_except_spell_lists() -> None:
    text = (
        "# Wizard\n\nA scholar.\n\n## Level 1: Ritual Adept\n\nBooks.\n\n"
        "## Wizard Spell List\n\nAll of them.\n\n### Cantrips\n\n| Spell |\n|---|\n| *Light* |\n"
    )
    raw = book_layer("srd-2024", text)
    found = read(raw)
    assert list(found) == ["rule/srd-2024/wizard-spell-list"]
    spells = found["rule/srd-2024/wizard-spell-list"]
    assert spells.facts["tables"] == [{"title": "Cantrips", "columns": ["Spell"], "rows": [["Light"]]}]
    assert spells.facts["section"] == "Wizard"
    assert "srd/srd-2024/wizard/wizard-spell-list/cantrips" in spells.raw


def test_a_text_that_only_lists_its_rules_is_not_the_books() -> None:
    long = "word " * (WHOLE_CHARS // 5)
    raw = book_layer("srd-2024", f"# Play\n\n## One\n\n{long}\n\n## Two\n\nTwo words more.")
    composed = {draft.name: draft.from_text for draft in rule_drafts(raw, Problems())}
    assert composed == {"Play": {"description"}, "One": set(), "Two": set()}


def test_a_list_names_the_rules_below_it() -> None:
    found = read(book_layer("srd-2024", "# Feats\n\n## Origin Feats\n\n### Alert\n\nQuick.\n\n### Lucky\n\nYes.\n"))
    origin = found["rule/srd-2024/origin-feats"]
    assert origin.facts["description"] == "Origin Feats: Alert, Lucky."
    assert found["rule/srd-2024/feats"].facts["description"] == "### Origin Feats\n\nAlert, Lucky."
    assert origin.facts["related"] == ["Alert", "Lucky"]  # there are no feats here
    assert "rule/srd-2024/alert" not in found


def test_names_with_commas_are_listed_separately() -> None:
    wares = "#### Bottle, Glass (2 GP)\n\nA jar.\n\n#### Ammunition (Varies)\n\nTo shoot.\n"
    raw = book_layer("srd-2024", f"# Equipment\n\n## Adventuring Gear\n\n### Item Descriptions\n\n{wares}")
    (listing,) = (draft for draft in rule_drafts(raw, Problems()) if draft.name == "Item Descriptions")
    assert listing.facts["description"] == "Item Descriptions: Bottle, Glass; Ammunition."
    magic = {each.name: "magic-item" in each.entity_types for each in listing.facts["related"]}
    assert magic == {"Bottle, Glass": True, "Ammunition": False}


def test_explained_words_belong_to_their_vocabulary() -> None:
    text = (
        "# Combat\n\n## Damage and Healing\n\n### Damage Rolls\n\n#### Damage Types\n\nThere are two.\n\n"
        "***Acid.*** It burns.\n\nEven glass.\n\n***Cold.*** It numbs.\n\n"
        "# Monsters\n\n## Monster Construction\n\n### Type\n\n**Fey** are wild.\n\n**Monstrosities** are odd.\n\n"
        "# Beyond 1st Level\n\n## Alignment\n\n**Lawful good** (LG) people help.\n"
    )
    found = read(book_layer("srd-2014", text))
    assert found["damage-type/srd-2014/acid"].facts["description"] == "It burns.\n\nEven glass."
    assert found["damage-type/srd-2014/cold"].facts["description"] == "It numbs."
    assert found["rule/srd-2014/fey"].facts["description"] == "**Fey** are wild."
    assert found["rule/srd-2014/monstrosity"].facts["parent"]["name"] == "Type"
    assert found["alignment/srd-2014/lawful-good"].name == "Lawful Good"


def test_an_entry_among_skills_need_not_be_a_skill() -> None:
    text = (
        "# Using Ability Scores\n\n## Using Each Ability\n\n### Strength\n\n#### Strength Checks\n\n"
        "***Athletics.*** You climb.\n\n***Other Strength Checks.*** You tip over a statue.\n"
    )
    found = read(book_layer("srd-2014", text))
    assert found["skill/srd-2014/athletics"].facts["description"] == "You climb."
    assert found["rule/srd-2014/other-strength-checks"].facts["description"] == "You tip over a statue."


def test_paragraphs_are_separated_and_captions_bold() -> None:
    text = (
        "# Spells\n\n## Kinds\n\nTwo:\n\n**One.** First.\n**Two.** Second.\n\n---\n\nBig Table\n\n| A |\n|---|\n| 1 |\n"
    )
    found = read(book_layer("srd-2024", text))
    kinds = found["rule/srd-2024/kinds"].facts
    assert kinds["description"] == (
        "Two:\n\n**One.** First.\n\n**Two.** Second.\n\n**Big Table**\n\n| A |\n|---|\n| 1 |"
    )
    assert found["rule/srd-2024/big-table"].facts["tables"][0]["rows"] == [["1"]]


def test_a_table_printed_further_down_belongs_to_its_namesake() -> None:
    text = (
        "# Equipment\n\n## Lamps\n\nThe Lamps table has them all.\n\n### Special Lamps\n\n"
        "These smoke, unlike those of the Lamps table.\n\n"
        "Lamps\n\n| Lamp |\n|---|\n| Hooded |\n"
    )
    found = read(book_layer("srd-2014", text))
    table = found["rule/srd-2014/lamps-table"]
    assert table.facts["parent"]["id"] == "rule/srd-2014/lamps"
    assert found["rule/srd-2014/lamps"].facts["tables"][0]["rows"] == [["Hooded"]]
    assert found["rule/srd-2014/special-lamps"].facts["description"] == "These smoke, unlike those of the Lamps table."
    assert found["rule/srd-2014/lamps"].facts["related"] == [
        "rule/srd-2014/special-lamps",
        "rule/srd-2014/lamps-table",
    ]


def api_rule(name: str, text: str, parent: str = "", key: str = "") -> Draft:
    facts = {"rule_type": "rule", "description": text, "headings": ["fighting"]}
    raw = (f"open5e_v2/rules/{key or name}",)
    return Draft("open5e_v2", raw, "rule", "srd-2024", name, (key,), parent, facts=facts, marks=(opening(text),))


def test_texts_of_the_apis_are_merged_with_their_headings() -> None:
    raw = book_layer("srd-2024", GLOSSARY)
    cover = "Behind a wall a target is harder to hit, as the Cover table says, so the API."
    misnamed = "Who is quick goes first in every round of a fight. Who is slow waits."
    found = read(raw, api_rule("Cover", cover, key="srd_cover"), api_rule("Turns", misnamed, key="srd_turns"))
    told_twice = {e.id: e.name for e in found.values() if len(e.sources) == 2}
    assert told_twice == {"rule/srd-2024/cover": "Cover", "rule/srd-2024/order": "Order"}
    order = found["rule/srd-2024/order"]
    assert order.facts["description"].startswith(
        "Who is quick goes first in every round of a fight. Who is slow goes last."
    )
    assert order.facts["headings"] == ["playing the game", "combat"]
    assert "srd_turns" in order.keys


def test_ids_of_the_apis_rules_are_kept() -> None:
    """The book adds homonyms: they take their parent's slug, and earlier rules keep their own."""
    raw = book_layer("srd-2024", GLOSSARY)
    found = read(
        raw, api_rule("Cover", "Behind a wall a target is harder to hit, as the Cover table, says the API.", "fighting")
    )
    assert found["rule/srd-2024/cover"].sources == ["srd", "open5e_v2"]
    assert found["rule/srd-2024/cover-rules-glossary"].sources == ["srd"]


def test_a_misplaced_sidebar_is_put_below_its_rule() -> None:
    book = """
# Combat

## Movement and Position

Feet carry you across the field of battle, round by round.

### Being Prone

Whoever lies on the ground crawls.

> #### Interacting with Objects Around You
>
> A door can be pulled open while walking past it.
"""
    found = read(book_layer("srd-2014", book))
    sidebar = found["rule/srd-2014/interacting-with-objects-around-you"]
    assert sidebar.facts["description"] == "A door can be pulled open while walking past it."
    assert sidebar.facts["parent"]["id"] == "rule/srd-2014/movement-and-position"
    assert sidebar.facts["headings"] == ["combat", "movement and position"]
    assert sidebar.facts["reading_order"] == found["rule/srd-2014/being-prone"].facts["reading_order"]
    assert found["rule/srd-2014/being-prone"].facts["description"] == "Whoever lies on the ground crawls."
    assert sidebar.id in found["rule/srd-2014/movement-and-position"].facts["related"]


def test_a_sidebar_printed_before_its_rule_is_put_after_it() -> None:
    book = """
# Spellcasting

## What Is a Spell?

Words and gestures that shape the world.

### Rituals

Ten minutes more, and no slot is spent.

> #### The Schools of Magic
>
> Eight of them are taught.

## Casting a Spell

Whoever casts one follows these rules.
"""
    found = read(book_layer("srd-2014", book))
    sidebar, owner = found["rule/srd-2014/the-schools-of-magic"], found["rule/srd-2014/casting-a-spell"]
    assert sidebar.facts["parent"]["id"] == owner.id
    assert sidebar.facts["reading_order"] == owner.facts["reading_order"]


def test_a_rule_names_the_rules_directly_below_it_in_the_books_order(found: dict[str, Entity]) -> None:
    assert found["rule/srd-2024/combat"].facts["children"] == ["Cover", "Order"]
    assert found["rule/srd-2024/cover-combat"].facts["children"] == ["Cover Table"]
    assert "children" not in found["rule/srd-2024/dash"].facts


def test_declared_texts_come_from_the_second_conversion_except_sidebars() -> None:
    first = GLOSSARY.replace("### Order", "### Your Turn")
    lost = "Who does neither waits."
    second = "# Playing the Game\n\n## Your Turn\n\nGo.\n\n> ### On a Grid\n>\n> Count squares.\n\n" + lost
    turn = read(book_layer("srd-2024-second", second, book_layer("srd-2024", first)))["rule/srd-2024/your-turn"]
    assert turn.facts["description"] == f"Go.\n\n{lost}"
    own = "srd/srd-2024/playing-the-game/combat/your-turn"
    assert list(turn.raw) == [own, "srd/srd-2024-second/playing-the-game/your-turn"]
