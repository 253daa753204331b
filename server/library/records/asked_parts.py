"""The part or fact of a named thing that a query asks for: "level 5 fighter features", "AC of an adult red dragon"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from server.dataset.index.terms import FUNCTION_WORDS, terms
from server.dataset.names import normalize_name
from server.dataset.schema import CHARACTER_OPTIONS, RULES
from server.library.names.name_words import singulars
from server.library.records.parts import is_called

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.library.arrays import Mask
    from server.library.catalogue import Catalogue
    from server.library.names.name_index import NameIndex
    from server.library.names.renamed import Successor
    from server.library.records.parts import Part, Parts

_WORD: Final = re.compile(r"[\w'+/-]+")
_LONGEST: Final = 12
"""Words beyond which a query describes a scene."""
_LONGEST_NAME: Final = 6
"""Words of the longest name that is looked for inside a query."""
_ASIDE: Final = FUNCTION_WORDS.union(
    terms("deal feature full gain know learn list many much need new receive show speak take tell total")
)
"""Terms of a question that do not say which part or fact is asked for."""
_CONTENT: Final = frozenset({"armor", "spell", "spells", "weapon", "weapons"})
"""What classes share with tables of their own: "bard spells" are spells."""
_LEVEL: Final = re.compile(r"\b(?:level (?P<level>\d{1,2})|(?P<ordinal>\d{1,2})(?:st|nd|rd|th)[ -]level)\b")


@dataclass(frozen=True, slots=True)
class AskedPart:
    """What a query asks of a named thing.

    Attributes:
        parts: catalogue row of each thing of that name that has it → the part, or the fields. What an edition has for
            another edition's part is left out if something has the part itself.
        asked: how the query calls the part: "level 5", "ac".
        instead: what editions have for another edition's part.
    """

    parts: Mapping[int, Part]
    asked: str
    instead: tuple[Successor, ...] = ()


class AskedParts:
    """Finds the name of a thing inside a query, if all other words are a part, a level or a field of that thing."""

    def __init__(self, catalogue: Catalogue, names: NameIndex, parts: Parts) -> None:
        self._catalogue = catalogue
        self._names = names
        self._parts = parts
        rules = catalogue.part_of(RULES)
        self._with_facts = catalogue.everything.copy()
        self._with_facts[rules.start : rules.stop] = False

    def find(self, query: str, inside: Mask) -> AskedPart | None:
        """What a query asks of entities of a mask (bool[catalogue size]) with a name in it; None if nothing.

        Rules are left out, whose text is all that they have; a query that is a name ("mage armor") asks nothing.
        """
        words = _WORD.findall(normalize_name(query))
        if not 1 < len(words) <= _LONGEST or self._names.named(query, self._catalogue.everything).size:
            return None
        candidates = inside & self._with_facts
        for name, asked in _names_and_rest(words):
            for called in (name, *singulars(name)):
                rows = self._names.named(called, candidates).tolist()
                if rows and (parts := self._asked_of(rows, asked, candidates)):
                    own = {row: part for row, part in parts.items() if not part.instead}
                    instead = tuple(part.instead for part in parts.values() if part.instead)
                    return AskedPart(own or parts, asked, instead)
        return None

    def _asked_of(self, rows: Sequence[int], asked: str, inside: Mask) -> dict[int, Part]:
        """The level, part or fields that some entities (catalogue rows) have of those asked for.

        What an edition has for another edition's part is not meant if an entity of the mask has the name of that part:
        the Divine Smite of the 2024 paladin is a spell.
        """
        if at := _LEVEL.search(asked):
            beside = " ".join(_LEVEL.sub(" ", asked).split())
            found = self._parts.find(rows, f"level {at['level'] or at['ordinal']}")
            return self._with_column(found, beside) if beside else found
        if asked in _CONTENT and any(self._catalogue.entity_types[row] == "class" for row in rows):
            return {}
        found = self._parts.find(rows, asked)
        own = {row: part for row, part in found.items() if is_called(part, asked)}
        is_name = self._names.named(asked, inside).size
        instead = {} if is_name else {row: part for row, part in found.items() if part.instead}
        tables = self._with_column(self._parts.find(rows, "progression"), asked)
        return instead | tables | own or self._fields(rows, asked)

    def _fields(self, rows: Sequence[int], asked: str) -> dict[int, Part]:
        """The fields of each entity that has any: one book may lack what another says."""
        return {row: part for each in rows for row, part in self._parts.fields([each], asked).items()}

    def _with_column(self, parts: Mapping[int, Part], name: str) -> dict[int, Part]:
        """The levels or level tables, by catalogue row, that have a column of that name, or their edition's for it."""
        found: dict[int, Part] = {}
        for row, part in parts.items():
            columns = self._columns(row)
            whole = (each for each in self._parts.successors(row, name) if each.relation != "merged")
            there = (each for each in whole if normalize_name(each.name) in columns)
            instead = None if name in columns else next(there, None)
            if instead or name in columns:
                found[row] = replace(part, instead=instead)
        return found

    def _columns(self, row: int) -> set[str]:
        """The folded names of the columns of a class's level table, and what they begin with: "spell slots"."""
        options = self._catalogue.part_of(CHARACTER_OPTIONS)
        if not options.start <= row < options.stop:
            return set()
        levels = options.frame["progression"][[row - options.start]]
        columns = levels.explode().struct.field("columns").explode().struct.field("name").drop_nulls()
        names = {normalize_name(name) for name in columns}
        return {"proficiency bonus", *names, *(name.rpartition(" ")[0] for name in names)}


def _names_and_rest(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each run of words that may be a name, the longest first, and the other words that say what is asked for.

    These from the first to the last, since names of parts have such words as "of" too, and then without any of them.
    """
    for length in range(min(_LONGEST_NAME, len(words) - 1), 0, -1):
        for start in range(len(words) - length + 1):
            others = [*words[:start], *words[start + length :]]
            telling = [place for place, word in enumerate(others) if not _ASIDE.issuperset(terms(word))]
            if telling:
                name = " ".join(words[start : start + length])
                whole = others[telling[0] : telling[-1] + 1]
                for asked in dict.fromkeys((" ".join(whole), " ".join(others[place] for place in telling))):
                    yield name, asked
