"""Classes and subclasses of the System Reference Documents, with their level tables and features."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from build_pipeline.normalize.books.character_options.features import (
    Feature,
    boxes,
    feature,
    levelled_features,
    text_of,
    unlevelled_features,
)
from build_pipeline.normalize.books.character_options.level_tables import level_table, with_slots, witness_tables
from build_pipeline.normalize.books.character_options.multiclassing import multiclassing
from build_pipeline.normalize.books.drafts import BOOKS, book_draft, reference, where
from build_pipeline.normalize.books.spells.spell_lists import spell_lists
from build_pipeline.normalize.books.tree import Section, read_book
from build_pipeline.normalize.character_options import progressions
from build_pipeline.normalize.character_options.classes import proficiencies, spellcasting_ability
from build_pipeline.normalize.character_options.features import in_order
from build_pipeline.normalize.character_options.progressions import Row
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.labels import base_name, labelled, later_levels
from build_pipeline.normalize.text.tables import plain, tables_in, without_tables
from build_pipeline.snapshot.raw import RawLayer

LEVELS: Final = 20
_DIE: Final = re.compile(r"\d*[dD](\d+)")


@dataclass(slots=True)
class SubclassText:
    """A subclass: its name, its section, and its features with the sections that they come from."""

    name: str
    section: Section
    features: list[tuple[Feature, Section]]


@dataclass(slots=True)
class ClassText:
    """A class as a book prints it.

    Attributes:
        section: its section.
        traits: its starting traits, label (lower case) → text.
        equipment: the text on its starting equipment.
        table: the level table.
        features: the features with their sections, in reading order.
        subclasses: the subclasses printed with the class.
        option_groups: sections whose children are options of a feature ("Metamagic Options").
        others: further sections that belong to the class.
    """

    section: Section
    traits: dict[str, str]
    equipment: str | None
    table: list[Row]
    features: list[tuple[Feature, Section]]
    subclasses: list[SubclassText] = field(default_factory=list)
    option_groups: list[Section] = field(default_factory=list)
    others: list[Section] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.section.title


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every class and subclass that the books print."""
    for book in BOOKS:
        roots = read_book(raw, book)
        lists = spell_lists(roots, book)
        rules = multiclassing(roots)
        for text in class_texts(raw, book):
            extra = {"multiclassing": rules.by_class.get(text.name), "spell_list": lists.get(text.name)}
            draft = _class(text, extra)
            draft.from_text |= {"multiclassing"} if rules.in_prose else set()
            draft.raw = tuple(dict.fromkeys((*draft.raw, *(section.raw.id for section in rules.sections))))
            _report_gaps(draft, text, problems)
            yield draft
            for subclass in text.subclasses:
                draft = _subclass(subclass, text)
                if not subclass.features:
                    problems.add(subclass.section.raw.id, f"{where(subclass.section)}: a subclass without features")
                yield draft


def class_texts(raw: RawLayer, book: str) -> Iterator[ClassText]:
    """The classes of a book, in reading order."""
    witness = witness_tables(read_book(raw, f"{book}-second"))
    for root in read_book(raw, book):
        if any(child.title == f"Core {root.title} Traits" for child in root.children):
            yield _with_headed_levels(root, witness.get(root.title, []))
        elif root.title == "Classes":
            yield from _with_stated_levels(root, witness)


def _with_headed_levels(root: Section, witness: list[Row]) -> ClassText:
    """A class of 2024, which is a separate part of the book; headings state the levels of its features."""
    text = ClassText(root, {}, None, [], [])
    sections = list(root.walk())
    titles = [section.title.partition(": ")[2] or section.title for section in sections]
    for section in sections:
        if section.title == f"{root.title} Features":
            text.table = level_table(section.text, titles, witness)
    for child in root.children:
        if child.title == f"Core {root.title} Traits":
            rows = (row for table in tables_in(child.text) for row in table.rows)
            text.traits = {row[0].lower(): row[1] for row in rows if row[1:]}
            text.others.append(child)
        elif child.title == f"{root.title} Class Features":
            text.features = [*levelled_features(child.children, text.table), *boxes(child.walk())]
            text.others += [child, *(c for c in child.children if not c.title.startswith("Level "))]
        elif child.title.startswith(f"{root.title} Subclass: "):
            name = child.title.partition(": ")[2]
            features = list(levelled_features(child.children, []))
            text.subclasses.append(SubclassText(name, child, features))
        elif child.title.endswith(" Options"):
            text.option_groups.append(child)
        else:
            text.others += child.walk()
    text.equipment = text.traits.get("starting equipment")
    return text


def _with_stated_levels(part: Section, witness: dict[str, list[Row]]) -> Iterator[ClassText]:
    """The classes of 2014, all in one part and each followed by its subclasses; texts state the levels."""
    text: ClassText | None = None
    for section in part.children:
        start = next((child for child in section.children if child.title == "Class Features"), None)
        if start is not None:
            if text is not None:
                yield text
            text = _stated_class(section, start, witness.get(section.title, []))
        elif text is not None and any(child.children for child in section.children):
            _add_subclasses(text, section)
        elif text is not None:
            _add_options(text, section)
    if text is not None:
        yield text


def _stated_class(section: Section, start: Section, witness: list[Row]) -> ClassText:
    parts = {child.title: child for child in (*section.children, *start.children)}
    titles = [s.title for s in section.walk()]
    table = with_slots(level_table(start.text, titles, witness), section)
    sections = [child for child in section.children if child.title not in {"Class Features", "Equipment"}]
    basics = [parts[title] for title in ("Hit Points", "Proficiencies") if title in parts]
    traits = {
        (label["name"] or "").lower(): label["description"] or ""
        for basic in basics
        for label in labelled(basic.text)[1]
    }
    features = [*unlevelled_features(sections, table), *boxes(section.walk())]
    equipment = text_of(parts["Equipment"]) if "Equipment" in parts else None
    others = [*start.walk(), *sections, *(part for title, part in parts.items() if title == "Equipment")]
    return ClassText(section, traits, equipment, table, features, others=others)


def _add_subclasses(text: ClassText, group: Section) -> None:
    """Add the subclasses below a heading like "Sacred Oaths", and its introduction to the feature that offers them."""
    for child in group.children:
        features = [
            *_captioned_spells(child),
            *unlevelled_features(child.children, []),
        ]
        text.subclasses.append(SubclassText(child.title, child, features))
    text.features += boxes(group.walk())
    text.others.append(group)
    introduction = text_of(Section(group.raw, group.title, group.level, group.text))
    kind = base_name(group.title).rpartition("-")[2].removesuffix("s")
    choice = next((f for f, _ in text.features if base_name(f["name"]).rpartition("-")[2] == kind), None)
    if choice is not None and introduction:
        choice["description"] = f"{choice['description']}\n\n{introduction}"


def _add_options(text: ClassText, group: Section) -> None:
    """Add a list of options such as "Eldritch Invocations"; its introduction goes to the feature of the same name."""
    text.option_groups.append(group)
    feature = next((f for f, _ in text.features if f["name"] == group.title), None)
    if feature is not None and (introduction := clean_text(group.text)):
        feature["description"] = f"{feature['description']}\n\n{introduction}"


def _captioned_spells(section: Section) -> Iterator[tuple[Feature, Section]]:
    """Each table of spells by class level in a subclass's introduction, as a feature."""
    for table in tables_in(section.text):
        if table.caption and (levels := later_levels(table.markdown)):
            yield feature(table.caption, levels, clean_text(table.markdown)), section


def _class(text: ClassText, extra: dict[str, Any]) -> Draft:
    features = [f for f, _ in text.features]
    traits = text.traits
    die = _DIE.search(traits.get("hit point die") or traits.get("hit dice") or "")
    pact = any(base_name(f["name"]) == "pact-magic" for f in features)
    ability = traits.get("primary ability")
    facts: dict[str, Any] = {
        "hit_dice": f"d{die[1]}" if die else None,
        "hit_points_first_level": traits.get("hit points at 1st level"),
        "hit_points_per_level": traits.get("hit points at higher levels"),
        "proficiencies": proficiencies({label: plain(detail) for label, detail in traits.items()}, []),
        "primary_ability": ability.lower() if ability else None,
        "starting_equipment": clean_text(text.equipment),
        "features": in_order(features) or None,
        "spellcasting_ability": spellcasting_ability(features),
        "caster_type": progressions.caster_type(text.table or None, pact=pact),
        "progression": text.table or None,
        "subclasses": [],
    }
    of_subclasses = {part.raw.id for subclass in text.subclasses for part in subclass.section.walk()}
    parts = (part for _, section in text.features for part in section.walk() if part.raw.id not in of_subclasses)
    sections = [text.section, *text.others, *parts]
    return book_draft("class", text.name, sections, facts | extra, {"spellcasting_ability", "caster_type"})


def _subclass(subclass: SubclassText, of: ClassText) -> Draft:
    features = [f for f, _ in subclass.features]
    introduction = subclass.section.text
    for table in tables_in(introduction):
        if any(f["name"] == table.caption for f in features):
            introduction = without_tables(introduction)
    facts: dict[str, Any] = {
        "description": clean_text(introduction),
        "features": features or None,
        "subclass_of": reference("class", of.name, of.section),
    }
    draft = book_draft("subclass", subclass.name, subclass.section.walk(), facts)
    draft.parent_slug = of.name.lower()
    return draft


def _report_gaps(draft: Draft, text: ClassText, problems: Problems) -> None:
    """Report the required parts of a class that were not found, by file and line."""
    facts = draft.facts
    lacking = [name for name in ("hit_dice", "features", "progression", "starting_equipment") if not facts[name]]
    lacking += [member for member in ("saving_throws", "skills") if not facts["proficiencies"][member]]
    lacking += [] if facts["multiclassing"] else ["multiclassing"]
    lacking += [] if text.subclasses else ["subclasses"]
    lacking += ["spell_list"] if facts["caster_type"] not in {"none", None} and not facts["spell_list"] else []
    rows = sum(row["proficiency_bonus"] is not None for row in facts["progression"] or ())
    complaints = [f"no {', '.join(lacking)}"] if lacking else []
    complaints += [f"{rows} levels in its table instead of {LEVELS}"] if rows != LEVELS else []
    for complaint in complaints:
        problems.add(text.section.raw.id, f"{where(text.section)}: the class {text.name} is incomplete: {complaint}")
