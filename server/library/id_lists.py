"""Lists of ids as catalogue rows, without a Python object for each of the half million ids in a dataset's lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.library.arrays import Rows


class RowLists(NamedTuple):
    """Lists of catalogue rows, one after the other.

    Attributes:
        counts: int64[lists]: how long each is.
        rows: int64[sum of counts]: all of them.
    """

    counts: Rows
    rows: Rows


def as_rows(ids: pl.Series, row_of: Mapping[str, int]) -> RowLists:
    """The catalogue rows of lists of ids (a series of lists of strings); `len(row_of)` for an id that has none."""
    known, rows = pl.Series(list(row_of), dtype=pl.String), pl.Series(list(row_of.values()), dtype=pl.Int64)
    flat = ids.explode(empty_as_null=False).replace_strict(known, rows, default=len(row_of), return_dtype=pl.Int64)
    return RowLists(ids.list.len().cast(pl.Int64).to_numpy(), flat.to_numpy())
