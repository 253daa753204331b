"""How many characters a party may have, of which levels, and how hard an encounter may be.

Nothing of the engine is imported: the prompts, which name these before a dataset is loaded, have them from here.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Difficulty = Literal["low", "moderate", "high"]

DIFFICULTIES: Final[tuple[str, ...]] = get_args(Difficulty)
"""Of the edition that prints a budget for each, the easiest first."""
USUAL_DIFFICULTY: Final[Difficulty] = "moderate"
MOST_CHARACTERS: Final = 12
HIGHEST_LEVEL: Final = 20
