"""A message that knows what it mentions: parameters, values, tools and calls.

Callers of tools get its text, in which these are as they write them. A terminal and the pages say the mentioned things
in their own words: options and commands, labels and links.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Value: TypeAlias = "str | float | tuple[str, ...]"


class Named(NamedTuple):
    """A parameter; `left_out` if the message is about the same call without it."""

    name: str
    left_out: bool = False

    def __str__(self) -> str:
        return self.name


class Given(NamedTuple):
    """A parameter with a value: `type="undead"`.

    Attributes:
        name: of the parameter.
        value: of it.
        lead: the text before the value, which belongs to it; None for the usual one, `type=`.
        tool: the tool that takes it; empty for the tool that was called.
    """

    name: str
    value: Value
    lead: str | None = None
    tool: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """The value without quotation marks, or each value of a list: `undead`, `3`, `true`."""
        values = self.value if isinstance(self.value, tuple) else (self.value,)
        return tuple(value if isinstance(value, str) else json.dumps(value) for value in values)

    def __str__(self) -> str:
        lead = f"{self.name}=" if self.lead is None else self.lead
        return f"{lead}{json.dumps(self.value, ensure_ascii=False)}"


class Offset(NamedTuple):
    """Where the requested page begins; a message begins with it."""

    value: int

    def __str__(self) -> str:
        return f"offset {self.value}"


class WhereDocumentsAre:
    """Where to find the valid entries of `documents`, as a sentence."""

    def __str__(self) -> str:
        return "Call list_documents for the valid keys."


class NamedTool(NamedTuple):
    """A tool."""

    name: str

    def __str__(self) -> str:
        return self.name


class Call(NamedTuple):
    """A call of a tool: `lookup_rule(rule_type="condition", name="prone")`.

    Attributes:
        tool: its name.
        given: its arguments.
        lead: the text before the call, which belongs to it.
    """

    tool: str
    given: tuple[Given, ...]
    lead: str = ""

    def __str__(self) -> str:
        return f"{self.lead}{self.tool}({', '.join(map(str, self.given))})"


Way: TypeAlias = "Given | Call"
"""What to ask for instead."""
Piece: TypeAlias = "str | Named | Given | Offset | WhereDocumentsAre | NamedTool | Call"


class Message(str):
    """A message; as a text, what callers of tools get.

    Formatting it into another text loses what it mentions; `Message(before, message, after)` and `joined` keep that.

    Attributes:
        pieces: the same in parts: plain text and what is mentioned.

    >>> Message("Leaving out ", Named("type"), " finds 2.")
    'Leaving out type finds 2.'
    """

    __slots__ = ("pieces",)
    pieces: tuple[Piece, ...]

    def __new__(cls, *parts: Piece) -> Self:
        """The parts, one after the other."""
        pieces = tuple(piece for part in parts for piece in (part.pieces if isinstance(part, Message) else (part,)))
        message = super().__new__(cls, "".join(map(str, pieces)))
        message.pieces = pieces
        return message


def joined(parts: Iterable[Piece | None], separator: str = " ") -> Message:
    """The parts that are not empty, with a separator between them."""
    pieces: list[Piece] = []
    for part in parts:
        if part:
            pieces += (separator,) if pieces else ()
            pieces.append(part)
    return Message(*pieces)


def enumerated(parts: Sequence[Piece], conjunction: str = "and") -> Message:
    """`a, b and c`."""
    return joined((joined(parts[:-1], ", "), parts[-1]), f" {conjunction} ")
