"""`checks.json`: what broke a rule, with the reason that excuses it, and every fact that was set by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from build_pipeline.check.checks import Checked
from build_pipeline.normalize.merging.corrections import Correction
from build_pipeline.text_files import write_json

DECISIONS_FILE: Final = "checks.json"

Decisions = dict[str, list[dict[str, Any]]]
"""`findings`: rule, entity, message, reason; `corrections`: entity, column, value, instead_of, wrong, evidence."""


def write_decisions(folder: Path, checked: Checked, corrections: Sequence[Correction]) -> None:
    """Write the file into a dataset's folder."""
    decisions = {
        "findings": [asdict(finding) for finding in checked.findings],
        "corrections": [asdict(correction) for correction in corrections],
    }
    write_json(folder / DECISIONS_FILE, decisions)


def read_decisions(folder: Path) -> Decisions:
    """Read the file; empty for datasets of older builders, which lack it."""
    file = folder / DECISIONS_FILE
    if not file.is_file():
        return {"findings": [], "corrections": []}
    decisions: Decisions = json.loads(file.read_text(encoding="utf-8"))
    return decisions


def applied_corrections(folder: Path) -> list[Correction]:
    """The facts that were set by hand when a dataset was built; none for datasets of older builders."""
    corrections = read_decisions(folder)["corrections"]
    return [Correction(**(correction | {"wrong": tuple(correction["wrong"])})) for correction in corrections]
