"""JSON that people can read: what fits on a line stays on it."""

import json
from typing import Any

WIDTH = 120


def readable_json(value: Any, indent: int = 0) -> str:
    """A value as JSON, broken into lines only where it would be wider than a line."""
    line = json.dumps(value, ensure_ascii=False)
    if indent + len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inner = indent + 2
    if isinstance(value, list):
        parts = [readable_json(item, inner) for item in value]
    else:
        named = ((json.dumps(name, ensure_ascii=False), item) for name, item in value.items())
        parts = [f"{name}: {readable_json(item, inner)}" for name, item in named]
    opening, closing = "[]" if isinstance(value, list) else "{}"
    lines = ",\n".join(f"{' ' * inner}{part}" for part in parts)
    return f"{opening}\n{lines}\n{' ' * indent}{closing}"
