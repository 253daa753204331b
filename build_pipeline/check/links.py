"""Rules for ids in records: they exist, have the right type and edition, and are linked back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from build_pipeline.check.rule import EVERY_TABLE, Difference, Rule, Verdict, World
from build_pipeline.normalize.books.rules.rules import seen_also
from build_pipeline.tables import Record

_WAYS_BACK: Final = {"subclass_of": "subclasses", "subrace_of": "subraces"}
_ID: Final = re.compile(r"[a-z-]+/[^/ ]+/[^/ ]+")
_EDITIONS: Final = {"5e-2014", "5e-2024"}


def _ids(value: Any) -> Iterator[str]:
    """Every id anywhere in a value: members called `id`, and strings in lists that look like ids."""
    if isinstance(value, Mapping):
        for name, member in value.items():
            if name == "id" and isinstance(member, str):
                yield member
            else:
                yield from _ids(member)
    elif isinstance(value, list):
        for member in value:
            if not isinstance(member, str):
                yield from _ids(member)
            elif _ID.fullmatch(member):
                yield member


def _linked(record: Record) -> Iterator[tuple[str, str]]:
    """(Column, id) of every entity a record refers to."""
    for column, value in record.items():
        if column not in {"id", "provenance", "keys"} and isinstance(value, (Mapping, list)):
            yield from ((column, target) for target in _ids(value))


def _dangling(record: Record, world: World) -> Iterator[Verdict]:
    for column, target in _linked(record):
        yield None if target in world.by_id else f"{column} refers to {target}, which does not exist"


def _edition(record: Record, world: World) -> Iterator[Verdict]:
    for column, target in _linked(record):
        other = world.by_id.get(target)
        if other is not None and column not in {"subclasses", "subraces"}:
            editions = {record.get("game_system"), other.get("game_system")} & _EDITIONS
            yield f"{column} refers to {target} of another edition" if len(editions) > 1 else None


def _ways_back(record: Record, world: World) -> Iterator[Verdict]:
    for column, back in _WAYS_BACK.items():
        parent = world.by_id.get((record.get(column) or {}).get("id") or "")
        if parent is not None:
            known = record["id"] in {child["id"] for child in parent.get(back) or ()}
            yield None if known else f"{parent['id']} does not list it under {back}"
        for child in record.get(back) or ():
            other = world.by_id.get(child["id"])
            leads_back = other is not None and (other.get(column) or {}).get("id") == record["id"]
            yield None if leads_back else f"{back} lists {child['id']}, which belongs elsewhere"


def _spell_list(record: Record, world: World) -> Iterator[Verdict]:
    name, book = record["name"].lower(), record["document_key"]
    listed = {spell: row["level"] for row in record.get("spell_list") or () for spell in row["spells"]}
    for spell in world.tables.get("spells", ()) if listed else ():
        level = spell.get("level") if name in (spell.get("classes") or ()) else None
        if spell["document_key"] == book and (level is not None or spell["id"] in listed):
            found = listed.get(spell["id"])
            yield None if found == level else f"its list has {spell['id']} at level {found}, the spell {level}"


def _resolving(record: Record, _world: World) -> Iterator[Verdict]:
    for spell in record.get("spells") or ():
        unknown = f"{spell['name']!r} is not a spell of its own book, its rules' SRD or its publisher's books"
        yield None if spell["id"] else Difference(f"spells.{spell['name']}", unknown)


def _see_also(record: Record, _world: World) -> Iterator[Verdict]:
    for name, _chapter in seen_also(record.get("description") or ""):
        unresolved = name in (record.get("related") or ())
        yield f"its See also names {name!r}, which is not a rule of its book" if unresolved else None


def _behind_parent(record: Record, world: World) -> Iterator[Verdict]:
    parent = world.by_id.get((record.get("parent") or {}).get("id") or "")
    place, above = record.get("reading_order"), (parent or {}).get("reading_order")
    if place is not None and above is not None:
        yield (
            f"its position {place} is before that of its parent {record['parent']['id']}, {above}"
            if place < above
            else None
        )


def _below_itself(record: Record, world: World) -> Iterator[Verdict]:
    passed: list[str] = []
    above = record.get("parent")
    while above and above["id"] and above["id"] not in passed:
        passed.append(above["id"])
        above = world.by_id.get(above["id"], {}).get("parent")
    if passed:
        yield f"it is its own ancestor, through {', '.join(passed)}" if record["id"] in passed else None


def _own_id(record: Record, world: World) -> Iterator[Verdict]:
    if "id" in record:
        yield None if world.by_id[record["id"]] is record else "another record has the same id"


RULES: Final = (
    Rule("unique-ids", "No two records have the same id.", EVERY_TABLE, _own_id),
    Rule("no-dangling-ids", "Every id that a record refers to exists.", EVERY_TABLE, _dangling),
    Rule("right-edition", "A record refers to records of its own edition.", EVERY_TABLE, _edition),
    Rule("creatures-spells", "Every spell that a stat block names belongs to its edition.", "creatures", _resolving),
    Rule("items-spells", "Every spell that an item casts belongs to its edition.", "equipment", _resolving),
    Rule(
        "spell-lists",
        "Every spell on a class's list names the class, and every spell of its book that names it is on the list.",
        "character_options",
        _spell_list,
    ),
    Rule("see-also", 'Every name in a rule\'s "See also" is a rule of its book.', "rules", _see_also),
    Rule("reading-order", "A rule comes after the rule that it is part of.", "rules", _behind_parent),
    Rule("no-circles", "No rule is its own ancestor.", "rules", _below_itself),
    Rule("ways-back", "Parents list their children, and children name their parents.", "character_options", _ways_back),
)
