"""A question to the library: what a tool asks, free of any protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

FilterValue = str | int | float | bool

Detail = Literal["full", "summary"]

FAMILIES: Final = ("spell", "creature", "equipment", "character_option", "rule", "all")
"""What a request may be about: one per table, or all of them."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to find.

    Attributes:
        family: one of `FAMILIES`.
        kind: the tool's own `type` / `rule_type` token (`weapon`, `class`, `condition`); None for all of the family.
        content_types: for `all`: families or entity types asked for; None for all.
        name: look-up by name (exact, slug, wildcard, partial); excludes `search`.
        search: natural language to rank by; None or blank for no ranking.
        filters: filter parameter → value as parsed (numbers, booleans, text); see `filters.FILTERS`.
        documents: document keys, aliases, names or game systems; None for all, empty for none.
        limit: how many records at most (1..100).
        offset: how many to skip.
        detail: full records or summaries.
    """

    family: str
    kind: str | None = None
    content_types: tuple[str, ...] | None = None
    name: str | None = None
    search: str | None = None
    filters: Mapping[str, FilterValue] = field(default_factory=dict)
    documents: tuple[str, ...] | None = None
    limit: int = 20
    offset: int = 0
    detail: Detail = "full"


class RequestError(Exception):
    """A request that cannot be answered as asked; the message is one line for the reader who can mend it.

    Attributes:
        parameter: the parameter at fault.
        value: what came.
    """

    def __init__(self, parameter: str, value: object, message: str) -> None:
        super().__init__(message)
        self.parameter = parameter
        self.value = value
