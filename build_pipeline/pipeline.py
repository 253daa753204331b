"""The stages of a build, from a snapshot to a dataset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from build_pipeline.aside import aside
from build_pipeline.check.checks import EXCEPTIONS_FILE, Checked, check, read_exceptions
from build_pipeline.check.decisions import write_decisions
from build_pipeline.check.rule import Evidence
from build_pipeline.index.embed import Encoder, open_encoder
from build_pipeline.index.engine_names import EngineName, find_engine
from build_pipeline.index.lexicon import write_attributes, write_effects, write_lexicon, write_phrases
from build_pipeline.index.models import DEFAULT_MODEL
from build_pipeline.index.near_words import with_neighbours, write_near_words
from build_pipeline.index.passages import MAX_CHUNKS, passages
from build_pipeline.index.phrases import kin_of, phrases_of, read_phrases, read_questions, summaries_of
from build_pipeline.index.vectors import embed_passages, write_index
from build_pipeline.index.vocabulary.attributes import reach, read_attributes
from build_pipeline.index.vocabulary.frames import entity_frames, with_tags
from build_pipeline.index.vocabulary.tagging import Tagged, by_phrase, tag_entities, tag_rows
from build_pipeline.index.vocabulary.vocabulary import read_vocabulary
from build_pipeline.kept import keeping
from build_pipeline.normalize.books.witnesses import witnesses
from build_pipeline.normalize.merging.corrections import Correction, read_corrections
from build_pipeline.normalize.merging.documents import license_texts
from build_pipeline.normalize.records import Normalized, normalize
from build_pipeline.normalize.source import Source
from build_pipeline.release.allowed import read_allow_list, with_declared_licenses
from build_pipeline.release.descriptions import write_descriptions
from build_pipeline.release.manifest import file_entries, make_manifest, table_rows
from build_pipeline.resources import DATA
from build_pipeline.snapshot.orcbrew.homebrew import add_homebrew
from build_pipeline.snapshot.raw import SNAPSHOT_FILE, RawLayer, read_raw_layer, recounted, write_endpoint
from build_pipeline.sources import SOURCES
from build_pipeline.tables import Record, write_table
from build_pipeline.target import replacing
from build_pipeline.text_files import write_json
from build_pipeline.times import declared_time
from server.dataset.collector import uncollected
from server.dataset.contents import wrong_contents
from server.dataset.files import ENCODER_FOLDER, RANKING_FILE
from server.dataset.index.ranking_weights import read_fit, write_fit
from server.dataset.load import read_dataset
from server.dataset.manifest import MANIFEST_FILE, DatasetError, Manifest, read_manifest
from server.dataset.schema import ENTITY_TABLES, PUBLISHED_TABLES, TAGS

CORRECTIONS_FILE: Final = "corrections.toml"

_FIXED_BYTES: Final = 120_000_000
"""The encoder's size, which is most of a small dataset."""
_BYTES_A_BYTE: Final = 12
"""Bytes of tables, vectors and raw objects per byte of a snapshot: 7 were measured."""

Progress = Callable[[str, int, int], None]
"""Progress callback: (stage, done, total)."""


def build_dataset(
    snapshot: Path,
    out: Path,
    *,
    orcbrew: Sequence[Path] = (),
    model: str = DEFAULT_MODEL,
    previous: Path | None = None,
    cache: Path | None = None,
    engine: EngineName = "local",
    chunks: int = MAX_CHUNKS,
    max_questions: int | None = None,
    sources: Sequence[Source] = SOURCES,
    progress: Progress = lambda *_: None,
) -> Manifest:
    """Build the dataset of a snapshot.

    Args:
        snapshot: folder of the raw layer.
        out: folder to create; an earlier dataset there is replaced once the new one is complete.
        orcbrew: homebrew files to add to the snapshot.
        model: sentence encoder, by name or folder.
        previous: an earlier dataset; vectors of unchanged passages are reused.
        cache: folder that keeps vectors, the exported model and parsed texts between builds; None keeps nothing.
        engine: what computes the vectors; the dataset is the same.
        chunks: maximum number of text passages per entity, besides its summary.
        max_questions: maximum number of questions per thing whose vectors are computed; None takes all.
        sources: the sources that the snapshot may contain, most trusted first.
        progress: called as the work progresses.

    Returns:
        The manifest, as written.

    Raises:
        ExpectedError, DatasetError: the message names what is wrong.
    """
    embed = find_engine(engine)  # fails now rather than after the tables
    declared_time()  # likewise
    if previous is not None:
        read_manifest(previous)  # likewise
    with uncollected(), replacing(out, _room(snapshot)) as work, keeping(cache):
        raw = read_raw_layer(snapshot, (endpoint for source in sources for endpoint in source.endpoints))
        add_homebrew(raw, orcbrew)
        corrections = _corrections(snapshot)
        normalized, tagged, frames = _records(raw, sources, corrections, progress)
        with aside(partial(_checked, raw, normalized, corrections)) as when_checked:
            _write_tables(work, raw, normalized, frames)
            records, entities_of = _in_order(normalized), by_phrase(tagged)
            texts = [passage for record in records for passage in passages(record, chunks)]
            phrases, questions = read_phrases(), read_questions()
            asked = phrases_of([*phrases, *questions], records)

            progress("loading the encoder", 0, 1)
            with (
                aside(partial(write_lexicon, work, records, entities_of, asked)) as when_indexed,
                open_encoder(model, cache, embed) as encoder,
            ):
                progress("loading the encoder", 1, 1)
                encoder.write(work / ENCODER_FOLDER)
                vectors, hashes = embed_passages(texts, encoder, previous, partial(progress, "embedding passages"))
                write_index(work, texts, vectors, hashes)
                _write_words(work, with_neighbours(when_indexed()), entities_of, encoder, progress)
                _write_phrases(
                    work,
                    asked=phrases_of(phrases, records),
                    kin=kin_of(phrases, records),
                    summaries=summaries_of(questions, records, max_questions),
                    encoder=encoder,
                    progress=progress,
                )
            attributes = read_attributes()
            write_attributes(work, attributes, reach(frames, attributes))
            write_fit(work / RANKING_FILE, read_fit(DATA / RANKING_FILE))

            progress("checking", 0, 1)
            checked = when_checked()
            progress("checking", 1, 1)

        manifest = make_manifest(raw, normalized, checked, encoder, previous=previous)
        write_decisions(work, checked, corrections)
        write_descriptions(work, manifest, license_texts(raw), previous)
        manifest["files"] = file_entries(work, table_rows(normalized, len(texts)))
        write_json(work / MANIFEST_FILE, manifest)
        _refuse_unservable(work)
    return manifest


def _refuse_unservable(folder: Path) -> None:
    """Check a dataset as a server does, except for the hashes, before it replaces one that is served.

    Raises:
        DatasetError: no server would load it.
    """
    for problem in wrong_contents(read_dataset(folder, read_manifest(folder))):
        msg = f"the dataset that was built would not be served, and is removed: {problem}"
        raise DatasetError(msg)


def _checked(raw: RawLayer, normalized: Normalized, corrections: Sequence[Correction]) -> Checked:
    """Run the rules over the records."""
    problems = [*raw.info.get("problems", []), *normalized.problems]
    evidence = Evidence(tuple(witnesses(raw)), corrections, problems)
    return check(normalized.tables, read_exceptions(DATA / EXCEPTIONS_FILE), evidence=evidence)


def _room(snapshot: Path) -> int:
    """The bytes that must be free on the disk to build a snapshot's dataset; more than it will have."""
    return _FIXED_BYTES + _BYTES_A_BYTE * sum(file.stat().st_size for file in snapshot.rglob("*") if file.is_file())


def _records(
    raw: RawLayer, sources: Sequence[Source], corrections: Sequence[Correction], progress: Progress
) -> tuple[Normalized, list[Tagged], dict[str, pl.DataFrame]]:
    """The records with their tags, the tags with their evidence, and the records as frames."""
    progress("normalising", 0, 1)
    normalized = normalize(raw, sources, corrections)
    normalized = replace(normalized, tables=with_declared_licenses(normalized.tables, read_allow_list()))
    progress("normalising", 1, 1)

    progress("tagging", 0, 1)
    frames = entity_frames(normalized.tables)
    tagged = tag_entities(frames, read_vocabulary())
    rows = tag_rows(tagged)
    progress("tagging", 1, 1)
    return replace(normalized, tables={**normalized.tables, TAGS.name: rows}), tagged, with_tags(frames, rows)


def _corrections(snapshot: Path) -> list[Correction]:
    """The snapshot's own corrections if it has any, otherwise those of the public sources."""
    own = snapshot / CORRECTIONS_FILE
    return read_corrections(own if own.is_file() else DATA / CORRECTIONS_FILE)


def _write_tables(folder: Path, raw: RawLayer, normalized: Normalized, frames: Mapping[str, pl.DataFrame]) -> None:
    for table in PUBLISHED_TABLES:
        write_table(folder, table, normalized.tables[table.name], frames.get(table.name))
    for source, endpoint in sorted(raw.endpoints):
        objects = sorted(raw[source, endpoint].values(), key=lambda obj: obj.key)
        write_endpoint(folder, source, endpoint, objects)
    write_json(folder / SNAPSHOT_FILE, recounted(raw))


def _in_order(normalized: Normalized) -> list[Record]:
    """Every entity, sorted by id, so that vector ids do not depend on the order of the sources."""
    records = (record for table in ENTITY_TABLES for record in normalized.tables[table.name])
    return sorted(records, key=lambda record: str(record["id"]))


def _write_words(
    folder: Path,
    words: Mapping[str, str],
    entities_of: Mapping[str, Sequence[str]],
    encoder: Encoder,
    progress: Progress,
) -> None:
    """Write the vectors of words, by term, and those of players' phrases for effects."""
    near = encoder.encode_passages(list(words.values()), partial(progress, "embedding words"))
    write_near_words(folder, list(words), near)
    effects = encoder.encode_passages(list(entities_of), partial(progress, "embedding effects"))
    write_effects(folder, entities_of, effects)


def _write_phrases(
    folder: Path,
    *,
    asked: Mapping[str, list[str]],
    kin: Mapping[str, list[str]],
    summaries: Mapping[str, tuple[list[str], list[str]]],
    encoder: Encoder,
    progress: Progress,
) -> None:
    """Write the phrases and the summaries of questions, with the entities that they ask for and their vectors."""
    means = encoder.encode_means([texts for _, texts in summaries.values()], partial(progress, "embedding questions"))
    vectors = encoder.encode_passages(list(asked), partial(progress, "embedding phrases"))
    entities_of = {**asked, **{summary: ids for summary, (ids, _) in summaries.items()}}
    write_phrases(folder, entities_of, kin, np.concatenate([vectors, means]))
