"""The official MCP conformance suite: applicable scenarios pass; the others are listed with the reason.

Needs `node`, and @modelcontextprotocol/conformance in the folder that LOREKEEPER_NODE_MODULES names or in
./node_modules.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import serving

NOT_APPLICABLE = json.loads(Path(__file__).with_name("conformance_not_applicable.json").read_text("utf-8"))
NODE_MODULES = Path(os.environ.get("LOREKEEPER_NODE_MODULES", "node_modules")).resolve()
SUITE = NODE_MODULES / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
TOOLSETS = ("--toolsets", "search,lookup,query,compat,research,table")
PATIENCE = 240
"""Seconds for all scenarios."""
APPLY = {
    "server-initialize", "logging-set-level", "ping", "completion-complete", "tools-list", "tools-call-error",
    "resources-list", "prompts-list", "dns-rebinding-protection",
}  # fmt: skip

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
    pytest.mark.skipif(not SUITE.is_file(), reason=f"@modelcontextprotocol/conformance is not in {NODE_MODULES}"),
]


@pytest.fixture(scope="module")
def scenarios(tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, int]]:
    """Scenario → passed and failed checks."""
    folder = tmp_path_factory.mktemp("conformance")
    with serving.over_http(tiny_folder, folder / "log", *TOOLSETS) as address:
        done = subprocess.run(
            ["node", str(SUITE), "server", "--url", address, "--suite", "all"],
            capture_output=True, text=True, encoding="utf-8", cwd=folder, check=False, timeout=PATIENCE,
        )  # fmt: skip
    found = re.findall(r"^\S ([\w-]+): (\d+) passed, (\d+) failed", done.stdout, re.MULTILINE)
    assert found, done.stderr
    return {name: (int(passed), int(failed)) for name, passed, failed in found}


def test_only_inapplicable_scenarios_fail(scenarios: dict[str, tuple[int, int]]) -> None:
    assert {name for name, (_, failed) in scenarios.items() if failed} == set(NOT_APPLICABLE)


def test_applicable_scenarios_pass(scenarios: dict[str, tuple[int, int]]) -> None:
    assert {name for name in APPLY if scenarios[name][0]} == APPLY
