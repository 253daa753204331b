"""`list_documents`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.dataset.schema import DOCUMENTS, SOURCES
from server.library.message import Message, Named
from server.library.records.budget import Shorter, in_longest_form
from server.tools.parameters import open_token, token
from server.tools.tool import ALWAYS_ON, Envelope, Tool, noted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from server.library.library import Library

_COLUMNS: Final = ("document_key", "document_name", "source_api", "game_system", "entity_count", "license")


def table_text(rows: Sequence[Mapping[str, object]], entities: int) -> str:
    """Rows of `list_documents` as a table with aligned columns, followed by the number of rows and entities."""
    total = {"document_key": f"{len(rows)} rows", "entity_count": entities}
    cells = [
        [_cell(row.get(column)) for column in _COLUMNS]
        for row in ({column: column for column in _COLUMNS}, *rows, total)
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [_line(row, widths) for row in cells]
    rule = "-" * max(map(len, lines))
    return "\n".join((lines[0], rule, *lines[1:-1], rule, lines[-1]))


def _cell(value: object) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    number = _COLUMNS.index("entity_count")
    aligned = (
        cell.rjust(width) if i == number else cell.ljust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join(aligned).rstrip()


def _only(*columns: str) -> Callable[[Any], dict[str, Any]]:
    """A function that keeps only these columns of a row."""
    return lambda row: {name: row[name] for name in columns}


_SOURCE: Final = Named("source")
_SHORTER: Final = (
    Shorter(_only(*_COLUMNS), Message("Rows are shortened: give ", _SOURCE, " to get them in full.")),
    Shorter(
        _only("document_key", "entity_count"),
        Message("Only keys and counts of documents are given: give ", _SOURCE, "."),
    ),
)


def _answer(library: Library, values: Mapping[str, Any], notes: tuple[str, ...]) -> Envelope:
    listed = library.list_documents(values.get("source"))
    notice = library.identity.get("notice") if listed["results"] else None
    every = listed["results"]
    # An entity may have several sources, so the sum over all of them would exceed the number of entities.
    entities = sum(row["entity_count"] for row in every) if "source" in values else library.size

    def envelope(rows: Sequence[Mapping[str, Any]], shortened: str | None) -> Envelope:
        said = [*notes, *filter(None, (shortened, notice))]
        answer = noted(listed | {"results": rows, "count": len(rows)}, tuple(said))
        if values["format"] != "text":
            return answer
        table = table_text(rows, entities) if rows else answer["message"]
        return answer | {"text": "\n".join(filter(None, (table, shortened, notice)))}

    return in_longest_form(envelope, every, _SHORTER, Message("Give ", _SOURCE, "."), library.max_response_chars)


LIST: Final = Tool(
    "list_documents",
    "List source documents",
    ALWAYS_ON,
    "List the dataset's documents, with licence and counts by type. Their keys go into `documents`. "
    'E.g. no parameters; source="orcbrew", format="text".',
    parameters=(
        open_token("source", "E.g. srd; default: all", tuple(sorted(SOURCES))),
        token("format", "text: a table", ("json", "text"), default="json"),
    ),
    tables=(DOCUMENTS,),
    answer=_answer,
)
