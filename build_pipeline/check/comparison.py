"""Compares what a witness states about an entity with its record, fact by fact."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from build_pipeline.normalize.merging.directory import singular
from build_pipeline.normalize.merging.draft import Reference
from build_pipeline.normalize.text.quotation_marks import straight
from build_pipeline.tables import Record
from server.dataset.names import normalize_name
from server.dataset.vocabulary import ABILITIES, CONDITIONS, DAMAGE_TYPES

_PROSE: Final = {"description", "legendary_description"}
_COMPARED: Final = (*DAMAGE_TYPES, *CONDITIONS, *ABILITIES, "half", "advantage", "disadvantage")
_WORDS: Final = "|".join(word for word in _COMPARED if word != "exhaustion")
"""The terms compared in prose; of exhaustion only the number of its levels is compared."""
_TERM: Final = re.compile(rf"\d+(?:d\d+)?|(?<![a-z])(?:{_WORDS})(?![a-z])", re.IGNORECASE)
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3})")
_HUNDRED: Final = "00"
"""How tables of percentages print 100; they print 8 as "08"."""
_TABLE_HEAD: Final = re.compile(r"^\|.*\|[ \t]*\n(?=\|[ :|-]+\|)", re.MULTILINE)
"""A table's header, which is not compared: one conversion may print the columns twice, side by side, another once."""
_MEMBER_KEYS: Final = ("name", "level")
"""The fields that identify the members of a list, as in the paths of corrections."""
_ADDED: Final = {"id", "document_key", "average"}
"""Members of a struct that the merge adds: links, and values computed from other members."""
_OPEN_LISTS: Final = {"subclasses"}
"""Columns to which any book may add."""
_OPEN_ROWS: Final = {"spell_list"}
"""Columns to which other entities add rows, as a spell that names a class does."""


class Fact(NamedTuple):
    """One fact: its path (as in `corrections.toml`), what the witness states, what the record has."""

    path: str
    witnessed: Any
    here: Any


@dataclass(frozen=True, slots=True)
class RecordComparison:
    """How records are compared with what witnesses state.

    Attributes:
        by_id: every record, to find the names of linked entities.
        loosely: compare prose only by its numbers and game terms, and other text ignoring case and punctuation.
    """

    by_id: Mapping[str, Record]
    loosely: bool

    def facts(self, witnessed: Mapping[str, Any], record: Record) -> Iterator[Fact]:
        """Every fact that is stated, with the record's value. An unknown value is not a fact.

        Records have straight quotation marks, and so the witnesses' count as such.
        """
        witnessed = straight(witnessed)
        if self.loosely:
            witnessed, record = _with_whole_text(witnessed), _with_whole_text(record)
        for column, value in witnessed.items():
            if column not in _OPEN_LISTS:
                yield from self._facts(column, value, record.get(column))

    def _facts(self, path: str, witnessed: Any, here: Any) -> Iterator[Fact]:
        match witnessed:
            case None:
                return
            case Mapping():
                for name, part in witnessed.items():
                    if name not in _ADDED:
                        yield from self._facts(f"{path}.{name}", part, self._member(witnessed, here, name))
            case Reference():
                yield from self._references(path, [witnessed], [here])
            case [Reference(), *_]:
                yield from self._references(path, witnessed, here or [])
            case [{"name": _}, *_] | [{"level": _}, *_]:
                yield from self._rows(path, witnessed, here or [])
            case list():
                yield Fact(path, sorted(map(self._token, witnessed)), sorted(map(self._token, here or [])))
            case str() if self.loosely:
                yield self._text(path, witnessed, here or "")
            case _:
                yield Fact(path, witnessed, here)

    def _text(self, path: str, witnessed: str, here: str) -> Fact:
        """A text as a fact; for prose, only the numbers and terms that only one of the two has."""
        if path.rpartition(".")[2] not in _PROSE:
            return Fact(path, _letters(witnessed), _letters(here))
        terms, others = Counter(_terms(witnessed)), Counter(_terms(here))
        return Fact(path, sorted((terms - others).elements()), sorted((others - terms).elements()))

    def _references(self, path: str, witnessed: Sequence[Reference], here: Sequence[Any]) -> Iterator[Fact]:
        names = {name for member in here for name in self._names(member)}
        for reference in witnessed:
            found = normalize_name(reference.name) in names
            yield Fact(f"{path}[{reference.name}]", reference.name, reference.name if found else None)

    def _rows(
        self, path: str, witnessed: Sequence[Mapping[str, Any]], here: Sequence[Mapping[str, Any]]
    ) -> Iterator[Fact]:
        """Compare rows of the same name or level, in their order; report rows that only one of the two has."""
        key = next(key for key in _MEMBER_KEYS if key in witnessed[0])
        left = list(here)
        for row in witnessed:
            step = f"{path}[{row[key]}]"
            labels = {normalize_name(name) for name in singular(str(row[key]))}
            found = next((other for other in left if labels & self._labels(other, key)), None)
            if found is None:
                yield Fact(step, "a row", None)
            else:
                left.remove(found)
                yield from self._facts(step, row, found)
        for other in left if path not in _OPEN_ROWS else ():
            yield Fact(f"{path}[{other[key]}]", None, "a row")

    def _member(self, witnessed: Mapping[str, Any], here: Any, name: str) -> Any:
        """A member of the record's struct; a linked entity goes by any of its names."""
        if not isinstance(here, Mapping):
            return None
        if name == "name" and here.get("id") and isinstance(witnessed["name"], str):
            labels = {normalize_name(label) for label in singular(witnessed["name"])}
            return witnessed["name"] if labels & self._labels(here, "name") else here["name"]
        return here.get(name)

    def _labels(self, row: Mapping[str, Any], key: str) -> set[str]:
        return {normalize_name(str(row[key])), *(self._names(row) if key == "name" else ())}

    def _names(self, linked: Any) -> set[str]:
        """The names of an entity given by its id or as {name, id}."""
        entity_id = linked.get("id") if isinstance(linked, Mapping) else linked
        record = self.by_id.get(str(entity_id))
        names = [record["name"], *record["keys"]] if record else []
        names += [linked["name"]] if isinstance(linked, Mapping) and linked.get("name") else []
        return set(map(normalize_name, names))

    def _token(self, value: Any) -> str:
        """A member of a list as text, without unknown and added values."""
        if isinstance(value, Mapping):
            known = {name: part for name, part in value.items() if name not in _ADDED and part not in (None, [])}
            return str({name: self._token(part) for name, part in sorted(known.items())})
        return _letters(str(value)) if self.loosely else str(value)


def _with_whole_text(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with the text on higher levels as part of the description, as some conversions print it."""
    parts = (facts.get("description"), facts.get("higher_level"))
    return {**facts, "description": "\n\n".join(filter(None, parts)) or None, "higher_level": None}


def _terms(text: str) -> Iterator[str]:
    """The numbers and game terms in a text, in lower case."""
    for term in _TERM.findall(_TABLE_HEAD.sub("", _THOUSANDS.sub("", text.replace("½", " 1/2")))):
        if term == _HUNDRED:
            yield "100"
        else:
            yield str(int(term)) if term.isdigit() else term.lower()


def _letters(text: str) -> str:
    """A short text's letters and digits, in lower case, with the signs of numbers."""
    return "".join(character for character in normalize_name(text) if character.isalnum() or character in "+-")
