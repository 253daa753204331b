"""British spellings: folded to the American ones that the books use, in look-ups, searches and patterns."""

from collections.abc import Iterator
from dataclasses import replace

import polars as pl
import pytest

from server.dataset.dataset import Dataset
from server.library.library import Library
from server.library.names.spelling import american, british_among
from server.library.requests.request import Request


@pytest.mark.parametrize(
    ("british", "spelled"),
    [
        ("armour class while unarmoured", "armor class while unarmored"),
        ("the armourer's colours, multicoloured", "the armorer's colors, multicolored"),
        ("grey ooze", "gray ooze"),
        ("sabre-toothed tiger, sabretooth, sabres", "saber-toothed tiger, sabertooth, sabers"),
        ("centred on a theatre", "centered on a theater"),
        ("paralysed, neutralise, recognising", "paralyzed, neutralize, recognizing"),
        ("defences of the defenceless", "defenses of the defenseless"),
        ("jeweller's tools, duelling, travelled", "jeweler's tools, dueling, traveled"),
        ("yellow mould smoulders", "yellow mold smolders"),
        ("manoeuvre, manoeuvres, manoeuvred, manoeuvring", "maneuver, maneuvers, maneuvered, maneuvering"),
        ("draught horse", "draft horse"),
    ],
)
def test_words_are_spelled_the_american_way(british: str, spelled: str) -> None:
    assert american(british) == american(spelled) == spelled


@pytest.mark.parametrize(
    "text",
    [
        "four hours of your tour, a sour flour",
        "a promise to exercise, surprise and disguise",
        "a fence, a fire, a tree, the more, a sombrero",
        "greyhawk, a greyhound, a draught of healing",
        "dispelling, controlled, compelled, excellent",
        "would, could, shoulder, boulder, through, fought",
    ],
)
def test_other_words_are_left_alone(text: str) -> None:
    assert american(text) == text


def test_the_british_words_among_others() -> None:
    assert british_among(["armour", "hour", "gray", "grey"]) == {"armour": "armor", "grey": "gray"}
    assert british_among([]) == {}


@pytest.fixture(scope="module")
def spelled(tiny: Dataset) -> Iterator[Library]:
    """The tiny library with one name that is spelled the American way and one that is spelled the British way."""
    spells = tiny.tables["spells"]
    names = ["Color of Flame", "Grey Colour"]
    changed = spells.head(2).with_columns(
        pl.Series("name", names),
        pl.Series("name_normalized", [name.lower() for name in names]),
        pl.Series("slug", ["color-of-flame", "grey-colour"]),
        keys=pl.lit([], dtype=pl.List(pl.String)),
    )
    library = Library(replace(tiny, tables=tiny.tables | {"spells": pl.concat([changed, spells.slice(2)])}))
    yield library
    library.close()


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Colour of Flame", ["Color of Flame"]),
        ("colour-of-flame", ["Color of Flame"]),
        ("Grey Colour", ["Grey Colour"]),
        ("gray color", ["Grey Colour"]),
        ("grey-colour", ["Grey Colour"]),
        ("colour", ["Color of Flame", "Grey Colour"]),
        ("color", ["Color of Flame", "Grey Colour"]),
        ("colour of*", ["Color of Flame"]),
        ("*colour", ["Grey Colour"]),
    ],
)
def test_look_ups_take_either_spelling_of_either(spelled: Library, name: str, found: list[str]) -> None:
    answer = spelled.find(Request("spell", name=name))
    assert [record["name"] for record in answer["results"]] == found


def test_a_misspelt_name_in_the_other_spelling_has_its_suggestion(spelled: Library) -> None:
    assert spelled.find(Request("spell", name="colour of flaem"))["suggestions"] == ["Color of Flame"]


def test_a_search_finds_the_name_in_the_other_spelling_first(spelled: Library) -> None:
    for query, first in (("colour of flame", "Color of Flame"), ("grey colour", "Grey Colour")):
        assert spelled.find(Request("spell", search=query))["results"][0]["name"] == first


def test_a_search_in_either_spelling_ranks_alike(tiny_library: Library) -> None:
    def ranked(query: str) -> list[tuple[str, float]]:
        results = tiny_library.find(Request("all", search=query))["results"]
        return [(record["id"], record["similarity_score"]) for record in results]

    assert ranked("A grey ARMOUR of flame") == ranked("A gray ARMOR of flame")


def test_parts_take_either_spelling(library: Library) -> None:
    monk = {"family": "character_option", "kind": "class", "name": "monk"}
    for part in ("unarmoured defence", "Unarmored Defense"):
        answer = library.find(Request(**monk, part=part))
        assert [record["part"] for record in answer["results"]] == ["Unarmored Defense"]
    asked = library.find(Request("rule", kind="rule", name="unarmoured defence"))["message"]
    assert '"unarmoured defence" is a part of ' in asked
