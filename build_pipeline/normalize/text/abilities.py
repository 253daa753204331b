"""The six abilities by their abbreviations."""

from __future__ import annotations

from typing import Final

from server.dataset.schema import ABILITIES

ABILITY_OF: Final = {ability[:3]: ability for ability in ABILITIES}
"""Abbreviation → ability: `str` → `strength`."""
