"""Rules, conditions, skills, languages and other records without a layout of their own: kind, facts, text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.dataset.record import Record
from server.sheets.markdown import entry, facts, heading, italic, plain, prose, table
from server.sheets.wording import capitalized, titled

if TYPE_CHECKING:
    from collections.abc import Iterator

_ELSEWHERE: Final = frozenset(
    {
        *("id", "entity_type", "name", "slug", "description", "rule_type", "section"),
        *("document", "document_key", "document_name", "document_source", "sources", "game_system", "license", "page"),
        *("similarity_score", "score_parts", "variants", "truncated", "matched", "part", "linked_from"),
        *("parent", "related", "links", "tables"),
    }
)
"""Columns that the rest of the sheet shows, that only the engine adds, or that the text contains."""

_LABELS: Final = {"children": "Rules below"}


def body(record: Record) -> Iterator[str]:
    """The blocks of a sheet without a layout of its own: its kind, its one-line facts, its text, its named texts."""
    kind = titled(record["entity_type"].replace("-", " "))
    section = record.get("section")
    yield italic(f"{kind} ({plain(section)})" if section and section != record["name"] else kind)
    shown = {column: value for column, value in record.items() if column not in _ELSEWHERE}
    labelled = ((_label(column), _fact(value)) for column, value in shown.items())
    yield facts(*((label, fact) for label, fact in labelled if not _is_said(fact, kind)), colon=True)
    yield prose(record.get("description"))
    if "part" in record:  # otherwise the text contains them
        yield from map(_table, record.get("tables") or ())
    for column, value in shown.items():
        if _is_named_texts(value):
            yield heading(3, titled(_label(column)))
            yield from (
                entry(plain(part["name"]) if part.get("name") else None, part.get("description")) for part in value
            )


def _table(data: dict[str, Any]) -> str:
    title = f"**{plain(data['title'])}**\n\n" if data.get("title") else ""
    return title + table(data["columns"], data["rows"], left=data["columns"], empty="")


def _label(column: str) -> str:
    return _LABELS.get(column) or capitalized(column.replace("_", " "))


def _fact(value: object) -> str | None:
    """A value on one line; None if it is unknown or not a fact."""
    if value is None or _is_named_texts(value):
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        if "name" in value:
            return plain(value["name"])
        shown = ((_label(member).lower(), _fact(fact)) for member, fact in value.items())
        return ", ".join(f"{member} {fact}" for member, fact in shown if fact)
    if isinstance(value, list):
        return ", ".join(filter(None, map(_fact, value)))
    return f"{value:g}" if isinstance(value, float) else capitalized(plain(value))


def _is_said(fact: str | None, kind: str) -> bool:
    """Whether the kind already states a fact: the tag "condition" of a condition, "property" of a weapon property."""
    return fact is not None and fact.casefold() in kind.casefold().split()


def _is_named_texts(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(part, dict) and "description" in part for part in value)
