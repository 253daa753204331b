"""The age of a dataset."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from server.store.publisher import listing_url

MAX_AGE_DAYS: Final = 180
"""Days after which a dataset is out of date: the books change a few times a year."""


def age_warning(snapshot_at: str, now: datetime) -> str | None:
    """A warning if the snapshot (ISO 8601 time) is more than `MAX_AGE_DAYS` old, otherwise None."""
    days = (now - datetime.fromisoformat(snapshot_at)).days
    if days <= MAX_AGE_DAYS:
        return None
    remedy = "`lorekeeper pull` gets a newer one" if listing_url() else "build one from a new snapshot"
    return f"the dataset is {days} days old; {remedy}"
