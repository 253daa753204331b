"""Writes the table in `docs/reliability.md` from the parts' measurements, each with its day and its dataset."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from benchmarks.reliability.outcome import Row

PAGE: Final = Path(__file__).parents[2] / "docs" / "reliability.md"
BEGIN: Final = "<!-- measured: written by `make reliability` -->"
END: Final = "<!-- end of measured -->"
_SHOWN: Final = 3
"""Maximum number of failures per row on the page."""


def record(page: Path, part: str, about: dict[str, Any], rows: Sequence[Row]) -> None:
    """Put a part's measurements into a page, together with those of the other parts.

    Args:
        page: the page; the measurements are next to it in a JSON file of the same name.
        part: the part's name; the page has the parts in the order in which they were first measured.
        about: `date`, `dataset` and `seconds` of the run.
        rows: the part's rows.
    """
    file = page.with_suffix(".json")
    measured = json.loads(file.read_bytes()) if file.is_file() else {}
    kept = [asdict(row) | {"wrong": row.wrong[:_SHOWN], "gave_way": len(row.wrong)} for row in rows]
    measured[part] = about | {"rows": kept}
    file.write_text(json.dumps(measured, indent=1, ensure_ascii=False) + "\n", "utf-8")
    text = page.read_text("utf-8") if page.is_file() else f"{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    page.write_text(f"{before}{BEGIN}\n\n{table(measured)}\n{END}{rest.partition(END)[2]}", "utf-8")


def table(measured: dict[str, Any]) -> str:
    """The measurements as a Markdown table."""
    lines = ["| part | what | tries | outcome |", "|---|---|---|---|"]
    for part, found in measured.items():
        about = f"{part} ({found['date']}, {found['dataset']}, {found['seconds']:.0f} s)"
        for row in found["rows"]:
            lines.append(f"| {about} | {_cell(row['what'])} | {row['tries']:,} | {_cell(_outcome(row))} |")
            about = ""
    return "\n".join(lines) + "\n"


def _outcome(row: dict[str, Any]) -> str:
    if not row["gave_way"]:
        return str(row["outcome"])
    return f"**{row['gave_way']} gave way**: {'; '.join(row['wrong'])}. {row['outcome']}"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
