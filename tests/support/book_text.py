"""The text of a book as raw sections, for tests that read a few pages of their own."""

from __future__ import annotations

from build_pipeline.normalize.books.tree import SOURCE
from build_pipeline.snapshot.raw import RawLayer, RawObject, dump_json
from build_pipeline.snapshot.web.sections import split_sections


def book(endpoint: str, text: str, file: str = "book.md", raw: RawLayer | None = None) -> RawLayer:
    """A raw layer with the sections of a Markdown text; added to `raw` where one is given."""
    layer = raw or RawLayer()
    for section in split_sections(text):
        data = {
            "title": section.title,
            "level": section.level,
            "path": list(section.path),
            "markdown": section.markdown,
            "file": file,
            "line": section.line,
        }
        layer.add(RawObject(SOURCE, endpoint, f"{file}/{section.line}", file, "", dump_json(data)))
    return layer
