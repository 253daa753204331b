"""Checks whether every line of the vocabulary has an effect, and whether nine in ten entities deserve their tags."""

from __future__ import annotations

import csv
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import polars as pl

from build_pipeline.declared import DeclaredError
from build_pipeline.index.vocabulary.tagging import Tagged, Tagger
from build_pipeline.index.vocabulary.vocabulary import FOLDER, Condition, Tag, Vocabulary

VERDICTS_FILE: Final = FOLDER / "verdicts.csv"
NINE_OF_TEN: Final = 0.9
ENOUGH: Final = 10
"""Minimum number of verdicts on a tag for its share to be meaningful."""

Part = Literal["text", "every", "unless", "named", "not_named", "include", "exclude"]
_Use = tuple[str, str, bool]
"""(part of an entry, line of that part, whether the line has an effect)."""


@dataclass(frozen=True, slots=True)
class Idle:
    """A line of the vocabulary that changes nothing, or a tag that nothing has (`part` and `line` empty)."""

    table: str
    tag: str
    part: str
    line: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """A reader's verdict on one of an entity's tags."""

    tag: str
    entity_id: str
    deserved: bool


@dataclass(frozen=True, slots=True)
class Measure:
    """How many verdicts on existing pairs of entity and tag there are, and how many say that the tag is deserved."""

    read: int
    deserved: int

    @property
    def share(self) -> float:
        return self.deserved / self.read if self.read else 1.0


@dataclass(frozen=True, slots=True)
class Change:
    """The entities, among those of both datasets, that a phrase gained and lost."""

    phrase: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]


def idle_lines(frames: Mapping[str, pl.DataFrame], vocabulary: Vocabulary) -> list[Idle]:
    """The lines that change nothing for any entity, and should be removed or corrected.

    Lines of an entry with `each` are idle if they are idle for all its values; the entry's first tag stands for all.

    Raises:
        DeclaredError: a condition is invalid.
    """
    return [
        idle for table, tags in vocabulary.items() for idle in _idle(table, Tagger(table, frames[table], tags), tags)
    ]


def measure(tagged: Iterable[Tagged], verdicts: Iterable[Verdict]) -> dict[str, Measure]:
    """Tag → the verdicts on the entities that have it; `""` for all together."""
    pairs = {(found.entity_id, found.tag) for found in tagged}
    judged = [verdict for verdict in verdicts if (verdict.entity_id, verdict.tag) in pairs]
    read = Counter(verdict.tag for verdict in judged)
    deserved = Counter(verdict.tag for verdict in judged if verdict.deserved)
    by_tag = {tag: Measure(read[tag], deserved[tag]) for tag in sorted(read)}
    return {"": Measure(len(judged), sum(deserved.values())), **by_tag}


def undeserved(tagged: Iterable[Tagged], verdicts: Iterable[Verdict]) -> list[Verdict]:
    """The verdicts against tags that entities have."""
    pairs = {(found.entity_id, found.tag) for found in tagged}
    return [verdict for verdict in verdicts if not verdict.deserved and (verdict.entity_id, verdict.tag) in pairs]


def changes(before: Mapping[str, Iterable[str]], now: Mapping[str, Iterable[str]], shared: set[str]) -> list[Change]:
    """How the reach of phrases changed among the entities that both datasets have.

    Args:
        before, now: phrase → ids.
        shared: the ids of the entities of both.
    """
    found = []
    for phrase in sorted(before.keys() | now.keys()):
        old, new = set(before.get(phrase, ())) & shared, set(now.get(phrase, ())) & shared
        if old != new:
            found.append(Change(phrase, tuple(sorted(new - old)), tuple(sorted(old - new))))
    return found


def untagged(frames: Mapping[str, pl.DataFrame], tagged: Iterable[Tagged]) -> dict[str, tuple[list[str], int]]:
    """Document → the ids of its entities without any tag, and how many entities it has."""
    have = {found.entity_id for found in tagged}
    without: defaultdict[str, list[str]] = defaultdict(list)
    sizes: Counter[str] = Counter()
    for frame in frames.values():
        for identity, document in frame.select("id", "document_key").iter_rows():
            sizes[document] += 1
            if identity not in have:
                without[document].append(identity)
    return {document: (sorted(without[document]), size) for document, size in sorted(sizes.items())}


def sample(tagged: Iterable[Tagged], number: int, seed: int) -> list[Tagged]:
    """Pairs of entity and tag to read, each as likely as any other; the same for the same seed."""
    pairs = sorted({(found.entity_id, found.tag): found for found in tagged}.items())
    return [found for _, found in random.Random(seed).sample(pairs, min(number, len(pairs)))]  # noqa: S311 no secret


def read_verdicts(path: Path = VERDICTS_FILE) -> list[Verdict]:
    """The verdicts of a CSV file with the columns tag, entity_id and deserved (yes or no).

    Raises:
        DeclaredError: it has other columns or values.
    """
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for number, row in enumerate(rows, 2):
        if row.get("deserved") not in {"yes", "no"} or not row.get("tag") or not row.get("entity_id"):
            msg = f"{path.name}, line {number}: {row} is not a verdict: tag, entity_id and deserved (yes or no)"
            raise DeclaredError(msg)
    return [Verdict(row["tag"], row["entity_id"], row["deserved"] == "yes") for row in rows]


def _idle(table: str, tagger: Tagger, tags: Sequence[Tag]) -> Iterator[Idle]:
    reached = dict(tagger.reached())
    entries: defaultdict[int, list[Tag]] = defaultdict(list)
    for tag in tags:
        entries[tag.number].append(tag)
        if not reached[tag]:
            yield Idle(table, tag.tag, "", "")
    for entry in entries.values():
        # The lines of the tags of one entry are in the same order.
        for uses in zip(*(_uses(tagger, tag) for tag in entry), strict=True):
            if not any(useful for _, _, useful in uses):
                yield Idle(table, entry[0].tag, *uses[0][:2])


def _uses(tagger: Tagger, tag: Tag) -> Iterator[_Use]:
    rows = tagger.described(tag).keys()
    for place, condition in enumerate(tag.conditions):
        yield from _uses_of_condition(tagger, tag, condition, place, rows)
    for listing in tag.include:
        yield from (("include", name, bool(tagger.called(name) - rows)) for name in listing.names)
    for listing in tag.exclude:
        yield from (("exclude", name, bool(tagger.called(name) & rows)) for name in listing.names)


def _uses_of_condition(
    tagger: Tagger, tag: Tag, condition: Condition, place: int, rows: Iterable[int]
) -> Iterator[_Use]:
    reached = frozenset(rows)
    matching = tagger.texts.matching
    yield from (("text", p, bool(matching[p] & reached)) for p in condition.text)
    yield from (("named", word, bool(tagger.named([word]) & reached)) for word in condition.named)
    for part in ("every", "unless", "not_named"):
        lines: tuple[str, ...] = getattr(condition, part)
        for line in lines:
            without = condition.model_copy(update={part: tuple(other for other in lines if other != line)})
            yield part, line, tagger.described(_replaced(tag, place, without)).keys() != reached


def _replaced(tag: Tag, place: int, condition: Condition) -> Tag:
    """The tag with another condition in place of its own (0) or of an alternative."""
    if place == 0:
        return tag.model_copy(update={name: getattr(condition, name) for name in Condition.model_fields})
    either = list(tag.either)
    either[place - 1] = condition
    return tag.model_copy(update={"either": tuple(either)})
