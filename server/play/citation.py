"""Where a number comes from: the rule, class or table that it was read from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.library.requests.request import Request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.library.library import Library
    from server.library.records.printed_tables import PrintedTable

Citation = dict[str, Any]
"""`id`, `name` and `document` of a record, and as `says` the part of the answer that rests on it."""


def cited(record: Mapping[str, Any] | PrintedTable, says: str) -> Citation:
    """The citation of a record, or of the record that prints a table."""
    fields = ("id", "name", "document_key")
    found = [record[name] for name in fields] if isinstance(record, dict) else [getattr(record, n) for n in fields]
    return dict(zip(("id", "name", "document", "says"), (*found, says), strict=True))


def rule_named(library: Library, name: str, document: str, says: str) -> list[Citation]:
    """The citation of the rule of that name in a document; empty if the library does not hold it."""
    request = Request("rule", kind="rule", name=name, documents=(document,))
    found = library.facts.named(request, ["id", "name", "document_key"])
    return [cited(rule, says) for rule in found if rule["name"] == name][:1]
