"""Resources, completions and prompts, through a real client."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.exceptions import McpError
from mcp_types import INVALID_PARAMS, PromptReference, ResourceTemplateReference

from server.app import create_server
from server.library.library import Library
from server.settings import DEFAULT_TOOLSETS
from server.swap import LibraryHolder
from server.tools.registry import tools_of

SHEET = ResourceTemplateReference(type="ref/resource", uri="lorekeeper://{entity_type}/{document}/{slug}")
LICENSE = ResourceTemplateReference(type="ref/resource", uri="lorekeeper://licenses/{document}")

PROMPTS: dict[str, dict[str, Any]] = {
    "build_encounter": {"characters": "4", "level": "5", "place": "a swamp", "edition": "2014"},
    "prepare_spells": {"class_name": "wizard", "level": "7", "documents": "srd-2014, lantern-coast"},
    "compare_options": {"first": "wizard", "second": "sorcerer"},
    "settle_rules": {"question": "Can I hide in a lightly obscured area?"},
}


@pytest.fixture
def ask(tiny_library: Library) -> Callable[[Callable[[Client], Awaitable[Any]]], Any]:
    """A client's results from a server with the tiny library."""

    def run(question: Callable[[Client], Awaitable[Any]]) -> Any:
        async def session() -> Any:
            async with Client(create_server(LibraryHolder(tiny_library))) as client:
                return await question(client)

        return asyncio.run(session())

    return run


def test_listed_resources_can_be_read(ask):
    async def read(client: Client) -> dict[str, str]:
        return {str(r.uri): (await client.read_resource(r.uri))[0].text for r in await client.list_resources()}

    texts = ask(read)
    assert "srd-2014" in texts["lorekeeper://documents"]
    assert json.loads(texts["lorekeeper://dataset"])["entities"] > 10


def test_resources_are_sheets_and_licences(ask, tiny_library: Library):
    async def read(client: Client) -> list[str]:
        uris = ("lorekeeper://spell/srd-2014/fireball", "lorekeeper://licenses/srd-2014")
        return [(await client.read_resource(uri))[0].text for uri in uris]

    sheet, credit = ask(read)
    assert sheet.startswith("## Fireball\n")
    assert credit.startswith(f"# {tiny_library.credit('srd-2014')['document_name']}\n")


@pytest.mark.parametrize("uri", ["lorekeeper://spell/srd-2014/firebll", "lorekeeper://licenses/srd-2041"])
def test_a_missing_resource_is_named_to_the_caller_only(ask, caplog: pytest.LogCaptureFixture, uri):
    with pytest.raises(McpError, match=uri.removeprefix("lorekeeper://").removeprefix("licenses/")) as refused:
        ask(lambda client: client.read_resource(uri))
    assert refused.value.error.code == INVALID_PARAMS
    assert not caplog.records


@pytest.mark.parametrize(
    ("reference", "argument", "typed", "given", "found"),
    [
        (SHEET, "entity_type", "sp", {}, "spell"),
        (SHEET, "document", "srd-20", {}, "srd-2014"),
        (SHEET, "slug", "fire", {"entity_type": "spell", "document": "srd-2014"}, "fireball"),
        (LICENSE, "document", "", {}, "srd-2014"),
        (PromptReference(type="ref/prompt", name="settle_rules"), "documents", "SRD-2014", {}, "srd-2014"),
        (PromptReference(type="ref/prompt", name="settle_rules"), "edition", "", {}, "2014"),
        (PromptReference(type="ref/prompt", name="build_encounter"), "difficulty", "M", {}, "moderate"),
    ],
)
def test_arguments_are_completed(ask, *, reference, argument, typed, given, found):
    async def complete(client: Client) -> list[str]:
        asked = {"name": argument, "value": typed}
        return (await client.complete(reference, asked, context_arguments=given)).values

    values = ask(complete)
    assert found in values
    assert all(value.startswith(typed.casefold()) for value in values)


def test_other_arguments_have_no_completions(ask):
    reference = PromptReference(type="ref/prompt", name="settle_rules")
    assert ask(lambda client: client.complete(reference, {"name": "question", "value": "c"})).values == []


@pytest.fixture
def prompts(tiny_library: Library) -> Callable[[Collection[str]], dict[str, str]]:
    """The texts of all prompts of a server with these tool sets."""

    def read(toolsets: Collection[str]) -> dict[str, str]:
        async def session() -> dict[str, str]:
            async with Client(create_server(LibraryHolder(tiny_library), toolsets=toolsets)) as client:
                assert {prompt.name for prompt in await client.list_prompts()} == set(PROMPTS)
                return {
                    name: (await client.get_prompt(name, arguments)).messages[0].content.text
                    for name, arguments in PROMPTS.items()
                }

        return asyncio.run(session())

    return read


@pytest.mark.parametrize("toolsets", [DEFAULT_TOOLSETS, (*DEFAULT_TOOLSETS, "table")], ids=len)
def test_prompts_name_offered_tools_their_parameters_and_the_documents(prompts, toolsets):
    texts = prompts(toolsets)
    offered = {tool.name: {parameter.name for parameter in tool.parameters} for tool in tools_of(toolsets)}
    calls = [found for text in texts.values() for found in re.findall(r"\b([a-z_]+)\(([^()]*)\)", text)]
    named = {word for text in texts.values() for word in re.findall(r"\b(?:search|lookup)_\w+", text)}
    assert calls
    assert {name for name, _ in calls} | named <= offered.keys()
    for name, arguments in calls:
        assert set(re.findall(r"(\w+)=", arguments)) <= offered[name]
    assert "documents=['5e-2014']" in texts["build_encounter"]
    assert "documents=['srd-2014', 'lantern-coast']" in texts["prepare_spells"]
    assert "hide in a lightly obscured area?" in texts["settle_rules"]


def test_prompts_contain_what_the_tools_compute(prompts):
    drawn, reckoned = (prompts(sets)["build_encounter"] for sets in ((*DEFAULT_TOOLSETS, "table"), DEFAULT_TOOLSETS))
    assert "suggest_encounter(party=[5, 5, 5, 5], difficulty='moderate', edition='2014'" in drawn
    assert "no budgets and no multipliers" in reckoned
    assert "suggest_encounter" not in reckoned


def test_prompts_describe_their_arguments_to_people(ask):
    prompts = {prompt.name: prompt for prompt in ask(lambda client: client.list_prompts())}
    described = {argument.name: argument.description for argument in prompts["build_encounter"].arguments}
    assert described["level"] == "Level, 1 to 20."
    assert all(len(argument.description) < 100 for prompt in prompts.values() for argument in prompt.arguments)
    assert all(prompt.meta is None for prompt in prompts.values())


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"characters": "13"}, 'characters cannot be "13": Number of characters, 1 to 12.'),
        ({"characters": "5000000"}, 'characters cannot be "5000000": Number of characters, 1 to 12.'),
        ({"level": "five"}, 'level cannot be "five": Level, 1 to 20.'),
        ({"edition": "2034"}, 'edition cannot be "2034": Edition of the rules, 2024 or 2014.'),
        ({"level": None}, "level is missing: Level, 1 to 20."),
        ({"place": None, "cr": "5"}, 'There is no argument "cr": build_encounter takes characters, '),
    ],
)
def test_prompts_refuse_arguments_in_plain_words(
    ask, caplog: pytest.LogCaptureFixture, wrong: dict[str, str | None], said: str
):
    arguments = {name: value for name, value in (PROMPTS["build_encounter"] | wrong).items() if value is not None}
    with pytest.raises(McpError) as refused:
        ask(lambda client: client.get_prompt("build_encounter", arguments))
    assert refused.value.error.code == INVALID_PARAMS
    assert refused.value.error.message.startswith(said)
    assert not caplog.records


def test_completions_say_whether_there_are_more(ask, tiny_library: Library, monkeypatch: pytest.MonkeyPatch):
    slugs = tiny_library.slugs("spell", "srd-2014")
    given = {"entity_type": "spell", "document": "srd-2014"}

    def complete() -> tuple[list[str], int, bool]:
        asked = {"name": "slug", "value": ""}
        found = ask(lambda client: client.complete(SHEET, asked, context_arguments=given))
        return found.values, found.total, found.has_more

    assert complete() == (slugs, len(slugs), False)
    monkeypatch.setattr("server.resources._MOST", 1)
    assert complete() == (slugs[:1], len(slugs), True)
