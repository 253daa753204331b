"""Ranking metrics against graded judgements: nDCG, MRR, recall and success, each with a confidence interval.

The definitions (gain 2^grade - 1, the ideal ranking taken from all judged items, recall over at most 20, each item
credited once) are those of the judged set's own scorer. No library has exactly these, and figures are only comparable
if they match.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

JudgedItem = tuple[str, str]
"""(group of kinds, folded name): what a judgement is about. All printings and variants of a thing are one item."""

USEFUL: Final = 2
"""Lowest grade of a useful result."""
EXACT: Final = 3
"""Grade of the exact thing asked for."""
NAME_CLASSES: Final = ("exact-name", "name-typo", "partial-name")
METRICS: Final = ("ndcg@10", "mrr@10", "recall@20", "success@1_names")

_DEPTH: Final = 10
_RECALL_DEPTH: Final = 20

_KINDS: Final = {
    "equipment": "weapon armor armour gear item items magic-item magicitem equipment shield tool pack ammunition "
    "potion ring rod staff wand scroll wondrous-item adventuring-gear",
    "species": "species race races subrace subspecies lineage heritage",
    "rule": "rule rules ruleset section rule-section rulesection game-rule",
    "creature": "creature creatures monster monsters npc beast",
    "spell": "spell spells",
    "class": "class classes",
    "subclass": "subclass subclasses archetype",
    "background": "background backgrounds",
    "feat": "feat feats",
    "condition": "condition conditions",
    "skill": "skill skills",
    "language": "language languages",
    "plane": "plane planes",
    "ability": "ability abilities ability-score",
    "alignment": "alignment alignments",
    "damage-type": "damage-type damage-types damagetype",
    "spell-school": "spell-school spellschool school magic-school",
    "weapon-property": "weapon-property weapon-properties weaponproperty property",
}
_GROUP: Final = {kind: group for group, kinds in _KINDS.items() for kind in kinds.split()}

_WEAPONS: Final = """
battleaxe, blowgun, club, crossbow-hand, crossbow-heavy, crossbow-light, hand crossbow, heavy crossbow, light crossbow,
crossbow, dagger, dart, flail, glaive, greataxe, greatclub, greatsword, halberd, handaxe, javelin, lance, light hammer,
light-hammer, longbow, longsword, mace, maul, morningstar, musket, net, pike, pistol, quarterstaff, rapier, scimitar,
shortbow, shortsword, sickle, sling, spear, trident, war pick, war-pick, warpick, warhammer, whip, sword, axe, weapon,
bow
"""
_ARMOR: Final = """
studded leather armor, studded-leather, studded leather, half plate armor, half-plate armor, half-plate, half plate,
plate armor, breastplate, plate, chain mail, chain shirt, chain-mail, chain-shirt, hide armor, hide, leather armor,
leather, padded armor, padded, ring mail, ring-mail, scale mail, scale-mail, splint armor, splint, armor
"""


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",")]


_BASES: Final = frozenset((*_names(_WEAPONS), *_names(_ARMOR)))


def _any_of(names: Iterable[str]) -> str:
    return "(?:" + "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) + ")"


_IN_PARENTHESES: Final = re.compile(rf"\s*\({_any_of(_BASES)}\)$")
_LAST_WORD: Final = re.compile(rf"(?<=\S) {_any_of(_BASES)}$")
_WEAPON_OF: Final = re.compile(rf"^{_any_of(_names(_WEAPONS))}(?= of )")
_ARMOR_OF: Final = re.compile(rf"^{_any_of(_names(_ARMOR))}(?= of )")


def judged_item(kind: str, name: str) -> JudgedItem:
    """The item that a result of this kind and name counts as; equipment drops the base item it is made from.

    >>> judged_item("magic-item", "Flame Tongue (Greatsword)")
    ('equipment', 'flame tongue')
    """
    word = kind.strip().lower().replace(" ", "-")
    group = _GROUP.get(word) or _GROUP.get(word.replace("_", "-")) or word
    folded = re.sub(r"\s+", " ", name.strip().lower().replace("’", "'"))
    if group != "equipment" or folded in _BASES:
        return group, folded
    folded = _IN_PARENTHESES.sub("", folded)
    if folded not in _BASES:
        folded = _ARMOR_OF.sub("armor", _WEAPON_OF.sub("weapon", _LAST_WORD.sub("", folded)))
    return group, folded


def judged_items(results: Iterable[Mapping[str, Any]]) -> list[JudgedItem]:
    """The items of results (`kind`, `name`) in rank order, without repeats."""
    return list(dict.fromkeys(judged_item(result["kind"], result["name"]) for result in results))


def grades(judgements: Iterable[Mapping[str, Any]]) -> dict[str, dict[JudgedItem, int]]:
    """Query id → item → grade, from rows of `qid`, `kind`, `name`, `grade`; the highest if an item has several."""
    found: defaultdict[str, dict[JudgedItem, int]] = defaultdict(dict)
    for row in judgements:
        key = judged_item(row["kind"], row["name"])
        found[row["qid"]][key] = max(found[row["qid"]].get(key, 0), row["grade"])
    return dict(found)


def measure(
    query_class: str, judged: Mapping[JudgedItem, int], ranked: Sequence[JudgedItem]
) -> dict[str, float | None]:
    """The metrics of one query; None for a metric that does not apply.

    Args:
        query_class: class of the query; success is measured for `NAME_CLASSES` only.
        judged: grade of each judged item; all other items count as 0.
        ranked: items in rank order, without repeats.
    """
    got = [judged.get(key, 0) for key in ranked]
    ideal = _gain(sorted(judged.values(), reverse=True)[:_DEPTH])
    useful = sum(grade >= USEFUL for grade in judged.values())
    first = next((rank for rank, grade in enumerate(got[:_DEPTH], 1) if grade >= USEFUL), None)
    return {
        "ndcg@10": _gain(got[:_DEPTH]) / ideal if ideal else None,
        "mrr@10": 1 / first if first else 0.0,
        "recall@20": sum(g >= USEFUL for g in got[:_RECALL_DEPTH]) / min(useful, _RECALL_DEPTH) if useful else None,
        "success@1_names": float(got[:1] == [EXACT]) if query_class in NAME_CLASSES else None,
    }


def _gain(ranked: Sequence[int]) -> float:
    return sum((2.0**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(ranked, 1))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over queries with its 95 % bootstrap interval; `mean` is None if no query has the metric."""

    mean: float | None
    low: float | None = None
    high: float | None = None


def estimate(values: Iterable[float | None]) -> Estimate:
    """The mean of the values that are not None, with its percentile bootstrap interval over queries."""
    known = np.array([value for value in values if value is not None], dtype=np.float64)
    if not known.size:
        return Estimate(None)
    mean = float(known.mean())
    if np.ptp(known) == 0:
        return Estimate(mean, mean, mean)
    from scipy.stats import bootstrap  # noqa: PLC0415  (half a second to import; builds have no use for it)

    interval = bootstrap((known,), np.mean, method="percentile", n_resamples=2000, rng=0).confidence_interval
    return Estimate(mean, float(interval.low), float(interval.high))


def calibration_error(scores: Sequence[float], useful: Sequence[bool], bins: int = 10) -> float:
    """The expected calibration error: the gap between mean score and share of useful results, over equal score bins.

    Args:
        scores: one score per result, from 0 to 1.
        useful: whether each result is useful, in the order of `scores`.
        bins: number of bins.
    """
    predicted, true = np.asarray(scores, dtype=np.float64), np.asarray(useful, dtype=np.float64)
    place = np.minimum((predicted * bins).astype(int), bins - 1)
    gaps = [abs(predicted[place == b].mean() - true[place == b].mean()) * (place == b).sum() for b in np.unique(place)]
    return float(sum(gaps) / max(1, predicted.size))
