"""What people would say to find a thing: short phrases (`data/phrases/`) and questions (`data/questions/`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, StringConstraints, ValidationError

from build_pipeline.declared import Declared, complaints
from build_pipeline.expected import ExpectedError
from build_pipeline.normalize.merging.directory import SRD_DOCUMENTS
from build_pipeline.resources import DATA
from build_pipeline.tables import Record
from build_pipeline.text_files import numbered_lines
from server.dataset.names import normalize_name
from server.dataset.schema import ENTITY_TABLES

FOLDER: Final = DATA / "phrases"
QUESTIONS: Final = DATA / "questions"
MAX_WORDS: Final = 14
"""Maximum number of words of a phrase; a longer text is a description."""
MAX_QUESTION_WORDS: Final = 34
"""Maximum number of words of a question with its story; search reads only the beginning of a longer one."""

_MOST_KIN: Final = 4
"""Maximum number of names that may share an ending for it to mean kinship: many dragons end with "wyrmling"."""
_PART_OF_WORD: Final = 5
"""Minimum letters of an ending that means kinship inside a longer word: "sphinx", but not the "moth" of "mammoth"."""
_WHICH: Final = re.compile(r" (?:of |\().*")

Thing = tuple[str, str]
"""(entity type, folded name)."""


class PhraseError(ExpectedError):
    """An invalid line of the phrases; the message names it."""


class Asked(Declared):
    """Things, and what people say to find them.

    Attributes:
        kind: their entity type.
        names: the names of the thing, and of others that the phrases are equally true of.
        phrases: what people say.
    """

    kind: Annotated[str, StringConstraints(min_length=3)]
    names: tuple[Annotated[str, StringConstraints(min_length=2)], ...] = Field(min_length=1)
    phrases: tuple[Annotated[str, StringConstraints(min_length=3, max_length=200)], ...] = Field(min_length=1)

    @property
    def things(self) -> list[Thing]:
        """The things that the phrases ask for."""
        return [(self.kind, normalize_name(name)) for name in self.names]


def read_phrases(folder: Path = FOLDER, longest: int = MAX_WORDS) -> list[Asked]:
    """The entries of every entity table.

    Args:
        folder: has a file for each table.
        longest: maximum number of words of a phrase.

    Raises:
        TextFileError: a file is missing.
        PhraseError: a line is not an entry, a phrase is too long, or a thing has a phrase twice.
    """
    entries = [entry for table in ENTITY_TABLES for entry in _read(folder / f"{table.name}.jsonl", longest)]
    said: set[tuple[Thing, str]] = set()
    for entry in entries:
        for pair in ((thing, phrase) for phrase in entry.phrases for thing in entry.things):
            if pair in said:
                (kind, name), phrase = pair
                msg = f"the {kind} {name!r} has the phrase {phrase!r} twice"
                raise PhraseError(msg)
            said.add(pair)
    return entries


def read_questions(folder: Path = QUESTIONS) -> list[Asked]:
    """Read the questions; as `read_phrases`."""
    return read_phrases(folder, MAX_QUESTION_WORDS)


def phrases_of(entries: Iterable[Asked], records: Iterable[Record]) -> dict[str, list[str]]:
    """Phrase → ids of the entities of any document that it asks for, both sorted; without phrases that ask for none.

    Args:
        entries: the phrases.
        records: the entities.
    """
    called = _called(records)
    ids: dict[str, set[str]] = {}
    for entry in entries:
        found = [identity for thing in entry.things for identity in called.get(thing, ())]
        for phrase in entry.phrases if found else ():
            ids.setdefault(phrase, set()).update(found)
    return {phrase: sorted(ids[phrase]) for phrase in sorted(ids)}


def summaries_of(
    entries: Iterable[Asked], records: Iterable[Record], most: int | None = None
) -> dict[str, tuple[list[str], list[str]]]:
    """A summary of the questions about each thing → the ids of the entities it names, sorted, and the questions.

    Args:
        entries: the questions.
        records: the entities.
        most: maximum number of questions per thing; None takes all of them, 0 gives no summaries.
    """
    if most == 0:
        return {}
    called = _called(records)
    questions: dict[Thing, list[str]] = {}
    for entry in entries:
        for thing in entry.things:
            if thing in called:
                questions.setdefault(thing, []).extend(entry.phrases)
    return {
        f"{' '.join(thing)}: {len(asked)} questions": (sorted(called[thing]), asked)
        for thing, asked in ((thing, questions[thing][:most]) for thing in sorted(questions))
    }


def kin_of(entries: Iterable[Asked], records: Iterable[Record]) -> dict[str, list[str]]:
    """Phrase → ids of the kin of the creatures it asks for, if they have no phrases of their own; both sorted.

    Kin have one type, and names that end alike: the night scorpion and the scorpion, the sphinx and the gynosphinx.

    Args:
        entries: the phrases.
        records: the entities.
    """
    asked: dict[str, list[str]] = {}
    for entry in entries:
        for kind, name in entry.things:
            asked.setdefault(name, []).extend(entry.phrases if kind == "creature" else ())
    creatures = [
        (record["id"], record["type"], normalize_name(record["name"]))
        for record in records
        if record["entity_type"] == "creature" and record.get("type")
    ]
    names: dict[str, set[str]] = {}
    for _, creature_type, name in creatures:
        if asked.get(name):
            names.setdefault(creature_type, set()).add(name)
    ids: dict[str, set[str]] = {}
    for identity, creature_type, name in creatures:
        for kin in () if asked.get(name) else _ending_alike(name, names.get(creature_type, ())):
            for phrase in asked[kin]:
                ids.setdefault(phrase, set()).add(identity)
    return {phrase: sorted(ids[phrase]) for phrase in sorted(ids)}


def _called(records: Iterable[Record]) -> dict[Thing, list[str]]:
    """Thing → ids of its entities, in any document."""
    called: dict[Thing, list[str]] = {}
    for record in records:
        called.setdefault((record["entity_type"], normalize_name(record["name"])), []).append(record["id"])
    return called


def _ending_alike(name: str, names: Iterable[str]) -> list[str]:
    """The names that share the most last words with a name; none if more than `_MOST_KIN` do."""
    heads = {other: f" {_head(other)}" for other in names}
    words = _head(name).split()
    for first in range(len(words)):
        ending = " ".join(words[first:])
        ending = ending if len(ending) >= _PART_OF_WORD else f" {ending}"
        if found := [other for other, head in heads.items() if head.endswith(ending)]:
            return found if len(found) <= _MOST_KIN else []
    return []


def _head(name: str) -> str:
    """A name with the parts around its comma swapped, and without qualifiers.

    >>> _head("rat, giant (diseased)"), _head("sphinx of lore")
    ('giant rat', 'sphinx')
    """
    first, _, rest = _WHICH.sub("", name).partition(", ")
    return f"{rest} {first}".strip()


def unknown_names(entries: Iterable[Asked], tables: Mapping[str, Sequence[Record]]) -> list[str]:
    """The names of entries, with their kinds, that nothing in the System Reference Documents has."""
    known = {
        (record["entity_type"], normalize_name(record["name"]))
        for records in tables.values()
        for record in records
        if record["document_key"] in SRD_DOCUMENTS
    }
    return [
        f"{entry.kind} {name}"
        for entry in entries
        for name, thing in zip(entry.names, entry.things, strict=True)
        if thing not in known
    ]


def _read(path: Path, longest: int) -> Iterator[Asked]:
    for place, line in numbered_lines(path):
        try:
            entry = Asked.model_validate_json(line)
        except ValidationError as error:
            msg = f"{place}: {complaints(error)}"
            raise PhraseError(msg) from error
        if long := [phrase for phrase in entry.phrases if len(phrase.split()) > longest]:
            msg = f"{place}: {long[0]!r} has more than {longest} words"
            raise PhraseError(msg)
        yield entry
