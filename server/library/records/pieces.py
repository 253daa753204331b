"""A record that is too long for an answer: its sheet, piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from server.library.records.json_text import json_length
from server.sheets.sheet import render

if TYPE_CHECKING:
    from server.dataset.record import Record

_SHORTER: Final = 0.9
"""Factor by which a piece shrinks while it is too long as JSON, which escapes quotation marks and line breaks."""


class Piece(NamedTuple):
    """The record with a piece of its sheet, the offset of the next piece (None after the last), the sheet's length."""

    record: Record
    following: int | None
    length: int


def piece(record: Record, named: Record, offset: int, room: int) -> Piece:
    """The piece of a record's sheet that begins at `offset`; it is empty past the end.

    Args:
        record: in full.
        named: the same, by name only.
        offset: characters of the sheet before the piece.
        room: characters of JSON that the piece may have.
    """
    sheet = render(record)
    marked = {**named, "entity_type": record["entity_type"], "truncated": True}
    size = max(1, room - json_length(marked))
    while json_length(marked | {"sheet": sheet[offset : offset + size]}) > room and size > 1:
        size = int(size * _SHORTER)
    end = offset + size
    return Piece(marked | {"sheet": sheet[offset:end]}, end if end < len(sheet) else None, len(sheet))
