"""`lorekeeper-build vocabulary`: checks that every line of the vocabulary has an effect, and is true."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl
from cyclopts import App

from build_pipeline.commands.terminal import EXIT_FAILED, Json
from build_pipeline.index.phrases import FOLDER as PHRASES
from build_pipeline.index.phrases import read_phrases, unknown_names
from build_pipeline.index.vocabulary.check import (
    ENOUGH,
    NINE_OF_TEN,
    VERDICTS_FILE,
    Change,
    Idle,
    Measure,
    Verdict,
    changes,
    idle_lines,
    measure,
    read_verdicts,
    sample,
    undeserved,
    untagged,
)
from build_pipeline.index.vocabulary.frames import entity_frames
from build_pipeline.index.vocabulary.tagging import Tagged, by_phrase, tag_entities
from build_pipeline.index.vocabulary.vocabulary import FOLDER, Vocabulary, read_vocabulary
from build_pipeline.tables import read_frame
from server.dataset.compatibility import read_table
from server.dataset.files import EFFECTS_FILE
from server.dataset.manifest import read_manifest
from server.dataset.schema import ENTITY_TABLES
from server.dataset.terminal import PrintableStdout, lines_console, write_json

Frames = dict[str, pl.DataFrame]

_SHOWN: Final = 5
"""Ids listed per change or document on a terminal; --json lists all."""

app: Final = App(
    name="vocabulary",
    help_epilogue=(
        "Exit codes: 0 every line has an effect and nine in ten judged entities deserve their tags, 1 otherwise, "
        "2 wrong usage."
    ),
)


@dataclass(frozen=True, slots=True)
class Report:
    """What the check found.

    Attributes:
        idle: lines without effect, tags that no entity has.
        undeserved: tags that entities have although a verdict says they do not deserve them.
        measures: tag → what the verdicts say; `""` for all.
        changes: how reach changed since the previous dataset; None without one.
        untagged: document → its entities without any tag, and how many entities it has.
    """

    idle: Sequence[Idle]
    undeserved: Sequence[Verdict]
    measures: dict[str, Measure]
    changes: Sequence[Change] | None
    untagged: dict[str, tuple[list[str], int]]

    @property
    def below(self) -> list[str]:
        """The tags that fewer than nine in ten deserve, among those with enough verdicts."""
        return [tag for tag, found in self.measures.items() if found.read >= ENOUGH and found.share < NINE_OF_TEN]

    @property
    def failed(self) -> bool:
        """Whether the vocabulary needs work."""
        return bool(self.idle or self.undeserved or self.below)


@app.command
def check(
    dataset: Path,
    /,
    *,
    previous: Path | None = None,
    vocabulary: Path = FOLDER,
    verdicts: Path = VERDICTS_FILE,
    as_json: Json = False,
) -> int:
    """Check the vocabulary against a dataset: lines without effect, tags that no entity has, verdicts of readers.

    Also shows how reach changed since an earlier dataset, and which entities of each document have no tag at all.

    Parameters
    ----------
    dataset
        Folder of a dataset with all documents: in a small one most lines have no effect.
    previous
        An earlier dataset, whose reach is compared among the entities of both.
    vocabulary
        Folder of the vocabulary. Default: the repository's.
    verdicts
        CSV file of readers' verdicts: tag, entity_id, deserved (yes or no). Default: the repository's.
    as_json
        Print everything as JSON.
    """
    frames, tags = _opened(dataset, vocabulary)
    tagged = tag_entities(frames, tags)
    judged = read_verdicts(verdicts)
    report = Report(
        idle=idle_lines(frames, tags),
        undeserved=undeserved(tagged, judged),
        measures=measure(tagged, judged),
        changes=_changes(previous, frames, tagged) if previous is not None else None,
        untagged=untagged(frames, tagged),
    )
    if as_json:
        write_json(asdict(report) | {"below": report.below})
    else:
        console = lines_console()
        for line in _lines(report):
            console.print(line)
    return EXIT_FAILED if report.failed else 0


@app.command(name="sample")
def draw(dataset: Path, /, *, number: int = 200, seed: int = 1, vocabulary: Path = FOLDER) -> int:
    """Draw pairs of entity and tag to read and judge, as CSV: tag, entity_id, deserved (to fill in), phrase, evidence.

    Parameters
    ----------
    dataset
        Folder of the dataset.
    number
        How many; every pair is as likely as any other.
    seed
        The same seed draws the same pairs.
    vocabulary
        Folder of the vocabulary. Default: the repository's.
    """
    frames, tags = _opened(dataset, vocabulary)
    drawn = sample(tag_entities(frames, tags), number, seed)
    writer = csv.writer(PrintableStdout(), lineterminator="\n")
    writer.writerow(("tag", "entity_id", "deserved", "phrase", "evidence"))
    writer.writerows((found.tag, found.entity_id, "", found.phrases[0], found.evidence) for found in drawn)
    return 0


@app.command
def phrases(dataset: Path, /, *, folder: Path = PHRASES) -> int:
    """Check people's phrases against a dataset: list names that nothing in the SRDs has (any more).

    Parameters
    ----------
    dataset
        Folder of a dataset with both System Reference Documents in full.
    folder
        Folder of the phrases. Default: the repository's.
    """
    entries = read_phrases(folder)
    unknown = unknown_names(entries, _records(dataset))
    console = lines_console()
    for name in unknown:
        console.print(f"nothing in the SRDs is the {name}")
    number = sum(len(entry.phrases) for entry in entries)
    console.print(f"{number:,} phrases in {len(entries):,} entries; {len(unknown):,} names that nothing has")
    return EXIT_FAILED if unknown else 0


def _opened(dataset: Path, vocabulary: Path) -> tuple[Frames, Vocabulary]:
    return entity_frames(_records(dataset)), read_vocabulary(vocabulary)


def _records(dataset: Path) -> dict[str, list[dict[str, Any]]]:
    read_manifest(dataset)
    return {table.name: read_table(dataset / table.file, table).to_dicts() for table in ENTITY_TABLES}


def _changes(previous: Path, frames: Frames, tagged: Sequence[Tagged]) -> list[Change]:
    read_manifest(previous)
    ids = {i for table in ENTITY_TABLES for i in read_table(previous / table.file, table)["id"]}
    shared = ids & {i for frame in frames.values() for i in frame["id"]}
    before = dict(read_frame(previous / EFFECTS_FILE, ["says", "entity_ids"]).iter_rows())
    return changes(before, by_phrase(tagged), shared)


def _lines(report: Report) -> Iterator[str]:
    for idle in report.idle:
        finding = f"{idle.part} {idle.line!r} has no effect" if idle.part else "no entity has it"
        yield f"{idle.table}: {idle.tag}: {finding}"
    for verdict in report.undeserved:
        yield f"{verdict.tag}: {verdict.entity_id} has it but does not deserve it"
    for tag in report.below:
        found = report.measures[tag]
        yield f"{tag or 'all tags'}: {found.deserved} of {found.read} deserve it, fewer than nine in ten"
    for change in report.changes or ():
        signed = [*(f"+{i}" for i in change.gained), *(f"-{i}" for i in change.lost)]
        yield f"{change.phrase}: {_some(signed)}"
    for document, (without, size) in report.untagged.items():
        if without:
            yield f"{document}: {len(without):,} of {size:,} entities without a tag: {_some(without)}"
    whole = report.measures[""]
    yield (
        f"{len(report.idle):,} lines have no effect; of {whole.read:,} verdicts on tags that entities have "
        f"{whole.deserved:,} say that the tag is deserved"
    )


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
