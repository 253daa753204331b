"""Parts that another edition calls otherwise: look-ups by part or name, searches, and gains of levels."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from server.dataset.dataset import Dataset
from server.library.library import Library
from server.library.requests.request import Request


def _asked(library: Library, **asked: Any) -> tuple[dict[str, str], str]:
    """Document → the part of the first record from it; and the message."""
    answer = library.find(Request("character_option", **asked))
    parts = {record["document_key"]: record.get("part", "") for record in reversed(answer["results"])}
    return parts, answer["message"] or ""


@pytest.mark.parametrize(
    ("asked", "parts", "message"),
    [
        (
            ("class", "paladin", "divine smite", ("2024",)),
            {"srd-2024": "Paladin's Smite"},
            '"divine smite" is Paladin\'s Smite in the 2024 rules.',
        ),
        (
            ("class", "Paladin", "PALADIN’S Smite", ("2014",)),
            {"srd-2014": "Divine Smite"},
            '"paladin\'s smite" is Divine Smite in the 2014 rules.',
        ),
        (
            ("class", "paladin", "divine sense", ("2024",)),
            {"srd-2024": "Channel Divinity"},
            '"divine sense" is part of Channel Divinity in the 2024 rules.',
        ),
        (
            ("class", "fiend patron", "expanded spell list", ("2024",)),
            {"srd-2024": "Fiend Spells"},
            'The 2024 rules have Fiend Spells instead of "expanded spell list".',
        ),
        (
            ("race", "halfling", "lucky", None),
            {"srd-2014": "Lucky", "srd-2024": "Luck"},
            '"lucky" is Luck in the 2024 rules.',
        ),
        (
            ("class", None, "sacred oath", ("2024",)),
            {"srd-2024": "Paladin Subclass"},
            '"sacred oath" is Paladin Subclass in the 2024 rules.',
        ),
    ],
)
def test_a_part_is_found_by_the_other_editions_name(
    library: Library, asked: tuple[Any, ...], parts: dict[str, str], message: str
) -> None:
    given = dict(zip(("kind", "name", "part", "documents"), asked, strict=True))
    assert _asked(library, **given) == (parts, message)


def test_a_part_that_has_the_name_is_no_other_part(library: Library) -> None:
    assert _asked(library, kind="class", name="paladin", part="lay on hands", documents=("2024",)) == (
        {"srd-2024": "Lay On Hands"},
        "",
    )


@pytest.mark.parametrize("by", ["name", "part"])
def test_of_a_part_that_an_edition_lacks_the_documents_are_named(library: Library, by: str) -> None:
    asked = {"name": "paladin", "part": "divine health"} if by == "part" else {"name": "divine health"}
    parts, message = _asked(library, kind="class", documents=("2024",), **asked)
    assert not parts
    assert message.endswith("is in srd-2014.")


def test_a_name_of_a_part_leads_to_what_the_edition_has(library: Library) -> None:
    _, message = _asked(library, kind="class", name="arcane tradition", documents=("2024",))
    assert message == (
        'Found no classes named "arcane tradition" in 2024. "arcane tradition" is Wizard Subclass in the 2024 rules. '
        '"Wizard Subclass" is a part of Wizard: '
        'lookup_character_option(type="class", part="Wizard Subclass", documents=["2024"]).'
    )
    elsewhere = library.find(Request("rule", search="sacred oath", documents=("2024",)))["message"]
    assert '"sacred oath" is Paladin Subclass in the 2024 rules.' in elsewhere
    assert 'lookup_character_option(type="class", part="Paladin Subclass", documents=["2024"])' in elsewhere


@pytest.mark.parametrize(
    ("kind", "query", "in_2024", "in_both", "message"),
    [
        ("race", "halfling lucky", "Luck", "Lucky", '"lucky" is Luck in the 2024 rules.'),
        (
            "class",
            "what is the pact boon of a warlock",
            "Eldritch Invocations",
            "Pact Boon",
            '"pact boon" is part of Eldritch Invocations in the 2024 rules.',
        ),
        (
            "class",
            "how many cantrips known does a level 4 wizard have",
            "Level 4",
            "Level 4",
            '"cantrips known" is Cantrips in the 2024 rules.',
        ),
    ],
)
def test_a_search_for_a_part_finds_what_the_edition_has_or_else_what_has_the_name(
    library: Library, kind: str, query: str, *, in_2024: str, in_both: str, message: str
) -> None:
    for documents, first in ((("2024",), ("srd-2024", in_2024)), (None, ("srd-2014", in_both))):
        answer = library.find(Request("character_option", kind=kind, search=query, documents=documents, limit=1))
        (record,) = answer["results"]
        assert (record["document_key"], record["part"]) == first
        assert message in answer["message"]


def test_a_search_for_a_column_of_another_editions_level_table_finds_the_table(library: Library) -> None:
    asked = Request("character_option", kind="class", search="spells known of a warlock", documents=("2024",), limit=1)
    answer = library.find(asked)
    assert answer["results"][0]["part"] == "Progression"
    assert 'The 2024 rules have Prepared Spells instead of "spells known".' in answer["message"]


FEATURES = {"Monk": "Monk's Focus", "Ranger": "Monk's Focus", "Halfling": "Luck"}


@pytest.fixture(scope="module")
def monks(tiny: Dataset) -> Iterator[Library]:
    """The tiny library with classes of 2024, and a spell that is called as a part of 2014."""
    options, spells = tiny.tables["character_options"], tiny.tables["spells"]
    (paladin,) = options.filter(pl.col("name") == "Paladin")["features"].to_list()
    features = [[paladin[0] | {"name": part}] for part in FEATURES.values()]
    classes = options.head(len(FEATURES)).with_columns(
        pl.Series("name", list(FEATURES)),
        pl.Series("name_normalized", [name.lower() for name in FEATURES]),
        pl.Series("features", features, dtype=options.schema["features"]),
        entity_type=pl.lit("class"),
        document_key=pl.lit("srd-2024"),
        game_system=pl.lit("5e-2024"),
        keys=pl.lit([], dtype=pl.List(pl.String)),
    )
    spell = spells.head(1).with_columns(name=pl.lit("Ki"), name_normalized=pl.lit("ki"))
    tables = {
        "character_options": pl.concat([classes, options.slice(classes.height)]),
        "spells": pl.concat([spell, spells.slice(1)]),
    }
    library = Library(replace(tiny, tables=tiny.tables | tables))
    yield library
    library.close()


def test_only_the_owner_has_the_part_under_another_name(monks: Library) -> None:
    answer = monks.find(Request("character_option", part="ki"))
    assert [(record["name"], record["part"]) for record in answer["results"]] == [("Monk", "Monk's Focus")]
    assert monks.find(Request("character_option", part="lucky"))["results"][0]["name"] == "Halfling"


def test_a_thing_of_the_name_is_meant_before_the_part_of_another_edition(monks: Library) -> None:
    among_classes = monks.find(Request("character_option", search="monk ki"))
    assert among_classes["results"][0]["part"] == "Monk's Focus"
    everywhere = monks.find(Request("all", search="monk ki"))
    assert "Monk's Focus" not in (everywhere["message"] or "")


def test_a_search_for_a_part_keeps_the_short_words_of_its_name(library: Library) -> None:
    for query in ("paladin lay on hands", "what is the lay on hands of a paladin"):
        (record,) = library.find(Request("character_option", search=query, limit=1))["results"]
        assert (record["name"], record["part"].casefold()) == ("Paladin", "lay on hands")
