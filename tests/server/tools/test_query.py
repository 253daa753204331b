"""`query` through a client: columns, rows, their documents, and what is visible."""

import asyncio
import json
from pathlib import Path

import pytest
from fastmcp import Client

from server.app import create_server
from server.dataset.load import load_dataset
from server.library.library import Library
from server.swap import LibraryHolder


def test_rows_follow_the_columns_and_name_their_documents(call):
    asked = "SELECT name, level, document_key FROM spells WHERE level >= 3 ORDER BY level DESC, name"
    answer = call("query", {"sql": asked, "limit": "2"}).structured_content
    assert answer["columns"] == ["name", "level", "document_key"]
    assert answer["rows"][0] == ["Delayed Blast Fireball", 7, "srd-2014"]
    assert (answer["row_count"], answer["truncated"]) == (2, True)
    assert answer["documents"] == {"srd-2014": "System Reference Document 5.1"}
    assert "raise limit" in answer["message"]


def test_the_examples_of_the_description_work(call, listing):
    (description,) = [t.description for t in listing.tools if t.name == "query"]
    examples = [part.split('"')[1] for part in description.split("E.g. ")[1].split("sql=")[1:]]
    assert len(examples) == 2
    for example in examples:
        assert not call("query", {"sql": example}).is_error


def test_every_column_that_the_description_names_exists(call, listing):
    (description,) = [t.description for t in listing.tools if t.name == "query"]
    common, *tables = [line for line in description.splitlines() if ": " in line and not line.startswith("E.g.")][1:]
    for line in "; ".join(tables).split("; "):
        table, _, named = line.partition(": ")
        columns = [word.split("[")[0].split(" ")[0] for word in named.split(", ") if "}" not in word or "{" in word]
        shared = common.partition(": ")[2].replace("[]", "").split(", ") if table not in {"documents", "tags"} else []
        result = call("query", {"sql": f"SELECT {', '.join(columns + shared)} FROM {table}"})
        assert not result.is_error, result.content[0].text


def test_mistakes_are_refused_with_corrections(call):
    refused = call("query", {"sql": "SELECT nmae FROM spells"})
    assert refused.is_error
    assert "Similar names: spells.name" in refused.content[0].text
    assert "SELECT 1 FROM" not in refused.content[0].text


@pytest.fixture
def limited(tiny_folder: Path):
    library = Library(load_dataset(tiny_folder), documents=["hearth"], max_response_chars=2_000)
    yield library
    library.close()


def test_only_served_documents_are_visible_within_the_budget(limited: Library):
    async def ask(sql: str):
        async with Client(create_server(LibraryHolder(limited))) as client:
            return await client.call_tool("query", {"sql": sql})

    answer = asyncio.run(ask("SELECT DISTINCT document_key FROM spells")).structured_content
    assert answer["documents"] == {"hearth": "Tales of the Hearth"}
    wide = asyncio.run(ask("SELECT s.*, t.description AS again FROM spells s, spells t, spells u, spells v"))
    assert wide.structured_content["truncated"]
    assert len(json.dumps(wide.structured_content)) <= 2_000
