"""A tool's output schema as exact as its answers are; what is published leaves that out to stay short."""

from typing import Any

from server.tools.output import output_schema
from server.tools.tool import Tool


def exact_schema(tool: Tool) -> dict[str, Any]:
    """The schema, but every property of the envelope is there and no other, as are those of its records."""
    schema = output_schema(tool)
    properties = dict(schema["properties"])
    if "results" in properties:
        record = properties["results"]["items"]
        properties["results"] = {"type": "array", "items": record | {"required": list(record["properties"])}}
    required = [name for name in properties if name != "text"]
    return schema | {"properties": properties, "required": required, "additionalProperties": False}
