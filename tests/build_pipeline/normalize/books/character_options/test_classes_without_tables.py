"""Classes, and prerequisites of multiclassing, in invented books that lack a table."""

from __future__ import annotations

import pytest
from books import book_layer

from build_pipeline.normalize.books.character_options.classes import class_texts
from build_pipeline.normalize.books.character_options.multiclassing import multiclassing
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
def test_traits_without_a_primary_ability_give_no_prerequisite(traits: str) -> None:
    layer = book_layer("srd-2024", BOOK.format(traits=traits))
    [netter] = class_texts(layer, "srd-2024")

    assert netter.traits == {}
    assert multiclassing(list(read_book(layer, "srd-2024"))).by_class["Netter"]["prerequisite"] is None
