"""What the process that runs queries reports to the server: reasons for refusing one, conditions that mislead."""

from enum import StrEnum


class Reason(StrEnum):
    """Why a query is refused; names in backticks are members of the refusal."""

    STATEMENTS = "statements"
    """Not one statement: `count`."""
    TYPE = "type"
    """Not a SELECT: `name`."""
    SHOW = "show"
    TABLE = "table"
    """Not a table of the dataset: `name`."""
    FUNCTION = "function"
    """Not an allowed function: `name`."""
    TIME = "time"
    MEMORY = "memory"
    ROOM = "room"
    """A row longer than the `room` for all."""
    NESTING = "nesting"
    FAILED = "failed"
    """A fault or the end of the process; see the log."""
    BUSY = "busy"
    CLOSED = "closed"
    INVALID = "invalid"
    """DuckDB refuses it: `detail`."""


class Condition(StrEnum):
    """A condition on a list that may not mean what it says; names in backticks are members of the note on it."""

    IS_NULL = "is null"
    """True only of unknown lists: `empty` ones are known to be none."""
    IS_NOT_NULL = "is not null"
    """True of the `empty` lists, too."""
    FIRST_LEVEL = "first level"
    """Compares the first of a feature's levels."""
