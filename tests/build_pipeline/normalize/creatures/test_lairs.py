"""Lair actions and regional effects, wherever a source has them."""

from __future__ import annotations

from typing import Any

from build_pipeline.normalize.creatures.lairs import settle_lairs
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.text.stat_blocks.actions import action, trait

LAIR = "On initiative count 20 (losing ties), the newt floods the room."
REGION = "The grass is wet within a mile of the lair."
POND = "Newts are wet.\n\n## A Newt's Lair\n\nPond."
LORE = f"{POND}\n\n### Lair Actions\n\n{LAIR}\n\n### Regional Effects\n\n{REGION}"
BOTH = [action("Lair Actions", LAIR), action("Regional Effects", REGION)]


def draft_of(**facts: Any) -> Draft:
    return Draft("open5e_v1", ("open5e_v1/monsters/newt",), "creature", "tob", "Newt", facts=facts)


def settled(*drafts: Draft) -> list[Any]:
    settle_lairs(drafts)
    return [draft.facts.get("lair_actions") for draft in drafts]


def test_traits_about_the_lair_are_lair_actions():
    draft = draft_of(traits=[trait("Newt's Lair", LAIR), trait("Wet", "It drips."), trait("Regional Effects", REGION)])
    assert settled(draft) == [BOTH]
    assert draft.facts["traits"] == [trait("Wet", "It drips.")]
    assert draft.from_text == {"lair_actions"}


def test_a_trait_with_such_a_name_only_stays_a_trait():
    draft = draft_of(traits=[trait("Deep Lair", "It sleeps below.")])
    assert settled(draft) == [None]
    assert draft.facts["traits"] == [trait("Deep Lair", "It sleeps below.")]


def test_a_description_may_contain_the_lair():
    draft = draft_of(description=LORE)
    assert settled(draft) == [BOTH]
    assert draft.facts["description"] == POND


def test_shared_lore_belongs_to_the_legendary_creatures():
    young, old = draft_of(description=LORE), draft_of(description=LORE, legendary_actions=[action("Hop", "It hops.")])
    assert settled(young, old) == [None, BOTH]
    assert [draft.facts["description"] for draft in (young, old)] == [POND, POND]


def test_shared_lore_stays_whole_if_no_creature_has_such_a_lair():
    young, old = draft_of(description=LORE), draft_of(description=LORE)
    assert settled(young, old) == [None, None]
    assert [draft.facts["description"] for draft in (young, old)] == [LORE, LORE]


def test_the_experience_in_the_lair_is_read_from_the_description():
    draft = draft_of(description="A newt met in its lair has a challenge rating of 12 (8,400 XP).")
    settle_lairs([draft])
    assert draft.facts["lair_experience_points"] == 8400
    assert draft.from_text == {"lair_experience_points"}
