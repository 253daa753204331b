"""A tool's output schema in full detail; the published schema is less exact to stay short."""

from typing import Any

from server.tools.output import output_schema
from server.tools.tool import Tool


def exact_schema(tool: Tool) -> dict[str, Any]:
    """The schema with every property of the envelope and of records required, and no others allowed."""
    schema = output_schema(tool)
    properties = dict(schema["properties"])
    if "results" in properties:
        record = properties["results"]["items"]
        properties["results"] = {"type": "array", "items": record | {"required": list(record["properties"])}}
    required = [name for name in properties if name != "text"]
    return schema | {"properties": properties, "required": required, "additionalProperties": False}
