"""`links` to a single other entity: creatures of tables, a race, a similar creature."""

from __future__ import annotations

from typing import Any

import pytest

from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.merging.mentioned import add_links
from build_pipeline.normalize.merging.merge import Entity, assign_slugs

DOCUMENTS = {"red-book": DocumentMeta("red-book", "Red Book", "Coast", game_system="5e-2014")}


def entity(entity_type: str, name: str, **facts: Any) -> Entity:
    return Entity([Draft("srd", (f"srd/{entity_type}/{name}",), entity_type, "red-book", name)], "red-book", facts)


@pytest.mark.parametrize(
    ("naming", "named"),
    [
        (
            entity(
                "magic-item", "Odd Bag", is_magic=True, description="| d2 | Creature |\n|---|---|\n| 1 | Brass newt |"
            ),
            entity("creature", "Brass Newt"),
        ),
        (
            entity("magic-item", "Odd Page", is_magic=True, description="| d2 | Golem |\n|---|---|\n| 1 | Brass |"),
            entity("creature", "Brass Golem"),
        ),
        (
            entity("subclass", "Path of Mud", features=[{"name": "Restriction: Newtfolk", "description": "Alone."}]),
            entity("race", "Newtfolk"),
        ),
        (
            entity("creature", "Sharp Newt", description="As the brass newt, except it stings."),
            entity("creature", "Brass Newt"),
        ),
        (
            entity("magic-item", "Buckle", is_magic=True, description="It shines.\n\n**Mud Buckle** (Rare). It sinks."),
            entity("magic-item", "Mud Buckle"),
        ),
        (
            entity("rule", "Lodging", description="| Item | Cost |\n|---|---|\n| *Meals* | |\n| Poor | 6 cp |"),
            entity("adventuring-gear", "Meal (Poor)"),
        ),
        (
            entity("rule", "Lodging", description="| Item | Cost |\n|---|---|\n| *Brine* | |\n| Fine (jug) | 1 gp |"),
            entity("adventuring-gear", "Fine Brine"),
        ),
        (
            entity("weapon", "Slinger", properties=[{"name": "ammunition", "detail": "range 30/90; pebble"}]),
            entity("adventuring-gear", "Slinger Pebbles"),
        ),
        (
            entity("creature", "Angry Newt", traits=[{"name": "Spit (While Bloodied)", "description": "It spits."}]),
            entity("condition", "Bloodied"),
        ),
        (
            entity("creature", "Tin Newt", armor_description="chain coat in newt form"),
            entity("armor", "Chain Coat"),
        ),
        (
            entity("magic-item", "Jam", is_magic=True, description="| Jar of … | Taste |\n|---|---|\n| Plum | Sweet |"),
            entity("magic-item", "Jar of Plum"),
        ),
        (
            entity("background", "Baker", equipment="A belt pouch containing 9 gp"),
            entity("adventuring-gear", "Pouch"),
        ),
        (
            entity("background", "Guard", equipment="A pan emblazoned with the arms of a newt"),
            entity("adventuring-gear", "Pan"),
        ),
        (
            entity("spell", "Mud", description="It is difficult terrain until a Dexterity (Acrobatics) check."),
            entity("rule", "Difficult Terrain"),
        ),
        (
            entity(
                "creature", "Sly Newt", traits=[{"name": "Nose", "description": "It likes Wisdom (Perception) checks."}]
            ),
            entity("skill", "Perception"),
        ),
        (
            entity("magic-item", "Sly Hat", description="It works like the baker's Bake Bread feature."),
            entity("class", "Baker"),
        ),
        (
            entity("spell", "Nap", description="You yawn until you finish a short or long rest."),
            entity("rule", "Short Rest"),
        ),
        (
            entity("creature", "Newt King", traits=[{"name": "Magic", "description": "It calls (brass newt only)."}]),
            entity("creature", "Brass Newt"),
        ),
        (entity("spell", "Ray", description="On a critical hit it sings."), entity("rule", "Critical Hits")),
        (entity("spell", "Wall", description="Who stands behind it has total cover."), entity("rule", "Cover")),
        (entity("spell", "Fence", description="It gives half-cover."), entity("rule", "Cover")),
        (
            entity("creature", "Cook", traits=[{"name": "Magic", "description": "It has the following baker spells."}]),
            entity("class", "Baker"),
        ),
        (
            entity("creature", "Baker Newt", traits=[{"name": "Fire", "description": "Such as a baker's Bake Bread."}]),
            entity("class", "Baker"),
        ),
        (
            entity("creature", "Lazy Newt", traits=[{"name": "Snore", "usage": "Recharges after a Long Rest"}]),
            entity("rule", "Long Rest"),
        ),
        (
            entity("creature", "Newt Nurse", description="It heals the poison from a bog newt's Bite."),
            entity("creature", "Bog Newt"),
        ),
        (
            entity("creature", "Newt Duke", description="It calls 1d4 trouts or 1 swarm of moths."),
            entity("creature", "Swarm of Moths"),
        ),
        (
            entity("magic-item", "Tin Toad", is_magic=True, description="It can become a toad for up to 9 minutes."),
            entity("creature", "Toad"),
        ),
        (
            entity("magic-item", "Pan", is_magic=True, description="You can summon a brass newt, as if by magic."),
            entity("creature", "Brass Newt"),
        ),
        (
            entity("creature", "Stomach", description="It is as large as bags of mud within."),
            entity("magic-item", "Bag of Mud"),
        ),
        (entity("creature", "Shifty Newt", description="It can shape-shift."), entity("rule", "Shape-Shifting")),
        (
            entity("rule", "Extras", description="So does the Baker's Hungry Oven invocation."),
            entity("feat", "Hungry Oven"),
        ),
        (entity("feat", "Hymn", description="You lift your holy symbol."), entity("adventuring-gear", "Holy Symbols")),
        (
            entity("spell", "Rinse", components={"material_description": "a drop of holy water"}),
            entity("adventuring-gear", "Holy Water"),
        ),
        (
            entity("creature", "Howler", description="It calls 2d6 wolves or 2 wampus newts."),
            entity("creature", "Wampus Newt"),
        ),
        (entity("creature", "Howler", description="It calls 2d6 wolves."), entity("creature", "Wolf")),
        (
            entity("creature", "Armed Newt", actions=[{"name": "+1 Spoon", "attacks": [{}], "description": ""}]),
            entity("weapon", "Spoon"),
        ),
        (
            entity("creature", "Rested Newt", traits=[{"name": "Snore (Recharges after a Long Rest)"}]),
            entity("rule", "Long Rest"),
        ),
        (
            entity(
                "magic-item", "Page", is_magic=True, description="| d4 | Creature |\n|---|---|\n| 1 | Eel or Newt |"
            ),
            entity("creature", "Newt"),
        ),
        (
            entity("feat", "Pact", description="It has one of the following special forms: eel, newt, or toad."),
            entity("creature", "Newt"),
        ),
        (
            entity(
                "race",
                "Bakerfolk",
                traits=[{"name": "Arms", "description": "You have proficiency with pans and spoons."}],
            ),
            entity("weapon", "Spoon"),
        ),
        (entity("rule", "Baker Spells", description="None."), entity("class", "Baker")),
    ],
)
def test_a_single_named_entity_is_linked(naming: Entity, named: Entity) -> None:
    assign_slugs([naming, named])
    add_links([naming, named], DOCUMENTS, {})
    assert naming.facts["links"] == [named.id]


def test_a_cell_with_another_word_is_not_a_creature() -> None:
    bag = entity("magic-item", "Odd Bag", is_magic=True, description="| d2 | Creature |\n|---|---|\n| 2 | No one |")
    add_links([bag, entity("creature", "Brass Newt")], DOCUMENTS, {})
    assert bag.facts["links"] == []


def test_darkvision_in_italics_means_the_spell() -> None:
    sense, spell = entity("rule", "Darkvision"), entity("spell", "Darkvision")
    naming = entity("spell", "Night", description="It ends *darkvision*, and who casts the darkvision spell yawns.")
    assign_slugs([naming, sense, spell])
    add_links([naming, sense, spell], DOCUMENTS, {})
    assert naming.facts["links"] == [spell.id]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("An Invisible newt sings to two Bakers.", ["condition", "class"]),
        ("An invisible newt sings to two bakers.", []),
    ],
)
def test_capitalised_conditions_and_classes_are_linked_in_such_books(text: str, expected: list[str]) -> None:
    naming, others = (
        entity("spell", "Song", description=text),
        (entity("condition", "Invisible"), entity("class", "Baker")),
    )
    assign_slugs([naming, *others])
    documents = {"red-book": DocumentMeta("red-book", "Red Book", "Coast", game_system="5e-2024")}
    add_links([naming, *others], documents, {})
    assert [link.partition("/")[0] for link in naming.facts["links"]] == expected


@pytest.mark.parametrize(
    ("called", "found"), [("newt that hums", 1), ("newt", 1), ("newt mastiff", 0), ("newt of Mud", 0)]
)
def test_a_word_of_a_longer_name_is_not_a_creature(called: str, found: int) -> None:
    naming, newt = entity("spell", "Call", description=f"You summon a {called}."), entity("creature", "Newt")
    assign_slugs([naming, newt])
    add_links([naming, newt], DOCUMENTS, {})
    assert len(naming.facts["links"]) == found
