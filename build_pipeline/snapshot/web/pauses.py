"""The pauses that a host requests in its answers."""

from __future__ import annotations

from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final

import httpx

MAX_IN_FLIGHT: Final = 4
"""Concurrent requests per host."""

_QUOTA_PAUSE_MAX: Final = 5.0
"""Maximum pause in seconds: the reset time is by the host's clock, which may be wrong."""


def retry_after(value: str, now: float) -> float | None:
    """Seconds to wait according to a Retry-After header (seconds, or a date: in UTC, even if it does not say so)."""
    if value.strip().isdecimal():
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (until if until.tzinfo else until.replace(tzinfo=UTC)).timestamp() - now)


def quota_pause(headers: httpx.Headers, now: float) -> float:
    """Seconds to wait because the host reports that the quota is nearly used up (express-rate-limit)."""
    remaining, reset = headers.get("x-ratelimit-remaining", ""), headers.get("x-ratelimit-reset", "")
    # Requests in flight count against it too.
    if not remaining.isdecimal() or not reset.isdecimal() or int(remaining) >= MAX_IN_FLIGHT:
        return 0
    return min(max(0.0, int(reset) - now), _QUOTA_PAUSE_MAX)
