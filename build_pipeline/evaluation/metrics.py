"""How good ranked lists are, measured against graded judgements: nDCG, MRR, recall, success, with their intervals.

The definitions (gains of 2^grade - 1, an ideal from every judged family, recall of at most 20, one credit for a
family) are those of the judged set's own scorer; no library computes them, and comparing figures needs them exactly.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.stats import bootstrap

Family = tuple[str, str]
"""(group of kinds, folded name): what counts as one thing, whatever document or variant it comes from."""

USEFUL: Final = 2
"""Grade from which a result is an answer."""
EXACT: Final = 3
"""Grade of the very thing that was asked for."""
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


def family(kind: str, name: str) -> Family:
    """What one thing is called over all its printings: equipment loses the base it is made from.

    >>> family("magic-item", "Flame Tongue (Greatsword)")
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


def families(results: Iterable[Mapping[str, Any]]) -> list[Family]:
    """The families of results (`kind`, `name`), in order, each once."""
    return list(dict.fromkeys(family(result["kind"], result["name"]) for result in results))


def grades(judgements: Iterable[Mapping[str, Any]]) -> dict[str, dict[Family, int]]:
    """Query id → family → grade, from rows of `qid`, `kind`, `name`, `grade`; the best where a family has several."""
    found: defaultdict[str, dict[Family, int]] = defaultdict(dict)
    for row in judgements:
        key = family(row["kind"], row["name"])
        found[row["qid"]][key] = max(found[row["qid"]].get(key, 0), row["grade"])
    return dict(found)


def measure(query_class: str, judged: Mapping[Family, int], ranked: Sequence[Family]) -> dict[str, float | None]:
    """The metrics of one query; None where one does not apply.

    Args:
        query_class: the sort of query; success is measured for names alone.
        judged: the grade of each judged family; all others count as 0.
        ranked: families in rank order, each once.
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
    """A mean over queries with its 95 % bootstrap interval; `mean` is None where no query has the metric."""

    mean: float | None
    low: float | None = None
    high: float | None = None


def estimate(values: Iterable[float | None]) -> Estimate:
    """The mean of the values that are there, with its interval (the percentile bootstrap over queries)."""
    known = np.array([value for value in values if value is not None], dtype=np.float64)
    if not known.size:
        return Estimate(None)
    mean = float(known.mean())
    if np.ptp(known) == 0:
        return Estimate(mean, mean, mean)
    interval = bootstrap((known,), np.mean, method="percentile", n_resamples=2000, rng=0).confidence_interval
    return Estimate(mean, float(interval.low), float(interval.high))


def calibration_error(scores: Sequence[float], useful: Sequence[bool], bins: int = 10) -> float:
    """The expected calibration error: how far scores are from the share that is useful, over equal bins of score."""
    said, true = np.asarray(scores, dtype=np.float64), np.asarray(useful, dtype=np.float64)
    place = np.minimum((said * bins).astype(int), bins - 1)
    gaps = [abs(said[place == b].mean() - true[place == b].mean()) * (place == b).sum() for b in np.unique(place)]
    return float(sum(gaps) / max(1, said.size))
