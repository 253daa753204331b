"""The spells, magic items and price lists of the two System Reference Documents, read from the books themselves."""

from collections import Counter

import pytest
from books import recorded_books

from build_pipeline.normalize.books.equipment import equipment, magic_items
from build_pipeline.normalize.books.spells import spells
from build_pipeline.normalize.merging.draft import Problems

pytestmark = pytest.mark.recordings


@pytest.fixture(scope="module")
def problems():
    return Problems()


@pytest.fixture(scope="module")
def found(recordings, problems):
    """(document, entity type, name) → drafts."""
    raw = recorded_books(recordings)
    drafts: dict[tuple[str, str, str], list] = {}
    for reader in (spells, magic_items, equipment):
        for draft in reader.drafts(raw, problems):
            drafts.setdefault((draft.document_key, draft.entity_type, draft.name), []).append(draft)
    return drafts


def facts(found, document, entity_type, name):
    (draft,) = found[document, entity_type, name]
    return draft.facts


def test_nothing_is_read_only_partly(found, problems):
    assert found
    assert not problems.entries


def test_the_known_numbers_of_entities_are_read(found):
    counted = Counter(key[:2] for key in found)
    assert counted["srd-2014", "spell"] == 319
    assert counted["srd-2024", "spell"] == 339
    assert (counted["srd-2014", "weapon"], counted["srd-2024", "weapon"]) == (37, 38)
    assert counted["srd-2014", "armor"] == counted["srd-2024", "armor"] == 13
    assert counted["srd-2014", "magic-item"] == 240
    assert counted["srd-2024", "magic-item"] >= 257


def test_texts_are_corrected_by_the_second_conversion(found):
    acid_arrow = facts(found, "srd-2024", "spell", "Acid Arrow")["description"]
    assert "4d4" in acid_arrow
    assert "2d4" in acid_arrow
    assert not facts(found, "srd-2024", "spell", "Counterspell")["higher_level"]


def test_items_that_the_apis_lack_are_read(found):
    names = {name for document, entity_type, name in found if (document, entity_type) == ("srd-2024", "magic-item")}
    assert {
        "Energy Bow",
        "Hat of Many Spells",
        "Sending Stones",
        "Thunderous Greatclub",
        "Rod of Resurrection",
    } <= names


def test_known_rarities_and_attunement_are_read(found):
    assert facts(found, "srd-2014", "magic-item", "Crystal Ball")["rarity"] == "varies"
    avenger = facts(found, "srd-2024", "magic-item", "Holy Avenger")
    assert (avenger["rarity"], avenger["attunement_detail"]) == ("legendary", "by a paladin")
    assert facts(found, "srd-2024", "magic-item", "Potion of Giant Strength (Storm)")["rarity"] == "legendary"


def test_known_prices_and_weights_are_read(found):
    bullets = facts(found, "srd-2014", "adventuring-gear", "Sling Bullets (20)")
    assert (bullets["cost_gp"], bullets["weight_lb"]) == (0.04, 1.5)
    assert facts(found, "srd-2024", "weapon", "Dart")["weight_lb"] == 0.25
    assert facts(found, "srd-2024", "adventuring-gear", "Warship")["cost_gp"] == 25000
