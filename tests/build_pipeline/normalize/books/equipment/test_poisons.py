from __future__ import annotations

from books import book_layer

from build_pipeline.normalize.books.equipment.poisons import poison_drafts
from build_pipeline.normalize.merging.draft import Problems

MODERN = """
# Gameplay Toolbox

## Poison

### Sample Poisons

They are dear.

#### Grey Dust (1,500 GP)
*Inhaled Poison*

Whoever breathes it sleeps for an hour.

#### Nameless

No kind, no price.
"""

OLD = """
# Adventuring

## Poisons

| Item | Type | Price per Dose |
|---|---|---|
| Grey dust | Inhaled | 150 gp |

### Sample Poisons

***Grey Dust (Inhaled).*** Whoever breathes it sleeps.

***Red Dust (Injury).*** Not for sale.
"""


def test_poisons_with_headings_are_read() -> None:
    problems = Problems()
    [draft] = poison_drafts(book_layer("srd-2024", MODERN), problems)
    assert (draft.entity_type, draft.document_key, draft.name) == ("adventuring-gear", "srd-2024", "Grey Dust")
    assert draft.facts["cost_gp"] == 1500
    assert draft.facts["description"] == "Whoever breathes it sleeps for an hour.\n\nPoison type: inhaled."
    [entry] = problems.entries
    assert entry["raw"] == "srd/srd-2024/gameplay-toolbox/poison/sample-poisons/nameless"
    assert entry["reason"] == "'Nameless' does not name a poison with its price and kind"


def test_poisons_in_paragraphs_have_prices_from_the_table_above() -> None:
    problems = Problems()
    [draft] = poison_drafts(book_layer("srd-2014", OLD), problems)
    assert (draft.name, draft.facts["cost_gp"]) == ("Grey Dust", 150)
    assert [entry["reason"] for entry in problems.entries] == ["the poison 'Red Dust' is not in the price table"]
