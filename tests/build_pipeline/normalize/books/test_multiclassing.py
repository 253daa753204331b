"""What multiclassing asks for and gives, where a book of ours is damaged."""

from __future__ import annotations

import pytest
from books import book_layer

from build_pipeline.normalize.books.multiclassing import multiclassing
from build_pipeline.normalize.books.tree import read_book

BOOK = """
# Netter

## Core Netter Traits

{traits}

## Becoming a Netter

### As a Multiclass Character

Gain the Hit Point Die.
"""


@pytest.mark.parametrize("traits", ["", "| Core Netter Traits |\n|---|\n| Primary Ability |"])
def test_traits_that_name_no_primary_ability_ask_for_nothing(traits: str) -> None:
    roots = list(read_book(book_layer("srd-2024", BOOK.format(traits=traits)), "srd-2024"))

    assert multiclassing(roots)["Netter"]["prerequisite"] is None
