"""What a request found, before paging and rendering."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.library.records import Record


@dataclass
class Hits:
    """What a request found.

    Attributes:
        total: size of the filtered set.
        rows: catalogue rows to list, in order; of a ranked list only the best of each variant group.
        extra: by catalogue row, fields that ranking adds to the record.
        matched: by catalogue row, the sentence that matched, which summaries quote.
        messages: sentences of the response's `message`.
        suggestions: other names.
    """

    total: int
    rows: Sequence[int] = ()
    extra: dict[int, Record] = field(default_factory=dict)
    matched: dict[int, str] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)
