"""The official TypeScript client over stdio and HTTP: Ajv in strict mode accepts every schema and every answer.

Runs where `node` is, and @modelcontextprotocol/sdk and ajv in the folder that LOREKEEPER_NODE_MODULES names, or in
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

CLIENT = Path(__file__).with_name("typescript_client.cjs")
NODE_MODULES = Path(os.environ.get("LOREKEEPER_NODE_MODULES", "node_modules")).resolve()
TOOLSETS = ("--toolsets", "search,lookup,compat")

ANSWERED: list[tuple[str, dict[str, Any]]] = [
    ("search_spell", {"search": "fire", "level_max": 3}),
    ("search_spell", {"documents": []}),
    ("search_spell", {"documents": ["srd-2015"]}),
    ("search_spell", {"level": 9, "school": "evocation", "ritual": True}),
    ("lookup_spell", {"name": "fireball"}),
    ("lookup_spell", {"name": "fierball"}),
    ("lookup_spell", {"limit": 100, "detail": "summary"}),
    ("search_creature", {"search": "undead", "cr_max": "1/2"}),
    ("lookup_creature", {"limit": 100}),
    ("search_equipment", {"search": "sword", "requires_attunement": True}),
    ("lookup_equipment", {"limit": 100}),
    *(
        (tool, {"type": kind})
        for tool in ("search_character_option", "lookup_character_option")
        for kind in ("class", "race", "background", "feat")
    ),
    ("search_rule", {"rule_type": "rule", "search": "when I fall"}),
    *(
        ("lookup_rule", {"rule_type": kind})
        for kind in ("rule", "condition", "damage-type", "skill", "language", "alignment")
    ),
    ("search_all", {"query": "heal wounds", "limit": 100}),
    ("search_all", {"query": "", "limit": 100, "offset": 40}),
    ("search_dnd_content", {"query": "fire", "content_types": ["Spell"]}),
    ("list_documents", {}),
    ("list_documents", {"format": "text"}),
]
REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("search_spell", {"level": True}),
    ("search_spell", {"lvl": 3}),
    ("lookup_rule", {"rule_type": "spell"}),
]


def what_is_missing() -> str | None:
    if shutil.which("node") is None:
        return "node is not installed"
    missing = [name for name in ("@modelcontextprotocol/sdk", "ajv") if not (NODE_MODULES / name).is_dir()]
    return f"{', '.join(missing)} not in {NODE_MODULES}" if missing else None


pytestmark = pytest.mark.skipif(bool(reason := what_is_missing()), reason=reason or "")


def ask(server: str) -> dict[str, Any]:
    """What the client saw of a server, given as URL or as command line in JSON."""
    done = subprocess.run(
        ["node", str(CLIENT), server, json.dumps([*ANSWERED, *REFUSED])],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"NODE_PATH": str(NODE_MODULES)},
        check=False,
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
    assert len(over_stdio["tools"]) == 13
    assert "list_documents" in over_stdio["instructions"]
    for (tool, arguments), answer in zip(ANSWERED, over_stdio["answers"], strict=False):
        said = f"{tool} {arguments}"
        assert not answer["refused"], said
        assert answer["input_errors"] == answer["output_errors"] == [], said
        assert answer["structured"]["results"] or answer["structured"]["message"], said
        text = answer["structured"].get("text") or json.loads(answer["text"])
        assert text in (answer["text"], answer["structured"]), said


def test_refusals_are_text(over_stdio):
    for (tool, arguments), answer in zip(REFUSED, over_stdio["answers"][len(ANSWERED) :], strict=True):
        assert answer["refused"], f"{tool} {arguments}"
        assert answer["structured"] is None
        assert next(iter(arguments)) in answer["text"]
        assert len(answer["text"].splitlines()) == 1


def test_http_answers_as_stdio_does(over_stdio, over_http):
    assert over_http == over_stdio
