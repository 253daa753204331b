"""What an encoder is trained on: questions that people would ask for a thing, and the passages that answer them.

The questions are those of `data/encoder/questions/`, written for single entities, and the phrases of `data/phrases/`,
written for things of both System Reference Documents.
"""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from build_pipeline.index.passages import Passage, passages
from build_pipeline.index.phrases import Asked, Thing
from build_pipeline.resources import DATA
from server.dataset.load import Dataset
from server.dataset.names import normalize_name
from server.dataset.schema import ENTITY_TABLES

FOLDER: Final = DATA / "encoder" / "questions"


class QuestionError(Exception):
    """A line of the questions that makes no sense; the message names it."""


@dataclass(frozen=True, slots=True)
class Library:
    """The passages of a dataset.

    Attributes:
        passages: all of them.
        things: of each passage, the kind and folded name of what it is about: other books' things of one name are one.
        of_entity: entity id → its passages' numbers.
        of_thing: thing → its passages' numbers.
    """

    passages: Sequence[Passage]
    things: Sequence[Thing]
    of_entity: Mapping[str, Sequence[int]]
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
    of_entity: dict[str, list[int]] = defaultdict(list)
    of_thing: dict[Thing, list[int]] = defaultdict(list)
    for table in ENTITY_TABLES:
        for record in dataset.tables[table.name].iter_rows(named=True):
            thing = str(record["entity_type"]), normalize_name(record["name"])
            for passage in passages(record):
                of_entity[passage.entity_id].append(len(found))
                of_thing[thing].append(len(found))
                found.append(passage)
                things.append(thing)
    return Library(found, things, of_entity, of_thing)


def read_questions(folder: Path = FOLDER) -> dict[str, list[str]]:
    """Entity id → questions that it answers.

    Raises:
        QuestionError: there are none, or a line is no object of an `id` and a list of `questions`.
    """
    questions: dict[str, list[str]] = {}
    for file in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match _parsed(line):
                case {"id": str(identity), "questions": [*texts]} if texts and all(isinstance(t, str) for t in texts):
                    questions.setdefault(identity, []).extend(texts)
                case _:
                    msg = f"{file.name}, line {number}: not an `id` with a list of `questions`"
                    raise QuestionError(msg)
    if not questions:
        msg = f"{folder} has no questions"
        raise QuestionError(msg)
    return questions


def examples(library: Library, questions: Mapping[str, Sequence[str]], phrases: Iterable[Asked]) -> Iterator[Example]:
    """What is to be learnt of a library: of questions and phrases those that something in it answers."""
    for identity, texts in questions.items():
        if numbers := library.of_entity.get(identity):
            yield from _asked(texts, frozenset({library.things[numbers[0]]}), numbers)
    for entry in phrases:
        things = [thing for thing in entry.things if thing in library.of_thing]
        if numbers := [number for thing in things for number in library.of_thing[thing]]:
            yield from _asked(entry.phrases, frozenset(things), numbers)


def is_held_out(example: Example, one_in: int) -> bool:
    """Whether a question is kept from training, to measure what is learnt: those for one thing in `one_in` are.

    What is held out depends on names alone, not on the order or number of the others.
    """
    return any(zlib.crc32(name.encode()) % one_in == 0 for _, name in example.things)


def _asked(texts: Sequence[str], things: frozenset[Thing], numbers: Sequence[int]) -> Iterator[Example]:
    for text in texts:
        yield Example(text, [other for other in texts if other != text] or [text], things, numbers)


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None
