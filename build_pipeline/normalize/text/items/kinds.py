"""A text that describes several kinds of an item, each under its name and rarity: "Bone (Uncommon). This key …"."""

from __future__ import annotations

import re
from typing import Final

from build_pipeline.normalize.text.items.rarity import RARITIES, rarity
from server.dataset.names import slugify

_HEADING: Final = re.compile(
    r"(?:^|(?<=[.\n*_] )|(?<=[\n*_]))(?P<kind>[A-Z][\w'’ -]{2,40}?) "
    rf"\((?P<rarity>(?:{'|'.join(RARITIES)})\b[^()]*)\)\.",
    re.IGNORECASE,
)


def of_kind(name: str, text: str) -> tuple[str, str | None]:
    """The text on all kinds, and the text on the item's own kind, or None if the item is none of these kinds.

    Args:
        name: the item's name.
        text: its description.

    Returns:
        The whole text and "" if it does not describe several kinds.
    """
    headings = _headings(text)
    if not headings:
        return text, ""
    ends = [*(heading.start() for heading in headings[1:]), len(text)]
    own = {
        heading["kind"]: text[heading.start() : end]
        for heading, end in zip(headings, ends, strict=True)
        if heading["kind"] in _kinds_of(name, headings)
    }
    return text[: headings[0].start()], own[max(own, key=len)] if own else None


def text_of_kind(name: str, text: str) -> str | None:
    """The text on all kinds and on those that the item's name contains, as Markdown.

    None if the text does not describe several kinds, or the item is none of them. A "Great Orb" also gets the text on
    the "Orb", on which it builds; an "Orb (Great Pearl)" does not get that on the "Pearl", another kind of orb.
    """
    headings = _headings(text)
    own = _kinds_of(name, headings)
    if not own:
        return None
    closest = max(own, key=len)
    if set(slugify(closest).split("-")) != set(slugify(name).split("-")):
        own = {closest}
    starts = [len(text[: heading.start()].rstrip("*_")) for heading in headings]
    parts = [text[: starts[0]]] + [
        text[start:end]
        for heading, start, end in zip(headings, starts, [*starts[1:], len(text)], strict=True)
        if heading["kind"] in own
    ]
    return "\n\n".join(part.strip() for part in parts if part.strip())


def kinds_with_rarity(text: str) -> list[tuple[str, str | None]]:
    """(Name, rarity) of the kinds that a text describes; empty if there is only one.

    >>> kinds_with_rarity("**Bone (Rare).** It rattles. **Tin (Common).** It bends.")
    [('Bone', 'rare'), ('Tin', 'common')]
    """
    return [(heading["kind"], rarity(heading["rarity"])) for heading in _headings(text)]


def _headings(text: str) -> list[re.Match[str]]:
    """The headings of kinds; empty if there is only one kind."""
    found = [heading for heading in _HEADING.finditer(text) if heading["kind"][0].isupper()]
    return found if len({heading["kind"] for heading in found}) > 1 else []


def _kinds_of(name: str, headings: list[re.Match[str]]) -> set[str]:
    """The kinds whose words are all in the item's name; else the only kind with a word in it that no other kind has."""
    words = set(slugify(name).split("-"))
    of_kind = {heading["kind"]: set(slugify(heading["kind"]).split("-")) for heading in headings}
    named = {kind for kind, own in of_kind.items() if own <= words}
    if named:
        return named
    told = {
        kind
        for kind, own in of_kind.items()
        if words & own.difference(*(other for another, other in of_kind.items() if another != kind))
    }
    return told if len(told) == 1 else set()
