"""Answers through a real client: text and structure agree, and match the output schema."""

import asyncio
import json
import logging

import jsonschema
import pytest
from exact_schema import exact_schema
from fastmcp import Client

from server.app import create_server
from server.library.library import Library
from server.sheets.sheet import render
from server.swap import LibraryHolder
from server.tools.documents import table_text
from server.tools.registry import tool_named

CALLS = [
    ("search_spell", {"search": "fire"}),
    ("search_spell", {"documents": []}),
    ("lookup_spell", {"name": "fireball"}),
    ("lookup_spell", {"name": "fierball"}),
    ("search_creature", {"search": "undead", "limit": 100}),
    ("lookup_creature", {"detail": "summary", "limit": 2}),
    ("search_equipment", {"search": "sword"}),
    ("lookup_equipment", {"type": "Weapon", "limit": "5"}),
    *(
        (tool, {"type": option})
        for tool in ("search_character_option", "lookup_character_option")
        for option in ("class", "race", "background", "feat")
    ),
    ("search_rule", {"rule_type": "condition", "search": "fear"}),
    *(("lookup_rule", {"rule_type": kind}) for kind in ("rule", "condition", "damage-type", "skill", "language")),
    ("search_all", {"query": "fire", "limit": 100}),
    ("search_all", {"query": "", "limit": 100}),
    ("search_dnd_content", {"query": "fire", "content_types": ["spell"]}),
    ("query", {"sql": "SELECT * FROM creatures"}),
    ("query", {"sql": "describe spells"}),
    ("list_documents", {}),
    ("list_documents", {"source": "orcbrew"}),
]


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=lambda part: part if isinstance(part, str) else "")
def test_answers_match_the_published_schema_and_their_own_text(call, tool, arguments):
    result = call(tool, arguments)
    assert not result.is_error
    schema = exact_schema(tool_named(tool))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(result.structured_content)
    (content,) = result.content
    assert json.loads(content.text) == result.structured_content


LOOK_UPS = [
    ("lookup_spell", {"name": "fireball"}),
    ("lookup_spell", {"name": "fierball"}),
    ("lookup_creature", {"limit": 2}),
    ("lookup_equipment", {"limit": 2, "detail": "summary"}),
    ("lookup_character_option", {"type": "class"}),
    ("lookup_rule", {"rule_type": "condition"}),
]


@pytest.mark.parametrize(("tool", "arguments"), LOOK_UPS, ids=lambda part: part if isinstance(part, str) else "")
def test_markdown_has_the_sheets_of_the_same_records(call, tool, arguments):
    as_json, as_markdown = call(tool, arguments), call(tool, arguments | {"format": "Markdown"})
    answer = as_markdown.structured_content
    assert answer == as_json.structured_content
    (content,) = as_markdown.content
    *sheets, notes = content.text.split("\n\n---\n\n")
    assert sheets == [render(record) for record in answer["results"]]
    assert notes.startswith(f"*{answer['count']} of {answer['total']}.")
    assert all(suggestion in notes for suggestion in answer["suggestions"])


def test_documents_can_be_listed_as_text(call):
    result = call("list_documents", {"format": "text"})
    (content,) = result.content
    assert content.text == result.structured_content["text"]
    jsonschema.validate(result.structured_content, exact_schema(tool_named("list_documents")))
    lines = content.text.splitlines()
    assert "System Reference Document 5.1" in content.text
    assert lines[-1].split()[0] == str(result.structured_content["count"])
    assert int(lines[-1].split()[-1]) == sum(row["entity_count"] for row in result.structured_content["results"])


def test_the_table_of_documents_is_aligned():
    row = {"document_key": "a", "document_name": "A", "source_api": "s", "game_system": None, "license": "L"}
    header, rule, first, second, _, total = table_text(
        [row | {"entity_count": 12_345}, row | {"document_key": "long-key", "entity_count": 1}], 12_346
    ).splitlines()
    assert header.index("license") == first.index("L") == second.index("L")
    assert len({line.index(number) + len(number) for line, number in ((first, "12,345"), (total, "12,346"))}) == 1
    assert set(rule) == {"-"}


def test_refusals_carry_text_only(call):
    result = call("search_spell", {"school": "evocatoin"})
    assert result.is_error
    assert result.structured_content is None
    assert 'Did you mean "evocation"?' in result.content[0].text


def test_an_internal_error_is_short_and_logged_with_its_traceback(
    tiny_library: Library, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async def failing() -> str:
        async with Client(create_server(LibraryHolder(tiny_library))) as client:
            result = await client.call_tool("lookup_spell", {"name": "x"}, raise_on_error=False)
            assert result.is_error
            return result.content[0].text

    monkeypatch.setattr(Library, "find", lambda *_: 1 / 0)
    with caplog.at_level(logging.ERROR, logger="server.tools.adapter"):
        message = asyncio.run(failing())
    assert "division" not in message
    assert len(message) < 100
    (record,) = caplog.records
    assert message.split()[2].rstrip(":") in record.getMessage()
    assert "ZeroDivisionError" in caplog.text


def test_unknown_tools_are_refused(call):
    refused = call("search_spel", {"search": "fire"})
    assert refused.is_error
    assert refused.content[0].text.startswith(
        'There is no tool "search_spel". Did you mean "search_spell"? The tools: '
    )


def test_names_of_unknown_tools_are_not_logged(call, caplog: pytest.LogCaptureFixture):
    """Callers choose them: they could forge lines of the log, or fill it."""
    assert call("no such tool\nINFO lorekeeper: all is well", {}).is_error
    assert not caplog.records


def test_the_former_name_of_search_all_gets_the_new_one(tiny_library: Library):
    async def refused() -> str:
        async with Client(create_server(LibraryHolder(tiny_library))) as client:
            result = await client.call_tool("search_dnd_content", {"query": "fire"}, raise_on_error=False)
            assert result.is_error
            return result.content[0].text

    assert "Use search_all." in asyncio.run(refused())


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_both_protocols_get_the_same_answers(tiny_library: Library, mode):
    async def ask() -> dict:
        async with Client(create_server(LibraryHolder(tiny_library)), mode=mode) as client:
            return (await client.call_tool("lookup_spell", {"name": "fireball"})).structured_content

    assert asyncio.run(ask())["results"][0]["name"] == "Fireball"
