"""The books' sample poisons, which are for sale and part of the equipment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_pipeline.normalize.books.rules.contents import path_of
from build_pipeline.normalize.books.rules.outline import clean_markdown
from build_pipeline.normalize.books.tree import SOURCE, Section, read_book
from build_pipeline.normalize.equipment.gear import GEAR, mundane_facts
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.text.money import gold
from build_pipeline.normalize.text.tables import tables_in
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import normalize_name

_SAMPLES: Final = {
    "srd-2024": ("Gameplay Toolbox", "Poison", "Sample Poisons"),
    "srd-2014": ("Adventuring", "Poisons", "Sample Poisons"),
}
"""Book → the path of its section of sample poisons."""

_HEADING: Final = re.compile(r"(?P<name>.+?) \((?P<price>[\d,]+ [CSEGP]P)\)")
_KIND: Final = re.compile(r"[*_](?P<kind>\w+) Poison[*_]\s*")
_RUN_IN: Final = re.compile(r"(?m)^\*\*\*(?P<name>[^*(]+) \((?P<kind>\w+)\)\.\*\*\* (?P<text>.+)$")


def poison_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """A draft of every sample poison with its price and kind; those that lack either go into `problems`."""
    for book, path in _SAMPLES.items():
        sections = [section for part in read_book(raw, book) for section in part.walk()]
        for section in sections:
            if path_of(section) == path:
                yield from _headed(section, problems) if section.children else _listed(section, problems)


def _headed(samples: Section, problems: Problems) -> Iterator[Draft]:
    """Poisons that each have a heading, which gives the price; the kind is below it."""
    for section in samples.children:
        heading, kind = _HEADING.fullmatch(section.title), _KIND.match(section.text)
        if heading is None or kind is None:
            problems.add(section.raw.id, f"{section.title!r} does not name a poison with its price and kind")
            continue
        text = section.text[kind.end() :]
        yield _draft(section, heading["name"], _text(text, kind["kind"]), heading["price"])


def _listed(samples: Section, problems: Problems) -> Iterator[Draft]:
    """Poisons that each have a paragraph, which gives the kind; the prices are in a table in the section above."""
    tables = tables_in(clean_markdown(samples.parent.text)) if samples.parent else ()
    prices = {normalize_name(row[0]): row[-1] for table in tables for row in table.rows}
    for found in _RUN_IN.finditer(samples.text):
        price = prices.get(normalize_name(found["name"]))
        if price is None:
            problems.add(samples.raw.id, f"the poison {found['name']!r} is not in the price table")
        else:
            draft = _draft(samples, found["name"], _text(found["text"], found["kind"]), price)
            draft.raw = (*draft.raw, *([samples.parent.raw.id] if samples.parent else ()))
            yield draft


def _text(effect: str, kind: str) -> str:
    return f"{clean_markdown(effect)}\n\nPoison type: {kind.lower()}."


def _draft(section: Section, name: str, text: str, price: str) -> Draft:
    facts = mundane_facts("poison", text, gold(price), None)
    return Draft(SOURCE, (section.raw.id,), GEAR, section.raw.endpoint, name, facts=facts)
