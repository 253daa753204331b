"""`lorekeeper show`: one entity as a book prints it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from server.commands.options import DatasetOption, Json, PreferOption
from server.commands.printing import print_line, print_notes, print_sheet
from server.dataset.schema import TABLE_OF
from server.dataset.terminal import Terminal, write, write_json
from server.library.request import Request
from server.settings import DOCUMENTS_VARIABLE, entries, open_library
from server.sheets.sheet import render

if TYPE_CHECKING:
    from server.library.library import Library

_MOST: Final = 100
"""Longest list of matches."""
_SLASHES_OF_ID: Final = 2


def show(
    name: Annotated[tuple[str, ...], Parameter(help="E.g. goblin warrior, fire*, spell/srd-2014/fireball.")],
    /,
    *,
    documents: Annotated[
        str | None, Parameter(help="Only these documents: keys, names or editions such as 5e-2014, comma-separated.")
    ] = None,
    markdown: Annotated[bool, Parameter(negative="", help="Print its Markdown.")] = False,
    json: Json = False,
    dataset: DatasetOption = None,
    prefer: PreferOption = None,
) -> int:
    """Print one entity as a book does. NAME is its name or its id; several matches are listed with their ids."""
    library = open_library(dataset, os.environ.get(DOCUMENTS_VARIABLE), prefer)
    try:
        answer, record = _find(library, " ".join(name), entries(documents))
    finally:
        library.close()
    console = Terminal()
    if record is None:
        for hit in answer["results"]:
            print_line(hit, console)
        print_notes(answer, console)
        if answer["results"]:
            hint = f"One of them: lorekeeper show {answer['results'][0]['id']}"
            console.print(hint, style="dim", highlight=False, soft_wrap=True)
        return 1
    if json:
        write_json(record, indent=2)
    elif markdown:
        write(f"{render(record)}\n")
    else:
        print_sheet(record, console)
    return 0


def _find(
    library: Library, name: str, documents: tuple[str, ...] | None
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The summaries of what a name or id matches, and the full record if that is only one."""
    is_id = name.count("/") == _SLASHES_OF_ID and name.partition("/")[0] in TABLE_OF
    if is_id and (record := library.entity(name)):
        return {}, record
    request = Request("all", name=name, documents=documents, limit=_MOST, detail="summary")
    answer = library.find(request)
    if is_id:
        return answer | {"message": f"There is no {name}."}, None
    return answer, library.entity(answer["results"][0]["id"]) if answer["total"] == 1 else None
