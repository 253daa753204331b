"""`level_up` and `spell_list`: the gains of a class, and the spells it can cast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.dataset.sentences import first_sentence
from server.library.message import Message, Named
from server.library.records.budget import Shorter
from server.library.requests.request import RequestError
from server.play.advancement import features, gains, numbers
from server.play.citation import cited
from server.play.classes import Classes, as_asked
from server.play.experience import points_by_level
from server.play.limits import HIGHEST_LEVEL
from server.play.spell_lists import ARCANUM, CANTRIP, arcana, by_level, granted_by, learnable, slots, spells_of
from server.tools import values
from server.tools.at_the_table import TOOLSET, answers, name_of, within_documents, worked_out
from server.tools.output import COUNT, NUMBER, STRINGS, TEXT
from server.tools.parameters import DOCUMENTS, integer, words
from server.tools.tool import Envelope, Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from server.library.facts import Row
    from server.library.library import Library

HIGHEST_SLOT: Final = 9
_HIT_POINTS: Final = ("hit_dice", "hit_points_first_level", "hit_points_per_level")
_MOST_NAMED: Final = 5
"""Maximum number of subclasses that a message names."""

_GAINS: Final = """\
A class's gains by level, with a subclass's if given: features in full, the numbers of its table that change, \
including slots, and the experience points of the level. One level, or all after from_level. \
E.g. class_key="wizard", level=5; class_key="fighter", subclass="champion", from_level=1, level=10."""
_OF_TABLE: Final = "spell slots, cantrips and numbers of the class table"
_SPELLS: Final = """\
A class's spell list by spell level, with the slots, numbers and cantrip damage of a character level, or with the \
effect of casting each spell with one slot. To filter by school etc.: search_spell. \
E.g. class_key="cleric", level=5; class_key="wizard", slot=5."""


def _gains(library: Library, given: Mapping[str, Any], documents: tuple[str, ...] | None, said: list[str]) -> Envelope:
    last = given["level"]
    first = given.get("from_level", last - 1) + 1
    if first > last:
        current = Named("from_level")
        message = Message(current, f" {first - 1} is not below level {last}: ", current, " is the current level.")
        raise RequestError(parameter=current.name, value=first - 1, message=message)
    sources, hints = _sources(library, given, documents)
    if len(sources) == 1:
        hints += _choices(library, sources[0], range(first, last + 1), documents)
    points, printed = points_by_level(library, sources[0]["game_system"], documents)
    gained = [level | {"experience_points": points.get(level["level"])} for level in gains(sources, first, last)]
    return worked_out(
        library,
        gained,
        rules=[*(cited(source, "features and numbers by level") for source in sources), *filter(None, [printed])],
        notes=[*said, *hints],
        shorter=_SHORTER_GAINS,
        fewer="Ask for fewer levels.",
        **{name: sources[0][name] for name in _HIT_POINTS},
    )


def _sources(
    library: Library, given: Mapping[str, Any], documents: tuple[str, ...] | None
) -> tuple[list[Row], list[str]]:
    """The class of a call, with its subclass if it names one, and notes on how it was understood."""
    request = as_asked(library, given["class_key"], documents)
    (name,) = request.names
    classes = Classes(library, request.documents)
    if subclass := given.get("subclass"):
        both = classes.with_subclass(name, subclass)
        return [both.of, both.subclass], [*request.notes, *filter(None, [both.said])]
    return [classes.named(name)], [*request.notes]


def _choices(library: Library, of: Row, levels: range, documents: tuple[str, ...] | None) -> list[str]:
    """A hint at the levels that have features of subclasses, for a call that names no subclass."""
    options = Classes(library, documents).subclasses(of)
    at = [level for level in levels if any(next(features(row, level), None) for row in options)]
    if not at:
        return []
    names = sorted({row["name"] for row in options})
    some = f"{', '.join(names[:_MOST_NAMED])}{' …' if len(names) > _MOST_NAMED else ''}"
    add = f"Subclasses add features at level {', '.join(map(str, at))}: give "
    return [Message(add, Named("subclass"), f" ({some}) to include them.")]


def _with_features(shorten: Callable[[Mapping[str, Any]], dict[str, Any]]) -> Callable[[Any], Any]:
    """A function that applies `shorten` to each feature of a level."""
    return lambda level: level | {"features": [shorten(feature) | {"truncated": True} for feature in level["features"]]}


def _with_spells(*facts: str) -> Callable[[Any], Any]:
    """A function that keeps only these facts of the spells of a level."""
    return lambda level: (
        level | {"spells": [{name: spell[name] for name in facts if name in spell} for spell in level["spells"]]}
    )


_SHORTER_GAINS: Final = (
    Shorter(
        _with_features(lambda feature: {**feature, "description": first_sentence(feature["description"])}),
        "Features are shortened to their first sentence: ask for fewer levels to get them in full.",
    ),
    Shorter(
        _with_features(lambda feature: {name: feature[name] for name in ("name", "again", "of")}),
        "Only the names of features are given: ask for fewer levels to get them in full.",
    ),
)
_ONLY: Final = Named("spell_level")
_TO_GET_MORE: Final = Message(": ask for one ", _ONLY, " to get more.")
_SHORTER_LISTS: Final = (
    Shorter(
        _with_spells("name", "id", "with_slot", "at_level"),
        Message("Only names, ids and the effect of slot and level are given for spells", _TO_GET_MORE),
    ),
    Shorter(
        _with_spells("name", "id"),
        Message("Only names and ids of spells are given", _TO_GET_MORE),
    ),
    Shorter(
        lambda level: level | {"spells": []},
        Message("Spells are only counted: ask for one ", _ONLY, " to list them."),
    ),
)


def _spells(library: Library, given: Mapping[str, Any], documents: tuple[str, ...] | None, said: list[str]) -> Envelope:
    level, slot, only = given.get("level"), given.get("slot"), given.get("spell_level")
    sources, notes = _sources(library, given, documents)
    said += notes
    of, caster = sources[0], sources[-1]
    row = {} if level is None else {name: value for each in sources for name, value in numbers(each, level).items()}
    of_slots = slots(row)
    without_slots = [] if level is None or slot is not None else arcana(of, level)
    granted = granted_by(sources, level)
    spells = learnable(spells_of(library, sources, documents, granted), sources, granted)
    if slot is not None and of_slots and slot not in of_slots:
        has = f"has no slot of level {slot} at level {level}, only {', '.join(map(str, of_slots))}."
        message = Message(Named("slot"), f": {caster['name']} {has}")
        raise RequestError(parameter="slot", value=slot, message=message)
    highest = slot if slot is not None else max(of_slots, default=None)
    known = sorted({spell["level"] for spell in spells})
    castable = [each for each in known if each in without_slots or _is_castable(each, level, slot, highest)]
    levels = [each for each in castable if only in (None, each)]
    if level is not None and not of_slots:
        said.append(f"{caster['name']} has no spell slots at level {level}.")
    if without_slots:
        each_of = ", ".join(map(str, without_slots))
        said.append(f"{ARCANUM}: one spell each of level {each_of}, cast without a slot once per Long Rest.")
    if not spells:
        said.append(f"No spell here is on the spell list of {caster['name']}.")
    elif castable and not levels:
        available = ", ".join(map(str, castable))
        said.append(Message("None of these has ", _ONLY, f" {only}; available: {available}."))
    return worked_out(
        library,
        by_level(spells, levels, of_slots, slot, character_level=level, granted=granted),
        rules=[cited(source, _OF_TABLE if level and numbers(source, level) else "its spells") for source in sources],
        notes=said,
        shorter=_SHORTER_LISTS,
        fewer=Message("Ask for one ", _ONLY, "."),
        numbers=row,
        slots={str(each): number for each, number in of_slots.items()},
    )


def _is_castable(each: int, level: int | None, slot: int | None, highest: int | None) -> bool:
    """Whether spells of a level belong in the answer: those that the slots can cast; without level and slot, all."""
    if level is None and slot is None:
        return True
    if each == CANTRIP:
        return slot is None and highest is not None
    return highest is not None and each <= highest


_SUBCLASS: Final = words("subclass", "Subclass or id, e.g. champion", longest=values.MAX_NAME)
_CLASS: Final = name_of("class_key", "Class or id, e.g. wizard")


LEVEL_UP: Final = Tool(
    "level_up",
    "Level up a class",
    TOOLSET,
    _GAINS,
    parameters=(
        _CLASS,
        integer("level", "Level reached, 1-20", 1, HIGHEST_LEVEL, required=True),
        integer("from_level", "Current level, 0-19; default: level - 1", 0, HIGHEST_LEVEL - 1),
        _SUBCLASS,
        DOCUMENTS,
    ),
    tables=(),
    answer=within_documents(_gains, **dict.fromkeys(_HIT_POINTS)),
    answers=answers(
        {
            "level": COUNT,
            "features": {"type": "array", "items": {"type": "object"}},
            "table": STRINGS,
            "numbers": {"type": "object"},
            "experience_points": NUMBER,
        },
        dict.fromkeys(_HIT_POINTS, TEXT),
    ),
)

SPELL_LIST: Final = Tool(
    "spell_list",
    "List a class's spells",
    TOOLSET,
    _SPELLS,
    parameters=(
        _CLASS,
        integer("level", "Character level, 1-20", 1, HIGHEST_LEVEL),
        integer("slot", "Slot to cast from, 1-9", 1, HIGHEST_SLOT),
        integer("spell_level", "Only spells of this level, 0-9", CANTRIP, HIGHEST_SLOT),
        _SUBCLASS,
        DOCUMENTS,
    ),
    tables=(),
    answer=within_documents(_spells, numbers={}, slots={}),
    answers=answers(
        {
            "level": COUNT,
            "slots": NUMBER,
            "count": COUNT,
            "spells": {"type": "array", "items": {"type": "object"}},
        },
        {"numbers": {"type": "object"}, "slots": {"type": "object"}},
    ),
)
