"""Texts with several named parts (bold labels, Markdown headings), and names that differ between sources."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypedDict

from server.dataset.names import normalize_name, slugify


class NamedText(TypedDict):
    """The schema's pair of a name and its text; either may be None."""

    name: str | None
    description: str | None


# "**_Age._** …", "***Age.*** …", "**Age:** …": bold at the start of a line, closed by a full stop or colon.
_LABEL: Final = re.compile(
    r"^[ \t]*(?:\*{2,3}_?|_{2,3})(?P<name>[^*_\n]+?)(?:[.:](?:_?\*{2,3}|_{2,3})|(?:_?\*{2,3}|_{2,3})[.:])[ \t]*",
    re.MULTILINE,
)
_HEADING: Final = re.compile(r"^(?P<marks>#{1,6})[ \t]*(?P<name>[^#\n]+?)[ \t#]*$", re.MULTILINE)
_GAINED: Final = re.compile(
    r"(?:\b(?:at|by|reach|reaching)|^from)\s+(?:(\d{1,2})(?:st|nd|rd|th) level|(?:[a-z]+ ){0,2}level (\d{1,2}))\b",
    re.IGNORECASE,
)

_PREREQUISITE: Final = re.compile(
    r"\A[*_]*(?:Prerequisites?|Item Requirements?|Target):[*_]*\s*(?P<needs>[^\n]+)(?:\n|\Z)", re.IGNORECASE
)

_BEGINNING: Final = 160
"""The level at which a feature is gained is stated within this many characters."""

LAST_LEVEL: Final = 20

_LEVEL_LIST: Final = r"((?:\d{1,2}(?:st|nd|rd|th)?(?:, and |, | and |(?= level|[.:])))+)"
_AGAIN: Final = (
    re.compile(rf"\bagain at (?:[A-Z]\w+ levels )?{_LEVEL_LIST}"),
    re.compile(rf"\bat (?=\d+\w\w, |\d+\w\w and ){_LEVEL_LIST} levels?,? you (?:gain|learn|get)\b", re.IGNORECASE),
)
_OF_CHOICE: Final = re.compile(r"\bfeatures? (?:\w+ ){0,8}at\b[^.]{0,300}\bagain at\b")
"""Levels of the features a choice grants, not its own: "grants you features at 3rd and 6th level"."""

_SPELL_ROWS: Final = re.compile(
    r"^\|\s*(?!Spell )(?:\w+ )?Level\s*\|\s*(?:[\w ]*\b)?Spells?\s*\|\s*\n\|[-\s:|]+\|\s*\n((?:\|.*(?:\n|\Z))+)",
    re.MULTILINE | re.IGNORECASE,
)


def labelled(text: str | None) -> tuple[str | None, list[NamedText]]:
    r"""Split a text at paragraphs that begin with bold labels: (text before the first label, parts).

    >>> labelled("Intro.\n\n**_Keen Nose._** You smell well.")
    ('Intro.', [{'name': 'Keen Nose', 'description': 'You smell well.'}])
    """
    return _split(text or "", list(_LABEL.finditer(text or "")))


def headed(text: str | None) -> tuple[str | None, list[NamedText]]:
    """Split a text at its highest level of Markdown heading: (text before the first heading, sections)."""
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


def prerequisite_first(text: str | None) -> tuple[str | None, str | None]:
    r"""Split off a leading line of prerequisites: (prerequisite, rest).

    >>> prerequisite_first("*Prerequisite: 9th level, *fog* cantrip*\n\nYou float.")
    ('9th level, fog cantrip', 'You float.')
    """
    match = _PREREQUISITE.match(text or "")
    if text is None or match is None:
        return None, text
    return re.sub(r"[*_]", "", match["needs"]).strip(), text[match.end() :].strip() or None


def without_label(text: str | None) -> str | None:
    """A text without its leading bold label, if any."""
    return _LABEL.sub("", text, count=1).strip() or None if text and _LABEL.match(text) else text


def gained_level(text: str | None) -> int | None:
    """The level stated at the start of a text ("Starting at 3rd level"), or None."""
    match = _GAINED.search((text or "")[:_BEGINNING])
    return int(match[1] or match[2]) if match else None


def later_levels(text: str | None) -> list[int]:
    r"""The further levels at which a feature is gained, and those in its table of spells by class level.

    >>> later_levels("When you reach 4th level, and again at 8th and 12th level, you learn a knot.")
    [8, 12]
    >>> later_levels("Spells of the sea.\n\n| Warden Level | Spells |\n|---|---|\n| 3rd | fog |\n| 5th | tide |\n")
    [3, 5]
    """
    found: set[int] = set()
    for pattern in () if _OF_CHOICE.search(text or "") else _AGAIN:
        for match in pattern.finditer(text or ""):
            found |= {int(number) for number in re.findall(r"\d+", match[1])}
    for match in _SPELL_ROWS.finditer(text or ""):
        found |= {int(number) for number in re.findall(r"(?m)^\|\s*(\d+)", match[1])}
    return sorted(level for level in found if 1 <= level <= LAST_LEVEL)


def joining_name(name: str, candidates: Iterable[str]) -> str:
    """The candidate that is the same name with more or fewer words, else the name itself.

    >>> joining_name("Devotion", ["Oath of Devotion", "Oath of Glass"])
    'Oath of Devotion'
    """
    words = set(normalize_name(name).split())
    same = {c for c in candidates if (other := set(normalize_name(c).split())) <= words or words <= other}
    exact = {c for c in same if normalize_name(c) == normalize_name(name)}
    return name if exact or len(same) != 1 else same.pop()


def base_name(name: str) -> str:
    """A name's slug for comparison, without brackets ("Action Surge (one use)" → "action-surge")."""
    return slugify(re.sub(r"\s*\([^)]*\)", "", name))
