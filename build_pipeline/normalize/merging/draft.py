"""What normalisers produce: one raw object (or several of one source) read as one entity, before merging."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from build_pipeline.snapshot.raw import RawObject


@dataclass(frozen=True, slots=True)
class Reference:
    """A mention of another entity inside a fact, resolved when all entities are known.

    Attributes:
        entity_types: what it may be, the likeliest first.
        name: the name (or key) it is mentioned by; shown as text where nothing matches.
        raw: raw id of the target, where the source gives one (`open5e_v2/classes/srd_paladin`).
        document_key: the document it is first looked for in; else the drafts' own, then the SRDs.
    """

    entity_types: tuple[str, ...]
    name: str
    raw: str | None = None
    document_key: str | None = None


@dataclass(slots=True)
class Draft:
    """An entity as one source tells it.

    Attributes:
        source: the source that tells it (`open5e_v2`).
        raw: ids of every raw object that went into it, the main one first.
        entity_type: one of the schema's entity types.
        document_key: the document it stands in, as a key of the dataset.
        name: the name as printed.
        keys: the source's own slug and key, for look-ups; the part after the document prefix too.
        parent_slug: appended to the slug where two of a document and type collide.
        also: other documents the entity may already stand in (v1's `a5e` is three v2 books); joined if one has it.
        facts: column → value; a value is what the schema says, a `Reference`, or None for unknown. An absent
            column is unknown. `[]` says that there are known to be none.
        from_text: the facts that were read out of the text rather than from a field.
        marks: by what else drafts of other sources know it (how its text opens); never published.
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


MergeRule = Callable[[Any, Any], Any]
"""How two sources' values of one column become one: (the more trusted one's, the other's) → merged; none is None."""


@dataclass(slots=True)
class Problems:
    """What could not be used, with the reason; every entry ends up in the manifest."""

    entries: list[dict[str, str]] = field(default_factory=list)

    def add(self, raw: str, reason: str) -> None:
        """Record, once, that raw object `raw` (its id) gave no entity, or a defect in it, and why."""
        entry = {"raw": raw, "reason": reason}
        if entry not in self.entries:
            self.entries.append(entry)

    @contextmanager
    def instead_of_failing(self, obj: RawObject) -> Iterator[None]:
        """Record that `obj` does not have its API's form where reading it fails, and go on after the block."""
        try:
            yield
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            self.add(obj.id, f"not of the form that its endpoint has: {type(error).__name__}: {error}")


def read_each(
    objects: Iterable[RawObject], problems: Problems, read: Callable[[RawObject], Draft | Iterable[Draft] | None]
) -> Iterator[Draft]:
    """The drafts of each object; one that does not have its API's form becomes a problem, and the others go on.

    Args:
        objects: what to read.
        problems: where an object goes that cannot be read.
        read: reads one object into a draft, several, or none.
    """
    for obj in objects:
        drafts: list[Draft] = []
        with problems.instead_of_failing(obj):
            found = read(obj)
            drafts = [found] if isinstance(found, Draft) else list(found or ())
        yield from drafts
