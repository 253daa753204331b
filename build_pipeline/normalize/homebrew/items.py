"""Homebrew items as plain Python values, and the collection of them that resolves keys."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from build_pipeline.normalize.homebrew.document_keys import document_keys
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference, printed_at, read_each
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.titles import titled
from build_pipeline.snapshot.orcbrew.edn_values import Keyword, Symbol, Tagged, write_edn
from build_pipeline.snapshot.orcbrew.field_types import whole
from build_pipeline.snapshot.orcbrew.model import SOURCE
from build_pipeline.snapshot.orcbrew.references import dangling, folded, srd_name
from build_pipeline.snapshot.orcbrew.registry import split_key
from build_pipeline.snapshot.orcbrew.transit import from_transit
from build_pipeline.snapshot.raw import RawLayer, RawObject

CORE_DOCUMENT: Final = "srd-2014"
"""The document of OrcPub's built-in content."""

ENTITY_TYPES: Final = {
    "spells": "spell",
    "monsters": "creature",
    "classes": "class",
    "subclasses": "subclass",
    "races": "race",
    "subraces": "subrace",
    "backgrounds": "background",
    "feats": "feat",
    "languages": "language",
}
"""Kind in a file → entity type, for the kinds that have one."""

_LOST_APOSTROPHE: Final = re.compile(
    r"\b(can(?= ?t (?:speak|read|write|talk|understand))|don|doesn|isn|won|couldn|didn|aren) ?t\b"
)
# Bullets from the private use area, soft hyphens, tabs: left by word processors.
_TEXT_REPAIRS: Final = str.maketrans({"\uf0b7": "•", "\u00ad": None, "\t": " "})

_ABBREVIATION: Final = re.compile(r"\b(?:ac|cr|dc|hp|npc|url|xp)\b")
_SHOWN: Final = frozenset(("key", "former-key", "name", "option-pack", "description", "help", "summary", "disabled?"))
"""Fields that the name and the description show."""


class Key(str):
    """A former keyword: a key rather than text."""

    __slots__ = ()


def plain(value: Any) -> Any:
    """Convert an EDN value to plain Python values.

    Keywords become `Key`s without their namespace, sets and lists become lists, tagged values their values, symbols and
    NaN None. Map entries without a usable key are dropped, and so are the old copies under `:edit-event`.
    """
    if isinstance(value, Keyword):
        return Key(value.name)
    if isinstance(value, Tagged):
        return plain(value.value)
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        pairs = ((_plain_key(key), part) for key, part in value.items())
        return {key: plain(part) for key, part in pairs if key is not None and key != "edit-event"}
    if isinstance(value, Symbol) or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value


def _plain_key(key: Any) -> str | None:
    if isinstance(key, Keyword):
        return Key(key.name)
    if isinstance(key, bool):
        return write_edn(key)
    return str(key) if isinstance(key, str | int) else None


def text(value: Any) -> str | None:
    """The cleaned text of a string, or of a list of strings as paragraphs; None for anything else."""
    if isinstance(value, list) and value and all(isinstance(p, str) and not isinstance(p, Key) for p in value):
        value = "\n\n".join(value)
    if not isinstance(value, str) or isinstance(value, Key):
        return None
    return clean_text(value.translate(_TEXT_REPAIRS))


def label(value: Any) -> str | None:
    """A name from a text, or from a key, which was probably made from one."""
    if isinstance(value, Key):
        return title(value) or None
    found = text(value)
    return " ".join(found.split()) if found else None


def words(key: str) -> str:
    """The words of a key: `understands-common-but-cant-speak-` → "understands common but can't speak"."""
    return _LOST_APOSTROPHE.sub(r"\1't", " ".join(re.split(r"[-_\s]+", key.strip("-_ "))))


def title(key: str) -> str:
    """A key as a title: `sleight-of-hand` → "Sleight of Hand", `magical-ac-bonus` → "Magical AC Bonus"."""
    return titled(_ABBREVIATION.sub(lambda match: match[0].upper(), words(key)))


def line(value: Any, between: str = ", ") -> str | None:
    """A text, also from a key, a list or a map of flags: `[:fire "cold"]` → "fire, cold"."""
    if isinstance(value, str):
        return words(value) if isinstance(value, Key) else text(value)
    return between.join(filter(None, map(line, flags(value)))) or None


def within(value: Any, least: int, most: int) -> int | None:
    """The whole number if it is from `least` to `most`; otherwise None, as if missing: a finding has reported it."""
    number = whole(value)
    return number if number is not None and least <= number <= most else None


def level_of(value: Any) -> int | None:
    """A character level, 1 to 20, or None."""
    return within(value, 1, 20)


def flags(value: Any) -> list[str]:
    """The keys that are true in a map of flags; the keys in a list."""
    if isinstance(value, dict):
        return [key for key, flag in value.items() if flag is True]
    return [part for part in value if isinstance(part, str)] if isinstance(value, list) else []


def keys(value: Any) -> list[str]:
    """The keys of a map, whatever they are set to; the keys in a list."""
    return list(value) if isinstance(value, dict) else flags(value)


def mapping(value: Any) -> dict[str, Any]:
    """The value if it is a map, otherwise an empty map."""
    return value if isinstance(value, dict) else {}


def maps(value: Any) -> list[dict[str, Any]]:
    """The maps in a list; a single map counts as a list of one."""
    if isinstance(value, dict):
        return [value] if "name" in value or "description" in value else maps(list(value.values()))
    return [part for part in value if isinstance(part, dict) and part] if isinstance(value, list) else []


def listed(names: list[str], last: str = "and") -> str:
    """Names joined for a sentence: "fire, cold and acid"."""
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


@dataclass(frozen=True)
class Item:
    """A homebrew entity: its raw object, the key of its document, and its fields as plain values."""

    raw: RawObject
    document_key: str
    fields: dict[str, Any]

    @property
    def kind(self) -> str:
        return self.raw.endpoint

    @property
    def key(self) -> str:
        """Its key within its kind and book."""
        return split_key(self.raw)[1]

    @cached_property
    def name(self) -> str:
        return label(self.fields.get("name")) or title(self.key) or self.key

    @property
    def description(self) -> str | None:
        """Its description, which OrcPub calls help in classes, races and backgrounds."""
        return text(self.fields.get("description")) or text(self.fields.get("help")) or text(self.fields.get("summary"))

    def draft(
        self, entity_type: str, facts: dict[str, Any], *, name: str = "", parent: str = "", also: Iterable[str] = ()
    ) -> Draft:
        """Make a draft of the item.

        Args:
            entity_type: the draft's entity type.
            facts: column → value.
            name: a name to use instead of the item's.
            parent: appended to the slug if two names collide: its class, race or kind.
            also: ids of further raw objects that the facts come from.
        """
        return Draft(
            source=SOURCE,
            raw=(self.raw.id, *dict.fromkeys(also)),
            entity_type=entity_type,
            document_key=self.document_key,
            name=name or self.name,
            keys=(self.key,),
            parent_slug=parent,
            facts=facts,
        )


def everything(item: Item, known: Collection[str] = ()) -> str | None:
    """Its description, then a line for every other field that fits in one; for kinds without columns."""
    return "\n\n".join(filter(None, (item.description, unread(item, known)))) or None


def unread(item: Item, known: Collection[str]) -> str | None:
    """A line for each unknown field that fits in one; longer ones are only in the raw layer."""
    others = [
        f"**{title(field.rstrip('?'))}.** {phrase}"
        for field, value in item.fields.items()
        if field not in _SHOWN and field not in known and (phrase := in_words(value))
    ]
    return "\n\n".join(others) or None


def in_words(value: Any) -> str | None:
    """A field's value in words: a text, a number, "yes", or the keys that are true in it."""
    if isinstance(value, Key):
        return words(value)
    if isinstance(value, bool):
        return "yes" if value else None
    if isinstance(value, int | float | Fraction):
        return str(value)
    return text(value) or ", ".join(map(words, flags(value))) or None


def _edn(obj: RawObject) -> dict[Any, Any]:
    """Fields of an item as in its file. Invalid Transit JSON raises an error that `instead_of_failing` catches."""
    item = from_transit(obj.data["item"])
    if not isinstance(item, dict):
        msg = "the item is not a map"
        raise TypeError(msg)
    return item


def _fields(item: dict[Any, Any]) -> dict[str, Any]:
    """Fields of an item as plain values: fields that are nil are left out, and None is an unknown value."""
    fields: dict[str, Any] = plain({key: value for key, value in item.items() if value is not None})
    return fields


class HomebrewCollection:
    """All homebrew of a snapshot, by kind and key. Unreadable items become problems and are left out."""

    def __init__(self, raw: RawLayer, problems: Problems) -> None:
        self.problems = problems
        self._items: dict[str, dict[str, list[Item]]] = defaultdict(lambda: defaultdict(list))
        keys = document_keys(raw)
        read: list[tuple[RawObject, dict[Any, Any]]] = []
        for obj in raw:
            if obj.source == SOURCE:
                book, key = split_key(obj)
                with problems.instead_of_failing(obj):
                    item = _edn(obj)
                    self._items[obj.endpoint][folded(key)].append(Item(obj, keys[book], _fields(item)))
                    read.append((obj, item))
        there = {(kind, key) for kind, items in self._items.items() for key in items}
        for obj, item in read:
            for _, message in dangling(obj.endpoint, item, there, "the homebrew"):
                problems.add(obj.id, f"{printed_at(obj)}{message}")

    @property
    def kinds(self) -> list[str]:
        """Every kind that occurs."""
        return list(self._items)

    def kind(self, kind: str) -> Iterator[Item]:
        """All items of a kind."""
        for items in self._items[kind].values():
            yield from items

    def read(self, kind: str, read: Callable[[Item], Draft | None]) -> Iterator[Draft]:
        """The draft of every item of a kind. An unreadable item becomes a problem; the others are still read."""
        items = {item.raw.id: item for item in self.kind(kind)}
        return read_each((item.raw for item in items.values()), self.problems, lambda obj: read(items[obj.id]))

    def find(self, kind: str, key: str, origin: Item) -> Item | None:
        """The homebrew item that a key in `origin` refers to: in its own book or, unless built in, in any book."""
        found = self._items[kind].get(folded(key), [])
        own = next((item for item in found if item.document_key == origin.document_key), None)
        return own or (found[0] if found and not srd_name(kind, key) else None)

    def name(self, kind: str, key: str, origin: Item) -> str:
        """The name of the thing that a key in `origin` refers to; made from the key if nothing has that key."""
        found = self.find(kind, key, origin)
        return found.name if found else srd_name(kind, key) or title(key)

    def reference(self, kind: str, key: str, origin: Item) -> Reference:
        """A reference for a key in `origin`. The name of one that nothing has is kept as text."""
        types = (ENTITY_TYPES[kind],)
        found = self.find(kind, key, origin)
        if found is not None:
            return Reference(types, found.name, found.raw.id, found.document_key)
        built_in = srd_name(kind, key)
        if built_in is not None:
            return Reference(types, built_in, document_key=CORE_DOCUMENT)
        return Reference(types, title(key))
