"""Why a request found nothing, and what to change; computed only for such requests.

Every hint has been checked: the same finder has run the request that would follow it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from server.dataset.names import normalize_name
from server.library import messages
from server.library.documents.editions import edition_named
from server.library.message import Given
from server.library.requests.request import Request
from server.library.requests.synonyms import same_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from server.library.arrays import Rows
    from server.library.catalogue import Catalogue
    from server.library.finder import Finder, Found, Narrowed
    from server.library.hints.other_places import OtherPlaces
    from server.library.hits import Hits
    from server.library.message import Way
    from server.library.records.parts import Part
    from server.library.requests.filter_types import Filter


class EmptyResults:
    """Explains empty results.

    Of other documents than the requested ones, it reports only which have a name, and how many results there would be.
    """

    def __init__(self, catalogue: Catalogue, finder: Finder, places: OtherPlaces) -> None:
        self._catalogue = catalogue
        self._finder = finder
        self._places = places

    def explain(self, found: Found) -> Iterator[str]:
        """Sentences: what was requested, filters that cannot match anything, what to leave out, where else to look."""
        request, filters = found.request, found.within.filters
        documents = _known_documents(found)
        unmatchable = {f: reason for f in filters if (reason := self._why_unmatchable(found, f))}
        if len(filters) != 1 or not unmatchable or request.names or documents:  # otherwise the reason says it
            yield messages.nothing_matches(found.within.scope.noun, filters, documents, request.names)
        yield from unmatchable.values()
        yield from self.closed(filter(None, [request.search]), found.within)
        narrower = list(self._less_narrow(found, unmatchable))
        yield from narrower
        elsewhere = self._of_other_kinds(found)
        parts: list[str] = []
        if isinstance(request.name, str) and request.part is None:
            elsewhere |= {} if narrower else self._places.in_other_tools(found, request.name)
            parts = (self._places.as_a_feature if elsewhere else self._places.as_a_part)(found, request.name)
        if elsewhere:
            yield messages.elsewhere(elsewhere)
        yield from parts
        if not (elsewhere or narrower or parts):
            yield from self._without_next_step(found, unmatchable)
        yield from self.closed(request.names, found.within)

    def _without_next_step(self, found: Found, unmatchable: Mapping[Filter, str]) -> Iterator[str]:
        """Sentences for a request of which nothing can be left out, and whose names nothing else has exactly."""
        request = found.request
        if self._lacks_names(request):
            yield messages.nowhere(request.names)
        elif not unmatchable and len(found.within.filters) > 1 and self._total(replace(found.asked, filters={})):
            yield messages.DROP_SEVERAL
        elif isinstance(request.name, str) and (holders := self._places.documents_with(found, request.name)):
            yield messages.in_documents(holders, is_named=True)
        elif isinstance(request.name, str) and (ways := self._places.in_longer_names(found, request.name)):
            yield messages.elsewhere(ways, is_whole=False)

    def suggest(self, found: Found, hits: Hits) -> list[str]:
        """A sentence on the hits' suggestions; if no similar name passes the filters, on those that do not."""
        if hits.suggestions:
            if len(found.names) == 1:
                return [messages.see_suggestions(hits.suggestions)]
            holders = self._holders(found, found.request.names)
            return self._not_found(found, [name for name in found.names if name not in holders])
        request = found.request
        if isinstance(request.name, str) and found.within.filters:
            near = self._finder.names.similar(request.name, found.within.candidates)
            # What the name itself finds without the filters has been said already.
            if normalize_name(request.name) not in map(normalize_name, near):
                hits.suggestions = near
        return [messages.without_filters(hits.suggestions)] if hits.suggestions else []

    def closed(self, texts: Iterable[str], within: Narrowed | None = None) -> list[str]:
        """A sentence on what the texts name that only closed books have; none if they name nothing of the kind.

        `within`: what was requested with them; None for everything.
        """
        closed = [thing for text in texts for thing in self._finder.closed(text, within)]
        return [messages.closed(closed)] if closed else []

    def inexact(self, found: Found, name: str, *, is_called: bool) -> Iterator[str]:
        """Sentences on a name that is only among the words of what was found: what has exactly this name.

        `is_called`: what was found instead has been told already.
        """
        if not is_called and (by_words := self._finder.names.by_words(name, found.names[name].rows)):
            names, whole = by_words
            yield messages.found_by_words(name, names, whole=whole)
            holders = {} if found.within.documents is None else self._holders(found, [name])
            if holders:
                yield messages.in_documents(holders)
        yield from self._places.as_a_feature(found, name)
        yield from self.closed([name], found.within)

    def missing(self, found: Found) -> list[str]:
        """Sentences on those of several names that found nothing: where else they are, or what is similar."""
        names = [name for name, matches in found.names.items() if not len(matches.rows)]
        holders = self._holders(found, names)
        where = [messages.in_documents(holders)] if holders else []
        unknown = [name for name in names if name not in holders]
        return where + self._not_found(found, unknown) + self.closed(unknown, found.within)

    def without_part(self, found: Found, rows: Sequence[int]) -> tuple[Mapping[int, Part], Iterable[str]]:
        """None of the records found has the requested part: the fields that it means instead, and sentences on them.

        If it means no field, the sentences say which parts there are, and what else has the name.

        Args:
            found: what was found, whatever the part.
            rows: its catalogue rows, as they would be listed.
        """
        part = str(found.request.part)
        if fields := self._finder.parts.fields(rows, part):
            paths = fields[rows[0]].fields
            return fields, [] if same_words(part, paths) else [messages.are_fields(part, paths)]
        return {}, self._unknown_part(found, rows, [self._catalogue.names[row] for row in rows])

    def beside_part(self, found: Found, parts: Mapping[int, Part]) -> Iterator[str]:
        """What an answer with the requested part leaves out: records so named without it, and longer names of parts.

        Args:
            found: what was found, whatever the part.
            parts: the part of each of those that have it.
        """
        part = str(found.request.part)
        named = [row for matches in found.names.values() if matches.exact for row in matches.exact_rows.tolist()]
        if without := [self._catalogue.ids[row] for row in named if row not in parts]:
            yield messages.without_the_part(part, without)
        if further := self._finder.parts.containing(part, parts):
            yield messages.further_parts(part, further)

    def _unknown_part(self, found: Found, rows: Sequence[int], names: Sequence[str]) -> Iterator[str]:
        part, parts = str(found.request.part), self._finder.parts
        yield messages.no_such_part(part, names, parts.names(rows, part), parts.levels(rows))
        has_it = self._places.as_a_part(found, part)
        yield from has_it
        if not has_it and (holders := self._places.documents_with(found, part)):
            yield messages.in_documents(holders)
        if places := self._places.in_other_tools(found, part, all_kinds=True):
            yield messages.elsewhere(places)

    def _not_found(self, found: Found, names: Sequence[str]) -> list[str]:
        """A sentence on names that nothing has, with what is similar to each."""
        unknown = {name: self._finder.names.similar(name, found.within.passing) for name in names}
        return [messages.not_found(unknown)] if unknown else []

    def _why_unmatchable(self, found: Found, declared: Filter) -> str | None:
        """Why a filter matches nothing, whatever the rest of the request; None if it might match."""
        value = found.within.filters[declared]
        if _is_misplaced(found, declared):
            return messages.only_for(declared)
        if self._finder.selection.knows(declared, value):
            return None
        present = self._values(declared, self._rows(_without(found.asked, declared)))
        near = self._values(declared, np.flatnonzero(found.within.candidates))
        values, alike = ([value for value, _ in found_ones] for found_ones in (present, near))
        return messages.unknown_value(found.within.scope.noun, declared, value, values, alike)

    def _less_narrow(self, found: Found, unmatchable: Mapping[Filter, str]) -> Iterator[str]:
        """A sentence on which single filter to leave out; if there is none, on the documents."""
        rest = {f: self._rows(_without(found.asked, f)) for f in found.within.filters if f not in unmatchable}
        if alternatives := {f: (len(rows), self._values(f, rows)) for f, rows in rest.items() if len(rows)}:
            yield messages.drop_one(alternatives)
            return
        if found.request.documents is None:
            return
        is_told = found.asked.documents is None
        if is_told and not (found.request.names or found.request.search):  # nothing is asked but to list the source
            return
        everywhere = replace(found.request if is_told else found.asked, documents=None)
        if count := self._total(everywhere):
            if holders := self._holders(found, found.request.names):
                yield messages.in_documents(holders, is_named=len(found.request.names) == 1)
            elif is_told:
                yield messages.drop_named(_named(found), count)
            else:
                yield messages.drop_documents(count)

    def _holders(self, found: Found, names: Sequence[str]) -> dict[str, list[str]]:
        """Each name that matches exactly in some document → the keys of all such documents."""
        anywhere = replace(found.request, documents=None)
        results = {name: self._finder.find(replace(anywhere, name=name)) for name in names}
        keys = {
            name: sorted({self._catalogue.document_keys[row] for row in result.exact_rows})
            for name, result in results.items()
        }
        return {name: documents for name, documents in keys.items() if documents}

    def _of_other_kinds(self, found: Found) -> dict[Way, int]:
        """Other kinds in which the request finds exactly this name: how to request them → the number of results."""
        scope = found.within.scope
        if not (isinstance(found.request.name, str) and scope.parameter):
            return {}
        ways: dict[Way, Request] = {
            Given(scope.parameter, token): replace(found.asked, kind=token) for token in scope.siblings
        }
        return self._places.exact(ways)

    def _lacks_names(self, request: Request) -> bool:
        """Whether nothing in the library, of any kind, has one of the requested names, or a part so named."""
        everything = self._catalogue.everything
        return bool(request.names) and not any(
            len(self._finder.names.find(name, [everything]).rows) or self._finder.parts.owners(name, everything)
            for name in request.names
        )

    def _rows(self, asked: Request) -> Rows:
        return self._finder.find(asked).listed

    def _total(self, asked: Request) -> int:
        return len(self._rows(asked))

    def _values(self, declared: Filter, rows: Rows) -> list[tuple[Any, int]]:
        """The values that some entities (int64[n] catalogue rows) have for a filter, with counts."""
        mask = np.zeros(self._catalogue.size, dtype=np.bool_)
        mask[rows] = True
        return self._finder.selection.counts(declared, mask)


def _known_documents(found: Found) -> list[str]:
    """The entries of `documents` that stand for a document."""
    documents = found.within.documents
    return [entry for entry in found.request.documents or () if documents and entry not in documents.unknown]


def _named(found: Found) -> str:
    """What the text named instead of documents: an edition or a source."""
    return "edition" if all(map(edition_named, found.request.documents or ())) else "source"


def _without(asked: Request, declared: Filter) -> Request:
    """A request without one of its filters."""
    return replace(asked, filters={p: value for p, value in asked.filters.items() if p != declared.parameter})


def _is_misplaced(found: Found, declared: Filter) -> bool:
    """Whether a filter makes no sense for the requested kind."""
    kind = found.within.scope.kind
    return bool(declared.only) and kind is not None and kind not in declared.only
