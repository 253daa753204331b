"""The hits of a request, before paging and rendering."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from server.library.records.records import Form

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.dataset.record import Record
    from server.library.queries.mentioned_facts import Attribute
    from server.library.ranking.snippets import Snippet
    from server.library.records.parts import Part

_SHORT: Final = ("similarity_score", "part")
"""Fields that ranking adds even to the shortest summaries."""
_MOST_NAMES: Final = 8
"""Most names of variants in a summary: there are over a hundred magic weapons of +1."""


@dataclass
class Hits:
    """The hits of a request.

    Attributes:
        total: size of the filtered set.
        rows: catalogue rows to list, in order; in a ranked list, only the best of each variant group.
        extra: by catalogue row, fields that ranking adds to the record.
        snippets: by catalogue row, the text that matched in the record, which summaries quote.
        told: by catalogue row, what the query asks of it, which summaries quote instead.
        best: the highest `similarity_score`; None if nothing was ranked.
        mentioned: the facts that the query mentions, which count for more but exclude nothing.
        parts: by catalogue row, the part that was looked up; empty for whole records.
        fitting: by catalogue row, the part that fits a search better than the record around it, or is asked for.
        messages: sentences of the response's `message`.
        suggestions: other names.
    """

    total: int
    rows: Sequence[int] = ()
    extra: dict[int, Record] = field(default_factory=dict)
    snippets: dict[int, Snippet] = field(default_factory=dict)
    told: Mapping[int, str] = field(default_factory=dict)
    best: float | None = None
    mentioned: Sequence[Attribute] = ()
    parts: Mapping[int, Part] = field(default_factory=dict)
    fitting: Mapping[int, Part] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)

    def add_to(self, rows: Sequence[int], records: Sequence[Record], form: Form) -> list[Record]:
        """The records of these catalogue rows, in this form, with what ranking adds to them."""
        return [record | self._added(row, form) for row, record in zip(rows, records, strict=True)]

    def _added(self, row: int, form: Form) -> Record:
        """What ranking adds: nothing to names, little to the shortest summaries; the others also quote what matched."""
        extra = self.extra.get(row, {})
        match form:
            case Form.NAMES:
                return {}
            case Form.IDENTITY:
                return {name: extra[name] for name in _SHORT if name in extra}
            case Form.FULL:
                return extra
        if variants := extra.get("variants"):
            extra = extra | {"variants": variants | {"names": variants["names"][:_MOST_NAMES]}}
        snippet = self.snippets.get(row)
        matched = self.told.get(row) or (snippet.matched if snippet else None)
        return extra | ({"matched": matched} if matched else {})
