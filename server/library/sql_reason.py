"""The reasons for which queries are refused: what the process that runs them tells the server."""

from enum import StrEnum


class Reason(StrEnum):
    """Why a query is refused."""

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
    """For a fault of the process, or its end; the log has it."""
    BUSY = "busy"
    CLOSED = "closed"
    INVALID = "invalid"
    """DuckDB refuses it: `detail`."""
