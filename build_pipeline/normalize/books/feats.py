"""Feats of the System Reference Documents, with their category and prerequisite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.books.classes import BOOKS, class_texts, where
from build_pipeline.normalize.books.features import text_of
from build_pipeline.normalize.books.tree import SOURCE, Section, read_book
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference
from build_pipeline.normalize.text.labels import NamedText, labelled, prerequisite_first
from build_pipeline.snapshot.raw import RawLayer

_CATEGORY: Final = re.compile(
    r"\A\*(?P<kind>[\w -]+?) Feat(?: \(Prerequisites?: (?P<needs>[^)*]+)\))?\*\s*(?:\n|\Z)", re.IGNORECASE
)
_BULLETS: Final = re.compile(r"^\* +(.+)$", re.MULTILINE)
_LEAD_IN: Final = re.compile(r"\AYou gain the following benefits?[.:]\Z", re.IGNORECASE)


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every feat that the books print; those of a class feature's name are the options of the classes that have it."""
    for book in BOOKS:
        offering = _offering(raw, book)
        for root in read_book(raw, book):
            for section in root.walk() if root.title == "Feats" else ():
                category = _CATEGORY.match(text_of(section) or "")
                needs, text = prerequisite_first(text_of(section))
                if category is not None:
                    needs, text = category["needs"], (text_of(section) or "")[category.end() :].strip()
                elif needs is None:
                    if section.title in _names_of_feats(section):
                        problems.add(section.raw.id, f"{where(section)}: the feat {section.title} has no category")
                    continue
                yield _feat(section, book, category["kind"].lower() if category else None, needs, text, offering)


def _names_of_feats(section: Section) -> list[str]:
    """The headings below a heading of a category ("Origin Feats"): all of them are feats."""
    above = section.parent
    return [child.title for child in above.children] if above and above.title.endswith(" Feats") else []


def _offering(raw: RawLayer, book: str) -> dict[str, list[Reference]]:
    """Feature (lower case) → the classes of a book that have it."""
    found: dict[str, list[Reference]] = {}
    for text in class_texts(raw, book):
        for feature, _ in text.features:
            found.setdefault(feature["name"].lower(), []).append(Reference(("class",), text.name, text.section.raw.id))
    return found


def _feat(
    section: Section,
    book: str,
    kind: str | None,
    needs: str | None,
    text: str | None,
    offering: dict[str, list[Reference]],
) -> Draft:
    introduction, benefits = labelled(text)
    bullets = _BULLETS.findall(introduction or "")
    if not benefits:
        points = bullets or ([introduction] if introduction else [])
        benefits = [NamedText(name=None, description=point) for point in points]
    elif introduction and not _LEAD_IN.match(introduction):
        benefits = [NamedText(name=None, description=introduction), *benefits]
    facts: dict[str, Any] = {
        "description": (text if _LEAD_IN.sub("", introduction or "") else None),
        "prerequisite": needs,
        "benefits": benefits or None,
        "feat_type": kind,
        "option_of": offering.get(kind or "") if needs and needs.lower() == f"{kind} feature" else None,
    }
    return Draft(SOURCE, (section.raw.id,), "feat", book, section.title, facts=facts)
