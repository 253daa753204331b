"""Snapshots of the responses of every tool: full, summary, empty, truncated, and each refusal.

Scores depend on the machine in their last digits, so snapshots show only that there are some, and of the twenty results
that `search` gives only the first, whose scores lie apart; their order and bounds are tested elsewhere.
"""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types
import pytest
from fastmcp import Client
from readable_json import readable_json
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.amber import AmberSnapshotExtension
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.filters import paths
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex
from tool_calls import ANSWERS, FINDERS, LONG_ANSWERS, REQUIRED, family_of, refusals_of

from server.app import create_server
from server.dataset.dataset import Dataset
from server.dataset.schema import ENTITY_TABLES
from server.dataset.sentences import first_sentence
from server.library.library import Library
from server.library.records.json_text import json_length
from server.settings import TOOLSETS
from server.swap import LibraryHolder
from server.tools.registry import TOOLS, tool_named

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
SMALLEST = 2_000
"""The smallest response budget that a server accepts, in characters."""
TIGHT = 4_000
"""A response budget for a few summaries, in characters."""


class InSnapshotsFolder(AmberSnapshotExtension):
    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:  # noqa: ARG003 - all snapshots lie in one folder
        return str(SNAPSHOTS)


class OneFileATool(SingleFileSnapshotExtension):
    """The snapshot named `search_spell` is the file `tools/search_spell.json`."""

    _write_mode = WriteMode.TEXT
    file_extension = "json"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:  # noqa: ARG003 - as above
        return str(SNAPSHOTS / "tools")

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:  # noqa: ARG003
        return str(index)


@pytest.fixture
def responses(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(InSnapshotsFolder)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def tight_library(dataset: Dataset) -> Iterator[Library]:
    """The library with a budget for one full record and summaries of the rest."""
    library = Library(dataset, max_response_chars=TIGHT)
    yield library
    library.close()


@pytest.fixture(scope="module")
def smallest_library(dataset: Dataset) -> Iterator[Library]:
    library = Library(dataset, max_response_chars=SMALLEST)
    yield library
    library.close()


@pytest.fixture(scope="module")
def listed(runner: asyncio.Runner, library: Library) -> dict[str, mcp_types.Tool]:
    """Every tool as in `tools/list`."""

    async def list_tools() -> list[mcp_types.Tool]:
        async with Client(create_server(LibraryHolder(library), toolsets=TOOLSETS)) as client:
            return await client.list_tools()

    return {tool.name: tool for tool in runner.run(list_tools())}


def ask(runner: asyncio.Runner, library: Library, tool: str, *calls: dict[str, Any]) -> list[Any]:
    async def call() -> list[Any]:
        async with Client(create_server(LibraryHolder(library), toolsets=TOOLSETS)) as client:
            return [await client.call_tool(tool, arguments, raise_on_error=False) for arguments in calls]

    return runner.run(call())


def without_scores(answer: dict[str, Any]) -> dict[str, Any]:
    if "results" not in answer:
        return answer
    shown = [
        record | ({"similarity_score": "a score"} if "similarity_score" in record else {})
        for record in answer["results"]
    ]
    return answer | {"results": shown}


def test_every_tool_has_snapshots() -> None:
    assert ANSWERS.keys() == {tool.name for tool in TOOLS}


@pytest.mark.parametrize(("tool", "case"), [(tool, case) for tool, calls in ANSWERS.items() for case in calls])
def test_answers_equal_their_snapshots(runner, library: Library, responses, tool, case):
    (result,) = ask(runner, library, tool, ANSWERS[tool][case])
    assert not result.is_error
    answer = result.structured_content
    found = ("results", "rows", "text")
    assert any(answer.get(field) for field in found) != case.startswith("empty")
    if tool == "search":
        answer = answer | {"results": answer["results"][:5]}
    assert without_scores(answer) == responses(exclude=paths("dataset"))


@pytest.mark.parametrize("tool", FINDERS)
@pytest.mark.parametrize("text", ["", "fire"])
def test_a_hundred_summaries_fit_with_their_first_sentence(dataset: Dataset, library: Library, tool, text):
    frames = [dataset.tables[table.name].select("id", "description") for table in ENTITY_TABLES]
    described = {identity for frame in frames for identity, words in frame.iter_rows() if first_sentence(words)}
    main = next(p.name for p in tool_named(tool).parameters if p.target in ("search", "name"))
    asked = REQUIRED.get(family_of(tool), {}) | {main: text, "limit": 100}
    offset = 0
    while offset is not None:
        page = tool_named(tool).call(library, asked | {"offset": offset, "detail": "summary"})
        named = tool_named(tool).call(library, asked | {"offset": offset, "detail": "names"})
        assert [record["id"] for record in page["results"]] == [record["id"] for record in named["results"]]
        assert all(record.get("description") for record in page["results"] if record["id"] in described)
        offset = page["next_offset"]


@pytest.mark.parametrize("tool", FINDERS)
def test_a_page_over_the_budget_is_truncated(runner, tight_library: Library, responses, tool):
    (result,) = ask(runner, tight_library, tool, REQUIRED.get(family_of(tool), {}) | {"limit": 6})
    assert len(result.content[0].text) <= TIGHT
    answer = result.structured_content
    shown = [f"{record['name']}{' (truncated)' * ('truncated' in record)}" for record in answer["results"]]
    assert answer | {"results": shown} == responses(exclude=paths("dataset"))


@pytest.mark.parametrize("tool", [tool for tool in ANSWERS if tool != "fetch"])
def test_no_answer_exceeds_the_smallest_budget(smallest_library: Library, tool):
    """Except `fetch`, which answers with a whole text."""
    for asked in (*ANSWERS[tool].values(), *LONG_ANSWERS.get(tool, ())):
        answer, text = tool_named(tool).respond(smallest_library, asked)
        assert max(len(text), json_length(answer)) <= SMALLEST


@pytest.mark.parametrize("tool", ANSWERS)
def test_refusals_equal_their_snapshots(runner, library: Library, listed, responses, tool):
    calls = refusals_of(tool)
    results = ask(runner, library, tool, *calls)
    assert all(result.is_error for result in results)
    said = {json.dumps(call): r.content[0].text for call, r in zip(calls, results, strict=True)}
    # The list of parameters is left out: a new one should change only the listing of its tool.
    takes = f"{tool} takes: {', '.join(listed[tool].input_schema['properties'])}."
    assert any(takes in message for message in said.values())
    assert {call: message.replace(takes, f"{tool} takes: …") for call, message in said.items()} == responses


def test_the_table_of_documents_equals_its_snapshot(runner, library: Library, responses):
    (result,) = ask(runner, library, "list_documents", {"format": "text"})
    assert result.content[0].text == responses


def test_an_empty_list_of_documents_is_explained(runner, dataset: Dataset, responses):
    """Of a library without documents, and of a source that has none."""
    answers = []
    for documents, call in (([], {}), ([], {"format": "text"}), (["the-lantern-coast"], {"source": "open5e_v1"})):
        library = Library(dataset, documents=documents)
        (result,) = ask(runner, library, "list_documents", call)
        library.close()
        answers.append(result.content[0].text if "format" in call else result.structured_content["message"])
    assert answers == responses


@pytest.mark.parametrize("tool", ANSWERS)
def test_listings_of_tools_equal_their_snapshots(listed, snapshot: SnapshotAssertion, tool):
    shown = listed[tool].model_dump(by_alias=True, exclude_none=True)
    assert f"{readable_json(shown)}\n" == snapshot(name=tool, extension_class=OneFileATool)
