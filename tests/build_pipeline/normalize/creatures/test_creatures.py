"""Creatures of every source, merged: from the starter content, varied by what the real APIs do."""

from __future__ import annotations

import pytest
from starter_rows import starter_row

from build_pipeline.normalize.creatures import creatures
from build_pipeline.normalize.creatures.open5e_words import languages
from server.dataset.schema import CREATURES

READER, TABLE = creatures, CREATURES
V2, V1, DND5E = "open5e_v2/creatures", "open5e_v1/monsters", "dnd5e_api/2014/monsters"


def names(rows):
    return [row["name"] for row in rows]


def test_all_sources_are_merged_into_one_creature(merged):
    v2 = starter_row(V2, "Ancient Red Dragon", "srd_ancient-red-dragon")
    sources = {V2: [v2], V1: [starter_row(V1, "Ancient Red Dragon")], DND5E: [starter_row(DND5E, "Ancient Red Dragon")]}
    entity = merged(sources)["srd-2014/Ancient Red Dragon"]
    facts = entity.facts
    assert entity.sources == ["open5e_v2", "open5e_v1", "dnd5e_api"]
    assert (facts["hit_points"], facts["armor_class"], facts["hit_dice"]) == (546, 22, "28d20+252")
    assert (facts["challenge_rating"], facts["challenge_rating_text"], facts["experience_points"]) == (24, "24", 62000)
    assert facts["proficiency_bonus"] == 7
    assert facts["speed"]["fly"] == 80
    assert facts["damage_immunities"] == ["fire"]
    assert names(facts["actions"]) == ["Multiattack", "Bite", "Claw", "Tail", "Frightful Presence", "Fire Breath"]
    assert facts["actions"][-1]["usage"] == "Recharge 5-6"
    assert [(row["name"], row["usage"]) for row in facts["legendary_actions"]] == [
        ("Detect", None),
        ("Tail Attack", None),
        ("Wing Attack", "Costs 2 Actions"),
    ]
    assert facts["bonus_actions"] == facts["reactions"] == []
    assert entity.filled["description"] == entity.filled["legendary_description"] == "open5e_v1"


def test_facts_that_v1_lacks_do_not_have_it_as_source(merged):
    both = merged({V2: [starter_row(V2, "Goblin")], V1: [starter_row(V1, "Goblin")]})["srd-2014/Goblin"]
    assert both.sources == ["open5e_v2", "open5e_v1"]
    assert "senses" not in both.filled


@pytest.mark.parametrize(("given", "page"), [(0, None), (12, 12)])
def test_page_zero_is_unknown(merged, given, page):
    row = starter_row(V1, "Goblin") | {"page_no": given}
    assert merged({V1: [row]})["srd-2014/Goblin"].facts.get("page") == page


def test_damage_types_of_attacks_come_from_texts_not_fields(facts_of):
    row = starter_row(V2, "Goblin")
    thunder = {"name": "Thunder", "key": "thunder"}
    wrong = [action | {"attacks": [{"name": "Any", "damage_type": thunder}]} for action in row["actions"]]
    (scimitar, shortbow) = facts_of("Goblin", actions=wrong)["actions"]
    assert scimitar["attacks"][0]["damage"] == [{"dice": "1d6+2", "type": "slashing"}]
    assert (shortbow["attacks"][0]["range"], shortbow["attacks"][0]["long_range"]) == (80, 320)


@pytest.mark.parametrize(
    ("document", "hit_dice", "size"),
    [
        ("srd-2024", "2d4 - 1", "tiny"),
        ("srd-2024", "3d6", "small"),
        ("srd-2024", "18d8", "medium"),
        ("srd-2024", None, "small"),
        ("srd-2014", "18d8", "small"),
    ],
)
def test_wrong_sizes_in_srd_2024_are_corrected_by_the_hit_die(merged, document, hit_dice, size):
    small = {"name": "Small", "key": "small"}
    row = starter_row(V2, "Goblin") | {"size": small, "hit_dice": hit_dice}
    row["document"] = row["document"] | {"key": document}
    (entity,) = merged({V2: [row]}).values()
    assert entity.facts["size"] == size
    assert ("size" in entity.from_text) == (size != "small")


def test_actions_that_v2_lacks_come_from_v1_in_its_order(merged):
    v2 = starter_row(V2, "Goblin") | {"actions": []}
    v1 = starter_row(V1, "Goblin")
    actions = merged({V2: [v2], V1: [v1]})["srd-2014/Goblin"].facts["actions"]
    assert names(actions) == ["Scimitar", "Shortbow"]
    assert actions[0]["attacks"]


def test_v1_is_merged_by_its_v2_key_if_names_differ(merged):
    v1 = starter_row(V1, "Goblin") | {"name": "Goblin, Common"}
    (entity,) = merged({V2: [starter_row(V2, "Goblin")], V1: [v1]}).values()
    assert entity.sources == ["open5e_v2", "open5e_v1"]


def test_literal_false_is_unknown(merged):
    v1 = starter_row(V1, "Goblin") | {"desc": "False", "damage_immunities": "False", "languages": "False"}
    facts = merged({V1: [v1]})["srd-2014/Goblin"].facts
    assert facts["description"] is None
    assert facts["damage_immunities"] == []
    assert facts["languages"] is None


def test_a_telepath_reaches_as_many_feet_whatever_its_book_calls_them() -> None:
    assert (
        languages("Common,Elvish, telepathy 60' (30' w/newts)") == "Common, Elvish, telepathy 60 ft. (30 ft. w/newts)"
    )
    assert languages("Thieves Cant") == "Thieves' Cant"


def test_one_value_for_a_whole_book_is_a_default(merged):
    goblin = starter_row(V2, "Goblin")
    book = [
        goblin | {"key": f"x_{n}", "name": f"Goblin {n}", "document": {"key": "x"}, "alignment": "chaotic evil"}
        for n in range(20)
    ]
    assert {entity.facts["alignment"] for entity in merged({V2: book}).values()} == {None}
    assert {entity.facts["alignment"] for entity in merged({V2: book[:5]}).values()} == {"chaotic evil"}


def test_a_list_of_all_environments_means_none(facts_of):
    every = [{"name": f"Place {n}", "key": f"place-{n}"} for n in range(31)]
    assert facts_of("Goblin", environments=every)["environments"] is None
    places = [{"name": "Forest or Jungle", "key": "f"}, {"name": "The Abyss", "key": "a"}]
    assert facts_of("Goblin", environments=places)["environments"] == ["abyss", "forest", "jungle"]


@pytest.mark.parametrize(
    ("place", "known_as"), [("Ocean", ["ocean", "water"]), ("Underworld", ["underdark", "underworld"])]
)
def test_an_environment_is_also_known_by_its_wider_name(facts_of, place, known_as):
    assert facts_of("Goblin", environments=[{"name": place, "key": place.lower()}])["environments"] == known_as


def test_senses_are_ranges(facts_of):
    senses = facts_of("Goblin", tremorsense_range=6018)["senses"]
    assert senses["darkvision"] == 60
    assert senses["tremorsense"] is None


def test_the_weakest_have_0_or_10_experience_points(merged):
    rat = merged({V2: [starter_row(V2, "Rat")]})["srd-2014/Rat"].facts
    assert (rat["challenge_rating_text"], rat["experience_points"], rat["proficiency_bonus"]) == ("0", 10, 2)
    toothless = merged({V2: [starter_row(V2, "Rat") | {"actions": []}]})["srd-2014/Rat"].facts
    assert toothless["experience_points"] == 0
    harmless = starter_row(DND5E, "Rat") | {"xp": 0}
    known = merged({V2: [starter_row(V2, "Rat")], DND5E: [harmless]})["srd-2014/Rat"].facts
    assert known["experience_points"] == 0


def test_swarms_keep_the_type_of_their_creatures(facts_of, merged):
    facts = facts_of("Swarm of Bats")
    assert (facts["type"], facts["subtype"]) == ("beast", "swarm")
    inverted = merged({V2: [starter_row(V2, "Goblin") | {"name": "Swarm, Newt"}]})["srd-2014/Swarm, Newt"].facts
    assert inverted["subtype"] == "swarm"
    older = starter_row(V1, "Goblin") | {"name": "Swarm of Newts", "subtype": "Swarm of Imps"}
    told = merged({V2: [starter_row(V2, "Goblin") | {"name": "Swarm of Newts"}], V1: [older]})
    assert told["srd-2014/Swarm of Newts"].facts["subtype"] == "swarm of imps"


@pytest.mark.parametrize(
    ("text", "older", "subtype"),
    [
        ("The newt can occupy another creature's space.", {}, "swarm"),
        ("Can occupy another creature’s space and slip through small gaps.", {}, "swarm"),
        ("A newt can act as a swarm or as one.", {}, None),
        ("The newt can occupy another creature's space.", {"subtype": "demon"}, "demon"),
    ],
)
def test_a_creature_with_the_swarm_trait_is_a_swarm(merged, text, older, subtype):
    row = starter_row(V2, "Ancient Red Dragon", "srd_ancient-red-dragon") | {
        "traits": [{"name": "Swarm", "desc": text}]
    }
    entity = merged({V2: [row], V1: [starter_row(V1, "Ancient Red Dragon") | older]})["srd-2014/Ancient Red Dragon"]
    assert entity.facts["subtype"] == subtype
    assert ("subtype" in entity.from_text) == (subtype == "swarm")


def test_conditions_among_damage_immunities_are_moved(facts_of):
    defences = starter_row(V2, "Goblin")["resistances_and_immunities"]
    facts = facts_of(
        "Goblin", resistances_and_immunities=defences | {"damage_immunities_display": "fire,poisoned,frightened"}
    )
    assert facts["damage_immunities"] == ["fire"]
    assert facts["condition_immunities"] == ["poisoned", "frightened"]


def test_qualified_damage_comes_from_v1(merged):
    defences = starter_row(V2, "Goblin")["resistances_and_immunities"]
    bare = [{"name": name} for name in ("Cold", "Piercing")]
    v2 = starter_row(V2, "Goblin")
    v2["resistances_and_immunities"] = defences | {"damage_resistances_display": "", "damage_resistances": bare}
    v1 = starter_row(V1, "Goblin") | {"damage_resistances": "cold; piercing from nonmagical attacks"}
    goblin = merged({V2: [v2], V1: [v1]})["srd-2014/Goblin"]
    assert goblin.facts["damage_resistances"] == ["cold", "piercing from nonmagical attacks"]
    assert goblin.filled["damage_resistances"] == "open5e_v1"
    alike = merged({V2: [v2], V1: [v1 | {"damage_resistances": "cold, piercing"}]})["srd-2014/Goblin"]
    assert alike.facts["damage_resistances"] == ["cold", "piercing"]
    assert "damage_resistances" not in alike.filled


def test_forms_of_a_shapechanger_are_one_creature(merged):
    goblin = starter_row(DND5E, "Goblin")
    forms = [
        goblin
        | {"index": "weregoat-goat", "name": "Weregoat, Goat Form", "armor_class": [{"type": "dex", "value": 12}]},
        goblin | {"index": "weregoat-human", "name": "Weregoat, Human Form", "actions": goblin["actions"][:1]},
    ]
    (entity,) = merged({DND5E: forms}).values()
    assert entity.name == "Weregoat"
    assert entity.raw == ["dnd5e_api/2014/monsters/weregoat-goat", "dnd5e_api/2014/monsters/weregoat-human"]
    assert entity.facts["armor_class"] is None
    assert names(entity.facts["actions"]) == ["Scimitar", "Shortbow"]


def test_lost_commas_and_letters_are_restored(facts_of):
    row = starter_row(V2, "Goblin")
    told = row["actions"][0] | {"desc": "On a hit  the m\u00e600e1re falls  and sleeps."}
    facts = facts_of("Goblin", actions=[told], document=row["document"] | {"key": "a5e-mm"})
    assert facts["actions"][0]["description"] == "On a hit, the m\u00e1re falls, and sleeps."


def test_legendary_actions_are_not_listed_as_actions(facts_of):
    row = starter_row(V2, "Goblin")
    legendary = row["actions"][0] | {"action_type": "LEGENDARY_ACTION", "legendary_action_cost": 1}
    facts = facts_of("Goblin", actions=[*row["actions"], legendary])
    assert names(facts["actions"]) == ["Shortbow"]
    assert names(facts["legendary_actions"]) == ["Scimitar"]


def test_a_legendary_action_in_place_of_the_introduction_is_listed(merged):
    row = starter_row(V1, "Goblin") | {
        "legendary_desc": "Wet Step. The goblin steps through water.",
        "legendary_actions": [{"name": "Nap", "desc": "The goblin naps."}],
    }
    facts = merged({V1: [row]})["srd-2014/Goblin"].facts
    assert facts["legendary_description"] is None
    assert names(facts["legendary_actions"]) == ["Wet Step", "Nap"]


def test_the_introduction_of_legendary_actions_is_repaired(facts_of):
    row = starter_row(V2, "Goblin")
    told = "The goblin can take 2 legendary actions at the end of another creatures turn."
    introduction = row["actions"][0] | {"name": told, "desc": "", "action_type": "LEGENDARY_ACTION"}
    facts = facts_of("Goblin", actions=[introduction], document=row["document"] | {"key": "a5e-mm"})
    assert facts["legendary_description"] == told.replace("creatures turn", "creature's turn")
    assert facts["legendary_uses"] == 2


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("It blinks.  \n**Cave Folk.**", "It blinks."),
        ("It lives below the  \n**Wet Hills.**", "It lives below the Wet Hills."),
        ("It has  \n# Newts within 6 miles are wetter than usual, and so are all toads.", None),
    ],
)
def test_remnants_of_pages_and_lists_are_removed_from_descriptions(merged, told, expected):
    facts = merged({V1: [starter_row(V1, "Goblin") | {"desc": told}]})["srd-2014/Goblin"].facts
    expected = expected or "It has\n\n* Newts within 6 miles are wetter than usual, and so are all toads."
    assert facts["description"] == expected


def test_descriptions_are_paragraphs(merged):
    told = "A squat thing blinks at you._  \n**Cave Folk.** They dwell below.  \n**Shy.** They hide. Open Game License"
    facts = merged({V1: [starter_row(V1, "Goblin") | {"desc": told}]})["srd-2014/Goblin"].facts
    assert facts["description"] == (
        "_A squat thing blinks at you._\n\n**Cave Folk.** They dwell below.\n\n**Shy.** They hide."
    )


def test_spells_that_are_announced_but_not_listed_are_unknown(facts_of):
    told = {"name": "Spellcasting", "desc": "It can cast the following spells, requiring no components:", "attacks": []}
    assert facts_of("Goblin", traits=[told]).get("spells") is None
    other = {"name": "Gift", "desc": "The goblin can cast *light* at will.", "attacks": []}
    assert [spell["name"] for spell in facts_of("Goblin", traits=[told, other])["spells"]] == ["light"]
    senses = {"name": "Nose", "desc": "It smells spells within 30 feet.", "attacks": []}
    assert facts_of("Goblin", traits=[senses])["spells"] == []


def test_spells_of_a_variant_are_not_the_creatures_own(facts_of):
    spells = "It casts these spells:\nAt will: *light*"
    variant = {"name": "Variant: Goblin Sage", "desc": spells, "attacks": []}
    assert facts_of("Goblin", traits=[variant])["spells"] == []
    assert facts_of("Goblin", traits=[variant | {"name": "Sage"}])["spells"] != []


@pytest.mark.parametrize(
    ("text", "alignment"),
    [
        ("The newt radiates a Chaotic and Evil aura.", "chaotic evil"),
        ("The newt radiates a Good aura.", "good"),
        ("The newt radiates either an Evil or Good aura.", None),
    ],
)
def test_a_trait_may_have_the_alignment(text, alignment):
    facts = {"name": "Newt", "traits": [{"name": "Aligned", "description": text}]}
    assert creatures.derive("creature", facts).get("alignment") == alignment
    neutral = facts | {"alignment": "neutral"}
    assert (neutral | creatures.derive("creature", neutral))["alignment"] == "neutral"


@pytest.mark.parametrize(("name", "hovers"), [("Nebulous", True), ("Nebulous (Cloud Form Only)", False)])
def test_a_trait_may_say_that_it_hovers_unless_in_another_form(name, hovers):
    told = {"name": "Newt", "traits": [{"name": name, "description": "It can hover while flying."}], "actions": []}
    told["speed"] = {"walk": 30, "fly": 60, "hover": None}
    assert (told | creatures.derive("creature", told))["speed"]["hover"] == (hovers or None)
