"""Spells of Open5e v2 and v1 → drafts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Final

from build_pipeline.normalize.merging.documents import v1_document, v2_document, v2_keys
from build_pipeline.normalize.merging.draft import Draft, Problems, read_each
from build_pipeline.normalize.spells.casting_options import v2_options
from build_pipeline.normalize.spells.fields import (
    MOST_TARGETS,
    class_names,
    reaction_condition,
    school_name,
    sized_area,
    spell_components,
    spell_duration,
    spell_range,
)
from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.normalize.text.dice import roll_or_number
from build_pipeline.normalize.text.spells.higher_levels import split_higher_levels
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.vocabulary import canonical_casting_time

_OF_THE_SPELL: Final = re.compile(r"\n+(?=\s*(?:#{1,6} |\*{2,3}[A-Z]|\* \* \*|>|NOTE:))")
"""Where a text on higher levels continues with parts that apply at any: a stat block, table, ritual focus or note."""
_DEEP_MAGIC: Final = re.compile(r"^\s*(Deep Magic: [A-Za-z-]+(?: (?:magic|line|ritual))?)\s+(?=[A-Z])")


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every spell of both versions, v1's with the class lists that name it."""
    lists = raw["open5e_v1", "spelllist"].values()
    v1 = raw["open5e_v1", "spells"].values()
    yield from read_each(raw["open5e_v2", "spells"].values(), problems, _from_v2)
    yield from read_each(v1, problems, partial(_from_v1, lists))


def _from_v2(obj: RawObject) -> Draft:
    data = obj.data
    facts: dict[str, Any] = {
        "level": data["level"],
        "school": school_name(data["school"]["name"]),
        "casting_time": canonical_casting_time(data["casting_time"]),
        "reaction_condition": reaction_condition(data["reaction_condition"]),
        "range": spell_range(data["range_text"]),
        "duration": spell_duration(data["duration"], concentration=data["concentration"]),
        "concentration": data["concentration"],
        "ritual": data["ritual"],
        "components": spell_components(
            (data["verbal"], data["somatic"], data["material"]),
            clean_text(data["material_specified"]),
            cost=float(data["material_cost"] or 0) or None,
        ),
        **_texts(data),
        "classes": class_names(c["name"] for c in data["classes"]),
        "damage_dice": roll_or_number(data["damage_roll"]),
        "damage_types": [kind.lower() for kind in data["damage_types"]] or None,
        "saving_throw": known(data["saving_throw_ability"].lower()),
        "area_of_effect": sized_area(data["shape_type"], data["shape_size"]),
        "target_count": _target_count(data),
        "casting_options": v2_options(data["casting_options"], data["level"]),
    }
    return Draft("open5e_v2", (obj.id,), "spell", v2_document(data), data["name"], v2_keys(obj.key), facts=facts)


def _from_v1(lists: Iterable[RawObject], obj: RawObject) -> Draft:
    data = obj.data
    naming = [row for row in lists if obj.key in row.data["spells"]]
    document, also = v1_document(data["document__slug"])
    time, _, condition = data["casting_time"].partition(",")
    facts: dict[str, Any] = {
        "level": data["level_int"],
        "school": school_name(data["school"]),
        "casting_time": canonical_casting_time(time),
        "reaction_condition": reaction_condition(condition) if "reaction" in time else None,
        "range": spell_range(data["range"]),
        "duration": spell_duration(data["duration"], concentration=data["requires_concentration"]),
        "concentration": data["requires_concentration"],
        "ritual": data["can_be_cast_as_ritual"],
        "components": spell_components(
            tuple(data[f"requires_{part}_components"] for part in ("verbal", "somatic", "material")),
            clean_text(data["material"]),
        ),
        **_texts(data),
        "classes": class_names([*data["dnd_class"].split(","), *(row.data["name"] for row in naming)]),
        "page": _page(data["page"]),
    }
    raw = (obj.id, *(row.id for row in naming))
    return Draft("open5e_v1", raw, "spell", document, data["name"], (obj.key,), also=also, facts=facts)


def _page(text: str | None) -> str | None:
    """Where the spell is printed, "phb 228"; one object has the book's letters in another order."""
    page = clean_text(text)
    return re.sub(r"^pbh\b", "phb", page) if page else None


def _texts(data: JsonObject) -> dict[str, str | None]:
    """The description and the effects of higher slots; some objects have both in the description."""
    description, higher = clean_text(_mend(data["desc"])), clean_text(_mend(data["higher_level"] or ""))
    if description and not higher:
        description, found = split_higher_levels(description)
        higher = found or None
    if description and higher and (rest := _OF_THE_SPELL.search(higher)):
        description, higher = f"{description}\n\n{higher[rest.start() :].strip()}", higher[: rest.start()].strip()
    return {"description": description, "higher_level": higher}


def _mend(text: str) -> str:
    """Repair the lost and run-together parts of a text.

    A character lost between digits was a dash ("20�50 miles"), and a lone "g" at a line's end was nothing; the name of
    a school of deep magic before the first sentence was on a line of its own ("Deep Magic: clockwork You touch …"), and
    a lone "I" within a line was the heading of the effects of higher slots.
    """
    text = re.sub(r"(?<=[.:])g(?=\n)", "", re.sub(r"(?<=\d)\ufffd(?=\d)", "–", text))
    text = re.sub(r"(?<=\.) I (?=When you cast this spell )", "\n\n**At Higher Levels.** ", text)
    text = re.sub(r"(?<=\dth)(?=level\b)", "-", text)
    return _DEEP_MAGIC.sub(r"**\1.** ", text)


def _target_count(data: JsonObject) -> int | None:
    """v2's count where it is meaningful: 1 is also its default for areas and points."""
    count: int | None = data["target_count"]
    if not count or count > MOST_TARGETS or (count == 1 and data["target_type"] in {"area", "point"}):
        return None
    return count
