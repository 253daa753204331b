"""The library: one dataset, open for questions. It answers in response objects and knows nothing of any protocol."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from server.dataset.names import normalize_name
from server.dataset.schema import SOURCES
from server.library import messages
from server.library.budget import fit, length
from server.library.catalogue import Catalogue
from server.library.emptiness import why_empty
from server.library.encoder import Encoder, EncoderError
from server.library.families import Families
from server.library.names import NameIndex
from server.library.preference import precedence
from server.library.ranking import Ranking
from server.library.records import Records
from server.library.request import Request, RequestError
from server.library.scope import Scopes
from server.library.selection import Selection
from server.library.shelf import Choice, Shelf

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from server.dataset.load import Dataset
    from server.library.catalogue import Mask
    from server.library.filter_types import Filter
    from server.library.records import Record

MAX_RESPONSE_CHARS: Final = 60_000
ENCODE_TIMEOUT: Final = 2.0
MAX_QUERY_CHARS: Final = 512
"""Longer queries are cut at the encoder's maximum of tokens, and the answer says so."""

_RESERVED_FOR_MESSAGES: Final = 300
"""Room for what the budget itself has to say."""

log = logging.getLogger(__name__)


@dataclass
class _Listing:
    """What a request found, before it is cut into pages and rendered.

    Attributes:
        total: size of the filtered set.
        numbers: the entities to list, in order; of a ranked list the best of each family.
        extra: what a ranking adds to the entity's record.
        said: sentences of the message.
        suggestions: further names.
    """

    total: int
    numbers: Sequence[int] = ()
    extra: dict[int, Record] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)


class Library:
    """A dataset, or some of its documents, open for questions. Safe to use from several threads."""

    def __init__(
        self,
        dataset: Dataset,
        *,
        documents: Sequence[str] | None = None,
        max_response_chars: int = MAX_RESPONSE_CHARS,
        encode_timeout: float = ENCODE_TIMEOUT,
        prefer: Sequence[str] = (),
        explain: bool = False,
    ) -> None:
        """Open a dataset.

        Args:
            dataset: the loaded dataset.
            documents: limit the library to these documents (keys, aliases, names, game systems).
            max_response_chars: longest answer, in characters of JSON.
            encode_timeout: seconds that a query may take to encode.
            prefer: documents or game systems that come first among equals, before the SRDs.
            explain: ranked records say what their score is made of (`score_parts`).

        Raises:
            RequestError: an entry of `documents` or `prefer` is unknown.
        """
        self._shelf = _fenced(dataset, documents)
        self._fence = None if documents is None else self._shelf.keys
        self._max_response_chars = max_response_chars
        self._encoder = Encoder(dataset.encoder_path, encode_timeout)
        self._max_tokens = dataset.manifest["encoder"]["max_tokens"]
        self._explain = explain
        self._catalogue = Catalogue(dataset.tables, self._shelf.keys)
        preferred = [self._catalogue.of_documents(keys) for keys in precedence(self._shelf, prefer)]
        self._families = Families(self._catalogue)
        # Only calls that rank need the words and vectors, so that all others are answered meanwhile.
        background = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ranking")
        self._ranking = background.submit(Ranking, self._catalogue, dataset, preferred, self._families)
        background.shutdown(wait=False)
        self._scopes = Scopes(self._catalogue)
        self._selection = Selection(self._catalogue)
        self._names = NameIndex(self._catalogue)
        self._records = Records(self._catalogue)
        self._identity = {
            "version": dataset.manifest["dataset_version"],
            "built_at": dataset.manifest["built_at"],
            "snapshot_at": dataset.manifest["snapshot_at"],
            "schema_version": dataset.manifest["schema_version"],
        }

    @property
    def identity(self) -> dict[str, Any]:
        """What every response says of its dataset: `version`, `built_at`, `snapshot_at`, `schema_version`."""
        return self._identity

    def values(self, declared: Filter) -> tuple[str, ...]:
        """The values that the dataset holds for a filter of kind CLOSED or TEXT, sorted."""
        return self._selection.values(declared)

    def find(self, request: Request) -> dict[str, Any]:
        """Answer a request with the response object of the tools.

        Raises:
            RequestError: it cannot be answered as asked.
        """
        if not normalize_name(request.name or ""):
            request = replace(request, name=None)
        scope = self._scopes.of(request)
        given = self._selection.check(request.family, scope.kind, request.filters)
        choice = None if request.documents is None else self._shelf.choose(request.documents)
        if choice is not None and not choice.keys:
            return self._page(request, _Listing(0, said=[_no_document(choice)]), self._fence)
        shelved = scope.inside if choice is None else scope.inside & self._catalogue.of_documents(choice.keys)
        masks = self._selection.masks(given)
        passing = _all_of(shelved, masks.values())
        listing = self._list(request, passing, [group & passing for group in scope.groups])
        if not listing.total:
            listing.said += why_empty(
                request=request,
                scope=scope,
                given=given,
                masks=masks,
                shelved=shelved,
                choice=choice,
                names=self._names,
                selection=self._selection,
            )
            listing.said += [messages.see_suggestions(listing.suggestions)] if listing.suggestions else []
        if choice is not None and choice.unknown:
            listing.said.append(messages.unknown_documents(choice.unknown))
        return self._page(request, listing, self._fence if choice is None else choice.keys)

    def list_documents(self, source: str | None = None) -> dict[str, Any]:
        """The documents of the library, one row per document and source.

        Raises:
            RequestError: `source` is none of the sources.
        """
        folded = None if source is None else source.strip().casefold()
        if folded is not None and folded not in SOURCES:
            raise RequestError(parameter="source", value=source, message=messages.not_among("source", source, SOURCES))
        rows = self._shelf.rows(folded)
        said = [] if rows else [messages.no_documents(source if self._shelf.keys else None)]
        return self._envelope(rows, total=len(rows), said=said)

    def wait_until_ready(self) -> None:
        """Wait for what is loaded in the background; what went wrong there is raised."""
        self._encoder.wait_until_ready()
        self._ranking.result()

    def close(self) -> None:
        """Let go of the threads; calls that are running end first."""
        self._encoder.close()

    def _list(self, request: Request, passing: Mask, groups: Sequence[Mask]) -> _Listing:
        if request.name is not None:
            return self._look_up(request.name, passing, groups)
        entities = self._catalogue.in_name_order(np.flatnonzero(passing))
        listing = _Listing(len(entities), entities.tolist())
        query = (request.search or "").strip()
        if query and len(entities):
            self._rank(query, request, passing, listing)
        return listing

    def _look_up(self, name: str, passing: Mask, groups: Sequence[Mask]) -> _Listing:
        found = self._names.find(name, groups)
        listing = _Listing(len(found.numbers), found.numbers.tolist())
        if not listing.total:
            listing.suggestions = self._names.near(name, passing)
        elif found.exact:
            others = passing.copy()
            others[found.numbers] = False
            listing.suggestions = self._names.containing(name, others)
        return listing

    def _rank(self, query: str, request: Request, passing: Mask, listing: _Listing) -> None:
        """Put the best first and fold families; without an encoder, names that share most of its words first."""
        entities = np.flatnonzero(passing)
        ranking = self._ranking.result()
        try:
            encoding = self._encoder.encode(ranking.expand(query))
        except EncoderError as error:
            listing.said.append(messages.unranked(str(error)))
            shared = self._names.words_shared(query)
            listing.numbers = sorted(listing.numbers, key=lambda number: -shared[number])
            return
        if encoding.cut or len(query) > MAX_QUERY_CHARS:
            log.warning("a query of %d characters exceeds what the encoder reads", len(query))
            listing.said.append(messages.query_cut(MAX_QUERY_CHARS, self._max_tokens))
        ranked = ranking.rank(query, encoding.vector, entities, self._names.exactly(query, passing))
        if ranked.foreign:
            listing.said.append(messages.NOTHING_ABOUT_IT)
        if ranked.asked:
            listing.said.append(messages.preferred(ranked.asked))
        best = self._families.best(ranked.numbers)
        listing.numbers = ranked.numbers[best].tolist()
        for place in best[request.offset : request.offset + request.limit]:
            number = int(ranked.numbers[place])
            variants = self._families.variants(number, ranked.numbers)
            extra: Record = {"similarity_score": float(ranked.scores[place])}
            extra |= {"variants": variants} if variants else {}
            extra |= {"score_parts": ranked.parts.of(int(ranked.positions[place]))} if self._explain else {}
            listing.extra[number] = extra

    def _page(self, request: Request, listing: _Listing, mentioned: Collection[str] | None) -> dict[str, Any]:
        numbers = listing.numbers[request.offset : request.offset + request.limit]
        said = listing.said
        if listing.total and not numbers:
            said.append(messages.past_the_end(request.offset, len(listing.numbers)))

        def summaries(some: Sequence[int]) -> list[Record]:
            return self._with_extra(some, self._records.summaries(some, mentioned), listing)

        def full(some: Sequence[int]) -> list[Record]:
            return self._with_extra(some, self._records.full(some, mentioned), listing)

        empty = self._envelope([], total=listing.total, said=said, suggestions=listing.suggestions)
        room = self._max_response_chars - length(empty) - _RESERVED_FOR_MESSAGES
        page = fit(numbers, room, summaries, full if request.detail == "full" else None)
        end = request.offset + len(page.records)
        if page.full < len(page.records):
            offset = request.offset + page.full
            said.append(messages.summarised(page.full, len(page.records), offset, self._max_response_chars))
        if len(page.records) < len(numbers):
            said.append(messages.ends_early(end, self._max_response_chars))
        next_offset = end if end < len(listing.numbers) and page.records else None
        return self._envelope(
            page.records,
            total=listing.total,
            offset=request.offset,
            next_offset=next_offset,
            said=said,
            suggestions=listing.suggestions,
        )

    def _with_extra(self, numbers: Sequence[int], records: list[Record], listing: _Listing) -> list[Record]:
        return [record | listing.extra.get(number, {}) for number, record in zip(numbers, records, strict=True)]

    def _envelope(
        self,
        results: list[Record],
        *,
        total: int,
        offset: int = 0,
        next_offset: int | None = None,
        said: Sequence[str] = (),
        suggestions: Sequence[str] = (),
    ) -> dict[str, Any]:
        return {
            "results": results,
            "count": len(results),
            "total": total,
            "offset": offset,
            "next_offset": next_offset,
            "message": " ".join(said) or None,
            "suggestions": list(suggestions),
            "dataset": self._identity,
        }


def _fenced(dataset: Dataset, documents: Sequence[str] | None) -> Shelf:
    shelf = Shelf(dataset.documents)
    if documents is None:
        return shelf
    choice = shelf.choose(documents)
    if choice.unknown:
        message = messages.unknown_documents(choice.unknown)
        raise RequestError(parameter="documents", value=list(choice.unknown), message=message)
    return Shelf(dataset.documents, choice.keys)


def _no_document(choice: Choice) -> str:
    return messages.unknown_documents(choice.unknown) if choice.unknown else messages.NO_DOCUMENTS_ASKED


def _all_of(start: Mask, masks: Collection[Mask]) -> Mask:
    passing: Mask = np.logical_and.reduce([start, *masks])
    return passing
