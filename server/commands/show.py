"""`lorekeeper show`: one entity as a book prints it."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from server.commands.completion import document_key, next_word_of_a_name
from server.commands.options import DatasetOption, Json, PreferOption
from server.commands.printing import print_choices, print_notes, print_paged, print_sheet
from server.dataset.names import normalize_name
from server.dataset.schema import TABLE_OF
from server.dataset.terminal import Terminal, write, write_json
from server.library.requests.request import Request
from server.settings import DOCUMENTS_VARIABLE, SettingsError, entries, open_library
from server.sheets.sheet import render
from server.sheets.wording import listed
from server.tools.parameters import MAX_LIMIT

if TYPE_CHECKING:
    from server.library.library import Library

_SLASHES_OF_ID: Final = 2
_ABOUT_THINGS: Final = frozenset({"proficiency"})
"""Types of records that are called like the thing that they are about."""


def show(
    name: Annotated[
        tuple[str, ...],
        Parameter(help="E.g. goblin warrior, fire*, spell/srd-2014/fireball.", completer=next_word_of_a_name),
    ],
    /,
    *,
    documents: Annotated[
        str | None,
        Parameter(
            help="Only these documents: keys, names or editions such as 5e-2014, comma-separated.",
            completer=document_key,
        ),
    ] = None,
    markdown: Annotated[bool, Parameter(negative="", help="Print its Markdown.")] = False,
    json: Json = False,
    dataset: DatasetOption = None,
    prefer: PreferOption = None,
) -> int:
    """Print one entity as a book does. NAME is its name or its id; if different things share the name, list them.

    If several books have it, the version of the first is printed: a book of `--prefer`, otherwise the newest System
    Reference Document.
    """
    asked = " ".join(name).strip()
    if not asked:
        msg = "`lorekeeper show` needs a name or an id, such as goblin warrior; `lorekeeper search` lists everything"
        raise SettingsError(msg)
    library = open_library(dataset, os.environ.get(DOCUMENTS_VARIABLE), prefer, max_chars=sys.maxsize)
    with closing(library):
        library.facts.check_documents(entries(documents))
        answer, record, others, namesakes = _find(library, asked, entries(documents))
    if record is None:
        # A program that asked for one record as JSON or Markdown gets none, and the reason apart from it.
        _print_choices(answer, Terminal(stderr=json or markdown))
        return 1
    if json:
        write_json(record, indent=2)
    elif markdown:
        write(f"{render(record)}\n")
    else:
        print_paged(partial(_print, record, others, namesakes))
    return 0


def _print_choices(answer: dict[str, Any], console: Terminal) -> None:
    print_choices(answer["results"], console)
    print_notes(answer, console)
    if answer["results"]:
        hint = f"One of them: lorekeeper show {answer['results'][0]['id']}"
        console.print(hint, style="dim", highlight=False, soft_wrap=True)


def _print(record: dict[str, Any], others: list[str], namesakes: list[str], console: Terminal) -> None:
    print_sheet(record, console)
    for identity in namesakes:
        console.print(f"Of the same name: lorekeeper show {identity}.", style="dim", highlight=False, markup=False)
    if others:
        also = f"Also in {listed(others)}: --documents {others[0]} shows that one."
        console.print(also, style="dim", highlight=False, markup=False)


def _find(
    library: Library, name: str, documents: tuple[str, ...] | None
) -> tuple[dict[str, Any], dict[str, Any] | None, list[str], list[str]]:
    """The answer for a name or id; if that matches one thing, its full record and the keys of other books with it.

    Last come ids of what is only about that thing: the proficiency with it has its name.
    """
    is_id = name.count("/") == _SLASHES_OF_ID and name.partition("/")[0] in TABLE_OF
    if is_id and (record := library.entity(name)):
        return {}, record, [], []
    named = name.rpartition("/")[2].replace("-", " ") if is_id else name
    answer = library.find(Request("all", name=named, documents=documents, limit=MAX_LIMIT, detail="summary"))
    kinds = list(dict.fromkeys(hit["entity_type"] for hit in answer["results"]))
    books = list(library.facts.documents(None))
    found = sorted(
        answer["results"], key=lambda hit: (kinds.index(hit["entity_type"]), books.index(hit["document_key"]))
    )
    if is_id:
        return answer | {"results": found, "message": f"There is no {name}."}, None, [], []
    of_name = [hit for hit in found if normalize_name(hit["name"]) == normalize_name(name)] or found
    things = [hit for hit in of_name if hit["entity_type"] not in _ABOUT_THINGS] or of_name
    if len({(hit["entity_type"], normalize_name(hit["name"])) for hit in things}) != 1:
        return answer | {"results": found}, None, [], []
    first, *others = things
    keys = dict.fromkeys(hit["document_key"] for hit in others if hit["document_key"] != first["document_key"])
    namesakes = {hit["entity_type"]: hit["id"] for hit in reversed(of_name) if hit not in things}
    return answer, library.entity(first["id"]), list(keys), list(namesakes.values())
