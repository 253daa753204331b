"""Variants of magic items: what a "Holy Avenger (Mace)" or a "Chain Mail (+2)" takes from its generic."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, Final

from build_pipeline.normalize.equipment.magic_drafts import PRINTED_BASE, PRINTED_RARITY, printed_text
from build_pipeline.normalize.equipment.named_variants import Items, Name, variants_named_in_books
from build_pipeline.normalize.equipment.open_bases import OF_BASE, is_ruled_out
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.text.items.kinds import text_of_kind
from build_pipeline.normalize.text.items.rarity import VARIES, rarity_of_kind
from server.dataset.names import normalize_name

_BRACKETED: Final = re.compile(r"(?P<generic>.+?) \((?P<kind>[^()]+)\)")
_BONUS: Final = re.compile(r"\+(?P<bonus>[123])\b")
_OPENING: Final = 250
_OPENING_LENGTH: Final = 45
"""Length in characters, at most and at least, of the openings by which two items are recognised as one."""
_ONE_TEXT: Final = 0.93
"""Similarity from which two texts are the same, though one may have lost a table's rows."""
_TRUSTED: Final = ("srd", "open5e_v1", "dnd5e_api", "open5e_v2")
"""Sources to trust on a generic's rarity and attunement, best first: of several rarities v2 has the lowest."""

Inherited = dict[str, tuple[Any, Draft]]
"""Column → its value, and the draft that it comes from."""


def with_generics(drafts: list[Draft]) -> Iterable[Draft]:
    """The drafts: variants take rarity and attunement from their generic, and are those that the book names.

    A magic item weighs what the book says its base item weighs; some transcriptions have another edition's weights.
    Where the book leaves the base item open, facts of one base item that another source gives are dropped.
    """
    _weigh_as_the_book(drafts)
    items: dict[Name, list[Draft]] = defaultdict(list)
    for draft in drafts:
        if draft.entity_type == "magic-item":
            for document in (draft.document_key, *draft.also):
                items[document, normalize_name(draft.name)].append(draft)
    for item_drafts in items.values():
        _leave_open(item_drafts)
    variants: dict[Name, Name] = {}
    excluded: list[Draft] = []
    for variant, generic, whole in _with_its_generic(
        items
    ):  # lazily: what one inherits tells of the next one's generic
        variants[variant] = generic
        _inherit(items[variant], items[generic], whole=whole)
        excluded += _excluded(items[variant], items[generic])
    bases = [draft for draft in drafts if draft.entity_type in {"weapon", "armor"}]
    kept = [draft for draft in drafts if not any(draft is other for other in excluded)]
    return [*kept, *variants_named_in_books(items, variants, bases)]


def _with_its_generic(items: Items) -> Iterator[tuple[Name, Name, bool]]:
    """Each item that is a variant, with its generic and whether they differ only in base or bonus."""
    by_opening = {
        (document, opening): name
        for (document, name), item_drafts in items.items()
        for opening in _openings(item_drafts)
        if not any(draft.facts.get("base_item") for draft in item_drafts)
    }
    for (document, name), item_drafts in items.items():
        found = _generics(document, item_drafts, items, by_opening)
        related = next(((generic, whole) for generic, whole in found if generic != name), None)
        if related:
            yield (document, name), (document, related[0]), related[1]


def _excluded(variant: list[Draft], generic: list[Draft]) -> list[Draft]:
    """The drafts of a variant that the book's "Any Melee Weapon" rules out; the generic gets their raw objects."""
    printed = (PRINTED_BASE.search(draft.facts["description"]) for draft in generic if draft.source == "srd")
    of_what = next((match["printed"].lower() for match in printed if match), "")
    bases = ((draft.facts.get("base_item"), draft.facts) for draft in variant)
    if not any(base and is_ruled_out(facts, of_what) for base, facts in bases):
        return []
    generic[0].raw = tuple(dict.fromkeys((*generic[0].raw, *(draft.raw[0] for draft in variant))))
    return variant


def _weigh_as_the_book(drafts: Iterable[Draft]) -> None:
    weights = {
        (draft.document_key, normalize_name(draft.name)): draft
        for draft in drafts
        if draft.source == "srd" and draft.entity_type in {"weapon", "armor"} and draft.facts.get("weight_lb")
    }
    for draft in drafts:
        base = draft.facts.get("base_item") if draft.entity_type == "magic-item" else None
        book = weights.get((base.document_key, normalize_name(base.name))) if base else None
        if book is not None and draft.facts.get("weight_lb") != book.facts["weight_lb"]:
            draft.take("weight_lb", book.facts["weight_lb"], book.source)
            draft.raw = (*draft.raw, book.raw[0])


def _leave_open(item_drafts: list[Draft]) -> None:
    if any(draft.source == "srd" and not draft.facts.get("base_item") for draft in item_drafts):
        for draft in item_drafts:
            weight = {"weight_lb"} if draft.facts.get("base_item") else set()
            draft.facts.update((column, None) for column in (*OF_BASE, *weight) if column in draft.facts)


def _openings(item_drafts: Iterable[Draft]) -> Iterator[str]:
    for draft in item_drafts:
        text = normalize_name(printed_text(draft))
        if len(text) >= _OPENING_LENGTH:
            yield text[:_OPENING]


def _generics(
    document: str,
    item_drafts: list[Draft],
    items: Items,
    by_opening: Mapping[tuple[str, str], str],
) -> Iterator[tuple[str, bool]]:
    """Names of possible generics of an item, each with whether they differ only in base or bonus.

    Found by the name before the brackets ("Holy Avenger (Mace)"), by the same text ("Slimeblade Rapier"), and by a name
    with one or two words fewer and a text that begins the same way ("Brass Horn of Valhalla").
    """
    for draft in item_drafts:
        match = _BRACKETED.fullmatch(draft.name)
        if match and (document, normalize_name(match["generic"])) in items:
            yield normalize_name(match["generic"]), True
    openings = list(_openings(item_drafts))
    if any(draft.facts.get("base_item") for draft in item_drafts):
        yield from ((by_opening[document, o], True) for o in openings if (document, o) in by_opening)
    begun = {opening[:_OPENING_LENGTH] for opening in openings}
    for shorter in _shorter(normalize_name(item_drafts[0].name)):
        if any(opening[:_OPENING_LENGTH] in begun for opening in _openings(items.get((document, shorter), ()))):
            yield shorter, False


def _shorter(name: str) -> Iterator[str]:
    """The name without one word, then without two adjacent words."""
    words = name.split()
    for left_out in (1, 2):
        for start in range(len(words) - left_out + 1):
            yield " ".join((*words[:start], *words[start + left_out :]))


def _inherit(variant: list[Draft], generic: list[Draft], *, whole: bool) -> None:
    """Give a variant its generic's attunement, the book's text, and its kind's rarity or, if `whole`, the generic's."""
    inherited = _of_kind(generic, _kind(variant[0].name)) or (_shared(generic, "rarity") if whole else {})
    if any(draft.source == "srd" and draft.facts.get("rarity") not in {None, VARIES} for draft in variant):
        inherited = {}  # a table of the book names the variant, with a rarity of its own
    for column in ("requires_attunement", "attunement_detail"):
        inherited |= _shared(generic, column)
    if text := _book_text(variant, generic):
        inherited["description"] = text
    for draft in variant:
        for column, (value, told_by) in inherited.items():
            if value != VARIES and draft.facts.get(column) != value:
                draft.take(column, value, told_by.source)
                draft.raw = tuple(dict.fromkeys((*draft.raw, told_by.raw[0])))
        draft.raw = tuple(dict.fromkeys((*draft.raw, generic[0].raw[0])))


def _of_kind(generic: list[Draft], kind: str | None) -> Inherited:
    """The rarity that a generic's text prints for one of its kinds."""
    for draft in generic if kind else ():
        printed = PRINTED_RARITY.search(draft.facts.get("description") or "")
        if kind and printed and (rarity := rarity_of_kind(printed["printed"], kind)):
            return {"rarity": (rarity, draft)}
    return {}


def _shared(generic: list[Draft], column: str) -> Inherited:
    """The generic's value of a column, from the most trusted source that has one."""
    trusted = sorted(generic, key=lambda d: _TRUSTED.index(d.source) if d.source in _TRUSTED else len(_TRUSTED))
    return next(({column: (d.facts[column], d)} for d in trusted if d.facts.get(column) is not None), {})


def _book_text(variant: list[Draft], generic: list[Draft]) -> tuple[str, Draft] | None:
    """The book's text on the variant's kind, or that of the generic if the variant has the same.

    The APIs' texts have lost paragraphs and tables, or are another kind's.
    """
    book = next((draft for draft in generic if draft.source == "srd"), None)
    if book is None or any(draft.source == "srd" for draft in variant):
        return None
    text = printed_text(book)
    if own := text_of_kind(variant[0].name, text):
        return own, book
    texts = (printed_text(draft) for draft in variant)
    return (text, book) if any(_similarity(text, other) >= _ONE_TEXT for other in texts) else None


def _similarity(text: str, other: str) -> float:
    """Share of letters that two texts have in common, 0 to 1, ignoring spaces and markup."""
    one, two = (normalize_name(each).replace(" ", "") for each in (text, other))
    return float(SequenceMatcher(None, one, two, autojunk=False).quick_ratio())


def _kind(name: str) -> str | None:
    """The part of a name that distinguishes a variant from the others: "+2", "gold"."""
    if match := _BONUS.search(name):
        return f"+{match['bonus']}"
    bracketed = _BRACKETED.fullmatch(name)
    return bracketed["kind"].lower() if bracketed else None
