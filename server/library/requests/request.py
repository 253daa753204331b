"""A request to the library, independent of any protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from server.library.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

FilterValue = str | int | float | bool

Detail = Literal["full", "summary", "names"]

FAMILIES: Final = ("spell", "creature", "equipment", "character_option", "rule", "all")
"""The families of entities, one for each table, and `all` of them together."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to find.

    Attributes:
        family: one of `FAMILIES`.
        kind: a `type` or `rule_type` token of the family (`weapon`, `class`, `condition`); None for all of it.
        content_types: for the family `all`: `content_types` tokens; None for all.
        name: a name to look up (exact, slug, wildcard, partial), or several, each by itself; excludes `search`.
        search: natural language to rank by; None or blank for no ranking.
        filters: filter parameter → parsed value (number, boolean or text); see `filters.FILTERS`.
        documents: document keys, aliases, names or game systems; None for all, empty for none.
        limit: most records to return (1..100).
        offset: records to skip.
        part: name of the part of each record to return, such as a trait or a level; None or empty for all of it.
        detail: full records, summaries, or names with document and id.
        can_query: whether the caller also has the tool `query`, to which an answer may point.
        notes: how the call was understood, for the response's `message`.
    """

    family: str
    kind: str | None = None
    content_types: tuple[str, ...] | None = None
    name: str | tuple[str, ...] | None = None
    search: str | None = None
    filters: Mapping[str, FilterValue] = field(default_factory=dict)
    documents: tuple[str, ...] | None = None
    limit: int = 20
    offset: int = 0
    part: str | None = None
    detail: Detail = "full"
    can_query: bool = False
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names to look up."""
        return (self.name,) if isinstance(self.name, str) else self.name or ()


class RequestError(Exception):
    """A request that cannot be answered as asked; the message is one line for whoever wrote it.

    Attributes:
        message: the same, with what it mentions.
        parameter: the parameter at fault.
        value: its value.
    """

    def __init__(self, parameter: str, value: object, message: str) -> None:
        super().__init__(message)
        self.message = Message(message)
        self.parameter = parameter
        self.value = value
