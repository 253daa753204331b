"""Look-ups by name: the four steps, wildcards and suggestions."""

import fnmatch
import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_dataset import ROWS

from server.dataset.dataset import Dataset
from server.library.catalogue import Catalogue
from server.library.library import Library
from server.library.names.name_index import NameIndex, wildcard_matcher
from server.library.requests.request import Request


def _names(library: Library, name: str, family: str = "spell", kind: str | None = None) -> list[str]:
    return [r["name"] for r in library.find(Request(family=family, kind=kind, name=name, limit=100))["results"]]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("  fIREBALL ", {"Fireball"}),
        ("delayed-blast-fireball", {"Delayed Blast Fireball"}),
        ("srd-2014_alarm", {"Alarm"}),
        ("spell/srd-2014/alarm", {"Alarm"}),
        ("fire*", {"Fireball", "Fire Bolt"}),
        ("%fire", {"Wall of Fire"}),
        ("*FIRE*", {"Fireball", "Delayed Blast Fireball", "Fire Bolt", "Wall of Fire"}),
        ("f?reball", {"Fireball"}),
        ("hunter's mark", {"Hunter’s Mark"}),
        ("hunters mark", {"Hunter’s Mark"}),
        ("fire ball", {"Fireball"}),
        ("firebolt", {"Fire Bolt"}),
        ("elan of ash", {"Élan of Ash"}),
        ("blast fire", {"Delayed Blast Fireball"}),
        ("walls", {"Wall of Fire"}),
        ("(fire|ice).*storm", set()),
        ("[f]ire*", set()),
        (".*", set()),
        ("', OR 1=1 --", set()),
    ],
)
def test_names_are_found_in_four_steps(tiny_library: Library, name: str, found: set[str]) -> None:
    assert set(_names(tiny_library, name)) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("mail, chain", ["Chain Mail"]),
        ("sword, long*", []),
        ("chain, 10 feet", ["Chain (10 feet)"]),
        ("10 feet, ch*", ["Chain (10 feet)"]),
        ("10 feet, *x", []),
        ("Nolzur's Robe of the Archmagi", ["Robe of the Archmagi"]),
        ("greatswords", ["Flame Tongue (Greatsword)", "Flame Tongue (Greatsword)", "Greatsword"]),
    ],
)
def test_names_of_sources_and_players_are_found(tiny_library: Library, name: str, found: list[str]) -> None:
    assert _names(tiny_library, name, "equipment") == found


@pytest.mark.parametrize("name", ["Ammunition +1", "ammunition, +1", "Ammunition (+1)", "+1 ammunition"])
def test_a_spelling_finds_the_name_in_every_book(tiny: Dataset, name: str) -> None:
    items = tiny.tables["equipment"]
    written = ["Ammunition +1", "Ammunition, +1", "Ammunition (+1)", "Ammunition, +1, +2, or +3"]
    several = "Ammunition +1, +2 or +3"
    changed = items.head(5).with_columns(
        pl.Series("name", [*written, several]),
        pl.Series("name_normalized", [each.lower() for each in (*written, several)]),
        pl.Series("document_key", ["srd-2014", "srd-2024", "hearth", "a5e-ag", "srd-2014"]),
    )
    catalogue = Catalogue(tiny.tables | {"equipment": changed}, tiny.documents["document_key"].to_list())
    found = NameIndex(catalogue).find(name, [np.ones(catalogue.size, dtype=np.bool_)])
    assert found.exact
    assert {catalogue.names[row] for row in found.rows} == set(written)


@pytest.mark.parametrize("name", ["Elf, Hearth", "elf (hearth)", "elf-hearth"])
def test_a_key_of_a_source_is_found_whatever_its_punctuation(tiny: Dataset, name: str) -> None:
    spells = tiny.tables["spells"]
    changed = spells.with_columns(pl.Series("keys", [["elf-hearth"], *[[]] * (spells.height - 1)]))
    catalogue = Catalogue(tiny.tables | {"spells": changed}, tiny.documents["document_key"].to_list())
    found = NameIndex(catalogue).find(name, [np.ones(catalogue.size, dtype=np.bool_)])
    assert (found.exact, len(found.rows)) == (True, 1)


def test_a_key_of_one_books_record_stands_for_the_thing_in_all_books(tiny: Dataset) -> None:
    spells = tiny.tables["spells"].sort((pl.col("name") == "Fireball") & (pl.col("document_key") == "srd-2014"))
    keys = [*[[]] * (spells.height - 1), ["ball-of-flame", "srd-2014_ball-of-fire"]]
    changed = spells.with_columns(pl.Series("keys", keys))
    catalogue = Catalogue(tiny.tables | {"spells": changed}, tiny.documents["document_key"].to_list())
    everything = np.ones(catalogue.size, dtype=np.bool_)

    def documents(name: str) -> set[str]:
        return {catalogue.document_keys[row] for row in NameIndex(catalogue).find(name, [everything]).rows}

    assert documents("ball of flame") == documents("fireball") > {"srd-2014"}
    assert documents("srd-2014_ball-of-fire") == {"srd-2014"}


@pytest.mark.parametrize(
    ("name", "documents", "message"),
    [
        ("wa", None, 'None is called "wa"; found by the beginnings of words: Wall of Fire.'),
        ("fire", ("srd-2024",), 'None is called "fire"; found by the beginnings of words: Fireball.'),
        ("walls", None, 'None is called "walls"; found by its words: Wall of Fire.'),
        ("ember", None, 'None is called "ember"; found by its words: Ember Hush.'),
        ("wall fire", None, None),
        ("fire wall", None, None),
        ("fire bolts", None, None),
        ("fire*", None, None),
        ("fireball", None, None),
    ],
)
def test_names_that_only_have_the_words_are_told_as_such(tiny_library: Library, name, documents, message) -> None:
    answer = tiny_library.find(Request(family="spell", name=name, documents=documents))
    assert answer["results"]
    assert answer["message"] == message


def test_another_document_that_has_exactly_the_name_is_told(tiny_library: Library) -> None:
    answer = tiny_library.find(Request(family="spell", name=("alarm", "Fire Ball"), documents=("srd-2014",)))
    assert answer["message"] is None
    answer = tiny_library.find(Request(family="equipment", name="longsword", documents=("hearth",)))
    assert [record["name"] for record in answer["results"]] == ["Flame Tongue (Longsword)"]
    assert answer["message"] == (
        'None is called "longsword"; found by its words: Flame Tongue (Longsword). "longsword" is in srd-2014.'
    )


def test_a_name_that_only_longer_names_of_other_kinds_have_leads_to_them(tiny_library: Library) -> None:
    message = tiny_library.find(Request(family="creature", name="bolt"))["message"]
    assert message == 'Found no creatures named "bolt". Longer names have it: lookup_spell(name="bolt") finds 1.'
    within = tiny_library.find(Request(family="creature", name="bolt", documents=("srd-2014",)))["message"]
    assert within.endswith('lookup_spell(name="bolt", documents=["srd-2014"]) finds 1.')


def test_the_most_similar_name_as_a_whole_is_suggested_first(tiny: Dataset) -> None:
    items = tiny.tables["equipment"]
    names = ["Wand", "Wand of Magic Missiles"]
    changed = items.head(2).with_columns(
        pl.Series("name", names), pl.Series("name_normalized", [name.lower() for name in names])
    )
    catalogue = Catalogue(tiny.tables | {"equipment": changed}, tiny.documents["document_key"].to_list())
    everything = np.ones(catalogue.size, dtype=np.bool_)
    assert NameIndex(catalogue).similar("wand of magic missles", everything) == names[::-1]


def test_a_wizard_that_the_open_books_dropped_is_named(tiny_library: Library) -> None:
    answer = tiny_library.find(Request(family="spell", name="Melf's Fire Bolt"))
    assert [r["name"] for r in answer["results"]] == ["Fire Bolt"]
    assert answer["message"].startswith('"Melf\'s Fire Bolt" is Fire Bolt in the open books')


def test_several_names_keep_their_order_and_missing_ones_are_named(tiny_library: Library) -> None:
    names = ("healing word", "ember hush", "alarm", "fierball", "Alarm", " ")
    answer = tiny_library.find(Request(family="spell", name=names, documents=("srd-2014",)))
    assert [r["name"] for r in answer["results"]] == ["Healing Word", "Alarm"]
    assert answer["total"] == 2
    assert answer["message"] == '"ember hush" is in hearth. Not found: "fierball" (similar: Fireball).'
    assert answer["suggestions"] == ["Fireball"]


@pytest.mark.parametrize(("name", "near"), [("hutsh", ["Ember Hush"]), ("thrush", [])])
def test_suggestions_begin_like_the_misspelt_word(tiny_library: Library, name: str, near: list[str]) -> None:
    assert tiny_library.find(Request(family="spell", name=name))["suggestions"] == near


def test_each_of_several_unknown_names_gets_suggestions(tiny_library: Library) -> None:
    answer = tiny_library.find(Request(family="spell", name=("fierball", "Alrm", "xyzzyq")))
    assert answer["message"] == (
        'Found no spells named "fierball", "Alrm" or "xyzzyq". No document of this library has any of them. '
        'Not found: "fierball" (similar: Fireball), "Alrm" (similar: Alarm) and "xyzzyq".'
    )
    assert answer["suggestions"] == ["Fireball", "Alarm"]


def test_a_blank_name_is_as_none(tiny_library: Library) -> None:
    assert len(_names(tiny_library, " ")) == sum(row["entity_type"] == "spell" for row in ROWS)


def test_results_are_sorted_by_name_then_document(tiny_library: Library) -> None:
    results = tiny_library.find(Request(family="spell", name="*fire*"))["results"]
    keys = [(r["name"].casefold(), r["document_key"]) for r in results]
    assert keys == sorted(keys)


def test_each_kind_of_equipment_matches_separately_exact_hits_first(tiny_library: Library) -> None:
    assert _names(tiny_library, "shield", "equipment") == ["Shield", "Arrow-Catching Shield"]
    names = _names(tiny_library, "longsword", "equipment")
    assert names[0] == "Longsword"
    assert "Flame Tongue (Longsword)" in names
    assert _names(tiny_library, "longsword", "equipment", "weapon") == ["Longsword"]


def test_similar_names_are_suggested(tiny_library: Library) -> None:
    def suggested(name: str, **filters: int) -> list[str]:
        response = tiny_library.find(Request(family="spell", name=name, filters=filters))
        assert response["results"] or response["message"]
        suggestions: list[str] = response["suggestions"]
        return suggestions

    assert suggested("fierball") == ["Fireball"]
    assert suggested("fireball") == ["Delayed Blast Fireball"]
    assert suggested("fireball", level=3) == []
    assert suggested("delaid") == ["Delayed Blast Fireball"]
    assert suggested("xyzzyq") == []
    assert suggested("melf's fire blot")[0] == "Fire Bolt"
    assert suggested("fyrebal")[0] == "Fireball"
    assert suggested("alarme") == ["Alarm"]
    assert suggested("feuer ball") == ["Fireball"]


def test_an_empty_answer_names_what_to_change(tiny_library: Library) -> None:
    def message(**asked: object) -> str:
        response = tiny_library.find(Request(**asked))  # type: ignore[arg-type]
        assert response["results"] == []
        text: str = response["message"]
        return text

    assert "Leaving out level finds 4" in message(family="spell", name="fireball", filters={"level": 2})
    assert 'type="armor" finds 1' in message(family="equipment", kind="weapon", name="chain mail")
    assert "1 bonus action" in message(family="spell", filters={"casting_time": "2 hours"})
    assert "is_simple applies only to type weapon" in message(
        family="equipment", kind="armor", filters={"is_simple": True}
    )
    said = message(family="spell", filters={"level": 7, "school": "abjuration"}, documents=("srd",))
    assert said.startswith("Found no spells of level 7 and of school abjuration in srd.")
    assert "a5e-ag" not in said
    assert message(family="spell", name=" ", filters={"level": 9}).startswith("Found no spells of level 9. Leaving out")
    assert message(family="creature", name="wraith", documents=("hearth",)).endswith(" in hearth. It is in srd-2014.")
    misspelt = message(family="spell", name="fierball", filters={"level": 9})
    assert misspelt.endswith("Similar names, if the filters are left out: Fireball.")
    assert message(family="spell", filters={"class_key": "wizzard"}).startswith(
        'The dataset has no spells with class_key "wizzard". Did you mean "wizard"?'
    )
    assert message(family="creature", name="drag", documents=("hearth",)).endswith("Leaving out documents finds 6.")
    assert message(family="creature", name="tarrasque").endswith("No document of this library has it.")
    assert message(family="creature", name=("vrock", "balor")).startswith(
        'Found no creatures named "vrock" or "balor".'
    )
    none = message(family="spell", filters={"level": 7, "ritual": True, "school": "necromancy"})
    assert none.endswith("Leaving out any single filter still finds nothing: leave out several.")
    nameless = message(family="spell", name="xyzzyq", filters={"level": 7, "ritual": True})
    assert (
        nameless
        == 'Found no spells named "xyzzyq", of level 7 and castable as rituals. No document of this library has it.'
    )
    weak = message(family="creature", filters={"cr": 0.125, "type": "undead"})
    assert weak.startswith("Found no creatures of challenge rating 1/8 and of type undead.")
    tough = message(family="creature", filters={"hit_points_min": 5000})
    assert re.search(r"Leaving out hit_points_min finds \d+ \(hit points \d+ to \d+\)", tough)


@given(st.text(alphabet="fireblsd ’*%?[]", max_size=12).filter(lambda text: re.search(r"[*%?]", text)))
def test_wildcards_match_like_globs(tiny_library: Library, pattern: str) -> None:
    folded = " ".join(pattern.replace("’", "'").split()).replace("%", "*").replace("[", "[[]")
    spells = {row["name"] for row in ROWS if row["entity_type"] == "spell"}
    expected = {n for n in spells if fnmatch.fnmatchcase(n.lower().replace("’", "'").replace("é", "e"), folded)}
    assert set(_names(tiny_library, pattern)) == expected


@given(st.text(max_size=40))
def test_any_name_gets_an_answer(tiny_library: Library, name: str) -> None:
    response = tiny_library.find(Request(family="all", name=name, limit=5))
    assert response["results"] or response["message"]
    assert len(response["suggestions"]) <= 5


def test_a_pattern_that_almost_matches_does_not_backtrack() -> None:
    """Backtracking would take far longer than the test's time limit."""
    matches = wildcard_matcher("*a" * 400 + "!")
    assert not matches("a" * 2_000)
    assert matches("a" * 2_000 + "!")
