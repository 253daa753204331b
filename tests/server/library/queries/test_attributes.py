"""Recognising facts that a query mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from build_pipeline.index.lexicon import write_attributes
from build_pipeline.index.vocabulary.attributes import Attribute, read_attributes
from server.dataset.files import ATTRIBUTES_FILE
from server.dataset.index.lexicon import read_attributes as read_known
from server.library.queries.attributes import Attributes
from server.library.queries.mentioned_facts import DENIED, counts
from server.library.queries.mentioned_facts import Attribute as Fact
from server.library.queries.opposites import opposite

if TYPE_CHECKING:
    from pathlib import Path

    from server.library.arrays import Rows

ROW_OF = {"fireball": 0, "hell-hound": 1, "blink": 2, "goblin": 3}
FACTS = [
    ("level 3", r"\b(level 3|3(rd)?[ -]level)\b", ["fireball", "blink"]),
    ("deals fire damage", r"\bfire damage\b", ["fireball"]),
    ("deals fire damage", r"\b(deals?|breathes) fire\b|\bfire damage\b", ["hell-hound"]),
    ("level 3 at most", r"\blevel 3 or less\b", ["fireball", "blink", "goblin"]),
    ("evil", r"\bevil\b", ["hell-hound", "goblin"]),
]


@pytest.fixture
def attributes(tmp_path: Path) -> Attributes:
    entries = [Attribute(label, ("spells",), "", pattern) for label, pattern, _ in FACTS]
    return known(tmp_path, entries, [identities for _, _, identities in FACTS])


def known(folder: Path, entries: list[Attribute], having: list[list[str]]) -> Attributes:
    """The attributes of a dataset in `folder` that has these entries, and the ids that have each."""
    (folder / ATTRIBUTES_FILE).parent.mkdir(parents=True)
    write_attributes(folder, entries, having)
    return Attributes(read_known(folder / ATTRIBUTES_FILE, ROW_OF), ROW_OF)


def mentioned(attributes: Attributes, query: str, entities: Rows) -> list[Fact]:
    """The facts that a query mentions."""
    return attributes.mentioned(attributes.wanted(query, entities), entities)


@pytest.mark.parametrize(
    "query", ["a third-level spell", "3rd level", "spells of level three", "Third level", "something of level 3"]
)
def test_numbers_may_be_words(attributes: Attributes, query: str) -> None:
    (fact,) = mentioned(attributes, query, np.arange(4))
    assert fact.label == "level 3"
    assert fact.entities.tolist() == [True, False, True, False]


def test_a_fact_found_in_several_tables_counts_once(attributes: Attributes) -> None:
    (fact,) = mentioned(attributes, "fire damage", np.arange(4))
    assert fact.entities.tolist() == [True, True, False, False]
    (fact,) = mentioned(attributes, "breathes fire", np.arange(4))
    assert fact.entities.tolist() == [False, True, False, False]


def test_a_fact_true_of_all_or_none_is_ignored(attributes: Attributes) -> None:
    assert mentioned(attributes, "fire damage", np.array([2, 3])) == []
    assert mentioned(attributes, "fire damage", np.array([0, 1])) == []


def test_a_denied_fact_is_turned_into_its_opposite(attributes: Attributes) -> None:
    (fact,) = mentioned(attributes, "a monster that isn't evil", np.arange(4))
    assert fact.label == "not evil"
    assert fact.entities.tolist() == [True, False, True, False]
    assert counts([fact], np.arange(4)).tolist() == [DENIED, 0, DENIED, 0]
    labels = [fact.label for fact in mentioned(attributes, "fire damage, not level 3", np.arange(4))]
    assert labels == ["deals fire damage", "not level 3"]


def test_denied_and_wanted_facts_are_both_read(attributes: Attributes) -> None:
    (fact,) = mentioned(attributes, "a lot of damage, not fire", np.arange(4))
    assert fact.label == "doesn't deal fire damage"
    assert mentioned(attributes, "a lot of damage, not blue", np.arange(4)) == []


@pytest.mark.parametrize(
    ("query", "labels"),
    [
        ("no evil level 3 thing", {"not evil", "level 3"}),
        ("something not of level 3 or evil", {"not level 3", "not evil"}),
        ("neither evil nor of level 3", {"not evil", "not level 3"}),
        ("level 3 no fire damage", {"level 3", "doesn't deal fire damage"}),
    ],
)
def test_only_the_first_denied_facts_are_read(attributes: Attributes, query: str, labels: set[str]) -> None:
    assert {fact.label for fact in mentioned(attributes, query, np.arange(4))} == labels


@pytest.mark.parametrize(
    ("says", "denied"),
    [
        ("flies", "doesn't fly"),
        ("has a prerequisite", "without a prerequisite"),
        ("keeps from being poisoned", "doesn't keep from being poisoned"),
        ("type undead", "not type undead"),
        ("a class", "not a class"),
        ("is-not-a-verb x", "not is-not-a-verb x"),
        *(
            (f"{says} it", f"doesn't {verb} it")
            for says, verb in [
                ("passes", "pass"),
                ("pushes", "push"),
                ("teaches", "teach"),
                ("buzzes", "buzz"),
                ("goes", "go"),
                ("fixes", "fix"),
            ]
        ),
    ],
)
def test_the_opposite_of_a_fact_is_worded_well(says: str, denied: str) -> None:
    assert opposite(says) == denied


def test_words_inside_the_words_of_another_fact_mean_no_fact(attributes: Attributes) -> None:
    assert [fact.label for fact in mentioned(attributes, "level 3 or less", np.arange(4))] == ["level 3 at most"]


def test_facts_that_never_occur_together_are_alternatives(attributes: Attributes) -> None:
    everything = np.arange(4)
    told = mentioned(attributes, "level 3 or evil, fire damage", everything)
    assert [fact.label for fact in told] == ["level 3", "deals fire damage", "evil"]
    # The fireball of level 3 and the evil hell hound have a kind and two more facts; blink and the goblin have one.
    assert counts(told, everything).tolist() == [4, 4, 1, 1]
    assert counts(told, everything, long=True).tolist() == [2, 2, 1, 1]
    assert counts(told[:1], everything).tolist() == [1, 0, 1, 0]
    assert counts([], everything).tolist() == [0, 0, 0, 0]
    assert counts([], everything, only_facts=True).tolist() == [0, 0, 0, 0]
    # If nothing else is asked for, even a single fact decides.
    assert counts(told[:1], everything, only_facts=True).tolist() == [5, 0, 5, 0]
    assert counts(told, everything, only_facts=True).tolist() == [6, 6, 1, 1]


def test_facts_joined_by_or_are_alternatives_even_if_some_have_both(attributes: Attributes) -> None:
    everything = np.arange(4)
    chain = mentioned(attributes, "of level 3 or breathes fire or an evil one", everything)
    assert {fact.choice for fact in chain} == {3}
    told = mentioned(attributes, "breathes fire or evil", everything)
    assert [(fact.label, fact.choice) for fact in told] == [("deals fire damage", 0), ("evil", 0)]
    # The hell hound has both facts, the goblin has one, which counts as much.
    assert counts(told, everything).tolist() == [0, 1, 0, 1]
    assert counts(mentioned(attributes, "breathes fire and evil", everything), everything).tolist() == [0, 4, 0, 1]


def test_a_fact_of_another_kind_is_an_alternative_to_only_one_fact() -> None:
    """A ring cannot be a creature of challenge rating 5; an entity with both other facts still has both."""
    salamander, troll, ring = 0, 1, 2

    def fact(label: str, *rows: int) -> Fact:
        return Fact(label, np.isin(np.arange(3), rows), {})

    asked = [fact("cr 5", salamander, troll), fact("immune to fire", salamander), fact("resists fire", ring)]
    assert counts(asked, np.arange(3)).tolist() == [4, 1, 1]


def test_a_fact_is_not_displaced_by_a_longer_wording_of_itself(tmp_path: Path) -> None:
    entries = [
        Attribute("immune to fire", ("creatures",), "", r"\bimmune\b.*\bfire\b", {"immune_to": "fire"}),
        Attribute("immune to fire", ("creatures",), "", r"\bimmune to fire( damage)?\b"),
        Attribute("deals fire damage", ("creatures",), "", r"\bfire damage\b"),
    ]
    attributes = known(tmp_path, entries, [["hell-hound"], ["hell-hound"], ["hell-hound", "blink"]])
    (fact,) = mentioned(attributes, "immune to fire damage", np.arange(4))
    assert (fact.label, fact.filters) == ("immune to fire", {"immune_to": "fire"})


DENIABLE = [
    ("immune to fire", r"\bimmune to fire\b", ["hell-hound", "goblin"]),
    ("immune to cold", r"\bimmune to (?:\w+ (?:or|and) )?cold\b", ["hell-hound", "blink"]),
    ("deals cold damage", r"\bcold thing\b", ["blink"]),
    ("heavy", r"\bheavy (?:weapons?|armor)\b", ["fireball"]),
    ("light", r"\blight(?: weapons?)?\b", ["blink"]),
    ("a weapon", r"\bweapons?\b", ["fireball", "blink"]),
    ("red", r"\bred\b", ["fireball", "blink", "hell-hound", "goblin"]),
    ("red weapon", r"\bred weapons?\b", ["blink"]),
    ("cursed", r"\bcursed\b", ["fireball"]),
    ("cursed sword", r"\bcursed swords?\b", ["blink"]),
    ("component verbal", r"\bverbal(?: components?)?\b", ["goblin"]),
]


@pytest.mark.parametrize(
    ("query", "labels"),
    [
        ("immune to fire, but not cold", ["immune to fire", "not immune to cold"]),
        ("quite immune to fire, not cold", ["immune to fire", "not immune to cold"]),
        ("immune to fire, but not cold or sleep", ["immune to fire", "not immune to cold"]),
        ("immune to fire, but not sleep or a cold thing", ["immune to fire", "doesn't deal cold damage"]),
        ("immune to fire, without cold", ["immune to fire"]),
        ("fire, but not cold", []),
        ("that isn't immune to fire or cold", ["not immune to fire", "not immune to cold"]),
        ("that isn't immune to fire or heavy armor", ["not immune to fire", "not heavy"]),
        ("gear, no heavy or light weapons", ["a weapon", "not heavy", "not light"]),
        ("a weapon that isn't heavy", ["a weapon", "not heavy"]),
        ("a weapon that isn't red", ["a weapon", "not red weapon"]),
        ("a weapon that isn't blue", ["a weapon"]),
        ("a sword that isn't cursed", ["not cursed"]),
        ("gear, no heavy or rusty armor", ["not heavy"]),
        ("quite a weapon, not red", ["a weapon", "not red weapon"]),
    ],
)
def test_what_a_denial_leaves_out_is_taken_from_around_it(tmp_path: Path, query: str, labels: list[str]) -> None:
    entries = [Attribute(label, ("spells",), "", pattern) for label, pattern, _ in DENIABLE]
    attributes = known(tmp_path, entries, [identities for _, _, identities in DENIABLE])
    assert [fact.label for fact in mentioned(attributes, query, np.arange(4))] == labels


@pytest.mark.parametrize(
    ("query", "denied", "asserted"),
    [
        ("no red weapon for a giant", ("red weapon",), "for a giant"),
        ("no evil fire damage", ("evil",), "fire damage"),
        ("gear, not evil fire damage", ("evil",), "gear fire damage"),
        ("no light weapon thing", ("light",), "weapon thing"),
        ("no EVIL or red weapon thing", ("EVIL or red weapon",), "thing"),
        ("no evil, light or red weapon gadget", ("evil, light or red weapon",), "gadget"),
        ("no evil, light or green gadget", ("evil, light or green gadget",), ""),
        ("no evil or green gadget", ("evil or green gadget",), ""),
        ("no evil OR green gadget", ("evil OR green gadget",), ""),
        ("no evil, green or dull gadget", ("evil, green or dull gadget",), ""),
        ("no evil and green gadget", ("evil",), "and green gadget"),
        ("no verbal components, any fire damage", ("verbal components",), "any fire damage"),
        ("no evil", ("evil",), ""),
        ("no evil or light", ("evil or light",), ""),
        ("no green evil gadget", ("green evil",), "gadget"),
        ("no truly terribly evil gadget", ("truly terribly evil",), "gadget"),
        ("no such truly terribly evil gadget", ("such truly terribly evil gadget",), ""),
    ],
)
def test_what_follows_the_first_denied_facts_is_wanted(
    tmp_path: Path, query: str, denied: tuple[str, ...], asserted: str
) -> None:
    facts = [*FACTS, *DENIABLE]
    entries = [Attribute(label, ("spells",), "", pattern) for label, pattern, _ in facts]
    attributes = known(tmp_path, entries, [identities for _, _, identities in facts])
    found = attributes.wanted(query, np.arange(4))
    assert (found.denied, found.asserted) == (denied, asserted)
    assert found.text.endswith(asserted)


@pytest.mark.parametrize(
    ("filters", "turned"),
    [
        ({"concentration": "true"}, {"concentration": "false"}),
        ({"ritual": "false"}, {"ritual": "true"}),
        ({"level": "3"}, {}),
        ({"concentration": "true", "level": "3"}, {}),
        ({}, {}),
    ],
)
def test_the_opposite_has_filters_if_all_can_be_turned(
    tmp_path: Path, filters: dict[str, str], turned: dict[str, str]
) -> None:
    attributes = known(tmp_path, [Attribute("evil", ("spells",), "", r"\bevil\b", filters)], [["goblin"]])
    (fact,) = mentioned(attributes, "a monster that isn't evil", np.arange(4))
    assert fact.filters == turned


@pytest.mark.parametrize(
    ("query", "labels"),
    [
        ("of truly low level", ["truly low level"]),
        ("of low level", ["low level"]),
        ("of low level or truly low level", ["low level", "truly low level"]),
        ("freed from being slow or low level", ["frees from the slow"]),
        ("slow or low level creature", ["low level", "slow creature"]),
    ],
)
def test_a_fact_that_another_extends_is_part_of_it(tmp_path: Path, query: str, labels: list[str]) -> None:
    patterns = {
        "low level": r"\blow level\b",
        "truly low level": r"\btruly low level\b",
        "frees from the slow": r"\bfreed from being (?:\w+ or )?(?:slow|low level)\b",
        "slow creature": r"\bslow (?:or low level )?creature\b",
    }
    entries = [Attribute(label, ("spells",), "", pattern) for label, pattern in patterns.items()]
    attributes = known(tmp_path, entries, [["fireball"], ["blink"], ["goblin"], ["hell-hound"]])
    assert [fact.label for fact in mentioned(attributes, query, np.arange(4))] == labels


@pytest.mark.parametrize(
    ("query", "only_facts"),
    [
        ("fire damage", True),
        ("what has fire damage and is evil", True),
        ("evil, not of level 3", True),
        ("wizard ritual", True),
        ("wizard fire ritual", False),
        ("keeps me from drowning", True),
        ("keeps fiends from drowning", False),
        ("evil goblins", False),
        ("an evil one against another creature", False),
        ("how many are evil", False),
        ("not evil", False),
    ],
)
def test_a_query_of_nothing_but_facts_is_recognised(tmp_path: Path, query: str, *, only_facts: bool) -> None:
    patterns = [
        r"\bfire damage\b",
        r"\bevil\b",
        r"\blevel 3\b",
        r"\bwizard\b.*\britual\b",
        r"\bkeeps (\w+ ){0,3}from drowning\b",
    ]
    entries = [Attribute(pattern, ("spells",), "", pattern) for pattern in patterns]
    attributes = known(tmp_path, entries, [["fireball"]] * len(entries))
    assert attributes.asks_nothing_else(attributes.wanted(query, np.arange(4))) is only_facts


OF_CREATURES = [entry for entry in read_attributes() if "creatures" in entry.tables]


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Attributes:
    """The attributes of creatures in `data/vocabulary/attributes.toml`, each of which an entity of its own has."""
    folder = tmp_path_factory.mktemp("vocabulary")
    (folder / ATTRIBUTES_FILE).parent.mkdir(parents=True)
    row_of = {str(number): number for number in range(len(OF_CREATURES))}
    write_attributes(folder, OF_CREATURES, [[identity] for identity in row_of])
    return Attributes(read_known(folder / ATTRIBUTES_FILE, row_of), row_of)


@pytest.mark.parametrize(
    ("query", "labels"),
    [
        ("resistant to cold and deals fire damage", {"resistant to cold", "deals fire damage"}),
        ("immune to poison but vulnerable to fire", {"immune to poison", "vulnerable to fire"}),
        ("immune to cold, resistant to fire", {"immune to cold", "resistant to fire"}),
        ("immune to cold or fire damage", {"immune to cold", "immune to fire"}),
        ("with fire resistance, deals cold", {"resistant to fire", "deals cold damage"}),
        ("immune to acid, cold, and lightning damage", {"immune to acid", "immune to cold", "immune to lightning"}),
        ("resists nonmagical bludgeoning, piercing and slashing", {
            "resistant to bludgeoning", "resistant to piercing", "resistant to slashing"
        }),
        ("weak against radiant", {"vulnerable to radiant"}),
    ],
)  # fmt: skip
def test_what_withstands_one_type_of_damage_may_do_something_else_with_another(
    vocabulary: Attributes, query: str, labels: set[str]
) -> None:
    found = {fact.label for fact in mentioned(vocabulary, query, np.arange(len(OF_CREATURES)))}
    assert {label for label in found if not label.startswith("keeps from being")} == labels
