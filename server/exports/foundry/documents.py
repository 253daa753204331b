"""The common parts of Foundry documents: ids, sources, texts as HTML, activities.

The field names and types are those of the data models of the dnd5e system, version 4 and later; a field that is left
out gets the model's initial value on import.
"""

from __future__ import annotations

import hashlib
import re
import string
from typing import TYPE_CHECKING, Any, Final

from markdown_it import MarkdownIt

from server.dataset import vocabulary
from server.sheets.markdown import prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.dataset.record import Record

Document = dict[str, Any]

ABILITIES: Final = {ability: ability[:3] for ability in vocabulary.ABILITIES}
SHAPES: Final = {
    "cone": "cone",
    "cube": "cube",
    "cylinder": "cylinder",
    "emanation": "radius",
    "hemisphere": "sphere",
    "line": "line",
    "sphere": "sphere",
    "square": "square",
}

_HTML: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_ALPHABET: Final = string.ascii_letters + string.digits
_ID_LENGTH: Final = 16
_DICE: Final = re.compile(r"(?P<number>\d+)d(?P<sides>\d+)(?P<bonus>[+-]\d+)?")
_UNITS: Final = {"feet": "ft", "miles": "mi"}
_RULES: Final = {"5e-2014": "2014", "5e-2024": "2024"}
_LICENSES: Final = {"Creative Commons Attribution 4.0": "CC-BY-4.0", "Open Game License 1.0a": "OGL-1.0a"}


def document_id(*path: object) -> str:
    """An id in Foundry's format, 16 letters and digits, always the same for the same path."""
    digest = int.from_bytes(hashlib.sha256("/".join(map(str, path)).encode()).digest())
    letters = []
    for _ in range(_ID_LENGTH):
        digest, place = divmod(digest, len(_ALPHABET))
        letters.append(_ALPHABET[place])
    return "".join(letters)


def html(markdown: str | None) -> str:
    """A text as HTML; empty if there is none."""
    return str(_HTML.render(prose(markdown))).strip()


def source(record: Record) -> Document:
    """Where a document comes from: the book, its licence and its rules."""
    licenses = [name.strip() for name in (record.get("license") or "").split(",") if name.strip()]
    page = record.get("page")
    return {
        "custom": "",
        "book": record["document_name"],
        "page": "" if page is None else str(page),
        "license": ", ".join(_LICENSES.get(name, name) for name in licenses),
        "rules": _RULES.get(record.get("game_system") or "", "2014"),
    }


def document(record: Record, kind: str, system: Document, **others: Any) -> Document:
    """A Foundry document for a record."""
    return {
        "_id": document_id(record["id"]),
        "name": record["name"],
        "type": kind,
        "system": {"source": source(record), **system},
        **others,
        "flags": {"lorekeeper": {"id": record["id"]}},
    }


def activity(kind: str, path: Sequence[object], activation: Document, **facts: Any) -> Document:
    """An activity: what can be done with an item or feature."""
    return {"_id": document_id(*path, kind), "type": kind, "activation": activation, **facts}


def activities(*found: Document) -> Document:
    """Activities by their ids, as items hold them."""
    return {each["_id"]: each for each in found}


def recovery(period: str, kind: str = "recoverAll", formula: str | None = None) -> Document:
    """When uses are recovered: all of them, or a number by `formula`, which for a recharge is the lowest die roll."""
    return {"period": period, "type": kind} | ({"formula": formula} if formula else {})


def target(area: Mapping[str, Any]) -> Document:
    """What is targeted, with the template of its area, if it has one."""
    return {
        "template": {
            "type": SHAPES.get(area.get("shape") or "", ""),
            "size": str(area["size"]) if area.get("size") else "",
            "units": _UNITS.get(area.get("unit") or "", "ft"),
        }
    }


def damage_kinds(told: str | None) -> list[str]:
    """The types of a roll of damage, one of which applies: `acid or fire`."""
    return (told or "").split(" or ")


def damage(dice: str | None, types: Iterable[str] | None, grows_by: int | None = None) -> Document:
    """One part of damage or healing: dice and a bonus; anything else becomes a custom formula.

    Args:
        dice: canonical dice, a number, or None.
        types: types of damage; if there are several, the roller chooses one.
        grows_by: additional dice for each level above the lowest.
    """
    found = _DICE.fullmatch(dice or "")
    return {
        "number": int(found["number"]) if found else None,
        "denomination": int(found["sides"]) if found else None,
        "bonus": (found["bonus"] or "").removeprefix("+") if found else "",
        "types": sorted(set(types or ()) & {*vocabulary.DAMAGE_TYPES, "healing"}),
        "custom": {"enabled": not found and bool(dice), "formula": "" if found else dice or ""},
        "scaling": {"mode": "whole" if grows_by else "", "number": grows_by, "formula": ""},
    }
