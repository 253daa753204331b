"""Rules for numbers: the last value that the game allows and the first that it does not."""

from __future__ import annotations

from typing import Any

import pytest

from build_pipeline.check.checks import check


def breaks(rule: str, table: str, **facts: Any) -> bool:
    """Whether a record with only these facts breaks a rule."""
    record = {"id": "x/hills/x", "entity_type": "x", "document_key": "hills", "name": "X", "game_system": "5e-2014"}
    return rule in {finding.rule for finding in check({table: [record | facts]}).broken}


@pytest.mark.parametrize(
    ("rule", "table", "column", "below", "least", "most", "above"),
    [
        ("ability-scores", "creatures", "ability_scores.wisdom", 0, 1, 30, 31),
        ("saving-throws", "creatures", "saving_throws.wisdom", -6, -5, 20, 21),
        ("skills", "creatures", "skills.stealth", -6, -5, 20, 21),
        ("speeds", "creatures", "speed.fly", -1, 0, 300, 301),
        ("senses", "creatures", "senses.darkvision", 0, 1, 1320, 1321),
        ("armor-class", "creatures", "armor_class", 0, 1, 30, 31),
        ("hit-points", "creatures", "hit_points", 0, 1, 1000, 1001),
        ("spell-level", "spells", "level", -1, 0, 9, 10),
        ("price", "equipment", "cost_gp", 0.0, 0.01, 1_000_000.0, 1_000_000.01),
        ("weight", "equipment", "weight_lb", 0.0, 0.01, 200_000.0, 200_000.01),
    ],
)
def test_a_number_is_within_its_bounds(
    *, rule: str, table: str, column: str, below: float, least: float, most: float, above: float
) -> None:
    name, _, member = column.partition(".")
    broken = [
        breaks(rule, table, **{name: {member: value} if member else value}) for value in (below, least, most, above)
    ]
    assert broken == [True, False, False, True]


@pytest.mark.parametrize(
    ("points", "dice", "broken"),
    [
        *((5, "2d6", True), (6, "2d6", False), (7, "2d6", False), (8, "2d6", False), (9, "2d6", True)),
        *((10, "3d6", False), (8, "2d6+2", False), (11, "2d6+2", True), (5, "2d6-2", False)),
    ],
)
def test_hit_points_are_within_one_of_their_average(points: int, dice: str, *, broken: bool) -> None:
    assert breaks("hit-points-and-dice", "creatures", hit_points=points, hit_dice=dice) is broken


def test_each_size_has_its_hit_die() -> None:
    sizes, dice = ("tiny", "small", "medium", "large", "huge", "gargantuan"), (4, 6, 8, 10, 12, 20)
    fitting = {
        size: [die for die in dice if not breaks("hit-die-and-size", "creatures", size=size, hit_dice=f"2d{die}")]
        for size in sizes
    }
    assert fitting == {size: [die] for size, die in zip(sizes, dice, strict=True)}


@pytest.mark.parametrize(("rating", "fitting"), [(0.0, [0, 10]), (0.125, [25]), (1.0, [200])])
def test_only_challenge_rating_zero_has_two_values_of_experience(rating: float, fitting: list[int]) -> None:
    points = [
        points
        for points in (0, 10, 25, 50, 200)
        if not breaks("experience", "creatures", challenge_rating=rating, experience_points=points)
    ]
    assert points == fitting


AGILE = {"ability_scores": {"dexterity": 16}, "proficiency_bonus": 2}


@pytest.mark.parametrize(
    ("rule", "column", "fitting"),
    [
        ("skill-bonuses", lambda bonus: {"skills": {"stealth": bonus}}, [5, 7]),
        ("save-bonuses", lambda bonus: {"saving_throws": {"dexterity": bonus}}, [3, 5, 7]),
        ("initiative", lambda bonus: {"initiative_bonus": bonus}, [3, 5, 7]),
        *(
            ("attack-bonuses", lambda bonus, section=section: {section: [attack(bonus)]}, [5, 6, 7, 8])
            for section in ("actions", "bonus_actions", "reactions", "legendary_actions")
        ),
    ],
)
def test_bonuses_follow_from_modifier_and_proficiency(rule: str, column: Any, fitting: list[int]) -> None:
    assert [bonus for bonus in range(11) if not breaks(rule, "creatures", **AGILE, **column(bonus))] == fitting


def attack(to_hit: int) -> dict[str, Any]:
    return {"name": "Bite", "attacks": [{"name": "Bite", "to_hit": to_hit, "damage": []}]}
