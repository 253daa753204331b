"""Feats of the System Reference Documents, with their category and prerequisite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.books.character_options.classes import class_texts
from build_pipeline.normalize.books.character_options.features import text_of
from build_pipeline.normalize.books.drafts import BOOKS, book_draft, reference, where
from build_pipeline.normalize.books.tree import Section, read_book
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference
from build_pipeline.normalize.text.labels import NamedText, labelled, prerequisite_first
from build_pipeline.snapshot.raw import RawLayer

_PART: Final = "Feats"
_CATEGORY: Final = re.compile(
    r"\A\*(?P<kind>[\w -]+?) Feat(?: \(Prerequisites?: (?P<needs>[^)*]+)\))?\*\s*(?:\n|\Z)", re.IGNORECASE
)
_BULLETS: Final = re.compile(r"^\* +(.+)$", re.MULTILINE)
_LEAD_IN: Final = re.compile(r"\AYou gain the following benefits?[.:]\Z", re.IGNORECASE)


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every feat that the books print; those that require a class feature are options of the classes that have it."""
    for book in BOOKS:
        offering = _offering(raw, book)
        parts = [root for root in read_book(raw, book) if root.title == _PART]
        for section in (section for part in parts for section in part.walk()):
            text = text_of(section) or ""
            if category := _CATEGORY.match(text):
                kind, needs = category["kind"].lower(), category["needs"]
                draft = _feat(section, kind, needs, text[category.end() :].strip())
                draft.facts["option_of"] = offering.get(kind) if needs and needs.lower() == f"{kind} feature" else None
                yield draft
            elif (split := prerequisite_first(text))[0] is not None:
                yield _feat(section, None, *split)
            elif section.parent is not None and section.parent.title.endswith(f" {_PART}"):
                problems.add(section.raw.id, f"{where(section)}: the feat {section.title} has no category")


def _offering(raw: RawLayer, book: str) -> dict[str, list[Reference]]:
    """Feature (lower case) → the classes of a book that have it."""
    found: dict[str, list[Reference]] = {}
    for text in class_texts(raw, book):
        for feature, _ in text.features:
            found.setdefault(feature["name"].lower(), []).append(reference("class", text.name, text.section))
    return found


def _feat(section: Section, kind: str | None, needs: str | None, text: str | None) -> Draft:
    introduction, benefits = labelled(text)
    leads_in = bool(_LEAD_IN.match(introduction or ""))
    if not benefits:
        points = _BULLETS.findall(introduction or "") or ([introduction] if introduction else [])
        benefits = [NamedText(name=None, description=point) for point in points]
    elif introduction and not leads_in:
        benefits = [NamedText(name=None, description=introduction), *benefits]
    facts: dict[str, Any] = {
        "description": None if leads_in else text,
        "prerequisite": needs,
        "benefits": benefits or None,
        "feat_type": kind,
    }
    return book_draft("feat", section.title, [section], facts)
