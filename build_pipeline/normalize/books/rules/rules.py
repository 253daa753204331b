"""The books' rules: every heading and sidebar that is a rule, with its chapter, tags and references."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.books.drafts import BOOKS
from build_pipeline.normalize.books.rules.contents import (
    ABBREVIATIONS,
    ALSO_CALLED,
    first_match,
)
from build_pipeline.normalize.books.rules.outline import Rule, outline, untagged
from build_pipeline.normalize.books.second_texts import second_texts
from build_pipeline.normalize.books.tree import SOURCE, Section, read_book
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference
from build_pipeline.normalize.rules.outline import contents, opening
from build_pipeline.normalize.text.tables import tables_in
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import normalize_name, slugify
from server.dataset.schema import EQUIPMENT_TYPES

WHOLE_CHARS: Final = 6000
"""A rule's description includes everything below the rule if it is no longer than this, otherwise only its own text."""

_SEE_ALSO: Final = re.compile(
    r"[*_]See also[*_](?P<named>[^\n]*?(?:\.[\"”]?(?=\s*$)|\.[\"”]?(?= [A-Z])|$))", re.MULTILINE
)
_NAMED: Final = re.compile(r"[\"“](?P<name>[^\"”]+?)[,.]?[\"”](?:\s*\((?P<inside>[^)]*)\))?")
_QUOTED: Final = re.compile(r"[\"“]([^\"”]+?)[,.]?[\"”]")
_PRICE: Final = re.compile(r" \((?:[^)]*\d [CSEGP]P|Varies|Free)\)$")
_VARIES: Final = " (Varies)"
_OWN_ABBREVIATION: Final = re.compile(r" \((?P<short>[A-Z])\)$")
_MASTERY: Final = "Mastery Properties"
_SIDEBARS: Final = re.compile(r"(?m)(?:^>.*\n?)+\n*")


def rule_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """A draft of every rule, condition and weapon property of the books that a snapshot has."""
    for book in BOOKS:
        parts = read_book(raw, book)
        seconds = _with_second_texts(raw, book, parts, problems)
        rules = [rule for part in outline(book, parts) for rule in part.walk()]
        for rule in rules:
            rule.sections += seconds.get(rule.raw.id, ())
        see_also = _SeeAlso(book, rules)
        yield from (_draft(book, rule, see_also) for rule in rules)


def _with_second_texts(raw: RawLayer, book: str, parts: list[Section], problems: Problems) -> dict[str, list[str]]:
    """Replace faulty texts of the first conversion by the second's: raw id → raw ids of the second's sections.

    The second's sidebars are left out: each conversion places them where there was room.
    """
    right = second_texts(raw, "rule", book, lambda section: bool(section.text), problems)
    seconds = {}
    for section in (below for part in parts for below in part.walk()):
        if (entry := right.of(section)) is not section:
            section.text = _SIDEBARS.sub("", entry.text)
            seconds[section.raw.id] = [entry.raw.id]
    return seconds


def _draft(book: str, rule: Rule, see_also: _SeeAlso) -> Draft:
    start = opening(rule.prose)
    description, told = _description(rule, see_also)
    facts: dict[str, Any] = {
        "rule_type": rule.entity_type,
        "description": description or None,
        "section": rule.path[0],
        "headings": list(dict.fromkeys(normalize_name(untagged(title)) for title in rule.path[:-1])),
        "parent": _reference(rule.parent) if rule.parent else _chapter(rule),
        "related": [
            *map(_reference, (*rule.children, *see_also.tables_of(rule))),
            *_listed(rule),
            *see_also.also(rule),
        ],
        "tags": list(rule.tags),
        "reading_order": rule.order,
    }
    if short := see_also.abbreviation(rule):
        facts["abbreviation"] = short
    if rule.entity_type == "weapon-property":
        facts["category"] = "mastery" if _MASTERY in rule.path else "property"
    above = rule.parent.name if rule.parent else rule.path[-2] if len(rule.path) > 1 else ""
    return Draft(
        SOURCE,
        tuple(dict.fromkeys((rule.raw.id, *rule.sections, *(each.raw.id for each in told)))),
        rule.entity_type,
        book,
        rule.name,
        tuple(filter(None, (short.lower() if short else None, first_match(rule.path, ALSO_CALLED[book])))),
        slugify(above),
        facts=facts,
        from_text={"description"} if _is_composed(rule, facts["description"]) else set(),
        marks=(start,) if start else (),
    )


def _chapter(rule: Rule) -> Reference | None:
    """The chapter of a rule among sections that are not rules, such as a class's spell list."""
    return Reference(("class", "rule"), rule.path[0]) if len(rule.path) > 1 else None


def _is_composed(rule: Rule, description: str | None) -> bool:
    """Whether the description only says what is below the rule, which has no text of its own."""
    return description is not None and not rule.text and not description.startswith("#")


def _reference(rule: Rule) -> Reference:
    return Reference((rule.entity_type,), rule.name, None if rule.part else rule.raw.id)


def _listed(rule: Rule) -> Iterator[Reference]:
    """The things of another type that a rule's list names."""
    if rule.lists:
        entity_type, names = rule.lists
        equipment = tuple(dict.fromkeys((entity_type, *EQUIPMENT_TYPES))) if entity_type in EQUIPMENT_TYPES else ()
        mundane = tuple(each for each in equipment if each != "magic-item")
        for name in names:
            # The heading of a kind of equipment is not a magic item: "Ammunition (Varies)".
            types = (mundane if name.endswith(_VARIES) else equipment) or (entity_type,)
            yield Reference(types, _PRICE.sub("", name))


def _description(rule: Rule, see_also: _SeeAlso) -> tuple[str, list[Rule]]:
    """A rule's description, and the rules with sections of their own whose text it includes."""
    below = {id(child) for child in rule.children}
    # A table beside the rule is left to the rule above if that names it too.
    above = rule.parent.text if rule.parent else ""
    tables = [table for table in see_also.tables_of(rule) if id(table) in below or f"{table.title} table" not in above]
    beside = [table for table in tables if id(table) not in below]
    whole = "\n\n".join([rule.text, *map(_titled, beside), *_below(rule, 3)]).strip()
    if rule.children and len(whole) <= WHOLE_CHARS:
        return whole, [*beside, *(each for child in rule.children for each in child.walk())]
    if text := "\n\n".join([rule.text, *map(_titled, tables)]).strip():
        return text, tables
    if rule.lists:
        return f"{rule.name}: {_names_listed(rule)}", []
    return contents(rule.name, [child.name for child in rule.children]) or "", []


def _titled(table: Rule) -> str:
    return f"**{table.title}**\n\n{table.text}"


def _below(rule: Rule, level: int) -> Iterator[str]:
    """The sections below a rule with their headings, without those that its text already contains.

    Things that are not rules are only listed by name.
    """
    for child in rule.children:
        own = child.text or _names_listed(child)
        told = () if child.inside else (*filter(None, [own]), *_below(child, level + 1))
        if told:
            yield f"{'#' * min(level, 6)} {child.title if child.is_table else child.name}"
            yield from told


def _names_listed(rule: Rule) -> str:
    """The names of the things of another type below a rule, as text."""
    names = [_PRICE.sub("", name) for name in rule.lists[1]] if rule.lists else []
    comma = "; " if any("," in name for name in names) else ", "
    return f"{comma.join(names)}." if names else ""


def seen_also(text: str) -> Iterator[tuple[str, str | None]]:
    """(name, chapter) of everything that a text's "See also" names; the chapter is None if it is not given."""
    for also in _SEE_ALSO.finditer(text):
        for named in _NAMED.finditer(also["named"]):
            inside = _QUOTED.findall(named["inside"] or "")
            yield from ((name, named["name"] if inside else None) for name in inside or [named["name"]])


class _SeeAlso:
    """Finds the rules of a book that a text names, and the book's abbreviations for them."""

    def __init__(self, book: str, rules: list[Rule]) -> None:
        self._rules = rules
        self._glossary = ABBREVIATIONS.get(book, ())[:1]
        listed = next((rule for rule in rules if rule.path == ABBREVIATIONS.get(book)), None)
        cells = [cell for table in tables_in(listed.text if listed else "") for row in table.rows for cell in row]
        self._abbreviations = {
            normalize_name(meaning.replace("(s)", "s")): short
            for short, meaning in zip(cells[::2], cells[1::2], strict=True)
        }

    def abbreviation(self, rule: Rule) -> str | None:
        """A rule's abbreviation: the one in its name, or for a glossary entry the one in the book's list."""
        if own := _OWN_ABBREVIATION.search(rule.name):
            return own["short"]
        return self._abbreviations.get(normalize_name(rule.name)) if rule.path[:-1] == self._glossary else None

    def also(self, rule: Rule) -> Iterator[Reference | str]:
        """References to what a rule's "See also" names: glossary entries, chapters, or sections of a chapter."""
        for name, chapter in seen_also(rule.text):
            found = self._find(name, chapter, rule)
            yield _reference(found) if found else name

    def _find(self, name: str, chapter: str | None, origin: Rule) -> Rule | None:
        """The rule of that name in `chapter`, or in that of `origin` if none is given; otherwise in any chapter."""
        wanted = normalize_name(name)
        found = [rule for rule in self._rules if normalize_name(rule.name) == wanted and rule is not origin]
        place = chapter or origin.path[0]
        near = [rule for rule in found if any(normalize_name(h) == normalize_name(place) for h in rule.path[:-1])]
        return next(iter(sorted(near, key=lambda rule: len(rule.path)) or found), None)

    def tables_of(self, rule: Rule) -> Iterator[Rule]:
        """The tables that a rule's text names and that have headings of their own beside or below it."""
        beside = [*rule.children, *(rule.parent.children if rule.parent else ())]
        for table in beside:
            if table.is_table and not table.inside and table is not rule and f"{table.title} table" in rule.text:
                yield table
