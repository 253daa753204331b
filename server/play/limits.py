"""Limits of a party's size and levels, the editions of the rules, and the difficulties of encounters.

Nothing of the engine is imported: the prompts use these limits before a dataset is loaded.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Edition = Literal["2024", "2014"]
Difficulty = Literal["low", "moderate", "high"]

EDITIONS: Final[tuple[str, ...]] = get_args(Edition)
"""The editions of the rules, the newest first."""
DIFFICULTIES: Final[tuple[str, ...]] = get_args(Difficulty)
"""The difficulties of 2024, which prints a budget for each, the easiest first."""
USUAL_DIFFICULTY: Final[Difficulty] = "moderate"
MOST_CHARACTERS: Final = 12
HIGHEST_LEVEL: Final = 20
