"""Writes a dataset's lexical data: the BM25 index, the glossary, and the vocabularies with their entities."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Final

import bm25s
import polars as pl

from build_pipeline.index.graph import Vectors
from build_pipeline.index.passages import facts_sentence, prose
from build_pipeline.index.quantized import write_quantized
from build_pipeline.index.vocabulary.attributes import Attribute
from build_pipeline.resources import text
from build_pipeline.tables import Record, write_frame
from build_pipeline.text_files import write_json
from server.dataset.files import (
    ATTRIBUTES_FILE,
    EFFECTS_FILE,
    GLOSSARY_FILE,
    LEXICON_FOLDER,
    PHRASE_VECTORS_FILE,
    PHRASES_FILE,
)
from server.dataset.index.lexicon import ATTRIBUTES_SCHEMA, EFFECTS_SCHEMA, PHRASES_SCHEMA
from server.dataset.index.terms import K1, B, term_of, words_of

NAME_WEIGHT: Final = 3
"""How many times an entity's name is added to its indexed text."""
_SHORTEST_PART: Final = 4
"""Minimum letters of each part of a name's compound word: shorter parts match too often by chance."""
_COMMON: Final = 10
"""Minimum number of texts that have each part of a compound word."""
_IN_STORIES: Final = ("creature/", "spell/")
"""Id prefixes of entities that questions name in passing: "how to survive a fireball" does not ask for the spell."""
_USUAL: Final = 3
"""Minimum number of questions with a word that no text has: a word in fewer questions may be misspelt."""


def write_lexicon(
    folder: Path,
    records: Iterable[Record],
    entities_of: Mapping[str, Sequence[str]],
    asked: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> dict[str, str]:
    """Write the BM25 index of the words in each entity's text and in what people ask to find it, and the glossary.

    Args:
        folder: the dataset's folder.
        records: every entity, in the order of the vectors' row map.
        entities_of: players' phrase → ids of the entities it applies to.
        asked: question or phrase → ids of the entities that it asks for.

    Returns:
        Every term of the texts and questions → its most frequent word.
    """
    effects, questions = _by_entity(entities_of), _by_entity(asked)
    texts = [
        (record["id"], words_of(record["name"]), words_of(_text(record, effects[record["id"]]))) for record in records
    ]
    frequency = Counter(word for _, _, words in texts for word in set(words))
    said = Counter(word for question in asked for word in set(words_of(question)))
    usual = {word for word, number in said.items() if number >= _USUAL or word in frequency}
    elsewhere = {term_of(name[0]) for identity, name, _ in texts if len(name) == 1 and identity.startswith(_IN_STORIES)}
    parts = cache(partial(_parts, frequency=frequency))
    documents = []
    for identity, name, words in texts:
        own = [term_of(word) for word in (*words, *chain(*map(parts, name)))]
        others = elsewhere.difference(own)
        heard = [term_of(word) for text in questions[identity] for word in words_of(text) if word in usual]
        documents.append([*own, *(term for term in heard if term not in others)])
    frequency += Counter({word: said[word] for word in usual})
    vocabulary = {term: number for number, term in enumerate(sorted({term for d in documents for term in d}))}
    index = bm25s.BM25(k1=K1, b=B, method="lucene")
    numbers = [[vocabulary[term] for term in document] for document in documents]
    index.index((numbers, vocabulary), create_empty_token=False, show_progress=False)
    index.save(str(folder / LEXICON_FOLDER), show_progress=False)
    glossary = tomllib.loads(text("vocabulary/glossary.toml"))
    path = folder / LEXICON_FOLDER / GLOSSARY_FILE
    write_json(path, glossary)
    # Of the words of one term, the last and most frequent one stays.
    return {term_of(word): word for word in sorted(frequency, key=lambda word: (frequency[word], word))}


def write_effects(folder: Path, entities_of: Mapping[str, Sequence[str]], vectors: Vectors) -> None:
    """Write the players' phrases for effects.

    Args:
        folder: the dataset's folder.
        entities_of: players' phrase → ids of the entities it applies to.
        vectors: float32[phrases, dimensions], the phrases' unit vectors, in the order of `entities_of`.
    """
    columns = {"says": list(entities_of), "entity_ids": list(entities_of.values()), "vector": vectors.tolist()}
    write_frame(folder / EFFECTS_FILE, pl.DataFrame(columns, schema=EFFECTS_SCHEMA))


def write_phrases(
    folder: Path, entities_of: Mapping[str, Sequence[str]], kin_of: Mapping[str, Sequence[str]], vectors: Vectors
) -> None:
    """Write the phrases that people use to ask for entities; nothing if there are none.

    Args:
        folder: the dataset's folder.
        entities_of: phrase → ids of the entities that it asks for.
        kin_of: phrase → ids of the entities that are similar to those.
        vectors: float32[phrases, dimensions], the phrases' unit vectors, in the order of `entities_of`.
    """
    if entities_of:
        kin = [kin_of.get(phrase, ()) for phrase in entities_of]
        columns = {"says": list(entities_of), "entity_ids": list(entities_of.values()), "kin_ids": kin}
        write_frame(folder / PHRASES_FILE, pl.DataFrame(columns, schema=PHRASES_SCHEMA))
        write_quantized(folder / PHRASE_VECTORS_FILE, vectors)


def write_attributes(folder: Path, attributes: Sequence[Attribute], reached: Sequence[Sequence[str]]) -> None:
    """Write the attributes a query may mention in passing.

    Args:
        folder: the dataset's folder.
        attributes: the attributes.
        reached: for each attribute, the ids of the entities that have it.
    """
    columns = {
        "says": [a.says for a in attributes],
        "asked": [a.asked for a in attributes],
        "filters": [[{"parameter": p, "value": v} for p, v in a.filters.items()] for a in attributes],
        "entity_ids": list(reached),
    }
    write_frame(folder / ATTRIBUTES_FILE, pl.DataFrame(columns, schema=ATTRIBUTES_SCHEMA))


def _by_entity(entities_of: Mapping[str, Sequence[str]]) -> defaultdict[str, list[str]]:
    """Phrases by entity id."""
    phrases = defaultdict[str, list[str]](list)
    for phrase, identities in entities_of.items():
        for identity in identities:
            phrases[identity].append(phrase)
    return phrases


def _parts(word: str, frequency: Mapping[str, int]) -> tuple[str, ...]:
    """The two words that form a compound ("moonweb"), the most common pair if there are several; otherwise nothing."""
    places = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    pairs = [(word[:place], word[place:]) for place in places]

    def common(pair: tuple[str, str]) -> int:
        return min(frequency.get(part, 0) for part in pair)

    best = max(pairs, key=common, default=())
    return best if best and common(best) >= _COMMON else ()


def _text(record: Record, effects: Sequence[str]) -> str:
    return " ".join((*[record["name"]] * NAME_WEIGHT, facts_sentence(record), prose(record), *effects))
