"""The creatures that encounters are drawn from: they pass the filters, fit the search, and are not too strong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from server.dataset.names import normalize_name
from server.library.message import joined
from server.library.names.renamed import counterparts
from server.library.requests.request import Request
from server.play.encounters import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.library.facts import Row
    from server.library.library import Library
    from server.library.requests.request import FilterValue

_RATINGS: Final = ("cr", "cr_min", "cr_max")
_PLACE: Final = "environment"
_MOST_RANKED: Final = 100
_LEAST_FIT: Final = 0.2
"""Lowest search score for a relevant creature: one in five with this score is what was requested."""
_DOUBTFUL: Final = 0.3
"""Score of the best creature below which the caller is told that it does not fit well."""
_LEAST_OF_BEST: Final = 0.4
"""Lowest score for a relevant creature, as a fraction of the best score."""


@dataclass(frozen=True)
class Candidates:
    """The creatures to draw from.

    Attributes:
        rows: one of each name, with `COLUMNS` and, after a search, its score as `fit`.
        above: creatures left out because their challenge rating is above the lowest level and no filter is on it: best
            fit first, then the weakest.
        said: the message of the search; None if there is none.
        borrowed: whether they live in the requested environment only according to other books.
    """

    rows: list[Row]
    above: list[Row]
    said: str | None = None
    borrowed: bool = False


def candidates_of(
    library: Library,
    filters: Mapping[str, FilterValue],
    search: str | None,
    documents: Sequence[str] | None,
    lowest_level: int,
    *,
    may_borrow: bool = False,
) -> Candidates:
    """The creatures that pass filters, and fit a search if there is one.

    Creatures of challenge rating 0 are left out unless a filter names it, and those above the lowest level are left out
    unless a filter is on challenge rating.

    Args:
        library: the library.
        filters: filter parameter → value.
        search: what they should fit; None for any.
        documents: entries of `documents`; None for all.
        lowest_level: the lowest level of the party.
        may_borrow: if the documents know the environment of none, whether other books that have a creature may say it.

    Raises:
        RequestError: as `Library.find`.
    """
    within = None if documents is None else tuple(documents)
    request = Request("creature", search=search, filters=filters, documents=within, limit=_MOST_RANKED)
    known = ("challenge_rating", "experience_points")
    passing = library.facts.passing(request, COLUMNS)
    borrowed = may_borrow and not passing and _PLACE in filters
    if borrowed:
        passing, request = _living_there_elsewhere(library, request)
    rows = [row for row in passing if all(row[fact] is not None for fact in known)]
    if not any(filters.get(name) == 0 for name in _RATINGS):
        rows = [row for row in rows if row["challenge_rating"] > 0]
    once = {normalize_name(row["name"]): row for row in reversed(rows)}
    rows = sorted(once.values(), key=lambda row: row["id"])
    said = None
    if search and rows:
        rows, said = _fitting(library, rows, request)
    is_rated = any(name in filters for name in _RATINGS)
    fitting = [row for row in rows if is_rated or row["challenge_rating"] <= lowest_level]
    above = [row for row in rows if not is_rated and row["challenge_rating"] > lowest_level]
    above = sorted(above, key=lambda row: (-row.get("fit", 1), row["challenge_rating"]))
    return Candidates(fitting, above, said, borrowed=borrowed and bool(rows))


def _living_there_elsewhere(library: Library, request: Request) -> tuple[list[Row], Request]:
    """Creatures of unknown environment, but in the requested one in other books that have them; and the wider request.

    A creature is the same if its name is, or is what the other edition calls it.
    """
    place = request.filters[_PLACE]
    wider = replace(request, filters={name: value for name, value in request.filters.items() if name != _PLACE})
    there = library.facts.passing(Request("creature", filters={_PLACE: place}), ("name",))
    names = {normalize_name(row["name"]) for row in there}
    names |= {each.name for name in names for each in counterparts(name) if each.whole}
    rows = library.facts.passing(wider, COLUMNS)
    living = (row for row in rows if row["environments"] is None and normalize_name(row["name"]) in names)
    return [row | {"environments": [place]} for row in living], wider


def _fitting(library: Library, rows: Sequence[Row], request: Request) -> tuple[list[Row], str | None]:
    """The creatures that fit a search, with `fit`, and the message of the search."""
    scores, said = library.scores(request)
    # Without scores, as the query could not be encoded, any creature is as good as another.
    by_name = {normalize_name(name): 1.0 if score is None else score for name, score in scores.items()}
    scored = [row | {"fit": by_name.get(normalize_name(row["name"]), 0.0)} for row in rows]
    best = max(scored, key=lambda row: row["fit"])
    least = max(_LEAST_FIT, best["fit"] * _LEAST_OF_BEST)
    found = [row for row in scored if row["fit"] >= least]
    score = f"{best['fit']:.2f}"
    if not found:
        return [], f'No creature here fits "{request.search}": {best["name"]} comes closest, with a score of {score}.'
    if best["fit"] < _DOUBTFUL:
        doubt = f'{best["name"]} fits "{request.search}" best, with a score of only {score}.'
        return found, joined((said, doubt))
    return found, said
