"""Hints in answers: following any of them finds what it promises."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.dataset.dataset import Dataset
from server.dataset.passages import NAMED_COLUMNS
from server.library.library import Library
from server.library.message import Message
from server.library.requests.filter_types import Filter, ValueKind
from server.library.requests.filters import filters_of
from server.library.requests.request import RequestError
from server.library.selection import HOMEBREWS_OWN, LONGER
from server.tools.registry import TOOLS, tool_named
from server.tools.tool import Tool

Arguments = dict[str, Any]
Hint = tuple[str, str, Arguments, int | None]
"""The kind of hint, the tool and arguments that follow it, and the number of results (None: at least one)."""

EXAMPLES: Final = 200
SHORT: Final = {"limit": 1, "detail": "names"}
FINDERS: Final = [t for t in TOOLS if t.toolset in ("search", "lookup") and t.name != "search_all"]
DOCUMENTS: Final = ["srd-2014", "srd-2024", "the-lantern-coast", "2014", "2024"]
QUERIES: Final = [
    "undead immune to fire and cold", "evocation bonus action spell", "not magical finesse weapon", "a CR 1/4 beast",
    "rare ring without attunement", "an easy fight", "grappling 2024", "immune to poison or charmed",
    "how does nimble escape work", "can I use rage in armor", "zombie", "fireball", "Lantern Coast hunters",
]  # fmt: skip
ADVICE: Final = r'(\w+)=(\[[^\]]*\]|"[^"]*"|[^\s,)]+)'
PARAMETERS: Final = {parameter.name for tool in TOOLS for parameter in tool.parameters}
MENTION: Final = re.compile(
    rf"{ADVICE}|[Ll]eav(?:e|ing) out (?!\d)(?!any|several|it\b|the\b)\w"
    rf"|\b(?:{'|'.join([*(t.name for t in TOOLS if '_' in t.name), *(p for p in PARAMETERS if '_' in p)])})\b"
)
"""What only a piece of a message may say, so that terminal and pages can say it in their words."""
CALL: Final = r'(lookup_\w+\((?:[^()"]|"[^"]*")*\))'


@pytest.fixture(scope="session")
def names(dataset: Dataset) -> list[str]:
    """Names of all entities and their parts, and headings of parts as printed."""
    rows = [row for table in dataset.tables.values() for row in table.to_dicts()]
    parts = [part for row in rows for column in NAMED_COLUMNS for part in row.get(column) or () if part["name"]]
    headings = {f"{part['name']} ({part['usage']})" for part in parts if part.get("usage")}
    named = {row["name"] for row in rows} | {part["name"] for part in parts} | headings
    return [name for name in sorted(named) if '"' not in name]


def value_of(library: Library, declared: Filter) -> st.SearchStrategy[Any]:
    match declared.kind:
        case ValueKind.BOOLEAN | ValueKind.ATTUNEMENT:
            return st.booleans()
        case ValueKind.INTEGER | ValueKind.NUMBER:
            return st.integers(0, int(declared.maximum or 60))
        case ValueKind.CHALLENGE:
            return st.sampled_from([0, 0.25, 1, 5, 30])
        case ValueKind.CLOSED:
            return st.sampled_from(library.values(declared))
    return st.sampled_from([value for known in library.values(declared) for value in (known, f"{known[:-1]}q")])


def calls(library: Library, names: list[str]) -> st.SearchStrategy[tuple[Tool, Arguments]]:
    """Calls of finders with few filters, many of which find nothing."""
    some = st.sampled_from(names)
    misspelt = some.map(lambda name: name[:2] + name[3:])
    edition = st.builds(lambda name, year: f"{name} {year}", some, st.sampled_from(["2014", "2024"]))
    name = some | some | misspelt | edition | some.map(lambda name: f"{name} rule")

    def arguments(tool: Tool) -> st.SearchStrategy[tuple[Tool, Arguments]]:
        family = tool.name.partition("_")[2]
        optional = {f.parameter: value_of(library, f) for f in filters_of(family)}
        few = st.lists(st.sampled_from(sorted(optional)), max_size=2, unique=True)
        given = few.flatmap(lambda chosen: st.fixed_dictionaries({each: optional[each] for each in chosen}))
        rest = {p.name: st.sampled_from(p.schema["enum"]) for p in tool.parameters if p.target == "kind"}
        rest["documents"] = st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=2)
        if tool.toolset == "search":
            rest["search"] = st.sampled_from(QUERIES)
        else:
            rest["name"] = name | name | st.lists(name, min_size=2, max_size=3)
            if any(parameter.name == "part" for parameter in tool.parameters):
                rest["part"] = st.sampled_from(["Multiattack", "level 25", "Spellcasting", "Fire Breth"]) | some
        others = st.fixed_dictionaries({}, optional=rest)
        return st.builds(lambda given, others: (tool, given | others), given, others)

    return st.sampled_from(FINDERS).flatmap(arguments)


def hints(tool: Tool, asked: Arguments, answer: dict[str, Any]) -> Iterator[Hint]:
    """The hints in an answer's message."""
    said = str(answer["message"])
    yield from left_out(tool, asked, said)
    yield from elsewhere(tool, asked, said)
    yield from offers(tool, asked, said)
    if isinstance(asked.get("name"), str) and "part" not in asked:
        yield from near_names(tool, asked, said, answer["suggestions"])
    for parameter, value in re.findall(r'with (\w+) "[^"]*"\.[^.]*?Values here: ("[^"]*"|[^,.]+)', said):
        if value.strip('"') not in {HOMEBREWS_OWN, LONGER}:  # which stand for values that are not told
            yield "value", tool.name, asked | {parameter: value.strip('"')}, None
    if " has no part " in said or " has a part " in said:
        for part in re.findall(r'Did you mean "([^"]*)"\?', said) + re.findall(r'e\.g\. part="([^"]*)"', said):
            yield "near part", tool.name, asked | {"part": part}, None


def left_out(tool: Tool, asked: Arguments, said: str) -> Iterator[Hint]:
    for parameter, count in re.findall(r"[Ll]eaving out (\w+) finds (\d+)", said):
        assert parameter in asked
        yield "leaving out", tool.name, {k: v for k, v in asked.items() if k != parameter}, int(count)
    for count in re.findall(r"Leaving out the edition finds (\d+)", said):
        text = "name" if "name" in asked else "search"
        plain = re.sub(r" 20[12]4", "", json.dumps(asked[text]))
        yield "edition", tool.name, asked | {text: json.loads(plain)}, int(count)


def elsewhere(tool: Tool, asked: Arguments, said: str) -> Iterator[Hint]:
    for parameter, kind, count in re.findall(r'(type|rule_type)="([\w-]+)" finds (\d+)', said):
        yield "kind", tool.name, asked | {parameter: kind}, int(count)
    for written, count in re.findall(rf"{CALL} finds (\d+)", said):
        yield "look-up", *called(written), int(count)
    for written in re.findall(rf": {CALL}[.;]", said):
        yield "part", *called(written), None
    for held, keys in re.findall(r'(It|"[^"]+") is in ((?:[\w-]+(?:, | and )?)+)\.', said):
        name = asked["name"] if held == "It" else held.strip('"')
        yield "documents", tool.name, asked | {"name": name, "documents": [re.split(r", | and ", keys)[0]]}, None


def near_names(tool: Tool, asked: Arguments, said: str, suggestions: list[str]) -> Iterator[Hint]:
    filters = {declared.parameter for declared in filters_of(tool.name.partition("_")[2])}
    left_out = filters if "if the filters are left out" in said else set()
    edition = re.search(r" 20[12]4$", asked["name"])
    for near in suggestions:
        name = f"{near}{edition[0] if edition else ''}"
        yield "suggestion", tool.name, {k: v for k, v in asked.items() if k not in left_out} | {"name": name}, None


def offers(tool: Tool, asked: Arguments, said: str) -> Iterator[Hint]:
    required = re.search(r"To require that, filter: (.*?)\.(?: Nothing| search_|$| [A-Z])", said)
    if required is None:
        return
    together: Arguments = {}
    for ways, count in re.findall(r"(.+?) \(leaves (\d+)\)(?:, )?", required[1]):
        given = {parameter: json.loads(value) for parameter, value in re.findall(ADVICE, ways)}
        together |= given
        kind = "requiring" if given else "all of these"
        yield kind, tool.name, asked | (given or together), int(count)


def called(written: str) -> tuple[str, Arguments]:
    """The call that a message spells out."""
    call = ast.parse(written, mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    return call.func.id, {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}


def plain(message: str | None) -> str:
    """The text of a message without what it mentions: parameters, values, tools and calls."""
    return " ".join(piece for piece in Message(message or "").pieces if isinstance(piece, str))


def total(library: Library, tool: str, arguments: Arguments) -> int | str:
    """The number of results of a call, or its refusal."""
    followed = tool_named(tool)
    assert followed is not None
    try:
        found: int = followed.call(library, arguments | SHORT)["total"]
    except RequestError as refusal:
        return str(refusal)
    return found


def follow(library: Library, tool: Tool, asked: Arguments) -> set[str]:
    """Follow all hints of the answer to a call and return their kinds."""
    try:
        answer = tool.call(library, asked | SHORT)
    except RequestError:
        return set()
    assert not MENTION.search(plain(answer["message"])), (asked, answer["message"])
    followed = set()
    for kind, other, arguments, count in hints(tool, asked, answer):
        found = total(library, other, arguments)
        promised = isinstance(found, int) and found > 0 and count in (None, found)
        assert promised, (kind, asked, answer["message"], other, arguments, found)
        followed.add(kind)
    return followed


@pytest.mark.parametrize(
    ("kind", "tool", "asked"),
    [
        ("leaving out", "lookup_spell", {"name": "fireball", "level": 2}),
        ("leaving out", "search_creature", {"search": "grappling 2024", "documents": ["core"]}),
        ("edition", "lookup_creature", {"name": "zomb 2024"}),
        ("kind", "lookup_character_option", {"type": "background", "name": "wizard"}),
        ("kind", "lookup_rule", {"rule_type": "condition", "name": "combat"}),
        ("look-up", "lookup_rule", {"name": "fireball"}),
        ("part", "lookup_spell", {"name": "nimble escape"}),
        ("part", "search_rule", {"rule_type": "rule", "search": "how does nimble escape work"}),
        ("part", "search_spell", {"search": "sneak attack"}),
        ("look-up", "search_spell", {"search": "what is a zombie?"}),
        ("look-up", "search_rule", {"rule_type": "condition", "search": "grappling"}),
        ("part", "lookup_spell", {"name": "Fire Breath (Recharge 5-6)"}),
        ("suggestion", "lookup_spell", {"name": "fierball"}),
        ("documents", "lookup_creature", {"name": "zombie", "documents": ["srd-2024"]}),
        ("requiring", "search_creature", {"search": "undead immune to fire"}),
        ("all of these", "search_spell", {"search": "evocation bonus action spell"}),
        ("value", "lookup_spell", {"class_key": "wizzard"}),
        ("near part", "lookup_character_option", {"type": "class", "name": "wizard", "part": "level 25"}),
    ],
)
def test_each_kind_of_hint_leads_to_what_it_promises(library: Library, kind: str, tool: str, asked: Arguments):
    called_for = tool_named(tool)
    assert called_for is not None
    assert kind in follow(library, called_for, asked)


@pytest.mark.parametrize(
    ("tool", "asked"),
    [
        ("search_rule", {"rule_type": "rule", "search": "how does combat work"}),
        ("search_rule", {"rule_type": "rule", "search": "how does a condition end"}),
        ("search_spell", {"search": "wizard"}),
        ("search_spell", {"search": "a ball of fire"}),
        ("search_creature", {"search": "nimble escape"}),
        ("search_all", {"query": "sneak attack"}),
    ],
)
def test_a_search_refers_to_another_tool_only_for_a_name_it_lacks(library: Library, tool: str, asked: Arguments):
    called_for = tool_named(tool)
    assert called_for is not None
    assert not follow(library, called_for, asked) & {"part", "look-up"}


def test_following_any_hint_finds_what_it_promises(library: Library, names: list[str]):
    @settings(suppress_health_check=list(HealthCheck), max_examples=EXAMPLES)
    @given(calls(library, names))
    def check(call: tuple[Tool, Arguments]) -> None:
        follow(library, *call)

    check()


@pytest.mark.parametrize(
    ("tool", "asked"),
    [
        ("search_spell", {"level": 44}),
        ("search_all", {"query": "x", "content_types": []}),
        ("search_creature", {"cr": 1, "cr_min": 5}),
        ("search_creature", {"cr_min": 5, "cr_max": 1}),
        ("search_creature", {"hour": 5}),
        ("search_equipment", {"type": "potion"}),
        ("search_rule", {"rule_type": "skill", "section": "combat"}),
        ("lookup_spell", {"name": [" "]}),
        ("level_up", {"class_key": "wizard"}),
        ("level_up", {"class_key": "wizard", "level": 3, "from_level": 5}),
        ("level_up", {"class_key": "wizzard", "level": 3}),
        ("level_up", {"class_key": "wizard 1 / cleric 2", "level": 3}),
        ("suggest_encounter", {"party": [3], "difficulty": "epic"}),
        ("spell_list", {"class_key": "wizard", "level": 1, "slot": 5}),
        ("fetch", {"id": "spell/x/y"}),
    ],
)
def test_a_refusal_knows_what_it_mentions(library: Library, tool: str, asked: Arguments):
    called_for = tool_named(tool)
    assert called_for is not None
    with pytest.raises(RequestError) as refused:
        called_for.call(library, asked)
    assert str(refused.value) == refused.value.message
    assert not MENTION.search(plain(refused.value.message))


@pytest.mark.parametrize("tool", [t for t in FINDERS if t.toolset == "lookup"], ids=lambda tool: tool.name)
def test_a_name_is_called_missing_only_if_no_table_has_it(library: Library, names: list[str], tool: Tool):
    @settings(suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(names))
    def check(name: str) -> None:
        assert "No document of this library has it" not in str(tool.call(library, {"name": name} | SHORT)["message"])

    check()


@pytest.mark.parametrize(
    ("tool", "name", "found"),
    [
        ("lookup_character_option", "wizard class", "Wizard"),
        ("lookup_equipment", "light hammer weapon", "Light Hammer"),
        ("lookup_creature", "owlbear creature", "Owlbear"),
        ("lookup_spell", "fireball spell", "Fireball"),
        ("lookup_rule", "example traps trap", "Example Traps"),
        ("lookup_rule", "grappled condition", "Grappled"),
    ],
)
def test_a_name_may_end_with_its_kind(library: Library, tool: str, name: str, found: str):
    look_up = tool_named(tool)
    assert look_up is not None
    assert {record["name"] for record in look_up.call(library, {"name": name})["results"]} == {found}
    assert not look_up.call(library, {"name": f"{name.rpartition(' ')[0]} language"})["results"]


def test_a_verb_finds_a_name_with_its_gerund(library: Library):
    look_up = tool_named("lookup_rule")
    assert look_up is not None
    found = look_up.call(library, {"rule_type": "rule", "name": "grapple"})["results"]
    assert "Grappling" in {record["name"] for record in found}
