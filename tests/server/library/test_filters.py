"""Filters: the declaration fits the schema; kinds and refusals. What passes is tested through the tools."""

from typing import Any

import pytest

from server.dataset.schema import TABLE_OF
from server.library.filters import FILTERS, ValueKind
from server.library.kinds import CONTENT_TYPES, KINDS
from server.library.library import Library
from server.library.request import Request, RequestError


def test_every_filter_has_its_columns_and_words() -> None:
    for declared in FILTERS:
        kinds = KINDS[declared.family]
        table = next(iter(kinds.values())).table
        assert {c.name for c in table.columns} >= set(declared.columns)
        assert not declared.only or set(declared.only) <= {*kinds, "all"}
        assert declared.phrase_false or declared.kind not in {ValueKind.BOOLEAN, ValueKind.ATTUNEMENT}


def test_every_entity_type_can_be_asked_for() -> None:
    asked = {entity_type for kinds in KINDS.values() for kind in kinds.values() for entity_type in kind.entity_types}
    assert asked == set(TABLE_OF)
    assert {entity_type for types in CONTENT_TYPES.values() for entity_type in types} == set(TABLE_OF)


def _refused(library: Library, **asked: Any) -> str:
    with pytest.raises(RequestError) as refusal:
        library.find(Request(**asked))
    assert "\n" not in str(refusal.value)
    return f"{refusal.value.parameter}|{refusal.value}"


def test_refusals_name_the_parameter_and_the_valid_values(tiny_library: Library) -> None:
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


def test_a_magic_weapon_is_a_weapon_and_a_magic_item(tiny_library: Library) -> None:
    for kind in ("weapon", "magic-item", "Magic_Item"):
        response = tiny_library.find(Request(family="equipment", kind=kind, name="*flame tongue*"))
        assert response["count"] == 4


def test_content_types_take_families_and_entity_types(tiny_library: Library) -> None:
    response = tiny_library.find(Request(family="all", content_types=("spell", "MagicItem", "Subclass"), limit=100))
    assert {r["entity_type"] for r in response["results"]} == {"spell", "magic-item", "subclass"}
