"""`lorekeeper info`: the version and contents of the dataset."""

from __future__ import annotations

from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any, Final

from server.commands.options import DatasetOption, Json
from server.dataset.manifest import Manifest, read_manifest
from server.dataset.terminal import lines_console, write_json
from server.settings import dataset_folder
from server.sheets.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MARGIN: Final = " " * 10


def info(*, dataset: DatasetOption = None, json: Json = False) -> int:
    """Show the dataset's version, sources, encoder and counts."""
    folder = dataset_folder(dataset)
    facts = _facts(read_manifest(folder))
    if json:
        write_json({"path": str(folder), **facts}, indent=2)
        return 0
    console = lines_console()
    lines = TextWrapper(console.width, subsequent_indent=_MARGIN, break_long_words=False, break_on_hyphens=False)
    for name, value in _rows(folder, facts):
        console.print(lines.fill(f"{name:<{len(_MARGIN)}}{value}"))
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


def _rows(folder: Path, facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The facts that people want first, as label and value."""
    counts, encoder = facts["counts"], facts["encoder"]
    yield "dataset", f"{facts['version']}, {facts['bytes'] / 1e6:,.0f} MB"
    yield "folder", str(folder)
    if "notice" in facts:
        yield "notice", facts["notice"]
    yield "as of", f"{facts['snapshot_at'][:10]} (built {facts['built_at'][:10]})"
    yield "entries", f"{counts['entities']:,}"
    for name, of in (("by kind", counts.get("by_type", {})), ("by book", counts.get("by_document", {}))):
        sums = {key: sum(value.values()) if isinstance(value, dict) else value for key, value in of.items()}
        yield name, ", ".join(f"{key} {count:,}" for key, count in sorted(sums.items(), key=lambda each: -each[1]))
    yield "left out", f"{counted(facts['problems'], 'object', 'objects')} of the sources; report.html says why"
    yield "encoder", f"{encoder['model']}, {encoder['revision']}, {encoder['precision']}"
    yield "schema", f"{facts['schema_version']}, content {facts['content_hash']}"
