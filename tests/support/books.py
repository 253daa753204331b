"""Books for tests: any Markdown as the raw layer has it, and the recorded books."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from build_pipeline.snapshot.raw import RawLayer, RawObject
from build_pipeline.snapshot.web.harvest import Harvest
from build_pipeline.snapshot.web.sections import Section, split_sections
from build_pipeline.snapshot.web.srd import ENDPOINTS, declared_books, read_book_folder
from server.dataset.names import slugify
from server.dataset.strict_json import dump_json


def section_data(section: Section, file: str, order: int) -> dict[str, Any]:
    """A section of a book's file as source `srd` has it in the raw layer; `order` is its number in the book."""
    return {
        "title": section.title,
        "level": section.level,
        "path": list(section.path),
        "markdown": section.markdown,
        "file": file,
        "line": section.line,
        "order": order,
    }


def book_layer(endpoint: str, markdown: str, layer: RawLayer | None = None) -> RawLayer:
    """A raw layer with one file of a book, added to `layer` if given."""
    layer = layer or RawLayer()
    for order, section in enumerate(split_sections(markdown), 1):
        key = "/".join(slugify(title) for title in (*section.path, section.title))
        taken = layer["srd", endpoint]
        key = key if key not in taken else f"{key}-{order}"
        layer.add(RawObject("srd", endpoint, key, "book.md", "", dump_json(section_data(section, "book.md", order))))
    return layer


def recorded_books(recordings: Path, layer: RawLayer | None = None) -> RawLayer:
    """The books beside the recordings, added to `layer` if given."""
    layer = layer or RawLayer()
    for endpoint in ENDPOINTS:
        harvest = Harvest(endpoint)
        read_book_folder(harvest, recordings.parent / "srd", declared_books()[endpoint.name])
        for obj in harvest.objects:
            layer.add(obj)
    return layer
