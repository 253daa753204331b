"""The passages of an entity that are embedded."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.index.passages import MAX_CHUNKS, facts_sentence, passages
from server.dataset.passages import PASSAGE_WORDS


def record(entity_type: str, **facts: Any) -> dict[str, Any]:
    return {"id": f"{entity_type}/x/thing", "entity_type": entity_type, "name": "Thing"} | facts


def test_a_spell_is_summarised_by_its_facts() -> None:
    sentence = facts_sentence(
        record(
            "spell",
            level=4,
            school="evocation",
            classes=["wizard"],
            damage_types=["fire", "cold"],
            casting_time="1 action",
            range="Self",
            concentration=False,
        )
    )
    assert sentence == (
        "Thing: evocation level 4 spell for wizard. Deals damage: fire, cold. Casting time 1 action range Self."
    )


def test_a_creature_is_summarised_by_its_facts() -> None:
    sentence = facts_sentence(
        record(
            "creature",
            size="large",
            type="dragon",
            challenge_rating_text="10",
            speed={"walk": 40, "fly": 80, "swim": None},
            damage_immunities=["fire"],
            actions=[{"name": "Bite", "description": "It bites."}],
        )
    )
    assert sentence == "Thing: large dragon. Challenge rating 10. Can fly. Immune to fire. Abilities: Bite."


def test_a_magic_weapon_is_summarised_by_its_facts() -> None:
    facts = {
        "item_category": "weapon",
        "is_magic": True,
        "is_weapon": True,
        "is_armor": False,
        "rarity": "rare",
        "weapon_category": "martial",
        "damage_dice": "1d8",
        "damage_type": "slashing",
        "requires_attunement": True,
        "attunement_detail": "by a wizard",
    }
    assert facts_sentence(record("magic-item", **facts)) == (
        "Thing: rare magic weapon. martial weapon, 1d8 slashing damage. Requires attunement by a wizard."
    )


def test_an_entity_without_text_still_has_a_passage() -> None:
    (only,) = passages(record("condition", rule_type="condition"))
    assert only.text == "Thing: condition."


def test_long_texts_are_split_at_sentences_into_titled_passages() -> None:
    text = " ".join(f"Sentence number {n} says one small thing about it." for n in range(40))
    whole, *pieces = passages(record("rule", rule_type="rule", description=text))
    assert whole.label == "facts"
    assert whole.text.endswith(text)
    assert all(p.text.startswith("Thing: ") and p.text.endswith(".") for p in pieces)
    assert " ".join(p.text.removeprefix("Thing: ") for p in pieces) == text


def test_a_short_text_is_not_repeated() -> None:
    (only,) = passages(record("rule", rule_type="rule", description="It ends at dawn."))
    assert only.text == "Thing: rule. It ends at dawn."


def test_only_long_texts_of_rules_and_options_are_split() -> None:
    text = "It says one small thing about it. " * 40
    pieces = {
        entity_type: len(list(passages(record(entity_type, description=text, **facts)))) - 1
        for entity_type, facts in {
            "spell": {},
            "creature": {},
            "weapon": {"is_magic": False},
            "rule": {"rule_type": "rule"},
            "feat": {},
        }.items()
    }
    assert pieces == {"spell": 0, "creature": 0, "weapon": 0, "rule": 4, "feat": 4}


@given(st.lists(st.integers(1, 300), min_size=1, max_size=60))
def test_passages_have_a_maximum_length(lengths: list[int]) -> None:
    text = " ".join("word " * (n - 1) + "end." for n in lengths)
    _, *pieces = passages(record("rule", rule_type="rule", description=text))
    assert len(pieces) <= MAX_CHUNKS
    for piece in pieces:
        sentences = piece.text.removeprefix("Thing: ").split(". ")
        assert len(piece.text.split()) <= PASSAGE_WORDS + 1 or len(sentences) == 1
