"""The reasons for refusing a query, as the process that runs queries reports them to the server."""

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
