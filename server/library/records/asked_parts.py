"""The part or fact of a named thing that a query asks for: "level 5 fighter features", "AC of an adult red dragon"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from server.dataset.index.terms import FUNCTION_WORDS, terms
from server.dataset.names import normalize_name
from server.dataset.schema import CHARACTER_OPTIONS, RULES
from server.library.names.name_words import singulars
from server.library.queries.number_words import in_digits
from server.library.records.field_names import may_name_fields
from server.library.records.parts import is_called
from server.library.records.question_words import in_words_of_fields

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

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
    terms("carry deal feature full gain know learn list many much need new receive require show speak spoken"),
    terms("take tell"),
)
"""Terms of a question that do not say which part or fact is asked for."""
_CONTENT: Final = frozenset({"armor", "cantrip", "cantrips", "spell", "spells", "weapon", "weapons"})
"""What classes share with tables of their own: "bard spells" are spells, unless it is asked how many there are."""
_COUNTED: Final = frozenset({"many", "known", "number"})
_MEASURES: Final = frozenset(
    {
        "amount",
        "bonus",
        "damage",
        "dice",
        "die",
        "increase",
        "known",
        "modifier",
        "number",
        "property",
        "score",
        "value",
        "worth",
    }
)
"""What may be said beside the name of a part or fact: "stealth bonus", "bite damage"."""
_ALONE: Final = {"much": "cost", "feature": "feature", "features": "features"}
"""Words that ask for something if they are alone beside a name: "how much is a longsword"."""
_GAINS: Final = frozenset({"abilities", "benefits", "powers"})
"""Words for what a level gives."""
_KINDS: Final = {
    "creature": "creature monster npc",
    "race": "race racial species ancestry",
    "spell": "spell magic",
}
"""Entity type → words for its kind, if it has others than its own."""
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
        folded = normalize_name(query)
        words = _WORD.findall(in_words_of_fields(in_digits(folded)))
        if not 1 < len(words) <= _LONGEST or self._names.named(query, self._catalogue.everything).size:
            return None
        candidates = inside & self._with_facts
        thorough = may_name_fields(_ALONE.get(word, word) for word in words)  # not all queries: it costs far more
        for named in (self._names.named, self._names.exact)[: 1 + thorough]:
            for name, others in _names_and_others(words):
                for called in (name, name.removesuffix("'s"), *singulars(name.rstrip("'"))):
                    rows = named(called, candidates).tolist()
                    if rows and (found := self._asked_of(rows, others, candidates)):
                        return found
        return None

    def _asked_of(self, rows: Sequence[int], others: Sequence[str], inside: Mask) -> AskedPart | None:
        """What the words beside a name ask of the entities (catalogue rows) so called, which are in a mask."""
        kinds = {row: self._kinds(row) for row in rows}
        telling = [place for place, word in enumerate(others) if not _ASIDE.issuperset(terms(word))]
        told = [others[place] for place in telling]
        # Names of parts have such words as "of" too.
        whole = others[telling[0] : telling[-1] + 1] if telling else []
        of_kind = [row for row in rows if kinds[row].intersection(told)] or rows
        counted = not _COUNTED.isdisjoint(others)
        if kinds[of_kind[0]].issuperset(told):
            told = whole = [asked for word, asked in _ALONE.items() if word in others]
        for asked in dict.fromkeys((" ".join(whole), *_readings(told, kinds[of_kind[0]]))):
            parts = self._parts_called(of_kind, asked, inside, counted=counted) if asked else {}
            if parts:
                own = {row: part for row, part in parts.items() if not part.instead}
                return AskedPart(own or parts, asked, tuple(part.instead for part in parts.values() if part.instead))
        return None

    def _kinds(self, row: int) -> set[str]:
        """The words that say what kind of thing an entity is: for a subclass also the name of its class."""
        entity_type = self._catalogue.entity_types[row]
        words = set(_KINDS.get(entity_type, entity_type.replace("-", " ")).split())
        options = self._catalogue.part_of(CHARACTER_OPTIONS)
        if options.start <= row < options.stop and (parent := options.frame["subclass_of"][row - options.start]):
            words.update(normalize_name(parent["name"]).split())
        return words

    def _parts_called(self, rows: Sequence[int], asked: str, inside: Mask, *, counted: bool) -> dict[int, Part]:
        """The level, part or fields that some entities (catalogue rows) have of those asked for.

        What an edition has for another edition's part is not meant if an entity of the mask has the name of that part:
        the Divine Smite of the 2024 paladin is a spell.
        """
        if at := _LEVEL.search(asked):
            beside = " ".join(word for word in _LEVEL.sub(" ", asked).split() if word not in _GAINS)
            gained = self._parts.find(rows, f"level {at['level'] or at['ordinal']}")
            having = self._with_column(gained, beside) if beside else gained
            measure = _MEASURES.issuperset(beside.split())
            return having or ({} if measure else self._parts_called([*gained], beside, inside, counted=counted))
        content = asked in _CONTENT and any(self._catalogue.entity_types[row] == "class" for row in rows)
        if content and not counted:
            return {}
        found = self._parts.find(rows, asked)
        own = {row: part for row, part in found.items() if is_called(part, asked)}
        is_name = self._names.named(asked, inside).size
        instead = {} if is_name else {row: part for row, part in found.items() if part.instead}
        tables = self._with_column(self._parts.find(rows, "progression"), asked)
        return instead | tables | own or ({} if content else self._fields(rows, asked))

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
        levels = options.frame["progression"][row - options.start : row - options.start + 1].explode().drop_nulls()
        columns = levels.struct.field("columns").explode().struct.field("name").drop_nulls()
        names = {normalize_name(name) for name in columns}
        return {*names, *(name.rpartition(" ")[0] for name in names), *(["proficiency bonus"] if len(levels) else [])}


def _readings(told: Sequence[str], kind: Collection[str]) -> list[str]:
    """What words may ask for: as they are, or without those for the kind of the thing, for measures, or for both."""
    without = [word for word in told if word not in kind]
    readings = (told, without, _unmeasured(told), _unmeasured(without))
    return list(dict.fromkeys(" ".join(words) for words in readings if words))


def _unmeasured(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in _MEASURES] or [*words[:1]]


def _names_and_others(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each run of words that may be a name, the longest first, and the other words."""
    for length in range(min(_LONGEST_NAME, len(words) - 1), 0, -1):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length]), [*words[:start], *words[start + length :]]
