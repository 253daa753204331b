"""Benefits of feats and backgrounds, combined from two sources."""

from __future__ import annotations

import re

from build_pipeline.normalize.text.labels import NamedText
from build_pipeline.normalize.text.tables import has_torn_row


def combined(winner: list[NamedText], loser: list[NamedText]) -> list[NamedText]:
    """The winner's benefits, with the names that the loser has for the same texts.

    A text with a table row that lost its cells gives way to the loser's, if that is whole.
    """
    names = {_letters(part["description"]): part["name"] for part in loser}
    texts = {part["name"]: part["description"] for part in loser if not has_torn_row(part["description"])}
    return [
        {
            "name": part["name"] or names.get(_letters(part["description"])),
            "description": _whole(part["description"], texts.get(part["name"])),
        }
        for part in winner
    ]


def _whole(text: str | None, other: str | None) -> str | None:
    return other if other and has_torn_row(text) else text


def _letters(text: str | None) -> str:
    return re.sub(r"\W", "", text or "").casefold()
