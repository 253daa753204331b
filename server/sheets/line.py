"""A record, full or summary, on one line: what it is, and the facts that help to choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from server.dataset.record import Record
from server.dataset.vocabulary import challenge_rating_text
from server.sheets.markdown import plain
from server.sheets.sheet import kind_of
from server.sheets.wording import dice, follows_2024, money

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def line(record: Record) -> str:
    """`Level 3 Evocation (Sorcerer, Wizard) · Action · 150 feet` as Markdown; unknown facts are left out."""
    facts = _FACTS.get(record["entity_type"], _none)
    rating = record.get("challenge_rating")
    # The rating comes first, as lists cut off the end of a line.
    first = () if rating is None else (f"CR {challenge_rating_text(rating)}",)
    return " · ".join((*first, kind_of(record), *map(plain, filter(None, facts(record)))))


def brief(record: Record) -> str:
    """The most useful fact for a choice, if there is room for only one: `CR 3`, `level 3`, `2 gp`, `very rare`."""
    rating, level, cost = (record.get(column) for column in ("challenge_rating", "level", "cost_gp"))
    if rating is not None:
        return f"CR {challenge_rating_text(rating)}"
    if level is not None and record["entity_type"] == "spell":
        return f"level {level}" if level else "cantrip"
    if cost is not None:
        return money(cost, capitals=follows_2024(record))
    return str(record.get("rarity") or record["entity_type"].replace("-", " "))


def _spell(record: Record) -> Iterator[str | None]:
    yield record.get("casting_time")
    yield record.get("range")
    yield "concentration" if record.get("concentration") else None


def _creature(record: Record) -> Iterator[str | None]:
    yield from (
        None if record.get(column) is None else f"{label} {record[column]}"
        for label, column in (("AC", "armor_class"), ("HP", "hit_points"))
    )


def _item(record: Record) -> Iterator[str | None]:
    damage, cost = record.get("damage_dice"), record.get("cost_gp")
    yield " ".join(filter(None, (dice(damage), record.get("damage_type")))) if damage else None
    yield None if cost is None else money(cost, capitals=follows_2024(record))


def _none(_: Record) -> Iterator[str | None]:
    yield from ()


_FACTS: Final[dict[str, Callable[[Record], Iterator[str | None]]]] = {
    "spell": _spell,
    "creature": _creature,
    **dict.fromkeys(("weapon", "armor", "magic-item", "adventuring-gear"), _item),
}
