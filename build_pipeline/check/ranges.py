"""Rules for numbers and tokens: within what the game allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from build_pipeline.check.rule import Rule, Verdict, World
from build_pipeline.tables import Record
from server.dataset.vocabulary import CHALLENGE_RATINGS, SIZES, TITANIC

_SIZES: Final = {*SIZES, TITANIC}
_RARITIES: Final = {"common", "uncommon", "rare", "very rare", "legendary", "artifact", "varies", "unknown"}


def _within(column: str, low: float, high: float) -> Callable[[Record, World], Iterator[Verdict]]:
    def test(record: Record, _world: World) -> Iterator[Verdict]:
        value = record.get(column)
        if value is not None:
            yield None if low <= value <= high else f"{column} is {value}, not {low} to {high}"

    return test


def _members_within(column: str, low: int, high: int) -> Callable[[Record, World], Iterator[Verdict]]:
    def test(record: Record, _world: World) -> Iterator[Verdict]:
        for member, value in (record.get(column) or {}).items():
            if isinstance(value, int) and not isinstance(value, bool):
                yield None if low <= value <= high else f"{column}.{member} is {value}, not {low} to {high}"

    return test


def _among(column: str, values: set[Any]) -> Callable[[Record, World], Iterator[Verdict]]:
    def test(record: Record, _world: World) -> Iterator[Verdict]:
        value = record.get(column)
        if value is not None:
            yield None if value in values else f"{column} is {value!r}"

    return test


RULES: Final = (
    Rule("ability-scores", "Ability scores are 1 to 30.", "creatures", _members_within("ability_scores", 1, 30)),
    Rule("saving-throws", "Saving throw bonuses are -5 to 20.", "creatures", _members_within("saving_throws", -5, 20)),
    Rule("skills", "Skill bonuses are -5 to 20.", "creatures", _members_within("skills", -5, 20)),
    Rule("speeds", "Speeds are 0 to 300 feet.", "creatures", _members_within("speed", 0, 300)),
    Rule("senses", "Ranges of senses and passive Perception are 1 to 1,320.", "creatures",
         _members_within("senses", 1, 1320)),
    Rule("armor-class", "Armor classes are 1 to 30.", "creatures", _within("armor_class", 1, 30)),
    Rule("hit-points", "Hit points are 1 to 1,000.", "creatures", _within("hit_points", 1, 1000)),
    Rule("challenge-rating", "Challenge ratings are among those of the rules.", "creatures",
         _among("challenge_rating", set(CHALLENGE_RATINGS))),
    Rule("creature-size", "Sizes are among those of the rules.", "creatures", _among("size", _SIZES)),
    Rule("spell-level", "Spell levels are 0 to 9.", "spells", _within("level", 0, 9)),
    Rule("price", "Prices are above 0 and at most 1,000,000 gp.", "equipment", _within("cost_gp", 0.0001, 1_000_000)),
    Rule("weight", "Weights are above 0 and at most 200,000 lb.", "equipment", _within("weight_lb", 0.0001, 200_000)),
    Rule("rarity", "Rarities are among those of the rules.", "equipment", _among("rarity", _RARITIES)),
)  # fmt: skip
