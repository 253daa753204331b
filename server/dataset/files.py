"""The files that a dataset consists of, besides its tables."""

from __future__ import annotations

from typing import Final

from server.dataset.schema import TABLES

INDEX_FILE: Final = "index.faiss"
QUANTIZED_FILE: Final = "index.int8.onnx"
"""A smaller, less exact copy of the index's vectors; datasets of older builders lack it."""
VECTORS_FILE: Final = "vectors.parquet"
RANKING_FILE: Final = "ranking.json"
NOTICE_FILE: Final = "NOTICE.md"
"""The credit for each document, and the licences."""

ENCODER_FOLDER: Final = "encoder"
MODEL_FILE: Final = "model.onnx"
WORDS_FILE: Final = "word_vectors.bin"
"""The word vectors that `model.onnx` needs; in datasets of older builders, the model contains them."""
TOKENIZER_FILE: Final = "tokenizer.json"
CONFIG_FILE: Final = "encoder.json"
ENCODER_FILES: Final = (MODEL_FILE, TOKENIZER_FILE, CONFIG_FILE)
"""In the encoder's folder."""

LEXICON_FOLDER: Final = "lexicon"
GLOSSARY_FILE: Final = "glossary.json"
"""In the lexicon's folder: abbreviation → meaning."""
EFFECTS_FILE: Final = "lexicon/effects.parquet"
ATTRIBUTES_FILE: Final = "lexicon/attributes.parquet"
PHRASES_FILE: Final = "lexicon/phrases.parquet"
PHRASE_VECTORS_FILE: Final = "lexicon/phrases.int8.onnx"
"""Phrases that people ask for entities with, and their vectors in this order; datasets of older builders lack both."""
NEAR_WORDS_FILE: Final = "lexicon/near_words.parquet"
"""Words of the texts that mean nearly the same; datasets of older builders lack it."""
BM25_FILES: Final = (
    "data.csc.index.npy",
    "indices.csc.index.npy",
    "indptr.csc.index.npy",
    "params.index.json",
    "vocab.index.json",
)
"""In the lexicon's folder."""

REQUIRED_FILES: Final = (
    *(table.file for table in TABLES),
    INDEX_FILE,
    VECTORS_FILE,
    RANKING_FILE,
    *(f"{ENCODER_FOLDER}/{name}" for name in ENCODER_FILES),
    EFFECTS_FILE,
    ATTRIBUTES_FILE,
    *(f"{LEXICON_FOLDER}/{name}" for name in (GLOSSARY_FILE, *BM25_FILES)),
)
"""Files that every dataset must have."""
