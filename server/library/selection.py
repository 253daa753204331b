"""Filters applied: which entities pass each filter of a request, as polars expressions made from the declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from server.dataset.names import normalize_name
from server.dataset.vocabulary import CHALLENGE_RATINGS, challenge_rating_text
from server.library.filters import FILTERS, Comparison, Filter, ValueKind, filters_of
from server.library.kinds import KINDS
from server.library.messages import above_maximum, exclude_each_other, goes_only_with, not_among
from server.library.request import FilterValue, RequestError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.library.catalogue import Catalogue, Mask

_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


class Selection:
    """The filters over one catalogue. It knows which values the columns hold."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._tables = {family: next(iter(kinds.values())).table for family, kinds in KINDS.items()}
        self._spellings = {f: self._spellings_of(f) for f in FILTERS if f.kind in (ValueKind.CLOSED, ValueKind.TEXT)}

    def values(self, declared: Filter) -> tuple[str, ...]:
        """The values that the dataset holds for a CLOSED or TEXT filter, sorted."""
        return tuple(sorted({value for stored in self._spellings[declared].values() for value in stored}))

    def knows(self, declared: Filter, value: FilterValue) -> bool:
        """Whether any entity has this value; only values of CLOSED and TEXT filters can be unknown."""
        spellings = self._spellings.get(declared)
        return spellings is None or declared.fold(str(value)) in spellings

    def check(self, family: str, kind: str | None, values: Mapping[str, FilterValue]) -> dict[Filter, FilterValue]:
        """The filters given, in the order of their declaration.

        Raises:
            RequestError: a filter that the family lacks, a value outside a closed set, filters that exclude each other.
        """
        given = {f: values[f.parameter] for f in filters_of(family) if f.parameter in values}
        if unknown := values.keys() - {f.parameter for f in given}:
            parameter = min(unknown)
            raise RequestError(parameter, values[parameter], f"{parameter} is no filter here.")
        for declared, value in given.items():
            self._check(declared, value, kind)
        _check_bounds(given)
        return given

    def masks(self, given: Mapping[Filter, FilterValue]) -> dict[Filter, Mask]:
        """Which entities pass each of the filters (all of one family)."""
        if not given:
            return {}
        table = self._tables[next(iter(given)).family]
        found = self._catalogue.where(table, {f.parameter: self._condition(f, value) for f, value in given.items()})
        return {f: found[f.parameter] for f in given}

    def counts(self, declared: Filter, inside: Mask) -> list[tuple[str, int]]:
        """The values that some entities have in the filter's first column, the commonest first, with their number."""
        part = self._catalogue.part_of(self._tables[declared.family])
        values = part.frame[declared.columns[0]].filter(pl.Series(inside[part.start : part.stop]))
        if self._is_list(declared, declared.columns[0]):
            values = values.explode()
        table = values.drop_nulls().value_counts().sort(["count", values.name], descending=[True, False])
        return list(table.iter_rows())

    def _check(self, declared: Filter, value: FilterValue, kind: str | None) -> None:
        parameter = declared.parameter
        if declared.kind is ValueKind.CLOSED and not self.knows(declared, value):
            raise RequestError(parameter, value, not_among(parameter, value, self.values(declared)))
        exact_challenge = declared.kind is ValueKind.CHALLENGE and declared.comparison is Comparison.EQUALS
        if exact_challenge and value not in CHALLENGE_RATINGS:
            valid = [challenge_rating_text(rating) for rating in CHALLENGE_RATINGS]
            raise RequestError(parameter, value, not_among(parameter, value, valid))
        if declared.refused and kind not in declared.only:
            raise RequestError(parameter, value, goes_only_with(declared, value, kind))

    def _condition(self, declared: Filter, value: FilterValue) -> pl.Expr:
        column = pl.col(declared.columns[0])
        if declared.kind is ValueKind.ATTUNEMENT:
            return _attunement(declared, value)
        if declared in self._spellings:
            stored = self._spellings[declared].get(declared.fold(str(value)), ())
            return pl.any_horizontal(pl.lit(value=False), *(self._holds(declared, c, stored) for c in declared.columns))
        match declared.comparison:
            case Comparison.EQUALS:
                return column == value
            case Comparison.AT_LEAST:
                return column >= value
            case Comparison.AT_MOST:
                return column <= value

    def _holds(self, declared: Filter, column: str, stored: Sequence[str]) -> pl.Expr:
        if self._is_list(declared, column):
            return pl.any_horizontal(pl.lit(value=False), *(pl.col(column).list.contains(value) for value in stored))
        return pl.col(column).is_in(stored)

    def _is_list(self, declared: Filter, column: str) -> bool:
        return isinstance(self._tables[declared.family].column(column).dtype, pl.List)

    def _spellings_of(self, declared: Filter) -> dict[str, tuple[str, ...]]:
        """Folded spelling → the values stored that fold to it."""
        frame = self._catalogue.part_of(self._tables[declared.family]).frame
        spellings: dict[str, tuple[str, ...]] = {}
        for name in declared.columns:
            values = frame[name].explode() if self._is_list(declared, name) else frame[name]
            for value in values.drop_nulls().unique().sort().to_list():
                known = spellings.get(folded := declared.fold(value), ())
                spellings[folded] = known if value in known else (*known, value)
        return spellings


def _attunement(declared: Filter, value: FilterValue) -> pl.Expr:
    required, detail = (pl.col(column) for column in declared.columns)
    text = normalize_name(str(value))
    if isinstance(value, bool) or text in _YES_NO:
        return required == _YES_NO[text]
    return detail.str.to_lowercase().str.contains(text, literal=True)


def _check_bounds(given: Mapping[Filter, FilterValue]) -> None:
    """Of the filters on one column: an exact value excludes bounds, a minimum must not exceed its maximum."""
    for declared, value in given.items():
        others = {f.comparison: f for f in given if f.columns == declared.columns and f is not declared}
        if declared.comparison is Comparison.EQUALS and others:
            message = exclude_each_other(declared, value, {f: given[f] for f in others.values()})
            raise RequestError(declared.parameter, value, message)
        upper = others.get(Comparison.AT_MOST)
        if declared.comparison is Comparison.AT_LEAST and upper is not None and value > given[upper]:  # type: ignore[operator]
            message = above_maximum(declared, value, upper, given[upper])
            raise RequestError(declared.parameter, value, message)
