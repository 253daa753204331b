"""Representative responses of every tool on the starter dataset, as snapshots.

Scores depend on the machine in their last digits, so snapshots show only that there are some; their order and bounds
are tested elsewhere.
"""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types
import pytest
from fastmcp import Client
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.amber import AmberSnapshotExtension
from syrupy.filters import paths
from syrupy.location import PyTestLocation

from server.app import create_server
from server.library.library import Library
from server.settings import TOOLSETS
from server.swap import LibraryHolder

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"

ANSWERS: dict[str, tuple[str, dict[str, Any]]] = {
    "spell by name": ("lookup_spell", {"name": "fireball", "documents": ["srd-5e"]}),
    "spells in summary": ("lookup_spell", {"level_max": 1, "detail": "summary", "limit": 3}),
    "spell misspelt": ("lookup_spell", {"name": "fierball"}),
    "spells that do not exist": ("search_spell", {"level": 9, "school": "illusion", "ritual": True}),
    "spells ranked": ("search_spell", {"search": "heal wounds", "limit": 2, "detail": "summary"}),
    "spells of no document": ("search_spell", {"documents": []}),
    "spells of an unknown document": ("search_spell", {"documents": ["srd-2015"]}),
    "creature by name": ("lookup_creature", {"name": "goblin", "documents": ["srd-5e"]}),
    "creatures in summary": ("search_creature", {"cr_max": "1/2", "detail": "summary", "limit": 3}),
    "weapon by name": ("lookup_equipment", {"type": "weapon", "name": "longsword", "documents": ["srd-5e"]}),
    "magic items in summary": ("search_equipment", {"type": "magic-item", "detail": "summary", "limit": 3}),
    "classes in summary": ("search_character_option", {"type": "class", "detail": "summary", "limit": 3}),
    "race by name": ("lookup_character_option", {"type": "race", "name": "elf", "documents": ["srd-5e"]}),
    "condition by name": ("lookup_rule", {"rule_type": "condition", "name": "prone"}),
    "rules of a section": ("search_rule", {"rule_type": "rule", "section": "combat", "detail": "summary"}),
    "everything in summary": ("search_all", {"query": "", "detail": "summary", "limit": 3}),
    "everything by its earlier name": ("search_dnd_content", {"query": "", "detail": "summary", "limit": 1}),
    "documents": ("list_documents", {}),
}

REFUSALS: dict[str, tuple[str, dict[str, Any]]] = {
    "a misspelt school": ("search_spell", {"school": "evocatoin"}),
    "a level out of range": ("search_spell", {"level": 12}),
    "two ways to say the level": ("search_spell", {"level": 1, "level_min": 1}),
    "an unknown parameter": ("search_spell", {"lvl": 3}),
    "a retired parameter": ("lookup_spell", {"document_keys": ["srd-5e"]}),
    "a name where an idea belongs": ("search_spell", {"name": "fireball"}),
    "a string for a list": ("search_spell", {"documents": "srd-5e"}),
    "an unknown creature type": ("search_creature", {"type": "dragno"}),
    "no challenge rating": ("search_creature", {"cr": "1/3"}),
    "no type": ("lookup_character_option", {"name": "wizard"}),
    "a section of conditions": ("search_rule", {"rule_type": "condition", "section": "combat"}),
    "an unknown content type": ("search_all", {"query": "", "content_types": ["Monster"]}),
    "an unknown source": ("list_documents", {"source": "open5e"}),
}


class InSnapshotsFolder(AmberSnapshotExtension):
    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:  # noqa: ARG003 - all snapshots lie in one folder
        return str(SNAPSHOTS)


@pytest.fixture
def responses(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(InSnapshotsFolder)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


def ask(runner: asyncio.Runner, library: Library, tool: str, arguments: dict[str, Any]) -> Any:
    async def call() -> Any:
        async with Client(create_server(LibraryHolder(library), toolsets=TOOLSETS)) as client:
            return await client.call_tool(tool, arguments, raise_on_error=False)

    return runner.run(call())


def without_scores(answer: dict[str, Any]) -> dict[str, Any]:
    shown = [
        record | ({"similarity_score": "a score"} if "similarity_score" in record else {})
        for record in answer["results"]
    ]
    return answer | {"results": shown}


@pytest.mark.parametrize("case", ANSWERS)
def test_answers(runner, library: Library, responses, case):
    result = ask(runner, library, *ANSWERS[case])
    assert not result.is_error
    assert without_scores(result.structured_content) == responses(exclude=paths("dataset"))


def test_a_page_over_the_budget(runner, dataset, responses):
    library = Library(dataset, max_response_chars=9_000)
    result = ask(runner, library, "lookup_creature", {"limit": 6, "documents": ["srd-5e"]})
    library.close()
    kept = ("name", "truncated")
    answer = result.structured_content
    shown = [{key: record[key] for key in kept if key in record} for record in answer["results"]]
    assert answer | {"results": shown} == responses(exclude=paths("dataset"))


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals(runner, library: Library, responses, case):
    result = ask(runner, library, *REFUSALS[case])
    assert result.is_error
    assert result.content[0].text == responses


def test_the_table_of_documents(runner, library: Library, responses):
    result = ask(runner, library, "list_documents", {"format": "text"})
    assert result.content[0].text == responses


def test_the_listing_of_tools(runner, library: Library, responses):
    async def listed() -> list[mcp_types.Tool]:
        async with Client(create_server(LibraryHolder(library), toolsets=TOOLSETS)) as client:
            return await client.list_tools()

    assert [one_line_a_property(tool) for tool in runner.run(listed())] == responses


def one_line_a_property(tool: mcp_types.Tool) -> dict[str, Any]:
    """A tool as listed, each property's schema on a line of its own."""
    shown = tool.model_dump(by_alias=True, exclude_none=True)
    record = shown["outputSchema"]["properties"]["results"]["items"]
    for schema in (shown["inputSchema"], shown["outputSchema"], record):
        schema["properties"] = {name: json.dumps(value) for name, value in schema["properties"].items()}
    shown["outputSchema"]["properties"]["results"] = record
    shown["outputSchema"]["$defs"] = {name: json.dumps(d) for name, d in shown["outputSchema"].get("$defs", {}).items()}
    return shown
