"""Resistances, immunities and vulnerabilities: the lists of stat blocks, corrected by the traits that they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from build_pipeline.normalize.text.stat_blocks import lines as stat_block
from build_pipeline.snapshot.raw import JsonObject
from server.dataset.names import normalize_name
from server.dataset.vocabulary import DAMAGE_TYPES

_COLUMN_OF_WORD: Final = {
    "vulnerable": "damage_vulnerabilities",
    "resistant": "damage_resistances",
    "immune": "damage_immunities",
}
_CLAIM: Final = re.compile(r"\b(?P<word>vulnerable|resistant|immune) (?P<rest>to .*?)(?=, and it (?:is|has)\b|[.;]|$)")
_UNCLAIMED: Final = re.compile(r"\bfor example\b|\bcan(?:['’]t|not| not) make\b", re.IGNORECASE)
"""Words of a sentence that only gives an example, or says what cannot be chosen."""
_ITEM: Final = re.compile(r"(?:^|,?\s(?:and\s)?)to\s")
_DAMAGE: Final = re.compile(r"\s+damage\b(?!\s+(?:from|with|dealt))")
_PHYSICAL: Final = re.compile(r"(?:bludgeoning|piercing|slashing)\b.*\bfrom\b")
_EDGES: Final = re.compile(r"^(?:the|any)\s+|\s+(?:damage|conditions?)$")


def settled_defences(lists: Mapping[str, list[str]], traits: Iterable[JsonObject]) -> dict[str, list[str]]:
    """The lists, with a trait's name ("Undead Resilience") replaced by what the trait grants.

    Black Flag prints damage and conditions in one line: conditions go to their own lists.
    """
    texts = {normalize_name(row["name"]): row["description"] or "" for row in traits}
    settled: dict[str, list[str]] = {
        column: [] for column in (*stat_block.DAMAGE_COLUMNS, *stat_block.CONDITION_COLUMNS)
    }
    for column, members in lists.items():
        for member in members:
            text = texts.get(normalize_name(member))
            for where, what in _labelled(column, member) if text is None else _claims(text):
                _place(settled, where, what)
    return {column: list(dict.fromkeys(members)) for column, members in settled.items()}


def named_by_traits(lists: Mapping[str, list[str]], traits: Iterable[JsonObject]) -> set[str]:
    """The columns of `settled_defences` that a trait's text contributes to."""
    texts = {normalize_name(row["name"]): row["description"] or "" for row in traits}
    named = (texts.get(normalize_name(member), "") for members in lists.values() for member in members)
    settled = settled_defences({}, ())
    for text in named:
        for column, member in _claims(text):
            _place(settled, column, member)
    return {column for column, members in settled.items() if members}


def _labelled(column: str, member: str) -> list[tuple[str, str]]:
    """The member with its column; where the next line's label ran into it, both lines' members."""
    kind, label, condition = member.partition(" condition immunities ")
    return [(column, kind), *([("condition_immunities", condition)] if label else [])]


def _place(settled: dict[str, list[str]], column: str, member: str) -> None:
    if column == "condition_immunities" and member in DAMAGE_TYPES:
        settled["damage_immunities"].append(member)
    elif member not in stat_block.CONDITIONS:
        settled[column].append(member)
    else:
        settled[column.replace("damage", "condition")].append(member)


def _claims(text: str) -> Iterator[tuple[str, str]]:
    """Each (column, member) in a trait's text: "immune to poison damage, to exhaustion, and to the poisoned …"."""
    sentences = re.split(r"(?<=[.!?])\s", " ".join(text.split()))
    for claim in (claim for each in sentences if not _UNCLAIMED.search(each) for claim in _CLAIM.finditer(each)):
        for item in filter(None, _ITEM.split(claim["rest"])):
            yield from ((_COLUMN_OF_WORD[claim["word"]], member) for member in _members(item.strip(" ,")))


def _members(item: str) -> Iterable[Any]:
    if re.search(r"\bdamage\b", item):
        kinds = stat_block.damage_kinds(_DAMAGE.sub("", item))
        return kinds if all(kind in DAMAGE_TYPES or _PHYSICAL.match(kind) for kind in kinds) else ()
    conditions = stat_block.conditions(re.sub(r"\s+and\s+(?:the\s+)?", ", ", _EDGES.sub("", _EDGES.sub("", item))))
    return [condition for condition in conditions if condition in stat_block.CONDITIONS]
