"""Reading any text takes time proportional to its length: a run of capitals or digits is read once.

A pattern that reads to the end of a run from each of its characters would take minutes here.
"""

from __future__ import annotations

import re

import pytest

from build_pipeline.check import prose, sums
from build_pipeline.normalize.creatures import texts
from build_pipeline.normalize.equipment import weapons
from build_pipeline.normalize.homebrew import spells
from build_pipeline.normalize.merging import glossary_terms, mentioned, named_goods
from build_pipeline.normalize.spells import derive
from build_pipeline.normalize.text import areas, dice, labels, measures
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.items import facts as item_facts
from build_pipeline.normalize.text.items import spells as item_spells
from build_pipeline.normalize.text.mentions import called_creatures
from build_pipeline.normalize.text.mentions import mentions as names
from build_pipeline.normalize.text.spells import healing, higher_levels, materials, saves
from build_pipeline.normalize.text.stat_blocks import actions, attacks, forced_saves

LENGTH = 100_000
DIGITS = {
    "check damage": prose._DAMAGE,
    "ranges": weapons._RANGE,
    "runs of spells": texts._SPELL_RUN,
    "numbered actions": actions._NUMBERED,
    "attacks": attacks._DAMAGE,
    "attacks without a type": attacks._UNTYPED,
    "several creatures": called_creatures._SEVERAL_CREATURES,
    "rolls of saves": forced_saves._ROLL,
    "first dice": dice._FIRST_DICE,
    "mentions of damage": dice._MENTION,
    "rolls": dice._ROLL,
    "distances of higher levels": higher_levels._DISTANCE,
    "times of higher levels": higher_levels._TIME,
    "rolls of higher levels": higher_levels._ROLL,
    "costs": materials._COST,
    "distances": measures._DISTANCE,
    "durations": measures._DURATION,
    **{f"area {number}": area for number, area in enumerate(areas._AREAS)},
}
RUNS = {
    "perception": (sums._KEEN, "advantage "),
    "concentration": (spells._CONCENTRATION, ", "),
    "sent to the glossary": (glossary_terms._SENT_THERE, "a"),
    "feats needed": (mentioned._NEEDED, "THE AND "),
    "what burns": (mentioned._BURNED, "burns "),
    "choices": (named_goods._CHOICE, "("),
    "on a success": (derive._ON_SUCCESS, "on a success "),
    "on a failure": (derive._ON_FAILURE, "on a fail 1"),
    "lists of damage": (dice._MENTION, "fire, "),
    "of": (called_creatures._OF, "a"),
    "the same healed": (healing._THE_SAME, "loses "),
    "growing damage": (higher_levels._GROWS, "damage "),
    "growing first": (higher_levels._FIRST_GROWS, "damage "),
    "wider": (higher_levels._WIDENS, "area "),
    "weight": (item_facts._WEIGHT, "only "),
    "the spell": (item_spells._THE_SPELL, "a "),
    "following spells": (item_spells._FOLLOWING, "cast "),
    "each use": (item_spells._EACH_USE, "expend "),
    "once": (item_spells._EACH_ONCE, "Once "),
    "features again": (labels._OF_CHOICE, "features at "),
    "saves": (saves._UNNAMED, "a "),
    "beside another": (names._BESIDE_ANOTHER, "a"),
    "cast at will": (names._CAST_AT_WILL, "ability to cast a and "),
    "in a book": (names._IN_A_BOOK, "a"),
    "on a page": (names._SEE_PAGE, "a"),
    "spells listed": (names._SPELLS_LISTED, "spells "),
    "several spells": (names._SEVERAL_SPELLS, "the a, "),
    "properties": (names._HAS_PROPERTIES, "light "),
    "magic items": (names._MAGIC_ITEM, "a-"),
    "feats": (names._A_FEAT, "THE GOBLIN KING RISES AND "),
    "feats of one word": (names._A_FEAT, "A'"),
    "invocations": (names._INVOCATION, "THE GOBLIN KING RISES AND "),
}


@pytest.mark.timeout(100)
@pytest.mark.parametrize(
    ("pattern", "unit"), [*((pattern, "1") for pattern in DIGITS.values()), *RUNS.values()], ids=[*DIGITS, *RUNS]
)
def test_a_run_is_read_once(pattern: re.Pattern[str], unit: str) -> None:
    text = unit * (LENGTH // len(unit))
    assert sum(match.end() - match.start() for match in pattern.finditer(text)) <= len(text)


@pytest.mark.timeout(100)
@pytest.mark.parametrize("unit", [" ", "\n", "\t ", "-", "A"])
def test_a_run_is_cleaned_in_one_pass(unit: str) -> None:
    cleaned = clean_text(f"It{unit * (LENGTH // len(unit))}burns.")
    assert cleaned is not None
    assert cleaned.endswith("burns.")
