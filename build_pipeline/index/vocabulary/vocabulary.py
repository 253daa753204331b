"""The vocabulary of `data/vocabulary/`: what entities do, in players' words, and how to recognise those that do it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Self

from pydantic import Field, StringConstraints, model_validator

from build_pipeline.declared import Declared, DeclaredError, read_file, validated
from build_pipeline.resources import DATA
from server.dataset.schema import ENTITY_TABLES

FOLDER: Final = DATA / "vocabulary"

Pattern = Annotated[str, StringConstraints(min_length=2)]
Word = Annotated[str, StringConstraints(pattern=r"^\*?[^\\|()\[\]*?^$]{2,}\*?$")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Vocabulary = Mapping[str, tuple["Tag", ...]]
"""The tags of each entity table, by its name."""


class Condition(Declared):
    """What must be true of an entity or its text; everything that is given must hold.

    Attributes:
        where: an SQL condition over the table's columns.
        inflicts: a condition of the game that the column `inflicts` has; the evidence is the words that inflict it.
        text: regular expressions (RE2's) over name and prose in lower case, of which at least one must match.
        every: regular expressions that must all match.
        unless: regular expressions of which none may match.
        named: words of names, of which at least one must be in the name; `*bow` ends and `were*` begins a word.
        not_named: words of names that may not be in the name.
    """

    where: str = ""
    inflicts: str = ""
    text: tuple[Pattern, ...] = ()
    every: tuple[Pattern, ...] = ()
    unless: tuple[Pattern, ...] = ()
    named: tuple[Word, ...] = ()
    not_named: tuple[Word, ...] = ()


class Listing(Declared):
    """Entities listed one by one, by id or name (with or without its part in parentheses), and why."""

    names: tuple[str, ...] = Field(min_length=1)
    because: str = Field(min_length=8)


class Tag(Condition):
    """What entities of one table do.

    Attributes:
        tag: its stable slug.
        phrases: what players call it; the first is published with the tag.
        either: alternatives, one of which must hold as well as the entry's own condition; may be empty.
        include: entities that do it, whatever the conditions say.
        exclude: entities that do not.
        apart: entities to which no pattern applies, since their texts say what they do not do; declared once per file.
        number: number of the entry in its file; tags expanded from one `each` share it.
    """

    tag: Slug
    phrases: tuple[Annotated[str, StringConstraints(min_length=3)], ...] = Field(min_length=1)
    either: tuple[Condition, ...] = ()
    include: tuple[Listing, ...] = ()
    exclude: tuple[Listing, ...] = ()
    apart: tuple[Listing, ...] = ()
    number: int = 0

    @model_validator(mode="after")
    def _reaches_something(self) -> Self:
        if not (describes(self) or self.either or self.include):
            msg = "it has neither a condition nor anything to include"
            raise ValueError(msg)
        if not describes(self) and not all(describes(condition) for condition in self.either):
            msg = "an alternative has no condition that must hold"
            raise ValueError(msg)
        return self

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Its own condition and the alternatives."""
        return (self, *self.either)


def describes(condition: Condition) -> bool:
    """Whether a condition requires anything to hold."""
    return bool(condition.where or condition.inflicts or condition.text or condition.every or condition.named)


def read_vocabulary(folder: Path = FOLDER) -> dict[str, tuple[Tag, ...]]:
    """The tags of every entity table, with `each` expanded.

    Raises:
        DeclaredError: a file is missing or not TOML, an entry is invalid, or two tags share a phrase.
    """
    vocabulary = {table.name: tuple(_read(folder / f"{table.name}.toml")) for table in ENTITY_TABLES}
    _check_phrases(vocabulary.values())
    return vocabulary


def _read(path: Path) -> Iterator[Tag]:
    file = read_file(path, "tags")
    apart = file.get("apart", [])
    for number, written in ((n, written) for n, entry in enumerate(file["tags"], 1) for written in written_out(entry)):
        declared = {**written, "apart": apart, "number": number}
        yield validated(Tag, declared, f"{path.name}: {written.get('tag', written)}")


def written_out(entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """An entry once for each value of `each`, which replaces every `{x}` in it; without `each`, the entry as it is.

    Values may be tables, `{ x = "fly", words = "flies|flying" }`: then every `{words}` is replaced too.
    """
    own = {key: value for key, value in entry.items() if key != "each"}
    for value in entry.get("each", [""]):
        yield _filled(own, value if isinstance(value, dict) else {"x": value})


def _filled(stored: Any, values: Mapping[str, str]) -> Any:
    """`stored` with the names of the values, in braces, replaced in all its texts."""
    if isinstance(stored, str):
        for name, value in values.items():
            stored = stored.replace(f"{{{name}}}", value)
        return stored
    if isinstance(stored, list):
        return [_filled(item, values) for item in stored]
    if isinstance(stored, dict):
        return {key: _filled(item, values) for key, item in stored.items()}
    return stored


def _check_phrases(tables: Iterable[Iterable[Tag]]) -> None:
    tags: dict[str, str] = {}
    for tag in (tag for tags in tables for tag in tags):
        for phrase in tag.phrases:
            if (other := tags.setdefault(phrase, tag.tag)) != tag.tag:
                msg = f"{phrase!r} belongs both to {other} and to {tag.tag}; a phrase belongs to one tag"
                raise DeclaredError(msg)
