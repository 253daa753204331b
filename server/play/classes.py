"""The class, and perhaps the subclass, that names stand for: "paladin 5 / warlock 1" is neither, and refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from server.dataset.names import normalize_name
from server.library.documents.editions import within_edition
from server.library.message import Call, Given, Message, Named, joined
from server.library.names.renamed import counterparts
from server.library.requests.request import Request, RequestError
from server.play.named import of_one_name
from server.play.spell_lists import with_common_slots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.library.facts import Row
    from server.library.library import Library

COLUMNS: Final = (
    *("id", "name", "document_key", "game_system", "caster_type", "features", "progression", "subclass_of"),
    *("hit_dice", "hit_points_first_level", "hit_points_per_level", "spell_list", "subclass_spells"),
)

_CLASS: Final = Named("class_key")
_SUBCLASS: Final = Named("subclass")
_WORD: Final = re.compile(r"\w+")
_BETWEEN_CLASSES: Final = re.compile(r"[/,;+&|]|\band\b", re.IGNORECASE)
_LEVEL_TOLD: Final = re.compile(r"\b(?:level|lvl|lv)?\s*\d+\b", re.IGNORECASE)
_SLOTS_OF_SEVERAL: Final = "Multiclass Spellcaster: Spell Slots per Spell Level"
"""The rule of that name in both System Reference Documents."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A class with a subclass; `said` is a note on which they are, None if they are just what was asked for."""

    of: Row
    subclass: Row
    said: str | None


def as_asked(library: Library, name: str, documents: Sequence[str] | None) -> Request:
    """The request for a class, with the edition that its name tells ("wizard (2014)") as its documents."""
    return within_edition(Classes(library, documents).request(name), library.facts.documents)


class Classes:
    """The classes and subclasses in some documents of a library."""

    def __init__(self, library: Library, documents: Sequence[str] | None) -> None:
        """`documents`: entries of `documents`; None for all."""
        self._library = library
        self._documents = None if documents is None else tuple(documents)

    def request(self, name: str | None = None, of: Row | None = None) -> Request:
        """The request for classes and subclasses, of this name or id if one is given; with `of` only its subclasses."""
        filters = {} if of is None else {"subclass_of": of["id"]}
        return Request("character_option", kind="class", name=name, filters=filters, documents=self._documents)

    def named(self, name: str) -> Row:
        """The class of that name or id; if several books have it, the preferred one.

        Raises:
            RequestError: there is no such class, or several.
        """
        return self._in_all_books(name)[0]

    def with_subclass(self, name: str, subclass: str) -> Chosen:
        """The class and the subclass of these names or ids.

        If several books have the class, the preferred one with a subclass of just that name or id is taken; otherwise
        the preferred one with a subclass that the name stands for, perhaps by what the other edition calls it.

        Raises:
            RequestError: there is no such class, or several, or it has no such subclass, or several.
        """
        classes = self._in_all_books(name)
        found = [(of, row) for of in classes for row in self.all_named(subclass, of)]
        wanted = normalize_name(subclass)
        of_name = [pair for pair in found if wanted in (pair[1]["id"], normalize_name(pair[1]["name"]))]
        is_found = bool(of_name) or any(of is classes[0] for of, _ in found)
        if not is_found and (pair := self._renamed(classes, subclass)):
            of, row = pair
        elif found:
            of, _ = (of_name or found)[0]
            row = of_one_name([row for other, row in found if other is of], _SUBCLASS.name, subclass, "subclasses")[0]
        else:
            raise self._without_subclass(classes, subclass)
        return Chosen(of, row, _is_elsewhere(of, row, classes[0], subclass))

    def subclasses(self, of: Row) -> list[Row]:
        """The subclasses of a class in all of the documents."""
        return [row for row in self._library.facts.passing(self.request(of=of), COLUMNS) if _belongs(row, of)]

    def all_named(self, name: str, of: Row | None = None) -> list[Row]:
        """The classes and subclasses of that name or id; with `of` only its subclasses."""
        found = self._library.facts.named(self.request(name, of), COLUMNS)
        return found if of is None else [row for row in found if _belongs(row, of)]

    def with_level_tables(self) -> list[Row]:
        """The classes, not subclasses, that have a table of their levels."""
        classes = self._library.facts.passing(self.request(), COLUMNS)
        return [row for row in classes if row["progression"] and not row["subclass_of"]]

    def _in_all_books(self, name: str) -> list[Row]:
        """The classes of that name or id in all books that have it, the preferred first; at least one."""
        named = [row for row in self.all_named(name) if row["progression"] and not row["subclass_of"]]
        if found := of_one_name(named, _CLASS.name, name, "classes"):
            return found
        if several := self._several(name):
            raise RequestError(parameter=_CLASS.name, value=name, message=several)
        there = self.with_level_tables()
        if there:
            remedy = Message(f"The classes with a level table: {', '.join(sorted({row['name'] for row in there}))}.")
        else:
            books = sorted({row["document_key"] for row in Classes(self._library, None).with_level_tables()})
            only = f"No class in these books has one, only classes in {', '.join(books)}: add such a book to "
            remedy = Message(only, Named("documents"), ".")
        unknown = Message(_CLASS, f': there is no class "{name}" with a level table.')
        said = joined((unknown, *self._instead(name), remedy))
        raise RequestError(parameter=_CLASS.name, value=name, message=said)

    def _several(self, name: str) -> Message | None:
        """The message on a name that is of several classes, perhaps with their levels: "paladin 5 / warlock 1"."""
        parts = [part for part in (_LEVEL_TOLD.sub("", each).strip() for each in _BETWEEN_CLASSES.split(name)) if part]
        there = {row["name"].casefold(): row for row in self.with_level_tables()}
        if len(parts) < 2 or not all(part.casefold() in there for part in parts):  # noqa: PLR2004
            return None
        found = [there[part.casefold()] for part in parts]
        one = Message(_CLASS, f" takes one class: make one call for each of {', '.join(row['name'] for row in found)}.")
        request = Request("rule", name=_SLOTS_OF_SEVERAL, documents=self._documents)
        casters = [row["name"] for row in with_common_slots(found)]
        if len(casters) < 2 or not self._library.facts.named(request, ["id"]):  # noqa: PLR2004
            return one
        rule = Call("lookup_rule", (Given("name", _SLOTS_OF_SEVERAL),))
        return joined((one, Message(f"Common spell slots of {' and '.join(casters)}: ", rule, ".")))

    def _instead(self, name: str) -> list[str]:
        """Sentences on what a name that is not a class may mean: a subclass, a closed book's class, a similar name."""
        named = self.all_named(name)
        subclasses = dict.fromkeys((row["name"], row["subclass_of"]["name"]) for row in named if row["subclass_of"])
        near = [] if named else self._library.facts.similar(self.request(name))
        return [
            *(
                Message(f"{own} is a subclass of {of}: ", Given(_CLASS.name, of), ", ", Given(_SUBCLASS.name, own), ".")
                for own, of in subclasses
            ),
            *self._library.closed(name, self.request()),
            *([f"Similar names: {', '.join(near)}."] if near else []),
        ]

    def _renamed(self, classes: Sequence[Row], name: str) -> tuple[Row, Row] | None:
        """The preferred class with what it calls a subclass of another edition: only one has the key evocation."""
        elsewhere = Classes(self._library, None).all_named(name)
        names = {each.name for row in elsewhere for each in counterparts(normalize_name(row["name"])) if each.whole}
        own = ((of, row) for of in classes for row in self.subclasses(of)) if names else ()
        return next((pair for pair in own if normalize_name(pair[1]["name"]) in names), None)

    def _without_subclass(self, classes: Sequence[Row], subclass: str) -> RequestError:
        """The refusal of a subclass that no book's version of a class has: what each has, and what closed books do."""
        of, *others = classes
        there = {each["id"]: sorted({row["name"] for row in self.subclasses(each)}) for each in classes}
        own = f"Its subclasses: {', '.join(there[of['id']])}." if there[of["id"]] else "It has none here."
        further = [f"Those of {each['id']}: {', '.join(there[each['id']])}." for each in others if there[each["id"]]]
        lacks = Message(_SUBCLASS, f': {of["name"]} ({of["id"]}) has no subclass "{subclass}".')
        message = joined((lacks, *self._library.closed(subclass, self.request()), own, *further))
        return RequestError(parameter=_SUBCLASS.name, value=subclass, message=message)


def _is_elsewhere(of: Row, subclass: Row, preferred: Row, asked: str) -> str | None:
    """A sentence if a subclass is not of the preferred class, or is not called as asked; None otherwise."""
    named = f"{subclass['name']} ({subclass['id']})"
    if of is not preferred:
        return f'{preferred["id"]} has no subclass "{subclass["name"]}", so this is {of["id"]} with {subclass["id"]}.'
    if set(_WORD.findall(normalize_name(asked))) & set(_WORD.findall(normalize_name(named))):
        return None
    return f'Read "{asked}" as {named}.'


def _belongs(row: Row, parent: Row) -> bool:
    return bool(row["subclass_of"] and row["subclass_of"]["id"] == parent["id"])
