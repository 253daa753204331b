"""Known facts of real spells and creatures, from the recordings of the APIs."""

from __future__ import annotations

import re

import pytest
from merging import merged, recorded

from build_pipeline.normalize.creatures import creatures
from build_pipeline.normalize.merging.directory import SRD_DOCUMENTS
from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.normalize.spells import spells
from build_pipeline.normalize.text.stat_blocks.lines import SIZE_OF_HIT_DIE
from build_pipeline.tables import complaints
from server.dataset.schema import CREATURES, SPELLS

pytestmark = pytest.mark.recordings


@pytest.fixture(scope="module")
def raw(recordings):
    """Everything recorded of both families."""
    layer = recorded(recordings, "spells")
    for obj in recorded(recordings, "creatures"):
        layer.add(obj)
    return layer


def read(raw, family):
    return {f"{e.document_key}/{e.name}": e for e in merged(family.drafts(raw, Problems()), family)}


@pytest.fixture(scope="module")
def real_spells(raw):
    return read(raw, spells)


@pytest.fixture(scope="module")
def real_creatures(raw):
    return read(raw, creatures)


def test_every_object_is_read_and_obeys_the_schema(raw, real_spells, real_creatures):
    entities = [*real_spells.values(), *real_creatures.values()]
    unfinished = {f"open5e_v2/creatures/srd_{key}" for key in ("donkey", "elf-drow", "gnome-deep-svirfneblin")}
    assert {raw_id for entity in entities for raw_id in entity.raw} == {obj.id for obj in raw} - unfinished
    for table, found in ((SPELLS, real_spells), (CREATURES, real_creatures)):
        for entity in found.values():
            assert [c for c in complaints(table, entity.facts) if "required" not in c] == []


def test_the_known_numbers_of_entities_are_read(real_spells, real_creatures):
    assert len(real_spells) == 1955
    assert len(real_creatures) == 3538


def test_fireball_is_known(real_spells):
    facts = real_spells["srd-2014/Fireball"].facts
    assert (facts["level"], facts["school"], facts["range"]) == (3, "evocation", "150 feet")
    assert (facts["damage_dice"], facts["damage_types"], facts["saving_throw"]) == ("8d6", ["fire"], "dexterity")
    assert facts["area_of_effect"] == {"shape": "sphere", "size": 20, "unit": "feet"}
    assert facts["classes"] == ["sorcerer", "wizard"]
    assert facts["components"]["material_description"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("srd-2014/Ice Storm", ["bludgeoning", "cold"]),
        ("srd-2024/Ice Storm", ["bludgeoning", "cold"]),
        ("srd-2014/Fire Shield", ["cold", "fire"]),
        ("srd-2014/Meteor Swarm", ["bludgeoning", "fire"]),
        ("srd-2014/Magic Missile", ["force"]),
        ("srd-2024/Stoneskin", []),
    ],
)
def test_known_damage_types_are_read(real_spells, name, expected):
    assert real_spells[name].facts["damage_types"] == expected


def test_known_class_lists_are_read(real_spells):
    assert "paladin" in real_spells["srd-2014/Bless"].facts["classes"]
    assert "cleric" not in real_spells["srd-2014/Burning Hands"].facts["classes"]
    wizards = [s for s in real_spells.values() if s.document_key == "deepm" and "wizard" in s.facts.get("classes", [])]
    assert len(wizards) >= 50


def test_the_ancient_red_dragon_is_known(real_creatures):
    facts = real_creatures["srd-2014/Ancient Red Dragon"].facts
    assert (facts["hit_points"], facts["armor_class"], facts["experience_points"]) == (546, 22, 62000)
    assert facts["speed"]["fly"] == 80
    assert facts["damage_immunities"] == ["fire"]
    assert [row["name"] for row in facts["legendary_actions"]] == ["Detect", "Tail Attack", "Wing Attack"]


def test_known_attacks_are_read(real_creatures):
    scimitar = real_creatures["srd-2014/Goblin"].facts["actions"][0]
    assert scimitar["attacks"][0]["damage"] == [{"dice": "1d6+2", "type": "slashing"}]
    attacks = [a for c in real_creatures.values() for row in c.facts["actions"] for a in row["attacks"]]
    assert len(attacks) > 5500
    assert sum(bool(attack["damage"]) for attack in attacks) > 0.97 * len(attacks)


def test_tome_of_beasts_3_has_its_actions(real_creatures):
    book = [c for c in real_creatures.values() if c.document_key == "tob3"]
    assert sum(bool(c.facts["actions"]) for c in book) >= len(book) - 3


def test_shapechangers_are_one_creature(real_creatures):
    assert len(real_creatures["srd-2014/Werewolf"].raw) == 5
    assert not [name for name in real_creatures if name.endswith(" Form")]


def test_no_alignment_is_a_default(real_creatures):
    assert real_creatures["a5e-mm/Planetar"].facts.get("alignment") is None


def test_the_hit_die_of_every_srd_creature_is_that_of_its_size(real_creatures):
    srd = [c for c in real_creatures.values() if c.document_key in SRD_DOCUMENTS and c.facts.get("hit_dice")]
    assert len(srd) >= 650
    for creature in srd:
        die = re.search(r"d\d+", creature.facts["hit_dice"]).group()
        assert (creature.name, SIZE_OF_HIT_DIE[die]) == (creature.name, creature.facts["size"])


def test_black_flag_has_saves_and_conditions_but_no_scores(real_creatures):
    book = [c for c in real_creatures.values() if c.document_key == "bfrd"]
    assert len(book) == 360
    assert not [c.name for c in book if c.facts.get("ability_scores")]
    assert all(len(c.facts["saving_throws"]) == 6 for c in book)
    balor = real_creatures["bfrd/Balor"].facts
    assert sorted(balor["damage_immunities"]) == ["fire", "poison"]
    assert balor["condition_immunities"] == ["poisoned"]
    damage = [
        part["dice"] for row in balor["actions"] if row["name"] == "Longsword" for part in row["attacks"][0]["damage"]
    ]
    assert damage == ["3d8+8", "3d8"]


def test_speeds_of_tome_of_beasts_1_are_those_of_its_first_edition_or_unknown(real_creatures):
    book = [c for c in real_creatures.values() if c.document_key == "tob-2023"]
    assert sum(c.facts.get("speed") is not None for c in book) >= 320
    dragon = real_creatures["tob-2023/Adult Void Dragon"].facts["speed"]
    assert (dragon["walk"], dragon["fly"], dragon["hover"]) == (40, 80, None)


def test_ability_scores_are_possible(real_creatures):
    scores = {
        score
        for creature in real_creatures.values()
        if creature.document_key != "srd-2024"
        for score in (creature.facts.get("ability_scores") or {}).values()
    }
    assert min(scores) >= 1
    assert max(scores) <= 30


def test_known_effects_of_creatures_are_read(real_creatures):
    vampire = real_creatures["srd-2014/Vampire"].facts
    assert "charmed" in vampire["inflicts"]
    assert not {"restrained", "incapacitated"} & set(vampire["inflicts"])
    assert vampire["legendary_uses"] == 3
    lich = real_creatures["srd-2014/Lich"].facts
    assert (lich["save_dc"], lich["initiative_bonus"]) == (20, 3)
    assert len(lich["spells"]) > 20
