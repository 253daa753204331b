"""`lorekeeper sql`: the dataset by SQL, as a table, JSON or CSV."""

from __future__ import annotations

import csv as csv_module
import json as json_module
import os
import sys
from contextlib import closing
from typing import Annotated

from cyclopts import Parameter
from rich.table import Table

from server.commands.options import DatasetOption, Json
from server.commands.printing import print_paged
from server.commands.wording import in_a_terminal
from server.dataset.terminal import PrintableStdout, write_error, write_json
from server.settings import DOCUMENTS_VARIABLE, open_library
from server.tools.query import DEFAULT_ROWS, QUERY


def sql(
    statement: Annotated[
        tuple[str, ...],
        Parameter(
            help='E.g. "SELECT name FROM spells WHERE level = 9"; "describe spells" lists the columns of a table.'
        ),
    ],
    /,
    *,
    limit: Annotated[int, Parameter(help="Most rows.")] = DEFAULT_ROWS,
    json: Json = False,
    csv: Annotated[bool, Parameter(negative="", help="Print CSV; lists and structs are JSON.")] = False,
    dataset: DatasetOption = None,
) -> int:
    """Query the dataset: STATEMENT is one SELECT, or "describe spells" for the columns of a table."""
    asked = {"sql": " ".join(statement), "limit": limit}
    QUERY.read(asked)  # invalid arguments are refused before a dataset is loaded
    with closing(open_library(dataset, os.environ.get(DOCUMENTS_VARIABLE), max_chars=sys.maxsize)) as library:
        answer = QUERY.call(library, asked)
    if json:
        write_json(answer, indent=2)
        return 0
    rows = [[_cell(value) for value in row] for row in answer["rows"]]
    if csv:
        csv_module.writer(PrintableStdout(), lineterminator="\n").writerows([answer["columns"], *rows])
    else:
        _print_table(answer["columns"], rows)
    if answer["message"]:
        write_error(f"{in_a_terminal(answer['message'])}\n")
    return 0


def _print_table(columns: list[str], rows: list[list[str]]) -> None:
    table = Table(highlight=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    print_paged(lambda console: console.print(table, markup=False))


def _cell(value: object) -> str:
    """A value on one line: null is empty, lists and structs are JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json_module.dumps(value, ensure_ascii=False)
