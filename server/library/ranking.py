"""Ranking by meaning, words, name and effect:

    s = meaning     · max over its rows of (query vector · row)
      + coverage  · how much of the query its text says
      + name      · how like the query its name is
      + effect    · max over what players call what it does of (query vector · those words)
      + attribute · how many of the facts that the query asks for in passing it has, one more if all of several
      + preferred · whether it stands in a preferred document
    similarity_score = 1 / (1 + exp(offset - slope · s))

The strongest are looked at twice: the second time the query's vector is moved towards the very best of them, so that
what is like good answers comes before what only shares words with the query.

The weights come with the dataset. All parts are taken over exactly the entities that the filters left, and none of
those is dropped.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl
from rapidfuzz import fuzz, process

from server.dataset.load import ATTRIBUTES_FILE, EFFECTS_FILE, RANKING_FILE
from server.dataset.names import normalize_name
from server.dataset.ranking import Weights, read_fit
from server.library.attributes import Attribute, Attributes
from server.library.lexicon import Lexicon
from server.library.meaning import Meaning

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from server.dataset.load import Dataset
    from server.library.catalogue import Catalogue, Mask, Numbers
    from server.library.families import Families

    Floats = npt.NDArray[np.float64]
    Vector = npt.NDArray[np.float32]

NAME_GATE: Final = 0.75
"""Likeness from which a name counts: a misspelt name does, a shared word does not."""
PART_OF_NAME: Final = 0.4
"""What a name gets if all words of the query are among its words, times their share of them: "two-weapon"."""

_NEXT: Final = 0.2
"""What the last of the preferred documents has less than the first: enough for equals, no more."""
SECOND_LOOK: Final = 100
"""How many of the strongest are looked at twice."""
MODELS: Final = 4
"""How many families of the strongest the query is moved towards."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What each entity's strength is made of, before the weights; one value per entity each.

    `first` is the meaning at the first look, `meaning` that at the second, where there was one.
    """

    first: Vector
    meaning: Vector
    coverage: Floats
    name: Floats
    effect: Vector
    attribute: Floats
    preferred: Floats

    def strength(self, weights: Weights) -> Floats:
        """The formula."""
        return (
            self.meaning
            + weights.coverage * self.coverage
            + weights.name * self.name
            + weights.effect * self.effect
            + weights.attribute * self.attribute
            + weights.preferred * self.preferred
        )

    def of(self, position: int) -> dict[str, float]:
        """The parts of one entity, rounded."""
        return {part: round(float(getattr(self, part)[position]), 4) for part in self.__slots__}


@dataclass(frozen=True, slots=True)
class Ranked:
    """Entities, the best first.

    Attributes:
        numbers: the entities.
        scores: their `similarity_score`, descending.
        positions: where each stood among the entities that were asked about, which `parts` is in the order of.
        parts: what the scores are made of.
        asked: the facts that the query asks for in passing, which those that have them gain by.
        foreign: nothing among them is about the query, and it is no name, misspelt or in part.
    """

    numbers: Numbers
    scores: Floats
    positions: Numbers
    parts: Parts
    asked: tuple[str, ...]
    foreign: bool


class Ranking:
    """Ranks a catalogue's entities for a query."""

    def __init__(self, catalogue: Catalogue, dataset: Dataset, precedence: Sequence[Mask], families: Families) -> None:
        """`precedence`: entities to prefer, the most preferred first."""
        self.weights = read_fit(dataset.path / RANKING_FILE).weights
        self._families = families
        numbers = {identity: number for number, identity in enumerate(catalogue.ids)}
        self._meaning = Meaning(catalogue, dataset, numbers)
        place = _places(catalogue.size, precedence)
        self._preferred = np.where(place < len(precedence), 1 - _NEXT * place / max(1, len(precedence)), 0.0)
        self._among_equals = np.argsort(np.lexsort((catalogue.by_id, place)))
        documents = {identity: number for number, identity in enumerate(dict.fromkeys(dataset.vectors["entity_id"]))}
        self._lexicon = Lexicon(
            dataset.lexicon_path, np.array([documents[identity] for identity in catalogue.ids], dtype=np.int64)
        )
        self._effects = _Effects(dataset.path / EFFECTS_FILE, numbers)
        self._attributes = Attributes(dataset.path / ATTRIBUTES_FILE, numbers)
        self._names = _Names(catalogue.folded_names)

    def expand(self, query: str) -> str:
        """The query with what its abbreviations stand for: what is to be encoded."""
        return self._lexicon.expand(query)

    def rank(self, query: str, vector: Vector, entities: Numbers, exact: Numbers) -> Ranked:
        """Rank all of the entities: those in `exact` first, among equals the preferred documents', then by id.

        Args:
            query: as it was asked.
            vector: of the expanded query, length 1.
            entities: which to rank.
            exact: those whose name the query is.

        Raises:
            ValueError: the vector has other dimensions than the index.
        """
        asked = self._attributes.asked(query, entities)
        first = self._meaning.nearness(vector, entities)
        parts = Parts(
            first=first,
            meaning=first,
            coverage=self._lexicon.coverage(self.expand(query))[entities],
            name=self._names.likeness(query)[entities],
            effect=self._effects.best(vector, entities),
            attribute=_fulfilled(asked, entities),
            preferred=self._preferred[entities],
        )
        strength = parts.strength(self.weights)
        foreign = not exact.size and not parts.name.any() and float(strength.max(initial=0)) < self.weights.floor
        parts = self._second_look(vector, entities, parts, strength)
        strength = parts.strength(self.weights)
        named = np.isin(entities, exact)
        strength[named] = strength.max(initial=0)
        scores = np.round(1 / (1 + np.exp(self.weights.offset - self.weights.slope * strength)), 6)
        ahead = np.rint((scores + named) * 1e6).astype(np.int64)
        order = np.argsort(self._among_equals[entities] - ahead * self._among_equals.size)
        return Ranked(
            numbers=entities[order],
            scores=scores[order],
            positions=order,
            parts=parts,
            asked=tuple(fact.says for fact in asked),
            foreign=foreign,
        )

    def _second_look(self, vector: Vector, entities: Numbers, parts: Parts, strength: Floats) -> Parts:
        """The parts with the meaning of the strongest entities measured anew, from nearer to the very best."""
        strongest = np.argpartition(-strength, min(SECOND_LOOK, strength.size) - 1)[:SECOND_LOOK]
        strongest = strongest[np.argsort(-strength[strongest], kind="stable")]
        models = strongest[self._families.best(entities[strongest])][:MODELS]
        meaning = parts.meaning.copy()
        moved = self._meaning.towards(vector, entities[models])
        meaning[strongest] = self._meaning.nearness(moved, entities[strongest])
        return replace(parts, meaning=meaning)


class _Effects:
    """What players call what entities do."""

    def __init__(self, path: Path, numbers: dict[str, int]) -> None:
        """`numbers`: the number of each entity of the catalogue, by id."""
        frame = pl.read_parquet(path)
        self._size = len(numbers)
        self._vectors = np.array(frame["vector"].to_list(), dtype=np.float32)
        pairs = frame.select("entity_ids").with_row_index("phrase").explode("entity_ids")
        owners = np.array([numbers.get(identity, -1) for identity in pairs["entity_ids"].to_list()], dtype=np.int64)
        order = np.argsort(owners, kind="stable")[np.count_nonzero(owners < 0) :]
        self._phrase = pairs["phrase"].to_numpy()[order]
        self._owners, first = np.unique(owners[order], return_index=True)
        self._first = np.append(first, order.size)

    def best(self, vector: Vector, entities: Numbers) -> Vector:
        """For each entity how near the query is to the nearest thing that players say of it; 0 at least."""
        best = np.zeros(self._size, dtype=np.float32)
        # Entities of one table are numbered in a row: what is said of others is left out.
        start, stop = np.searchsorted(self._owners, [entities.min(), entities.max() + 1])
        if start < stop:
            first = self._first[start:stop]
            said = self._phrase[first[0] : self._first[stop]]
            best[self._owners[start:stop]] = np.maximum.reduceat((self._vectors @ vector)[said], first - first[0])
        return np.maximum(0, best[entities])


class _Names:
    """The names of a catalogue, their words in order, each spelling once, the shortest first."""

    def __init__(self, folded_names: Sequence[str]) -> None:
        self._size = len(folded_names)
        named: dict[str, list[int]] = {}
        for number, name in enumerate(folded_names):
            named.setdefault(_in_word_order(name), []).append(number)
        self._names = sorted(named, key=len)
        self._named = [np.array(named[name]) for name in self._names]
        self._lengths = np.array([len(name) for name in self._names])
        self._with_word: defaultdict[str, set[int]] = defaultdict(set)
        for place, name in enumerate(self._names):
            for word in name.split():
                self._with_word[word].add(place)

    def likeness(self, query: str) -> Floats:
        """How like the query each name is, whatever the order of its words: 0 up to the gate, 1 where the same.

        One that has the query's words and others is a little like it.
        """
        likeness = np.zeros(self._size)
        words = _in_word_order(normalize_name(query))
        for place in self._with_all(words.split()):
            share = len(words.split()) / len(self._names[place].split())
            likeness[self._named[place]] = PART_OF_NAME * share
        # Names that are much shorter or longer cannot reach the gate.
        shortest = len(words) * NAME_GATE / (2 - NAME_GATE)
        longest = len(words) * (2 - NAME_GATE) / NAME_GATE
        start, stop = np.searchsorted(self._lengths, [np.floor(shortest), np.ceil(longest) + 1])
        hits = process.extract(
            words, self._names[start:stop], scorer=fuzz.ratio, score_cutoff=100 * NAME_GATE, limit=None
        )
        for _, ratio, place in hits:
            whole = (ratio / 100 - NAME_GATE) / (1 - NAME_GATE)
            likeness[self._named[start + place]] = np.maximum(likeness[self._named[start + place]], whole)
        return likeness

    def _with_all(self, words: Sequence[str]) -> set[int]:
        """The names that have all of the words."""
        having = [self._with_word.get(word, set()) for word in words]
        return set.intersection(*having) if having else set()


def _fulfilled(asked: Sequence[Attribute], entities: Numbers) -> Floats:
    """How many of the facts each entity has; one more where it has all of several."""
    count = sum((fact.having[entities].astype(np.float64) for fact in asked), start=np.zeros(entities.size))
    return count + (count == len(asked)) if len(asked) > 1 else count


def _places(size: int, precedence: Sequence[Mask]) -> Numbers:
    """For each entity the first place of the precedence that it is in; their number where it is in none."""
    places = np.full(size, len(precedence), dtype=np.int64)
    for place in reversed(range(len(precedence))):
        places[precedence[place]] = place
    return places


def _in_word_order(folded_name: str) -> str:
    return " ".join(sorted(folded_name.split()))
