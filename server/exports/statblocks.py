"""Creatures for Fantasy Statblocks, an Obsidian plug-in, in the format that it imports as a generic bestiary."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from server.dataset.schema import STAT_BLOCK_SECTIONS
from server.dataset.vocabulary import ABILITIES
from server.sheets.creatures import gear, legendary, resisted, sizes
from server.sheets.wording import SENSES, joined, speeds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.dataset.record import Record

_FOR_OTHER_LAYOUTS: Final = ("armor_description", "description", "group", "page", "stat_lines")
"""Facts that the plug-in's own layout does not show, exported under their own names."""


def bestiary(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Creatures with unique names, as the plug-in keeps one per name: if several share one, their books are added."""
    named = Counter(record["name"] for record in records)
    return [_monster(record, unique=named[record["name"]] == 1) for record in records]


def _monster(record: Record, *, unique: bool) -> dict[str, Any]:
    """A creature as the plug-in's `Monster`: numbers where it calculates, text where it prints."""
    scores = [(record.get("ability_scores") or {}).get(ability) for ability in ABILITIES]
    printed = {line["name"]: line["description"] for line in record.get("stat_lines") or ()}
    shown: dict[str, Any] = {
        "name": record["name"] if unique else f"{record['name']} ({record['document_name']})",
        "source": record["document_name"],
        "size": sizes(record),
        "type": record.get("type") or "",
        "subtype": record.get("subtype") or "",
        "alignment": record.get("alignment") or "",
        "ac": record.get("armor_class"),
        "hp": record.get("hit_points"),
        "hit_dice": (record.get("hit_dice") or "").replace("+", " + ").replace("-", " - "),
        "speed": printed.get("Speed") or speeds(record.get("speed") or {}),
        "stats": None if None in scores else scores,
        "saves": _each(record.get("saving_throws")),
        "skillsaves": _each(record.get("skills")),
        "damage_vulnerabilities": joined(resisted(record, "vulnerabilities")),
        "damage_resistances": joined(resisted(record, "resistances")),
        "damage_immunities": joined(record.get("damage_immunities") or ()),
        "condition_immunities": joined(record.get("condition_immunities") or ()),
        "senses": printed.get("Senses") or _senses(record.get("senses") or {}),
        "languages": record.get("languages") or "",
        "cr": record.get("challenge_rating_text") or "",
        "legendary_description": legendary(record) if record.get("legendary_actions") else None,
        **{column: record.get(column) for column in _FOR_OTHER_LAYOUTS},
        "environments": ", ".join(record.get("environments") or ()) or None,
        "gear": gear(record) or None,
        "initiative": record.get("initiative_bonus"),
        "license": record.get("license") or "",
        "lorekeeper_id": record["id"],
    }
    for section in STAT_BLOCK_SECTIONS:
        if record.get(section):
            shown[section] = [_trait(entry) for entry in record[section]]
    return {name: value for name, value in shown.items() if value is not None}


def _each(bonuses: dict[str, int | None] | None) -> list[dict[str, int]]:
    """`[{"stealth": 6}, {"sleight of hand": 5}]`."""
    return [{name.replace("_", " "): bonus} for name, bonus in (bonuses or {}).items() if bonus is not None]


def _senses(senses: dict[str, Any]) -> str:
    ranges = [f"{sense} {senses[sense]} ft." for sense in SENSES if senses.get(sense)]
    passive = senses.get("passive_perception")
    return ", ".join([*ranges, *([] if passive is None else [f"passive Perception {passive}"])])


def _trait(entry: dict[str, Any]) -> dict[str, str]:
    name, usage = entry.get("name") or "", entry.get("usage")
    return {"name": f"{name} ({usage})" if usage else name, "desc": entry.get("description") or ""}
