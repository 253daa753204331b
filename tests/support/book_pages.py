"""Books of a few invented pages, as source `srd` has them in the raw layer."""

from __future__ import annotations

from build_pipeline.snapshot.raw import RawLayer, RawObject, dump_json
from build_pipeline.snapshot.web.sections import split_sections
from server.dataset.names import slugify


def book(**pages: str) -> RawLayer:
    """The raw layer of books: endpoint with underscores (`srd_2024`) → its text; a page break (`\\f`) ends a file."""
    raw = RawLayer()
    for name, text in pages.items():
        endpoint, order = name.replace("_", "-"), 0
        for number, page in enumerate(text.split("\f")):
            for section in split_sections(page):
                order += 1
                data = {
                    "title": section.title,
                    "level": section.level,
                    "path": list(section.path),
                    "markdown": section.markdown,
                    "file": f"{number}.md",
                    "line": section.line,
                    "order": order,
                }
                key = "/".join(slugify(title) for title in (*section.path, section.title))
                raw.add(RawObject("srd", endpoint, f"{number}/{key}/{order}", "", "", dump_json(data)))
    return raw
