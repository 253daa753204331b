"""Rules for facts that follow from others by the game's tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_pipeline.check.rule import Rule, Verdict, World, parts, texts
from build_pipeline.normalize.text.dice import mean
from build_pipeline.normalize.text.stat_blocks.lines import SIZE_OF_HIT_DIE, modifier
from build_pipeline.tables import Record
from server.dataset.vocabulary import ABILITY_OF_SKILL, EXPERIENCE_BY_CHALLENGE, proficiency_bonus

_HIT_DICE: Final = re.compile(r"(?P<count>\d+)d(?P<sides>\d+)(?P<bonus>[+-]\d+)?")
_DIE_OF_SIZE: Final = {size: int(die.removeprefix("d")) for die, size in SIZE_OF_HIT_DIE.items()}
_KEEN: Final = re.compile(r"\badvantage\b[^.]{0,300}\bperception\b", re.IGNORECASE)
_ADVANTAGE: Final = 5
"""What advantage adds to a passive check."""
_EXPERTISE: Final = {2, 3, 4}
"""What an expertise die (d4, d6, d8) of A5E adds to a passive check; Open5e omits the die."""
_MAGIC: Final = {0, 1, 2, 3}
"""What a magic weapon may add to an attack."""
_OFF_BY: Final = 1
"""Tolerance: books occasionally round averages differently."""


def _hit_points(record: Record, _world: World) -> Iterator[Verdict]:
    dice = _HIT_DICE.fullmatch(record.get("hit_dice") or "")
    if dice and record.get("hit_points") is not None:
        average = mean(dice[0])
        near = abs(record["hit_points"] - average) <= _OFF_BY
        yield None if near else f"{record['hit_points']} hit points, but {record['hit_dice']} is {average:g}"


def _hit_die(record: Record, _world: World) -> Iterator[Verdict]:
    dice, sides = _HIT_DICE.fullmatch(record.get("hit_dice") or ""), _DIE_OF_SIZE.get(record.get("size") or "")
    if dice and sides:
        yield None if int(dice["sides"]) == sides else f"{record['size']} with hit dice {record['hit_dice']}"


def _hit_dice_bonus(record: Record, _world: World) -> Iterator[Verdict]:
    dice = _HIT_DICE.fullmatch(record.get("hit_dice") or "")
    constitution = (record.get("ability_scores") or {}).get("constitution")
    if dice and constitution is not None:
        expected = int(dice["count"]) * modifier(constitution)
        found = int(dice["bonus"] or 0)
        yield None if found == expected else f"{record['hit_dice']}, but Constitution {constitution} gives {expected:+}"


def _experience(record: Record, _world: World) -> Iterator[Verdict]:
    rating, points = record.get("challenge_rating"), record.get("experience_points")
    if rating in EXPERIENCE_BY_CHALLENGE and points is not None:  # other ratings break the rule `challenge-rating`
        expected = EXPERIENCE_BY_CHALLENGE[rating]
        right = points == expected or (rating == 0 and points in {0, 10})
        yield None if right else f"{points} XP at challenge rating {rating:g}, not {expected}"


def _proficiency(record: Record, _world: World) -> Iterator[Verdict]:
    rating, bonus = record.get("challenge_rating"), record.get("proficiency_bonus")
    if rating is not None and bonus is not None:
        expected = proficiency_bonus(rating)
        yield None if bonus == expected else f"proficiency bonus {bonus} at challenge rating {rating:g}, not {expected}"


def _passive_perception(record: Record, _world: World) -> Iterator[Verdict]:
    passive = (record.get("senses") or {}).get("passive_perception")
    wisdom = (record.get("ability_scores") or {}).get("wisdom")
    bonus = skill = (record.get("skills") or {}).get("perception")
    if bonus is None and wisdom is not None:
        bonus = modifier(wisdom)
    if passive is not None and bonus is not None:
        more = {0}
        if any(_KEEN.search(text) for _, text in texts(record)):
            more.add(_ADVANTAGE)
        if skill is not None and record.get("game_system") == "a5e":
            more |= _EXPERTISE
        fits = passive - 10 - bonus in more
        yield None if fits else f"passive Perception {passive} with Perception {bonus:+}"


def _saving_throws(record: Record, _world: World) -> Iterator[Verdict]:
    scores, bonus = record.get("ability_scores") or {}, record.get("proficiency_bonus")
    for ability, save in (record.get("saving_throws") or {}).items():
        score = scores.get(ability)
        if save is not None and score is not None and bonus is not None:
            fits = save - modifier(score) in {0, bonus, 2 * bonus}
            yield None if fits else f"{ability} save {save:+} with {score} and proficiency bonus {bonus}"


def _skills(record: Record, _world: World) -> Iterator[Verdict]:
    scores, bonus = record.get("ability_scores") or {}, record.get("proficiency_bonus")
    for skill, found in (record.get("skills") or {}).items():
        score = scores.get(ABILITY_OF_SKILL[skill])
        if found is not None and score is not None and bonus is not None:
            fits = found - modifier(score) in {bonus, 2 * bonus}
            yield None if fits else f"{skill} {found:+} with {score} and proficiency bonus {bonus}"


def _attacks(record: Record, _world: World) -> Iterator[Verdict]:
    scores, bonus = record.get("ability_scores") or {}, record.get("proficiency_bonus")
    modifiers = {modifier(score) for score in scores.values() if score is not None}
    for action in parts(record, "actions", "bonus_actions", "reactions", "legendary_actions"):
        for attack in action.get("attacks") or ():
            to_hit = attack.get("to_hit")
            if to_hit is not None and modifiers and bonus is not None:
                fits = any(to_hit - own - bonus in _MAGIC for own in modifiers)
                yield None if fits else f"{attack['name']} {to_hit:+} with proficiency bonus {bonus}"


def _initiative(record: Record, _world: World) -> Iterator[Verdict]:
    initiative, dexterity = record.get("initiative_bonus"), (record.get("ability_scores") or {}).get("dexterity")
    bonus = record.get("proficiency_bonus")
    if initiative is not None and dexterity is not None and bonus is not None:
        fits = initiative - modifier(dexterity) in {0, bonus, 2 * bonus}
        yield None if fits else f"initiative {initiative:+} with Dexterity {dexterity} and proficiency bonus {bonus}"


RULES: Final = (
    Rule("hit-points-and-dice", "Hit points are the average of the hit dice.", "creatures", _hit_points),
    Rule("hit-die-and-size", "The hit die matches the size.", "creatures", _hit_die),
    Rule(
        "hit-dice-and-constitution",
        "Hit dice add the Constitution modifier once per die.",
        "creatures",
        _hit_dice_bonus,
    ),
    Rule("experience", "Experience matches the challenge rating.", "creatures", _experience),
    Rule("proficiency-bonus", "The proficiency bonus matches the challenge rating.", "creatures", _proficiency),
    Rule("passive-perception", "Passive Perception is 10 plus the bonus.", "creatures", _passive_perception),
    Rule("save-bonuses", "Saves are the modifier, with or without proficiency.", "creatures", _saving_throws),
    Rule("skill-bonuses", "Skills are the modifier with proficiency once or twice.", "creatures", _skills),
    Rule("attack-bonuses", "Attacks are a modifier with proficiency and at most +3.", "creatures", _attacks),
    Rule("initiative", "Initiative is Dexterity, with or without proficiency.", "creatures", _initiative),
)
