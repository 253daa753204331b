"""`lorekeeper info`: the version and contents of the dataset."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from server.commands.options import DatasetOption
from server.dataset.manifest import Manifest, read_manifest
from server.dataset.terminal import write, write_json
from server.settings import dataset_folder

_DEPTH = 2
"""Levels of nested counts shown: by type and by document, but not by type within a document."""


def info(*, dataset: DatasetOption = None, json: Annotated[bool, Parameter(negative="")] = False) -> int:
    """Show the dataset's version, sources, encoder and counts."""
    folder = dataset_folder(dataset)
    facts = _facts(read_manifest(folder))
    if json:
        write_json({"path": str(folder), **facts}, indent=2)
        return 0
    rows = [("path", str(folder)), *_flat(facts)]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        write(f"{name:<{width}}  {value}\n")
    return 0


def _facts(manifest: Manifest) -> dict[str, Any]:
    return {
        "version": manifest["dataset_version"],
        **({"notice": manifest["notice"]} if "notice" in manifest else {}),
        "schema_version": manifest["schema_version"],
        "built_at": manifest["built_at"],
        "snapshot_at": manifest["snapshot_at"],
        "content_hash": manifest["content_hash"],
        "encoder": {name: manifest["encoder"][name] for name in ("model", "revision", "dimensions", "precision")},
        "counts": manifest["counts"],
        "problems": len(manifest["problems"]),
        "bytes": sum(entry["bytes"] for entry in manifest["files"].values()),
    }


def _flat(facts: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """(name, value) pairs; counts nested deeper than `_DEPTH` are summed."""
    rows: list[tuple[str, str]] = []
    for name, value in facts.items():
        if isinstance(value, dict) and prefix.count(".") < _DEPTH:
            rows += _flat(value, f"{prefix}{name}.")
        else:
            count = sum(value.values()) if isinstance(value, dict) else value
            rows.append((f"{prefix}{name}", f"{count:,}" if isinstance(count, int) else str(count)))
    return rows
