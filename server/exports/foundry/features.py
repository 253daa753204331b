"""A creature's traits and actions as items of its actor: features, and attacks as weapons that can be rolled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from server.exports.foundry.documents import (
    Document,
    activities,
    activity,
    damage,
    damage_kinds,
    document_id,
    html,
    recovery,
    source,
)
from server.exports.foundry.saves import save_activities, saves_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.dataset.record import Record

_SECTIONS: Final = {
    "traits": None,
    "actions": "action",
    "bonus_actions": "bonus",
    "reactions": "reaction",
    "legendary_actions": "legendary",
    "lair_actions": "lair",
}
"""Section of the stat block → what activates its features."""
_RECHARGE: Final = re.compile(r"Recharge (\d)(?:[-–]6)?")
_PER_PERIOD: Final = re.compile(r"(\d+)/(Day|Rest)\b")
_AFTER_REST: Final = re.compile(r"Recharges after a (Short or Long|Long) Rest")
_PERIODS: Final = {"Day": "day", "Rest": "sr", "Short or Long": "sr", "Long": "lr"}
"""Time after which uses are regained, as printed → period."""
_COST: Final = re.compile(r"Costs (\d+) Actions")


def features(record: Record) -> Iterator[Document]:
    """The items of a creature's traits and actions, in the order of the stat block."""
    for section, activation in _SECTIONS.items():
        for place, entry in enumerate(record.get(section) or ()):
            path = (record["id"], section, place)
            saves = saves_of(record, section, entry.get("name"))
            write = _attack if entry.get("attacks") else _feature
            yield write(record, entry, saves, path, activation)


def _feature(
    record: Record,
    entry: dict[str, Any],
    saves: Sequence[Mapping[str, Any]],
    path: Sequence[object],
    activation: str | None,
) -> Document:
    uses = _uses(entry.get("usage"))
    rolled = _activation(entry, activation or "special")
    found = [*save_activities(saves, path, rolled, **_spends(uses))]
    if not found and activation:
        found = [activity("utility", path, rolled, **_spends(uses))]
    system = {
        "type": {"value": "monster", "subtype": ""},
        "uses": uses,
        "activities": activities(*found),
    }
    return _item("feat", record, entry, path, system)


def _attack(
    record: Record,
    entry: dict[str, Any],
    saves: Sequence[Mapping[str, Any]],
    path: Sequence[object],
    activation: str | None,
) -> Document:
    """An attack as a weapon with the printed bonus and damage, whatever the actor's abilities.

    Parts that depend on a spell's caster or level are left for the roller to add.
    """
    attacks, uses = entry["attacks"], _uses(entry.get("usage"))
    first, rolled = attacks[0], _activation(entry, activation or "special")
    system = {
        "type": {"value": "natural", "baseItem": ""},
        "equipped": True,
        "identified": True,
        "proficient": 1,
        "range": {
            "value": first.get("range"),
            "long": first.get("long_range"),
            "reach": first.get("reach"),
            "units": "ft",
        },
        "uses": uses,
        "activities": activities(
            *(_attack_activity(each, (*path, number), rolled, uses) for number, each in enumerate(attacks)),
            *save_activities(saves, path, {"type": "special", "value": 1}),
        ),
    }
    return _item("weapon", record, entry, path, system)


def _item(kind: str, record: Record, entry: dict[str, Any], path: Sequence[object], system: Document) -> Document:
    """A trait or action as an item of the actor, with what it says and where it is from."""
    told = {"description": {"value": html(entry.get("description")), "chat": ""}, "source": source(record)}
    return {"_id": document_id(*path), "name": _name(entry), "type": kind, "system": told | system}


def _attack_activity(attack: dict[str, Any], path: Sequence[object], activation: Document, uses: Document) -> Document:
    kind, to_hit = attack["kind"], attack.get("to_hit")
    return activity(
        "attack",
        path,
        activation,
        **_spends(uses),
        attack={
            "ability": "none",
            "bonus": "" if to_hit is None else str(to_hit),
            "flat": True,
            "type": {
                "value": "melee" if kind.startswith("melee") else "ranged",
                "classification": "spell" if kind.endswith("spell") else "weapon",
            },
        },
        damage={
            "includeBase": False,
            "parts": [damage(roll.get("dice"), damage_kinds(roll.get("type"))) for roll in attack.get("damage") or ()],
        },
    )


def _uses(usage: str | None) -> Document:
    """How often it can be used, if that is a number per day or rest or a recharge; otherwise without a limit."""
    if recharge := _RECHARGE.match(usage or ""):
        return {"max": "1", "spent": 0, "recovery": [recovery("recharge", formula=recharge[1])]}
    if times := _PER_PERIOD.match(usage or ""):
        return {"max": times[1], "spent": 0, "recovery": [recovery(_PERIODS[times[2]])]}
    if rest := _AFTER_REST.search(usage or ""):
        return {"max": "1", "spent": 0, "recovery": [recovery(_PERIODS[rest[1]])]}
    return {"max": "", "spent": 0, "recovery": []}


def _activation(entry: dict[str, Any], kind: str) -> Document:
    """What activates a feature, and how many of these it takes: a legendary action may cost several."""
    cost = _COST.search(entry.get("usage") or "")
    return {"type": kind, "value": int(cost[1]) if cost else 1}


def _spends(uses: Document) -> Document:
    """What an activity spends: a use, if their number is limited."""
    return {"consumption": {"targets": [{"type": "itemUses", "value": "1"}]}} if uses["max"] else {}


def _name(entry: dict[str, Any]) -> str:
    """The feature's name with its usage, as printed."""
    name, usage = entry.get("name") or "Feature", entry.get("usage")
    return f"{name} ({usage})" if usage else str(name)
