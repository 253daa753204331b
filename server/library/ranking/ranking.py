"""Ranking: a weighted sum of semantic similarity, word coverage, name similarity and a few facts.

    s = semantic     (the query against the entity's passages and what people ask, as vectors)
      + coverage   · (how much of the query its text contains)
      + name       · (how similar its name is to the query)
      + effect     · (the query against players' phrases for what it does, as vectors)
      + attribute  · (how many of the facts in the query it has, and more if it has them all)
      + preferred  · (whether it is from a preferred document)
    similarity_score = 1 / (1 + exp(offset - slope · s))

The strongest entities are scored twice: for the second time the query is moved towards the best of them (Rocchio
feedback), so that entities similar to good answers outrank those that only share words with the query.

The weights come with the dataset. Only the entities that the filters left are compared, and none of them is dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from server.dataset.files import ATTRIBUTES_FILE, EFFECTS_FILE, NEAR_WORDS_FILE, RANKING_FILE
from server.dataset.index.bm25 import read_bm25
from server.dataset.index.lexicon import read_attributes, read_effects, read_near_words
from server.dataset.index.phrases import load_phrases
from server.dataset.index.ranking_weights import Weights, best_by_chance, read_fit
from server.dataset.index.terms import FUNCTION_WORDS, read_glossary, words_of
from server.dataset.schema import RULE_TYPES
from server.library.queries.attributes import Attributes
from server.library.queries.denials import Wanted, alternatives
from server.library.queries.measures import Measures
from server.library.queries.mentioned_facts import Attribute, counts, tells_apart
from server.library.ranking.bm25_index import Bm25Index
from server.library.ranking.name_similarity import NameSimilarity
from server.library.ranking.named_rules import NamedRules
from server.library.ranking.part_names import PartNames
from server.library.ranking.phrase_index import PhraseIndex
from server.library.ranking.snippets import Snippet, Snippets
from server.library.ranking.vector_index import FEEDBACK_WEIGHT, VectorIndex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from server.dataset.dataset import Dataset
    from server.library.arrays import Floats, Mask, Rows, Vector
    from server.library.catalogue import Catalogue
    from server.library.ranking.variant_groups import VariantGroups

FEEDBACK_DEPTH: Final = 100
"""How many of the strongest entities are scored again."""
FEEDBACK_GROUPS: Final = 4
"""How many of the strongest variant groups the query is moved towards."""
LONG: Final = 12
"""Distinct words beyond which a query is long: it describes a scene, and what it asks for is only a part of that."""
FEEDBACK_WEIGHT_OF_LONG: Final = 0.2
"""How far feedback moves long queries: their first answers are less certain."""

_DECIMALS: Final = 6
"""Decimals that scores are rounded to; entities with the same rounded score are tied."""
_PREFERENCE_SPREAD: Final = 0.2
"""How much less the least preferred document gets than the most preferred: enough to break ties."""


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """The terms of the formula before weighting, one value per ranked entity.

    Attributes:
        unknown: how much less certain every score is for words of the query that nothing has.
        semantic: similarity of the entity's passages to the query, after Rocchio feedback.
        coverage, name, effect, attribute, preferred: as in the formula.
    """

    unknown: Floats
    semantic: Vector
    coverage: Floats
    name: Floats
    effect: Vector
    attribute: Floats
    preferred: Floats

    def strength(self, weights: Weights) -> Floats:
        """The formula's s."""
        return (
            self.semantic
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
class Lexical:
    """The scores for a query's words, without its vector; one value per entity to rank.

    Attributes:
        entities: int64[n]: catalogue rows.
        doubt: how much less certain every score is for words of the query that nothing has.
        long: the query has more than `LONG` different words.
        coverage, name, attribute: as in the formula.
        mentioned: the facts that the query mentions.
    """

    entities: Rows
    doubt: float
    long: bool
    coverage: Floats
    name: Floats
    attribute: Floats
    mentioned: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Entities, best first.

    Attributes:
        rows: the entities.
        scores: float64[n]: their `similarity_score`, descending.
        positions: int64[n]: the position of each among the given entities, in whose order `parts` is.
        parts: what the scores are made of.
        mentioned: the facts that the query mentions; entities that have them gain.
        weak: the first one's name is not similar to the query, and probably nothing here answers it.
    """

    rows: Rows
    scores: Floats
    positions: Rows
    parts: ScoreParts
    mentioned: tuple[Attribute, ...]
    weak: bool


class Ranking:
    """Ranks a catalogue's entities for a query."""

    def __init__(
        self, catalogue: Catalogue, dataset: Dataset, precedence: Sequence[Mask], groups: VariantGroups
    ) -> None:
        """Load the indices of a dataset.

        Args:
            catalogue: the entities to rank.
            dataset: what they come from.
            precedence: groups of entities to prefer, the most preferred first.
            groups: which entities are variants of each other.
        """
        row_of = {identity: row for row, identity in enumerate(catalogue.ids)}
        owners = dataset.vectors["entity_id"].to_list()
        bm25_row_of = {identity: row for row, identity in enumerate(dict.fromkeys(owners))}
        bm25_rows = np.array([bm25_row_of[identity] for identity in catalogue.ids], dtype=np.int64)
        self.weights = read_fit(dataset.path / RANKING_FILE).weights
        self._groups = groups
        asked = load_phrases(dataset)
        phrases = None if asked is None else PhraseIndex(asked.entities, asked.products, row_of, asked.kin)
        self._vectors = VectorIndex(catalogue, dataset, row_of, phrases)
        lexicon = dataset.lexicon_path
        bm25 = read_bm25(lexicon, len(dataset.ids))
        near_words = read_near_words(dataset.path / NEAR_WORDS_FILE, bm25.words)
        self._words = Bm25Index(bm25, read_glossary(lexicon), bm25_rows, near_words)
        effects, said = read_effects(
            dataset.path / EFFECTS_FILE, dataset.ids, dataset.manifest["encoder"]["dimensions"]
        )
        self._effects = PhraseIndex(effects, partial(np.matmul, said), row_of)
        known = read_attributes(dataset.path / ATTRIBUTES_FILE, dataset.ids)
        self._attributes = Attributes(known, row_of, Measures(catalogue))
        self._folded_names = pl.Series(catalogue.folded_names, dtype=pl.String)
        self._is_rule = catalogue.of_types(RULE_TYPES)
        self._tables = catalogue.parts
        self._names = NameSimilarity(catalogue.folded_names)
        self._parts = PartNames(catalogue)
        self._named_rules = NamedRules(catalogue.folded_names, np.flatnonzero(self._is_rule))
        self._snippets = Snippets(catalogue, self._words, self._vectors)
        precedence_rank = _first_group(catalogue.size, precedence)
        spread = _PREFERENCE_SPREAD * precedence_rank / max(1, len(precedence))
        is_preferred = precedence_rank < len(precedence)
        # If nothing is preferred, nothing is at a disadvantage.
        self._preferred = np.where(is_preferred, 1 - spread, 0.0) if is_preferred.any() else np.ones(catalogue.size)
        self._tie_rank = np.argsort(np.lexsort((catalogue.id_rank, precedence_rank)))
        _, self._name_order = np.unique([name.casefold() for name in catalogue.names], return_inverse=True)

    def wanted(self, query: str, entities: Rows) -> Wanted:
        """What a query wants of entities (int64[n]) and what it does not."""
        return self._attributes.wanted(query, entities)

    def sought(self, asked: Wanted, entities: Rows) -> str:
        """The text to encode: what a query wants of entities (int64[n]), with its abbreviations expanded.

        Denied words are left out if they state a fact or name a part: that counts against entities, but the words
        would find them.
        """
        denies = self._attributes.exclude_any(asked, entities) or any(self._without_parts(asked, entities))
        return self._words.expand(asked.asserted if denies and asked.asserted else asked.text)

    def lexical(self, query: str, asked: Wanted, sought: str, entities: Rows) -> Lexical:
        """The scores of entities for the query's words, which can be computed while the query is encoded.

        Args:
            query: as the caller wrote it.
            asked: what it wants and denies, as from `wanted`.
            sought: the text to encode, as from `sought`.
            entities: int64[n]: catalogue rows to rank.
        """
        mentioned = [
            *self._attributes.mentioned(asked, entities),
            *self._not_called(asked, entities),
            *self._without_parts(asked, entities),
        ]
        names = (1 + self._words.unknown_share(query)) * self._names.scores(query)
        parts = self._parts.scores(asked.asserted or query)
        long = len(self._words.weights(query)) > LONG
        return Lexical(
            entities=entities,
            doubt=self._words.doubt(query),
            long=long,
            coverage=self._coverage(asked, sought, mentioned)[entities],
            # A scene names rules in passing.
            name=np.maximum.reduce([names, parts, *([] if long else [self._named_rules.scores(query)])])[entities],
            attribute=counts(mentioned, entities, long=long, only_facts=self._asks_only_facts(asked, entities)),
            mentioned=tuple(mentioned),
        )

    def _asks_only_facts(self, asked: Wanted, entities: Rows) -> bool:
        """Whether a query asks for nothing but facts of one kind of thing.

        Over several kinds, a single word may mean something else than the fact: "swimming" is a rule too.
        """
        first, last = entities[0], entities[-1]
        is_of_one = any(table.start <= first and last < table.stop for table in self._tables)
        return is_of_one and self._attributes.asks_nothing_else(asked)

    def _coverage(self, asked: Wanted, sought: str, mentioned: Sequence[Attribute]) -> Floats:
        """How much of the query each text contains, float64[catalogue size]; 0 if a query only denies facts.

        The words of "no verbal component" are in what forbids verbal components.
        """
        if not asked.asserted and any(fact.denied for fact in mentioned):
            return np.zeros(self._is_rule.size)
        return self._words.coverage(sought, " ".join(asked.denied))

    def _not_called(self, asked: Wanted, entities: Rows) -> list[Attribute]:
        """The fact that a name has not the words for what is not meant, unless they state facts: no Bone Devil.

        Rules are not called after what they are about.
        """
        plain = (each for each in asked.other if not self._attributes.excludes(each, asked, entities))
        wanted_too = FUNCTION_WORDS.union(words_of(asked.asserted))
        meant = np.ones(len(self._folded_names), dtype=np.bool_)
        other: list[str] = []
        for alternative in (one for each in plain for one in alternatives(each)):
            words = [word for word in words_of(alternative) if word not in wanted_too]
            called = self._called(words) if words else ~meant
            if called[entities].any():
                meant &= ~called
                other.append(" ".join(words))
        if not other:
            return []
        fact = Attribute(f"not called {' or '.join(other)}", meant, {}, denied=True)
        return [fact] if tells_apart(fact, entities) else []

    def _without_parts(self, asked: Wanted, entities: Rows) -> Iterator[Attribute]:
        """The facts of having no part of a name that the query denies, unless it states a fact: "no regeneration"."""
        for lacked in asked.lacked:
            for part in () if self._attributes.excludes(lacked, asked, entities) else alternatives(lacked):
                fact = Attribute(f"without {part}", ~self._parts.having(part), {}, denied=True)
                if tells_apart(fact, entities):
                    yield fact

    def _called(self, words: Sequence[str]) -> Mask:
        """The entities, except rules, whose names have words that begin with all of these: bool[catalogue size]."""
        named = [self._folded_names.str.contains(rf"\b{re.escape(word)}").to_numpy() for word in words]
        called: Mask = np.logical_and.reduce([~self._is_rule, *named])
        return called

    def rank(self, words: Lexical, vector: Vector, exact: Rows) -> Ranked:
        """Rank entities: exact names first, then by score; ties by preferred document, then by id.

        Args:
            words: what the query's words say about the entities.
            vector: float32[dimensions]: the expanded query, length 1.
            exact: catalogue rows of those whose name is the query.

        Raises:
            ValueError: the vector does not have the dimensions of the index.
        """
        entities = words.entities
        parts = ScoreParts(
            unknown=np.full(entities.size, words.doubt),
            semantic=self._vectors.similarity(vector, entities),
            coverage=words.coverage,
            name=words.name,
            effect=self._effects.similarity(vector, entities),
            attribute=words.attribute,
            preferred=self._preferred[entities],
        )
        strength = parts.strength(self.weights)
        weight = FEEDBACK_WEIGHT_OF_LONG if words.long else FEEDBACK_WEIGHT
        parts = self._rocchio_feedback(vector, entities, parts, strength, weight)
        strength = parts.strength(self.weights)
        named = np.isin(entities, exact)
        strength[named] = strength.max(initial=0)
        scores = np.round(1 / (1 + np.exp(self.weights.offset - self.weights.slope * strength)), _DECIMALS)
        order = self._order(scores + named, entities)
        return Ranked(
            rows=entities[order],
            scores=scores[order],
            positions=order,
            parts=parts,
            mentioned=words.mentioned,
            weak=not exact.size
            and not parts.name[order[0]]
            and (1 - words.doubt) * scores.max() < self.weights.floor * best_by_chance(entities.size),
        )

    def snippets(self, sought: str, vector: Vector, rows: Sequence[int]) -> list[Snippet]:
        """The text that matched in each entity (catalogue rows); `vector`: float32[dimensions] of `sought`."""
        return self._snippets.find(sought, vector, rows)

    def by_names(self, shared: Rows, entities: Rows, exact: Rows) -> Rows:
        """Entities without scores: exact names first, then those whose names share most words with the query.

        Args:
            shared: int64[catalogue size]: how many words of the query each name has.
            entities: int64[n]: catalogue rows to order.
            exact: catalogue rows of those whose name is the query.

        Returns:
            int64[n]: the entities; ties by name, then by preferred document.
        """
        tie, name = self._tie_rank[entities], self._name_order[entities]
        return entities[np.lexsort((tie, name, -shared[entities], ~np.isin(entities, exact)))]

    def _order(self, scores: Floats, entities: Rows) -> Rows:
        """Positions of entities (int64[n]) by rounded score, the highest first; ties by preferred document and id.

        Score and tie rank are combined into one integer, which sorts six times as fast as two keys.
        """
        ranks = np.rint(-scores * 10**_DECIMALS).astype(np.int64)
        return np.argsort(ranks * self._tie_rank.size + self._tie_rank[entities])

    def _rocchio_feedback(
        self, vector: Vector, entities: Rows, parts: ScoreParts, strength: Floats, weight: float
    ) -> ScoreParts:
        """Re-score the top `FEEDBACK_DEPTH` with Rocchio feedback of this weight."""
        top = np.argpartition(-strength, min(FEEDBACK_DEPTH, strength.size) - 1)[:FEEDBACK_DEPTH]
        top = top[np.argsort(-strength[top], kind="stable")]
        models = top[self._groups.first_of_each(entities[top])][:FEEDBACK_GROUPS]
        moved = self._vectors.with_feedback(vector, entities[models], weight)
        semantic = parts.semantic.copy()
        semantic[top] = self._vectors.similarity(moved, entities[top])
        return replace(parts, semantic=semantic)


def _first_group(size: int, groups: Sequence[Mask]) -> Rows:
    """int64[size]: the first group that each entity is in; the number of groups if it is in none."""
    first = np.full(size, len(groups), dtype=np.int64)
    for number in reversed(range(len(groups))):
        first[groups[number]] = number
    return first
