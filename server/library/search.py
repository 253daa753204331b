"""Search: the filtered entities ranked for a query, one of each variant group; by name only if the encoder fails."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from server.library import messages, search_messages
from server.library.hits import Hits
from server.library.names.spelling import american_text
from server.library.queries.questions import meant, subject
from server.library.ranking.encoder import EncoderError, QueryEncoder
from server.library.ranking.ranking import Ranking
from server.library.ranking.variant_groups import VariantGroups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.dataset.dataset import Dataset
    from server.dataset.index.query_model import Encoding
    from server.dataset.record import Record
    from server.library.arrays import Mask, Rows
    from server.library.catalogue import Catalogue
    from server.library.names.name_index import Instead, NameIndex
    from server.library.ranking.ranking import Ranked
    from server.library.records.asked_parts import AskedPart
    from server.library.requests.request import Request

MAX_QUERY_CHARS: Final = 512
"""Longer queries are reported as cut: the encoder reads a limited number of tokens."""

log = logging.getLogger(__name__)


class Best(NamedTuple):
    """One of the best entities for a query: its catalogue row, its `similarity_score`, the part that fits better."""

    row: int
    score: float
    part: str | None


class Search:
    """Ranks a catalogue's entities. Its indices load in the background: only calls that rank wait for them."""

    def __init__(
        self,
        catalogue: Catalogue,
        dataset: Dataset,
        *,
        preferred: Sequence[Mask],
        encode_timeout: float,
        explain: bool,
    ) -> None:
        """Start to load.

        Args:
            catalogue: the entities.
            dataset: what they come from.
            preferred: groups of entities to prefer among equals, the most preferred first.
            encode_timeout: seconds to wait for the encoder.
            explain: whether records show what their score is made of (`score_parts`).
        """
        self._explain = explain
        self._max_tokens = dataset.manifest["encoder"]["max_tokens"]
        self._encoder = QueryEncoder(dataset.encoder_path, dataset.manifest["encoder"], encode_timeout)
        self._groups = VariantGroups(catalogue)
        self._preferred = np.logical_or.reduce([np.zeros(catalogue.size, dtype=np.bool_), *preferred])
        background = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ranking")
        self._ranking = background.submit(Ranking, catalogue, dataset, preferred, self._groups)
        background.shutdown(wait=False)

    def find(
        self, query: str, request: Request, filtered: Mask, names: NameIndex, asked: AskedPart | None = None
    ) -> Hits:
        """The entities of a mask ranked for a query; those on the request's page get what ranking adds to a record.

        Args:
            query: as the caller wrote it.
            request: which page to list.
            filtered: the entities, bool[catalogue size], not empty.
            names: the names of the catalogue.
            asked: what the query asks of entities whose name is in it, which come first; None for nothing.
        """
        entities = np.flatnonzero(filtered)
        hits = Hits(len(entities))
        named, instead = _named(query, filtered, names, asked)
        hits.messages += [messages.called(query, instead)] if instead else []
        query = american_text(meant(query))
        try:
            ranked, sought, encoding = self._rank(query, entities, named)
        except EncoderError as error:
            hits.messages.append(search_messages.unranked(str(error)))
            by_names = self._ranking.result().by_names(names.words_shared(query), entities, named)
            self._list(by_names, self._groups.first_of_each(by_names), request, hits)
            return hits
        if encoding.cut or len(query) > MAX_QUERY_CHARS:
            log.warning("a query of %d characters is longer than the encoder reads", len(query))
            hits.messages.append(search_messages.query_cut(MAX_QUERY_CHARS, self._max_tokens))
        if ranked.weak:
            hits.messages.append(search_messages.weak(float(ranked.scores[0])))
        hits.mentioned = () if named.size else ranked.mentioned  # the words of a name state no facts
        hits.best = float(ranked.scores[0])
        shown = self._groups.to_show(ranked.rows, ranked.scores, self._preferred)
        page = self._list(ranked.rows, shown, request, hits)
        rows = ranked.rows[page].tolist()
        snippets = self._ranking.result().snippets(sought, encoding.vector, rows)
        for position, row, snippet in zip(page, rows, snippets, strict=True):
            extra: Record = {"similarity_score": float(ranked.scores[position])}
            part = asked.parts[row].name if asked and row in asked.parts else snippet.part
            extra |= {"part": part} if part else {}
            extra |= {"score_parts": ranked.parts.of(int(ranked.positions[position]))} if self._explain else {}
            hits.extra[row] |= extra
            hits.snippets[row] = snippet
        return hits

    def best(self, query: str, among: Mask, most: int) -> list[Best]:
        """The best of some entities for a query, one of each variant group; none if the encoder fails.

        Args:
            query: as the caller wrote it.
            among: the entities, bool[catalogue size].
            most: how many at most.
        """
        entities = np.flatnonzero(among)
        try:
            ranked, sought, encoding = self._rank(american_text(meant(query)), entities, entities[:0])
        except EncoderError:  # logged; a search that ranks nothing has nothing to compare with
            return []
        shown = self._groups.to_show(ranked.rows, ranked.scores, self._preferred)[:most]
        rows = ranked.rows[shown].tolist()
        snippets = self._ranking.result().snippets(sought, encoding.vector, rows)
        scores = ranked.scores[shown].tolist()
        return [Best(row, score, each.part) for row, score, each in zip(rows, scores, snippets, strict=True)]

    def _rank(self, query: str, entities: Rows, named: Rows) -> tuple[Ranked, str, Encoding]:
        """Entities (int64[n]) ranked for a query, `named` first; the text that was encoded, and its encoding.

        Raises:
            EncoderError: the encoder gave no vector.
        """
        ranking = self._ranking.result()
        asked = ranking.wanted(query, entities)
        sought = ranking.sought(asked, entities)
        encoding_begun = self._encoder.begin(sought)
        words = ranking.lexical(query, asked, sought, entities)  # while the query is encoded
        encoding = self._encoder.end(encoding_begun)
        return ranking.rank(words, encoding.vector, named), sought, encoding

    def wait_until_ready(self) -> None:
        """Wait for what loads in the background; errors there are raised."""
        self._encoder.wait_until_ready()
        self._ranking.result()

    def fault(self) -> str:
        """Why nothing can be ranked by meaning now, in a few words; empty if it can."""
        try:
            self._encoder.check()
        except EncoderError as error:
            return str(error)
        return ""

    def close(self) -> None:
        """Stop the threads after the calls that are running."""
        self._encoder.close()

    def _list(self, ranked: Rows, shown: Rows, request: Request, hits: Hits) -> Rows:
        """List one of each variant group, with its variants; return the positions of those on the page, int64[n].

        Args:
            ranked: int64[n]: catalogue rows.
            shown: the positions in it of what is listed.
            request: which page to list.
            hits: where to list it.
        """
        hits.rows = ranked[shown].tolist()
        page = shown[request.offset : request.offset + request.limit]
        rows = ranked[page].tolist()
        for row, variants in zip(rows, self._groups.variants(rows, ranked), strict=True):
            hits.extra[row] = {"variants": variants} if variants else {}
        return page


def _named(query: str, filtered: Mask, names: NameIndex, asked: AskedPart | None) -> tuple[Rows, Instead | None]:
    """The filtered entities that a query, or its subject, is the name of, and what they are called instead.

    Otherwise those that it asks something of.
    """
    for name in (query, subject(query)):
        if (named := names.named(name, filtered)).size:
            return named, None
    if asked:
        return np.array([*asked.parts], dtype=np.int64), None
    other = names.instead(query, filtered)
    return (other.rows, other.instead) if other and other.instead else (named, None)
