"""Superlatives in a search, "the spell with the highest damage", as statements of `query`: search orders by meaning."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import polars as pl

from server.dataset.names import normalize_name
from server.dataset.paths import ITEMS, MEMBERS
from server.library import search_messages
from server.library.hints.filter_offers import parsed_text
from server.library.requests.filter_types import Comparison, ValueKind
from server.library.requests.filters import filters_of
from server.library.requests.kinds import FAMILY_TABLES, KINDS
from server.library.sql.references import quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from server.library.finder import Found
    from server.library.queries.mentioned_facts import Attribute
    from server.library.requests.filter_types import Filter
    from server.library.requests.request import FilterValue

FILE: Final = Path(__file__).with_suffix(".toml")

_ROWS: Final = 20
_LONGEST: Final = 12
"""Words of a query; a longer one describes a scene, in which a superlative may be about anything."""
_OPERATORS: Final = {Comparison.EQUALS: "=", Comparison.AT_LEAST: ">=", Comparison.AT_MOST: "<="}


@dataclass(frozen=True, slots=True)
class Superlative:
    """A superlative.

    Attributes:
        family: the family of what is compared.
        value: an SQL expression over the family's table.
        unit: the name of its column in the answer.
        descending: whether the highest values come first.
    """

    family: str
    value: str
    unit: str
    descending: bool

    def statement(
        self,
        kind: str | None,
        filters: Mapping[Filter, FilterValue],
        documents: Collection[str] | None,
    ) -> str:
        """The statement that lists the extremes.

        Args:
            kind: the kind of the family (`weapon`); None for all.
            filters: those that the answer is to pass; a few, such as by words in texts, have no statement.
            documents: keys of the documents; None for all.
        """
        named = self.value if self.value == self.unit or self.value.endswith(f".{self.unit}") else None
        shown = named or f"{self.value} AS {self.unit}"
        conditions = [f"{self.value} IS NOT NULL", *_of_kind(self.family, kind)]
        conditions += [each for declared, value in filters.items() if (each := self._condition(declared, value))]
        if documents is not None:
            conditions.append(f"document_key IN ({', '.join(map(quoted, sorted(documents)))})")
        return " ".join(
            [
                f"SELECT name, {shown}, document_key",
                f"FROM {FAMILY_TABLES[self.family].name}",
                f"WHERE {' AND '.join(dict.fromkeys(conditions))}",
                f"ORDER BY 2{' DESC' * self.descending}, name LIMIT {_ROWS}",
            ]
        )

    def _condition(self, declared: Filter, value: FilterValue) -> str | None:
        """The SQL condition of a filter; None if it has none, or is on the value that is ordered by."""
        path = declared.paths[0]
        if path == self.value or (declared.kind is ValueKind.ATTUNEMENT and not isinstance(value, bool)):
            return None
        if path.endswith(f".{MEMBERS}"):
            return f"{path.removesuffix(MEMBERS)}{_word(value)} IS NOT NULL"
        if ITEMS in path:
            return None
        written = str(value) if isinstance(value, int | float) else quoted(declared.fold(value))
        if isinstance(FAMILY_TABLES[self.family].schema[path.partition(".")[0]], pl.List):
            return f"list_contains({path}, {written})"
        return f"{path} {_OPERATORS[declared.comparison]} {written}"


def superlative_of(query: str, family: str) -> Superlative | None:
    """The superlative of a short query; for the family `all`, only if the query also says what it compares.

    >>> superlative_of("the spell with the longest range", "all").value
    'range_feet'
    """
    told = normalize_name(query)
    if len(told.split()) > _LONGEST:
        return None
    for each, entry in declared().items():
        if family == each or (family == "all" and _has(entry["about"], told)):
            for fact in entry["facts"]:
                for words, descending in ((fact["most"], True), (fact["least"], False)):
                    if _has(words, told):
                        return Superlative(each, fact["value"], fact["unit"], descending)
    return None


def explain(found: Found, mentioned: Sequence[Attribute]) -> list[str]:
    """A sentence with the statement that answers a superlative of a search; none if it has none.

    Args:
        found: what the search found, before ranking.
        mentioned: the facts that its query mentions, which the statement requires.
    """
    superlative = superlative_of(found.request.search or "", found.request.family)
    if superlative is None:
        return []
    told = {parameter: text for fact in mentioned for parameter, text in fact.filters.items()}
    known = {each.parameter: each for each in filters_of(superlative.family)}
    required: dict[Filter, FilterValue] = {
        known[each]: parsed_text(known[each], text) for each, text in told.items() if each in known
    }
    kinds = (found.within.scope.kind, told.get("type"))
    kind = next((each for each in kinds if each in KINDS[superlative.family] and each != "all"), None)
    documents = found.within.documents
    statement = superlative.statement(
        kind, {**required, **found.within.filters}, None if documents is None else documents.keys
    )
    return [search_messages.by_query(superlative.unit, statement)]


@cache
def declared() -> Mapping[str, Any]:
    """The list as it is written: family → `about`, `facts` (`value`, `unit`, `most`, `least`, `examples`)."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b")


def _has(words: str, text: str) -> bool:
    return _pattern(words).search(text) is not None


def _of_kind(family: str, token: str | None) -> list[str]:
    if token is None:
        return []
    condition = declared()[family].get("kinds", {}).get(token)
    return [condition or f"entity_type IN ({', '.join(map(quoted, KINDS[family][token].entity_types))})"]


def _word(value: FilterValue) -> str:
    return re.sub(r"\W", "", str(value))
