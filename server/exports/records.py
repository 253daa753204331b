"""Export of records to a folder in a program's format, with their credits."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from server.dataset.export_folder import export_folder
from server.dataset.files import NOTICE_FILE
from server.dataset.record import Record
from server.exports import homebrewery, statblocks
from server.exports.foundry.creatures import npc
from server.exports.foundry.items import item
from server.exports.foundry.spells import spell
from server.sheets.sheet import render

CREDITS_FILE: Final = "CREDITS.md"
FAMILIES: Final = ("creature", "spell", "equipment")

_FOUNDRY: Final[Mapping[str, Callable[[Record], dict[str, Any]]]] = {"creature": npc, "spell": spell}


@dataclass(frozen=True, slots=True)
class Exported:
    """The result of an export: the number of records, and the files (relative to the folder)."""

    records: int
    files: list[str]


def write_records(target: str, records: Sequence[Record], credits_text: str, notice: Path, out: Path) -> Exported:
    """Write records for a program, with the credits of their documents and the dataset's notice of licences.

    Args:
        target: a key of `TARGETS`.
        records: full records.
        credits_text: Markdown with the credit of every document that they come from.
        notice: the dataset's file with the texts of the licences.
        out: the folder to write; an earlier export there is replaced once the new one is whole.

    Raises:
        FileExistsError: `out` holds something other than an earlier export.
    """
    files = {**dict(TARGETS[target](records, credits_text)), CREDITS_FILE: credits_text}
    with export_folder(out) as new:
        for name, text in files.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        shutil.copyfile(notice, new / NOTICE_FILE)
    return Exported(len(records), sorted([*files, NOTICE_FILE]))


def _foundry(records: Sequence[Record], _: str) -> Iterator[tuple[str, str]]:
    for record in records:
        yield f"{record['id']}.json", _json(_FOUNDRY.get(record["entity_type"], item)(record))


def _statblocks(records: Sequence[Record], _: str) -> Iterator[tuple[str, str]]:
    yield "bestiary.json", _json(statblocks.bestiary(records))


def _homebrewery(records: Sequence[Record], credits_text: str) -> Iterator[tuple[str, str]]:
    yield "brew.md", homebrewery.brew(records, credits_text)


def _markdown(records: Sequence[Record], _: str) -> Iterator[tuple[str, str]]:
    for record in records:
        yield f"{record['id']}.md", render(record) + "\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


TARGETS: Final[Mapping[str, Callable[[Sequence[Record], str], Iterator[tuple[str, str]]]]] = {
    "foundry": _foundry,
    "fantasy-statblocks": _statblocks,
    "homebrewery": _homebrewery,
    "markdown": _markdown,
}
"""Program → (path, text) of the files that it reads."""
FAMILIES_OF: Final[Mapping[str, Sequence[str]]] = {"fantasy-statblocks": ("creature",)}
"""Program → the families of records that it supports, if not all."""
