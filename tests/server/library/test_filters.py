"""Filters: the declaration fits the schema, and what passes is what a plain reading of each filter passes."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_dataset import ROWS

from server.dataset.schema import TABLE_OF
from server.library.filters import FILTERS, ValueKind, filters_of
from server.library.kinds import CONTENT_TYPES, KINDS
from server.library.library import Library
from server.library.request import FAMILIES, Request, RequestError

Row = dict[str, Any]

# Each filter as a person would read it, written without the library.
NAIVE: dict[str, Callable[[Row, Any], bool]] = {
    "level": lambda r, v: r["level"] == v,
    "level_min": lambda r, v: r["level"] >= v,
    "level_max": lambda r, v: r["level"] <= v,
    "school": lambda r, v: r["school"] == v.lower(),
    "class_key": lambda r, v: v.lower() in (r["classes"] or []),
    "concentration": lambda r, v: r["concentration"] is v,
    "ritual": lambda r, v: r["ritual"] is v,
    "casting_time": lambda r, v: r["casting_time"].removeprefix("1 ") == v.lower().removeprefix("1 "),
    "damage_type": lambda r, v: v.lower() in (r["damage_types"] or []),
    "cr": lambda r, v: r["challenge_rating"] == v,
    "cr_min": lambda r, v: r["challenge_rating"] >= v,
    "cr_max": lambda r, v: r["challenge_rating"] <= v,
    "type": lambda r, v: r["type"] == v.lower(),
    "size": lambda r, v: r["size"] == v.lower(),
    "armor_class_min": lambda r, v: r["armor_class"] is not None and r["armor_class"] >= v,
    "hit_points_min": lambda r, v: r["hit_points"] >= v,
    "environment": lambda r, v: v.lower() in (r["environments"] or []),
    "rarity": lambda r, v: r["rarity"] == v.lower().replace("-", " "),
    "damage_dice": lambda r, v: r["damage_dice"] == v.lower(),
    "is_simple": lambda r, v: r["is_simple"] is v,
    "requires_attunement": lambda r, v: (
        r["requires_attunement"] is v if isinstance(v, bool) else v in (r["attunement_detail"] or "")
    ),
    "cost_min": lambda r, v: r["cost_gp"] is not None and r["cost_gp"] >= v,
    "cost_max": lambda r, v: r["cost_gp"] is not None and r["cost_gp"] <= v,
    "weight_max": lambda r, v: r["weight_lb"] is not None and r["weight_lb"] <= v,
    "is_finesse": lambda r, v: r["is_finesse"] is v,
    "is_light": lambda r, v: r["is_light"] is v,
    "is_magic": lambda r, v: r["is_magic"] is v,
    "section": lambda r, v: v.lower() in {(r["section"] or "").lower(), *r["headings"]},
}

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "school": st.sampled_from(["evocation", "Abjuration", "necromancy"]),
    "class_key": st.sampled_from(["wizard", "Ranger", "bard"]),
    "casting_time": st.sampled_from(["1 Action", "action", "Bonus Action", "reaction", "1 hour"]),
    "damage_type": st.sampled_from(["fire", "Fire", "cold"]),
    "type": st.sampled_from(["dragon", "Undead", "beast"]),
    "size": st.sampled_from(["medium", "Huge", "tiny"]),
    "environment": st.sampled_from(["forest", "Arctic", "desert"]),
    "rarity": st.sampled_from(["rare", "Very-Rare", "legendary"]),
    "damage_dice": st.sampled_from(["1d8", "2D6", "9d9"]),
    "requires_attunement": st.booleans() | st.just("wizard"),
    "section": st.sampled_from(["combat", "Making an Attack", "taverns", "nowhere"]),
}
BY_KIND = {
    ValueKind.INTEGER: st.integers(0, 30),
    ValueKind.NUMBER: st.floats(0, 100),
    ValueKind.CHALLENGE: st.sampled_from([0.25, 0.5, 1.0, 5.0, 10.0, 17.0, 24.0]),
    ValueKind.BOOLEAN: st.booleans(),
}
DOCUMENTS = st.none() | st.lists(st.sampled_from(["srd-2014", "hearth", "srd-2024"]), min_size=1, unique=True)


@st.composite
def requests(draw: st.DrawFn) -> Request:
    family = draw(st.sampled_from([name for name in FAMILIES if filters_of(name)]))
    kind = draw(st.sampled_from(list(KINDS[family]))) if family == "equipment" else None
    chosen = draw(st.lists(st.sampled_from(filters_of(family)), max_size=4, unique=True))
    filters = {f.parameter: draw(VALUES[f.parameter] if f.parameter in VALUES else BY_KIND[f.kind]) for f in chosen}
    documents = draw(DOCUMENTS)
    return Request(
        family=family,
        kind="rule" if family == "rule" else kind,
        filters=filters,
        documents=None if documents is None else tuple(documents),
        limit=100,
    )


def _is_of_kind(row: Row, request: Request) -> bool:
    kind = KINDS[request.family][request.kind]
    return row["entity_type"] in kind.entity_types and (kind.flag is None or row[kind.flag])


@given(requests())
def test_what_passes_is_what_a_plain_reading_passes(tiny_library: Library, request_: Request) -> None:
    expected = [
        row
        for row in ROWS
        if _is_of_kind(row, request_)
        and (request_.documents is None or row["document_key"] in request_.documents)
        and all(NAIVE[parameter](row, value) for parameter, value in request_.filters.items())
    ]
    if _excludes(request_.filters):
        with pytest.raises(RequestError):
            tiny_library.find(request_)
        return
    response = tiny_library.find(request_)
    expected.sort(key=lambda row: (row["name"].casefold(), row["document_key"]))
    assert [r["id"] for r in response["results"]] == [row["id"] for row in expected]
    assert response["total"] == len(expected)
    assert expected or response["message"]
    json.dumps(response)


def _excludes(filters: Any) -> bool:
    """Whether an exact value meets a bound, or a minimum its lower maximum."""
    for exact in ("level", "cr", "cost"):
        low, high = filters.get(f"{exact}_min"), filters.get(f"{exact}_max")
        if exact in filters and (low is not None or high is not None):
            return True
        if low is not None and high is not None and low > high:
            return True
    return False


def test_every_filter_has_its_columns_and_its_naive_reading() -> None:
    for declared in FILTERS:
        kinds = KINDS[declared.family]
        table = next(iter(kinds.values())).table
        assert {c.name for c in table.columns} >= set(declared.columns)
        assert declared.parameter in NAIVE
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
