"""The kinds of an item that its text lists: in a column, under headings, after bold labels; the text on one of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from build_pipeline.normalize.text.items.kinds import kinds_with_rarity, text_of_kind
from build_pipeline.normalize.text.items.rarity import rarity
from build_pipeline.normalize.text.tables import table_data
from server.dataset.names import slugify

_HEADING: Final = re.compile(r"#{1,6} (?P<title>.+)")
_LABEL: Final = re.compile(r"\*{2,3}(?P<title>[^*.(]+)\.\*{2,3}")
_RARITY: Final = "Rarity"
_ROLL: Final = re.compile(r"\d*d\d+|[\d–-]+")
_PLURAL: Final = re.compile(r"(?P<ies>(?<=[^aeiou])ies$)|(?<!s)s$")
_FEWEST: Final = 2
"""Fewest kinds in a table's column for its rows to be those of kinds."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of an item.

    Attributes:
        name: as the text prints it, "Clay Golem" of a Manual of Golems.
        rarity: its own rarity, if the text prints it beside its name.
        heading: the name of the column that lists it.
    """

    name: str
    rarity: str | None = None
    heading: str | None = None


def words(name: str) -> frozenset[str]:
    """The words of a name without "of", in the singular: of "Manual of Golems", "manual" and "golem"."""
    return frozenset(_PLURAL.sub(lambda s: "y" if s["ies"] else "", word) for word in slugify(name).split("-")) - {"of"}


def kind_lists(text: str) -> list[list[Kind]]:
    r"""Every list in a text that may be one of kinds, in the order: with their rarities, of columns, of titles.

    >>> kind_lists("| d4 | Spoon |\n|---|---|\n| 1 | Tin |\n| 2 | Gold |")
    [[Kind(name='Tin', rarity=None, heading='Spoon'), Kind(name='Gold', rarity=None, heading='Spoon')]]
    """
    titles = (pattern.finditer(text) for pattern in (_HEADING, _LABEL))
    lists = (
        [Kind(name, printed) for name, printed in kinds_with_rarity(text)],
        *_columns(text),
        *([Kind(match["title"].strip()) for match in found] for found in titles),
    )
    return [kinds for kinds in lists if kinds]


def _columns(text: str) -> Iterator[list[Kind]]:
    for table in table_data(text):
        rarities = table["columns"].index(_RARITY) if _RARITY in table["columns"] else None
        for place, heading in enumerate(table["columns"]):
            if heading and place != rarities and not _ROLL.fullmatch(heading):
                yield [
                    Kind(row[place], rarity(row[rarities]) if rarities is not None else None, heading)
                    for row in table["rows"]
                    if row[place]
                ]


def text_of(variant: str, kind: str, kinds: Collection[str], text: str) -> str:
    """The text on all kinds and on one of them, without the paragraphs and rows on the others.

    Args:
        variant: the name of the item of this kind.
        kind: the kind, as the text prints it.
        kinds: all kinds that the text lists.
        text: the text on all of them.
    """
    if own := text_of_kind(variant, text):
        return own
    others = {name for name in kinds if words(name) != words(kind)}
    kept, skipping = [], False
    for paragraph in text.split("\n\n"):
        if heading := _HEADING.match(paragraph):
            skipping = heading["title"].strip() in others
        label = _LABEL.match(paragraph)
        if not skipping and not (label and label["title"].strip() in others):
            kept.append(_own_rows(paragraph, kind, others) if paragraph.startswith("|") else paragraph)
    return "\n\n".join(kept)


def _own_rows(markdown: str, kind: str, others: Collection[str]) -> str:
    """A table with the row of one kind only; the whole table if it does not list kinds."""
    [table] = table_data(markdown) or [{"columns": [], "rows": []}]
    listed = [cell for row in table["rows"] for cell in row if cell == kind or cell in others]
    own = [row for row in table["rows"] if kind in row]
    if len(listed) < _FEWEST or not own or not table["columns"]:
        return markdown
    lines = [table["columns"], ["---"] * len(table["columns"]), *own]
    return "\n".join(f"| {' | '.join(cell or '' for cell in line)} |" for line in lines)
