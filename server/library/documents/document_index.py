"""Documents: what an entry of `documents` stands for, and the rows of `list_documents`."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from rapidfuzz import fuzz, process

from server.dataset.schema import DOCUMENTS
from server.library import messages
from server.library.closed.books import folded, is_closed
from server.library.documents.editions import edition_named, is_game
from server.library.documents.titles import Titles
from server.library.names.renamed import EDITIONS
from server.library.requests.request import RequestError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_MIN_RATIO: Final = 60
"""Similarity (0..100) from which a spelling is suggested for an unknown document."""
_MIN_LETTERS: Final = 3
"""Shorter text is part of too many spellings to suggest them."""
_MAX_SUGGESTIONS: Final = 3
_CREDIT: Final = ("document_name", "publisher", "author", "license", "permalink", "attribution", "copyright")
_YEAR: Final = re.compile(r"\d{4}$")
_HOMEBREW: Final = {"orcbrew": "homebrew"}
"""Source → entry for all documents that come from it: what tables write themselves, they write in OrcBrew."""
SRD: Final = "srd-"
"""Prefix of the keys of the System Reference Documents; the year of the rules follows."""


@dataclass(frozen=True, slots=True)
class ResolvedDocuments:
    """The documents that a list of `documents` entries stands for.

    Attributes:
        keys: keys of the documents.
        unknown: entries that match no document, each with up to three similar spellings; a book that is not open, with
            the System Reference Documents instead.
    """

    keys: frozenset[str]
    unknown: dict[str, list[str]]

    @property
    def why_none(self) -> str:
        """Why the entries stand for no document."""
        return messages.unknown_documents(self.unknown) if self.unknown else messages.NO_DOCUMENTS_ASKED

    def check(self, parameter: str) -> None:
        """Refuse unknown entries of a parameter.

        Raises:
            RequestError: there are some.
        """
        if self.unknown:
            raise RequestError(parameter, list(self.unknown), messages.unknown_documents(self.unknown))


class DocumentIndex:
    """The documents of a dataset, or those of them that the library serves."""

    def __init__(self, table: pl.DataFrame, keys: Collection[str] | None = None) -> None:
        """Index documents by every spelling that stands for them.

        Args:
            table: the dataset's `documents` table.
            keys: only these documents; None for all.
        """
        self._table = table if keys is None else table.filter(pl.col("document_key").is_in(sorted(keys)))
        self.names: dict[str, str] = dict(self._table.select("document_key", "document_name").iter_rows())
        self.systems: dict[str, str | None] = dict(self._table.select("document_key", "game_system").iter_rows())
        self.keys = frozenset(self.names)
        self._keys_of: dict[str, set[str]] = {}
        self._spellings: dict[str, str] = {}
        self._index()
        self.titles = Titles(self._called())

        listed = self._table.filter(pl.col("entity_count") > 0)
        listed = listed.sort(["entity_count", "document_key", "source_api"], descending=[True, False, False])
        self._rows = listed.select(column.name for column in DOCUMENTS.columns if column.response).to_dicts()

    def _index(self) -> None:
        """Index the documents by every spelling that stands for them.

        What one document is called stands for it alone, whoever published it.
        """
        for row in self._table.iter_rows(named=True):
            system = row["game_system"] or ""
            # Players call an edition by its year: "2014" for 5e-2014.
            for entry in (row["document_key"], row["document_name"], system, *_YEAR.findall(system), *row["aliases"]):
                if spelling := folded(entry or ""):
                    self._keys_of.setdefault(spelling, set()).add(row["document_key"])
                    self._spellings.setdefault(spelling, entry)
        homebrew = pl.col("source_api").replace_strict(_HOMEBREW, default=None).alias("homebrew")
        shared: dict[str, set[str]] = defaultdict(set)
        for key, *entries in self._table.select("document_key", "publisher", homebrew).iter_rows():
            for entry in filter(folded, filter(None, entries)):
                shared[entry].add(key)
        for entry, those in shared.items():
            if folded(entry) not in self._keys_of:
                self._keys_of[folded(entry)] = those
                self._spellings[folded(entry)] = entry

    def resolve(self, entries: Sequence[str]) -> ResolvedDocuments:
        """The documents that the entries (keys, aliases, titles, publishers, game systems) stand for."""
        keys: set[str] = set()
        unknown: dict[str, list[str]] = {}
        for entry in entries:
            known = next((each for each in (entry, edition_named(entry)) if folded(each or "") in self._keys_of), None)
            if known is not None:
                keys |= self._keys_of[folded(known)]
            elif is_game(entry) and (of_game := self._of_systems(EDITIONS)):
                keys |= of_game
            elif is_closed(entry):
                unknown[entry] = self.srds
            elif titled := self.titles.entry(entry):
                keys |= titled
            else:
                unknown[entry] = list(self._similar(folded(entry)))
        return ResolvedDocuments(frozenset(keys), unknown)

    @property
    def sources(self) -> list[str]:
        """Names of the sources that the documents come from."""
        return sorted(self._table["source_api"].unique())

    def rows(self, source: str | None) -> list[dict[str, Any]]:
        """Rows of `list_documents`, the largest first; `entity_types` is entity type → count."""
        chosen = self._rows if source is None else [row for row in self._rows if row["source_api"] == source]
        return [row | {"entity_types": _counts(row["entity_types"])} for row in chosen]

    def credit(self, key: str) -> dict[str, Any] | None:
        """Name, publisher, authors, licence and notices of a document, from its first source; None if there is none."""
        rows = self._table.filter(pl.col("document_key") == key).select(_CREDIT).head(1).to_dicts()
        return rows[0] if rows else None

    def _called(self) -> Iterator[tuple[str, list[str], str | None]]:
        """Key, name with aliases, and publisher of each document."""
        columns = self._table.select("document_key", "document_name", "aliases", "publisher")
        for key, name, aliases, publisher in columns.unique("document_key", maintain_order=True).iter_rows():
            yield key, [name, *aliases], publisher

    def _of_systems(self, systems: Collection[str]) -> set[str]:
        return {key for key, system in self.systems.items() if system in systems}

    @property
    def srds(self) -> list[str]:
        """Keys of the System Reference Documents."""
        return sorted(key for key in self.keys if key.startswith(SRD))

    def _similar(self, spelling: str) -> Iterator[str]:
        """Spellings similar to an unknown one, the most similar first, then longer ones; one per set of documents."""
        hits = process.extract(spelling, list(self._keys_of), scorer=fuzz.ratio, score_cutoff=_MIN_RATIO, limit=None)
        near = [known for known, _, _ in hits]
        longer = [known for known in self._keys_of if len(spelling) >= _MIN_LETTERS and spelling in known]
        by_documents: dict[frozenset[str], str] = {}
        for known in dict.fromkeys((*near, *longer)):
            by_documents.setdefault(frozenset(self._keys_of[known]), self._spellings[known])
        return islice(by_documents.values(), _MAX_SUGGESTIONS)


def _counts(pairs: list[dict[str, Any]]) -> dict[str, int]:
    return {pair["entity_type"]: pair["count"] for pair in pairs}


def serve_documents(rows: pl.DataFrame, documents: Sequence[str] | None) -> DocumentIndex:
    """The documents to serve: all, or those that the entries stand for.

    Raises:
        RequestError: an entry is unknown.
    """
    everything = DocumentIndex(rows)
    if documents is None:
        return everything
    resolved = everything.resolve(documents)
    resolved.check("documents")
    return DocumentIndex(rows, resolved.keys)
