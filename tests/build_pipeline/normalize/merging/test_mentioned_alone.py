"""`links` of one entity to a single other: creatures of tables, a race, a creature that another is as."""

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
    ],
)
def test_what_names_a_single_other(naming: Entity, named: Entity) -> None:
    assign_slugs([naming, named])
    add_links([naming, named], DOCUMENTS, {})
    assert naming.facts["links"] == [named.id]


def test_a_cell_that_is_no_creature_is_none() -> None:
    bag = entity("magic-item", "Odd Bag", is_magic=True, description="| d2 | Creature |\n|---|---|\n| 2 | No one |")
    add_links([bag, entity("creature", "Brass Newt")], DOCUMENTS, {})
    assert bag.facts["links"] == []
