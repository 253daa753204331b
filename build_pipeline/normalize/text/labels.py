"""Texts that hold several named parts: bold labels, Markdown headings, and the names by which sources differ."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypedDict

from server.dataset.names import normalize_name, slugify


class NamedText(TypedDict):
    """The schema's pair of a name and its text; either may be unknown."""

    name: str | None
    description: str | None


# "**_Age._** …", "***Age.*** …", "**Age:** …": bold at the start of a line, closed by a full stop or colon.
_LABEL: Final = re.compile(
    r"^[ \t]*(?:\*{2,3}_?|_{2,3})(?P<name>[^*_\n]+?)(?:[.:](?:_?\*{2,3}|_{2,3})|(?:_?\*{2,3}|_{2,3})[.:])[ \t]*",
    re.MULTILINE,
)
_HEADING: Final = re.compile(r"^(?P<marks>#{1,6})[ \t]*(?P<name>[^#\n]+?)[ \t#]*$", re.MULTILINE)
_GAINED: Final = re.compile(
    r"\b(?:at|by|reach|reaching)\s+(?:(\d{1,2})(?:st|nd|rd|th) level|(?:[a-z]+ ){0,2}level (\d{1,2}))\b", re.IGNORECASE
)

_BEGINNING: Final = 160
"""Characters of a text within which it says at which level a feature is gained."""


def labelled(text: str | None) -> tuple[str | None, list[NamedText]]:
    r"""(text before the first label, parts) of a text whose paragraphs begin with bold labels.

    >>> labelled("Intro.\n\n**_Keen Nose._** You smell well.")
    ('Intro.', [{'name': 'Keen Nose', 'description': 'You smell well.'}])
    """
    return _split(text or "", list(_LABEL.finditer(text or "")))


def headed(text: str | None) -> tuple[str | None, list[NamedText]]:
    """(text before the first heading, sections) by the text's highest level of Markdown heading."""
    found = list(_HEADING.finditer(text or ""))
    highest = min((len(m["marks"]) for m in found), default=0)
    return _split(text or "", [m for m in found if len(m["marks"]) == highest])


def _split(text: str, marks: list[re.Match[str]]) -> tuple[str | None, list[NamedText]]:
    ends = [*(m.start() for m in marks[1:]), len(text)]
    parts: list[NamedText] = [
        {"name": m["name"].strip(), "description": text[m.end() : end].strip() or None}
        for m, end in zip(marks, ends, strict=False)
    ]
    return text[: marks[0].start() if marks else len(text)].strip() or None, parts


def without_label(text: str | None) -> str | None:
    """A text without the bold label it may begin with."""
    return _LABEL.sub("", text, count=1).strip() or None if text and _LABEL.match(text) else text


def gained_level(text: str | None) -> int | None:
    """The level at which a text's beginning says that something is gained ("Starting at 3rd level"), or None."""
    match = _GAINED.search((text or "")[:_BEGINNING])
    return int(match[1] or match[2]) if match else None


def joining_name(name: str, candidates: Iterable[str]) -> str:
    """The one of the candidates that says the same with more or fewer words, else the name itself.

    >>> joining_name("Devotion", ["Oath of Devotion", "Oath of Glass"])
    'Oath of Devotion'
    """
    words = set(normalize_name(name).split())
    same = {c for c in candidates if (other := set(normalize_name(c).split())) <= words or words <= other}
    exact = {c for c in same if normalize_name(c) == normalize_name(name)}
    return name if exact or len(same) != 1 else same.pop()


def base_name(name: str) -> str:
    """A name's slug for comparison, without what stands in brackets ("Action Surge (one use)" → "action-surge")."""
    return slugify(re.sub(r"\s*\([^)]*\)", "", name))
