"""Books compared with records: facts that merging lost or changed are reported unless explained."""

from __future__ import annotations

from typing import Any

import pytest
from book_pages import FEN_TROLL
from books import book_layer

from build_pipeline.check import books, sources
from build_pipeline.check.checks import Checked, Excused, check
from build_pipeline.check.comparison import RecordComparison
from build_pipeline.check.rule import Evidence
from build_pipeline.normalize.books.witnesses import witnesses
from build_pipeline.normalize.merging.corrections import Correction
from build_pipeline.normalize.merging.draft import Reference
from build_pipeline.normalize.records import normalize
from build_pipeline.snapshot.raw import RawLayer
from build_pipeline.sources import SOURCES
from build_pipeline.tables import Record

OGRE = "creature/srd-2024/ogre"
MONSTERS = f"# Monsters\n\n## Monster Descriptions\n\n{FEN_TROLL}"
SPELLS = """\
# Spells

## Spell Descriptions

### Cinder Veil

*Level 2 Evocation (Wizard)*

**Casting Time:** Action

**Range:** 60 feet

**Components:** V, S, M (ash)

**Duration:** 1 minute

Each creature takes 2d6 Fire damage.

***Using a Higher-Level Spell Slot.*** The damage increases by 1d6 for each slot level above 2.
"""
BOOK = f"{MONSTERS}\n{SPELLS}"


def layer(first: str, second: str | None = None) -> RawLayer:
    raw = book_layer("srd-2024", first)
    return raw if second is None else book_layer("srd-2024-second", second, raw)


def checked(
    raw: RawLayer,
    change: dict[str, Any] | None = None,
    *,
    exceptions: tuple[Excused, ...] = (),
    corrections: tuple[Correction, ...] = (),
) -> Checked:
    """Normalise a layer, change facts of the troll afterwards, and check the rules about books."""
    tables = normalize(raw, SOURCES, corrections).tables
    tables["creatures"] = [{**record, **(change or {})} for record in tables["creatures"]]
    evidence = Evidence(tuple(witnesses(raw)), corrections)
    return check(tables, exceptions, books.RULES, evidence=evidence)


def troll(raw: RawLayer) -> Record:
    (record,) = normalize(raw, SOURCES).tables["creatures"]
    return record


def told(found: Checked) -> list[tuple[str, str]]:
    return [(finding.rule, finding.message) for finding in found.broken]


def test_records_that_agree_with_both_conversions_obey_the_rules() -> None:
    found = checked(layer(BOOK, BOOK.replace("Each creature takes", "All creatures take")))
    assert told(found) == []
    assert found.counts["book-creatures"] == found.counts["second-creatures"] > 30
    assert found.counts["book-spells"] > found.counts["second-spells"] > 10  # its higher levels are in the description


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"armor_class": 15}, "armor_class: 14 in srd-2024, 15 here"),
        ({"hit_points": None}, "hit_points: 59 in srd-2024, None here"),
        ({"speed": {"walk": 30}}, "speed.walk: 40 in srd-2024, 30 here"),
        ({"skills": None}, "skills.stealth: 3 in srd-2024, None here"),
        ({"actions": []}, "actions[Rake]: 'a row' in srd-2024, None here"),
        ({"damage_immunities": ["cold"]}, "damage_immunities: [] in srd-2024, ['cold'] here"),
    ],
)
def test_a_fact_changed_or_lost_in_merging_is_named(change: dict[str, Any], message: str) -> None:
    assert told(checked(layer(BOOK), change)) == [("book-creatures", message)]


def test_facts_inside_rows_are_named_by_their_path() -> None:
    (rake,) = troll(layer(BOOK))["actions"]
    attack = {**rake["attacks"][0], "to_hit": 7}
    found = checked(layer(BOOK), {"actions": [{**rake, "attacks": [attack]}, {**rake, "name": "Roar"}]})
    assert told(found) == [
        ("book-creatures", "actions[Rake].attacks[Rake].to_hit: 6 in srd-2024, 7 here"),
        ("book-creatures", "actions[Roar]: None in srd-2024, 'a row' here"),
    ]


def test_a_missing_entity_is_named() -> None:
    raw = layer(BOOK)
    found = check({"creatures": [], "spells": []}, (), books.RULES, evidence=Evidence(tuple(witnesses(raw))))
    assert {finding.entity for finding in found.broken} == {"creature/srd-2024/Fen Troll", "spell/srd-2024/Cinder Veil"}


def test_a_correction_explains_only_its_own_fact() -> None:
    correction = Correction("creature/srd-2024/fen-troll", "hit_points", 60, 59, ("srd",), "printed twice")
    found = checked(layer(BOOK), corrections=(correction,))
    assert told(found) == []
    assert [(finding.message, finding.reason) for finding in found.findings] == [
        ("hit_points: 59 in srd-2024, 60 here", "corrected: printed twice")
    ]
    assert told(checked(layer(BOOK), {"armor_class": 9}, corrections=(correction,))) == [
        ("book-creatures", "armor_class: 14 in srd-2024, 9 here")
    ]


def test_the_second_conversion_counts_for_facts_but_not_for_wording() -> None:
    second = BOOK.replace("Passive Perception 8", "Passive Perception 9").replace("2d6 Fire", "3d6 Cold")
    assert told(checked(layer(BOOK, second))) == [
        ("second-creatures", "senses.passive_perception: 9 in srd-2024-second, 8 here"),
        ("second-spells", "description: ['3d6', 'cold'] in srd-2024-second, ['2d6', 'fire'] here"),
    ]


def test_an_exception_may_cover_some_facts_of_a_record() -> None:
    second = BOOK.replace("Passive Perception 8", "Passive Perception 9").replace("**AC** 14", "**AC** 12")
    excused = Excused("second-creatures", ("creature/srd-2024/*",), "a slip there", ("senses.*",))
    found = checked(layer(BOOK, second), exceptions=(excused,))
    assert told(found) == [("second-creatures", "armor_class: 12 in srd-2024-second, 14 here")]
    assert found.idle == []


def test_problems_of_books_and_corrections_break_rules() -> None:
    problems = [
        {"raw": "srd/srd-2024/monsters", "reason": "a heading without text"},
        {"raw": "srd/srd-2024", "reason": "missing (not found); the rest of the book is kept", "page": "Spells.md"},
        {"raw": "srd/srd-2024/fen-troll", "reason": "book.md:5: stat block 'Fen Troll': cannot read Speed None"},
        {"raw": f"corrections/{OGRE}", "reason": f"the correction of hit_points of {OGRE} is out of date"},
        {"raw": "open5e_v2/creatures/ogre", "reason": "of no concern to the books"},
    ]
    corrections = [
        Correction(entity, column, 9, 8, ("open5e_v2",), "so printed")
        for entity, column in ((OGRE, "hit_points"), (OGRE, "armor_class"), ("creature/srd-2024/newt", "armor_class"))
    ]
    tables: dict[str, list[Record]] = {"creatures": [{"id": OGRE}]}
    found = check(tables, (), sources.RULES, evidence=Evidence(corrections=corrections, problems=problems))
    assert told(found) == [
        ("books-read", "missing (not found); the rest of the book is kept (Spells.md)"),
        ("books-read", "book.md:5: stat block 'Fen Troll': cannot read Speed None"),
        ("corrections-apply", f"the correction of hit_points of {OGRE} is out of date"),
    ]
    assert (found.counts["books-read"], found.counts["corrections-apply"]) == (3, 2)


def test_spells_that_name_a_class_may_add_rows_to_its_printed_list() -> None:
    printed = {"spell_list": [{"level": 1, "spells": [Reference(("spell",), "Fog")]}]}
    here = {"spell_list": [{"level": 1, "spells": [{"name": "Fog"}]}, {"level": 3, "spells": [{"name": "Flood"}]}]}
    facts = list(RecordComparison({}, loosely=False).facts(printed, here))
    assert facts
    assert all(fact.witnessed == fact.here for fact in facts)


def test_quotation_marks_of_a_witness_count_as_straight() -> None:
    (fact,) = RecordComparison({}, loosely=False).facts(
        {"attunement": "by “Élan’s” heir"}, {"attunement": 'by "Élan\'s" heir'}
    )
    assert fact.witnessed == fact.here
