"""The classes, options and origins of the two System Reference Documents, read from the books themselves."""

from collections import Counter

import pytest
from books import recorded_books

from build_pipeline.normalize.books.character_options import class_options, classes, feats, origins
from build_pipeline.normalize.books.tree import read_book
from build_pipeline.normalize.merging.draft import Problems
from server.dataset.names import normalize_name, slugify

pytestmark = pytest.mark.recordings

BOOKS = ("srd-2014", "srd-2024")
OFFERED_BELOW = {
    "Metamagic",
    "Metamagic Options",
    "Eldritch Invocations",
    "Eldritch Invocation Options",
    "Fighting Style",
    "Pact Boon",
    "Level 3: Circle of the Land Spells",
}
"""Headings whose sub-headings are options of a class."""


@pytest.fixture(scope="module")
def raw(recordings):
    return recorded_books(recordings)


@pytest.fixture(scope="module")
def problems():
    return Problems()


@pytest.fixture(scope="module")
def found(raw, problems):
    """(document, entity type, name) → draft."""
    readers = (classes, class_options, origins, feats)
    drafts = [draft for reader in readers for draft in reader.drafts(raw, problems)]
    return {(d.document_key, d.entity_type, d.name): d for d in drafts}


def test_nothing_is_read_only_partly(found, problems):
    assert found
    assert not problems.entries


def test_both_books_have_twelve_classes_of_twenty_levels(found):
    whole = {key: d.facts for key, d in found.items() if key[1] == "class"}
    assert Counter(key[0] for key in whole) == dict.fromkeys(BOOKS, 12)
    for key, facts in whole.items():
        bonuses = [row["proficiency_bonus"] for row in facts["progression"]]
        assert bonuses == [2 + level // 4 for level in range(20)], key
        assert all(f["level"] for f in facts["features"] if f["levels"]), key
        assert len(facts["proficiencies"]["saving_throws"]) == 2
        assert facts["multiclassing"]["prerequisite"].endswith("13")
        casters = {"full": 10, "pact": 10, "half": 5, "none": 0}
        assert len(facts["spell_list"] or ()) == casters[facts["caster_type"]], key


def test_known_features_have_their_levels(found):
    def levels(book, kind, name, feature):
        return [f["levels"] for f in found[book, kind, name].facts["features"] if f["name"] == feature]

    assert levels("srd-2024", "class", "Monk", "Stunning Strike") == [[5]]
    assert levels("srd-2024", "class", "Rogue", "Ability Score Improvement") == [[4, 8, 10, 12, 16]]
    assert levels("srd-2024", "class", "Bard", "Expertise") == [[2, 9]]
    assert levels("srd-2024", "class", "Sorcerer", "Metamagic") == [[2, 10, 17]]
    assert levels("srd-2024", "subclass", "Draconic Sorcery", "Dragon Companion") == [[18]]
    assert levels("srd-2014", "class", "Paladin", "Divine Smite") == [[2]]
    assert levels("srd-2014", "subclass", "Circle of the Land", "Circle Spells") == [[3, 5, 7, 9]]
    cleric = found["srd-2014", "class", "Cleric"].facts["progression"][2]
    assert {"name": "Spell Slots 2nd", "value": "2"} in cleric["columns"]


def test_options_have_their_kind_and_number(found):
    kinds = Counter((key[0], d.facts["feat_type"]) for key, d in found.items() if d.facts.get("option_of"))
    assert {kind: kinds["srd-2024", kind] for kind in ("invocation", "metamagic", "land type")} == {
        "invocation": 28,
        "metamagic": 10,
        "land type": 4,
    }
    of_2014 = ("invocation", "metamagic", "pact boon", "fighting style", "land type", "draconic ancestry")
    assert [kinds["srd-2014", kind] for kind in of_2014] == [32, 8, 3, 6, 7, 20]
    defense = found["srd-2014", "feat", "Defense"].facts
    assert [r.name for r in defense["option_of"]] == ["Fighter", "Paladin", "Ranger"]
    blast = found["srd-2014", "feat", "Agonizing Blast"].facts
    assert (blast["prerequisite"], blast["option_of"][0].name) == ("eldritch blast cantrip", "Warlock")


def test_class_options_are_found_by_their_headings(raw, found):
    for book in BOOKS:
        known = {normalize_name(name) for document, _, name in found if document == book}
        keys = {key for (document, *_), d in found.items() if document == book for key in d.keys}
        titles = [
            child.title
            for root in read_book(raw, book)
            for section in root.walk()
            if section.title in OFFERED_BELOW
            for child in section.children
        ]
        missing = [title for title in titles if normalize_name(title) not in known and slugify(title) not in keys]
        assert len(titles) > 40
        assert len(missing) <= 0.02 * len(titles), missing


def test_known_origins_are_read(found):
    counts = Counter((book, kind) for book, kind, _ in found)
    assert [counts[book, "race"] for book in BOOKS] == [9, 9]
    assert [counts[book, "subrace"] for book in BOOKS] == [4, 24]
    assert [counts[book, "background"] for book in BOOKS] == [1, 4]
    dragonborn = {t["name"]: t["description"] for t in found["srd-2014", "race", "Dragonborn"].facts["traits"]}
    assert "Draconic Ancestry" in dragonborn
    assert "| Black |" in dragonborn["Draconic Ancestry"]
    assert dragonborn["Speed"] == "Your base walking speed is 30 feet."


def test_feats_are_read(found):
    kinds = Counter(d.facts["feat_type"] for key, d in found.items() if key[:2] == ("srd-2024", "feat"))
    # Two more styles of fighting are options that paladins and rangers have besides the feats.
    assert [kinds[kind] for kind in ("origin", "general", "fighting style", "epic boon")] == [4, 2, 6, 7]
