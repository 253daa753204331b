"""Constants are declared: a module's names in capitals are Final or type variables."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_constants_are_final() -> None:
    modules = [file for package in ("server", "build_pipeline") for file in sorted((ROOT / package).rglob("*.py"))]
    assert not [f"{file.relative_to(ROOT)}: {name}" for file in modules for name in open_constants(file.read_text())]


def test_only_constants_without_final_are_found() -> None:
    module = "_A = 1\nB: str = ''\nC: Final = 2\nD: Final[int] = 3\nT = TypeVar('T')\nWord = str\nE, F = 4, 5\n"
    assert list(open_constants(module)) == ["_A", "B"]


def open_constants(module: str) -> Iterator[str]:
    """Names in capitals that a module assigns without Final, except in an unpacking, where Final is impossible."""
    for statement in ast.parse(module).body:
        match statement:
            case ast.Assign(targets=[ast.Name(name)], value=value) if name.isupper() and not _is_of_types(value):
                yield name
            case ast.AnnAssign(target=ast.Name(name), annotation=said) if name.isupper():
                if not ast.unparse(said).startswith(("Final", "TypeAlias")):
                    yield name


def _is_of_types(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) in {"TypeVar", "ParamSpec"}
