"""How old a dataset is."""

from __future__ import annotations

from datetime import datetime
from typing import Final

OLD_AFTER: Final = 180
"""Days; the books change a few times a year."""


def age_warning(snapshot_at: str, now: datetime) -> str | None:
    """A word about a dataset whose content was fetched long ago (ISO 8601); None for younger ones."""
    days = (now - datetime.fromisoformat(snapshot_at)).days
    return f"the dataset is {days} days old; `lorekeeper pull` gets a newer one" if days > OLD_AFTER else None
