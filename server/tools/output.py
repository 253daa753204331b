"""Output schemas of the tools: the envelope, and its records as declared by the tables.

Both are closed: an answer has no property that its schema does not name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.dataset.json_schema import definitions, record_properties, referenced
from server.dataset.schema import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.tools.tool import Tool

JsonSchema = dict[str, Any]

_STRING: Final = {"type": "string"}
_STRINGS: Final = {"type": "array", "items": _STRING}
_COUNT: Final = {"type": "integer"}
_COUNTS: Final = {"type": "object", "patternProperties": {"^[a-z-]+$": _COUNT}}

_ALWAYS_PRESENT: Final = ("id", "entity_type", "name", "document_key")
"""The fields that every record has."""


def output_schema(tool: Tool) -> JsonSchema:
    """The JSON schema of a tool's answers; unknown facts are null."""
    if not tool.tables:
        return _rows()
    of_documents = tool.tables == (DOCUMENTS,)
    properties: JsonSchema = {
        "results": {"type": "array", "items": _document_row() if of_documents else _record(tool)},
        "count": _COUNT,
        "total": _COUNT,
        "offset": _COUNT,
        "next_offset": {"type": ["integer", "null"]},
        "suggestions": _STRINGS,
        **_every_answer(),
    }
    schema = _closed(properties | {"text": _STRING} if of_documents else properties, required=list(properties))
    if used := referenced(schema):
        schema["$defs"] = {name: definition for name, definition in definitions().items() if name in used}
    return schema


def _every_answer() -> JsonSchema:
    """What the envelope of every tool ends with."""
    return {"message": {"type": ["string", "null"]}, "dataset": {"type": "object"}}


def _rows() -> JsonSchema:
    """The answer to a query: its rows as arrays, whose values follow `columns`."""
    properties: JsonSchema = {
        "columns": _STRINGS,
        "rows": {"type": "array", "items": {"type": "array"}},
        "row_count": _COUNT,
        "truncated": {"type": "boolean"},
        "documents": {"type": "object", "additionalProperties": _STRING},
        **_every_answer(),
    }
    return _closed(properties, required=list(properties))


def _record(tool: Tool) -> JsonSchema:
    properties = record_properties(tool.tables) | {"document": _STRING, "truncated": {"type": "boolean"}}
    if tool.ranked:
        properties |= {
            "similarity_score": {"type": "number"},
            "matched": _STRING,
            "part": _STRING,
            "variants": _closed({"count": {}, "names": {}, "documents": {}}),
        }
    return _closed(properties, required=_ALWAYS_PRESENT)


def _document_row() -> JsonSchema:
    properties = record_properties((DOCUMENTS,)) | {"entity_types": _COUNTS}
    return _closed(properties, required=list(properties))


def _closed(properties: JsonSchema, required: Sequence[str] = ()) -> JsonSchema:
    schema: JsonSchema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | {"required": list(required)} if required else schema
