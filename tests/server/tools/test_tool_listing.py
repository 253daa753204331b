"""The answer to `tools/list`, and its size."""

import json
from typing import Any

import mcp_types
import pytest

from server.library.library import Library
from server.library.requests.filter_types import ValueKind
from server.library.requests.filters import FILTERS, filters_of
from server.library.requests.kinds import KINDS
from server.settings import TOOLSETS
from server.tools.output import output_schema
from server.tools.registry import TOOLS, tools_of

KIBIBYTE = 1024
LONGER_VALUES = 400
"""Bytes by which the listed values of the dataset of all sources exceed those of the tiny one."""
FINDERS = [tool for tool in TOOLS if tool.answers is None and tool.name != "list_documents"]
ON_REQUEST = {"compat", "research", "table"}
"""Tool sets that are off by default."""
REQUIRED = {"character_option": ["type"], "rule": ["rule_type"]}
OWN_KINDS = {"equipment": ["type"]}


def compact(value: Any) -> int:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())


def tool(listing: mcp_types.ListToolsResult, name: str) -> mcp_types.Tool:
    return next(t for t in listing.tools if t.name == name)


def test_default_tool_sets_have_their_tools(listing):
    assert len(listing.tools) == 13
    assert {t.name for t in listing.tools} == {t.name for t in TOOLS if t.toolset not in ON_REQUEST}


@pytest.mark.parametrize(
    ("toolsets", "prefixes"),
    [
        ((), ()),
        (("lookup",), ("lookup_",)),
        (("search",), ("search_",)),
        (("query",), ("query",)),
        (("compat",), ("search_dnd_content",)),
        (("research",), ("search", "fetch")),
        (("table",), ("evaluate_encounter", "suggest_encounter", "level_up", "spell_list", "roll_table")),
    ],
)
def test_toolsets_select_tools(toolsets, prefixes):
    names = [t.name for t in tools_of(toolsets)]
    assert names.pop() == "list_documents"
    assert all(name.startswith(prefixes) for name in names)
    assert bool(names) == bool(prefixes)


@pytest.mark.parametrize("verb", ["search", "lookup"])
@pytest.mark.parametrize("family", KINDS)
def test_parameters_are_in_the_specified_order(listing, verb, family):
    required = REQUIRED.get(family, [])
    text = {"search": "search", "lookup": "name"}[verb]
    filters = [*OWN_KINDS.get(family, []), *(declared.parameter for declared in filters_of(family))]
    schema = tool(listing, f"{verb}_{family}").input_schema
    part = ["part"] if family in ("creature", "character_option", "rule") else []
    last = {"search": [], "lookup": [*part, "format"]}[verb]
    assert list(schema["properties"]) == [*required, text, *filters, "documents", "limit", "offset", "detail", *last]
    assert schema.get("required", []) == required


def test_other_tools_have_their_parameters(listing):
    everything = tool(listing, "search_all").input_schema
    assert list(everything["properties"]) == ["query", "content_types", "documents", "limit", "offset", "detail"]
    assert everything["required"] == ["query"]
    assert list(tool(listing, "list_documents").input_schema["properties"]) == ["source", "format"]
    assert list(tool(listing, "query").input_schema["properties"]) == ["sql", "limit"]


@pytest.mark.parametrize("verb", ["search", "lookup"])
@pytest.mark.parametrize("declared", FILTERS, ids=lambda f: f"{f.family}.{f.parameter}")
def test_every_declared_filter_is_a_parameter(listing, tiny_library: Library, verb, declared):
    published = tool(listing, f"{verb}_{declared.family}").input_schema["properties"][declared.parameter]
    assert published["description"]
    if declared.kind is ValueKind.CLOSED:
        assert "enum" not in published
        assert all(value in published["description"] for value in tiny_library.values(declared))


@pytest.mark.parametrize("finder", FINDERS, ids=lambda t: t.name)
def test_defaults_and_documents_are_the_same_everywhere(finder):
    published = {p.name: p.published(()) for p in finder.parameters}
    assert [published[name].get("default") for name in ("limit", "offset", "detail")] == [20, None, None]
    assert published["documents"]["description"] == (
        "Filter to specific source documents. Provide a list of document names/identifiers from list_documents() "
        'tool. Examples: ["srd-5e"] for SRD only, ["srd-5e", "tce"] for multiple. '
        'Editions too: ["5e-2014"], ["5e-2024"].'
    )
    assert published["documents"]["type"] == ["array", "null"]


def test_all_are_read_only_titled_and_described(listing):
    for t in listing.tools:
        hints = t.annotations
        assert (hints.read_only_hint, hints.destructive_hint) == (True, False)
        assert (hints.idempotent_hint, hints.open_world_hint) == (True, False)
        assert t.title
        assert t.output_schema["type"] == "object"
        assert "E.g. " in t.description
        assert all(p["description"] for p in t.input_schema["properties"].values())
        assert t.meta is None


def test_examples_in_descriptions_name_real_parameters(listing):
    for t in listing.tools:
        for example in t.description.split("E.g. ")[1].rstrip(".").split(";"):
            names = [part.split("=")[0].strip(" ,\"'") for part in example.split(", ") if "=" in part]
            assert set(names) <= set(t.input_schema["properties"]), example


def test_clients_may_cache_the_list(listing):
    assert listing.ttl_ms == 3_600_000
    assert listing.cache_scope == "public"


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_every_tool_set_is_within_the_size_limit(tiny_library: Library, toolset: str) -> None:
    each = [
        ({"name": t.name, "description": t.description, "inputSchema": t.input_schema(tiny_library)}, output_schema(t))
        for t in tools_of([toolset])
    ]
    assert sum(compact(said) for said, _ in each) <= 18 * KIBIBYTE - LONGER_VALUES
    assert sum(compact(said) + compact(answers) for said, answers in each) <= 25 * KIBIBYTE - LONGER_VALUES


def test_the_listing_is_within_its_size_limit(listing):
    assert max(len(t.description) for t in listing.tools if t.name != "query") < 700
    assert len(tool(listing, "query").description) <= 1500
    said = [{"name": t.name, "description": t.description, "inputSchema": t.input_schema} for t in listing.tools]
    told = sum(map(compact, said))
    everything = len(listing.model_dump_json(by_alias=True, exclude_none=True).encode())
    assert told <= 18 * KIBIBYTE - LONGER_VALUES
    # Longer values of a dataset lengthen only the input schemas, which have their own limit.
    assert everything - told <= 7 * KIBIBYTE
