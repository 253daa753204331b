"""Manual corrections: one entry per fact, with the evidence and the sources that are wrong.

```toml
[[correction]]
entity = "creature/srd-2024/archmage"
column = "experience_points"       # `ability_scores.charisma` in a struct, `actions[Bite].usage` in a list of names,
                                   # `progression[18].proficiency_bonus` in a list of levels,
                                   # `benefits[3].description` in a list whose members have no names,
                                   # `spells[+]` for a member that a list lacks
value = 8400                       # omitted: unknown
instead_of = 8000                  # the sources' value; omitted: none; for a long text, just the wrong words;
                                   # for a struct, just the members that matter
wrong = ["srd"]
evidence = "XP by CR table, CR 12; the second conversion of the book"
```
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import StringConstraints
from pydantic.dataclasses import dataclass

from build_pipeline.declared import NOTHING_ELSE, read_file, validated
from build_pipeline.normalize.merging.directory import rules_above
from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.normalize.merging.measures import immeasurable
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.text.tables import table_data
from build_pipeline.tables import mismatches
from server.dataset.schema import TABLE_OF

_FIELD: Final = r"\w+(?:\[[^\]]+\])?"
_PATH: Final = rf"^{_FIELD}(?:\.{_FIELD})*$"
_STEP: Final = re.compile(r"(?P<field>\w+)(?:\[(?P<name>[^\]]+)\])?(?:\.|$)")
_EMPHASISED: Final = re.compile(r"[*_]+([^*_]+)[*_]+")
_UNKNOWN: Final = {"value": None, "instead_of": None}

_TEXT: Final = "description"
_NEW: Final = "[+]"
_NOTHING_THERE: Final = "the sources no longer have a value there; review the entry"

Step = str
"""A field of a struct; or, in brackets, the `name` of a list member, else its `level`, else its position."""


@dataclass(frozen=True, slots=True, config=NOTHING_ELSE)
class Correction:
    """One corrected fact.

    Attributes:
        entity: id of the entity.
        column: path to the fact, starting with its column.
        value: the right value; None for unknown.
        instead_of: the sources' value.
        wrong: the sources that are wrong.
        evidence: the text or table that proves it.
    """

    entity: str
    column: Annotated[str, StringConstraints(pattern=_PATH)]
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
    """Read a corrections file.

    Raises:
        DeclaredError: it is missing, not TOML, or not in this form.
    """
    return [
        validated(
            Correction,
            _UNKNOWN | {key: None if value == "null" else value for key, value in entry.items()},
            f"{path}: correction {number} ({entry.get('entity', 'without an entity')})",
        )
        for number, entry in enumerate(read_file(path, "correction")["correction"], 1)
    ]


def correct(entities: Iterable[Entity], corrections: Sequence[Correction], problems: Problems) -> None:
    """Apply the corrections. An entry that no longer matches is skipped and reported in `problems`.

    Rules above a corrected rule often repeat its text: the same words are corrected there too.
    """
    by_id = {entity.id: entity for entity in entities}
    for correction in corrections:
        entity = by_id.get(correction.entity)
        complaint = "there is no such entity" if entity is None else _apply(entity, correction)
        if complaint:
            problems.add(f"corrections/{correction.entity}", f"{correction} is out of date: {complaint}")
        elif entity is not None and correction.column == _TEXT:
            for above in rules_above(entity, by_id):
                if _is_part(correction.instead_of, above.facts.get(_TEXT)):
                    _apply(above, correction)


def _apply(entity: Entity, correction: Correction) -> str | None:
    """Set one fact. Returns why it could not be set, or None."""
    column, *inner = correction.path
    dtypes = {c.name: c.dtype for c in TABLE_OF[entity.entity_type].columns}
    if column not in dtypes:
        return f"there is no column {column!r}"
    if inner and not _has_room(_follow(entity.facts.get(column), inner[:-1]), inner[-1]):
        return _NOTHING_THERE
    found = _given(entity.facts.get(column), inner, correction.value)
    value = correction.value
    if _is_part(correction.instead_of, found):
        found, value = correction.instead_of, found.replace(correction.instead_of, value)
    if found == correction.value or (found != correction.instead_of and _is_part(correction.value, found)):
        return "the sources now give this value; remove the entry"
    if not _agrees(found, correction.instead_of):
        return f"the sources now give {found!r} instead of {correction.instead_of!r}; review it"
    changed = _replaced(deepcopy(entity.facts.get(column)), inner, value)
    if complaint := _unfit(entity, column, changed, dtypes[column]):
        return complaint
    entity.facts[column] = changed
    entity.corrected.add(column)
    if not inner and value == correction.value:
        # From now on, nothing in the column comes from a source or a text.
        entity.filled.pop(column, None)
        entity.from_text.discard(column)
    if value != correction.value:
        entity.struck |= {correction.instead_of.strip("*_ "), *_EMPHASISED.findall(correction.instead_of)}
    if column == _TEXT and entity.facts.get("tables"):
        _read_tables_again(entity)
    return None


def _unfit(entity: Entity, column: str, changed: Any, dtype: Any) -> str | None:
    """Why a column cannot have the corrected value, or None."""
    if changed == entity.facts.get(column):
        return _NOTHING_THERE
    return next(mismatches(changed, dtype, column), None) or immeasurable(entity, column, changed)


def _given(whole: Any, path: Sequence[Step], value: Any) -> Any:
    """The sources' value at a path; for a new member, the member itself if they already have it, else None."""
    if path and path[-1] == _NEW:
        return value if any(_agrees(member, value) for member in _follow(whole, path[:-1])) else None
    return _follow(whole, path)


def _read_tables_again(entity: Entity) -> None:
    """Parse the tables again after words of the text were corrected."""
    tables = table_data(entity.facts[_TEXT])
    if tables != entity.facts["tables"]:
        entity.facts["tables"] = tables
        entity.corrected.add("tables")


def _agrees(found: Any, given: Any) -> bool:
    """Whether a value matches the given one, whose structs may leave out members."""
    if isinstance(found, Mapping) and isinstance(given, Mapping):
        return all(_agrees(found.get(name), member) for name, member in given.items())
    if isinstance(found, list) and isinstance(given, list) and len(found) == len(given):
        return all(map(_agrees, found, given))
    return bool(found == given)


def _is_part(part: Any, text: Any) -> bool:
    """Whether a passage occurs in a text exactly once, and is not all of it."""
    return isinstance(part, str) and isinstance(text, str) and part != text and text.count(part) == 1


def _follow(value: Any, path: Sequence[Step]) -> Any:
    for step in path:
        if not _has_room(value, step):
            return None
        value = _member(value, step) if step.startswith("[") else value.get(step)
    return value


def _has_room(value: Any, step: Step) -> bool:
    """Whether a value is a container of the kind that the step leads into."""
    return isinstance(value, list if step.startswith("[") else Mapping)


def _member(members: Iterable[dict[str, Any]], step: Step) -> dict[str, Any] | None:
    return next((member for place, member in enumerate(members, 1) if _is_named(member, place, step)), None)


def _is_named(member: Any, place: int, step: Step) -> bool:
    return isinstance(member, Mapping) and str(member.get("name", member.get("level")) or place) == step[1:-1]


def _replaced(whole: Any, path: Sequence[Step], value: Any) -> Any:
    """A copy of `whole` with the value at `path` replaced; a list member set to None is removed."""
    if not path:
        return value
    step, *rest = path
    if step == _NEW:
        return [*whole, value]
    if step.startswith("["):
        member = _replaced(_member(whole, step), rest, value)
        members = (member if _is_named(m, place, step) else m for place, m in enumerate(whole, 1))
        return [m for m in members if m is not None]
    return {**whole, step: _replaced(whole.get(step), rest, value)}
