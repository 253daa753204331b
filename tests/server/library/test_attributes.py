"""Facts that a query asks for in passing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from build_pipeline.index.effects import Entry
from build_pipeline.index.lexicon import write_attributes
from server.dataset.load import ATTRIBUTES_FILE
from server.library.attributes import Attributes

if TYPE_CHECKING:
    from pathlib import Path

NUMBERS = {"fireball": 0, "hell-hound": 1, "blink": 2, "goblin": 3}
FACTS = [
    ("level 3", r"\b(level 3|3(rd)?[ -]level)\b", ["fireball", "blink"]),
    ("deals fire damage", r"\bfire damage\b", ["fireball"]),
    ("deals fire damage", r"\b(deals?|breathes) fire\b|\bfire damage\b", ["hell-hound"]),
]


@pytest.fixture
def attributes(tmp_path: Path) -> Attributes:
    (tmp_path / ATTRIBUTES_FILE).parent.mkdir(parents=True)
    entries = [Entry(says, ("spells",), "", asked) for says, asked, _ in FACTS]
    write_attributes(tmp_path, entries, [identities for _, _, identities in FACTS])
    return Attributes(tmp_path / ATTRIBUTES_FILE, NUMBERS)


@pytest.mark.parametrize(
    "query", ["a third-level spell", "3rd level", "spells of level three", "Third level", "something of level 3"]
)
def test_numbers_are_understood_as_words_too(attributes: Attributes, query: str) -> None:
    (fact,) = attributes.asked(query, np.arange(4))
    assert fact.says == "level 3"
    assert fact.having.tolist() == [True, False, True, False]


def test_one_fact_of_several_tables_is_said_once(attributes: Attributes) -> None:
    (fact,) = attributes.asked("fire damage", np.arange(4))
    assert fact.having.tolist() == [True, True, False, False]
    (fact,) = attributes.asked("breathes fire", np.arange(4))
    assert fact.having.tolist() == [False, True, False, False]


def test_a_fact_that_tells_nothing_apart_is_not_said(attributes: Attributes) -> None:
    assert attributes.asked("fire damage", np.array([2, 3])) == []
    assert attributes.asked("fire damage", np.array([0, 1])) == []
