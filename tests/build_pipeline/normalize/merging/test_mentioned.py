"""`links`: entities that facts, texts and sources name, in the same edition, without coincidences of words."""

from __future__ import annotations

from typing import Any

import pytest
from merging import entity

from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.mentioned import add_links, marks_of
from build_pipeline.normalize.merging.merge import Entity, assign_slugs
from build_pipeline.snapshot.raw import RawLayer, RawObject

DOCUMENTS = {
    key: DocumentMeta(key, key, "Coast", game_system=edition)
    for key, edition in (("srd-2014", "5e-2014"), ("srd-2024", "5e-2024"), ("red-book", "5e-2014"), ("odd", "a5e"))
}


def world() -> list[Entity]:
    return [
        *(entity("spell", "srd-2014", name) for name in ("Light", "Shield", "Fear", "Divination", "Mud Coat")),
        entity("spell", "srd-2024", "Fear"),
        entity("spell", "srd-2014", "Guards and Wards"),
        entity("condition", "srd-2014", "Prone"),
        entity("condition", "srd-2024", "Prone"),
        entity("feat", "srd-2024", "Boon of Puddles"),
        entity("feat", "srd-2024", "Nimble Newt"),
        *(entity("condition", "srd-2014", name) for name in ("Invisible", "Exhaustion")),
        *(entity("rule", "srd-2014", name) for name in ("Sewer Plague", "Short-Term Madness", "Long-Term Madness")),
        entity("creature", "srd-2014", "Guard"),
        entity("creature", "srd-2014", "Dire Newt"),
        entity("creature", "red-book", "Newt, Dire"),
        entity("creature", "srd-2014", "Riding Horse"),
        entity("magic-item", "srd-2014", "Portable Hole"),
        entity("magic-item", "srd-2014", "Hat of Hats"),
        entity("magic-item", "red-book", "Soup of Fear"),
        entity("weapon", "srd-2014", "Longsword"),
        entity("armor", "srd-2014", "Leather Armor"),
        entity("weapon-property", "srd-2014", "Reach"),
        entity("class", "srd-2014", "Wizard"),
        entity("feat", "srd-2014", "Alert"),
        entity("rule", "srd-2014", "Cover", parent={"id": "rule/srd-2014/combat"}, headings=["combat"]),
        entity("rule", "srd-2014", "Combat", headings=["combat"]),
        entity("rule", "srd-2014", "Temporary Hit Points"),
    ]


def links(origin: Entity, *marks: tuple[str, str]) -> list[str]:
    everything = [*world(), origin]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {origin.drafts[0].raw[0]: marks})
    found: list[str] = origin.facts["links"]
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It snuffs out a *light* cast nearby.", ["spell/srd-2014/light"]),
        ("It has advantage against the fear spell.", ["spell/srd-2014/fear"]),
        ("It heals from spells like guards and wards.", ["spell/srd-2014/guards-and-wards"]),
        ("It wakes under a Light, Fear, or similar spell.", ["spell/srd-2014/light", "spell/srd-2014/fear"]),
        ("Like *Light, Fear* and more.", ["spell/srd-2014/light", "spell/srd-2014/fear"]),
        ("Wrapped in *guards and wards*.", ["spell/srd-2014/guards-and-wards"]),
        ("Stow it in a _portable hole_.", ["magic-item/srd-2014/portable-hole"]),
        ("It works like a hat of hats when it rains.", ["magic-item/srd-2014/hat-of-hats"]),
        ("It melts in rain or soup of *fear*.", ["magic-item/red-book/soup-of-fear"]),
        ("It knows the effects of *fear*.", ["spell/srd-2014/fear"]),
        ("It hums like a *light.* Then it stops.", ["spell/srd-2014/light"]),
        ("It needs the Reach Property.", ["weapon-property/srd-2014/reach"]),
        ("It uses the Riding Horse stat block.", ["creature/srd-2014/riding-horse"]),
        ("Use the statistics of a riding horse, but faster.", ["creature/srd-2014/riding-horse"]),
        ("It has the same statistics as a riding horse, but no rider.", ["creature/srd-2014/riding-horse"]),
        ("It uses the statistics of riding horses except for the neighing.", ["creature/srd-2014/riding-horse"]),
        ("It has the statistics of a riding horse for a week.", ["creature/srd-2014/riding-horse"]),
        ("Two **guards** come running.", ["creature/srd-2014/guard"]),
        ("It calls 2 **dire newts**.", ["creature/red-book/newt-dire"]),
        ("The target falls prone.", ["condition/srd-2014/prone"]),
        ("The imp becomes invisible until it bites.", ["condition/srd-2014/invisible"]),
        ("The imp turns invisible in mud.", ["condition/srd-2014/invisible"]),
        ("The newt is resistant to exhaustion.", ["condition/srd-2014/exhaustion"]),
        ("It works its newts to exhaustion.", []),
        ("Whoever drinks contracts sewer plague.", ["rule/srd-2014/sewer-plague"]),
        (
            "It heals short-term or long-term madness.",
            ["rule/srd-2014/short-term-madness", "rule/srd-2014/long-term-madness"],
        ),
        ("It stays for a short-term or long-term loan of the madness potion.", []),
        ('Trees give shelter (see "Cover").', ["rule/srd-2014/cover"]),
        ("It holds a shield in dim light, prone to fear.", []),
        ("An invisible wall keeps divination spells out.", []),
        ("**Light.** It glows.\n\n*Fear:* it howls.", []),
        ("* **Guard** | two of them", []),
        ("| Worn | Cost |\n|---|---|\n| *Shield* | |\n| Buckler | 1 gp |", []),
        ("| Spell | Level |\n|---|---|\n| *Shield* | 1 |", ["spell/srd-2014/shield"]),
        ("*Item Requirement: Helmet or Shield*", []),
    ],
)
def test_marked_up_names_are_linked(text, expected):
    assert links(entity("adventuring-gear", "red-book", "Odd Lamp", description=text)) == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"inflicts": ["prone"], "condition_immunities": ["invisible (in mud)"]}, ["prone", "invisible"]),
        ({"condition_resistances": ["prone"]}, ["prone"]),
        ({"armor_description": "leather, shield"}, ["leather-armor"]),
        ({"armor_description": "leather and shield"}, ["leather-armor"]),
        ({"armor_description": "15 with mud coat"}, ["mud-coat"]),
        ({"damage_immunities": ["cold from who is under a light spell"]}, ["light"]),
        ({"damage_immunities": ["cold from light"]}, []),
        ({"traits": [{"name": "Old", "description": "It gains 3 temporary hp."}]}, ["temporary-hit-points"]),
        ({"traits": [{"name": "Old", "description": "It casts from the wizard or cook spell list."}]}, ["wizard"]),
        ({"armor_description": "leather; 13 with shield"}, ["leather-armor"]),
        ({"actions": [{"name": "Longsword (2/Turn)", "description": "A hit.", "attacks": [{}]}]}, ["longsword"]),
        ({"actions": [{"name": "Longsword", "description": "It polishes it.", "attacks": []}]}, []),
        ({"traits": [{"name": "Old Hat of Hats (1/Day)", "description": "It rains."}]}, ["hat-of-hats"]),
        ({"spells": [{"name": "Fear", "id": "spell/srd-2014/fear", "usage": None, "level": 1}]}, ["fear"]),
        ({"related": ["rule/srd-2014/cover", "No Such Rule"]}, ["cover"]),
        ({"properties": [{"name": "reach", "detail": None}], "attunement_detail": "by a wizard"}, ["reach", "wizard"]),
        ({"attunement_detail": "by a cook or a creature attuned to a hat of hats"}, ["hat-of-hats"]),
        ({"benefits": [{"name": "Feat", "description": "Alert (see the list)"}]}, ["alert"]),
        ({"spell_list": [{"level": 0, "spells": ["spell/srd-2014/light"]}]}, []),
    ],
)  # fmt: skip
def test_facts_are_linked(facts, expected):
    found = links(entity("creature", "red-book", "Newt", **facts))
    assert [each.rpartition("/")[2] for each in found] == expected


def test_a_creatures_own_thing_comes_before_anothers():
    own = entity("creature", "red-book", "Newt Lord's Guard")
    lord = entity("creature", "red-book", "Newt Lord", description="Its victim becomes a guard, or rises as a guard.")
    everything = [*world(), own, lord]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert lord.facts["links"] == [own.id]


def test_a_creatures_own_statistics_link_to_no_other():
    text = "It uses the newt's statistics, or the guard's statistics."
    everything = [*world(), entity("creature", "red-book", "Newt"), entity("creature", "red-book", "Newt Mage")]
    everything[-1].facts["description"] = text
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert everything[-1].facts["links"] == ["creature/srd-2014/guard"]


def test_a_name_that_begins_with_the_own_name_is_linked():
    everything = [*world(), entity("creature", "red-book", "Newt Spawn"), entity("creature", "red-book", "Newt")]
    everything[-1].facts["description"] = "Its victim rises as a newt spawn under its control."
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert everything[-1].facts["links"] == ["creature/red-book/newt-spawn"]


@pytest.mark.parametrize(
    ("name", "end", "alike"),
    [("Frog Songs", " All know them.", True), ("Frog Songs", " Few know them.", False), ("Songs", " Few do.", True)],
)
def test_rules_with_the_same_text_link_to_each_other(name, end, alike):
    text = "These songs are known to every newt of the pond, to most frogs of the marsh, and to no toad of the forest."
    one = entity("rule", "red-book", "Songs" if name == "Songs" else "Newt Songs", description=f"{text} All know them.")
    other = entity("weapon", "red-book", name, description=f"{text}{end}")
    everything = [*world(), one, other]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert other.facts["links"] == ([one.id] if alike else [])


def test_an_ambiguous_rule_is_that_of_combat():
    of_travel = entity("rule", "srd-2014", "Short-Term Madness", section="Travel", reading_order=1)
    of_combat = entity("rule", "srd-2014", "Short-Term Madness", section="Combat", reading_order=2)
    spell = entity("spell", "srd-2014", "Fog", description="It causes short-term madness.")
    everything = [of_travel, of_combat, spell]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert spell.facts["links"] == [of_combat.id]


def test_names_mean_things_of_the_same_edition():
    assert links(entity("creature", "srd-2024", "Newt", description="*Fear*")) == ["spell/srd-2024/fear"]
    assert links(entity("creature", "odd", "Newt", description="*Fear*")) == []


@pytest.mark.parametrize(
    ("document", "text", "expected"),
    [
        ("srd-2024", "A jar of prone newts", []),
        ("srd-2024", "The newt has the Prone condition.", ["condition/srd-2024/prone"]),
        ("srd-2024", "Boon of Puddles is recommended.", ["feat/srd-2024/boon-of-puddles"]),
        ("srd-2024", "You gain the Boon of Puddles feat.", ["feat/srd-2024/boon-of-puddles"]),
        ("srd-2024", "You gain the Nimble Newt feat or another one.", ["feat/srd-2024/nimble-newt"]),
        ("srd-2014", "The newt falls prone.", ["condition/srd-2014/prone"]),
    ],
)
def test_the_rules_of_2024_capitalise_conditions_and_recommend_boons(document, text, expected):
    assert links(entity("adventuring-gear", document, "Jar", description=text)) == expected


def test_a_subclass_links_to_its_classs_edition():
    wizard = {"id": "class/srd-2024/wizard", "name": "Wizard", "document_key": "srd-2024"}
    of_2024 = entity("subclass", "red-book", "Warder", description="You cast *fear*.", subclass_of=wizard)
    assert "spell/srd-2024/fear" in links(of_2024)
    of_2014 = entity("subclass", "red-book", "Warder", description="You cast *fear*.")
    assert links(of_2014) == ["spell/srd-2014/fear"]


def test_no_entity_links_to_itself_or_its_namesake():
    assert links(entity("spell", "red-book", "Fear", description="*Fear* ends.")) == []


def test_a_rule_links_to_the_spell_or_item_with_its_name():
    assert links(entity("rule", "red-book", "Fear", description="As the *Fear* spell.")) == ["spell/srd-2014/fear"]
    hole = entity("rule", "red-book", "Portable Hole", description="A trap with a *portable hole*.")
    assert links(hole) == ["magic-item/srd-2014/portable-hole"]


def test_a_rule_is_related_to_things_of_its_book_except_spells():
    combat = "rule/srd-2014/combat"
    swimming = entity("rule", "srd-2014", "Swimming", related=[combat], description="Prone in *fear*, grab *plate*.")
    plate = entity("armor", "srd-2014", "Plate")
    creature = entity("creature", "srd-2014", "Newt", description="The target is prone.")
    everything = [*world(), swimming, plate, creature]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert swimming.facts["related"] == [combat, "condition/srd-2014/prone"]
    assert "related" in swimming.from_text
    assert "related" not in creature.facts


def test_a_word_of_its_name_does_not_mean_a_magic_item():
    armor = entity("magic-item", "srd-2014", "Ogre Armor")
    armor.drafts[0].keys = ("ogre",)
    named = [
        entity("rule", "red-book", "Brutes", description=text) for text in ("Of **ogre** kin.", "In *ogre armor*.")
    ]
    assign_slugs([armor, *named])
    add_links([armor, *named], DOCUMENTS, {})
    assert [rule.facts["links"] for rule in named] == [[], [armor.id]]


def test_options_link_to_the_skills_that_they_train_or_use():
    skills = [entity("skill", "srd-2014", name) for name in ("Arcana", "Nature", "Stealth")]

    def named(**facts: Any) -> list[str]:
        option = entity("background", "red-book", "Warder", **facts)
        everything = [*skills, option]
        assign_slugs(everything)
        add_links(everything, DOCUMENTS, {})
        return [each.rpartition("/")[2] for each in option.facts["links"]]

    assert named(skill_proficiencies="Arcana, and either Nature or Stealth") == ["arcana", "nature", "stealth"]
    assert named(proficiencies={"skills": "Choose two from Arcana and Nature"}) == ["arcana", "nature"]
    assert named(prerequisite="Proficiency with Stealth") == ["stealth"]
    assert named(description="You have advantage on Stealth checks. Nature is kind.") == ["stealth"]
    assert named(description="Nature Magic needs no skill in Arcana.") == ["arcana"]


@pytest.mark.parametrize(
    "needed", ["9th level, Pact of the Bell feature", "Level 5+ Warder, Pact of the Bell Invocation"]
)
def test_an_option_links_to_its_prerequisite(needed):
    pact = entity("feat", "red-book", "Pact of the Bell")
    option = entity("feat", "red-book", "Louder Bell", prerequisite=needed)
    everything = [pact, option]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert option.facts["links"] == [pact.id]


def test_a_rule_and_things_printed_with_it_link_to_each_other():
    text = "Whoever carries this much rope into a tower walks at half speed until the rope is let go again."
    rope, rule = (
        entity("weapon", "red-book", "Rope", description=text),
        entity("rule", "red-book", "Ropes", description=text),
    )
    trap = entity("rule", "red-book", "Falling Tower", description=f"{text} It is a trap.")
    other = entity("weapon", "srd-2014", "Rope", description=text)
    everything = [rope, rule, trap, other]
    assign_slugs(everything)
    add_links(everything, DOCUMENTS, {})
    assert [each.facts["links"] for each in everything] == [[rule.id], [rope.id], [], []]


def test_links_of_sources_count_if_the_text_has_the_name():
    lamp = entity("adventuring-gear", "srd-2014", "Odd Lamp", description="It shines behind cover, to wizards.")
    marks = (("cover", "#cover"), ("wizards", "#section-wizard"), ("fear", "#fear"))
    assert links(lamp, *marks) == ["rule/srd-2014/cover", "class/srd-2014/wizard"]
    lamp = entity("adventuring-gear", "srd-2014", "Odd Lamp", description="It shines behind cover.")
    lamp.struck.add("cover")
    assert links(lamp, *marks) == [], "a correction took the linked word out"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It melts in soup of fear.", "magic-item/red-book/soup-of-fear"),
        ("It melts in soup of fear. It casts fear.", "spell/srd-2014/fear"),
    ],
)
def test_a_source_may_link_a_part_of_a_name(text, expected):
    lamp = entity("adventuring-gear", "red-book", "Odd Lamp", description=text)
    assert links(lamp, ("fear", "#fear")) == [expected]


def test_a_sources_link_from_a_school_to_a_spell_is_ignored():
    lamp = entity("adventuring-gear", "srd-2014", "Odd Lamp", description="It makes divination spells fail.")
    assert links(lamp, ("divination", "/spells/divination")) == []


def test_a_sources_link_from_a_kind_of_items_to_an_item_is_ignored():
    lamp = entity("adventuring-gear", "red-book", "Odd Lamp", description="Lit with hats, or with a hat of hats.")
    assert links(lamp, ("hats", "#hat-of-hats")) == ["magic-item/srd-2014/hat-of-hats"]
    lamp = entity("adventuring-gear", "red-book", "Odd Lamp", description="Lit with hats.")
    assert links(lamp, ("hats", "#hat-of-hats")) == []


def test_links_are_read_from_the_raw_objects():
    text = '{"desc": "Until a [remove curse](https://api.open5e.com/spells/remove-curse) and [*rest*](#resting)."}'
    table = r'{"text": "<td><a href=\"#wise-word\"><em>Wise word</em></a></td>"}'
    raw = RawLayer.of([RawObject("srd", "book", "a", "", "", text), RawObject("srd", "book", "b", "", "", table)])
    assert marks_of(raw) == {
        "srd/book/a": (("remove curse", "https://api.open5e.com/spells/remove-curse"), ("rest", "#resting")),
        "srd/book/b": (("Wise word", "#wise-word"),),
    }


def test_barding_links_to_its_armor():
    barding = entity("adventuring-gear", "srd-2014", "Barding: Leather", item_category="tack-and-harness")
    assert links(barding) == ["armor/srd-2014/leather-armor"]


def test_a_lineages_trait_may_be_only_a_spells_name():
    traits = [{"name": "Level 3", "description": "Fear"}, {"name": "Level 5", "description": "Shield from rain."}]
    assert links(entity("subrace", "srd-2024", "Newtfolk", traits=traits)) == ["spell/srd-2024/fear"]
    assert links(entity("race", "srd-2024", "Newtfolk", traits=traits)) == []


def test_a_rule_links_to_the_gear_in_its_tables():
    text = "| Ware | Cost |\n|---|---|\n| Longsword (steel) | 9 gp |"
    assert links(entity("rule", "srd-2014", "Smithy", description=text)) == ["weapon/srd-2014/longsword"]
    assert not links(entity("rule", "srd-2014", "Smithy", description=text.replace("Cost", "Use")))
