"""The game's small vocabularies are declared once, in `server/dataset/vocabulary.py`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from server.dataset import vocabulary

ROOT = Path(__file__).parents[1]
HOME = ROOT / "server" / "dataset" / "vocabulary.py"
FEWEST = 6
"""Shorter lists could occur by chance."""
VOCABULARIES = {
    name: frozenset(words)
    for name, words in vars(vocabulary).items()
    if name.isupper()
    and isinstance(words, tuple | dict)
    and len(words) >= FEWEST
    and isinstance(next(iter(words)), str)
}


def test_no_module_lists_a_vocabulary_again() -> None:
    assert {"ABILITIES", "ABILITY_OF_SKILL", "CONDITIONS", "DAMAGE_TYPES", "SCHOOLS", "SIZES"} <= VOCABULARIES.keys()
    modules = [file for package in ("server", "build_pipeline") for file in sorted((ROOT / package).rglob("*.py"))]
    assert not [
        f"{file.relative_to(ROOT)}:{line} has {name}"
        for file in modules
        if file != HOME
        for line, name in repeated(file.read_text(encoding="utf-8"))
    ]


def test_lists_and_patterns_with_all_words_are_found() -> None:
    listed = f"A = {(*reversed(vocabulary.MASTERIES), 'daze')}\n"
    written = f"B = re.compile(r'\\b(?:{'|'.join(vocabulary.SIZES)})\\b')\n"
    translated = "C = {'tiny': 't', 'small': 's', 'medium': 'm', 'large': 'l', 'huge': 'h', 'gargantuan': 'g'}\n"
    assert list(repeated(listed + written + translated)) == [(1, "MASTERIES"), (2, "SIZES")]


def repeated(module: str) -> Iterator[tuple[int, str]]:
    """(line, vocabulary) of lists and patterns with all words of one; keys of a mapping are allowed."""
    possible = {name: words for name, words in VOCABULARIES.items() if all(word in module for word in words)}
    for node in ast.walk(ast.parse(module)) if possible else ():
        words: set[object] = set()
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            words = {each.value for each in node.elts if isinstance(each, ast.Constant)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "|" in node.value:
            words = set(re.findall(r"[a-z_-]+", node.value))
        yield from ((node.lineno, name) for name, all_of_it in possible.items() if all_of_it <= words)
