"""The starter content: its folder, and its rows for tests that vary them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

STARTER = Path(__file__).parents[2] / "data" / "starter"


def starter_row(endpoint: str, name: str, key: str = "") -> dict[str, Any]:
    """The object of `source/endpoint` with a name: the first, or the one with `key`."""
    for line in (STARTER / "raw" / f"{endpoint}.jsonl").read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        if row["name"] == name and key in {"", row.get("key")}:
            return row
    msg = f"no {name} in {endpoint}"
    raise LookupError(msg)
