"""Parts of records, which can be looked up by themselves: traits, actions, features, benefits, levels and tables."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from rapidfuzz import fuzz, process

from server.dataset.names import normalize_name
from server.dataset.tables.columns import narrowed
from server.library.names.renamed import successors
from server.library.names.spelling import american
from server.library.records.field_names import fields_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from server.dataset.record import Record
    from server.dataset.tables.columns import Column, Table
    from server.library.arrays import Mask
    from server.library.catalogue import Catalogue, TableSlice
    from server.library.names.renamed import Successor

_LEVEL: Final = re.compile(r"(?:level )?(?P<level>\d{1,2})(?:st|nd|rd|th)?(?: level)?")
_ASIDE: Final = re.compile(r"(?:\s*\([^()]*\))+$")
"""The parentheses after a name: `(Recharge 5–6)`."""
_PLURAL: Final = re.compile(r"(?:ies|(?<=s)es|s)$")
_LABELS: Final = ("name", "usage", "title", "level", "levels")
"""Struct members that identify parts."""
_ABBREVIATION: Final = 2
"""Letters of the longest abbreviation: AC, HP."""
_MIN_RATIO: Final = 60
"""Similarity (0..100) from which a name is near another."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a record.

    Attributes:
        name: as the record prints it; `Level 5` of a level.
        places: column → positions of its entries there: several where they share the name, or the level.
        fields: paths of the fields that it is instead: `armor_class`, `proficiencies.armor`.
        instead: how it stands for a part of another edition; None if it has the name asked for.
    """

    name: str
    places: Mapping[str, tuple[int, ...]]
    fields: tuple[str, ...] = ()
    instead: Successor | None = None


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of a column; `name` is None if it is identified by its level only.

    `usage` is what the book prints in parentheses after the name.
    """

    column: str
    place: int
    name: str | None
    usage: str | None
    levels: tuple[int, ...]


class Parts:
    """Finds the parts of a catalogue's entities by name."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    @cached_property
    def _labels(self) -> dict[str, pl.DataFrame]:
        """For each table that has parts, the names of its entities, and what identifies their parts."""
        return {
            part.table.name: part.frame.select("name", *(_labels(c) for c in part.table.columns if _has_parts(c)))
            for part in self._catalogue.parts
            if has_parts(part.table)
        }

    def find(self, rows: Sequence[int], name: str) -> dict[int, Part]:
        """The part of that name in each of some entities (catalogue rows); those without it are left out.

        If `name` is a heading with something in parentheses, `Multiattack (Vampire Form Only)`, only entities with
        exactly that heading have the part, if there are any. Otherwise, the first rule that finds something in an
        entity wins: the name, exactly or without the parentheses in either; what the entity's edition has for another
        edition's part of that name; a level (`5`, `5th level`, `level 5`); a section (`legendary actions`), which is
        all of its parts; the first name that has all of the words, as prefixes or plurals.
        """
        wanted = _folded(name)
        entries = {row: list(some) for row, some in self._entries(rows)}
        headed = {row: _headed(wanted, some) for row, some in entries.items()} if _ASIDE.search(wanted) else {}
        chosen = headed if any(headed.values()) else {row: self._chosen(row, wanted, entries[row]) for row in entries}
        return {row: part for row, part in chosen.items() if part is not None}

    def _chosen(self, row: int, wanted: str, entries: Sequence[_Entry]) -> Part | None:
        return _named(wanted, entries) or self._instead(row, wanted, entries) or _found(wanted, entries)

    def _instead(self, row: int, wanted: str, entries: Sequence[_Entry]) -> Part | None:
        """What an entity has for another edition's part of a folded name."""
        for there in self.successors(row, wanted):
            if part := _named(_folded(there.name), entries):
                return replace(part, instead=there)
        return None

    def successors(self, row: int, name: str) -> Iterator[Successor]:
        """What an entity's edition has for another edition's parts of a name, if the entity may have it."""
        owner = self._catalogue.folded_names[row]
        for there in successors(_folded(name)):
            if owner in there.owners and self._systems[row] == there.game_system:
                yield there

    @cached_property
    def _systems(self) -> list[str]:
        return self._catalogue.column("game_system")

    def owners(self, name: str, inside: Mask) -> list[int]:
        """The entities of a mask (bool[catalogue size]) that have a part of exactly that name, as catalogue rows."""
        heading = normalize_name(name)
        if _without_aside(name) not in self.known:
            heading = american(heading)
        part = _without_aside(heading)
        if part not in self.known:
            return []
        called = self._owners.filter((pl.col("heading") == heading) | (pl.col("part") == part)).rows()
        owned = [(its_heading, row) for its_heading, _, row in called if inside[row]]
        headed = {row for its_heading, row in owned if its_heading == heading}
        return sorted(headed or {row for _, row in owned})

    def instead(self, name: str, inside: Mask) -> dict[int, Part]:
        """The parts that entities of a mask (bool[catalogue size]) have for another edition's part of a name."""
        owners = {row for there in successors(_folded(name)) for row in self.owners(there.name, inside)}
        return {row: part for row, part in self.find(sorted(owners), name).items() if part.instead}

    def containing(self, name: str, parts: Mapping[int, Part]) -> list[str]:
        """Names that contain that of an entity's part: "Two Extra Attacks"; none if the part is found by other words.

        Args:
            name: the name, as requested.
            parts: catalogue row → the part that it stands for there.
        """
        words = _folded(name).split()
        exact = {row: part for row, part in parts.items() if _without_aside(part.name) == _without_aside(name)}
        entries = ((exact[row].name, entry) for row, some in self._entries([*exact]) for entry in some)
        longer = (entry.name for own, entry in entries if entry.name != own and _has_words(entry, words))
        return list(dict.fromkeys(filter(None, longer)))

    def names(self, rows: Sequence[int], near: str) -> list[str]:
        """The names of all parts that some entities (catalogue rows) have, those similar to `near` first."""
        named = (entry.name for _, entries in self._entries(rows) for entry in entries if entry.name)
        names = list(dict.fromkeys(named))
        similar = process.extract(
            near, names, scorer=fuzz.WRatio, processor=_folded, score_cutoff=_MIN_RATIO, limit=None
        )
        return list(dict.fromkeys([*(name for name, *_ in similar), *names]))

    def fields(self, rows: Sequence[int], name: str) -> dict[int, Part]:
        """The fields of some entities (catalogue rows) that a name means, if no part has it; empty if it means none."""
        paths = fields_named(self._catalogue, rows, name)
        return dict.fromkeys(rows, Part(", ".join(paths), {}, paths)) if paths else {}

    def fitting(self, extra: Mapping[int, Record]) -> dict[int, Part]:
        """The parts that fit a search better than the records around them.

        `extra`: catalogue row → what ranking adds to the record, with the name of such a `part`.
        """
        rows_of: defaultdict[str, list[int]] = defaultdict(list)
        for row, added in extra.items():
            if "part" in added:
                rows_of[added["part"]].append(row)
        return {row: part for name, rows in rows_of.items() for row, part in self.find(rows, name).items()}

    def levels(self, rows: Sequence[int]) -> range:
        """The levels from the lowest to the highest at which some entities (catalogue rows) grant something."""
        levels = {level for _, entries in self._entries(rows) for entry in entries for level in entry.levels}
        return range(min(levels), max(levels) + 1) if levels else range(0)

    @cached_property
    def known(self) -> frozenset[str]:
        """The folded names of all parts, without what follows in parentheses."""
        return frozenset(self._owners["part"].unique())

    @cached_property
    def _owners(self) -> pl.DataFrame:
        """`heading` of a part; `part`, the same without what follows the name in parentheses; `row`, its owner.

        Built for the first name that nothing has.
        """
        owned = [_part_names(part, column) for part in self._catalogue.parts for column in part.table.columns]
        schema = {"heading": pl.String, "part": pl.String, "row": pl.Int64}
        return pl.concat([pl.DataFrame(schema=schema), *(each for each in owned if each is not None)])

    def _entries(self, rows: Sequence[int]) -> Iterator[tuple[int, Iterator[_Entry]]]:
        """The entries of some entities, by table."""
        for part in self._catalogue.parts:
            own = [row for row in rows if part.start <= row < part.stop]
            if own and part.table.name in self._labels:
                yield from zip(own, map(_read, self._catalogue.read(self._labels, own)), strict=True)


def is_called(part: Part, folded: str) -> bool:
    """Whether a part has this folded name, without what follows in parentheses."""
    return _without_aside(part.name) == folded


def has_parts(table: Table) -> bool:
    """Whether entities of a table have parts."""
    return any(map(_has_parts, table.columns))


def _has_parts(column: Column) -> bool:
    """Whether a column holds texts with a name but no id of their own, levels with what they grant, or tables."""
    members = {*column.members}
    levels_or_tables = members >= {"level", "proficiency_bonus"} or members >= {"title", "rows"}
    return column.response and (column.holds_named_texts or levels_or_tables)


def _part_names(part: TableSlice, column: Column) -> pl.DataFrame | None:
    """`heading`, `part` and `row` of a column's parts, as in `_owners`; None if it has none, or they have no names."""
    if not _has_parts(column) or "name" not in column.members:
        return None
    heading = name = pl.element().struct.field("name")
    if "usage" in column.members:
        heading = pl.coalesce(pl.format("{} ({})", name, pl.element().struct.field("usage")), name)
    named = part.frame.select(heading=pl.col(column.name).list.eval(heading), row=pl.int_range(pl.len()) + part.start)
    named = named.explode("heading").drop_nulls()
    headings = named["heading"].unique()
    folded = (
        pl.col("heading").replace_strict({each: fold(each) for each in headings}, return_dtype=pl.String).alias(name)
        for name, fold in (("heading", normalize_name), ("part", _without_aside))
    )
    return named.select(*folded, "row")


def _without_aside(name: str) -> str:
    return _ASIDE.sub("", normalize_name(name))


def _labels(column: Column) -> pl.Expr:
    """A column of parts, reduced to what identifies them."""
    return narrowed(column, *(member for member in _LABELS if member in column.members))


def _read(values: dict[str, Any]) -> Iterator[_Entry]:
    """The entries of an entity, from its name and its columns of parts."""
    whole = values.pop("name")
    for column, parts in values.items():
        for place, part in enumerate(parts or ()):
            level = part.get("level")
            levels = tuple(part.get("levels") or ([] if level is None else [level]))
            name = part.get("name") or part.get("title") or ("Table" if "title" in part else None)
            if name or levels:
                yield _Entry(column, place, name, part.get("usage"), levels)
            if column == "progression":
                yield _Entry(column, place, f"The {whole} Table", None, ())


def _headed(wanted: str, entries: Iterable[_Entry]) -> Part | None:
    """The entries under a folded heading, including what it has in parentheses."""
    headed = [each for each in entries if each.name and wanted in map(_folded, (each.name, _heading(each)))]
    return _part(str(headed[0].name), headed) if headed else None


def _heading(entry: _Entry) -> str:
    return f"{entry.name} ({entry.usage})" if entry.usage else str(entry.name)


def _named(wanted: str, entries: Sequence[_Entry]) -> Part | None:
    """The entries of a folded name, exactly or without the parentheses in either."""
    named = [(entry.name, _folded(entry.name)) for entry in entries if entry.name]
    bare = _ASIDE.sub("", wanted)
    same = [name for name, folded in named if folded == wanted]
    exact = next(iter(same or (name for name, folded in named if _ASIDE.sub("", folded) == bare)), None)
    return None if exact is None else _part(exact, (entry for entry in entries if entry.name == exact))


def _found(wanted: str, entries: Sequence[_Entry]) -> Part | None:
    """The entries of a level, of a section, or of the first name with the words."""
    if at := _LEVEL.fullmatch(wanted):
        level = int(at["level"])
        gained = [entry for entry in entries if level in entry.levels]
        return _part(f"Level {level}", gained) if gained else None
    section = wanted.replace(" ", "_").removesuffix("s")
    if inside := [entry for entry in entries if entry.column.removesuffix("s") == section]:
        return _part(wanted.capitalize(), inside)
    words = wanted.split()
    near = next((entry.name for entry in entries if _has_words(entry, words)), None)
    return None if near is None else _part(near, (entry for entry in entries if entry.name == near))


def _has_words(entry: _Entry, words: Iterable[str]) -> bool:
    """Whether the name has all of the words as prefixes or plurals; a table also has the word `table`."""
    if entry.name is None:
        return False
    own = [*re.findall(r"\w+", _folded(entry.name)), *(["table"] if entry.column == "tables" else [])]
    return all(any(_begins(word, start) for word in own) for start in words)


def _begins(word: str, start: str) -> bool:
    """Whether a word has a prefix, singular or plural; an abbreviation such as `ac` is no prefix of "acid"."""
    return word == start or (len(start) > _ABBREVIATION and word.startswith(_PLURAL.sub("", start)))


@lru_cache(maxsize=4_096)
def _folded(name: str) -> str:
    return american(normalize_name(name))


def _part(name: str, entries: Iterable[_Entry]) -> Part:
    places: defaultdict[str, list[int]] = defaultdict(list)
    for entry in entries:
        places[entry.column].append(entry.place)
    return Part(name, {column: tuple(found) for column, found in places.items()})
