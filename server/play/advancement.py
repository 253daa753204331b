"""What a class gains from one level to another: features, and changes of the numbers in its table."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from server.dataset.names import normalize_name
from server.library.documents.editions import within_edition
from server.library.message import Call, Given, Message, Named, joined
from server.library.names.renamed import counterparts
from server.library.requests.request import Request, RequestError
from server.play.named import of_one_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.library.facts import Row
    from server.library.library import Library

COLUMNS: Final = (
    *("id", "name", "document_key", "game_system", "features", "progression", "subclass_of"),
    *("hit_dice", "hit_points_first_level", "hit_points_per_level", "subclass_spells"),
)

_CLASS: Final = Named("class_key")
_SUBCLASS: Final = Named("subclass")
_WORD: Final = re.compile(r"\w+")
_BONUS: Final = "Proficiency Bonus"
_BETWEEN_CLASSES: Final = re.compile(r"[/,;+&|]|\band\b", re.IGNORECASE)
_LEVEL_TOLD: Final = re.compile(r"\b(?:level|lvl|lv)?\s*\d+\b", re.IGNORECASE)
_SLOTS_OF_SEVERAL: Final = "Multiclass Spellcaster: Spell Slots per Spell Level"
"""The rule of that name in both System Reference Documents."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A class with a subclass; `said` is a note on which they are, None if they are just what was asked for."""

    of: Row
    subclass: Row
    said: str | None


def as_asked(library: Library, name: str, documents: Sequence[str] | None) -> Request:
    """The request for a class, with the edition that its name tells ("wizard (2014)") as its documents."""
    return within_edition(_classes(name, documents), library.facts.documents)


def class_named(library: Library, name: str, documents: Sequence[str] | None) -> Row:
    """The class of that name or id; if several books have it, the preferred one.

    Raises:
        RequestError: there is no such class, or several.
    """
    return _classes_named(library, name, documents)[0]


def with_subclass(library: Library, name: str, subclass: str, documents: Sequence[str] | None) -> Chosen:
    """The class and the subclass of these names or ids.

    If several books have the class, the preferred one with a subclass of just that name or id is taken; otherwise the
    preferred one with a subclass that the name stands for, perhaps by what the other edition calls it.

    Raises:
        RequestError: there is no such class, or several, or it has no such subclass, or several.
    """
    classes = _classes_named(library, name, documents)
    found = [(of, row) for of in classes for row in _named(library, subclass, documents, of)]
    wanted = normalize_name(subclass)
    of_name = [pair for pair in found if wanted in (pair[1]["id"], normalize_name(pair[1]["name"]))]
    is_found = bool(of_name) or any(of is classes[0] for of, _ in found)
    if not is_found and (pair := _renamed(library, classes, subclass, documents)):
        of, row = pair
    elif found:
        of, _ = (of_name or found)[0]
        row = of_one_name([row for other, row in found if other is of], _SUBCLASS.name, subclass, "subclasses")[0]
    else:
        raise _without_subclass(library, classes, subclass, documents)
    return Chosen(of, row, _is_elsewhere(of, row, classes[0], subclass))


def _renamed(
    library: Library, classes: Sequence[Row], name: str, documents: Sequence[str] | None
) -> tuple[Row, Row] | None:
    """The preferred class with what it calls a subclass of another edition: a key such as evocation is of one only."""
    elsewhere = _named(library, name, None)
    names = {each.name for row in elsewhere for each in counterparts(normalize_name(row["name"])) if each.whole}
    own = ((of, row) for of in classes for row in subclasses(library, of, documents)) if names else ()
    return next((pair for pair in own if normalize_name(pair[1]["name"]) in names), None)


def _is_elsewhere(of: Row, subclass: Row, preferred: Row, asked: str) -> str | None:
    """A sentence if a subclass is not of the preferred class, or is not called as asked; None otherwise."""
    named = f"{subclass['name']} ({subclass['id']})"
    if of is not preferred:
        return f'{preferred["id"]} has no subclass "{subclass["name"]}", so this is {of["id"]} with {subclass["id"]}.'
    if set(_WORD.findall(normalize_name(asked))) & set(_WORD.findall(normalize_name(named))):
        return None
    return f'Read "{asked}" as {named}.'


def _without_subclass(
    library: Library, classes: Sequence[Row], subclass: str, documents: Sequence[str] | None
) -> RequestError:
    """The refusal of a subclass that no book's version of a class has: what each has, and what only closed books do."""
    of, *others = classes
    there = {each["id"]: sorted({row["name"] for row in subclasses(library, each, documents)}) for each in classes}
    own = f"Its subclasses: {', '.join(there[of['id']])}." if there[of["id"]] else "It has none here."
    further = [f"Those of {each['id']}: {', '.join(there[each['id']])}." for each in others if there[each["id"]]]
    lacks = Message(_SUBCLASS, f': {of["name"]} ({of["id"]}) has no subclass "{subclass}".')
    message = joined((lacks, *library.closed(subclass), own, *further))
    return RequestError(parameter=_SUBCLASS.name, value=subclass, message=message)


def subclasses(library: Library, of: Row, documents: Sequence[str] | None) -> list[Row]:
    """The subclasses of a class in all of `documents`."""
    options = library.facts.passing(replace(_classes(None, documents), filters={"subclass_of": of["id"]}), COLUMNS)
    return [row for row in options if _belongs(row, of)]


def gains(sources: Sequence[Row], first: int, last: int) -> list[dict[str, Any]]:
    """The gains of each level from `first` to `last`.

    Returns:
        A struct for each level: `level`; `features`, each with `name`, `description`, `again` (whether it was gained
        before) and `of`, the id of the class or subclass; `table`, the features as the class table names them;
        `numbers`, column of the table → `before`, `after` and `of`, for the numbers that change.
    """
    return [
        {
            "level": level,
            "features": [feature for source in sources for feature in features(source, level)],
            "table": [name for source in sources for name in _row(source, level).get("features") or ()],
            "numbers": {name: change for source in sources for name, change in _changes(source, level).items()},
        }
        for level in range(first, last + 1)
    ]


def numbers(source: Row, level: int) -> dict[str, str]:
    """The row of a level in the class table: column → value, the proficiency bonus first."""
    row = _row(source, level)
    if not row:
        return {}
    bonus = row["proficiency_bonus"]
    return ({} if bonus is None else {_BONUS: f"+{bonus}"}) | {
        column["name"]: column["value"] for column in row["columns"] or ()
    }


def features(source: Row, level: int) -> Iterator[dict[str, Any]]:
    """The features that a class or subclass gains at a level.

    What has no level, such as a restriction on who may choose a subclass, comes with the first level of its features.
    """
    gained = [(feature, _levels(feature)) for feature in source["features"] or ()]
    first = min((at for _, levels in gained for at in levels), default=1)
    for feature, levels in gained:
        at = levels or [first]
        if level in at:
            yield {
                "name": feature["name"],
                "description": feature["description"],
                "again": level > min(at),
                "of": source["id"],
            }


def _levels(feature: Mapping[str, Any]) -> list[int]:
    return feature["levels"] or ([] if feature["level"] is None else [feature["level"]])


def _row(source: Row, level: int) -> dict[str, Any]:
    """The row of a level in the class table; empty if there is none."""
    return next((row for row in source["progression"] or () if row["level"] == level), {})


def _changes(source: Row, level: int) -> dict[str, dict[str, str | None]]:
    before, after = numbers(source, level - 1), numbers(source, level)
    return {
        name: {"before": before.get(name), "after": value, "of": source["id"]}
        for name, value in after.items()
        if value != before.get(name) and value not in (None, "—", "-", "")
    }


def _classes_named(library: Library, name: str, documents: Sequence[str] | None) -> list[Row]:
    """The classes of that name or id in all books that have it, the preferred first; at least one."""
    named = [row for row in _named(library, name, documents) if row["progression"] and not row["subclass_of"]]
    if found := of_one_name(named, _CLASS.name, name, "classes"):
        return found
    if several := _several_classes(library, name, documents):
        raise RequestError(parameter=_CLASS.name, value=name, message=several)
    there = _with_level_tables(library, documents)
    if there:
        remedy = Message(f"The classes with a level table: {', '.join(sorted({row['name'] for row in there}))}.")
    else:
        books = sorted({row["document_key"] for row in _with_level_tables(library, None)})
        only = f"No class in these books has one, only classes in {', '.join(books)}: add such a book to "
        remedy = Message(only, Named("documents"), ".")
    unknown = Message(_CLASS, f': there is no class "{name}" with a level table.')
    said = joined((unknown, *_instead(library, name, documents), remedy))
    raise RequestError(parameter=_CLASS.name, value=name, message=said)


def _several_classes(library: Library, name: str, documents: Sequence[str] | None) -> Message | None:
    """The message on a name that is of several classes, perhaps with their levels: "paladin 5 / warlock 1"."""
    parts = [part for part in (_LEVEL_TOLD.sub("", each).strip() for each in _BETWEEN_CLASSES.split(name)) if part]
    there = {row["name"].casefold(): row["name"] for row in _with_level_tables(library, documents)}
    if len(parts) < 2 or not all(part.casefold() in there for part in parts):  # noqa: PLR2004
        return None
    each = ", ".join(there[part.casefold()] for part in parts)
    request = Request("rule", name=_SLOTS_OF_SEVERAL, documents=None if documents is None else tuple(documents))
    one = Message(_CLASS, f" takes one class: make one call for each of {each}.")
    slots = Message("Their common spell slots: ", Call("lookup_rule", (Given("name", _SLOTS_OF_SEVERAL),)), ".")
    return joined((one, slots if library.facts.named(request, ["id"]) else None))


def _instead(library: Library, name: str, documents: Sequence[str] | None) -> list[str]:
    """Sentences on what a name that is not a class may mean: a subclass, a closed book's class, a similar name."""
    named = _named(library, name, documents)
    subclasses = dict.fromkeys((row["name"], row["subclass_of"]["name"]) for row in named if row["subclass_of"])
    near = [] if named else library.facts.similar(_classes(name, documents))
    return [
        *(
            Message(f"{own} is a subclass of {of}: ", Given(_CLASS.name, of), ", ", Given(_SUBCLASS.name, own), ".")
            for own, of in subclasses
        ),
        *library.closed(name),
        *([f"Similar names: {', '.join(near)}."] if near else []),
    ]


def _with_level_tables(library: Library, documents: Sequence[str] | None) -> list[Row]:
    classes = library.facts.passing(_classes(None, documents), COLUMNS)
    return [row for row in classes if row["progression"] and not row["subclass_of"]]


def _named(library: Library, name: str, documents: Sequence[str] | None, of: Row | None = None) -> list[Row]:
    """The classes and subclasses of that name or id; with `of` only its subclasses."""
    request = _classes(name, documents)
    if of is None:
        return library.facts.named(request, COLUMNS)
    found = library.facts.named(replace(request, filters={"subclass_of": of["id"]}), COLUMNS)
    return [row for row in found if _belongs(row, of)]


def _classes(name: str | None, documents: Sequence[str] | None) -> Request:
    fence = None if documents is None else tuple(documents)
    return Request("character_option", kind="class", name=name, documents=fence)


def _belongs(row: Row, parent: Row) -> bool:
    return bool(row["subclass_of"] and row["subclass_of"]["id"] == parent["id"])
