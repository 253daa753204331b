"""Magic items of books, from invented ones in the layouts of both editions."""

import pytest
from book_pages import book

from build_pipeline.normalize.books.equipment import magic_items
from build_pipeline.normalize.merging.draft import Problems

MODERN = """# Magic Items Q–Z

## Salt Rod

*Rod, Rare (Requires Attunement by a Cleric)*

It weighs 2 pounds and has 3 charges.

### Salt Rod Faces

| Face | Effect |
|------|--------|
| 1    | Rain   |

---

## Tea of Courage

*Potion, Rarity Varies*

You are brave for a while, as in the table.

| Tea                      | Hours | Rarity   |
|--------------------------|-------|----------|
| Tea of Courage (weak)    | 1     | Common   |
| Tea of Courage (strong)  | 8     | Uncommon |

## Thorn, +1, +2, or +3

*Weapon (Any Dagger), Uncommon (+1), Rare (+2), or Very Rare (+3)*

It pricks.

## Torn

*Wondrous item, glorious*

It has no rarity that there is.

## Untold

It has no line at all.
"""

OLD = """# Magic Items

Words on items.

## Magic Item Descriptions

### Draught of Leaping

*Potion, rarity varies*

You leap.

|Draught of ...|Rarity|
|---|---|
|Leaping|Common|
|Soaring|Rare|

## Artifacts

### Last Crumb

*Wondrous item, artifact*

It feeds all.
"""


@pytest.fixture
def problems():
    return Problems()


@pytest.fixture
def modern(problems):
    return {d.name: d for d in magic_items.drafts(book(srd_2024=MODERN), problems)}


def test_type_rarity_and_attunement_are_read(modern):
    draft = modern["Salt Rod"]
    assert (draft.source, draft.entity_type, draft.document_key) == ("srd", "magic-item", "srd-2024")
    facts = draft.facts
    assert (facts["item_category"], facts["rarity"]) == ("rod", "rare")
    assert (facts["requires_attunement"], facts["attunement_detail"]) == (True, "by a cleric")
    assert "| 1 | Rain |" in facts["description"]
    assert not facts["description"].endswith("---")


def test_items_that_only_a_table_names_are_read(modern):
    assert modern["Tea of Courage"].facts["rarity"] == "varies"
    assert modern["Tea of Courage (Weak)"].facts["rarity"] == "common"
    assert modern["Tea of Courage (Strong)"].facts["rarity"] == "uncommon"
    assert modern["Tea of Courage (Weak)"].facts["requires_attunement"] is False


def test_facts_without_a_column_stay_in_the_text(modern):
    facts = modern["Thorn, +1, +2, or +3"].facts
    assert facts["rarity"] == "varies"
    assert "Rarity: Uncommon (+1), Rare (+2), or Very Rare (+3)." in facts["description"]


def test_an_incomplete_item_is_a_problem_with_its_place(modern, problems):
    assert not {"Torn", "Untold"} & set(modern)
    torn, untold = (entry["reason"] for entry in problems.entries)
    assert torn.startswith("0.md:")
    assert "Torn: its first line '*Wondrous item, glorious*'" in torn
    assert "Untold" in untold


def test_items_of_the_older_book_are_read(problems):
    found = {d.name: d.facts for d in magic_items.drafts(book(srd_2014=OLD), problems)}
    assert not problems.entries
    assert set(found) == {"Draught of Leaping", "Last Crumb"}
    assert found["Last Crumb"]["rarity"] == "artifact"


def test_an_item_has_the_rarity_of_its_own_row(problems):
    old = OLD.replace("Draught of ...", "Draught of …")
    found = {d.name: d.facts for d in magic_items.drafts(book(srd_2014=old), problems)}
    assert found["Draught of Leaping"]["rarity"] == "common"


def test_a_corrected_name_keeps_the_heading_as_a_key(problems):
    first = "# Magic Items\n\n## Artifacts\n\n### Orb of the Wyrm\n\n*Wondrous item, artifact*\n\nIt glows.\n"
    second = first.replace("Orb of the Wyrm", "Orb of Dragonkind").replace("glows", "shines")
    (orb,) = magic_items.drafts(book(srd_2014=first, srd_2014_second=second), problems)
    assert orb.name == "Orb of Dragonkind"
    assert orb.facts["description"] == "It shines."
    assert "orb-of-the-wyrm" in orb.keys
