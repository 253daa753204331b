"""The measurements with their floors and targets, as Markdown and as JSON."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    Attributes:
        what: what was measured.
        measured: the value, in `unit`.
        unit: ms, MB, s, a second.
        floor: the floor's value, measured in the same run; None if there is none.
        target: the maximum, or with `at_least` the minimum, as a multiple of the floor or, without one, in `unit`; None
            if there is no target.
        at_least: whether more is better.
        note: anything else that should be known.
    """

    what: str
    measured: float
    unit: str
    floor: float | None = None
    target: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def value(self) -> float:
        """The value that is compared with the target."""
        return self.measured if self.floor is None else self.measured / self.floor

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None if there is none."""
        if self.target is None:
            return None
        return self.value >= self.target if self.at_least else self.value <= self.target


def median_row(what: str, seconds: Sequence[float], floor: Sequence[float], target: float | None = None) -> Row:
    """A row of medians in milliseconds; both series are in seconds."""
    return Row(what, 1000 * statistics.median(seconds), "ms", 1000 * statistics.median(floor), target)


def as_markdown(rows: Iterable[Row]) -> str:
    """The table."""
    lines = ["| what | measured | floor | ratio | target | met | |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        floor, ratio = ("", "") if row.floor is None else (_quantity(row.floor, row.unit), f"{row.value:.2f}")
        bound = "" if row.target is None else f"{'≥' if row.at_least else '≤'} {_target(row)}"
        met = {None: "", True: "yes", False: "**no**"}[row.met]
        cells = (row.what, _quantity(row.measured, row.unit), floor, ratio, bound, met, row.note)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def write(rows: Sequence[Row], conditions: dict[str, str], folder: Path) -> None:
    """Write `bench.md` and `bench.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = "".join(f"- {name}: {value}\n" for name, value in conditions.items())
    (folder / "bench.md").write_text(f"{as_markdown(rows)}\n{listed}", encoding="utf-8")
    measured = [{**asdict(row), "value": row.value, "met": row.met} for row in rows]
    text = json.dumps({"conditions": conditions, "rows": measured}, ensure_ascii=False, indent=1)
    (folder / "bench.json").write_text(text + "\n", encoding="utf-8")


def _target(row: Row) -> str:
    return f"{row.target:g}" if row.floor is not None else _quantity(row.target or 0, row.unit)


def _quantity(number: float, unit: str) -> str:
    digits = 2 if number < 10 else 1 if number < 100 else 0  # noqa: PLR2004 - three figures
    return f"{number:,.{digits}f} {unit}"
