"""Applies filters: which entities pass each filter of a request, by polars expressions built from its declaration."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from server.dataset.closed_sets import CLOSED_SETS
from server.dataset.names import normalize_name
from server.dataset.paths import MEMBERS, resolve
from server.dataset.schema import HOMEBREW
from server.dataset.vocabulary import CHALLENGE_RATINGS, WEAPON_DAMAGE_TYPES, challenge_rating_text
from server.library.message import Message, Named
from server.library.messages import above_maximum, exclude_each_other, finer, goes_only_with, not_among
from server.library.requests.filter_types import Comparison, Filter, ValueKind
from server.library.requests.filters import FILTERS, filters_of
from server.library.requests.kinds import FAMILY_TABLES
from server.library.requests.request import FilterValue, RequestError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from server.dataset.tables.columns import Table
    from server.library.arrays import Mask
    from server.library.catalogue import Catalogue, TableSlice

    Test = Callable[[pl.Expr], pl.Expr]

_OR: Final = " or "


LONGEST_TOLD: Final = 120
"""Characters of the longest value that messages and descriptions quote. The books' longest term has 103: three types of
damage, with the metals that still harm."""
KEPT_MASKS: Final = 256
"""Masks that are cached, one per filter and value: a byte per entity each."""
HOMEBREWS_OWN: Final = "homebrew's own"
LONGER: Final = "longer texts"
"""Placeholders in messages for values that are not quoted: those that only homebrew has, and long ones of books."""


class Selection:
    """The filters over one catalogue, and the values that exist in it."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._mask = lru_cache(KEPT_MASKS, typed=True)(self._computed_mask)
        self._parts = {family: catalogue.part_of(table) for family, table in FAMILY_TABLES.items()}
        self._facts = {family: _facts(part, filters_of(family)) for family, part in self._parts.items()}
        texts = [declared for declared in FILTERS if declared.kind in (ValueKind.CLOSED, ValueKind.TEXT)]
        stored = _distinct(texts, self._facts)
        self._folded = {declared: {value: declared.fold(value) for value in stored[declared]} for declared in texts}
        of_books = _distinct(texts, {family: self._published(family) for family in self._parts})
        self._tellable = {declared: self._tellable_values(declared, of_books[declared]) for declared in texts}
        self._untold = {each: set(of_books[each]) - self._tellable[each] for each in texts}

    def values(self, declared: Filter) -> tuple[str, ...]:
        """The dataset's values for a CLOSED or TEXT filter, sorted, without what must not be quoted (see `counts`)."""
        return tuple(sorted(self._tellable[declared]))

    def knows(self, declared: Filter, value: FilterValue) -> bool:
        """Whether any entity has this value; always true except for CLOSED and TEXT filters."""
        return (
            declared not in self._folded
            or bool(self._spellings(declared, value))
            or _as_id(value) in self._ids(declared)
        )

    def check(self, family: str, kind: str | None, values: Mapping[str, FilterValue]) -> dict[Filter, FilterValue]:
        """Validate the given filters and return them in declaration order.

        Raises:
            RequestError: a filter the family lacks, a value outside a closed set, or contradictory filters.
        """
        given = {f: values[f.parameter] for f in filters_of(family) if f.parameter in values}
        if unknown := values.keys() - {f.parameter for f in given}:
            parameter = min(unknown)
            raise RequestError(parameter, values[parameter], Message(Named(parameter), " is not a filter here."))
        for declared, value in given.items():
            self._check(declared, value, kind)
        _check_bounds(given)
        return given

    def masks(self, given: Mapping[Filter, FilterValue]) -> dict[Filter, Mask]:
        """Entities that pass each filter, as bool[catalogue size]. Nulls and entities of other families never pass."""
        return {declared: self._mask(declared, value) for declared, value in given.items()}

    def counts(self, declared: Filter, inside: Mask) -> list[tuple[Any, int]]:
        """(value, number of entities) over the entities of a mask, most frequent first.

        Spelling variants count as one value. Values become part of messages, so those that only homebrew has, which
        anybody may have written and which might read as instructions, are counted together, and so are long ones.

        Args:
            declared: the filter whose values to count.
            inside: the entities to count, bool[catalogue size].
        """
        part = self._parts[declared.family]
        facts = self._facts[declared.family].filter(pl.Series(inside[part.start : part.stop])).with_row_index("row")
        folded = self._folded.get(declared, {})
        paths = declared.paths if folded else declared.paths[:1]
        values = pl.concat([_one_a_row(facts.select("row", value=path)) for path in paths])
        counted = (
            values.with_columns(folded=pl.col("value").replace(folded))
            .unique(("row", "folded"), keep="first", maintain_order=True)
            .group_by("folded", maintain_order=True)
            .agg(pl.col("value").first(), pl.len().alias("count"))
            .sort("count", "value", descending=[True, False])
        )
        if declared not in self._tellable:
            return list(counted.select("value", "count").iter_rows())
        told: Counter[str] = Counter()
        for value, count in counted.select("value", "count").iter_rows():
            told[self._told(declared, value)] += count
        return sorted(told.items(), key=lambda pair: (pair[0] in {LONGER, HOMEBREWS_OWN}, -pair[1], pair[0]))

    def conditional(self, declared: Filter, value: FilterValue, inside: Mask) -> tuple[int, list[tuple[str, int]]]:
        """The entities of a mask that have a value only with a condition: how many; their values, as for `counts`."""
        wanted = declared.fold(str(value))
        dealt = "|damage from .*weapons" if wanted in WEAPON_DAMAGE_TYPES else ""
        word = re.compile(rf"\b(?:{re.escape(wanted)}{dealt})\b")
        spellings = set(self._spellings(declared, value))
        texts = [
            (text, count)
            for text, count in self.counts(declared, inside)
            if text not in spellings and word.search(declared.fold(text))
        ]
        masks = [self._mask(declared, text) for text, _ in texts]
        return int(np.count_nonzero(np.logical_or.reduce(masks) & inside)) if masks else 0, texts

    def unknown(self, declared: Filter) -> Mask:
        """bool[catalogue size]: the entities of a filter's family whose fact is unknown."""
        part = self._parts[declared.family]
        facts = self._facts[declared.family]
        nulls = facts.select(pl.all_horizontal(pl.col(path).is_null() for path in declared.paths))
        return self._catalogue.spread(part, nulls.to_series())

    def _told(self, declared: Filter, value: str) -> str:
        if value in self._tellable[declared]:
            return value
        return LONGER if value in self._untold[declared] else HOMEBREWS_OWN

    def _computed_mask(self, declared: Filter, value: FilterValue) -> Mask:
        passing = self._facts[declared.family].select(self._condition(declared, value)).to_series()
        mask = self._catalogue.spread(self._parts[declared.family], passing)
        mask.flags.writeable = False  # it is shared through the cache
        return mask

    def _check(self, declared: Filter, value: FilterValue, kind: str | None) -> None:
        parameter = declared.parameter
        if declared.kind is ValueKind.CLOSED and not self.knows(declared, value):
            hint = self._finer(declared, str(value)) if declared.finer else ""
            raise RequestError(parameter, value, not_among(parameter, value, self.values(declared), hint))
        exact_challenge = declared.kind is ValueKind.CHALLENGE and declared.comparison is Comparison.EQUALS
        if exact_challenge and value not in CHALLENGE_RATINGS:
            valid = [challenge_rating_text(rating) for rating in CHALLENGE_RATINGS]
            raise RequestError(parameter, value, not_among(parameter, value, valid))
        if declared.refused and kind is not None and kind not in declared.only:
            raise RequestError(parameter, value, goes_only_with(declared, value, kind))

    def _finer(self, declared: Filter, value: str) -> str:
        """A hint for a refused value that divides a valid one further, such as demon or demons the type fiend."""
        word = re.compile(rf"\b{re.escape(declared.fold(value).removesuffix('s'))}s?\b")
        pairs = self._facts[declared.family].select(declared.paths[0], declared.finer).drop_nulls().unique().rows()
        kinds = sorted({kind for kind, fact in pairs if word.search(declared.fold(fact))})
        return finer(declared.family, value, kinds) if kinds else ""

    def _condition(self, declared: Filter, value: FilterValue) -> pl.Expr:
        if declared.kind is ValueKind.ATTUNEMENT:
            return _attunement(declared, value)
        types = self._facts[declared.family].schema
        test = self._test(declared, value)
        names = [_meets(pl.col(path), types[path], test) for path in declared.paths]
        ids = [_meets(pl.col(path), types[path], lambda fact: fact == _as_id(value)) for path in _id_paths(declared)]
        return pl.any_horizontal(*names, *ids)

    def _test(self, declared: Filter, value: FilterValue) -> Test:
        """The test of a single fact against the filter's value."""
        if declared in self._folded:
            stored = self._spellings(declared, value)
            return lambda fact: fact.is_in(pl.Series(stored, dtype=pl.String).implode())
        match declared.comparison:
            case Comparison.EQUALS:
                return lambda fact: fact == value
            case Comparison.AT_LEAST:
                return lambda fact: fact >= value
            case Comparison.AT_MOST:
                return lambda fact: fact <= value

    def _spellings(self, declared: Filter, value: FilterValue) -> list[str]:
        """The stored values that are this one in any spelling."""
        wanted = declared.fold(str(value))
        return [
            stored
            for stored, folded in self._folded[declared].items()
            if wanted == folded or (declared.alternatives and wanted in map(declared.fold, stored.split(_OR)))
        ]

    def _ids(self, declared: Filter) -> set[str]:
        """The ids of what the filter's values name."""
        facts = self._facts[declared.family]
        return {each for path in _id_paths(declared) for each in _one_a_row(facts.select(value=path))["value"].unique()}

    def _published(self, family: str) -> pl.DataFrame:
        """The facts of entities from documents other than homebrew."""
        return self._facts[family].filter(self._parts[family].frame["document_source"] != HOMEBREW)

    def _tellable_values(self, declared: Filter, of_books: Iterable[str]) -> frozenset[str]:
        """The stored values that messages may quote: the game's own, and short ones that not only homebrew has."""
        table = self._parts[declared.family].table
        of_the_game = {value for path in declared.paths for value in _vocabulary(table, path)}
        short = (value for value in of_books if len(value) <= LONGEST_TOLD)
        return frozenset((*short, *(of_the_game & self._folded[declared].keys())))


def _vocabulary(table: Table, path: str) -> Iterable[str]:
    """The game's own values at a path: those of a closed set, or the members of a struct."""
    column, _, rest = path.partition(".")
    if rest == MEMBERS:
        return [field.name for field in table.column(column).dtype.fields]  # type: ignore[union-attr]
    return [value for closed in CLOSED_SETS if f"{table.name}.{path}" in closed.paths for value in closed.meanings]


def _facts(part: TableSlice, filters: Iterable[Filter]) -> pl.DataFrame:
    """The values the filters compare with: one column per path, named after it."""
    paths = {
        path: _fact(part.table, path, declared.none_without)
        for declared in filters
        for path in filter(None, (*declared.paths, declared.id_path, declared.finer))
    }
    return part.frame.select(**paths)


def _fact(table: Table, path: str, none_without: str) -> pl.Expr:
    fact, _ = resolve(table, path)
    return pl.coalesce(fact, pl.when(~resolve(table, none_without)[0]).then(0)) if none_without else fact


def _distinct(declared: Iterable[Filter], facts: Mapping[str, pl.DataFrame]) -> dict[Filter, list[str]]:
    """The values that each filter compares with, each once, sorted.

    Each family is read at once, since polars hands every selection of columns to its threads.
    """
    at: dict[tuple[str, str], list[str]] = {}
    for family, frame in facts.items():
        paths = sorted({path for each in declared if each.family == family for path in each.paths})
        flat = [pl.col(path).explode() if frame.schema[path] == pl.List else pl.col(path) for path in paths]
        found = frame.select(values.drop_nulls().unique().implode() for values in flat)
        at |= {(family, path): found[path].to_list()[0] for path in paths}
    return {each: sorted({value for path in each.paths for value in at[each.family, path]}) for each in declared}


def _as_id(value: FilterValue) -> str:
    return str(value).casefold()


def _id_paths(declared: Filter) -> tuple[str, ...]:
    return (declared.id_path,) if declared.id_path else ()


def _one_a_row(facts: pl.DataFrame) -> pl.DataFrame:
    """The column `value` with lists exploded to one member per row, and nulls dropped."""
    flat = facts.explode("value") if facts.schema["value"] == pl.List else facts
    return flat.drop_nulls("value")


def _meets(fact: pl.Expr, dtype: pl.DataType, test: Test) -> pl.Expr:
    """Whether a fact, or any member if it is a list, passes a test."""
    return fact.list.eval(test(pl.element())).list.any() if dtype == pl.List else test(fact)


def _attunement(declared: Filter, value: FilterValue) -> pl.Expr:
    required, detail = (pl.col(path) for path in declared.paths)
    if isinstance(value, bool):
        return required == value
    return detail.str.to_lowercase().str.contains(normalize_name(str(value)), literal=True)


def _check_bounds(given: Mapping[Filter, FilterValue]) -> None:
    """Check filters on the same fact: an exact value excludes bounds; a minimum must not exceed its maximum."""
    for declared, value in given.items():
        others = {f.comparison: f for f in given if f.paths == declared.paths and f is not declared}
        if declared.comparison is Comparison.EQUALS and others:
            message = exclude_each_other(declared, value, {f: given[f] for f in others.values()})
            raise RequestError(declared.parameter, value, message)
        upper = others.get(Comparison.AT_MOST)
        if declared.comparison is Comparison.AT_LEAST and upper is not None and value > given[upper]:  # type: ignore[operator]
            message = above_maximum(declared, value, upper, given[upper])
            raise RequestError(declared.parameter, value, message)
