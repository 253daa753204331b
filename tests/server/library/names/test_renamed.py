"""Things with other names in other editions: the list, and look-ups and searches by either name."""

from collections.abc import Iterator
from dataclasses import replace

import polars as pl
import pytest

from server.dataset.dataset import Dataset
from server.dataset.names import normalize_name
from server.dataset.schema import TABLE_OF
from server.library.library import Library
from server.library.messages import called, succeeded
from server.library.names.name_index import Instead
from server.library.names.renamed import PARTS_FILE, counterparts, declared, successors, without_parentheses
from server.library.requests.request import Request

PAIRS = [
    (entity_type, old, new)
    for types in declared().values()
    for entity_type, names in types.items()
    for old, listed in names.items()
    for new in ([listed] if isinstance(listed, str) else listed)
]


def test_every_entry_has_a_type_and_two_names():
    assert set(declared()) == {"renamed", "merged"}
    assert {entity_type for entity_type, _, _ in PAIRS} <= TABLE_OF.keys()
    assert all(normalize_name(old) != normalize_name(new) for _, old, new in PAIRS)


def test_no_name_means_different_things_in_two_editions():
    assert not {(each, old) for each, old, _ in PAIRS} & {(each, new) for each, _, new in PAIRS}


PARTS = [
    (relation, owner, old, new)
    for relation, owners in declared(PARTS_FILE).items()
    for owner, parts in owners.items()
    for old, new in parts.items()
]


def test_every_entry_of_a_part_has_a_relation_and_two_names():
    assert set(declared(PARTS_FILE)) == {"renamed", "merged", "replaced"}
    assert all(normalize_name(old) != normalize_name(new) for _, _, old, new in PARTS)


def test_no_part_is_two_things_of_the_other_edition_or_of_its_own():
    both_ways = [(owner, old, new) for relation, owner, old, new in PARTS if relation != "merged"]
    for place in (1, 2):
        named = [(entry[0], entry[place]) for entry in both_ways]
        assert len(named) == len(set(named))
    assert not {(owner, old) for owner, old, _ in both_ways} & {(owner, new) for owner, _, new in both_ways}


@pytest.mark.parametrize(
    ("part", "there", "owner"),
    [
        ("ki", ["Monk's Focus"], "monk"),
        ("monk's focus", ["Ki"], "monk"),
        ("flurry of blows", ["Monk's Focus"], "monk"),
        ("cantrips", ["Cantrips Known"] * 6, "wizard"),
        ("fiend spells", ["Expanded Spell List"], "the fiend"),
        ("fiend spells", ["Expanded Spell List"], "fiend patron"),
        ("channel divinity", [], ""),
        ("song of rest", [], ""),
    ],
)
def test_parts_have_successors_in_the_other_edition(part, there, owner):
    found = successors(part)
    assert [each.name for each in found] == there
    assert not found or any(owner in each.owners for each in found)


def test_what_is_in_the_place_of_a_part_is_told_apart_from_the_part() -> None:
    asked = [*successors("ki"), *successors("patient defense"), None, *successors("brutal strike")]
    assert succeeded(asked) == [
        '"ki" is Monk\'s Focus in the 2024 rules.',
        '"patient defense" is part of Monk\'s Focus in the 2024 rules.',
        'The 2014 rules have Brutal Critical instead of "brutal strike".',
    ]
    assert succeeded(successors("spells known"))[0] == 'The 2024 rules have Prepared Spells instead of "spells known".'
    assert len(succeeded(successors("spells known"))) == 1


@pytest.mark.parametrize(
    ("name", "there", "whole"),
    [
        ("orb of dragonkind", [("dragon orb", "5e-2024")], True),
        ("dragon orb", [("orb of dragonkind", "5e-2014")], True),
        ("shove", [("unarmed strike", "5e-2024")], False),
        ("unarmed strike", [], None),
        ("hempen rope", [("rope", "5e-2024")], True),
        ("hempen rope (50 feet)", [("rope", "5e-2024")], True),
        ("rope", [("hempen rope (50 feet)", "5e-2014"), ("silk rope (50 feet)", "5e-2014")], True),
        ("acid", [("acid (vial)", "5e-2014")], True),
        ("succubus/incubus", [("succubus", "5e-2024"), ("incubus", "5e-2024")], True),
    ],
)
def test_names_have_counterparts_in_the_other_edition(name, there, whole):
    found = counterparts(name)
    assert [(each.name, each.game_system) for each in found] == there
    assert all(each.whole is whole for each in found)


def test_what_has_a_thing_as_a_part_is_told_apart_from_the_thing() -> None:
    assert called("thug", Instead(("Tough",), "the 2024 rules")) == '"thug" is Tough in the 2024 rules.'
    part = Instead(("Owl", "Newt"), "the 2024 rules", whole=False)
    assert called("hoot", part) == '"hoot" is part of Owl and Newt in the 2024 rules.'


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("potion of healing (greater)", "potion of greater healing"),
        ("belt of giant strength (hill)", "belt of hill giant strength"),
        ("feather token (swan boat)", "swan boat feather token"),
        ("flame tongue (light hammer)", "flame tongue light hammer"),
        ("vicious weapon (light hammer)", "vicious light hammer"),
        ("sword of life stealing (greatsword)", "greatsword of life stealing"),
        ("berserker axe (battleaxe)", "berserker battleaxe"),
    ],
)
def test_what_a_name_tells_in_parentheses_may_be_among_the_words(name, other):
    assert other in without_parentheses(name)


@pytest.mark.parametrize("name", ["", "fireball", "potion of greater healing", "(aside)"])
def test_other_names_tell_nothing_in_parentheses(name):
    assert list(without_parentheses(name)) == []


def _with_others(tiny: Dataset, table: str, names: list[str], editions: list[str], **columns: pl.Expr) -> Dataset:
    """The tiny dataset, the first entities of a table with other names and editions."""
    rows = tiny.tables[table]
    others = rows.head(len(names)).with_columns(
        pl.Series("name", names),
        pl.Series("name_normalized", [name.lower() for name in names]),
        pl.Series("document_key", [f"srd-{edition}" for edition in editions]),
        pl.Series("game_system", [f"5e-{edition}" for edition in editions]),
        slug=pl.lit("x"),
        keys=pl.lit([], dtype=pl.List(pl.String)),
        **columns,
    )
    return replace(tiny, tables=tiny.tables | {table: pl.concat([others, rows.slice(len(names))])})


@pytest.fixture(scope="module")
def renamed_library(tiny: Dataset) -> Iterator[Library]:
    """The tiny library with creatures that have other names in other editions."""
    names = ["Thug", "Tough", "Tough Boss", "Succubus/Incubus", "Incubus", "Succubus"]
    editions = ["2014", "2024", "2024", "2014", "2024", "2024"]
    library = Library(_with_others(tiny, "creatures", names, editions))
    yield library
    library.close()


@pytest.fixture(scope="module")
def two_editions(tiny: Dataset) -> Iterator[Library]:
    """The tiny library, with items that the editions write differently."""
    potions = ["Potion of Greater Healing", "Potion of Healing (Greater)"]
    gear = ["Acid (vial)", "Acid", "Acid Test", "Acid Tests"]
    types = pl.lit(pl.Series(["magic-item"] * len(potions) + ["adventuring-gear"] * len(gear)))
    no = pl.lit(value=False)
    library = Library(
        _with_others(
            tiny, "equipment", [*potions, *gear], ["2014", "2024"] * 3, entity_type=types, is_weapon=no, is_armor=no
        )
    )
    yield library
    library.close()


@pytest.mark.parametrize(
    ("name", "documents", "found", "message"),
    [
        (
            "potion of greater healing",
            None,
            ["Potion of Greater Healing"],
            '"potion of greater healing" is Potion of Healing (Greater) in the 2024 rules.',
        ),
        (
            "potion of healing (greater)",
            None,
            ["Potion of Healing (Greater)"],
            '"potion of healing (greater)" is Potion of Greater Healing in the 2014 rules.',
        ),
        (
            "potion of greater healing",
            ("srd-2024",),
            ["Potion of Healing (Greater)"],
            '"potion of greater healing" is Potion of Healing (Greater) in the 2024 rules.',
        ),
        ("acid", None, ["Acid"], '"acid" is Acid (vial) in the 2014 rules.'),
        ("acid test", None, ["Acid Test"], '"acid test" is Acid Tests in the 2024 rules.'),
        ("acid tests", None, ["Acid Tests"], '"acid tests" is Acid Test in the 2014 rules.'),
        ("acid (vial)", None, ["Acid (vial)"], '"acid (vial)" is Acid in the 2024 rules.'),
        ("acid", ("srd-2024",), ["Acid"], None),
    ],
)
def test_an_exact_name_does_not_hide_the_other_editions_record(
    two_editions: Library, name, documents, found, message
) -> None:
    answer = two_editions.find(Request(family="equipment", name=name, documents=documents))
    assert [record["name"] for record in answer["results"]] == found
    assert answer["message"] == message


@pytest.mark.parametrize(
    ("name", "documents", "found", "message"),
    [
        ("thug", ("srd-2024",), ["Tough"], '"thug" is Tough in the 2024 rules.'),
        ("Tough", ("5e-2014",), ["Thug"], '"Tough" is Thug in the 2014 rules.'),
        ("thug", None, ["Thug"], '"thug" is Tough in the 2024 rules.'),
        ("tough", None, ["Tough"], '"tough" is Thug in the 2014 rules.'),
        ("thug", ("srd-2014",), ["Thug"], None),
        ("tough boss", None, ["Tough Boss"], None),
        (
            "succubus/incubus",
            ("srd-2024",),
            ["Incubus", "Succubus"],
            '"succubus/incubus" is Succubus and Incubus in the 2024 rules.',
        ),
    ],
)
def test_a_name_of_another_edition_is_found(renamed_library: Library, name, documents, found, message) -> None:
    answer = renamed_library.find(Request(family="creature", name=name, documents=documents))
    assert [r["name"] for r in answer["results"]] == found
    assert answer["message"] == message


def test_a_search_by_the_other_editions_name_ranks_it_first(renamed_library: Library) -> None:
    answer = renamed_library.find(Request(family="creature", search="Thug", documents=("srd-2024",)))
    assert answer["results"][0]["name"] == "Tough"
    assert answer["message"] == '"Thug" is Tough in the 2024 rules.'
    own = renamed_library.find(Request(family="creature", search="Thug"))
    assert own["results"][0]["name"] == "Thug"
    assert "rules" not in (own["message"] or "")


def test_a_thing_of_another_kind_is_not_the_renamed_one(renamed_library: Library) -> None:
    answer = renamed_library.find(Request(family="spell", name="thug", documents=("srd-2024",)))
    assert not answer["results"]
    assert 'lookup_creature(name="thug"' in answer["message"]


@pytest.fixture(scope="module")
def actions(tiny: Dataset) -> Iterator[Library]:
    """The tiny library with rules that call themselves actions."""
    names = ["Use an Object", "Utilize", "Races", "Character Species"]
    texts = pl.lit(pl.Series([f"When you take the {name} action, you act." for name in names]))
    rules = {"entity_type": pl.lit("rule"), "description": texts}
    library = Library(_with_others(tiny, "rules", names, ["2014", "2024"] * 2, **rules))
    yield library
    library.close()


@pytest.mark.parametrize(
    ("name", "documents", "found", "message"),
    [
        ("utilize action", None, "Utilize", None),
        ("utilize action", ("srd-2014",), "Use an Object", '"utilize action" is Use an Object in the 2014 rules.'),
        ("use an object action", ("srd-2024",), "Utilize", '"use an object action" is Utilize in the 2024 rules.'),
        ("race", ("srd-2024",), "Character Species", '"race" is Character Species in the 2024 rules.'),
        ("species", ("srd-2014",), "Races", '"species" is Races in the 2014 rules.'),
    ],
)
def test_a_rule_is_found_by_the_other_editions_term_and_with_its_kind(
    actions: Library, name, documents, found, message
) -> None:
    answer = actions.find(Request("rule", kind="rule", name=name, documents=documents))
    assert [record["name"] for record in answer["results"]] == [found]
    assert answer["message"] == message


def test_a_rule_is_of_no_kind_that_its_text_does_not_call_it(actions: Library) -> None:
    assert not actions.find(Request("rule", kind="rule", name="utilize reaction"))["results"]
