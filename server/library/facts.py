"""Columns of entities as the dataset has them, for answers computed from many entities at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from server.library.messages import unknown_documents
from server.library.requests.kinds import FAMILY_TABLES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from server.library.catalogue import Catalogue
    from server.library.documents.document_index import DocumentIndex
    from server.library.finder import Finder
    from server.library.requests.request import Request

Row = dict[str, Any]


class Facts:
    """The entities of one library, unranked and unpaged."""

    def __init__(
        self,
        catalogue: Catalogue,
        documents: DocumentIndex,
        preferred: Sequence[Collection[str]],
        finder: Finder,
    ) -> None:
        """Read from these parts of the library; `preferred` are document keys, the most preferred group first."""
        self._catalogue = catalogue
        self._documents = documents
        self._finder = finder
        places = {key: place for place, group in enumerate(preferred) for key in group}
        self._place = {key: places.get(key, len(preferred)) for key in documents.keys}
        self._precedence = np.array([self._place[key] for key in catalogue.document_keys], dtype=np.int64)

    def documents(self, entries: Sequence[str] | None) -> dict[str, str | None]:
        """The documents that entries of `documents` stand for, the preferred ones first: key → game system."""
        keys = self._documents.keys if entries is None else self._documents.resolve(entries).keys
        return {key: self._documents.systems[key] for key in sorted(keys, key=lambda key: (self._place[key], key))}

    def passing(self, request: Request, columns: Sequence[str]) -> list[Row]:
        """The entities that pass a request's kind, filters and documents: preferred documents first, then by name.

        An edition named in its text counts as its documents, as in searches; otherwise the text does not matter.

        Raises:
            RequestError: as for `Library.find`.
        """
        rows = np.flatnonzero(self._finder.narrowed(self._finder.read(request)).passing)
        order = np.lexsort((self._catalogue.name_rank[rows], self._precedence[rows]))
        return self._read(request.family, rows[order].tolist(), columns)

    def named(self, request: Request, columns: Sequence[str]) -> list[Row]:
        """The passing entities that the request's name (an id, or a name as in look-ups) stands for.

        The preferred documents come first; if the name matches exactly, there are only exact matches.

        Raises:
            RequestError: as for `Library.find`.
        """
        passing = self._finder.narrowed(request).passing
        (name,) = request.names
        rows = self._finder.names.find(name, [passing]).rows
        return self._read(request.family, rows[np.argsort(self._precedence[rows], kind="stable")].tolist(), columns)

    def similar(self, request: Request) -> list[str]:
        """Names of passing entities that are similar to the request's."""
        passing = self._finder.narrowed(request).passing
        return [near for name in request.names for near in self._finder.names.similar(name, passing)]

    def check_documents(self, entries: Sequence[str] | None) -> None:
        """Refuse entries of `documents` if none stands for a document: any other answer would mislead.

        Raises:
            RequestError: none does.
        """
        resolved = self._documents.resolve(entries or ())
        if not resolved.keys:
            resolved.check("documents")

    def unknown_documents(self, request: Request) -> list[str]:
        """The sentence on entries of `documents` that match no document; empty if all match."""
        unknown = self._documents.resolve(request.documents or ()).unknown
        return [unknown_documents(unknown)] if unknown else []

    def _read(self, family: str, rows: Sequence[int], columns: Sequence[str]) -> list[Row]:
        part = self._catalogue.part_of(FAMILY_TABLES[family])
        # Not `select`, which hands a choice of columns to polars's threads and waits for them.
        return part.frame[[row - part.start for row in rows], list(columns)].to_dicts()
