"""The table of tags, which older datasets lack and which must match the entities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from server.dataset.schema import TAGS
from server.dataset.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCOUT = "creature/srd-2014/scout"


def tags(*rows: tuple[str | None, ...]) -> Callable[[Path], Any]:
    frame = pl.DataFrame(list(rows), schema=TAGS.schema, orient="row")
    return frame.write_parquet


WATCHES = (SCOUT, "keeps-watch", "lookout: keeps watch", "It keeps watch")


def test_tags_of_existing_entities_are_valid(altered: Callable[..., Path]) -> None:
    assert verify(altered({TAGS.file: tags(WATCHES, (SCOUT, "sneaks", "sneaky", "skills: stealth"))})) == []


def test_a_dataset_without_tags_is_valid(altered: Callable[..., Path]) -> None:
    folder = altered({})
    assert not (folder / TAGS.file).exists()
    assert verify(folder) == []


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([WATCHES, WATCHES], f"tags.parquet: rows that repeat a tag of an entity: 2, such as one of {SCOUT}"),
        (
            [WATCHES, ("creature/hearth/nobody", "flies", "flies", "wings")],
            "tags.parquet: tags of entities that do not exist: 1, such as creature/hearth/nobody",
        ),
        ([(SCOUT, "flies", "flies", None)], "tags.parquet: evidence is null in 1 of 1 rows"),
    ],
)
def test_invalid_tags_are_named(altered: Callable[..., Path], rows: list[Any], problem: str) -> None:
    assert verify(altered({TAGS.file: tags(*rows)})) == [problem]
