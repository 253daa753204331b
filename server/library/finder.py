"""Finds what requests ask for, before ranking, listing and explanation; hints count their results with it too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from server.dataset.names import normalize_name
from server.library import messages
from server.library.closed.books import without_closed_books
from server.library.closed.content import ASKED_AS, closed_things
from server.library.documents.book_names import BookNames
from server.library.documents.editions import within_edition
from server.library.documents.named_documents import within_named
from server.library.names.name_index import NameIndex
from server.library.records.asked_parts import AskedParts
from server.library.records.chapters import Chapters
from server.library.records.parts import Parts
from server.library.requests.request import Request
from server.library.scope import Scopes
from server.library.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.library.arrays import Mask, Rows
    from server.library.catalogue import Catalogue
    from server.library.closed.content import ClosedThing
    from server.library.documents.document_index import DocumentIndex, ResolvedDocuments
    from server.library.names.name_index import NameMatches
    from server.library.names.ordinary_words import OrdinaryWords
    from server.library.records.parts import Part
    from server.library.requests.filter_types import Filter
    from server.library.requests.request import FilterValue
    from server.library.scope import Scope

_KINDS_WITH_SUBCLASSES: Final = ("class", "subclass")


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The entities that a request's kind, documents and filters leave.

    Attributes:
        scope: the requested kind of entities.
        filters: the filters given, with their values.
        documents: the requested documents; None for all.
        candidates: bool[catalogue size]: the entities of the scope in these documents, before any filter.
        passing: bool[catalogue size]: those of them that pass all filters.
    """

    scope: Scope
    filters: Mapping[Filter, FilterValue]
    documents: ResolvedDocuments | None
    candidates: Mask
    passing: Mask

    @property
    def groups(self) -> list[Mask]:
        """The passing entities of each group in which a name is matched separately, bool[catalogue size] each."""
        return [group & self.passing for group in self.scope.groups]


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a request, before ranking.

    Attributes:
        asked: the request as it was made.
        request: the request as understood: a book or edition named in its text is its documents.
        within: the entities that it is about.
        names: the matches of each of its names.
        rows: int64[n] catalogue rows of what it finds, whatever the part, each once; by names in the order of results.
        parts: catalogue row → the requested part, for rows that have it; None if none was requested.
    """

    asked: Request
    request: Request
    within: Narrowed
    names: Mapping[str, NameMatches]
    rows: Rows
    parts: Mapping[int, Part] | None

    @property
    def listed(self) -> Rows:
        """int64[n] catalogue rows of the results: what was found and has the requested part, if any."""
        return self.rows if self.parts is None else self.rows[np.isin(self.rows, list(self.parts))]

    @property
    def exact_rows(self) -> list[int]:
        """Those of the results that match a name exactly."""
        exact = {row for matches in self.names.values() for row in matches.exact_rows.tolist()}
        return [row for row in self.listed.tolist() if row in exact]

    @property
    def is_exact(self) -> bool:
        """Whether some of it matches a name exactly."""
        return any(matches.exact for matches in self.names.values())


class Finder:
    """Finds what requests ask for in one catalogue.

    Attributes:
        scopes, selection, names, chapters, parts, asked_parts: the indices that it uses.
    """

    def __init__(self, catalogue: Catalogue, documents: DocumentIndex, ordinary: OrdinaryWords) -> None:
        """Index the catalogue's entities, which are of these documents; `ordinary`: the words that their texts use."""
        self._catalogue = catalogue
        self._documents = documents
        self.scopes = Scopes(catalogue)
        self.selection = Selection(catalogue)
        self.names = NameIndex(catalogue)
        self.chapters = Chapters(catalogue)
        self.parts = Parts(catalogue)
        self.asked_parts = AskedParts(catalogue, self.names, self.parts)
        self._books = BookNames(catalogue, self.names, documents.titles, ordinary)

    def find(self, asked: Request) -> Found:
        """Find what a request asks for.

        Raises:
            RequestError: it cannot be answered as asked.
        """
        request = self.read(asked)
        within = self.narrowed(request)
        names = {name: self.names.find(name, within.groups) for name in request.names}
        rows = np.flatnonzero(within.passing)
        if names:
            each = [self._with_parts(name, matches, within.passing) for name, matches in names.items()]
            rows = np.array(list(dict.fromkeys(row for some in each for row in some)), dtype=np.int64)
        parts = self.parts.find(rows.tolist(), request.part) if request.part else None
        return Found(asked, request, within, names, rows, parts)

    def read(self, request: Request) -> Request:
        """A request as it is understood: within the documents that its text names, each name once, none empty.

        Whatever reads its texts finds one space between their words and none around them.
        """
        search = None if request.search is None else " ".join(request.search.split())
        spaced = replace(request, name=tuple(" ".join(name.split()) for name in request.names), search=search)
        read = within_named(spaced, self._books.read, self._keys_of, "source")
        read = without_closed_books(within_edition(read, self._keys_of), self._is_name, self._note_closed)
        names = tuple(dict.fromkeys(name for name in read.names if normalize_name(name)))
        return replace(read, name=names if len(names) > 1 else next(iter(names), None))

    def narrowed(self, request: Request) -> Narrowed:
        """The entities that the kind, the documents and the filters of a request leave, whatever its text says.

        Raises:
            RequestError: they cannot be combined, or do not exist.
        """
        scope = self.scopes.of(request)
        filters = self.selection.check(request.family, scope.kind, request.filters)
        documents = None if request.documents is None else self._documents.resolve(request.documents)
        candidates = scope.inside if documents is None else scope.inside & self._catalogue.of_documents(documents.keys)
        passing = np.logical_and.reduce([candidates, *self.selection.masks(filters).values()])
        return Narrowed(scope, filters, documents, candidates, passing)

    def closed(self, text: str, within: Narrowed | None = None) -> list[ClosedThing]:
        """What a text names that only closed books have; nothing that this catalogue has, as homebrew may.

        A thing of the requested kind is judged among that kind: there is a creature called Tough, but no such feat.
        `within`: what was requested; None for everything.
        """
        scope = self._catalogue.everything if within is None else within.scope.inside
        subclass = within is not None and within.scope.kind in _KINDS_WITH_SUBCLASSES
        kinds = {thing: self._of_closed_kind(thing) for thing in closed_things(text, subclass=subclass)}
        asked = {thing for thing, kind in kinds.items() if not scope.all() and (kind & scope).any()}
        names_asked = {thing.name for thing in asked}
        lacking: list[ClosedThing] = []
        for thing, kind in kinds.items():
            if thing not in asked and thing.name in names_asked:
                continue
            among = kind if thing in asked else self._catalogue.everything
            if not self.names.find(thing.name, [among]).exact:
                lacking.append(thing)
        return lacking

    def _of_closed_kind(self, thing: ClosedThing) -> Mask:
        """bool[catalogue size]: the entities among which a thing would be if it were open."""
        family, kind = ASKED_AS.get(thing.kind, ("rule", None))
        return self.scopes.of(Request(family, kind=kind)).inside

    def _is_name(self, text: str) -> bool:
        return bool(self.names.named(text, self._catalogue.everything).size)

    def _note_closed(self, books: list[str]) -> str:
        return messages.without_closed_books(books, self._documents.srds)

    def _keys_of(self, entries: Sequence[str]) -> frozenset[str]:
        return self._documents.resolve(entries).keys

    def _with_parts(self, name: str, matches: NameMatches, passing: Mask) -> Sequence[int]:
        """Catalogue rows found by name: exact names, then the parts of such rules in reading order, then all."""
        those = set(self.names.named(name, passing).tolist())
        found: list[int] = matches.rows.tolist()
        first = [row for row in found if row in those]
        parts = (row for row in self.chapters.parts_of(first) if passing[row])
        return [*first, *parts, *found]
