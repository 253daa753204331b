"""The saving throws that a creature's feature forces, as activities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.exports.foundry.documents import ABILITIES, Document, activity, damage, damage_kinds, target

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.dataset.record import Record

_HALF: Final = "half"


def saves_of(record: Record, section: str, feature: str | None) -> list[Mapping[str, Any]]:
    """The saving throws of a feature that can be rolled: those with a DC."""
    saves = record.get("saves") or ()
    return [each for each in saves if (each["section"], each.get("feature")) == (section, feature) and each.get("dc")]


def save_activities(
    saves: Sequence[Mapping[str, Any]], path: Sequence[object], activation: Document, **facts: Any
) -> Iterator[Document]:
    """An activity for each saving throw; only the first has the further `facts`: the others are of the same use."""
    for number, save in enumerate(saves):
        rolls = save.get("damage") or ()
        area = save.get("area_of_effect")
        yield activity(
            "save",
            (*path, number) if number else path,
            activation,
            **({} if number else facts),
            **({"target": target(area)} if area else {}),
            save={
                "ability": [ABILITIES[ability] for ability in save["abilities"]],
                "dc": {"calculation": "", "formula": str(save["dc"])},
            },
            damage={
                "onSave": _HALF if rolls and save.get("save_effect") == _HALF else "none",
                "parts": [damage(roll.get("dice"), damage_kinds(roll.get("type"))) for roll in rolls],
            },
        )
