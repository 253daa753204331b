"""Races, backgrounds and feats: traits and benefits in the order of the books, without duplicates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from server.dataset.record import Record
from server.sheets.markdown import entry, facts, heading, italic, one_line, plain, prose
from server.sheets.wording import capitalized, follows_2024, listed, modifier, speeds, titled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FIRST: Final = (
    "ability score increase",
    "ability score increases",
    "age",
    "alignment",
    "creature type",
    "size",
    "speed",
)
_LAST: Final = ("languages",)
"""Traits that books print first and last; the others come between them in their own order."""
_SHORT: Final = 150
"""Maximum length of a one-line benefit that is shown as a fact, as `Ability Scores` and `Feat` of a background."""
_NOT_LETTERS: Final = re.compile(r"\W+")


def race(record: Record) -> Iterator[str]:
    """The blocks of a race's or subrace's sheet."""
    parent = record.get("subrace_of")
    yield italic(f"Kind of {plain(parent['name'])}" if parent else "Species" if follows_2024(record) else "Race")
    yield prose(record.get("description"))
    traits = sorted(_traits(record), key=lambda trait: _place(trait.get("name") or ""))
    if traits:
        yield heading(3, "Traits")
        yield from map(named_text, traits)
    yield from children("Subspecies" if follows_2024(record) else "Subraces", record.get("subraces"), record)
    yield from children("Options", record.get("options"), record)


def background(record: Record) -> Iterator[str]:
    """The blocks of a background's sheet."""
    yield italic("Background")
    yield prose(record.get("description"))
    feature = record.get("feature") or {}
    columns = ("skill_proficiencies", "tool_proficiencies", "languages", "equipment")
    others = not_in_texts(
        record.get("benefits"), [*(record.get(column) for column in columns), feature.get("description")]
    )
    short = [benefit for benefit in others if _is_short(benefit)]
    yield facts(
        *((plain(benefit["name"]), benefit["description"]) for benefit in short),
        *((_printed_label(column, record), record.get(column)) for column in columns),
        colon=True,
    )
    if feature:
        yield heading(3, f"Feature: {plain(feature['name'])}" if feature.get("name") else "Feature")
        yield prose(feature.get("description"), under=3)
    for benefit in others:
        if not _is_short(benefit):
            yield heading(3, plain(benefit.get("name") or "Benefit"))
            yield prose(benefit["description"], under=3)


def feat(record: Record) -> Iterator[str]:
    """The blocks of a feat's sheet."""
    owners = [plain(owner["name"]) for owner in record.get("option_of") or ()]
    kind = record.get("feat_type") or ""
    if kind == "general" and not follows_2024(record):  # only the books of 2024 have other categories of feats
        kind = ""
    details = [listed(owners)] if owners else []
    details += [f"Prerequisite: {plain(record['prerequisite'])}"] if record.get("prerequisite") else []
    name = titled(kind) if owners and kind else f"{titled(kind)} Feat".strip()
    yield italic(f"{name} ({'; '.join(details)})" if details else name)
    yield prose(record.get("description"))
    benefits = not_in_texts(record.get("benefits"), [record.get("description")])
    yield "\n".join(f"- {one_line(benefit['description'])}" for benefit in benefits if not benefit.get("name"))
    yield from (named_text(benefit) for benefit in benefits if benefit.get("name"))


def named_text(part: dict[str, Any]) -> str:
    """A trait or benefit with its name run in."""
    return entry(plain(part["name"]) if part.get("name") else None, part.get("description"))


def children(title: str, references: Iterable[dict[str, Any]] | None, record: Record) -> Iterator[str]:
    """A list of the records below this one, each with its document if that differs."""
    lines = []
    for child in references or ():
        document = child.get("document_key")
        where = "" if document in (None, record.get("document_key")) else f" ({plain(document)})"
        lines.append(f"- {plain(child['name'])}{where}")
    if lines:
        yield heading(3, title)
        yield "\n".join(lines)


def not_in_texts(parts: Iterable[dict[str, Any]] | None, texts: Iterable[str | None]) -> list[dict[str, Any]]:
    """The parts whose description none of the other texts already contains."""
    known_texts = [_letters(text) for text in texts if text]
    return [
        part
        for part in parts or ()
        if part.get("description") and not any(_letters(part["description"]) in text for text in known_texts)
    ]


def _traits(record: Record) -> list[dict[str, Any]]:
    """The traits, and the facts that books print as traits, unless a trait of that name exists."""
    traits = list(record.get("traits") or ())
    named = {(trait.get("name") or "").casefold().removesuffix("s") for trait in traits}
    increases = record.get("ability_score_increases")
    size, speed = record.get("size"), speeds(record.get("speed") or {})
    shown = {
        "Ability Score Increase": listed(map(_increase, increases)) + "." if increases else None,
        "Age": record.get("age"),
        "Alignment": record.get("alignment"),
        "Size": f"{capitalized(size)}." if size else None,
        "Speed": speed or None,
        "Languages": record.get("languages"),
    }
    return traits + [
        {"name": name, "description": text}
        for name, text in shown.items()
        if text and name.casefold().removesuffix("s") not in named
    ]


def _increase(increase: dict[str, Any]) -> str:
    ability = increase["ability"]
    name = "one ability score of your choice" if ability == "any" else capitalized(ability)
    return f"{name} {modifier(increase['bonus'])}"


def _printed_label(column: str, record: Record) -> str:
    """The book's label of a fact, from the benefit with the same text, as `Tool Proficiency`; otherwise the column."""
    stated = _letters(record.get(column) or "")
    benefits = [benefit for benefit in record.get("benefits") or () if benefit.get("name")]
    named = (plain(each["name"]) for each in benefits if _letters(each.get("description") or "") == stated)
    return next(named, titled(column))


def _place(name: str) -> int:
    """The sort key of a trait by its name."""
    folded = name.casefold()
    if folded in _FIRST:
        return _FIRST.index(folded)
    return len(_FIRST) + (folded in _LAST)


def _is_short(benefit: dict[str, Any]) -> bool:
    text = benefit["description"]
    return bool(benefit.get("name")) and len(text) <= _SHORT and "\n" not in text


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub(" ", text).strip().casefold()
