"""Names that a misspelt one may stand for, the most similar first."""

import numpy as np
import pytest

from server.library.names.misspellings import Misspellings

NAMES = (
    *("wand", "wand of magic missiles", "wand of secrets", "owlbear", "owl bear cub", "tarrasque", "fireball"),
    *("bear", "brown bear", "black bear"),
)
ROWS = {name: [row, row + len(NAMES)] for row, name in enumerate(NAMES)}
"""Each name twice: in one book, and in another."""
EVERYWHERE = np.ones(2 * len(NAMES), dtype=np.bool_)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("wand of magic missles", ["wand of magic missiles", "wand"]),
        ("magic missle wand", ["wand of magic missiles", "wand"]),
        ("owl bear", ["owlbear", "owl bear cub", "bear"]),
        ("bear", ["bear", "black bear", "brown bear", "owl bear cub"]),
        ("owabear", ["owlbear", "brown bear", "bear"]),
        ("owlcear", ["owlbear"]),
        ("brown bare", ["brown bear"]),
        ("tarask", ["tarrasque"]),
        ("fyrebal", ["fireball"]),
        ("fierball", ["fireball"]),
        ("xyzzyq", []),
        ("", []),
    ],
)
def test_similar_names_are_meant_the_most_similar_as_a_whole_first(name: str, meant: list[str]) -> None:
    found = Misspellings(ROWS).of(name, EVERYWHERE)
    assert [NAMES[row] for row in found] == meant


def test_only_names_inside_the_mask_are_meant_each_by_its_first_row_there() -> None:
    inside = EVERYWHERE.copy()
    inside[ROWS["wand"][0]] = False
    inside[ROWS["wand of magic missiles"]] = False
    assert Misspellings(ROWS).of("wand of magic missles", inside)[0] == ROWS["wand"][1]
