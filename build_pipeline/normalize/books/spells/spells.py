"""The books' spell descriptions → drafts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from build_pipeline.normalize.books.entries import (
    BookProblemError,
    body,
    plain,
    read_sections,
    rejoined,
    stands_under,
)
from build_pipeline.normalize.books.second_texts import SecondTexts, second_texts
from build_pipeline.normalize.books.spells.spell_lists import spell_lists
from build_pipeline.normalize.books.tree import SOURCE, Section, read_book
from build_pipeline.normalize.merging.directory import SRD_DOCUMENTS
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.spells.fields import (
    class_names,
    reaction_condition,
    spell_components,
    spell_duration,
    spell_range,
)
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.spells.higher_levels import split_higher_levels
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import normalize_name, slugify
from server.dataset.vocabulary import SCHOOLS, canonical_casting_time

_SCHOOL: Final = "|".join(SCHOOLS)
_CHAPTER: Final = re.compile(r"Spell Descriptions\b")
# As in "*Level 2 Evocation (Wizard)*", in "*Evocation Cantrip (Wizard)*" and in "*2nd-level evocation (ritual)*".
_HEADER: Final = re.compile(
    rf"^[*_](?:(?:Level\s+(?P<level>\d)|(?P<ordinal>\d)(?:st|nd|rd|th)-level)\s+(?P<school>{_SCHOOL})"
    rf"|(?P<cantrip>{_SCHOOL})\s+cantrip)\s*(?:\((?P<brackets>[^)]*)\))?[*_]",
    re.IGNORECASE | re.MULTILINE,
)
_NAMES: Final = r"\*\*(?P<name>Classes|Casting Time|Range|Components?|Duration):?\*\*:?[ ]*"
_ENTRY: Final = re.compile(
    rf"(?:^|(?<= )){_NAMES}(?P<value>.*?)(?:$|(?=[ ]{_NAMES.replace('?P<name>', '?:')}))", re.MULTILINE
)
_COMPONENTS: Final = re.compile(r"(?P<letters>[VSM](?:\s*,\s*[VSM])*)\s*(?:\((?P<material>.*)\))?", re.DOTALL)
_RITUAL: Final = re.compile(r"\s+or\s+ritual\b", re.IGNORECASE)
_NAMED_OPTION: Final = re.compile(r"\s*\([^)]*\)")
_CONCENTRATION: Final = re.compile(r"^concentration\b", re.IGNORECASE)
_REQUIRED: Final = ("Casting Time", "Range", "Components", "Duration")


@dataclass(frozen=True, slots=True)
class _Text:
    """A spell's running text: its effect, and the added effect of a higher slot or a higher character level."""

    description: str | None
    higher_level: str | None


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every spell of every book; one that lacks an entry becomes a problem with its file and line."""
    for book in SRD_DOCUMENTS:
        right = second_texts(raw, "spell", book, _has_header, problems)
        lists = classes_by_list(raw, book)
        yield from read_sections(raw, book, _is_spell, partial(_drafts, right, lists, book), problems)


def _is_spell(section: Section) -> bool:
    """Whether a section is a spell: it is in the chapter, or under one of its letters ("A Spells")."""
    if stands_under(section, _CHAPTER):
        return not any(_has_header(below) for below in section.children)
    return _has_header(section) and section.parent is not None and stands_under(section.parent, _CHAPTER)


def _has_header(section: Section) -> bool:
    """Whether a section, wherever it is, is a spell: it has a line with level and school."""
    return bool(_HEADER.search(section.text))


def classes_by_list(raw: RawLayer, book: str) -> dict[str, list[str]]:
    """Normalised name of a spell → the classes whose lists have it."""
    found: dict[str, list[str]] = {}
    for name, levels in spell_lists(read_book(raw, book), book).items():
        for spell in (spell for row in levels for spell in row["spells"]):
            found.setdefault(normalize_name(spell.name), []).append(name)
    return found


def _drafts(right: SecondTexts, lists: dict[str, list[str]], book: str, section: Section) -> Iterator[Draft]:
    header = _HEADER.search(section.text)
    if header is None:
        msg = "the spell has no line with its level and school"
        raise BookProblemError(msg)
    entries = _entries(section)
    for name in _REQUIRED:
        if name not in entries or not entries[name]["value"].strip():
            msg = f"the spell has no {name}"
            raise BookProblemError(msg)
    value = {name: plain(match["value"]).strip() for name, match in entries.items()}
    brackets = header["brackets"] or ""
    is_ritual = brackets.lower() == "ritual"
    own_line = value.get("Classes") or ("" if is_ritual else brackets)
    classes = class_names(own_line.split(",") if own_line else lists.get(normalize_name(section.title), ()))
    if classes is None:
        msg = "the spell is on no class's list"
        raise BookProblemError(msg)
    duration, time = value["Duration"], value["Casting Time"]
    concentration = bool(_CONCENTRATION.match(duration))
    text = _split_text(right.of(section))
    facts: dict[str, Any] = {
        "description": _with_named_times(text.description, time),
        "level": int(header["level"] or header["ordinal"] or 0),
        "school": (header["school"] or header["cantrip"]).lower(),
        "casting_time": _casting_time(time),
        "reaction_condition": reaction_condition(time.partition(",")[2].strip()),
        "range": spell_range(value["Range"]),
        "duration": spell_duration(duration, concentration=concentration),
        "concentration": concentration,
        "ritual": bool(_RITUAL.search(time)) or is_ritual,
        "components": _components(value["Components"]),
        "higher_level": text.higher_level,
        "classes": classes,
    }
    key = slugify(section.title)
    sections = (*section.walk(), *right.of(section).walk())
    ids = tuple(dict.fromkeys(each.raw.id for each in sections))
    yield Draft(SOURCE, ids, "spell", book, section.title, (key,), facts=facts)


def _entries(section: Section) -> dict[str, re.Match[str]]:
    return {"Components" if m["name"] == "Component" else m["name"]: m for m in _ENTRY.finditer(section.text)}


def _casting_time(text: str) -> str:
    """Casting times in canonical form: "Action (Overgrowth) or 8 hours (…)" → "1 action or 8 hours"."""
    plain = _NAMED_OPTION.sub("", _RITUAL.sub("", text.partition(",")[0]))
    return " or ".join(canonical_casting_time(each) for each in plain.split(" or "))


def _with_named_times(description: str | None, time: str) -> str | None:
    """The description, followed by the casting times if they name the effect of each."""
    return (
        f"{description}\n\n**Casting Time.** {time}." if _NAMED_OPTION.search(time.partition(",")[0]) else description
    )


def _components(text: str) -> dict[str, Any]:
    match = _COMPONENTS.fullmatch(text)
    if match is None:
        msg = f"its components {text!r} are not letters with the material in brackets"
        raise BookProblemError(msg)
    verbal, somatic, material = (letter in match["letters"] for letter in "VSM")
    return spell_components((verbal, somatic, material), clean_text(match["material"]))


def _split_text(section: Section) -> _Text:
    """The text below the entries, split from the paragraphs on higher slots; it keeps the stat blocks below it.

    Those paragraphs may follow a table that has a heading of its own.
    """
    text = rejoined(section.text[max(match.end() for match in _entries(section).values()) :])
    main, higher = split_higher_levels(text)
    main = body(section, main)
    if not higher:
        main, higher = split_higher_levels(main)
    return _Text(clean_text(main), clean_text(higher))
