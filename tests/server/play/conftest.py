"""The starter's library with some rules replaced by what the full books have."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import polars as pl
import pytest

from server.dataset.dataset import Dataset
from server.library.library import Library

WORTHY: Final = """\
A party of four heroes can beat a monster with a challenge rating equal to their level.

**Experience Points by Challenge Rating**

| Challenge | XP |
|---|---|
| 0 | 0 or 10 |
| 1/4 | 50 |
| 1 | 200 |
| 2 | 450 |
| 3 | 700 |
"""
OMENS: Final = """\
**Omens**

| 1d6 | Omen | 1d6 | Omen |
|---|---|---|---|
| 1 | A crow | 4-5 | A bell |
| 2–3 | Rain | 6 | A stranger |

**Broken**

| d4 | Omen |
|---|---|
| 1 | A crow |
"""
CLOCK: Final = """\
**Hours**

| d4 | Hour |
|---|---|
| 1-2 | Noon |
| 2-4 | Dusk |
| 5-6 | Midnight |
"""
ADVANCEMENT: Final = """\
| Level | Experience Points | Proficiency Bonus |
|---|---|---|
| 1 | 0 | +2 |
| 2 | 400 | +2 |
| 3 | 1,100 | +2 |
"""
DOORS: Final = "\n\n".join(
    f"**Door {name}**\n\n| d2 | Behind Door {name} |\n|---|---|\n| 1 | A wall |\n| 2 | A {name} |"
    for name in ("Ant", "Bee", "Cat", "Dog", "Eel", "Fox", "Gnu", "Hen", "Ibex")
)
RETOLD: Final = {
    "rule/srd-2014/surprise": ("Challenge", WORTHY),
    "rule/srd-2024/marching-order": ("Omens of the Road", OMENS),
    "rule/srd-2024/ending-combat": ("Many Creatures", "Too many are a risk."),
    "rule/srd-2024/hiding": ("Powerful Creatures", "One blow may fell a hero."),
    "rule/srd-2024/falling-net": ("CR 0 Creatures", "They are worth little."),
    "rule/srd-2024/travel": ("Number of Stat Blocks", "Few are easier to run."),
    "rule/srd-2024/travel-pace": ("Many Doors", DOORS),
    "rule/srd-2024/traps": ("Character Advancement", ADVANCEMENT),
    "rule/srd-2014/falling": ("Hollow Clock", CLOCK),
}
"""Id → the rule's replaced name and text."""
UNWORTHY: Final = "creature/the-lantern-coast/fog-wrecker"
"""A creature without known experience points in the starter."""


@pytest.fixture(scope="session")
def book_library(dataset: Dataset) -> Iterator[Library]:
    names, texts = ({key: each[place] for key, each in RETOLD.items()} for place in range(2))
    rules = dataset.tables["rules"].with_columns(
        name=pl.col("id").replace_strict(names, default=pl.col("name")),
        description=pl.col("id").replace_strict(texts, default=pl.col("description")),
    )
    rules = rules.with_columns(
        name_normalized=pl.when(pl.col("id").is_in(list(RETOLD)))
        .then(pl.col("name").str.to_lowercase())
        .otherwise("name_normalized")
    )
    creatures = dataset.tables["creatures"].with_columns(
        experience_points=pl.when(pl.col("id") != UNWORTHY).then("experience_points")
    )
    library = Library(replace(dataset, tables={**dataset.tables, "rules": rules, "creatures": creatures}))
    yield library
    library.close()
