"""Output schemas of the tools: the envelope's properties, and of each record what identifies it.

MCP has no schemas that tools share, and every client reads all of them at every start, so each is as small as it can
be: nothing is closed or listed as required, and of a record only the fields that it has at any `detail` are named. The
others, up to sixty a kind, are what `describe <table>` of the tool `query` lists with types and meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.dataset.schema import DOCUMENTS
from server.library.records import NAMES

if TYPE_CHECKING:
    from server.tools.tool import Tool

JsonSchema = dict[str, Any]

_STRING: Final = {"type": "string"}
_STRINGS: Final = {"type": "array", "items": _STRING}
_COUNT: Final = {"type": "integer"}

_EVERY_ANSWER: Final[JsonSchema] = {"message": {"type": ["string", "null"]}, "dataset": {}}
"""What the envelope of every tool ends with."""
_ROWS: Final[JsonSchema] = {
    "columns": _STRINGS,
    "rows": {"type": "array", "items": {"type": "array"}},
    "row_count": _COUNT,
    "truncated": {"type": "boolean"},
    "documents": {},
}
"""The answer to a query: its rows as arrays, whose values follow `columns`."""


def output_schema(tool: Tool) -> JsonSchema:
    """The JSON schema of a tool's answers."""
    if not tool.tables:
        return _object(_ROWS | _EVERY_ANSWER)
    of_documents = tool.tables == (DOCUMENTS,)
    identity = ("document_key", "document_name") if of_documents else NAMES
    properties: JsonSchema = {
        "results": {"type": "array", "items": _object(dict.fromkeys(identity, _STRING))},
        "count": _COUNT,
        "total": _COUNT,
        "offset": _COUNT,
        "next_offset": {"type": ["integer", "null"]},
        "suggestions": {"type": "array"},
        **_EVERY_ANSWER,
    }
    return _object(properties | {"text": _STRING} if of_documents else properties)


def _object(properties: JsonSchema) -> JsonSchema:
    return {"type": "object", "properties": properties}
