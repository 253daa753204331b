"""`lorekeeper export`: the dataset in other forms, or its creatures, spells and items for other programs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from cyclopts import Parameter

from server.commands.completion import document_key, whole_name
from server.commands.options import DatasetOption
from server.dataset.files import NOTICE_FILE
from server.dataset.forms.forms import FORMS, write_form
from server.dataset.forms.sqlite_file import check_replaceable
from server.dataset.names import normalize_name
from server.dataset.terminal import write
from server.exports.records import FAMILIES, FAMILIES_OF, write_records
from server.library import messages
from server.library.requests.request import Request
from server.settings import DOCUMENTS_VARIABLE, SettingsError, dataset_folder, open_library
from server.sheets.credit import render_credit
from server.sheets.wording import counted
from server.tools.parameters import MAX_LIMIT

if TYPE_CHECKING:
    from server.library.library import Library

Format = Literal["sqlite", "jsonl", "csv", "foundry", "fantasy-statblocks", "homebrewery", "markdown"]
Family = Literal["creatures", "spells", "items"]

_FAMILY_OF: Final = dict(zip(("creatures", "spells", "items"), FAMILIES, strict=True))


def export(
    *names: Annotated[
        str,
        Parameter(help="Only these, by name or pattern (`*dragon*`). Not for data formats.", completer=whole_name),
    ],
    format: Format,  # noqa: A002 - the option's name
    out: Annotated[Path, Parameter(help="The file to write for sqlite, a folder for all others.")],
    only: Annotated[
        list[Family] | None, Parameter(negative="", help="Only these kinds. Not for data formats, which have all.")
    ] = None,
    documents: Annotated[
        str | None,
        Parameter(
            help="Only these documents: keys, names or editions such as 5e-2024, comma-separated.",
            completer=document_key,
        ),
    ] = None,
    dataset: DatasetOption = None,
) -> int:
    """Write the dataset as SQLite, JSON lines or CSV, or creatures, spells and items for another program.

    The licences of every document go with it.
    """
    folder = dataset_folder(dataset)
    if format in FORMS and (names or only):
        msg = f"{format} holds every record; choose with SQL there, or with --documents here"
        raise SettingsError(msg)
    if format == "sqlite":
        check_replaceable(out)
    chosen = documents or os.environ.get(DOCUMENTS_VARIABLE)
    with closing(open_library(folder, chosen)) as library:
        if format in FORMS:
            write_form(format, folder, out, library.document_keys if chosen else None)
            write(f"{out}: the dataset {library.identity['version']} as {format}\n")
            return 0
        families = _families(format, only)
        _check_names(library, families, names)
        records = list(_records(library, families, names))
        if not records:
            msg = f"nothing to export: no {' or '.join(only or _FAMILY_OF)} in these documents"
            raise SettingsError(msg)
        keys = sorted({record["document_key"] for record in records})
        credits_text = "\n".join(render_credit(credit) for key in keys if (credit := library.credit(key)))
    exported = write_records(format, records, credits_text, folder / NOTICE_FILE, out)
    counts = f"{counted(exported.records, 'record', 'records')} of {counted(len(keys), 'document', 'documents')}"
    write(f"{out}: {counts} for {format}\n")
    return 0


def _families(target: str, only: list[Family] | None) -> list[str]:
    known = FAMILIES_OF.get(target, FAMILIES)
    wanted = [_FAMILY_OF[family] for family in only] if only else list(known)
    if foreign := [name for name, family in _FAMILY_OF.items() if family in wanted and family not in known]:
        msg = f"{target} has no place for {' or '.join(foreign)}; export them as foundry, homebrewery or markdown"
        raise SettingsError(msg)
    return wanted


def _check_names(library: Library, families: list[str], names: tuple[str, ...]) -> None:
    """Refuse names that match nothing to export: an incomplete export would not be the one requested.

    Raises:
        SettingsError: a name matches nothing; the message suggests similar names.
    """
    missing: dict[str, list[str]] = {}
    for name in names:
        answers = [library.find(Request(family, name=(name,), detail="names", limit=1)) for family in families]
        if not any(answer["total"] for answer in answers):
            missing[name] = list(dict.fromkeys(near for answer in answers for near in answer["suggestions"]))
    if missing:
        msg = f"nothing is exported. {messages.not_found(missing)}"
        raise SettingsError(msg)


def _records(library: Library, families: list[str], names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Full records, family by family, in the order of listings."""
    chosen = {hit["id"] for name in names for hit in _called(library, families, name)}
    for hit in _hits(library, families, names or None):
        if (hit["id"] in chosen or not names) and (record := library.entity(hit["id"])):
            yield record


def _called(library: Library, families: list[str], name: str) -> list[dict[str, Any]]:
    """The hits of a name: those called exactly so; if no family has any, those that are called similarly."""
    hits = list(_hits(library, families, (name,)))
    return [hit for hit in hits if normalize_name(hit["name"]) == normalize_name(name)] or hits


def _hits(library: Library, families: list[str], names: tuple[str, ...] | None) -> Iterator[dict[str, Any]]:
    for family in families:
        offset: int | None = 0
        while offset is not None:
            answer = library.find(Request(family, name=names, detail="names", limit=MAX_LIMIT, offset=offset))
            yield from answer["results"]
            offset = answer["next_offset"]
