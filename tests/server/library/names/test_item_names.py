"""Items that players name by what they hold or by their bonus: scrolls and ammunition."""

from collections.abc import Iterator
from dataclasses import replace

import polars as pl
import pytest

from server.dataset.dataset import Dataset
from server.library.library import Library
from server.library.names.item_names import entry_of
from server.library.requests.request import Request

LEVELS = {"fireball": [3], "light": [0], "sending": [2, 3]}


def _names(name: str) -> tuple[str, ...] | None:
    entry = entry_of(name, lambda spell: LEVELS.get(spell, ()))
    return entry and entry.names


@pytest.mark.parametrize(
    "name",
    [
        "scroll of fireball", "spell scroll of fireball", "fireball scroll", "scroll of the fireball spell",
        "3rd level spell scroll", "third-level scroll", "level 3 scroll", "scroll of a 3rd level spell",
        "spell scroll level 3",
    ],
)  # fmt: skip
def test_a_scroll_is_named_by_the_level_of_its_spell(name: str) -> None:
    assert _names(name) == ("spell scroll (level 3)", "spell scroll (3rd level)")


def test_a_scroll_may_be_of_several_levels_or_of_a_cantrip() -> None:
    assert _names("scroll of light") == _names("cantrip scroll") == ("spell scroll (cantrip)",)
    sending = _names("scroll of sending")
    assert sending is not None
    assert sending[::2] == ("spell scroll (level 2)", "spell scroll (level 3)")


@pytest.mark.parametrize("name", ["+2 arrows", "arrow +2", "arrows, +2", "arrows (+2)", "+2 crossbow bolts"])
def test_ammunition_has_one_entry(name: str) -> None:
    assert _names(name) == ("ammunition +2",)


@pytest.mark.parametrize("name", ["scroll of cloudkill", "spell scroll", "arrows", "+2 longsword", "scrollkeeper"])
def test_nothing_else_has_an_entry(name: str) -> None:
    assert _names(name) is None


@pytest.fixture(scope="module")
def scrolls(tiny: Dataset) -> Iterator[Library]:
    """The tiny library with scrolls of the third level of both editions, and ammunition of one."""
    items = tiny.tables["equipment"]
    names = ["Spell Scroll (3rd Level)", "Spell Scroll (Level 3)", "Ammunition, +1"]
    changed = items.head(3).with_columns(
        pl.Series("name", names),
        pl.Series("name_normalized", [name.lower() for name in names]),
        pl.Series("document_key", ["srd-2014", "srd-2024", "srd-2014"]),
        keys=pl.lit([], dtype=pl.List(pl.String)),
    )
    library = Library(replace(tiny, tables=tiny.tables | {"equipment": pl.concat([changed, items.slice(3)])}))
    yield library
    library.close()


@pytest.mark.parametrize(
    ("name", "documents", "found", "why"),
    [
        ("scroll of fireball", None, ["Spell Scroll (3rd Level)", "Spell Scroll (Level 3)"], "the level of the spell"),
        ("Scroll of Fireball", ("srd-2024",), ["Spell Scroll (Level 3)"], "the level of the spell"),
        ("+1 arrows", None, ["Ammunition, +1"], "one entry for all ammunition"),
    ],
)
def test_a_look_up_finds_the_entry_and_says_why(
    scrolls: Library, name: str, documents: tuple[str, ...] | None, found: list[str], why: str
) -> None:
    answer = scrolls.find(Request("equipment", name=name, documents=documents))
    assert [record["name"] for record in answer["results"]] == found
    assert answer["message"].startswith(f'"{name}" is {" and ".join(found)} in the open books')
    assert why in answer["message"]


def test_a_search_finds_the_entry_first(scrolls: Library) -> None:
    answer = scrolls.find(Request("equipment", search="scroll of fireball", documents=("srd-2024",)))
    assert answer["results"][0]["name"] == "Spell Scroll (Level 3)"
    assert answer["message"].startswith('"scroll of fireball" is Spell Scroll (Level 3) in the open books')
