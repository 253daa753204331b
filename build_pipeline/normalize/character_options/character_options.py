"""Character options: classes, races, backgrounds and feats, with their subclasses, subraces and options."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from types import ModuleType
from typing import Any, Final

from build_pipeline.kept import kept
from build_pipeline.normalize.character_options import ancestries, backgrounds, classes, feats, races
from build_pipeline.normalize.merging.corrections import Correction
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.merging.merge_rules import MergeRule
from build_pipeline.snapshot.raw import RawLayer

_READER: Final[dict[str, ModuleType]] = {
    "class": classes,
    "subclass": classes,
    "race": races,
    "subrace": races,
    "background": backgrounds,
    "feat": feats,
}
"""Entity type → the module that reads it."""
_ROW_COLUMNS: Final = frozenset({"features", "traits", "benefits"})
_TEXT: Final = "description"

_READERS: Final = (classes, races, backgrounds, feats)

MERGE_RULES: Final[dict[str, MergeRule]] = {
    column: rule for reader in _READERS for column, rule in reader.MERGE_RULES.items()
}


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every character option, as each source has it."""
    return chain.from_iterable(reader.drafts(raw, problems) for reader in (*_READERS, ancestries))


@kept
def derive(entity_type: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Facts extracted from the merged texts, and descriptions composed where no source has one."""
    found: dict[str, Any] = _READER[entity_type].derive(entity_type, facts)
    return found


def reads(correction: Correction) -> bool:
    """Whether `derive` reads what an entry corrects: words of a feature, trait or benefit."""
    column, *member = correction.path
    return correction.entity.partition("/")[0] in _READER and column in _ROW_COLUMNS and member[-1:] == [_TEXT]
