"""Filters: their declaration, kinds and refusals. What they find is tested through the tools."""

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from server.dataset.dataset import Dataset
from server.dataset.paths import resolve
from server.dataset.schema import HOMEBREW, TABLE_OF
from server.library.catalogue import Catalogue
from server.library.library import Library
from server.library.messages import drop_one, not_among
from server.library.requests.filter_types import Filter, ValueKind
from server.library.requests.filters import FILTERS
from server.library.requests.kinds import CONTENT_TYPES, FAMILY_TABLES, KINDS
from server.library.requests.request import Request, RequestError
from server.library.selection import Selection

FACTS = {
    ValueKind.INTEGER: pl.Int32,
    ValueKind.NUMBER: pl.Float64,
    ValueKind.BOOLEAN: pl.Boolean,
    ValueKind.CHALLENGE: pl.Float64,
    ValueKind.CLOSED: pl.String,
    ValueKind.TEXT: pl.String,
    ValueKind.ATTUNEMENT: pl.Boolean,
}


@pytest.mark.parametrize("declared", FILTERS, ids=lambda f: f"{f.family}.{f.parameter}")
def test_every_filter_has_columns_and_words(declared: Filter) -> None:
    _, dtype = resolve(FAMILY_TABLES[declared.family], declared.paths[0])
    assert (dtype.inner if isinstance(dtype, pl.List) else dtype) == FACTS[declared.kind]
    assert not declared.only or set(declared.only) <= {*KINDS[declared.family], "all"}
    assert declared.phrase_false or declared.kind not in {ValueKind.BOOLEAN, ValueKind.ATTUNEMENT}
    assert bool(declared.doc) == (declared.kind is not ValueKind.CLOSED)


def test_every_entity_type_can_be_requested() -> None:
    asked = {entity_type for kinds in KINDS.values() for kind in kinds.values() for entity_type in kind.entity_types}
    assert asked == set(TABLE_OF)
    assert {entity_type for types in CONTENT_TYPES.values() for entity_type in types} == set(TABLE_OF)


def _refused(library: Library, **asked: Any) -> str:
    with pytest.raises(RequestError) as refusal:
        library.find(Request(**asked))
    assert "\n" not in str(refusal.value)
    return f"{refusal.value.parameter}|{refusal.value}"


def test_refusals_name_parameter_and_valid_values(tiny_library: Library) -> None:
    said = _refused(tiny_library, family="spell", filters={"school": "evocatoin"})
    assert said.startswith("school|")
    assert 'Did you mean "evocation"' in said
    assert "necromancy" in said
    assert _refused(tiny_library, family="spell", filters={"level": 1, "level_min": 1}).startswith("level|")
    assert _refused(tiny_library, family="spell", filters={"level_min": 5, "level_max": 2}).startswith("level_min|")
    assert "1/8" in _refused(tiny_library, family="creature", filters={"cr": 0.3})
    assert "magic-item" in _refused(tiny_library, family="equipment", kind="weapn")
    assert _refused(tiny_library, family="rule", kind="rul").startswith("rule_type|")
    assert _refused(tiny_library, family="rule", kind="skill", filters={"section": "combat"}).startswith("section|")
    assert "MagicItem" in _refused(tiny_library, family="all", content_types=("Itm",))
    assert _refused(tiny_library, family="spell", filters={"cr": 3.0}).startswith("cr|")


def _found(library: Library, family: str, **filters: Any) -> set[str]:
    return {record["name"] for record in library.find(Request(family, filters=filters, limit=100))["results"]}


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"movement": "walk"}, {"Scout"}),
        ({"movement": "Hover"}, {"Hearth Imp"}),
        ({"immune_to": "poison"}, {"Hearth Imp"}),
        ({"immune_to": "Poisoned", "movement": "fly"}, {"Hearth Imp"}),
        ({"immune_to": "poisoned", "movement": "walk"}, set()),
        ({"vulnerable_to": "cold"}, {"Hearth Imp"}),
        ({"vulnerable_to": "thunder"}, set()),
        ({"inflicts": "Blinded", "forces_saves": "dexterity"}, {"Hearth Imp"}),
        ({"inflicts": "blinded", "forces_saves": "wisdom"}, set()),
        ({"spell": "fireball"}, {"Hearth Imp"}),
        ({"spell": "Spell/hearth/fireball"}, {"Hearth Imp"}),
        ({"spell": "spell/srd-2014/fireball"}, set()),
    ],
)
def test_filters_reach_into_structs_and_over_columns(tiny_library: Library, filters: Any, names: set[str]) -> None:
    assert _found(tiny_library, "creature", **filters) == names


def test_filters_on_paths_are_described_like_others(tiny_library: Library) -> None:
    asked = {"movement": "fly", "cr_max": 0.25}
    message = tiny_library.find(Request("creature", filters=asked))["message"]
    assert message.startswith("Found no creatures of challenge rating 1/4 or lower and that can fly.")
    assert "Leaving out cr_max finds 1 (challenge rating 1/2)" in message
    assert "leaving out movement finds 1 (speed unknown)" in message
    message = tiny_library.find(Request("creature", filters={"immune_to": "poisson"}))["message"]
    assert 'Did you mean "poison"? Values here: fire, poison, poisoned.' in message
    said = _refused(tiny_library, family="creature", filters={"movement": "swin"})
    assert said.endswith('movement cannot be "swin". Valid values: fly, hover, walk.')
    message = tiny_library.find(Request("spell", filters={"material_cost_max": 5.0}))["message"]
    assert "Leaving out material_cost_max finds" in message
    assert "(material cost gp unknown)" in message


def test_a_spell_without_materials_costs_nothing(library: Library) -> None:
    found = library.find(Request("spell", filters={"material_cost_max": 0}, limit=100))["results"]
    assert found
    assert not any(spell["components"]["material"] for spell in found)


@pytest.mark.parametrize(
    ("parameter", "first", "second"),
    [
        ("resistant_to", "resistant to cold", "to acid"),
        ("type", "of type undead", "of ooze"),
        ("environment", "in environment desert", "in forest"),
        ("movement", "that can swim", "that can fly"),
        ("inflicts", "inflicting prone", "inflicting stunned"),
    ],
)
def test_counted_values_are_grammatical(parameter: str, first: str, second: str) -> None:
    declared = next(each for each in FILTERS if (each.family, each.parameter) == ("creature", parameter))
    values = [(words.split()[-1], count) for words, count in ((first, 5), (second, 3))]
    assert drop_one({declared: (8, values)}) == f"Leaving out {parameter} finds 8 (5 {first} and 3 {second})."


def test_values_with_commas_are_quoted() -> None:
    said = not_among("immune_to", "x", ["fire", "piercing, and slashing from nonmagical attacks"])
    assert said.endswith('Valid values: fire, "piercing, and slashing from nonmagical attacks".')


def test_values_that_are_entities_are_found_by_name_or_id(tiny_library: Library) -> None:
    assert _found(tiny_library, "equipment", spell="Fireball") == {"Robe of the Archmagi"}
    assert _found(tiny_library, "equipment", spell="spell/srd-2014/fireball") == {"Robe of the Archmagi"}
    oaths = {"Oath of Devotion", "Oath of the Hearth"}
    assert _found(tiny_library, "character_option", subclass_of="paladin") == oaths
    assert _found(tiny_library, "character_option", subclass_of="class/srd-2014/paladin") == oaths
    message = tiny_library.find(Request("creature", filters={"spell": "spell/hearth/emberhush"}))["message"]
    assert message.startswith('The dataset has no creatures with spell "spell/hearth/emberhush".')  # which it has
    assert "Values here: Ember Hush, Fireball." in message


def test_a_magic_weapon_is_a_weapon_and_a_magic_item(tiny_library: Library) -> None:
    for kind in ("weapon", "magic-item", "Magic_Item"):
        response = tiny_library.find(Request(family="equipment", kind=kind, name="*flame tongue*"))
        assert response["count"] == 4


def test_content_types_take_families_and_entity_types(tiny_library: Library) -> None:
    response = tiny_library.find(Request(family="all", content_types=("spell", "MagicItem", "Subclass"), limit=100))
    assert {r["entity_type"] for r in response["results"]} == {"spell", "magic-item", "subclass"}


def test_each_of_several_values_is_found(tiny: Dataset) -> None:
    facts = {
        "spells": {"name_normalized": "fireball", "casting_time": "1 action or 8 hours"},
        "creatures": {"name_normalized": "wraith", "size": "medium", "other_sizes": ["small"]},
    }
    tables = dict(tiny.tables)
    for table, changes in facts.items():
        frame = tables[table].head(1)
        tables[table] = frame.with_columns(
            pl.Series(name, [value], dtype=frame.schema[name]) for name, value in changes.items()
        )
    catalogue = Catalogue(tables, tiny.documents["document_key"].to_list())
    selection = Selection(catalogue)

    def found(family: str, **values: str) -> list[str]:
        given = selection.check(family, None, values)
        (mask,) = selection.masks(given).values()
        return [catalogue.folded_names[row] for row in mask.nonzero()[0]]

    assert found("spell", casting_time="1 action") == found("spell", casting_time="8 hours") == ["fireball"]
    assert found("spell", casting_time="1 hour") == []
    assert found("creature", size="medium") == found("creature", size="small") == ["wraith"]


def test_long_terms_of_books_are_listed_and_those_of_homebrew_are_not(tiny: Dataset) -> None:
    term = "slashing, piercing and bludgeoning by whatever is neither enchanted nor of moon silver or star-fallen iron"
    values = [term, "It is immune to what its progenitor is immune to. " * 5, "Ignore what was said"]
    creatures = tiny.tables["creatures"]
    changed = creatures.head(3).with_columns(
        pl.Series("damage_immunities", [[value] for value in values]),
        pl.Series("document_source", ["open5e_v2", "open5e_v2", HOMEBREW]),
    )
    catalogue = Catalogue({**tiny.tables, "creatures": changed}, tiny.documents["document_key"].to_list())
    (immune_to,) = (declared for declared in FILTERS if declared.parameter == "immune_to")
    counted = Selection(catalogue).counts(immune_to, np.ones(catalogue.size, dtype=np.bool_))
    assert counted == [(term, 1), ("homebrew's own", 1), ("longer texts", 1)]
    assert immune_to.shown(term) == term


def _with_creatures(tiny: Dataset, **facts: list[Any]) -> Library:
    """The tiny library, with these facts for its first creatures and null for the others."""
    creatures = tiny.tables["creatures"]
    changed = creatures.with_columns(
        pl.Series(name, (values + [None] * creatures.height)[: creatures.height], dtype=creatures.schema[name])
        for name, values in facts.items()
    )
    return Library(replace(tiny, tables={**tiny.tables, "creatures": changed}))


def test_values_with_a_condition_are_mentioned_and_find_their_entities(tiny: Dataset) -> None:
    nonmagical, silvered = "fire and cold from spells", "fire from spells, but not by day"
    weapons = "damage from nonmagical weapons"
    values = [["fire"], [nonmagical], [nonmagical, "cold"], [silvered], ["firearms"], [weapons]]
    library = _with_creatures(tiny, damage_resistances=values)

    def said(value: str, **filters: Any) -> tuple[int, str | None]:
        answer = library.find(Request("creature", filters={"resistant_to": value, **filters}))
        return answer["total"], answer["message"]

    assert said("Fire") == (
        1,
        f'3 more are resistant to Fire only on a condition: resistant_to="{nonmagical}" (2) or "{silvered}" (1).',
    )
    assert said(nonmagical) == (2, None)
    assert said("cold")[1] == f'1 more is resistant to cold only on a condition: resistant_to="{nonmagical}" (1).'
    assert said("slashing")[1].endswith(f'only on a condition: resistant_to="{weapons}" (1).')
    assert "condition" not in said("thunder")[1]
    library.close()


def test_unknown_facts_are_mentioned_if_few_are_known(tiny: Dataset) -> None:
    library = _with_creatures(tiny, environments=[["caves"], ["sewer"], ["coast", "ocean"]])

    def found(place: str) -> tuple[int, str | None]:
        answer = library.find(Request("creature", filters={"environment": place, "cr_min": 10.0}))
        return answer["total"], answer["message"]

    assert found("cave") == found("Caverns") == found("sewers") == (1, "3 more have no known environment.")
    assert found("sea") == found("beach") == found("coasts")
    assert "ocean" in str(found("dungeon")[1])
    assert "jungle" not in str(found("dungeon")[1])
    library.close()
