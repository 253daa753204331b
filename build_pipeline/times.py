"""Times in the format of datasets and snapshots, and the time that a build may be given."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Final

from build_pipeline.expected import ExpectedError

_VARIABLE: Final = "SOURCE_DATE_EPOCH"


class TimeError(ExpectedError):
    """A time cannot be read; the message says which."""


def iso_time(moment: float) -> str:
    """Unix time as ISO text in UTC, to the second."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def declared_time() -> str | None:
    """The time to record instead of the real one, for builds that are reproducible byte by byte; see `iso_time`.

    Raises:
        TimeError: the environment's SOURCE_DATE_EPOCH is not a Unix time.
    """
    declared = os.environ.get(_VARIABLE)
    try:
        return iso_time(int(declared)) if declared else None
    except (ValueError, OverflowError, OSError) as error:
        msg = f"{_VARIABLE} is {declared!r}, not a Unix time in seconds such as 1764547200"
        raise TimeError(msg) from error
