"""Generated calls of every tool: whatever a model sends is answered, or refused in one clear line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from benchmarks.reliability.outcome import Row, say
from server.dataset.load import load_dataset
from server.library.library import Library
from server.library.requests.request import RequestError
from server.tools.registry import TOOLS
from server.tools.tool import Tool

AT_ONCE: Final = 2
MOST_CHARACTERS: Final = 700
"""Maximum length of a refusal: the longest lists two dozen content types."""

JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
WORDS: Final = st.sampled_from(
    ["", " ", "fire", "f*", "%", "?", "(a|b)*", "evocation", "1/4", "yes", "wizard", "srd-5e", "class", "rule", "all"]
)
SENSIBLE: Final = WORDS | st.booleans() | st.integers(-1, 40) | st.lists(WORDS, max_size=2)


def arguments_of(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments for a tool: mostly its own parameters with plausible values, sometimes anything."""
    required = {p.name: st.sampled_from(p.schema.get("enum", ["", "fire"])) for p in tool.parameters if p.required}
    names = [p.name for p in tool.parameters]
    known = {
        p.name: SENSIBLE | st.sampled_from(p.schema.get("enum", [None])) for p in tool.parameters if not p.required
    }
    return st.one_of(
        st.fixed_dictionaries(required, optional=known),
        st.fixed_dictionaries({}, optional=dict.fromkeys(names, JSON)),
        st.dictionaries(st.sampled_from([*names, "name", "document", "lvl"]) | st.text(max_size=8), JSON, max_size=4),
    )


def run(dataset: Path, calls: int, number: int) -> Row:
    """Try `calls` generated calls of each tool on the library of a dataset.

    Args:
        dataset: its folder.
        calls: number of calls of each tool.
        number: the seed.
    """
    names = [tool.name for tool in TOOLS]
    row = Row("generated calls of every tool", calls * len(names), "answered in JSON or refused in one line")
    with ProcessPoolExecutor(AT_ONCE, mp_context=get_context("spawn")) as pool:
        shares = [names[start::AT_ONCE] for start in range(AT_ONCE)]
        for wrong in pool.map(_try_tools, [dataset] * AT_ONCE, shares, [calls] * AT_ONCE, [number] * AT_ONCE):
            row.wrong += wrong
    return row


def _try_tools(dataset: Path, names: Sequence[str], calls: int, number: int) -> list[str]:
    library = Library(load_dataset(dataset))
    try:
        return [wrong for tool in TOOLS if tool.name in names for wrong in _try(library, tool, calls, number)]
    finally:
        library.close()


def _try(library: Library, tool: Tool, calls: int, number: int) -> list[str]:
    """What is wrong with a tool, with the smallest call that shows it."""

    @seed(number)
    @settings(max_examples=calls, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(arguments=arguments_of(tool))
    def answered_or_refused(arguments: dict[str, Any]) -> None:
        try:
            answer = tool.call(library, arguments)
        except RequestError as error:
            refusal = str(error)
            assert 0 < len(refusal) < MOST_CHARACTERS, refusal
            assert len(refusal.splitlines()) == 1, refusal
        else:
            json.dumps(answer, allow_nan=False)

    try:
        answered_or_refused()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
        notes = " ".join(getattr(error, "__notes__", []))
        return [f"{tool.name}: {type(error).__name__}: {error} {notes}".replace("\n", " ")[:500]]
    say(f"generated calls of {tool.name}")
    return []
