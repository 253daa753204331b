"""A look-up's answer as Markdown: the records' sheets, and notes on the answer."""

from __future__ import annotations

from typing import Any

from server.sheets.markdown import italic, plain
from server.sheets.sheet import render_all


def markdown_text(answer: dict[str, Any]) -> str:
    """The sheets of an answer's records; below them the counts, the message and the suggestions."""
    text = [f"{answer['count']} of {answer['total']}", answer["message"]]
    text += [f"Suggestions: {', '.join(answer['suggestions'])}"] if answer["suggestions"] else []
    notes = italic(plain(". ".join(part.rstrip(".") for part in text if part) + "."))
    return "\n\n---\n\n".join(filter(None, (render_all(answer["results"]), notes)))
