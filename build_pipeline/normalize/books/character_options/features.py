"""Sections of a class in a book → its features: names, levels and texts; also the boxes printed beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from build_pipeline.normalize.books.tree import Section
from build_pipeline.normalize.character_options.progressions import Row, announces
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.labels import base_name, gained_level, later_levels
from build_pipeline.normalize.text.tables import tables_in, with_plain_formulas

Feature = dict[str, Any]

_CASTING: Final = {"spellcasting", "pact-magic"}
_OFFERS: Final = re.compile(
    r"\b(?:one|two|three) of the following\b[^.:]*\b(?:choice|options?|features?)\b|\bchoose the option below\b",
    re.IGNORECASE,
)
_LEVELLED: Final = re.compile(r"Level (\d{1,2}): (.+)")
_BOX: Final = re.compile(r"(?:^>.*(?:\n|\Z))+", re.MULTILINE)
_BOX_TITLE: Final = re.compile(r"\A(?:#+\s*(?P<heading>.+)|\*\*(?P<label>[^*\n]+)\*\*)\s*\n")
_BULLET: Final = re.compile(r"(?m)^-\s+")


def text_of(section: Section, without: Iterable[Section] = ()) -> str | None:
    """A section's text with everything below it, without boxes; the heading of a mere table becomes its caption.

    `without`: children whose text belongs elsewhere.
    """
    parts, left_out = [_own_text(section)], list(without)
    for child in section.children:
        for part in child.walk() if child not in left_out else ():
            depth = min(6, part.level - section.level + 2)
            is_table = part.text.startswith("|")
            parts += [f"**{part.title}**" if is_table else f"{'#' * depth} {part.title}", _own_text(part)]
    return clean_text("\n\n".join(part for part in parts if part))


def _own_text(section: Section) -> str:
    text = with_plain_formulas(_BOX.sub("", section.text))
    for table in tables_in(text):
        if table.caption:
            text = text.replace(f"{table.caption}\n\n{table.markdown}", f"**{table.caption}**\n\n{table.markdown}")
    return _BULLET.sub("* ", text)


def feature(name: str, levels: Iterable[int], text: str | None) -> Feature:
    """A feature, gained at its first level and again at the others."""
    gained = sorted(set(levels))
    return {"name": name, "level": gained[0] if gained else None, "levels": gained, "description": text}


def levelled_features(sections: Iterable[Section], table: list[Row]) -> Iterator[tuple[Feature, Section]]:
    """Features whose headings state their level ("Level 3: Frenzy"); the class table may list further levels."""
    levelled = [(match, section) for section in sections if (match := _LEVELLED.fullmatch(section.title))]
    times = Counter(match[2] for match, _ in levelled)
    for match, section in levelled:
        level, name = int(match[1]), match[2]
        again = levels_in(table, name) if times[name] == 1 else []
        text = text_of(section)
        yield feature(name, [level, *again, *_later(text, level)], text), section


def unlevelled_features(sections: Iterable[Section], table: list[Row]) -> Iterator[tuple[Feature, Section]]:
    """Features whose level is in the class table or in their text; a section without a level belongs to the one before.

    A feature's subsections ("Flurry of Blows" of Ki) are features too, except those of spellcasting and options.
    """
    found: list[tuple[Feature, Section]] = []
    for section in sections:
        parts = _features_within(section)
        text = text_of(section, without=parts)
        stated = gained_level(text)
        levels = levels_in(table, section.title) or ([stated] if stated else [])
        if not levels and table and found:
            owner = found[-1][0]
            owner["description"] = f"{owner['description']}\n\n### {section.title}\n\n{text}"
            continue
        found.append((feature(section.title, [*levels, *_later(text, min(levels, default=1))], text), section))
        for part in parts:
            within = text_of(part)
            found.append((feature(part.title, [gained_level(within) or level for level in levels[:1]], within), part))
    yield from found


def _features_within(section: Section) -> list[Section]:
    """The subsections of a feature that are features of their own."""
    if offers_options(section.text) or base_name(section.title) in _CASTING:
        return []
    return [child for child in section.children if not child.text.startswith("|")]


def offers_options(text: str | None) -> bool:
    """Whether a feature's text offers a choice from a list."""
    return bool(_OFFERS.search(text or ""))


def levels_in(table: list[Row], name: str) -> list[int]:
    """The levels at which a class table names a feature."""
    return [row["level"] for row in table if any(announces(entry, name) for entry in row["features"])]


def _later(text: str | None, first: int) -> list[int]:
    """The levels, from `first` on, at which a feature's text says that it gives more."""
    return [level for level in later_levels(text) if level >= first]


def boxes(sections: Iterable[Section]) -> Iterator[tuple[Feature, Section]]:
    """The boxes beside the text ("Breaking Your Oath"), as features without a level."""
    for section in sections:
        for match in _BOX.finditer(section.text):
            quoted = re.sub(r"(?m)^> ?", "", match[0]).strip()
            title = _BOX_TITLE.match(quoted)
            if title:
                name = (title["heading"] or title["label"]).strip()
                yield feature(name, [], clean_text(_BULLET.sub("* ", quoted[title.end() :]))), section
