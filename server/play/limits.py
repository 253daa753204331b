"""Limits of a party's size and levels, and the difficulties of encounters.

Nothing of the engine is imported: the prompts use these limits before a dataset is loaded.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Difficulty = Literal["low", "moderate", "high"]

DIFFICULTIES: Final[tuple[str, ...]] = get_args(Difficulty)
"""The difficulties of 2024, which prints a budget for each, the easiest first."""
USUAL_DIFFICULTY: Final[Difficulty] = "moderate"
MOST_CHARACTERS: Final = 12
HIGHEST_LEVEL: Final = 20
