"""Output schemas of the tools: the envelope's properties, and the identifying fields of each record.

MCP has no schemas that tools share, and every client reads all of them at every start, so each is as small as possible:
nothing is closed or listed as required, and of a record only the fields that it has at every `detail` are named. The
others, up to sixty per kind, are listed with types and meanings by `describe <table>` of the tool `query`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.dataset.schema import DOCUMENTS
from server.library.records.records import NAMES

if TYPE_CHECKING:
    from server.tools.tool import Tool

JsonSchema = dict[str, Any]

STRING: Final = {"type": "string"}
STRINGS: Final = {"type": "array", "items": STRING}
COUNT: Final = {"type": "integer"}
TEXT: Final = {"type": ["string", "null"]}
NUMBER: Final = {"type": ["integer", "null"]}

EVERY_ANSWER: Final[JsonSchema] = {"message": {"type": ["string", "null"]}, "dataset": {}}
"""The last properties of every tool's envelope."""


def output_schema(tool: Tool) -> JsonSchema:
    """The JSON schema of a tool's answers."""
    if tool.answers is not None:
        return object_of({**tool.answers})
    of_documents = tool.tables == (DOCUMENTS,)
    identity = ("document_key", "document_name") if of_documents else NAMES
    properties: JsonSchema = {
        "results": {"type": "array", "items": object_of(dict.fromkeys(identity, STRING))},
        "count": COUNT,
        "total": COUNT,
        "offset": COUNT,
        "next_offset": {"type": ["integer", "null"]},
        "suggestions": {"type": "array"},
        **EVERY_ANSWER,
    }
    return object_of(properties | {"text": STRING} if of_documents else properties)


def object_of(properties: JsonSchema) -> JsonSchema:
    """The schema of an object with these properties."""
    return {"type": "object", "properties": properties}
