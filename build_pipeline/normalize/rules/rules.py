"""Rules and the game's small vocabularies: all that answers a rules question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from build_pipeline.normalize.merging.draft import Draft, MergeRule, Problems
from build_pipeline.normalize.rules.concepts import concept_drafts
from build_pipeline.normalize.rules.languages import describe_language, language_drafts
from build_pipeline.normalize.rules.planes_and_environments import place_drafts
from build_pipeline.normalize.rules.proficiencies import proficiency_drafts
from build_pipeline.normalize.rules.texts import rule_text_drafts
from build_pipeline.normalize.text.tables import table_data
from build_pipeline.snapshot.raw import RawLayer


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every rule, condition, skill… that the sources tell; objects without a text go into `problems`."""
    readers = (rule_text_drafts, concept_drafts, language_drafts, proficiency_drafts, place_drafts)
    return chain.from_iterable(read(raw, problems) for read in readers)


def _union(first: list[str], second: list[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))


MERGE_RULES: Final[dict[str, MergeRule]] = {"related": _union}
"""What several sources know together: what a rule refers to."""


def derive(entity_type: str, facts: dict[str, Any]) -> dict[str, Any]:
    """What follows from the merged facts: a language's description, the tables in a text."""
    derived = describe_language(facts) if entity_type == "language" else {}
    if tables := table_data(facts.get("description") or ""):
        derived["tables"] = tables
    return derived
