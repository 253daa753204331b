"""`lorekeeper documents`: the books of the dataset."""

from __future__ import annotations

import os
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.text import Text

from server.commands.options import DatasetOption, Json
from server.commands.printing import print_paged
from server.commands.wording import in_a_terminal
from server.dataset.terminal import write_json
from server.settings import DOCUMENTS_VARIABLE, open_library
from server.sheets.wording import counted
from server.tools.documents import LIST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.dataset.terminal import Terminal
    from server.library.library import Library


def documents(
    *,
    source: Annotated[str | None, Parameter(help="Only entries from this source, e.g. orcbrew.")] = None,
    json: Json = False,
    dataset: DatasetOption = None,
) -> int:
    """List the books: the key that --documents takes, title, edition, number of entries, licence and sources."""
    with closing(open_library(dataset, os.environ.get(DOCUMENTS_VARIABLE))) as library:
        answer = LIST.call(library, {"source": source})
        lines = [*_lines(library, answer["results"], source)]
    if json:
        write_json(answer, indent=2)
        return 0
    print_paged(partial(_print, lines, answer["message"]))
    return 0


def _print(lines: list[Text], message: str | None, console: Terminal) -> None:
    for line in lines:
        console.print(line, soft_wrap=True, highlight=False)
    if message:
        console.print(in_a_terminal(message), style="dim", highlight=False, markup=False)


def _lines(library: Library, rows: list[dict[str, Any]], source: str | None) -> Iterator[Text]:
    """Two lines for each book, then the totals; with a source, only the entries that it contributed to are counted."""
    sizes = library.reading.books() if source is None else {row["document_key"]: row["entity_count"] for row in rows}
    for key, size in sizes.items():
        of_book = [row for row in rows if row["document_key"] == key]
        known = of_book[0]
        about = ", ".join(
            filter(None, (known["document_name"], known["game_system"], counted(size, "entry", "entries")))
        )
        origin = f"    {known['license']}; from {', '.join(row['source_api'] for row in of_book)}"
        yield Text.assemble((key, "bold"), f"  {about}")
        yield Text(origin, style="dim")
    if sizes:
        total = counted(sum(sizes.values()), "entry", "entries")
        yield Text(f"{counted(len(sizes), 'book', 'books')}, {total}.", style="dim")
