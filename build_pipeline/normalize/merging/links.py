"""Links between entities: references resolved to ids, and back-links (class → subclasses, race → subraces)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from build_pipeline.normalize.merging.directory import Directory, parent_id, rules_above
from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.draft import Reference
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.text.items.spells import Words, names_leading
from server.dataset.names import normalize_name
from server.dataset.schema import EQUIPMENT_TYPES, RULE_TYPES
from server.dataset.sentences import first_sentence

CHILDREN: Final = {"subclass_of": "subclasses", "subrace_of": "subraces", "option_of": "options"}
"""Column naming the parent (or parents) → the parent's column that lists its children."""


NAMED: Final[dict[str, tuple[str, ...]]] = {
    "spells": ("spell",),
    "subclass_spells": ("spell",),
    "gear": EQUIPMENT_TYPES,
}
"""Column of rows {name, id, …} → the entity types they refer to."""


_BOOK: Final = "srd"

_Children = dict[tuple[str, str], list[Entity]]
"""(Parent's id, its column) → its children."""


def link(
    entities: Iterable[Entity],
    documents: Mapping[str, DocumentMeta] | None = None,
    report: Callable[[str, str], None] = lambda *_: None,
) -> None:
    """Resolve every `Reference` in the facts to {id, name, document_key}, then add children to their parents.

    Rows of spells and gear get the id of the entity they name; rows of spells also get its level.

    Args:
        entities: all entities; changed in place.
        documents: every document by key; its rules and publisher decide where names are searched (`directory.py`).
        report: receives the raw id of each rule that a source has below itself, and what was done about it.
    """
    everything = list(entities)
    _free_chapters(everything)
    directory = Directory(everything, documents or {})
    children: _Children = defaultdict(list)
    for entity in everything:
        for column, value in entity.facts.items():
            if value and column != "related":
                entity.facts[column] = _linked(entity, column, value, directory, children)
    _break_cycles(everything, report)
    for entity in everything:
        # Last, because parents decide between several entities of one name.
        if named := entity.facts.get("related"):
            own = directory.related(entity.drafts[0].facts.get("related") or (), entity)
            related = directory.related(named, entity)
            # A name that only another source gives, and that matches no entity, names nothing.
            entity.facts["related"] = [each for each in related if "/" in each or each in own]
            if own.keys() >= set(entity.facts["related"]):  # the others only use other names for the same
                entity.filled.pop("related", None)
        for column in CHILDREN.values():
            if found := children.get((entity.id, column)):
                entity.facts[column] = [_child(c) for c in sorted(found, key=lambda c: (c.name, c.document_key))]
    _complete_spell_lists(everything)
    _add_rules_below(everything)
    _place_below_parents(everything)


def _complete_spell_lists(entities: Iterable[Entity]) -> None:
    """Add to every class's list the spells of its book that name the class: some lists lack one."""
    naming: dict[tuple[str, str], list[Entity]] = defaultdict(list)
    for entity in entities:
        if entity.entity_type == "spell" and entity.facts.get("level") is not None:
            for name in entity.facts.get("classes") or ():
                naming[entity.document_key, name].append(entity)
    for entity in entities:
        listed = {row["level"]: row["spells"] for row in entity.facts.get("spell_list") or ()}
        for spell in naming[entity.document_key, entity.name.lower()] if listed else ():
            known = listed.setdefault(spell.facts["level"], [])
            if spell.id not in known:
                listed[spell.facts["level"]] = sorted([*known, spell.id])
        if listed:
            _tell(entity, "spell_list", [{"level": level, "spells": listed[level]} for level in sorted(listed)])


def _free_chapters(entities: Iterable[Entity]) -> None:
    """Clear the parent of every chapter of a book, even if another source gives it one."""
    for entity in entities:
        told = next((draft.facts for draft in entity.drafts if draft.source == _BOOK), None)
        if entity.entity_type == "rule" and told is not None and not told.get("parent") and not told.get("headings"):
            entity.facts["parent"] = None
            entity.filled.pop("parent", None)


def _break_cycles(entities: Iterable[Entity], report: Callable[[str, str], None]) -> None:
    """Clear the parent of every rule that would be below itself."""
    by_id = {entity.id: entity for entity in entities}
    for entity in by_id.values():
        *_, top = (entity, *rules_above(entity, by_id))
        if parent_id(top) == entity.id:
            report(entity.raw[0], f"it would be below itself: its parent {parent_id(entity)} is left out")
            entity.facts["parent"] = None
            entity.filled.pop("parent", None)


def _place_below_parents(entities: Iterable[Entity]) -> None:
    """Set the headings above every rule: those above its parent, and the parent.

    A source may leave one out, or make the rule a chapter although the book gives it a parent.
    """
    rules = {entity.id: entity for entity in entities if entity.entity_type in RULE_TYPES}
    placed = set[str]()

    def place(entity: Entity) -> None:
        above = rules.get(parent_id(entity))
        if above is None or entity.id in placed:
            return
        placed.add(entity.id)
        place(above)
        headings = [*(above.facts.get("headings") or ()), normalize_name(above.name.removesuffix(" Table"))]
        if not set(headings) <= set(entity.facts.get("headings") or ()):
            _tell(entity, "headings", headings)
            _tell(entity, "section", above.facts.get("section"))

    for entity in rules.values():
        place(entity)


def _tell(entity: Entity, column: str, value: Any) -> None:
    if entity.facts.get(column) != value:
        entity.facts[column] = value
        entity.from_text.add(column)


def _add_rules_below(entities: Iterable[Entity]) -> None:
    """Set the `children` of rules, in the order of the rule's text, else of its `related`, else of the book."""
    below: dict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        if above := parent_id(entity):
            below[above].append(entity)
    for entity in entities:
        if entity.entity_type in RULE_TYPES and (found := below.get(entity.id)):
            place = {each: position for position, each in enumerate(entity.facts.get("related") or ())}
            found.sort(key=lambda e: (place.get(e.id, len(place)), e.facts.get("reading_order") or 0, e.name))
            told = [_told_at(child, entity.facts.get("description") or "") for child in found]
            if None not in told:
                found = [child for _, child in sorted(zip(told, found, strict=True), key=lambda each: each[0] or 0)]
            entity.facts["children"] = [child.name for child in found]
            others = [child.id for child in found if child.id not in place]
            entity.facts["related"] = [*place, *others]


def _told_at(child: Entity, text: str) -> int | None:
    """The offset of a rule's heading, label or table cell in a text; None if it has none."""
    name = re.escape(child.name.removesuffix(" Table"))
    match = re.search(
        rf"(?mi)^(?:> ?)?(?:#+ |[-*] )?[*_]*{name}\b|\| *[*_]*{name}[*_]* *\||[*_]{{2}}{name}[*_]{{2}}", text
    )
    return match.start() if match else None


def _linked(entity: Entity, column: str, value: Any, directory: Directory, children: _Children) -> Any:
    """A column's value with names resolved to ids; adds the entity to `children` of any parent it names."""
    if column == "spell_list":
        return [{**row, "spells": directory.ids(row["spells"], entity)} for row in value]
    if column in NAMED:
        rows = [part for row in value for part in _apart(row, NAMED[column], entity, directory)]
        named = [directory.named(row, NAMED[column], entity) for row in rows]
        return (list(_each_once(named)) if column == "spells" else named) or None
    references = list(_references(value))
    if not references:
        return value
    targets = [directory.find(reference, entity) for reference in references]
    for target in filter(None, targets if column in CHILDREN else ()):
        children[target.id, CHILDREN[column]].append(entity)
    resolved = [_reference(target, reference) for target, reference in zip(targets, references, strict=True)]
    return resolved if isinstance(value, list) else resolved[0]


def _each_once(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows without duplicates, and without those that lack a usage if another of the same name has one."""
    used = {row["name"] for row in rows if row.get("usage")}
    seen = set[tuple[Any, ...]]()
    for row in rows:
        alike = row["name"], row.get("usage"), row.get("level")
        if alike not in seen and (row.get("usage") or row["name"] not in used):
            seen.add(alike)
            yield row


def _apart(
    row: dict[str, Any], entity_types: tuple[str, ...], entity: Entity, directory: Directory
) -> list[dict[str, Any]]:
    """The row, or two rows if its name is two names that lost the comma between them: "scrying tongues".

    Plain words become a row for each spell that they name.
    """
    if isinstance(row["name"], Words):
        spells = names_leading(row["name"], lambda name: bool(directory.nearest(name, entity_types, entity)))
        return [{**row, "name": name} for name in spells]
    words = row["name"].split()
    if not directory.nearest(row["name"], entity_types, entity):
        for place in range(1, len(words)):
            names = " ".join(words[:place]), " ".join(words[place:])
            if all(directory.nearest(name, entity_types, entity) for name in names):
                return [{**row, "name": name} for name in names]
    return [row]


def _references(value: Any) -> Iterator[Reference]:
    """The value itself if it is a reference, or the references in it if it is a list."""
    yield from (part for part in (value if isinstance(value, list) else [value]) if isinstance(part, Reference))


def _reference(target: Entity | None, reference: Reference) -> dict[str, Any]:
    if target is None:
        return {"id": None, "name": reference.name, "document_key": None}
    return {"id": target.id, "name": target.name, "document_key": target.document_key}


def _child(entity: Entity) -> dict[str, Any]:
    return {"id": entity.id, "name": entity.name, "document_key": entity.document_key, "description": None}


def describe_children(entities: Iterable[Entity]) -> None:
    """Set the descriptions of linked and corrected children: their first sentences."""
    everything = list(entities)
    told = {entity.id: first_sentence(entity.facts.get("description")) for entity in everything}
    for entity in everything:
        for child in (child for column in CHILDREN.values() for child in entity.facts.get(column) or ()):
            child["description"] = told[child["id"]]
