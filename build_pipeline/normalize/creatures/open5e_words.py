"""Names, languages, environments and texts of Open5e's creatures, v1 and v2 alike, as the dataset writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from build_pipeline.normalize.creatures.texts import Mend
from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.normalize.text.stat_blocks.actions import bare_name
from build_pipeline.snapshot.raw import JsonObject

COLUMN_OF_TYPE: Final = {
    "ACTION": "actions",
    "BONUS_ACTION": "bonus_actions",
    "REACTION": "reactions",
    "LEGENDARY_ACTION": "legendary_actions",
}
"""v2's type of an action → the column of the dataset, which is v1's field too."""

_ALL_ENVIRONMENTS: Final = 25
"""A creature with more environments than this was given none: 140 creatures list all 31 that there are."""

_ENVIRONMENT_SPELLINGS: Final = {
    "mountains": "mountain",
    "hill": "hills",
    "ruin": "ruins",
    "caverns": "caves",
    "coastal": "coast",
    "the abyss": "abyss",
}
_WIDER_ENVIRONMENTS: Final = {
    "lake": "water",
    "ocean": "water",
    "underwater": "water",
    "underworld": "underdark",
}
"""Environment → the word for all such places, which other creatures of the same source, or of other books, have."""
_KIND_OF_NAME: Final = re.compile(r"^npc:\s*", re.IGNORECASE)
_LONGEST_NAME: Final = 100
"""Length in characters at which v2 cuts off some names of traits: paragraphs that were mistaken for names."""
_HARD_BREAK: Final = re.compile(r" {2,}\r?\n(?!\||\n)")
_NO_HEADING: Final = re.compile(r"^#+(?= [A-Z][^\n]{40,}[.:][ ]*$)", re.MULTILINE)
"""The mark of a list item, written as that of a heading."""
_LICENCE_SCRAP: Final = re.compile(r"\s*Open Game License\s*$")
_LAST_SENTENCE: Final = re.compile(r"^(?P<whole>.*[.!?][”\"'’)*_]*)[^.!?]*$", re.DOTALL)
_LOST_FIRST: Final = re.compile(r":\**\s+\.,")
"""A list that lost its first member."""
_NO_LABEL: Final = re.compile(
    r"(?P<before>\b(?:the|of|[A-Z][a-z]+))\n+\*\*(?P<name>[A-Z][^*\n]{2,60}\.)\*\*(?= [A-Z]|\n|$)"
)
"""The end of a sentence about a place, formatted as the label of a paragraph."""
_LONE_LABEL: Final = re.compile(r"(?<=[.!?”\"'’)*_])\s*_?\*\*[^*\n]+\.\*\*_?\s*$")
"""The label of a last paragraph whose text is lost."""


def name(text: str) -> str:
    """A creature's name, without the heading that it stood under ("Npc: Field Commander")."""
    return _KIND_OF_NAME.sub("", text).strip()


def languages(text: str) -> str | None:
    """Languages as text: "Common,Draconic, telepathy 60'" → "Common, Draconic, telepathy 60 ft."; a dash means none."""
    spaced = re.sub(r",(?=\S)", ", ", (known(text) or "").replace("[em/]", "—").strip())
    spaced = re.sub(r"(?<=\d)'(?!\w)", " ft.", spaced.replace("Thieves Cant", "Thieves' Cant"))
    return clean_text(spaced) if re.search(r"\w", spaced) else None


def environments(names: Iterable[str], *, split: bool = False) -> list[str] | None:
    """Environments in lower case, each with the wider one; None if unknown. `split` reads "Forest or Jungle" as two."""
    listed = list(names)
    if not listed or len(listed) > _ALL_ENVIRONMENTS:
        return None
    places = {place for label in listed for place in (label.lower().split(" or ") if split else [label.lower()])}
    named = {_ENVIRONMENT_SPELLINGS.get(place, place) for place in places - {"any"}}
    return sorted(named | {_WIDER_ENVIRONMENTS[place] for place in named & _WIDER_ENVIRONMENTS.keys()}) or None


def description(text: str, mend: Mend) -> str | None:
    """A creature's description, with a new paragraph at every hard line break.

    The opening mark of an emphasised first paragraph is restored. Where the text runs into the next page's licence,
    the rest of the last sentence is cut as well; so is a label that nothing follows.
    """
    cleaned = clean_text(mend(_NO_HEADING.sub("*", _HARD_BREAK.sub("\n\n", text))))
    if not cleaned:
        return None
    first, _, rest = cleaned.partition("\n")
    if first.endswith("_") and first.count("_") % 2:
        first = f"_{first}"
    paragraphs = f"{first}\n{rest}".strip()
    paragraphs = _NO_LABEL.sub(r"\g<before> \g<name>", paragraphs)
    without = _LICENCE_SCRAP.sub("", paragraphs)
    whole = _LAST_SENTENCE.match(without) if without != paragraphs else None
    return _LONE_LABEL.sub("", whole["whole"] if whole else without)


def fuller(text: str | None, other: str | None) -> str | None:
    """`other` if it only continues `text`, or if its list is complete and that of `text` is not; otherwise `text`."""
    if text and other and _LOST_FIRST.search(text) and not _LOST_FIRST.search(other):
        return other
    if text and other:
        words, more = " ".join(text.split()), " ".join(other.split())
        return other if len(more) > len(words) and more.startswith(words) else text
    return text


def with_whole_name(row: JsonObject, older: Iterable[JsonObject] | None) -> JsonObject:
    """The row, with v1's name if v2 cut it off."""
    name = row["name"]
    if len(name) < _LONGEST_NAME:
        return row
    return row | {"name": next((each["name"] for each in older or () if each["name"].startswith(name)), name)}


def by_name(rows: Iterable[JsonObject] | None) -> Mapping[str, JsonObject]:
    """Rows of traits or actions by their normalised names, without text in brackets."""
    return {bare_name(row["name"]): row for row in rows or ()}
