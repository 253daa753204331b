"""The measurements at each size, and how they grow: as a table, as JSON and as a chart."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.growth.drawing import drawing

Measured = Mapping[str, float]
"""Quantity → value at one size, including `entities`."""

_LIMIT: Final = 50
"""Milliseconds that a call may take at the 95th percentile."""
_DRAWN: Final = ", p95 ms"


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The slope of a straight line through the logarithms: 0 for constant values, 1 for values that grow linearly."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def as_table(sizes: Sequence[Measured]) -> str:
    """One line per quantity, one column per size, and the exponent if there are several sizes."""
    entities = [size["entities"] for size in sizes]
    heads = ["", *(f"{number:,.0f} entities" for number in entities), "exponent"]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for what in sizes[0]:
        if what != "entities":
            values = [size[what] for size in sizes]
            slope = f"{exponent(entities, values):.2f}" if len(sizes) > 1 else ""
            lines.append(f"| {' | '.join([what, *map(_quantity, values), slope])} |")
    return "\n".join(lines) + "\n"


def as_index_table(measured: Sequence[Mapping[str, Any]]) -> str:
    """For each size and index: seconds to build it, and under each filter recall@20 and the 95th percentile in ms."""
    filters = list(dict.fromkeys(each["filter"] for size in measured for each in size["found"]))
    lines = [f"| passages | index | made in s | {' | '.join(filters)} |", "|---" * (3 + len(filters)) + "|"]
    for size in measured:
        for name in dict.fromkeys(each["index"] for each in size["found"]):
            of_index = {each["filter"]: each for each in size["found"] if each["index"] == name}
            cells = [f"{of_index[each]['recall']:.3f}, {of_index[each]['p95 ms']:.1f}" for each in filters]
            built = next(iter(of_index.values()))["build s"]
            lines.append(f"| {size['vectors']:,} | {name} | {built:.1f} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def write(
    sizes: Sequence[Measured], indexes: Sequence[Mapping[str, Any]], conditions: Mapping[str, str], folder: Path
) -> None:
    """Write `growth.md`, `growth.json`, and `growth.svg` if there are several sizes."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = "".join(f"- {name}: {value}\n" for name, value in conditions.items())
    tables = [as_table(sizes), *([as_index_table(indexes)] if indexes else []), listed]
    (folder / "growth.md").write_text("\n".join(tables), encoding="utf-8")
    found = {"conditions": conditions, "sizes": sizes, "indexes": indexes}
    (folder / "growth.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if len(sizes) > 1:
        lines = {
            what.removesuffix(_DRAWN): [(size["entities"], size[what]) for size in sizes]
            for what in sizes[0]
            if what.endswith(_DRAWN)
        }
        (folder / "growth.svg").write_text(drawing(lines, "entities", "ms (p95)", _LIMIT), encoding="utf-8")


def _quantity(value: float) -> str:
    return f"{value:,.{2 if value < 10 else 1 if value < 100 else 0}f}"  # noqa: PLR2004 - three figures
