"""Exports for Foundry: their contents, and that each fits the data model of the dnd5e system."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from foundry_model import violations
from foundry_rolls import passive, saving_throw, skill

from server.exports.foundry.creatures import SKILLS, npc
from server.exports.foundry.documents import ABILITIES, damage, document_id
from server.exports.foundry.items import item
from server.exports.foundry.spells import spell
from server.library.requests.request import Request

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.library.library import Library


def records(library: Library, family: str) -> Iterator[dict[str, Any]]:
    offset: int | None = 0
    while offset is not None:
        answer = library.find(Request(family, detail="names", limit=100, offset=offset))
        for hit in answer["results"]:
            record = library.entity(hit["id"])
            assert record is not None
            yield record
        offset = answer["next_offset"]


def entity(library: Library, entity_id: str) -> dict[str, Any]:
    record = library.entity(entity_id)
    assert record is not None
    return record


@pytest.mark.parametrize(("family", "convert"), [("creature", npc), ("spell", spell), ("equipment", item)])
def test_every_record_fits_the_data_model(library: Library, family: str, convert: Any) -> None:
    documents = [convert(record) for record in records(library, family)]

    assert documents
    assert [(each["name"], problem) for each in documents for problem in violations(each)] == []
    assert len({each["_id"] for each in documents}) == len(documents)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("attributes", "ac", "calc"), "leather", "system.attributes.ac.calc cannot be 'leather'"),
        (("attributes", "ac", "armour"), 3, "system.attributes.ac.armour is not a field"),
        (("details", "cr"), "1/4", "system.details.cr cannot be '1/4'"),
        (("traits", "di", "value"), ["sarcasm"], "system.traits.di.value cannot be ['sarcasm']"),
    ],
)
def test_the_model_finds_errors(library: Library, path: tuple[str, ...], value: object, said: str) -> None:
    document = copy.deepcopy(npc(entity(library, "creature/srd-2014/aboleth")))
    *way, name = path
    place = document["system"]
    for step in way:
        place = place[step]
    place[name] = value

    assert violations(document) == [said]


def test_a_stat_block_becomes_an_actor(library: Library) -> None:
    record = entity(library, "creature/srd-2014/aboleth")
    system = npc(record)["system"]

    assert system["source"]["book"] == record["document_name"]
    assert system["source"]["rules"] == "2014"
    assert system["attributes"]["hp"]["max"] == record["hit_points"]
    assert system["abilities"]["str"]["value"] == record["ability_scores"]["strength"]
    assert system["traits"]["size"] == "lg"
    assert system["details"]["type"]["value"] == "aberration"
    saves = {name: bonus for name, bonus in record["saving_throws"].items() if bonus is not None}
    assert {key for key, ability in system["abilities"].items() if ability["proficient"]} == {
        name[:3] for name in saves
    }


def test_the_system_rolls_what_is_printed(library: Library) -> None:
    for record in records(library, "creature"):
        actor = npc(record)
        saves = {name: bonus for name, bonus in (record["saving_throws"] or {}).items() if bonus is not None}
        skills = {name: bonus for name, bonus in (record["skills"] or {}).items() if bonus is not None}
        perception = record["senses"]["passive_perception"]

        assert {name: saving_throw(actor, ABILITIES[name]) for name in saves} == saves, record["id"]
        assert {name: skill(actor, SKILLS[name]) for name in skills} == skills, record["id"]
        assert perception is None or passive(actor, "prc") == perception, record["id"]


def test_an_attack_is_rolled_with_the_printed_bonus_and_damage(library: Library) -> None:
    record = entity(library, "creature/srd-2014/goblin")
    scimitar = next(entry for entry in record["actions"] if entry["attacks"])
    weapon = next(each for each in npc(record)["items"] if each["name"] == scimitar["name"])
    (attack,) = weapon["system"]["activities"].values()
    printed = scimitar["attacks"][0]

    assert weapon["type"] == "weapon"
    assert attack["attack"]["flat"] is True
    assert attack["attack"]["bonus"] == str(printed["to_hit"])
    part = attack["damage"]["parts"][0]
    assert f"{part['number']}d{part['denomination']}+{part['bonus']}" == printed["damage"][0]["dice"]
    assert part["types"] == [printed["damage"][0]["type"]]


def test_an_attack_that_uses_its_summoners_numbers_leaves_them_open(library: Library) -> None:
    slap = {"name": "Slap", "kind": "melee", "to_hit": None, "reach": 5, "damage": [{"dice": None, "type": "cold"}]}
    record = entity(library, "creature/srd-2014/goblin") | {"actions": [{"name": "Slap", "attacks": [slap]}]}
    weapon = next(each for each in npc(record)["items"] if each["name"] == "Slap")
    (attack,) = weapon["system"]["activities"].values()

    assert attack["attack"]["bonus"] == ""
    (part,) = attack["damage"]["parts"]
    assert (part["number"], part["types"], part["custom"]["enabled"]) == (None, ["cold"], False)


STONE_HOUND: dict[str, Any] = {
    "id": "creature/hills/stone-hound",
    "entity_type": "creature",
    "name": "Stone Hound",
    "document_name": "The Hills",
    "license": "Creative Commons Attribution 4.0",
    "game_system": "5e-2024",
    "size": "titanic",
    "type": "rock",
    "proficiency_bonus": 3,
    "ability_scores": {"dexterity": 14, "wisdom": 12},
    "saving_throws": {"dexterity": 7, "wisdom": 4},
    "skills": {"stealth": 8, "perception": 4, "insight": 3, "engineering": 9},
    "initiative_bonus": 5,
    "other_sizes": ["huge"],
    "lair_experience_points": 700,
    "armor_class": 15,
    "armor_description": "natural armor",
    "gear": [{"name": "Pebble", "id": None, "quantity": 3}],
    "group": "Hounds",
    "environments": ["hills", "volcano"],
    "legendary_description": "It acts thrice.",
    "damage_resistances": [
        "fire",
        "bludgeoning, piercing, and slashing from nonmagical attacks not made with adamantine or cold iron weapons",
        "damage while asleep",
    ],
    "condition_resistances": ["stunned"],
    "condition_immunities": ["prone", "bored"],
    "stat_lines": [{"name": "Speed", "description": "30 ft. (40 ft. as a pebble)"}],
    "senses": {"darkvision": 60, "keensense": 30, "blind_beyond": True, "passive_perception": 19},
    "traits": [{"name": "Legendary Resistance", "usage": "3/Day", "description": "It may succeed instead."}],
    "actions": [{"name": "Dust", "usage": "Recharge 5-6", "description": "It shakes itself."}],
    "legendary_actions": [{"name": "Howl", "description": "It howls."}],
    "legendary_uses": 3,
}


def test_facts_that_the_system_lacks_are_written_as_text() -> None:
    document = npc(STONE_HOUND)
    system = document["system"]

    assert violations(document) == []
    assert system["details"]["type"] == {"value": "custom", "subtype": "", "swarm": "", "custom": "Rock"}
    assert system["traits"]["dr"] == {
        "value": ["bludgeoning", "fire", "piercing", "slashing"],
        "bypasses": ["ada", "mgc"],
        "custom": "damage while asleep; stunned",
    }
    assert system["traits"]["ci"] == {"value": ["prone"], "custom": "bored"}
    assert system["attributes"]["senses"]["special"] == "Keensense 30 ft.; blind beyond this radius"
    assert system["traits"]["size"] == "grg"
    assert system["details"]["habitat"] == {"value": [{"type": "hill"}], "custom": "Volcano"}
    biography = re.sub("<[^>]+>", "", system["details"]["biography"]["value"]).split("\n")
    assert biography == [
        "Size: Titanic or Huge",
        "Armor Class: 15 (natural armor)",
        "Skills: Engineering +9",
        "Speed: 30 ft. (40 ft. as a pebble)",
        "Gear: Pebble (3)",
        "Group: Hounds",
        "Legendary Actions",
        "It acts thrice.",
    ]


@pytest.mark.parametrize(
    ("traits", "told"),
    [
        ("It fits through any opening large enough for a Tiny bat.", ("", "tiny")),
        ("It fits anywhere.", ("Swarm", "")),
    ],
)
def test_creatures_of_a_swarm_have_their_own_size(traits: str, told: tuple[str, str]) -> None:
    bats = STONE_HOUND | {"subtype": "swarm", "traits": [{"name": "Swarm", "description": traits}]}
    kind = npc(bats)["system"]["details"]["type"]

    assert (kind["subtype"], kind["swarm"]) == told


def test_without_ability_scores_the_printed_bonuses_are_rolled() -> None:
    actor = npc(STONE_HOUND | {"ability_scores": None, "challenge_rating": 7.0, "initiative_bonus": None})

    assert violations(actor) == []
    assert all("value" not in ability for ability in actor["system"]["abilities"].values())
    assert (saving_throw(actor, "dex"), saving_throw(actor, "str")) == (7, 0)
    assert (skill(actor, "ste"), passive(actor, "prc")) == (8, 19)
    assert actor["system"]["attributes"]["init"]["bonus"] == ""


def test_bonuses_beyond_proficiency_are_kept() -> None:
    system = npc(STONE_HOUND)["system"]

    assert system["abilities"]["dex"] == {"value": 14, "proficient": 1, "bonuses": {"check": "", "save": "2"}}
    assert system["abilities"]["wis"]["bonuses"]["save"] == ""
    assert system["skills"] == {
        "ste": {"value": 2, "ability": "dex", "bonuses": {"check": "", "passive": ""}},
        "prc": {"value": 1, "ability": "wis", "bonuses": {"check": "", "passive": "5"}},
        "ins": {"value": 1, "ability": "wis", "bonuses": {"check": "-1", "passive": ""}},
    }
    assert system["attributes"]["init"]["bonus"] == "3"
    assert npc(STONE_HOUND | {"initiative_bonus": 0})["system"]["attributes"]["init"]["bonus"] == "-2"


def test_limited_uses_and_legendary_resistance_are_counted() -> None:
    document = npc(STONE_HOUND)
    by_name = {each["name"]: each["system"] for each in document["items"]}

    assert by_name["Dust (Recharge 5-6)"]["uses"]["recovery"] == [
        {"period": "recharge", "type": "recoverAll", "formula": "5"}
    ]
    assert by_name["Legendary Resistance (3/Day)"]["uses"]["max"] == "3"
    assert by_name["Legendary Resistance (3/Day)"]["activities"] == {}
    (howl,) = by_name["Howl"]["activities"].values()
    assert howl["activation"]["type"] == "legendary"
    assert document["system"]["resources"]["legres"] == {"value": 3, "max": 3}
    assert document["system"]["resources"]["lair"]["value"] is True


@pytest.mark.parametrize(
    ("usage", "uses", "spent", "cost"),
    [
        ("Recharge 5-6", ("1", "recharge"), ["1"], 1),
        ("3/Day; While Bloodied", ("3", "day"), ["1"], 1),
        ("2/Rest", ("2", "sr"), ["1"], 1),
        ("Recharges after a Short or Long Rest", ("1", "sr"), ["1"], 1),
        ("9 HP or Fewer; Recharges after a Long Rest", ("1", "lr"), ["1"], 1),
        ("Costs 2 Actions", ("", None), [], 2),
        ("Hybrid Form Only", ("", None), [], 1),
        (None, ("", None), [], 1),
    ],
)
@pytest.mark.parametrize("attacks", [[], [{"kind": "melee weapon", "to_hit": 3, "damage": [{"dice": "1d6"}]}]])
def test_using_a_feature_spends_what_it_costs(
    usage: str | None, uses: tuple[str, str | None], spent: list[str], cost: int, attacks: list[dict[str, Any]]
) -> None:
    howl = {"name": "Howl", "usage": usage, "attacks": attacks}
    (feature,) = npc(STONE_HOUND | {"traits": [], "actions": [], "legendary_actions": [howl]})["items"]
    (found,) = feature["system"]["activities"].values()

    limit = feature["system"]["uses"]
    assert (limit["max"], next((each["period"] for each in limit["recovery"]), None)) == uses
    assert [each["value"] for each in found.get("consumption", {"targets": []})["targets"]] == spent
    assert found["activation"] == {"type": "legendary", "value": cost}
    assert violations(feature) == []


def save(*abilities: str, dc: int | None = 12, **facts: Any) -> dict[str, Any]:
    return {"section": "actions", "feature": "Dust", "abilities": list(abilities), "dc": dc, **facts}


def rolled(activity: dict[str, Any]) -> tuple[Any, ...]:
    parts = [
        f"{part['number']}d{part['denomination']} {' '.join(part['types'])}" for part in activity["damage"]["parts"]
    ]
    return activity["save"]["ability"], activity["save"]["dc"], activity["damage"]["onSave"], parts


FIRE: Final = save("dexterity", damage=[{"dice": "8d6", "average": 28.0, "type": "fire"}])
CONE: Final = {"shape": "cone", "size": 60, "unit": "feet"}


@pytest.mark.parametrize(
    ("saves", "expected"),
    [
        ([FIRE | {"save_effect": "half"}], [(["dex"], "half", ["8d6 fire"])]),
        ([FIRE | {"save_effect": "none"}], [(["dex"], "none", ["8d6 fire"])]),
        ([FIRE], [(["dex"], "none", ["8d6 fire"])]),
        ([save("wisdom", save_effect="half")], [(["wis"], "none", [])]),
        ([save("strength", "dexterity", damage=[])], [(["str", "dex"], "none", [])]),
        (
            [save("wisdom", damage=[{"dice": "2d4", "type": "cold"}, {"dice": "1d6", "type": "acid or fire"}])],
            [(["wis"], "none", ["2d4 cold", "1d6 acid fire"])],
        ),
        ([FIRE, save("constitution")], [(["dex"], "none", ["8d6 fire"]), (["con"], "none", [])]),
        ([save("wisdom", dc=None)], []),
        ([FIRE | {"feature": "Howl"}], []),
        ([FIRE | {"section": "reactions"}], []),
        (None, []),
    ],
)
@pytest.mark.parametrize("attacks", [[], [{"kind": "melee weapon", "to_hit": 3, "damage": [{"dice": "1d6"}]}]])
def test_the_saving_throws_of_a_feature_are_rolled_with_what_failing_costs(
    saves: list[dict[str, Any]] | None, expected: list[tuple[Any, ...]], attacks: list[dict[str, Any]]
) -> None:
    dust = {"name": "Dust", "usage": "2/Day", "attacks": attacks}
    record = STONE_HOUND | {"traits": [], "actions": [dust], "legendary_actions": [], "saves": saves}
    (feature,) = npc(record)["items"]
    found = list(feature["system"]["activities"].values())
    saving = [each for each in found if each["type"] == "save"]

    assert violations(feature) == []
    assert len({each["_id"] for each in found}) == len(found)
    assert [each["type"] for each in found if each not in saving] == (
        ["attack"] if attacks else [] if expected else ["utility"]
    )
    assert len([each for each in found if "consumption" in each]) == 1
    dc = {"calculation": "", "formula": "12"}
    assert list(map(rolled, saving)) == [(abilities, dc, *rest) for abilities, *rest in expected]


@pytest.mark.parametrize(
    ("area", "template"),
    [
        (CONE, {"type": "cone", "size": "60", "units": "ft"}),
        (CONE | {"shape": "emanation"}, {"type": "radius"}),
        (None, None),
    ],
)
def test_the_area_of_a_saving_throw_is_a_template(area: dict[str, Any] | None, template: dict[str, str] | None) -> None:
    dust = {"actions": [{"name": "Dust"}], "saves": [FIRE | {"area_of_effect": area}]}
    (feature,) = npc(STONE_HOUND | {"traits": [], "legendary_actions": []} | dust)["items"]
    (activity,) = feature["system"]["activities"].values()

    assert violations(feature) == []
    assert ("target" in activity) == (template is not None)
    if template:
        assert template.items() <= activity["target"]["template"].items()


def test_a_dragon_breathes_a_cone_whose_damage_a_success_halves(library: Library) -> None:
    record = entity(library, "creature/srd-2014/young-red-dragon")
    (breath,) = (each for each in npc(record)["items"] if "Breath" in each["name"])
    (activity,) = breath["system"]["activities"].values()
    assert (activity["type"], activity["damage"]["onSave"], bool(activity["damage"]["parts"])) == ("save", "half", True)
    assert activity["target"]["template"]["type"] == "cone"


def test_equipment_becomes_items_of_the_right_type(library: Library) -> None:
    sword = item(entity(library, "weapon/srd-2014/longsword"))
    plate = item(entity(library, "armor/srd-2014/half-plate"))
    arrow = item(entity(library, "adventuring-gear/srd-2014/arrow-bow"))

    assert (sword["type"], sword["system"]["type"]["value"]) == ("weapon", "martialM")
    assert sword["system"]["damage"]["versatile"]["denomination"] == 10
    assert sword["system"]["properties"] == ["ver"]
    assert (plate["type"], plate["system"]["type"]["value"]) == ("equipment", "medium")
    assert plate["system"]["armor"]["dex"] == 2
    assert arrow["type"] == "consumable"


def test_dice_and_ids_fit_the_system() -> None:
    assert damage("2d6-1", ["fire"])["bonus"] == "-1"
    assert damage("7", ["fire"])["custom"] == {"enabled": True, "formula": "7"}
    assert document_id("a", 1) == document_id("a", 1) != document_id("a", 2)
