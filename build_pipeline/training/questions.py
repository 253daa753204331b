"""What an encoder is trained on: what people would say to find a thing, and the passages that answer it."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from build_pipeline.index.passages import Passage, passages
from build_pipeline.index.phrases import Asked, Thing
from server.dataset.dataset import Dataset
from server.dataset.names import normalize_name
from server.dataset.schema import ENTITY_TABLES


@dataclass(frozen=True, slots=True)
class Library:
    """The passages of a dataset.

    Attributes:
        passages: all of them.
        things: for each passage, the kind and folded name of its thing; things of one name in several books are one.
        of_thing: thing → its passages' numbers.
    """

    passages: Sequence[Passage]
    things: Sequence[Thing]
    of_thing: Mapping[Thing, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Example:
    """A question to learn.

    Attributes:
        text: the question.
        others: other questions for the same thing.
        things: what it asks for; their passages are never wrong answers.
        answers: numbers of the passages that may answer it.
    """

    text: str
    others: Sequence[str]
    things: frozenset[Thing]
    answers: Sequence[int]


def read_library(dataset: Dataset) -> Library:
    """The passages of a dataset."""
    found: list[Passage] = []
    things: list[Thing] = []
    of_thing: dict[Thing, list[int]] = defaultdict(list)
    for table in ENTITY_TABLES:
        for record in dataset.tables[table.name].iter_rows(named=True):
            thing = str(record["entity_type"]), normalize_name(record["name"])
            for passage in passages(record):
                of_thing[thing].append(len(found))
                found.append(passage)
                things.append(thing)
    return Library(found, things, of_thing)


def examples(library: Library, entries: Iterable[Asked]) -> Iterator[Example]:
    """The questions to learn with a library: those that something in it answers."""
    for entry in entries:
        things = [thing for thing in entry.things if thing in library.of_thing]
        numbers = [number for thing in things for number in library.of_thing[thing]]
        for text in entry.phrases if numbers else ():
            others = [other for other in entry.phrases if other != text] or [text]
            yield Example(text, others, frozenset(things), numbers)


def is_held_out(example: Example, one_in: int) -> bool:
    """Whether a question is held out from training, to measure what is learnt: those for one thing in `one_in` are.

    This depends only on names, not on the order or number of the other questions.
    """
    return any(zlib.crc32(name.encode()) % one_in == 0 for _, name in example.things)
