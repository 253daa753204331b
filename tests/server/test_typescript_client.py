"""The official TypeScript client on stdio and HTTP: Ajv in strict mode accepts every schema and answer.

Needs `node`, and @modelcontextprotocol/sdk and ajv in the folder that LOREKEEPER_NODE_MODULES names or in
./node_modules.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import serving
from tool_calls import ANSWERS, FINDERS, REQUIRED, family_of, refusals_of

from server.dataset.schema import RULE_TYPES
from server.tools.registry import TOOLS

CLIENT = Path(__file__).with_name("typescript_client.cjs")
NODE_MODULES = Path(os.environ.get("LOREKEEPER_NODE_MODULES", "node_modules")).resolve()
TOOLSETS = ("--toolsets", "search,lookup,query,compat,research,table")

PATIENCE = 240
"""Seconds for all its calls."""

Calls = list[tuple[str, dict[str, Any]]]

ANSWERED: Calls = [
    *((tool, call) for tool, calls in ANSWERS.items() for call in calls.values()),
    *((tool, REQUIRED.get(family_of(tool), {}) | {"limit": 100}) for tool in FINDERS),
    *(
        (tool, {"type": kind})
        for tool in FINDERS
        if tool.endswith("_option")
        for kind in ("race", "background", "feat")
    ),
    *(("lookup_rule", {"rule_type": kind, "limit": 100}) for kind in RULE_TYPES),
    ("search_all", {"query": "heal wounds", "limit": 100}),
    ("search_all", {"query": "", "limit": 100, "offset": 400}),
    ("list_documents", {"format": "text"}),
]
"""The calls that have snapshots, and large pages of everything."""

REFUSED: Calls = [(tool, call) for tool in ANSWERS for call in refusals_of(tool)]


def what_is_missing() -> str | None:
    if shutil.which("node") is None:
        return "node is not installed"
    missing = [name for name in ("@modelcontextprotocol/sdk", "ajv") if not (NODE_MODULES / name).is_dir()]
    return f"{', '.join(missing)} not in {NODE_MODULES}" if missing else None


pytestmark = pytest.mark.skipif(bool(reason := what_is_missing()), reason=reason or "")


def ask(server: str) -> dict[str, Any]:
    """The client's report on a server, given as URL or as command line in JSON."""
    done = subprocess.run(
        ["node", str(CLIENT), server, json.dumps([*ANSWERED, *REFUSED])],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"NODE_PATH": str(NODE_MODULES)},
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def over_stdio(starter_dataset: Path) -> dict[str, Any]:
    return ask(json.dumps([*serving.SERVE, *TOOLSETS, "--dataset", str(starter_dataset)]))


@pytest.fixture(scope="module")
def over_http(starter_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with serving.over_http(starter_dataset, tmp_path_factory.mktemp("http") / "log", *TOOLSETS) as address:
        return ask(address)


def test_every_schema_and_answer_passes_ajv(over_stdio):
    assert {tool["name"] for tool in over_stdio["tools"]} == {tool.name for tool in TOOLS}
    assert "list_documents" in over_stdio["instructions"]
    required = {tool["name"]: tool["inputSchema"].get("required", []) for tool in over_stdio["tools"]}
    for (tool, arguments), answer in zip(ANSWERED, over_stdio["answers"], strict=False):
        said = f"{tool} {arguments}"
        assert not answer["refused"], said
        left_out = [name for name in required[tool] if name not in arguments]  # accepted, although outside the schema
        assert [error["params"].get("missingProperty") for error in answer["input_errors"]] == left_out, said
        assert answer["output_errors"] == [], said
        found = answer["structured"]
        nothing = found == {"results": []}  # the format of `search` has no field for a message
        assert nothing or any(found.get(part) for part in ("results", "rows", "text", "message")), said
        assert answer["text"] == found.get("text") or json.loads(answer["text"]) == found, said


def test_refusals_are_text_only(over_stdio):
    for (tool, arguments), answer in zip(REFUSED, over_stdio["answers"][len(ANSWERED) :], strict=True):
        assert answer["refused"], f"{tool} {arguments}"
        assert answer["structured"] is None
        assert len(answer["text"].splitlines()) == 1


def test_http_gives_the_answers_of_stdio(over_stdio, over_http):
    assert over_http == over_stdio
