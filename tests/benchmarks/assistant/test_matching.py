"""Comparing calls in canonical form, and free text by its results."""

import pytest

from benchmarks.assistant.cases import Call, Case
from benchmarks.assistant.matching import Matcher
from benchmarks.assistant.outcome import Outcome
from server.library.library import Library
from server.library.requests.request import RequestError
from server.tools.registry import tool_named


@pytest.fixture
def fault(cases: dict[str, Case], matcher: Matcher, library: Library):
    """(id of a probe, tool, arguments) → what is wrong with the call."""

    def judge(probe: str, tool: str, **arguments):
        try:
            outcome = Outcome.of(tool_named(tool).call(library, arguments))
        except RequestError:
            outcome = Outcome.of(None)
        return matcher.fault(cases[probe], Call(tool=tool, arguments=arguments), outcome)

    return judge


@pytest.mark.parametrize(
    ("probe", "tool", "arguments"),
    [
        ("lookup-fireball", "lookup_spell", {"name": " FIREBALL ", "limit": 3, "format": "markdown"}),
        ("lookup-fireball", "lookup_spell", {"query": "fireball"}),
        ("class-fighter-5", "lookup_character_option", {"type": "class", "name": "fighter", "part": "level 5"}),
        ("lookup-fireball", "lookup_spell", {"name": "fireba*", "level": 3}),
        ("filter-evocation-3", "search_spell", {"level": "3", "school": "Evocation", "detail": "summary"}),
        ("filter-evocation-3", "query", {"sql": "SELECT id FROM spells WHERE level = 3 AND school = 'evocation'"}),
        ("filter-bonus-action-spells", "lookup_spell", {"casting_time": "Bonus Action"}),
        ("filter-cr-quarter", "search_creature", {"cr": 0.25}),
        ("filter-finesse", "lookup_equipment", {"is_finesse": True, "is_magic": False, "type": "weapon", "name": ""}),
        ("editions-fireball-2014", "lookup_spell", {"name": "fireball", "documents": ["SRD 5.1"]}),
        ("editions-owlbear-2024", "lookup_creature", {"name": "owlbear", "documents": ["2024"]}),
        ("meaning-stone-gaze", "search_creature", {"search": "petrifying gaze that turns victims to stone"}),
        ("set-fire-and-cold", "query", {"sql": "SELECT name, damage_types FROM spells WHERE name = 'Fire Shield'"}),
        ("count-undead", "search_creature", {"type": "undead", "limit": 1}),
    ],
)
def test_equivalent_calls_match(fault, probe: str, tool: str, arguments: dict):
    assert fault(probe, tool, **arguments) is None


@pytest.mark.parametrize(
    ("probe", "tool", "arguments", "why"),
    [
        ("lookup-fireball", "search_all", {"query": "fireball"}, "the tool search_all in place of lookup_spell"),
        ("lookup-fireball", "lookup_spell", {"name": "fire storm"}, "name is frozenset({'fire storm'})"),
        ("lookup-fireball", "lookup_spell", {"name": "fireball", "documents": ["srd-2024"]}, "documents was not asked"),
        ("lookup-fireball", "lookup_spell", {"name": "fireball", "levels": 3}, "the call was refused"),
        ("filter-evocation-3", "search_spell", {"level": 3}, "school is missing"),
        ("filter-evocation-3", "search_spell", {"level": 2, "school": "evocation"}, "level is 2"),
        ("filter-evocation-3", "query", {"sql": "SELECT name FROM spells"}, "did not return what was asked for"),
        ("filter-large-undead-none", "search_creature", {"type": "undead"}, "size is missing"),
        ("meaning-stone-gaze", "search_creature", {"search": "gaze", "size": "tiny"}, "size was not asked for"),
        ("count-undead", "query", {"sql": "SELECT 8"}, "did not return what was asked for"),
        ("editions-owlbear-2024", "lookup_creature", {"name": "owlbear"}, "documents is missing"),
        ("off-weather", "search_all", {"query": "weather"}, "called search_all, though no tool can answer"),
    ],
)
def test_different_calls_do_not_match(fault, probe: str, tool: str, arguments: dict, why: str):
    assert why in fault(probe, tool, **arguments)


def test_variants_count_as_results():
    record = {"id": "spell/a/x", "entity_type": "spell", "variants": {"count": 1, "names": ["X"], "documents": ["b"]}}
    outcome = Outcome.of({"results": [record], "total": 2})
    assert outcome.holds(("spell/b/x",), None, exactly=False)
    assert not outcome.holds(("spell/c/x",), None, exactly=False)


def test_rows_contain_records_by_name_or_id():
    outcome = Outcome.of({"rows": [["Acid Arrow", 2], ["spell/b/wish", 9]]})
    records = ("spell/a/acid-arrow", "spell/c/acid-arrow", "spell/b/wish")
    assert outcome.holds(records, 9, exactly=True)
    assert not outcome.holds((*records, "spell/b/web"), None, exactly=False)
    assert not outcome.holds(records[:2], None, exactly=True)
    assert not outcome.holds(records, 3, exactly=False)
