"""Text as the sources write it → clean Markdown; and what the sources write in place of nothing."""

from __future__ import annotations

import html
import re
from typing import Any, Final

_NOTHING: Final = {"", "none", "null", "false", "nan", "--", "-", "—", "[no description provided]", "[none provided]"}
_LINK: Final = re.compile(r"\[([^\]]+)\]\((?:https?://(?:api\.)?open5e\.com|/)[^)]*\)")
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>")
_BLANK_LINES: Final = re.compile(r"\n{3,}")


def known(value: Any) -> Any:
    """`value`, or None where a source writes a placeholder for nothing ("None", "False", "null", "--", "")."""
    if isinstance(value, str) and value.strip().casefold() in _NOTHING:
        return None
    return value


def clean_text(value: str | list[str] | None) -> str | None:
    """Clean Markdown of a description, or None where there is none.

    Paragraph lists are joined; HTML, links to the APIs' retired pages, soft hyphens and stray white space go;
    tables and emphasis stay.
    """
    if value is None:
        return None
    text = "\n\n".join(value) if isinstance(value, list) else value
    if known(text) is None:
        return None
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00ad", "").replace("\u00a0", " ")
    text = _TAG.sub("", _BREAK.sub("\n", text))
    text = _LINK.sub(r"\1", html.unescape(text))
    lines = [line.rstrip() for line in text.split("\n")]
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip() or None
