"""Rules and the game's small vocabularies: everything that answers a rules question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from build_pipeline.normalize.merging.conformity import conforming
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.merging.merge_rules import MergeRule, all_in_order
from build_pipeline.normalize.rules.concepts import concept_drafts
from build_pipeline.normalize.rules.languages import describe_language, language_drafts
from build_pipeline.normalize.rules.outline import opening
from build_pipeline.normalize.rules.planes_and_environments import place_drafts
from build_pipeline.normalize.rules.printed_within import placed_in_book
from build_pipeline.normalize.rules.proficiencies import proficiency_drafts
from build_pipeline.normalize.rules.quoted_sections import with_quoted_sections
from build_pipeline.normalize.rules.texts import rule_text_drafts
from build_pipeline.normalize.text.tables import table_data
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import normalize_name


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every rule, condition, skill… of the sources; objects without a text are reported in `problems`."""
    readers = (rule_text_drafts, concept_drafts, language_drafts, proficiency_drafts, place_drafts)
    found = chain.from_iterable(read(raw, problems) for read in readers)
    return _without_twins(list(conforming(found, problems)))


def prepare(found: list[Draft]) -> Iterator[Draft]:
    """Put the drafts of all sources where the book prints them, and relate them to the sections that they quote."""
    return with_quoted_sections(list(placed_in_book(found)))


def _without_twins(found: list[Draft]) -> Iterator[Draft]:
    """The drafts without duplicates: if a source has a text as a rule and as an ability, only the ability remains.

    If it has a text as a rule and as a place, only the rule remains.
    """
    words = {_identity(draft): draft for draft in found if draft.entity_type == "ability-score"}
    sections = {_identity(draft): draft for draft in found if draft.entity_type == "rule" and draft.marks}
    for draft in found:
        section = sections.get(_identity(draft)) if draft.entity_type == "rule" and not draft.marks else None
        if section is not None:
            section.raw, section.keys = (*section.raw, *draft.raw), (*section.keys, *draft.keys)
            continue
        word = words.get(_identity(draft)) if draft.entity_type == "rule" and draft.marks else None
        if word is None:
            yield draft
        else:
            word.raw = (*draft.raw, *word.raw)
            word.keys = tuple(dict.fromkeys((*word.keys, *draft.keys)))
            word.marks, word.parent_slug = draft.marks, draft.parent_slug
            word.facts = draft.facts | {column: value for column, value in word.facts.items() if value is not None}
            word.facts["related"] = all_in_order(word.facts.get("related") or [], draft.facts.get("related") or [])


def _identity(draft: Draft) -> tuple[str, str, str, str]:
    name, start = normalize_name(draft.name).removeprefix("the "), opening(draft.facts.get("description"))
    return draft.source, draft.document_key, name, start


MERGE_RULES: Final[dict[str, MergeRule]] = {"related": all_in_order}
"""Columns for which the values of several sources are combined."""


def derive(entity_type: str, facts: dict[str, Any]) -> dict[str, Any]:
    """The facts derived from the merged ones: a language's description, the tables in a text."""
    derived = describe_language(facts) if entity_type == "language" else {}
    if tables := table_data(facts.get("description") or ""):
        derived["tables"] = tables
    return derived
