"""`search` and `fetch` have the format of ChatGPT's connectors."""

import json

import pytest

from server.library.library import Library
from server.pages.addresses import of_entity
from server.sheets.sheet import render
from server.tools.registry import tool_named, tools_of


@pytest.fixture
def found(call):
    return call("search", {"query": "fire"})


def test_a_search_returns_ids_titles_and_urls_as_one_text(found):
    (content,) = found.content
    assert content.type == "text"
    assert json.loads(content.text) == found.structured_content
    assert found.structured_content.keys() == {"results"}
    assert found.structured_content["results"]
    assert all(result.keys() == {"id", "title", "url"} for result in found.structured_content["results"])


def test_results_can_be_fetched(call, found, tiny_library: Library):
    for result in found.structured_content["results"]:
        fetched = call("fetch", {"id": result["id"]})
        (content,) = fetched.content
        record = fetched.structured_content
        assert json.loads(content.text) == record
        assert record.keys() == {"id", "title", "text", "url", "metadata"}
        assert {name: record[name] for name in result} == result
        assert record["text"] == render(tiny_library.entity(result["id"]))
        assert record["metadata"]["document_key"] in tiny_library.document_keys


def test_the_url_of_a_record_is_its_resource(call, found):
    for result in found.structured_content["results"]:
        assert result["url"] == f"lorekeeper://{result['id']}"
        assert call("fetch", {"id": result["url"]}).structured_content["id"] == result["id"]


def test_an_unknown_id_is_refused(call):
    refused = call("fetch", {"id": "spell/srd-2014/firebll"})
    assert refused.is_error
    assert "firebll" in refused.content[0].text


@pytest.mark.parametrize("tool", ["search", "fetch"])
def test_each_tool_has_one_string_parameter(tool):
    (parameter,) = tool_named(tool).parameters
    assert (parameter.schema, parameter.required) == ({"type": "string"}, True)


@pytest.fixture
def at_pages(tiny_library: Library):
    """Calls tools of a server whose public URL is https://lore.example."""
    tools = {tool.name: tool for tool in tools_of(["research"], "https://lore.example")}
    return lambda name, arguments: tools[name].call(tiny_library, arguments)


def test_with_a_public_url_the_url_of_a_record_is_its_page(at_pages):
    for result in at_pages("search", {"query": "fire"})["results"]:
        assert result["url"] == f"https://lore.example{of_entity(result['id'])}"
        for known in (result["url"], result["id"], f"lorekeeper://{result['id']}"):
            assert at_pages("fetch", {"id": known})["url"] == result["url"]
