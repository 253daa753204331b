"""The contracts between packages: import-linter reports every breach."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT: Final = Path(__file__).parents[1]

BREACHES: Final = {
    "server-without-builder": [("server/library/requests/filters.py", "build_pipeline.tables")],
    "builder-knows-the-contract": [
        ("build_pipeline/index/passages.py", "server.library.requests.filters"),
        ("build_pipeline/release/package.py", "server.store.pull"),
    ],
    "builder-stages": [
        ("build_pipeline/snapshot/raw.py", "build_pipeline.normalize.merging.draft"),
        ("build_pipeline/normalize/records.py", "build_pipeline.check.checks"),
        ("build_pipeline/normalize/spells/spells.py", "build_pipeline.sources"),
        ("build_pipeline/check/checks.py", "build_pipeline.index.vocabulary.tagging"),
        ("build_pipeline/index/passages.py", "build_pipeline.evaluation.metrics"),
        ("build_pipeline/release/package.py", "build_pipeline.pipeline"),
        ("build_pipeline/tables.py", "build_pipeline.snapshot.raw"),
    ],
    "normalize-layers": [
        ("build_pipeline/normalize/text/dice.py", "build_pipeline.normalize.merging.draft"),
        ("build_pipeline/normalize/merging/draft.py", "build_pipeline.normalize.spells.spells"),
        ("build_pipeline/normalize/spells/spells.py", "build_pipeline.normalize.homebrew.items"),
        ("build_pipeline/normalize/spells/spells.py", "build_pipeline.normalize.rules.rules"),
        ("build_pipeline/normalize/homebrew/items.py", "build_pipeline.normalize.records"),
    ],
    "server-layers": [
        ("server/dataset/schema.py", "server.store.home"),
        ("server/library/requests/filters.py", "server.tools.values"),
        ("server/store/home.py", "server.library.requests.filters"),
        ("server/tools/values.py", "server.commands.options"),
        ("server/tools/values.py", "server.pages.html"),
    ],
    "library-layers": [
        ("server/library/queries/questions.py", "server.library.ranking.ranking"),
        ("server/library/names/name_words.py", "server.library.messages"),
        ("server/library/messages.py", "server.library.documents.titles"),
        ("server/library/finder.py", "server.library.search"),
        ("server/library/search.py", "server.library.hints.other_places"),
    ],
    "library-without-mcp": [("server/library/requests/filters.py", "fastmcp")],
    "sheets-without-mcp": [
        ("server/sheets/sheet.py", "fastmcp"),
        ("server/sheets/rules.py", "server.library.requests.filters"),
    ],
    "pages-without-mcp": [("server/pages/layout.py", "fastmcp"), ("server/pages/fields.py", "server.tools.adapter")],
    "tools-without-engine": [
        ("server/pages/fields.py", "polars"),
        ("server/tools/values.py", "polars"),
        ("server/tools/values.py", "server.library.ranking.encoder"),
    ],
    "server-without-training": [("server/dataset/load.py", "torch")],
    "web-only-to-download": [("server/library/requests/filters.py", "httpx")],
}
"""Contract → module and an import that it must not have."""

CYCLES: Final = {
    "server.library": ("server/library/queries/without_books.py", "server.library.closed.books"),
    "build_pipeline.snapshot": ("build_pipeline/snapshot/endpoints.py", "build_pipeline.snapshot.web.origin"),
}
"""Package → module of it and an import that makes a cycle in it."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source, to be changed."""
    copy = tmp_path_factory.mktemp("house")
    for wing in ("server", "build_pipeline"):
        shutil.copytree(ROOT / wing, copy / wing, ignore=lambda _, names: {n for n in names if n == "__pycache__"})
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def lint(house: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-logo")
    environment = {**os.environ, "PYTHONPATH": str(house), "NO_COLOR": "1", "COLUMNS": "200"}
    return subprocess.run([*command, *options], cwd=house, env=environment, capture_output=True, text=True, check=False)


def test_every_contract_holds_and_has_a_test(house: Path) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    assert {contract["id"] for contract in contracts} == {*BREACHES, "no-cycles"}
    result = lint(house)
    assert result.returncode == 0, result.stdout
    assert f"Contracts: {len(contracts)} kept, 0 broken." in result.stdout


def lint_with(house: Path, imports: Iterable[tuple[str, str]], contract: str) -> str:
    """What the linter prints about modules with forbidden imports."""
    imports = list(imports)
    texts = {house / module: (house / module).read_text(encoding="utf-8") for module, _ in imports}
    try:
        for module, imported in imports:
            with (house / module).open("a", encoding="utf-8") as file:
                file.write(f"\nimport {imported}\n")
        result = lint(house, "--contract", contract)
    finally:
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
    assert result.returncode == 1, result.stdout
    return result.stdout


@pytest.mark.parametrize("contract", BREACHES)
def test_every_breach_is_reported(house: Path, contract: str) -> None:
    printed = lint_with(house, BREACHES[contract], contract)
    for module, imported in BREACHES[contract]:
        importer = module.removesuffix(".py").replace("/", ".")
        assert f"{importer} -> {imported} (l." in printed


def test_every_cycle_is_reported(house: Path) -> None:
    printed = lint_with(house, CYCLES.values(), "no-cycles")
    for package in CYCLES:
        assert f"No cycles are allowed in {package}.\n" in printed
