"""Two servers with one dataset: either answers any request with the same bytes."""

import random
from pathlib import Path

import httpx
import pytest
from serving import over_http
from tool_calls import ANSWERS

HEADERS = {"Accept": "application/json, text/event-stream"}
PAGES = ["/", "/?q=fire", "/?q=fire&offset=10", "/creature/srd-2014/goblin", "/licenses", "/nowhere"]


@pytest.mark.thorough
def test_either_server_gives_the_same_bytes(starter_dataset: Path, tmp_path: Path) -> None:
    calls = [(tool, arguments) for tool, cases in ANSWERS.items() for arguments in cases.values()]
    calls += [("search_all", {"query": "fire", "limit": 3, "offset": offset}) for offset in range(0, 30, 3)]
    toolsets = ("--toolsets", "search,lookup,query,compat,research,table")
    with (
        over_http(starter_dataset, tmp_path / "one.log", *toolsets) as one,
        over_http(starter_dataset, tmp_path / "two.log", *toolsets) as two,
        httpx.Client(trust_env=False, timeout=30, headers=HEADERS) as client,
    ):
        rng = random.Random(20261122)
        first: dict[int, bytes] = {}
        asked = [*range(len(calls) + len(PAGES))] * 3
        rng.shuffle(asked)
        reached: dict[int, set[str]] = {}
        for number in asked:
            server = rng.choice([one, two])
            if number < len(calls):
                name, arguments = calls[number]
                params = {"name": name, "arguments": arguments}
                body = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
                answer = client.post(server, json=body)
            else:
                answer = client.get(server.removesuffix("/mcp") + PAGES[number - len(calls)])
            assert answer.content == first.setdefault(number, answer.content)
            reached.setdefault(number, set()).add(server)
        assert sum(len(servers) == 2 for servers in reached.values()) > len(reached) / 2
