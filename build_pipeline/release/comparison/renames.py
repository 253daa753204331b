"""Finds removed and added entities that are the same one under a new id."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final

from rapidfuzz.distance import Indel

from build_pipeline.tables import Record

_ALIKE: Final = 0.9
"""Minimum similarity for two texts to count as one edited text."""
_NAMES_ALIKE: Final = 0.75
"""Minimum similarity for two names to count as one corrected name, if the texts are similar too."""
_TEXTS_SIMILAR: Final = 0.6
_LONG_ENOUGH: Final = 40
"""Minimum length of a text for its similarity to mean anything."""


def find_renames(gone: Iterable[Record], come: Iterable[Record]) -> dict[str, str]:
    """Old id → new id of the entities that occur in both lists.

    They are recognised by their raw object, then by a key of their sources, then by text and name. Each entity is
    paired at most once, and the result does not depend on the order of the lists.
    """
    old = {r["id"]: r for r in sorted(gone, key=lambda r: str(r["id"]))}
    new = {r["id"]: r for r in sorted(come, key=lambda r: str(r["id"]))}
    renames: dict[str, str] = {}
    for marks in (_raw_object, _source_keys):
        for was, now in _sharing(old.values(), new.values(), marks):
            if was in old and now in new:
                renames[was] = now
                del old[was], new[now]
    for _, was, now in sorted(_similar(old.values(), new.values()), key=lambda found: (-found[0], *found[1:])):
        if was in old and now in new:
            renames[was] = now
            del old[was], new[now]
    return renames


def _raw_object(record: Record) -> Iterator[Hashable]:
    """The raw object of its most trusted source; a book that came in another edition is not a rename."""
    for raw in record["provenance"]["raw"][:1]:
        yield record["entity_type"], raw


def _source_keys(record: Record) -> Iterator[Hashable]:
    for key in record["keys"]:
        yield record["entity_type"], record["document_key"], key


def _sharing(
    old: Iterable[Record], new: Iterable[Record], marks: Callable[[Record], Iterator[Hashable]]
) -> list[tuple[str, str]]:
    by_mark: dict[Hashable, list[str]] = defaultdict(list)
    for record in new:
        for mark in marks(record):
            by_mark[mark].append(record["id"])
    return [(record["id"], found) for record in old for mark in marks(record) for found in by_mark.get(mark, [])]


def _similar(old: Iterable[Record], new: Iterable[Record]) -> Iterator[tuple[float, str, str]]:
    """(similarity, old id, new id) of possible pairs within one document and type."""
    groups: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in new:
        groups[record["document_key"], record["entity_type"]].append(record)
    for was in old:
        for now in groups.get((was["document_key"], was["entity_type"]), []):
            names = Indel.normalized_similarity(was["name_normalized"], now["name_normalized"])
            texts = _text_likeness(was["description"], now["description"])
            if texts >= _ALIKE or (names >= _NAMES_ALIKE and texts >= _TEXTS_SIMILAR):
                yield names + texts, was["id"], now["id"]


def _text_likeness(old: str | None, new: str | None) -> float:
    if not old or not new or min(len(old), len(new)) < _LONG_ENOUGH:
        return 0.0
    return Indel.normalized_similarity(old, new, score_cutoff=_TEXTS_SIMILAR)
