"""The lexical data of a dataset: players' phrases for what entities do, near words, facts that queries mention.

Each reader validates what it reads, so its result needs no further check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import polars as pl
import re2

from server.dataset.index.vectors import unit_problems
from server.dataset.manifest import DatasetError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

EFFECTS_SCHEMA: Final = pl.Schema(
    [("says", pl.String()), ("entity_ids", pl.List(pl.String)), ("vector", pl.List(pl.Float32))]
)
"""Players' phrases for effects: the phrase, the entities that have the effect, the phrase's unit vector
(float32[dimensions])."""

PHRASES_SCHEMA: Final = pl.Schema(
    [("says", pl.String()), ("entity_ids", pl.List(pl.String)), ("kin_ids", pl.List(pl.String))]
)
"""Phrases that people ask for entities with: the phrase, the entities that it means, and similar entities.

Among them are summaries of the questions about a thing ("spell fireball: 8 questions"); the vector of a summary is the
mean of its questions' vectors."""

ATTRIBUTES_SCHEMA: Final = pl.Schema(
    [
        ("says", pl.String()),
        ("asked", pl.String()),
        ("filters", pl.List(pl.Struct({"parameter": pl.String, "value": pl.String}))),
        ("entity_ids", pl.List(pl.String)),
    ]
)
"""Attributes that queries mention in passing: the wording, a regular expression (RE2's) over the query, the filters
that keep exactly the entities with it, these entities. Datasets of older builders have no filters."""

NEAR_WORDS_SCHEMA: Final = pl.Schema([("word", pl.String()), ("near", pl.String()), ("similarity", pl.Float32())])
"""Words of the texts without their endings, each with one that means nearly the same, and how nearly (0..1)."""

PATTERN_OPTIONS: Final = re2.Options()
"""How the patterns of the attributes are compiled: in linear time and bounded memory, whatever they are."""
PATTERN_OPTIONS.log_errors = False
PATTERN_OPTIONS.max_mem = 1 << 20

_NOT_VERY: Final = ("(?<!very )", "(?:^|[^ ]|(?:^|[^y]) |(?:^|[^r])y |(?:^|[^e])ry |(?:^|[^v])ery )")
"""The one look-behind in datasets from before the patterns were RE2's, and its equivalent in RE2, which has none."""

_LONGEST_PHRASE: Final = 200
_LONGEST_PATTERN: Final = 2_000
_REMEDY: Final = "get the dataset again"


class KnownAttributes(NamedTuple):
    """The attributes' table, as `ATTRIBUTES_SCHEMA` has it, and its patterns, numbered like its rows."""

    table: pl.DataFrame
    patterns: re2.Filter


def read_attributes(file: Path, ids: Collection[str]) -> KnownAttributes:
    """The attributes of a dataset.

    Args:
        file: `ATTRIBUTES_FILE` of a dataset.
        ids: the ids of all its entities.

    Raises:
        DatasetError: the file is not such a table, a pattern is not RE2's, an entity does not exist.
    """
    frame = _read(file, ATTRIBUTES_SCHEMA, optional={"filters"})
    _refuse(file, _wrong_phrases(frame, ids))
    frame = frame.with_columns(pl.col("asked").fill_null("").str.replace_all(*_NOT_VERY, literal=True))
    try:
        return KnownAttributes(frame, compiled(frame["asked"].to_list()))
    except ValueError as error:
        msg = f"{_named(file)}: {error}: {_REMEDY}"
        raise DatasetError(msg) from error


def compiled(patterns: Sequence[str]) -> re2.Filter:
    """Compile patterns to be searched for together.

    Raises:
        ValueError: one is too long or not RE2's.
    """
    together = re2.Filter()
    for pattern in patterns:
        if len(pattern) > _LONGEST_PATTERN:
            msg = f"a pattern of {len(pattern):,} characters, of at most {_LONGEST_PATTERN:,}: {pattern[:80]!r}…"
            raise ValueError(msg)
        try:
            together.Add(pattern, PATTERN_OPTIONS)
        except re2.error as error:
            msg = f"{pattern[:80]!r} is not a pattern of RE2 ({_why_not(pattern)})"
            raise ValueError(msg) from error
    if patterns:
        together.Compile()
    return together


def _why_not(pattern: str) -> str:
    """RE2's reason for refusing a pattern."""
    try:
        re2.compile(pattern, PATTERN_OPTIONS)
    except re2.error as error:
        reason = error.args[0]
        return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
    return "too large"


def read_effects(file: Path, ids: Collection[str], dimensions: int) -> tuple[pl.Series, Vectors]:
    """For each phrase the ids of its entities, and its vector: float32[phrases, dimensions].

    Args:
        file: `EFFECTS_FILE` of a dataset.
        ids: the ids of all its entities.
        dimensions: of the encoder's vectors.

    Raises:
        DatasetError: the file is not such a table, a vector is not a unit vector, an entity does not exist.
    """
    frame = _read(file, EFFECTS_SCHEMA)
    _refuse(file, _wrong_phrases(frame, ids))
    if odd := frame.filter(pl.col("vector").list.len().ne_missing(dimensions))["says"].to_list():
        _refuse(file, [f"the vector of {odd[0]!r} does not have the encoder's {dimensions} dimensions"])
    flat = frame["vector"].explode(empty_as_null=False).to_numpy()
    vectors = np.ascontiguousarray(flat, dtype=np.float32).reshape(frame.height, dimensions)
    _refuse(file, unit_problems(vectors))
    return frame["entity_ids"], vectors


def read_phrases(file: Path, ids: Collection[str]) -> tuple[pl.Series, pl.Series]:
    """For each phrase that people ask with, the ids of its entities, and of their kin, which older builders lack.

    Args:
        file: `PHRASES_FILE` of a dataset.
        ids: the ids of all its entities.

    Raises:
        DatasetError: the file is not such a table, an entity does not exist.
    """
    frame = _read(file, PHRASES_SCHEMA, optional={"kin_ids"}).with_columns(pl.col("kin_ids").fill_null([]))
    _refuse(file, _wrong_phrases(frame.with_columns(pl.concat_list("entity_ids", "kin_ids")), ids))
    return frame["entity_ids"], frame["kin_ids"]


def read_near_words(file: Path, words: Collection[str]) -> pl.DataFrame:
    """Pairs of words that mean nearly the same, as `NEAR_WORDS_SCHEMA` has them; none if older builders wrote no file.

    Args:
        file: `NEAR_WORDS_FILE` of a dataset.
        words: those of its BM25 index.

    Raises:
        DatasetError: the file is not such a table, a word is not one of these, a similarity not from 0 to 1.
    """
    if not file.is_file():
        return pl.DataFrame(schema=NEAR_WORDS_SCHEMA)
    frame = _read(file, NEAR_WORDS_SCHEMA)
    if strays := [word for both in frame.select("word", "near").iter_rows() for word in both if word not in words]:
        _refuse(file, [f"words that no text has: {len(strays)}, such as {str(strays[0])[:80]!r}"])
    if not frame["similarity"].is_between(0, 1).fill_null(value=False).all():
        _refuse(file, ["similarities that are not from 0 to 1"])
    return frame


def _wrong_phrases(frame: pl.DataFrame, ids: Collection[str]) -> Iterator[str]:
    """Complaints about phrases and the entities they are true of."""
    for name in ("says", "entity_ids"):
        if nulls := frame[name].null_count():
            yield f"{name} is null in {nulls} of {frame.height} rows"
            return
    said = pl.col("says")
    if odd := frame.filter((said.str.len_chars() > _LONGEST_PHRASE) | said.str.contains(r"\p{C}"))["says"].to_list():
        yield f"what it says is not a line of at most {_LONGEST_PHRASE} printable characters: {odd[0][:80]!r}"
    if strays := sorted(map(str, set(frame["entity_ids"].explode().drop_nulls().unique()) - set(ids))):
        yield f"entities that do not exist: {len(strays)}, such as {strays[0]}"


def _read(file: Path, schema: pl.Schema, optional: Collection[str] = ()) -> pl.DataFrame:
    try:
        found = pl.read_parquet(file)
    except pl.exceptions.PolarsError as error:
        msg = f"{_named(file)} is not a Parquet file ({str(error).splitlines()[0][:200]}): {_REMEDY}"
        raise DatasetError(msg) from error
    added = [pl.lit(None, dtype=schema[column]).alias(column) for column in optional if column not in found.columns]
    frame = found.with_columns(added)
    for column, dtype in schema.items():
        if (there := frame.schema.get(column)) != dtype:
            _refuse(file, [f"column {column}: found {there}, expected {dtype}"])
    return frame.select(list(schema))


def _refuse(file: Path, problems: Iterable[str]) -> None:
    """Raise the first problem, if there is any."""
    for problem in problems:
        msg = f"{_named(file)}: {problem}: {_REMEDY}"
        raise DatasetError(msg)


def _named(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"
