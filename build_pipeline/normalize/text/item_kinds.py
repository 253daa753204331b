"""A text that describes several kinds of an item, each under its name and rarity: "Bone (Uncommon). This key …"."""

from __future__ import annotations

import re
from typing import Final

from build_pipeline.normalize.text.rarity import RARITIES
from server.dataset.names import slugify

_HEADING: Final = re.compile(
    rf"(?:^|(?<=[.\n*_] )|(?<=[\n*_]))(?P<kind>[A-Z][\w'’ -]{{2,40}}?) \((?:{'|'.join(RARITIES)})\b[^()]*\)\.",
    re.IGNORECASE,
)


def of_kind(name: str, text: str) -> tuple[str, str | None]:
    """What a text says of all kinds, and what of the item's own: None if the item is of none of its kinds.

    Args:
        name: the item's name.
        text: its description.

    Returns:
        The whole text and nothing, if it does not describe several kinds.
    """
    headings = [heading for heading in _HEADING.finditer(text) if heading["kind"][0].isupper()]
    if not headings or all(heading["kind"] == headings[0]["kind"] for heading in headings):
        return text, ""
    ends = [*(heading.start() for heading in headings[1:]), len(text)]
    words = set(slugify(name).split("-"))
    own = {
        heading["kind"]: text[heading.start() : end]
        for heading, end in zip(headings, ends, strict=True)
        if words.issuperset(slugify(heading["kind"]).split("-"))
    }
    return text[: headings[0].start()], own[max(own, key=len)] if own else None
