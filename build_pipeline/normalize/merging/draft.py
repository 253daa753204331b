"""Drafts, which normalisers produce: entities as read from one source's raw objects, before merging."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from build_pipeline.snapshot.raw import RawObject


@dataclass(frozen=True, slots=True)
class Reference:
    """A mention of another entity in a fact, resolved once all entities are known.

    Attributes:
        entity_types: candidate types, likeliest first.
        name: the name (or key) used for it; kept as text if nothing matches.
        raw: raw id of the target, if the source gives one (`open5e_v2/classes/srd_paladin`).
        document_key: the document to search first; then the draft's own, then the SRDs.
        section: a heading above the target, if the mention names one; decides between rules of the same name.
        below: whether the source has it below the draft; if so, it counts only if it ends up there.
    """

    entity_types: tuple[str, ...]
    name: str
    raw: str | None = None
    document_key: str | None = None
    section: str | None = None
    below: bool = False


@dataclass(slots=True)
class Draft:
    """An entity according to one source.

    Attributes:
        source: name of the source (`open5e_v2`).
        raw: ids of the raw objects it was read from, the main one first.
        entity_type: one of the schema's entity types.
        document_key: its document, as a key of the dataset.
        name: the name as printed.
        keys: the source's own slug and key, for lookups, also without the document prefix.
        parent_slug: appended to the slug if two entities of a document and type collide.
        also: other documents that may already have the entity (v1's `a5e` is three v2 books); joined if one has it.
        facts: column → value: of the schema's type, a `Reference`, or None for unknown. An absent column is unknown;
            `[]` means known to be empty.
        from_text: columns parsed from text, or computed from other facts, rather than read from a field.
        marks: other features that identify it across sources (how its text begins); never published.
        taken: column → the source of its value, for columns whose value is not this source's own.
    """

    source: str
    raw: tuple[str, ...]
    entity_type: str
    document_key: str
    name: str
    keys: tuple[str, ...] = ()
    parent_slug: str = ""
    also: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    from_text: set[str] = field(default_factory=set)
    marks: tuple[str, ...] = ()
    taken: dict[str, str] = field(default_factory=dict)

    def take(self, column: str, value: Any, source: str) -> None:
        """Set a column to another source's value; if the two are the same, it remains this source's own."""
        if self.facts.get(column) != value:
            self.facts[column] = value
            self.taken.pop(column, None)
            if source != self.source:
                self.taken[column] = source


@dataclass(slots=True)
class Problems:
    """Raw objects that could not be used, with reasons; all are listed in the manifest."""

    _recorded: dict[tuple[str, str], None] = field(default_factory=dict)

    @property
    def entries(self) -> list[dict[str, str]]:
        """The problems in the order they were recorded, as {raw, reason}."""
        return [{"raw": raw, "reason": reason} for raw, reason in self._recorded]

    def add(self, raw: str, reason: str) -> None:
        """Record, once, why raw object `raw` (its id) became no entity, or what is wrong with it."""
        self._recorded[raw, reason] = None

    @contextmanager
    def instead_of_failing(self, obj: RawObject) -> Iterator[None]:
        """Context manager: if reading `obj` fails, record that it is malformed and continue after the block."""
        try:
            yield
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, StopIteration) as error:
            self.add(
                obj.id,
                f"{printed_at(obj)}not shaped like the other objects of its endpoint: {type(error).__name__}: {error}",
            )


def printed_at(obj: RawObject) -> str:
    """File and line of a section of a book, as the beginning of a message; empty for an API's object."""
    return f"{obj.data['file']}:{obj.data['line']}: " if {"file", "line"} <= obj.data.keys() else ""


def read_each(
    objects: Iterable[RawObject], problems: Problems, read: Callable[[RawObject], Draft | Iterable[Draft] | None]
) -> Iterator[Draft]:
    """The drafts of each object; malformed objects are reported and skipped.

    Args:
        objects: the objects to read.
        problems: receives the objects that cannot be read.
        read: reads one object into one draft, several, or none.
    """
    for obj in objects:
        drafts: list[Draft] = []
        with problems.instead_of_failing(obj):
            found = read(obj)
            drafts = [found] if isinstance(found, Draft) else list(found or ())
        yield from drafts
