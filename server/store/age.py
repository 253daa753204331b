"""The age of a dataset."""

from __future__ import annotations

from datetime import datetime
from typing import Final

MAX_AGE_DAYS: Final = 180
"""The books change a few times a year."""


def age_warning(snapshot_at: str, now: datetime) -> str | None:
    """A warning if the snapshot (ISO 8601 time) is more than `MAX_AGE_DAYS` old, else None."""
    days = (now - datetime.fromisoformat(snapshot_at)).days
    return f"the dataset is {days} days old; `lorekeeper pull` gets a newer one" if days > MAX_AGE_DAYS else None
