"""Checks that a dataset's files contain what the server relies on. Loading and `verify` share these checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import faiss
import polars as pl

from server.dataset.compatibility import read_table
from server.dataset.files import INDEX_FILE, VECTORS_FILE
from server.dataset.index.vectors import SUMMARY, VECTORS, unit_problems
from server.dataset.paths import ITEMS, resolve
from server.dataset.printable import HIDDEN, printable
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.dataset.dataset import Dataset
    from server.dataset.tables.columns import PolarsType, Table

_BLOCK: Final = 8192
"""Vectors checked at once."""
_QUOTED: Final = 60
"""Characters of a text in a complaint."""
_PASSAGE: Final = r"^[1-9][0-9]{0,5}$"
"""Labels of passages other than the summary."""


def wrong_contents(dataset: Dataset) -> Iterator[str]:
    """Complaints about a dataset's tables, its index and its row map, one line each, each naming its file."""
    yield from _wrong_row_counts(dataset)
    yield from _wrong_values(dataset.documents, DOCUMENTS)
    yield from _hidden_texts(dataset.documents, DOCUMENTS)
    for table in ENTITY_TABLES:
        yield from _wrong_values(dataset.tables[table.name], table)
        yield from _hidden_texts(dataset.tables[table.name], table)
        yield from _wrong_entities(dataset, table)
    yield from _wrong_tags(dataset)
    yield from _wrong_row_map(dataset)
    yield from _wrong_index(dataset)


def _wrong_row_counts(dataset: Dataset) -> Iterator[str]:
    files = dataset.manifest["files"]
    counted = {DOCUMENTS.file: dataset.documents.height, VECTORS_FILE: dataset.vectors.height}
    counted |= {table.file: dataset.tables[table.name].height for table in ENTITY_TABLES}
    for name, rows in counted.items():
        said = files[name]["rows"]
        if said is not None and said != rows:
            yield f"{name} has {rows} rows, the manifest says {said}"


def _wrong_values(frame: pl.DataFrame, table: Table) -> Iterator[str]:
    """Complaints about missing and impossible values."""
    for column in table.columns:
        if column.required and (nulls := frame[column.name].null_count()):
            yield f"{table.file}: {column.name} is null in {nulls} of {frame.height} rows"
    for path in _float_paths(table):
        values = frame.select(resolve(table, path)[0].alias("value"))["value"]
        while isinstance(values.dtype, pl.List):
            values = values.explode()
        if infinite := values.is_finite().not_().sum():
            yield f"{table.file}: {path} is not a finite number in {infinite} rows"


def _hidden_texts(frame: pl.DataFrame, table: Table) -> Iterator[str]:
    """Complaints about characters that nobody sees, or that a terminal obeys."""
    texts = {
        path: text
        for column in table.columns
        for path, text in _texts_in(column.name, pl.col(column.name), column.dtype)
    }
    # All paths at once: polars hands every selection of columns to its threads, which costs more than the search.
    found = frame.select(text.str.contains(HIDDEN).any().alias(path) for path, text in texts.items())
    for path, text in texts.items():
        if found[path].item():
            hidden = frame.select(text.filter(text.str.contains(HIDDEN))).to_series().to_list()
            example = printable(hidden[0])[:_QUOTED]
            yield f"{table.file}: {path} has invisible or control characters {len(hidden)} times, such as {example}"


def _texts_in(path: str, values: pl.Expr, dtype: PolarsType) -> Iterator[tuple[str, pl.Expr]]:
    """The paths to the texts in values of a type, at any depth, each with all of its texts, one after another."""
    if isinstance(dtype, pl.List):
        if _has_texts(dtype):
            yield from _texts_in(path + ITEMS, values.explode(), dtype.inner)
    elif isinstance(dtype, pl.Struct):
        for field in dtype.fields:
            yield from _texts_in(f"{path}.{field.name}", values.struct.field(field.name), field.dtype)
    elif dtype == pl.String:
        yield path, values


def _has_texts(dtype: PolarsType) -> bool:
    if isinstance(dtype, pl.List):
        return _has_texts(dtype.inner)
    if isinstance(dtype, pl.Struct):
        return any(_has_texts(field.dtype) for field in dtype.fields)
    return dtype == pl.String


def _wrong_entities(dataset: Dataset, table: Table) -> Iterator[str]:
    frame = dataset.tables[table.name]
    if duplicates := frame.filter(pl.col("id").is_duplicated())["id"].unique().sort().to_list():
        yield f"{table.file}: duplicate ids: {len(duplicates)}, such as {duplicates[0]}"
    made = pl.concat_str("entity_type", "document_key", "slug", separator="/")
    if strange := frame.filter(pl.col("id") != made)["id"].to_list():
        yield f"{table.file}: ids other than type/document/slug: {len(strange)}, such as {strange[0]}"
    if foreign := set(frame["entity_type"].unique()) - set(table.entity_types):
        yield f"{table.file}: contains entities of type {', '.join(sorted(map(str, foreign)))}"
    if unknown := set(frame["document_key"].unique()) - set(dataset.documents["document_key"].unique()):
        yield f"{table.file}: documents missing from documents.parquet: {', '.join(sorted(map(str, unknown)))}"
    ordered = frame.select("name", "document_key", "slug", "id").sort(
        "name", "document_key", "slug", maintain_order=True
    )
    if not ordered["id"].equals(frame["id"]):
        yield f"{table.file}: rows are not sorted by name, document_key, slug"


def _wrong_tags(dataset: Dataset) -> Iterator[str]:
    """Complaints about the tags table; older datasets lack it."""
    entry = dataset.manifest["files"].get(TAGS.file)
    if entry is None:
        return
    tags = read_table(dataset.path / TAGS.file, TAGS)
    if entry["rows"] is not None and tags.height != entry["rows"]:
        yield f"{TAGS.file} has {tags.height} rows, the manifest says {entry['rows']}"
    if strays := sorted(set(tags["entity_id"].unique()) - dataset.ids):
        yield f"{TAGS.file}: tags of entities that do not exist: {len(strays)}, such as {strays[0]}"
    if twice := tags.filter(tags.select("entity_id", "tag").is_duplicated())["entity_id"].to_list():
        yield f"{TAGS.file}: rows that repeat a tag of an entity: {len(twice)}, such as one of {twice[0]}"
    yield from _wrong_values(tags, TAGS)


def _wrong_row_map(dataset: Dataset) -> Iterator[str]:
    vectors = dataset.vectors
    yield from _wrong_values(vectors, VECTORS)
    if dataset.index.ntotal != vectors.height:
        yield f"{VECTORS_FILE} has {vectors.height} rows, but {INDEX_FILE} {dataset.index.ntotal} vectors"
    labels = pl.col("passage")
    if strange := vectors.filter((labels != SUMMARY) & ~labels.str.contains(_PASSAGE))["passage"].to_list():
        yield f"{VECTORS_FILE}: passages that are neither {SUMMARY} nor numbered: {len(strange)}, such as {strange[0]}"
    if twice := vectors.filter(vectors.select("entity_id", "passage").is_duplicated())["entity_id"].to_list():
        yield f"{VECTORS_FILE}: rows that repeat a passage of an entity: {len(twice)}, such as one of {twice[0]}"
    with_vectors = set(vectors["entity_id"].unique())
    if strays := sorted(with_vectors - dataset.ids):
        yield f"{VECTORS_FILE}: vectors of entities that do not exist: {len(strays)}, such as one of {strays[0]}"
    if missing := sorted(dataset.ids - with_vectors):
        yield f"{VECTORS_FILE}: entities without a vector: {len(missing)}, such as {missing[0]}"


def _wrong_index(dataset: Dataset) -> Iterator[str]:
    index, wanted = dataset.index, dataset.manifest["encoder"]["dimensions"]
    if index.metric_type != faiss.METRIC_INNER_PRODUCT:
        yield f"{INDEX_FILE} measures distances (metric {index.metric_type}), but the server needs inner products"
    if index.d != wanted:
        yield f"{INDEX_FILE} has {index.d} dimensions, but the manifest says that the encoder has {wanted}"
    for start in range(0, index.ntotal, _BLOCK):
        block = index.reconstruct_n(start, min(_BLOCK, index.ntotal - start))
        for problem in unit_problems(block):
            yield f"{INDEX_FILE}: of those from number {start} on, {problem}"
            return


def _float_paths(table: Table) -> Iterator[str]:
    """The paths to a table's floating-point numbers, at any depth."""
    for column in table.columns:
        yield from _floats_in(column.name, column.dtype)


def _floats_in(path: str, dtype: PolarsType) -> Iterator[str]:
    if isinstance(dtype, pl.List):
        yield from _floats_in(path + ITEMS, dtype.inner)
    elif isinstance(dtype, pl.Struct):
        for field in dtype.fields:
            yield from _floats_in(f"{path}.{field.name}", field.dtype)
    elif dtype.is_float():
        yield path
