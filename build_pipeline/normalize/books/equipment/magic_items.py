"""The books' magic items → drafts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from build_pipeline.normalize.books.entries import BookProblemError, body, read_sections, stands_under
from build_pipeline.normalize.books.second_texts import SecondTexts, second_texts
from build_pipeline.normalize.books.tree import SOURCE, Section
from build_pipeline.normalize.equipment.armory import Armory
from build_pipeline.normalize.equipment.magic_drafts import Header, add_printed, magic_draft, magic_facts
from build_pipeline.normalize.merging.directory import SRD_DOCUMENTS
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.text.items.rarity import rarity
from build_pipeline.normalize.text.tables import tables_in
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import normalize_name, slugify

_CHAPTER: Final = re.compile(r"Magic Items [A-Z]\b|(?:Magic Item Descriptions|Artifacts)$")
_PART: Final = re.compile(r"Magic Items$")
_FIRST_LINE: Final = re.compile(
    r"\s*\*(?P<header>(?:Armor|Weapon|Potion|Ring|Rod|Scroll|Staff|Wand|Wondrous)\b[^*]*)\*\s*"
)

_KIND: Final = re.compile(r"\w \([\w ]+\)$")


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every magic item of every book; one whose line of type and rarity cannot be read becomes a problem."""
    armory = Armory(raw, problems)
    for book in SRD_DOCUMENTS:
        right = second_texts(raw, "magic-item", book, _has_header, problems)
        yield from read_sections(raw, book, _is_magic_item, partial(_drafts, armory, right, book), problems)


def _is_magic_item(section: Section) -> bool:
    """Whether a section is a magic item: it is in a chapter of them, or in the part on them and begins like one."""
    return stands_under(section, _CHAPTER) or (stands_under(section, _PART) and _has_header(section))


def _has_header(section: Section) -> bool:
    """Whether a section, wherever it is, is a magic item: its text begins with a type of item."""
    return bool(_FIRST_LINE.match(section.text))


def _drafts(armory: Armory, right: SecondTexts, book: str, section: Section) -> Iterator[Draft]:
    """The item of a section, then the items named only in its table: "Potion of Healing (greater) | … | Uncommon"."""
    line = _FIRST_LINE.match(section.text)
    header = Header.read(line["header"]) if line else None
    if header is None or rarity(header.rarity) is None:
        msg = f"its first line {section.text.partition(chr(10))[0]!r} does not name type and rarity"
        raise BookProblemError(msg)
    entry = right.of(section)
    text = body(entry, _FIRST_LINE.sub("", entry.text, count=1))
    rows = dict(_rows(text))
    ids = tuple(dict.fromkeys(each.raw.id for each in (*section.walk(), *entry.walk())))
    title = normalize_name(entry.title)
    own = next((rarity_text for name, rarity_text in rows.items() if normalize_name(name) == title), None)
    kinds = {name: rarity_text for name, rarity_text in rows.items() if _KIND.search(name)}
    for printed, rarity_text in {entry.title: own or header.rarity or "", **kinds}.items():
        facts = magic_facts(header.category, text, rarity(rarity_text)) | header.facts()
        draft = magic_draft(
            facts,
            armory,
            source=SOURCE,
            raw=ids,
            document=book,
            printed=printed,
            key=slugify(printed),
            phrase=header.phrase,
        )
        if printed == entry.title != section.title:
            draft.keys = (*draft.keys, slugify(section.title))  # "Orb of the Wyrm": the two texts' names differ
        add_printed(draft, header.rarity or "", header.phrase)
        yield draft


def _rows(text: str) -> Iterator[tuple[str, str]]:
    """(name, rarity) of the items in a table; the header "Potion of …" is put before a row's name "Healing"."""
    for table in tables_in(text):
        rarities = table.column("Rarity") or ()
        prefix = table.header[0].removesuffix("…").strip() if table.header[0].endswith("…") else ""
        for row, rarity_text in zip(table.rows, rarities, strict=False):
            yield f"{prefix} {row[0]}".strip(), rarity_text
