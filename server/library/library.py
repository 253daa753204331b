"""The library: one dataset, open for requests. It answers in response objects, independent of any protocol."""

from __future__ import annotations

from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from server.dataset.manifest import identity_of
from server.dataset.schema import SOURCES
from server.library import messages, page_messages
from server.library.catalogue import Catalogue
from server.library.documents.document_index import serve_documents
from server.library.documents.preference import precedence
from server.library.facts import Facts
from server.library.finder import Finder
from server.library.hints import superlatives
from server.library.hints.empty_results import EmptyResults
from server.library.hints.feat_types import types_of_feats
from server.library.hints.filter_offers import FilterOffers
from server.library.hints.other_places import OtherPlaces
from server.library.hints.overlooked import overlooked
from server.library.hits import Hits
from server.library.message import joined
from server.library.names.name_index import MAX_SUGGESTIONS
from server.library.names.ordinary_words import OrdinaryWords
from server.library.records.backlinks import Backlinks
from server.library.records.contained import contained, fit_once
from server.library.records.json_text import json_length
from server.library.records.pieces import piece
from server.library.records.printed_tables import PrintedTables
from server.library.records.reading import Reading
from server.library.records.records import Form, Records
from server.library.requests.request import Request, RequestError
from server.library.search import Search
from server.library.sql.engine import SqlEngine

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from server.dataset.dataset import Dataset
    from server.dataset.record import Record
    from server.library.finder import Found
    from server.library.records.budget import Render
    from server.library.requests.filter_types import Filter
    from server.library.requests.request import Detail

MAX_RESPONSE_CHARS: Final = 60_000
ENCODE_TIMEOUT: Final = 2.0
"""Seconds."""

_FORMS: Final[dict[Detail, tuple[Form, ...]]] = {
    "names": (Form.NAMES,),
    "summary": (Form.IDENTITY, Form.FACTS, Form.SUMMARY),
    "full": (Form.IDENTITY, Form.FACTS, Form.SUMMARY, Form.FULL),
}
"""The forms of records that a page may have, from the shortest to the requested one."""
_RESERVED_FOR_MESSAGES: Final = 300
"""Characters for messages about the response budget itself."""


class Library:
    """A dataset, or some of its documents, open for requests. Thread-safe.

    Attributes:
        facts: columns of its entities, for answers computed from many of them.
        tables: the tables printed in its texts.
        reading: how one entity leads to others, for reading on.
        max_response_chars: longest response, in characters of JSON.
    """

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
            documents: serve only these documents (keys, aliases, names, game systems); None for all.
            max_response_chars: longest response, in characters of JSON.
            encode_timeout: seconds that encoding a query may take.
            prefer: documents or game systems that come first among equals, before the SRDs.
            explain: add `score_parts` to ranked records.

        Raises:
            RequestError: an entry of `documents` or `prefer` is unknown.
        """
        self._documents = serve_documents(dataset.documents, documents)
        self._served_documents = None if documents is None else self._documents.keys
        self.max_response_chars = max_response_chars
        self._catalogue = Catalogue(dataset.tables, self._documents.keys)
        in_order = precedence(self._documents, prefer)
        preferred = [self._catalogue.of_documents(keys) for keys in in_order]
        self._search = Search(
            self._catalogue, dataset, preferred=preferred, encode_timeout=encode_timeout, explain=explain
        )
        ordinary = OrdinaryWords(self._catalogue)
        self._finder = Finder(self._catalogue, self._documents, ordinary)
        self._filter_offers = FilterOffers(self._finder.scopes, self._finder.selection)
        self._other_places = OtherPlaces(self._catalogue, self._finder, self._search, ordinary)
        self._empty_results = EmptyResults(self._catalogue, self._finder, self._other_places)
        self._records = Records(self._catalogue)
        self._backlinks = Backlinks(self._catalogue)
        self._sql = SqlEngine(dataset.path, self._served_documents)
        self.facts = Facts(self._catalogue, self._documents, in_order, self._finder)
        self.tables = PrintedTables(self._catalogue)
        self.reading = Reading(self._catalogue, self._finder.chapters, self._records, self._documents)
        self._identity = identity_of(dataset.manifest)

    @property
    def identity(self) -> dict[str, Any]:
        """The `dataset` field of every response: `version`, `built_at`, `snapshot_at`, `schema_version`.

        And `notice`, if the dataset has one.
        """
        return self._identity

    @property
    def size(self) -> int:
        """How many entities there are."""
        return self._catalogue.size

    def values(self, declared: Filter) -> tuple[str, ...]:
        """The values that the dataset holds for a filter of kind CLOSED or TEXT, sorted."""
        return self._finder.selection.values(declared)

    def find(self, request: Request) -> dict[str, Any]:
        """Answer a request with the tools' response object.

        Raises:
            RequestError: it cannot be answered as asked.
        """
        return self._page(*self._answered(request))

    def scores(self, request: Request) -> tuple[dict[str, float | None], str | None]:
        """For the page that a search finds, name → `similarity_score` (None if it was not ranked); and the message.

        Raises:
            RequestError: as for `find`.
        """
        read, hits, _ = self._answered(request)
        page = hits.rows[read.offset :][: read.limit]
        scores = {self._catalogue.names[row]: hits.extra.get(row, {}).get("similarity_score") for row in page}
        return scores, joined(hits.messages) or None

    def _answered(self, request: Request) -> tuple[Request, Hits, Collection[str] | None]:
        """The request as understood, what it finds, and the documents that records may mention (None for all)."""
        found = self._finder.find(request)
        read, documents = found.request, found.within.documents
        if documents is not None and not documents.keys:
            none = Hits(0, messages=[*read.notes, documents.why_none])
            return read, none, self._served_documents
        hits = self._hits(found)
        hits.messages[:0] = read.notes
        if not hits.total:
            hits.messages += self._empty_results.explain(found)
            hits.messages += self._empty_results.suggest(found, hits)
        elif len(read.names) > 1:
            hits.messages += self._empty_results.missing(found)
        if not found.names:
            hits.messages += overlooked(found.within, self._finder.selection)
        if documents is not None and documents.unknown:
            hits.messages.append(messages.unknown_documents(documents.unknown))
        if found.parts is not None and hits.total:
            self._narrow(found, hits)
        return read, hits, self._served_documents if documents is None else documents.keys

    def entity(self, entity_id: str) -> dict[str, Any] | None:
        """The whole record of an entity, for sheets and exports; None if the library does not hold it."""
        row = self._catalogue.row_of.get(entity_id)
        if row is None:
            return None
        records = self._records.render([row], Form.WHOLE, self._served_documents)
        return self._with_backlinks([row], records, self._served_documents)[0]

    def credit(self, document_key: str) -> dict[str, Any] | None:
        """Name, publisher, authors, licence and notices of a document; None if the library does not hold it."""
        return self._documents.credit(document_key)

    @property
    def document_keys(self) -> frozenset[str]:
        """The keys of the documents."""
        return self._documents.keys

    def slugs(self, entity_type: str, document_key: str) -> list[str]:
        """The last parts of the ids of a document's entities of a type, sorted."""
        start = f"{entity_type}/{document_key}/"
        return sorted(each.removeprefix(start) for each in self._catalogue.row_of if each.startswith(start))

    def names_of(self, entity_type: str) -> list[str]:
        """The names of all entities of a type, each once, sorted."""
        pairs = zip(self._catalogue.names, self._catalogue.entity_types, strict=True)
        return sorted({name for name, its_type in pairs if its_type == entity_type})

    def closed(self, text: str, request: Request | None = None) -> list[str]:
        """A sentence on what a text, perhaps of a request, names that only closed books have; none if it does not."""
        return self._empty_results.closed([text], self._finder.narrowed(request) if request else None)

    def query(self, sql: str, limit: int) -> dict[str, Any]:
        """Answer one SELECT over the tables of the documents served, or `describe <table>`.

        Returns:
            `columns`, `rows` as lists in their order, `row_count`, `truncated`, `documents` (key → name of those that
            the rows come from, where they have a `document_key`), `message`, `dataset`.

        Raises:
            RequestError: it is no such query, is invalid, or takes too long or too much memory.
        """
        empty = {"columns": [], "rows": [], "row_count": 0, "truncated": False}
        empty |= {"documents": self._documents.names, "message": None, "dataset": self._identity}
        found = self._sql.run(sql, limit, self.max_response_chars - json_length(empty) - _RESERVED_FOR_MESSAGES)
        return empty | {
            "columns": found.columns,
            "rows": found.rows,
            "row_count": len(found.rows),
            "truncated": found.truncated,
            "documents": {key: self._documents.names[key] for key in found.documents if key in self._documents.names},
            "message": joined(found.notes) or None,
        }

    def list_documents(self, source: str | None = None) -> dict[str, Any]:
        """The documents of the library, one row per document and source.

        Raises:
            RequestError: there is no such source.
        """
        folded = None if source is None else source.strip().casefold()
        known = tuple(dict.fromkeys((*SOURCES, *self._documents.sources)))  # a dataset may have sources of its own
        if folded is not None and folded not in known:
            raise RequestError(parameter="source", value=source, message=messages.not_among("source", source, known))
        rows = self._documents.rows(folded)
        none = [] if rows else [messages.no_documents(source if self._documents.keys else None)]
        return self._envelope(rows, total=len(rows), sentences=none)

    def wait_until_ready(self) -> None:
        """Wait for what loads in the background; errors there are raised."""
        self._search.wait_until_ready()

    def fault(self) -> str:
        """Why searches cannot be ranked by meaning now, in a few words; empty if they can."""
        return self._search.fault()

    def close(self) -> None:
        """Stop the threads after the calls that are running, and release the tables for queries."""
        self._search.close()
        self._sql.close()

    def _hits(self, found: Found) -> Hits:
        request, filtered = found.request, found.within.passing
        if found.names:
            hits = Hits(len(found.rows), found.rows.tolist())
            near = [self._near_of_name(name, found, hits) for name in found.names]
            in_turn = (name for names in zip_longest(*near) for name in names if name is not None)
            hits.suggestions = list(dict.fromkeys(in_turn))[:MAX_SUGGESTIONS]
            return hits
        query = request.search
        if query and filtered.any():
            asked = self._finder.asked_parts.find(query, filtered)
            hits = self._search.find(query, request, filtered, self._finder.names, asked)
            hits.messages += messages.succeeded(asked.instead) if asked else []
            hits.messages += self._empty_results.closed([query], found.within)
            hits.messages += [] if asked else self._other_places.of_search(found, hits)
            hits.messages += superlatives.explain(found, hits.mentioned) if request.can_query else []
            hits.messages += self._filter_offers.explain(request, hits.mentioned, filtered)
            hits.messages += types_of_feats(found, self._catalogue, self._finder.selection)
            told = {row: part for row, part in asked.parts.items() if row in hits.extra} if asked else {}
            hits.fitting = self._finder.parts.fitting(hits.extra) | told if request.detail == "full" else {}
            if asked and request.detail == "summary":
                hits.told = self._records.part_lines(asked, [*told], self._served_documents)
            return hits
        in_reading_order = self._finder.chapters.in_reading_order
        in_order = in_reading_order if "section" in request.filters else self._catalogue.in_list_order
        feats = types_of_feats(found, self._catalogue, self._finder.selection)
        return Hits(len(found.rows), in_order(found.rows).tolist(), messages=feats)

    def _near_of_name(self, name: str, found: Found, hits: Hits) -> list[str]:
        """Names similar to this one or containing it; messages say what was found instead, and what else has it."""
        names, matches, filtered = self._finder.names, found.names[name], found.within.passing
        if called := matches.instead or names.renamed(name, matches, filtered):
            hits.messages.append(messages.called(name, called))
        if not len(matches.rows):
            return names.similar(name, filtered)
        if matches.exact:
            return names.containing(name, filtered, without=matches.rows)
        hits.messages += self._empty_results.inexact(found, name, is_called=called is not None)
        return []

    def _narrow(self, found: Found, hits: Hits) -> None:
        """Keep only the records that have the requested part; if none has it, a field so called, or what there is."""
        hits.parts = found.parts or {}
        if not hits.parts:
            hits.parts, sentences = self._empty_results.without_part(found, hits.rows)
            hits.messages += sentences
        elif found.names:
            hits.messages += self._empty_results.beside_part(found, hits.parts)
        hits.messages += messages.succeeded(part.instead for part in hits.parts.values())
        hits.rows = [row for row in hits.rows if row in hits.parts]
        hits.total = len(hits.rows)

    def _page(self, request: Request, hits: Hits, mentioned: Collection[str] | None) -> dict[str, Any]:
        """The requested page of the hits; records refer only to the documents `mentioned` (None for all)."""
        rows = hits.rows[request.offset : request.offset + request.limit]
        sentences = hits.messages
        forms = self._forms(request, hits, mentioned)
        empty = self._envelope([], total=hits.total, sentences=sentences, suggestions=hits.suggestions)
        room = self.max_response_chars - json_length(empty) - _RESERVED_FOR_MESSAGES
        if len(hits.rows) == 1 and request.detail == "full":
            (record,) = forms[-1](hits.rows)
            if json_length(record) > room:
                return self._piece(record, request.offset, room, hits)
        if hits.total and not rows:
            sentences.append(page_messages.past_the_end(request.offset, len(hits.rows), hits.total))
        repeated = (
            contained(rows, self._catalogue, self._finder.chapters, without=hits.fitting)
            if request.search and request.detail == "full"
            else {}
        )
        page, restated = fit_once(rows, room, forms, repeated)
        sentences += [page_messages.stands_in(restated)] if restated else []
        end = request.offset + len(page.records)
        if page.full < len(page.records):
            offset = request.offset + page.full
            sentences.append(
                page_messages.summarised(page.full, len(page.records), offset, self.max_response_chars, request.detail)
            )
        if len(page.records) < len(rows):
            sentences.append(page_messages.ends_early(end, self.max_response_chars))
        next_offset = end if end < len(hits.rows) and page.records else None
        return self._envelope(
            page.records,
            total=hits.total,
            offset=request.offset,
            next_offset=next_offset,
            sentences=sentences,
            suggestions=hits.suggestions,
        )

    def _forms(self, request: Request, hits: Hits, mentioned: Collection[str] | None) -> list[Render]:
        """The forms that records of a page may have, from the shortest to the requested one, as functions of rows."""

        def render(form: Form, rows: Sequence[int]) -> list[Record]:
            if hits.fitting and form is Form.FULL:
                return hits.add_to(rows, self._records.whole_or_part(rows, hits.fitting, mentioned), form)
            records = self._records.render(rows, form, mentioned)
            if request.names and form is Form.FULL:
                records = self._with_backlinks(rows, records, mentioned)
            return hits.add_to(rows, records, form)

        if hits.parts and request.detail != "names":
            return [lambda rows: self._records.parts(rows, hits.parts, mentioned)]
        return [partial(render, form) for form in _FORMS[request.detail]]

    def _piece(self, record: Record, offset: int, room: int, hits: Hits) -> dict[str, Any]:
        """The page for a single record that is too long: a piece of its sheet; `offset` is in characters."""
        (named,) = self._records.render(hits.rows, Form.NAMES, None)
        part = piece(record, named, offset, room)
        if offset >= part.length:
            hits.messages.append(page_messages.past_the_sheet(offset, part.length))
            return self._envelope([], total=1, offset=offset, sentences=hits.messages)
        hits.messages.append(page_messages.in_pieces(part.following, self.max_response_chars))
        return self._envelope(
            [part.record], total=1, offset=offset, next_offset=part.following, sentences=hits.messages
        )

    def _with_backlinks(
        self, rows: Sequence[int], records: list[Record], mentioned: Collection[str] | None
    ) -> list[Record]:
        """The records with what refers to them: whoever looks one up also wants to know what is related to it."""
        return [
            record | {"linked_from": self._backlinks.of(row, mentioned)}
            for row, record in zip(rows, records, strict=True)
        ]

    def _envelope(
        self,
        results: list[Record],
        *,
        total: int,
        offset: int = 0,
        next_offset: int | None = None,
        sentences: Sequence[str] = (),
        suggestions: Sequence[str] = (),
    ) -> dict[str, Any]:
        return {
            "results": results,
            "count": len(results),
            "total": total,
            "offset": offset,
            "next_offset": next_offset,
            "message": joined(sentences) or None,
            "suggestions": list(suggestions),
            "dataset": self._identity,
        }
