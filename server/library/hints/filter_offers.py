"""Facts that a query mentions, offered as the filters that would require them."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from server.library import search_messages
from server.library.message import Given
from server.library.requests.filter_types import ValueKind
from server.library.requests.filters import filters_of
from server.library.requests.kinds import FAMILY_TABLES, KINDS
from server.library.requests.request import Request

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.library.arrays import Mask
    from server.library.queries.mentioned_facts import Attribute
    from server.library.requests.filter_types import Filter
    from server.library.requests.request import FilterValue
    from server.library.scope import Scopes
    from server.library.selection import Selection

_YES_OR_NO: Final = ("true", "false")


class _Offer(NamedTuple):
    """The paths it filters, its parameters with values, and what passes them, bool[catalogue size]."""

    about: set[str]
    given: tuple[Given, ...]
    inside: Mask


class FilterOffers:
    """Offers filters for the facts that queries mention."""

    def __init__(self, scopes: Scopes, selection: Selection) -> None:
        self._scopes = scopes
        self._selection = selection

    def explain(self, request: Request, mentioned: Sequence[Attribute], filtered: Mask) -> Iterator[str]:
        """Sentences: the facts that the query mentions, which filters would require them, how many results that leaves.

        Args:
            request: the request.
            mentioned: the facts.
            filtered: what passes the request's filters, bool[catalogue size].
        """
        if not mentioned:
            return
        yield search_messages.preferred([fact.label for fact in mentioned])
        offers = [offer for fact in mentioned if (offer := self._offer(request, fact.filters))]
        counts = {offer.given: int(np.count_nonzero(offer.inside & filtered)) for offer in offers}
        together = np.count_nonzero(np.logical_and.reduce([filtered, *(offer.inside for offer in offers)]))
        if counts := {given: count for given, count in counts.items() if count}:
            yield search_messages.to_require(counts, int(together), can_combine=len(_combined(offers)) == len(offers))
        if request.family == "all" and request.content_types is None:
            yield from self._in_another_tool(mentioned, filtered)

    def _in_another_tool(self, mentioned: Sequence[Attribute], filtered: Mask) -> Iterator[str]:
        """A sentence on the tool for one kind of thing whose filters require the most facts."""
        ways: list[tuple[int, str, list[Given], int]] = []
        for family in FAMILY_TABLES:
            request = Request(family)
            offers = _combined([offer for fact in mentioned if (offer := self._offer(request, fact.filters))])
            inside = [filtered, self._scopes.of(request).inside, *(offer.inside for offer in offers)]
            if offers and (left := int(np.count_nonzero(np.logical_and.reduce(inside)))):
                ways.append((len(offers), family, [each for offer in offers for each in offer.given], left))
        if ways:
            _, family, required, left = max(ways, key=lambda way: way[0])
            yield search_messages.requires(family, required, left)

    def _offer(self, request: Request, wanted: Mapping[str, str]) -> _Offer | None:
        """An offer of the request's tool; None if it lacks a parameter, or the request already has such a filter."""
        declared = {f.parameter: f for f in filters_of(request.family)}
        given = {path for parameter in request.filters for path in declared[parameter].paths}
        filters: dict[Filter, FilterValue] = {}
        masks: list[Mask] = []
        for parameter, text in wanted.items():
            if parameter in declared and not given & set(declared[parameter].paths):
                filters[declared[parameter]] = parsed_text(declared[parameter], text)
            elif (scope := self._narrower(request, parameter, text)) is not None:
                masks.append(scope)
            else:
                return None
        masks += self._selection.masks(filters).values()
        if not masks:
            return None
        given_too = tuple(_given(parameter, text, declared.get(parameter)) for parameter, text in wanted.items())
        about = {path for each in filters for path in each.paths} or set(wanted)
        return _Offer(about, given_too, np.logical_and.reduce(masks))

    def _narrower(self, request: Request, parameter: str, text: str) -> Mask | None:
        """The entities of a kind or content type, if the request may still choose one."""
        if parameter == "content_types" and request.family == "all" and request.content_types is None:
            return self._scopes.of(Request("all", content_types=(text,))).inside
        chosen = request.kind not in {None, "all"}
        if parameter == "type" and text in KINDS.get(request.family, ()) and not chosen:
            return self._scopes.of(Request(request.family, kind=text)).inside
        return None


def _combined(offers: Sequence[_Offer]) -> list[_Offer]:
    """The offers that one call can combine: of several about the same fact, the first."""
    combined: list[_Offer] = []
    for offer in offers:
        if all(offer.about.isdisjoint(other.about) for other in combined):
            combined.append(offer)
    return combined


def parsed_text(declared: Filter, text: str) -> FilterValue:
    """A filter's value, parsed from the vocabulary's text."""
    match declared.kind:
        case ValueKind.INTEGER:
            return int(text)
        case ValueKind.NUMBER | ValueKind.CHALLENGE:
            return float(Fraction(text))
        case ValueKind.BOOLEAN:
            return text == "true"
        case ValueKind.ATTUNEMENT if text in _YES_OR_NO:
            return text == "true"
    return text


def _given(parameter: str, text: str, declared: Filter | None) -> Given:
    """`cr="1/4"`, `level=3`, `ritual=true`, `content_types=["Spell"]`."""
    if parameter == "content_types":
        return Given(parameter, (text.capitalize(),))
    words = declared is None or declared.kind in {ValueKind.TEXT, ValueKind.CLOSED} or "/" in text
    words |= declared is not None and declared.kind is ValueKind.ATTUNEMENT and text not in _YES_OR_NO
    return Given(parameter, text if words else json.loads(text))
