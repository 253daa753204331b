"""Variants that a book names and no other source lists: the stones of an Ioun Stone, the swords of "any sword"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from rapidfuzz.distance import Indel

from build_pipeline.normalize.equipment.magic_drafts import PRINTED_BASE, PRINTED_RARITY, printed_text
from build_pipeline.normalize.equipment.open_bases import OF_BASE, bases_of, folded_base
from build_pipeline.normalize.merging.draft import Draft, Reference
from build_pipeline.normalize.text.items.kind_lists import Kind, kind_lists, text_of, words
from build_pipeline.normalize.text.items.names import item_keys
from build_pipeline.normalize.text.items.rarity import rarity_of_kind
from server.dataset.names import normalize_name, slugify

_BOOK: Final = "srd"
_EVERY_BONUS: Final = re.compile(r".+, \+1, \+2, or \+3")
_NEARLY: Final = 0.9
"""Similarity from which a name is the misspelling of another."""
_EXAMPLES: Final = 2
"""How many cells of a column must name variants of the item's own document before the other cells do too."""

Name = tuple[str, str]
"""(Document, normalised name)."""
Items = Mapping[Name, list[Draft]]


@dataclass(frozen=True, slots=True)
class Sibling:
    """A variant that a source lists, of this document or of another edition."""

    name: str
    keys: tuple[str, ...]
    own: bool

    def is_of(self, kind: Kind, generic: str) -> bool:
        """Whether it is the variant of that kind: "Manual of Clay Golems" is that of "Clay Golem"."""
        named, told = words(self.name), words(kind.name)
        apart = named - words(generic)
        return told <= named and apart <= told | words(kind.heading or "")

    def is_nearly_of(self, kind: Kind, generic: str) -> bool:
        """Whether its name differs by a letter or two: "Box (Obsidian Stead)" from the kind "Obsidian Steed"."""
        named, told = (sorted(words(name) - words(generic)) for name in (self.name, kind.name))
        return Indel.normalized_similarity(" ".join(named), " ".join(told)) >= _NEARLY


def variants_named_in_books(items: Items, variants: Mapping[Name, Name], bases: Iterable[Draft]) -> Iterator[Draft]:
    """Drafts of the variants that books name and no source lists.

    Args:
        items: the drafts of magic items by name.
        variants: the variants among them → their generics.
        bases: the drafts of weapons and armor.
    """
    of_book = [base for base in bases if base.source == _BOOK]
    for (document, name), drafts in items.items():
        book = next((draft for draft in drafts if draft.source == _BOOK and draft.document_key == document), None)
        if book is None or (document, name) in variants:
            continue
        listed = [items[variant][0] for variant, generic in variants.items() if generic == (document, name)]
        found = chain(
            _of_kinds(book, _siblings(book, items), items),
            _of_bases(book, listed, [base for base in of_book if base.document_key == document]),
        )
        by_name = {normalize_name(draft.name): draft for draft in found}
        yield from (draft for title, draft in by_name.items() if (document, title) not in items)


def _siblings(book: Draft, items: Items) -> list[Sibling]:
    """The variants of an item's name in all documents whose text is a book's, its own document's first."""
    generic, own = words(book.name), book.document_key
    title = normalize_name(book.name)
    documents = {d for (d, name), drafts in items.items() if name == title and drafts[0].document_key == d}
    books = {d for d in documents if any(draft.source == _BOOK for draft in items[d, title])}
    found = [
        Sibling(
            drafts[0].name,
            () if document == own else tuple(key for draft in drafts for key in draft.keys),
            document == own,
        )
        for (document, name), drafts in items.items()
        if document in books and generic < words(drafts[0].name)
    ]
    return sorted(found, key=lambda sibling: not sibling.own)


def _of_kinds(book: Draft, siblings: list[Sibling], items: Items) -> Iterator[Draft]:
    """The kinds in a text that another edition has as variants, and those in one column with variants of its own."""
    text = printed_text(book)
    lists = [
        [(kind, next((each for each in siblings if each.is_of(kind, book.name)), None)) for kind in kinds]
        for kinds in (kind_lists(text) if siblings else ())
    ]
    known = {kind.name: sibling for kinds in lists for kind, sibling in kinds if sibling}
    misspelt = [each for each in siblings if each.own and each not in known.values()]
    for kinds in lists:
        for kind, listed in kinds:
            sibling = listed or _after_the_example(kind, [(k, each) for k, each in kinds if each and each.own])
            if sibling is None or sibling.own:
                continue
            if wrong := next((each for each in misspelt if each.is_nearly_of(kind, book.name)), None):
                _respell(items[book.document_key, normalize_name(wrong.name)], sibling.name)
                continue
            all_kinds = {*known, *(each.name for each, _ in kinds if kind.heading)}
            facts = {
                "description": text_of(sibling.name, kind.name, all_kinds, text),
                "rarity": kind.rarity or _rarity_of(book, kind.name),
            }
            keys = (key for each in (sibling, *siblings) if each.is_of(kind, book.name) for key in each.keys)
            yield _variant(book, sibling.name, book.facts | facts, set(facts), keys)


def _respell(drafts: Iterable[Draft], name: str) -> None:
    for draft in drafts:
        draft.keys = (*draft.keys, *item_keys(slugify(name), name))
        draft.name = name


def _after_the_example(kind: Kind, own: list[tuple[Kind, Sibling]]) -> Sibling | None:
    """The name of a kind whose neighbours in the column have variants: after "Scroll (Level 1)", "Scroll (Level 2)"."""
    if not kind.heading or len(own) < _EXAMPLES:
        return None
    like = (
        (example.name, sibling.name)
        for example, sibling in own
        if example.name.isdigit() == kind.name.isdigit() and example.name in sibling.name
    )
    return next((Sibling(name.replace(cell, kind.name), (), own=False) for cell, name in like), None)


def _rarity_of(book: Draft, kind: str) -> str | None:
    printed = PRINTED_RARITY.search(book.facts["description"] or "")
    told = rarity_of_kind(printed["printed"], kind) if printed else None
    own: str | None = book.facts.get("rarity")
    return told or own


def _of_bases(book: Draft, listed: list[Draft], bases: list[Draft]) -> Iterator[Draft]:
    """The weapons or suits of armor that the printed choice allows and of which no variant is listed."""
    phrase = PRINTED_BASE.search(book.facts["description"] or "")
    if phrase is None:
        return
    made = {folded_base(base.name) for each in listed if (base := each.facts.get("base_item"))}
    for base in bases_of(phrase["printed"], bases):
        if folded_base(base.name) in made or re.search(rf"\b{folded_base(base.name)}\b", normalize_name(book.name)):
            continue
        of_base = {column: base.facts[column] for column in OF_BASE if column in base.facts}
        reference = Reference((base.entity_type,), base.name, document_key=base.document_key)
        own = {"description": printed_text(book), "base_item": reference, "weight_lb": base.facts.get("weight_lb")}
        facts: dict[str, Any] = book.facts | of_base | own
        for name, changed in _by_bonus(book, base.name):
            draft = _variant(book, name, facts | changed, {"base_item", *of_base, *changed})
            draft.raw = tuple(dict.fromkeys((*draft.raw, base.raw[0])))
            yield draft


def _by_bonus(book: Draft, base: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The names of the variants made from a base item, each with what its bonus settles."""
    if not _EVERY_BONUS.fullmatch(book.name):
        yield f"{book.name} ({base})", {}
        return
    for bonus in (1, 2, 3):
        yield f"{base} (+{bonus})", {"bonus": bonus, "rarity": _rarity_of(book, f"+{bonus}")}


def _variant(book: Draft, name: str, facts: Mapping[str, Any], read: set[str], keys: Iterable[str] = ()) -> Draft:
    own = tuple(item_keys(slugify(name), name))
    return Draft(
        source=book.source,
        raw=book.raw,
        entity_type=book.entity_type,
        document_key=book.document_key,
        name=name,
        keys=tuple(dict.fromkeys((*own, *(key for key in keys if "_" not in key)))),
        facts=dict(facts),
        from_text=book.from_text | read,
        taken=dict(book.taken),
    )
