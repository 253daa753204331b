"""Corrects the speeds of Tome of Beasts 1 (2023), which its transcribers shifted, by means of the first edition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from build_pipeline.normalize.merging.draft import Draft

Facts = dict[str, Any]

_SPEED_ORDER: Final = ("walk", "burrow", "climb", "fly", "swim")
"""The order in which books print modes of movement."""
_SPEED_BY_FORM: Final = re.compile(r"\bother than (?:its|his|her|their)\b[^.]*\bspeed\b[^.]*\bthe same in each form\b")
_FIRST: Final = "tob"
_SECOND: Final = "tob-2023"


def settle_speeds(drafts: Iterable[Draft]) -> None:
    """Correct the speeds of the second edition by means of the first.

    Its lines ("40 ft., climb 40 ft., fly 80 ft.") were read with every number assigned to the mode after it, the last
    number to walking, and climbing and swimming dropped: {walk 80, fly 40}. If the line of the first edition's creature
    of the same name would be misread as the same result, it is what was printed. If that creature has the same modes,
    the numbers are moved back. A creature that moves differently in another form was given that form's number, the last
    of its line; its own number is the first edition's. In all other cases several lines could have given the same
    result, and the speeds are unknown.

    A creature whose speeds rest on the first edition also gets that edition's raw object.
    """
    everything = list(drafts)
    second = [draft for draft in everything if draft.document_key == _SECOND]
    first = {_words(draft.name): draft for draft in everything if draft.document_key == _FIRST}
    renamed = {words: first[words] for words in first.keys() - {_words(draft.name) for draft in second}}
    for draft in second:
        given = draft.facts["speed"]
        same = first.get(_words(draft.name))
        twins = [same] if same else list(_longer_or_shorter(draft, renamed))
        shifts = any(map(_SPEED_BY_FORM.search, _told(draft)))
        found = [
            (twin, speed)
            for twin in twins
            if (speed := _settled(given, twin.facts["speed"], named_alike=bool(same), shifts=shifts))
        ]
        speed = found[0][1] if found and all(each == found[0][1] for _, each in found) else None
        if speed != given:
            draft.from_text.add("speed")
        if speed and speed != given:
            draft.raw = (*draft.raw, found[0][0].raw[0])
            draft.take("speed", speed, found[0][0].source)
        draft.facts["speed"] = speed


def _words(name: str) -> frozenset[str]:
    """A name's words, the same for "Aboleth, Nihilith" and "Nihilith Aboleth", "Swarm of Newts" and "Newt Swarm"."""
    return frozenset(word.removesuffix("s") for word in re.findall(r"\w+", name.casefold()) if word != "of")


def _longer_or_shorter(draft: Draft, renamed: Mapping[frozenset[str], Draft]) -> Iterator[Draft]:
    """Creatures of the first edition whose name lost or gained words in the second: "Kobold Alchemist", "Alchemist".

    They are about as dangerous as before, and the second edition has no creature of their old name.
    """
    words, rating = _words(draft.name), draft.facts["challenge_rating"]
    for others, twin in renamed.items():
        before = twin.facts["challenge_rating"]
        if (words < others or others < words) and None not in {rating, before} and abs(rating - before) <= 1:
            yield twin


def _told(draft: Draft) -> Iterator[str]:
    rows = (row for column in ("traits", "actions", "bonus_actions") for row in draft.facts.get(column) or ())
    return (row["description"] for row in rows if row["description"])


def _settled(given: Facts, first_edition: Facts, *, named_alike: bool, shifts: bool) -> Facts | None:
    printed = {mode: first_edition[mode] for mode in _SPEED_ORDER if first_edition[mode] is not None}
    read = {mode: given[mode] for mode in _SPEED_ORDER if given[mode]}
    misread = _misread(printed)
    if misread and misread == {"walk": misread["walk"], **read}:  # a line that was cut short lacks its last number
        return {**first_edition, "hover": None}
    if shifts and list(printed) == list(read) == ["walk"]:
        return {**given, **printed}
    if named_alike and "walk" in read and list(printed) == list(read):
        numbers = [*list(read.values())[1:], read["walk"]]
        return {**given, **dict(zip(read, numbers, strict=True))}
    return None


def _misread(printed: Mapping[str, int]) -> dict[str, int]:
    """The speeds that a printed line was misread as."""
    numbers = list(printed.values())
    shifted = {
        mode: before
        for mode, before in zip(list(printed)[1:], numbers, strict=False)
        if before and mode in {"burrow", "fly"}
    }
    return {"walk": numbers[-1], **shifted} if numbers else {}
