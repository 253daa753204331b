"""The published output schema of each tool: the envelope, and its records as the tables declare them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.dataset.json_schema import definitions, record_properties, referenced
from server.dataset.schema import DOCUMENTS, TABLE_OF

if TYPE_CHECKING:
    from server.tools.tool import Tool

JsonSchema = dict[str, Any]

_STRING: Final = {"type": "string"}
_STRINGS: Final = {"type": "array", "items": _STRING}
_COUNT: Final = {"type": "integer"}

IDENTITY: Final = (
    "id",
    "entity_type",
    "name",
    "slug",
    "document",
    "document_key",
    "document_name",
    "document_source",
)
"""What the shortest record carries."""

DATASET: Final = {"version": _STRING, "built_at": _STRING, "snapshot_at": _STRING, "schema_version": _COUNT}


def output_schema(tool: Tool) -> JsonSchema:
    """The JSON schema of a tool's answers: closed objects, unknown facts null."""
    record = _document_row() if tool.tables == (DOCUMENTS,) else _record(tool)
    properties: JsonSchema = {
        "results": {"type": "array", "items": record},
        "count": _COUNT,
        "total": _COUNT,
        "offset": _COUNT,
        "next_offset": {"type": ["integer", "null"]},
        "message": {"type": ["string", "null"]},
        "suggestions": _STRINGS,
        "dataset": _closed(DATASET, required=tuple(DATASET)),
    }
    schema = _closed(properties, required=tuple(properties))
    if tool.tables == (DOCUMENTS,):
        properties["text"] = _STRING
    known = definitions()
    if used := referenced(schema, known):
        schema["$defs"] = {name: known[name] for name in known if name in used}
    return schema


def _record(tool: Tool) -> JsonSchema:
    properties = record_properties(tool.tables) | {"document": _STRING, "truncated": {"type": "boolean"}}
    if tool.ranked:
        properties |= {
            "similarity_score": {"type": "number", "minimum": 0, "maximum": 1},
            "variants": _closed({"count": _COUNT, "names": _STRINGS, "documents": _STRINGS}),
        }
    return _closed(properties, required=IDENTITY)


def _document_row() -> JsonSchema:
    properties = record_properties((DOCUMENTS,)) | {"entity_types": _closed(dict.fromkeys(TABLE_OF, _COUNT))}
    return _closed(properties, required=tuple(properties))


def _closed(properties: JsonSchema, required: tuple[str, ...] = ()) -> JsonSchema:
    schema: JsonSchema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | {"required": list(required)} if required else schema
