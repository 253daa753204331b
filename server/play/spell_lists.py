"""The spells of a class: by spell level, with the slots to cast them, and the effect of a higher slot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from server.library.requests.request import Request
from server.play.advancement import has_column

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from server.library.facts import Row
    from server.library.library import Library

COLUMNS: Final = (
    *("id", "name", "document_key", "level", "school", "casting_time", "concentration", "ritual"),
    *("components", "casting_options", "description", "higher_level"),
)
CANTRIP: Final = 0

_NO_CASTER: Final = "none"

_SLOTS: Final = re.compile(r"Spell Slots (?P<level>\d)(?:st|nd|rd|th)")
_FIRST_SLOTS: Final = "Spell Slots 1st"
"""The column that every class with slots of several levels has."""
_CANTRIPS: Final = "Cantrips"
"""The beginning of the name of the column that says how many are learned."""
_PACT_SLOTS: Final = "Spell Slots"
_PACT_LEVEL: Final = "Slot Level"
ARCANUM: Final = "Mystic Arcanum"
_FIRST_ARCANUM: Final = 6
"""The spell level of the feature's first gain; each later gain is one level higher."""
_ORDINAL: Final = re.compile(r"(?P<level>\d)(?:st|nd|rd|th)?")
_DICE: Final = re.compile(
    r"(?P<dice>\d+d\d+)(?P<bonus>\s*(?:\+|plus)\s*your\b)?(?:[+\s\d]*\s(?P<type>\w+) damage\b)?", re.IGNORECASE
)
"""Dice in a text, with a bonus from the caster and the type of damage."""
_LIST: Final = re.compile(r"\b(?P<of>[^\W\d_]+) spell list\b", re.IGNORECASE)
_AT_SLOT: Final = frozenset({"slot_level", "character_level"})


def slots(row: Mapping[str, str]) -> dict[int, int]:
    """Spell slots of a row of `numbers`: slot level → number of slots; empty if it has none."""
    found = {int(named["level"]): row[name] for name in row if (named := _SLOTS.fullmatch(name))}
    pact = _ORDINAL.fullmatch(row.get(_PACT_LEVEL) or "")
    if pact and _PACT_SLOTS in row:
        found[int(pact["level"])] = row[_PACT_SLOTS]
    return {of: int(number) for of, number in sorted(found.items()) if (number or "").isdecimal()}


def arcana(source: Row, level: int) -> list[int]:
    """The levels of a class's spells that need no slot, one spell for each: a warlock's Mystic Arcanum."""
    gained = next((each["levels"] or () for each in source["features"] or () if each["name"] == ARCANUM), ())
    return [_FIRST_ARCANUM + place for place, at in enumerate(sorted(gained)) if at <= level]


def spells_of(
    library: Library, sources: Sequence[Row], documents: Sequence[str] | None, granted: Iterable[str] = ()
) -> list[Row]:
    """The spells of a class, by level and name: those in `documents`.

    If that is None, they are those of its own list, whatever their books, and those of its book that name it.

    Args:
        library: the library.
        sources: the class, and perhaps a subclass. If no spell is the class's own, their features name the class whose
            spells they cast.
        documents: entries of `documents`, or None.
        granted: ids of further spells.
    """
    books = [row["document_key"] for row in sources]
    listed = _listed(sources[0])
    of_class = [
        *_of_class(library, sources[0]["name"], books if documents is None else documents),
        *_of_ids(library, listed, documents),
    ]
    # A class that casts no spells may name a list for one or two; of a subclass that is the best to be had.
    tellers = sources if sources[0]["caster_type"] != _NO_CASTER else sources[1:]
    for source, name in ((source, _list_told(source)) for source in tellers):
        if name and not of_class:
            within = [*books, *_books_of(library, name, source)] if documents is None else documents
            of_class = _of_class(library, name, within)
    further = _of_ids(library, set(granted) - listed, documents)
    found = {row["name"].casefold(): row for row in reversed([*of_class, *further])}
    return sorted(found.values(), key=lambda row: (row["level"], row["name"].casefold()))


def with_common_slots(classes: Iterable[Row]) -> list[Row]:
    """Those classes whose spell slots a character has in common; a warlock's of Pact Magic stay apart."""
    return [row for row in classes if has_column(row, _FIRST_SLOTS)]


def learnable(spells: Sequence[Row], sources: Sequence[Row], granted: Container[str]) -> list[Row]:
    """The spells without cantrips, if level tables, lists and books of the sources have none; those `granted` stay.

    Books that add to the spell lists of others name classes that learn none, such as the paladin.
    """
    books, listed = {source["document_key"] for source in sources}, _listed(sources[0])
    own = (spell for spell in spells if spell["document_key"] in books or spell["id"] in listed)
    of_books = any(spell["level"] == CANTRIP for spell in own)
    learns = of_books or any(has_column(source, _CANTRIPS) for source in sources)
    return [spell for spell in spells if learns or spell["level"] != CANTRIP or spell["id"] in granted]


def granted_by(sources: Sequence[Row], level: int | None) -> dict[str, str]:
    """Spells of a subclass's own: id → the lands, affinities or the like that have it, or the subclass's name.

    Args:
        sources: the class, and perhaps a subclass.
        level: the character level, above which spells are left out that a level gives; None for all.
    """
    choices: dict[str, list[str]] = {}
    for subclass in sources[1:]:
        for spell in subclass["subclass_spells"] or ():
            if spell["id"] is not None and (level is None or (spell["class_level"] or 0) <= level):
                choices.setdefault(spell["id"], []).append(spell["choice"] or subclass["name"])
    return {identity: ", ".join(dict.fromkeys(each)) for identity, each in choices.items()}


def _listed(of: Row) -> set[str]:
    """The ids in a class's own list, which may also name spells that no book here has."""
    return {spell for row in of["spell_list"] or () for spell in row["spells"] if "/" in spell}


def _of_class(library: Library, name: str, documents: Iterable[str]) -> list[Row]:
    """The spells in `documents` that name a class."""
    fence = tuple(dict.fromkeys(documents))
    return library.facts.passing(Request("spell", filters={"class_key": name}, documents=fence), COLUMNS)


def _of_ids(library: Library, ids: AbstractSet[str], documents: Sequence[str] | None) -> list[Row]:
    """The spells of these ids, in `documents` or, if that is None, in any book."""
    fence = {spell.split("/")[1] for spell in ids} if documents is None else documents
    if not ids:
        return []
    found = library.facts.passing(Request("spell", documents=tuple(sorted(fence))), COLUMNS)
    return [row for row in found if row["id"] in ids]


def _books_of(library: Library, name: str, source: Row) -> list[str]:
    """The preferred book of a class, of the edition of the class or subclass that names it."""
    request = Request("character_option", kind="class", name=name, documents=(source["game_system"],))
    return [row["document_key"] for row in library.facts.named(request, ("document_key",))[:1]]


def by_level(
    spells: Iterable[Row],
    levels: Iterable[int],
    of_slots: Mapping[int, int],
    slot: int | None,
    *,
    character_level: int | None = None,
    granted: Mapping[str, str] | None = None,
) -> list[Any]:
    """The spells of some levels: for each `level`, `slots` (null if that is not known), `count` and `spells`.

    Args:
        spells: from `spells_of`.
        levels: the spell levels to list.
        of_slots: slot level → number of slots.
        slot: the level of the slot that the spells are cast with; those that it improves get `with_slot`.
        character_level: the level of the caster; spells that it improves get `at_level`.
        granted: from `granted_by`; those spells get `granted_by`.
    """
    given = granted or {}
    listed = {
        level: [
            _spell(row, slot, character_level) | ({"granted_by": given[row["id"]]} if row["id"] in given else {})
            for row in spells
            if row["level"] == level
        ]
        for level in levels
    }
    return [
        {"level": level, "slots": of_slots.get(level), "count": len(found), "spells": found}
        for level, found in listed.items()
        if found
    ]


def _list_told(source: Row) -> str | None:
    """The class whose spell list the features of a class or subclass name first."""
    told = (_LIST.search(feature["description"] or "") for feature in source["features"] or ())
    return next((found["of"] for found in told if found), None)


def _spell(row: Row, slot: int | None, character_level: int | None) -> dict[str, Any]:
    """The facts that help to choose a spell; flags only if true."""
    cost = (row["components"] or {}).get("material_cost_gp")
    facts = {
        "name": row["name"],
        "id": row["id"],
        "school": row["school"],
        "casting_time": row["casting_time"],
        "concentration": row["concentration"] or None,
        "ritual": row["ritual"] or None,
        "material_cost_gp": cost,
        "with_slot": _with_slot(row, slot),
        "at_level": _at_level(row, character_level),
    }
    return {name: value for name, value in facts.items() if value is not None}


def _at_level(row: Row, character_level: int | None) -> dict[str, Any] | None:
    """What the caster's level changes, as of cantrips' damage; None if it changes nothing."""
    reached = [
        option
        for option in row["casting_options"] or ()
        if option["character_level"] is not None and option["character_level"] <= (character_level or 0)
    ]
    if not reached:
        return None
    return _changed(row, max(reached, key=lambda option: int(option["character_level"])))


def _with_slot(row: Row, slot: int | None) -> dict[str, Any] | None:
    """What a slot above the spell's level changes; None if it changes nothing.

    The book's own words are given as `higher_level` if no numbers were read from them.
    """
    if slot is None or slot <= row["level"]:
        return None
    options = [each for each in row["casting_options"] or () if each["slot_level"] is not None]
    if not options:
        return {"higher_level": row["higher_level"]} if row["higher_level"] else None
    return _changed(row, next((each for each in options if each["slot_level"] == slot), {}))


def _changed(row: Row, option: Mapping[str, Any]) -> dict[str, Any] | None:
    """The values of a casting option; None if there are none.

    If the dice are not all of the damage, they are `part_of_damage`, and the book's own words are `higher_level`.
    """
    changed = {name: value for name, value in option.items() if value is not None and name not in _AT_SLOT}
    if "damage" in changed and _has_further_damage(row):
        words = {"higher_level": row["higher_level"]} if row["higher_level"] else {}
        changed = {"part_of_damage": changed.pop("damage"), **changed, **words}
    return changed or None


def _has_further_damage(row: Row) -> bool:
    """Whether a spell's text has several dice expressions, several types of damage, or a bonus to the dice."""
    found = [match.groupdict() for match in _DICE.finditer(row["description"] or "")]
    dice, types = ({each[name] for each in found if each[name]} for name in ("dice", "type"))
    return len(dice) > 1 or len(types) > 1 or any(each["bonus"] for each in found)
