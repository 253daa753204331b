"""The sections that a rule's text names in quotation marks: 'see "Cover" in "Combat"'."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from build_pipeline.normalize.merging.draft import Draft, Reference
from server.dataset.names import normalize_name
from server.dataset.schema import RULE_TYPES

_QUOTED: Final = re.compile(r"[“\"]([A-Z][^”\"\n]{2,60}?)[,.]?[”\"]")
_HEADED: Final = ("rule", "ability-score")
"""The types that have a heading of their own."""


def with_quoted_sections(drafts: list[Draft]) -> Iterator[Draft]:
    """The drafts, each `related` to the sections of its own document that its text quotes."""
    headings: dict[str, dict[str, str]] = defaultdict(dict)
    for entity_type in _HEADED:
        for draft in drafts:
            if draft.entity_type == entity_type:
                for document in (draft.document_key, *draft.also):
                    headings[document].setdefault(normalize_name(draft.name), draft.name)
    for draft in drafts:
        if draft.entity_type != "proficiency":
            text = draft.facts.get("description") or ""
            _relate(draft, list(dict.fromkeys(_quoted(text, headings[draft.document_key]))))
        yield draft


def _quoted(text: str, headings: Mapping[str, str]) -> Iterator[str | Reference]:
    """The sections, each with the heading given next to it: "Combat" ("Cover"), "Cover" in "Combat"."""
    quoted = list(_QUOTED.finditer(text))
    for before, match, after in zip([None, *quoted], quoted, [*quoted[1:], None], strict=False):
        if name := headings.get(normalize_name(match[1])):
            within = before if before and text[before.end() : match.start()] == " (" else None
            within = after if after and text[match.end() : after.start()] == " in " else within
            yield Reference(RULE_TYPES, name, section=within[1]) if within else name


def _relate(draft: Draft, quoted: list[str | Reference]) -> None:
    related = draft.facts.get("related") or []
    if added := [name for name in quoted if name not in related and name != draft.name]:
        draft.facts["related"] = [*related, *added]
        draft.from_text.add("related")
