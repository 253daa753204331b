"""Entries whose text comes from a book's second conversion, as listed with evidence in `data/book_texts.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from build_pipeline.normalize.books.tree import SOURCE, Section, read_book
from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.resources import text
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import slugify

_FILE: Final = "book_texts.toml"


@dataclass(frozen=True, slots=True)
class SecondTexts:
    """The second conversion's sections of one book and kind.

    Attributes:
        sections: slug of an entry's title → the section whose text is right.
    """

    sections: Mapping[str, Section]

    def of(self, section: Section) -> Section:
        """The section whose text to read: the second conversion's where the first has an error, otherwise `section`."""
        return self.sections.get(slugify(section.title), section)


def second_texts(
    raw: RawLayer, entity_type: str, book: str, is_entry: Callable[[Section], bool], problems: Problems
) -> SecondTexts:
    """The right sections for one kind of entry; an entry that its conversion lacks becomes a problem.

    If the snapshot has no second conversion at all, the first one's texts are kept.
    """
    chosen = {slug: entry for (kind, key, slug), entry in _chosen().items() if (kind, key) == (entity_type, book)}
    sections: dict[str, Section] = {}
    for endpoint in sorted({entry["from"] for entry in chosen.values()}):
        if not raw[SOURCE, endpoint]:
            continue
        found = {
            slugify(section.title): section
            for root in read_book(raw, endpoint)
            for section in root.walk()
            if is_entry(section)
        }
        for slug, entry in chosen.items():
            if entry["from"] != endpoint:
                continue
            if right := found.get(slugify(entry.get("title", slug))):
                sections[slug] = right
            else:
                problems.add(f"{_FILE}/{entity_type}/{book}/{slug}", f"{endpoint} has no such entry")
    return SecondTexts(sections)


@cache
def _chosen() -> Mapping[tuple[str, ...], Mapping[str, str]]:
    return {tuple(entry["entity"].split("/")): entry for entry in tomllib.loads(text(_FILE))["text"]}
