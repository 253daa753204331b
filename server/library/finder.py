"""What a request finds, before it is ranked, listed and explained; what hints promise is counted by the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from server.dataset.names import normalize_name
from server.library.chapters import Chapters
from server.library.editions import within_edition
from server.library.name_index import NameIndex
from server.library.parts import Parts
from server.library.scope import Scopes
from server.library.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.library.arrays import Mask, Rows
    from server.library.catalogue import Catalogue
    from server.library.document_index import DocumentIndex, ResolvedDocuments
    from server.library.filter_types import Filter
    from server.library.name_index import NameMatches
    from server.library.parts import Part
    from server.library.request import FilterValue, Request
    from server.library.scope import Scope


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The entities that a request's kind, documents and filters leave.

    Attributes:
        scope: the kind of entities asked for.
        filters: the filters given, with their values.
        documents: the documents asked for; None for all.
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
        """Those that pass, bool[catalogue size] each: the sets in which a name is matched separately."""
        return [group & self.passing for group in self.scope.groups]


@dataclass(frozen=True, slots=True)
class Found:
    """What a request finds.

    Attributes:
        asked: the request as it was made.
        request: as it was understood: the edition that its text named as its documents.
        within: the entities that it is about.
        names: what each of its names stands for.
        rows: int64[n] catalogue rows of what it finds besides the part, each once; of names in the order of results.
        parts: by catalogue row, the part that was asked for, of those that have it; None if none was asked for.
    """

    asked: Request
    request: Request
    within: Narrowed
    names: Mapping[str, NameMatches]
    rows: Rows
    parts: Mapping[int, Part] | None

    @property
    def listed(self) -> Rows:
        """int64[n] catalogue rows of the results: of what was found, that which has the part asked for."""
        return self.rows if self.parts is None else self.rows[np.isin(self.rows, list(self.parts))]

    @property
    def is_exact(self) -> bool:
        """Whether some of it matches a name exactly."""
        return any(matches.exact for matches in self.names.values())


class Finder:
    """Finds what requests ask for in one catalogue.

    Attributes:
        scopes, selection, names, chapters, parts: what it finds with.
    """

    def __init__(self, catalogue: Catalogue, documents: DocumentIndex) -> None:
        """Index the catalogue's entities, which are of these documents."""
        self._catalogue = catalogue
        self._documents = documents
        self.scopes = Scopes(catalogue)
        self.selection = Selection(catalogue)
        self.names = NameIndex(catalogue)
        self.chapters = Chapters(catalogue)
        self.parts = Parts(catalogue)

    def find(self, asked: Request) -> Found:
        """What a request finds.

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
        """A request as it is understood: within the edition that its text names, each name once, and none empty."""
        read = within_edition(request, lambda entries: self._documents.resolve(entries).keys)
        names = tuple(dict.fromkeys(name for name in read.names if normalize_name(name)))
        return replace(read, name=names if len(names) > 1 else next(iter(names), None))

    def narrowed(self, request: Request) -> Narrowed:
        """What the kind, the documents and the filters of a request leave, whatever its text says.

        Raises:
            RequestError: they cannot be combined, or there are no such ones.
        """
        scope = self.scopes.of(request)
        filters = self.selection.check(request.family, scope.kind, request.filters)
        documents = None if request.documents is None else self._documents.resolve(request.documents)
        candidates = scope.inside if documents is None else scope.inside & self._catalogue.of_documents(documents.keys)
        passing = np.logical_and.reduce([candidates, *self.selection.masks(filters).values()])
        return Narrowed(scope, filters, documents, candidates, passing)

    def _with_parts(self, name: str, matches: NameMatches, passing: Mask) -> Sequence[int]:
        """What was found by name, each rule that has this very name before its parts, in reading order."""
        those = set(self.names.named(name, passing).tolist())
        found: list[int] = matches.rows.tolist()
        first = [row for row in found if row in those]
        parts = (row for row in self.chapters.parts_of(first) if passing[row])
        return [*first, *parts, *found]
