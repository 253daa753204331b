"""Facts decided by hand: one entry a fact, with the evidence and the sources that are wrong.

```toml
[[correction]]
entity = "creature/srd-2024/archmage"
column = "experience_points"       # `ability_scores.charisma` in a struct, `actions[Bite].usage` in a list of names
value = 8400                       # left out: unknown
instead_of = 8000                  # what the sources give; left out: nothing; words of a text stand for these words
wrong = ["srd"]
evidence = "XP by CR table, CR 12; the second conversion of the book"
```
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.tables import mismatches
from server.dataset.schema import TABLE_OF

_STEP: Final = re.compile(r"(?P<field>\w+)(?:\[(?P<name>[^\]]+)\])?(?:\.|$)")
_REQUIRED: Final = {"entity", "column", "wrong", "evidence"}
_KNOWN: Final = {*_REQUIRED, "value", "instead_of"}

Step = str
"""A field of a struct, or in brackets the `name` of a list's member."""


class CorrectionError(Exception):
    """The file of corrections cannot be read; the message names the entry and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One fact as it should be.

    Attributes:
        entity: id of the entity.
        column: path of the fact, its column first.
        value: what is right; None is unknown.
        instead_of: what the sources give.
        wrong: the sources that are wrong.
        evidence: which text or table says so.
    """

    entity: str
    column: str
    value: Any
    instead_of: Any
    wrong: tuple[str, ...]
    evidence: str

    @property
    def path(self) -> tuple[Step, ...]:
        return tuple(
            step
            for match in _STEP.finditer(self.column)
            for step in (match["field"], match["name"] and f"[{match['name']}]")
            if step
        )

    def __str__(self) -> str:
        return f"the correction of {self.column} of {self.entity}"


def read_corrections(path: Path) -> list[Correction]:
    """Read a file of corrections; none where there is no file.

    Raises:
        CorrectionError: it is no TOML of that form.
    """
    if not path.is_file():
        return []
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("correction", [])
    except tomllib.TOMLDecodeError as error:
        msg = f"{path}: {error}"
        raise CorrectionError(msg) from error
    return [_correction(path, number, entry) for number, entry in enumerate(entries, 1)]


def _correction(path: Path, number: int, entry: Mapping[str, Any]) -> Correction:
    for wrong in (f"lacks {name!r}" for name in sorted(_REQUIRED - entry.keys())):
        msg = f"{path}: correction {number} ({entry.get('entity', 'of what?')}) {wrong}"
        raise CorrectionError(msg)
    if unknown := sorted(entry.keys() - _KNOWN):
        msg = (
            f"{path}: correction {number} ({entry['entity']}) has {unknown[0]!r}; there are {', '.join(sorted(_KNOWN))}"
        )
        raise CorrectionError(msg)
    value, instead_of = (None if entry.get(key) == "null" else entry.get(key) for key in ("value", "instead_of"))
    return Correction(entry["entity"], entry["column"], value, instead_of, tuple(entry["wrong"]), entry["evidence"])


def correct(entities: Iterable[Entity], corrections: Sequence[Correction], problems: Problems) -> None:
    """Set the corrected facts. An entry that fits no longer changes nothing and becomes a problem."""
    by_id = {entity.id: entity for entity in entities}
    for correction in corrections:
        entity = by_id.get(correction.entity)
        complaint = "there is no such entity" if entity is None else _apply(entity, correction)
        if complaint:
            problems.add(f"corrections/{correction.entity}", f"{correction} is out of date: {complaint}")


def _apply(entity: Entity, correction: Correction) -> str | None:
    """Set one fact; what keeps it from being set, if anything does."""
    column, *inner = correction.path
    dtypes = {c.name: c.dtype for c in TABLE_OF[entity.entity_type].columns}
    if column not in dtypes:
        return f"there is no column {column!r}"
    found = _follow(entity.facts.get(column), inner)
    value = _in_text(found, correction)
    if found == value:
        return "the sources give this value by now; remove the entry"
    if found != correction.instead_of and value == correction.value:
        return f"the sources give {found!r} instead of {correction.instead_of!r} by now; look at it again"
    changed = _replaced(deepcopy(entity.facts.get(column)), inner, value)
    if complaint := next(mismatches(changed, dtypes[column], column), None):
        return complaint
    entity.facts[column] = changed
    entity.corrected.add(column)
    return None


def _in_text(found: Any, correction: Correction) -> Any:
    """What is right: of a text that has the wrong words once, the text with the right ones, else the value itself."""
    old, new = correction.instead_of, correction.value
    if isinstance(found, str) and isinstance(old, str) and isinstance(new, str) and old != found:
        if found.count(old) == 1:
            return found.replace(old, new)
        return found if new in found else new
    return new


def _follow(value: Any, path: Sequence[Step]) -> Any:
    for step in path:
        if value is None:
            return None
        value = _member(value, step) if step.startswith("[") else value.get(step)
    return value


def _member(members: Iterable[dict[str, Any]], step: Step) -> dict[str, Any] | None:
    return next((member for member in members if member["name"] == step[1:-1]), None)


def _replaced(whole: Any, path: Sequence[Step], value: Any) -> Any:
    """The whole value with what stands at the path replaced; a list's member set to None is removed."""
    if not path:
        return value
    step, *rest = path
    if step.startswith("["):
        member = _replaced(_member(whole, step), rest, value)
        return [m for m in (member if m["name"] == step[1:-1] else m for m in whole) if m is not None]
    return {**whole, step: _replaced(whole.get(step), rest, value)}
