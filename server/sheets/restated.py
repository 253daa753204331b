"""Descriptions that only restate the record's facts in a sentence, for search if the source has no description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from server.dataset.index.terms import FUNCTION_WORDS, terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.dataset.record import Record

_RESTATED: Final = frozenset({"weapon", "armor", "class", "subclass", "race", "subrace", "background"})
"""Entity types that may have such descriptions; in others, such as rules with tables, repetition is right."""
_JOINING: Final = frozenset(
    terms(
        "ability armor background cast casts check class damage deals die disadvantage feat features feet hand hands "
        "heavy hit kind level light lineage magic martial mastery medium needs no none pact properties range requires "
        "save saves saving scores simple size skills small species speed spells stealth strength subclass through "
        "throws tools traits two weapon weapons"
    )
)
"""Words that name or join facts."""


def without_restatement(record: Record) -> Record:
    """The record, without its description if all words of it also appear in the other columns."""
    description = record.get("description")
    if not description or record["entity_type"] not in _RESTATED:
        return record
    rest = {column: value for column, value in record.items() if column != "description"}
    described = set(terms(description)) - _JOINING - FUNCTION_WORDS
    known = set(terms(" ".join(_words(rest))))
    return rest if described <= known else record


def _words(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for member in value.values():
            yield from _words(member)
    elif isinstance(value, list):
        for member in value:
            yield from _words(member)
    elif value is not None:
        yield str(value)
