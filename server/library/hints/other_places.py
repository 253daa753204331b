"""Where else to look: another kind or table that has a name, records with a part of that name, what fits better."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from server.dataset.names import normalize_name
from server.library import messages, search_messages
from server.library.message import joined
from server.library.messages import MAX_COUNTED
from server.library.queries.questions import subject, used
from server.library.requests.filter_types import ValueKind
from server.library.requests.filters import filters_of
from server.library.requests.request import Request, RequestError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from server.library.arrays import Mask
    from server.library.catalogue import Catalogue
    from server.library.finder import Finder, Found
    from server.library.hits import Hits
    from server.library.message import Call, Way
    from server.library.names.ordinary_words import OrdinaryWords
    from server.library.search import Search

_WORD: Final = re.compile(r"[\w'+-]+")
_MOST_OWNERS: Final = 3
"""Records that a search's answer lists as having a part."""
_GOOD: Final = 0.5
"""The highest score of a search up to which other kinds are searched too."""
_BETTER: Final = 0.15
"""How much more another kind must score to be named."""
_FAIR: Final = 0.4
"""The least score of what is named."""
_MOST_COMPARED: Final = 20
"""Entities of other kinds that are looked at: some differ only in parentheses, "Spell Scroll (Level 2)"."""
_MOST_BETTER: Final = 3
"""Entities of other kinds that are named, none of which scores `_BETTER` less than the first."""
_LONGEST: Final = 5
"""Words of the longest name of a part that is looked for inside a query."""


class OtherPlaces:
    """Finds names of one catalogue outside what was requested, but in the requested documents."""

    def __init__(self, catalogue: Catalogue, finder: Finder, search: Search, ordinary: OrdinaryWords) -> None:
        self._catalogue = catalogue
        self._finder = finder
        self._search = search
        self._ordinary = ordinary

    def of_search(self, found: Found, hits: Hits) -> list[str]:
        """A sentence on where else to look if nothing of the requested kind has the name that a query asks about.

        Otherwise on what other kinds have that fits better than its hits, if these are no good answers.
        """
        named = [] if hits.mentioned else self._by_name(found)
        return named or self._fitting_better(found, hits)

    def _by_name(self, found: Found) -> list[str]:
        request, query = found.request, found.request.search or ""
        if request.family == "all":
            return []
        asked = list(dict.fromkeys((query, subject(query))))
        # Names as they are: what finds them in any spelling is built when one is first looked up.
        named = [text for text in asked if self._finder.names.named(text, self.in_documents(found)).size]
        if any(self._finder.names.named(text, found.within.candidates).size for text in named):
            return []
        said = [self._named_elsewhere(found, text) for text in named][:1]
        inside = self._parts_in(query) if request.family == "rule" else iter(())
        parts = [*islice(self._parts_of(self._options, found, chain(asked[::-1], inside)), 1)]
        if not (named or parts):
            parts = [*islice(self._parts_of(self._catalogue.everything, found, asked), 1)]
        return [*filter(None, said), *parts]

    def _fitting_better(self, found: Found, hits: Hits) -> list[str]:
        request = found.request
        elsewhere = self.in_documents(found) & ~found.within.scope.inside
        denies = any(fact.denied for fact in hits.mentioned)  # which lowers the scores of good answers
        if hits.best is None or hits.best > _GOOD or denies or request.offset or request.filters or not elsewhere.any():
            return []
        best = self._search.best(request.search or "", elsewhere, _MOST_COMPARED)
        least = max(_FAIR, hits.best + _BETTER, *(each.score - _BETTER for each in best[:1]))
        ways: dict[Call, float] = {}
        told: set[str] = set()
        for row, score, part in best:
            thing = self._catalogue.folded_names[row].partition(" (")[0]
            if score >= least and thing not in told and len(ways) < _MOST_BETTER:
                told.add(thing)
                ((family, kind),) = self._finder.scopes.holding([row])
                name = self._catalogue.names[row]
                asked = Request(family, kind=kind, name=name, part=part, documents=request.documents)
                ways[messages.look_up(asked)] = score
        return [search_messages.fitting_better(ways)] if ways else []

    def in_other_tools(self, found: Found, name: str, *, all_kinds: bool = False, rules: bool = True) -> dict[Way, int]:
        """The look-ups that find exactly this name in the requested documents → the number of results.

        Only look-ups take names, and all look-ups are offered together; those of the request's own family only if
        `all_kinds` is true, and those of rules only if `rules` is.
        """
        family, documents = found.request.family, found.request.documents
        if family == "all":
            return {}
        named = self._finder.names.find(name, [self.in_documents(found)])
        holding = self._finder.scopes.holding(named.rows.tolist() if named.exact else [])
        asked = [
            Request(other, kind=kind, name=name, documents=documents)
            for other, kind in holding
            if rules or other != "rule"
        ]
        return self.exact({messages.look_up(each): each for each in asked if all_kinds or each.family != family})

    def in_longer_names(self, found: Found, name: str) -> dict[Way, int]:
        """The look-ups of other kinds whose names have the words of a name → the number of results.

        In the requested documents; if there are none, in all.
        """
        for documents in dict.fromkeys((found.request.documents, None)):
            inside = self.in_documents(found) if documents else self._catalogue.everything
            rows = self._finder.names.find(name, [inside & ~found.within.scope.inside]).rows.tolist()
            asked = [
                Request(family, kind=kind, name=name, documents=documents)
                for family, kind in self._finder.scopes.holding(rows)
            ]
            counts: dict[Way, int] = {messages.look_up(each): len(self._finder.find(each).listed) for each in asked}
            if counts:
                return counts
        return {}

    def as_a_part(self, found: Found, name: str) -> list[str]:
        """A sentence on what has a part of this name: of the requested kind, otherwise of any kind."""
        own, everything = found.within.scope.inside, self._catalogue.everything
        return self._having(found, name, own) or self._having(found, name, everything)

    def as_a_feature(self, found: Found, name: str) -> list[str]:
        """A sentence on which classes, races and the like have a feature of this name."""
        return self._having(found, name, self._options)

    def documents_with(self, found: Found, part: str) -> dict[str, list[str]]:
        """A part's name → the documents outside the requested ones in which things of the requested kind have it."""
        rows = self._finder.parts.owners(part, found.within.scope.inside & ~self.in_documents(found))
        return {part: sorted({self._catalogue.document_keys[row] for row in rows})} if rows else {}

    def exact(self, ways: Mapping[Way, Request]) -> dict[Way, int]:
        """The requests, by how they are written, that find an exact name → the number of results."""
        counts: dict[Way, int] = {}
        for written, asked in ways.items():
            try:
                found = self._finder.find(asked)
            except RequestError:  # a filter that is refused with that kind
                continue
            if found.is_exact and len(found.listed):
                counts[written] = len(found.listed)
        return counts

    def in_documents(self, found: Found) -> Mask:
        """bool[catalogue size]: what is in the requested documents."""
        documents = found.within.documents
        return self._catalogue.everything if documents is None else self._catalogue.of_documents(documents.keys)

    def _named_elsewhere(self, found: Found, name: str) -> str | None:
        if self._is_here(found, name) or self._is_a_value(found, name):
            return None
        ways = self.in_other_tools(found, name, all_kinds=True, rules=found.request.family == "rule")
        return messages.named_elsewhere(name, ways) if ways else None

    def _is_a_value(self, found: Found, text: str) -> bool:
        """Whether a text is a value of a filter, which says more about what is sought: "wizard" of spells."""
        filters = filters_of(found.request.family)
        texts = (f for f in filters if f.kind in {ValueKind.TEXT, ValueKind.CLOSED} and not f.id_path)
        return any(self._finder.selection.knows(declared, text) for declared in texts)

    def _parts_of(self, owners: Mask, found: Found, names: Iterable[str]) -> Iterator[str]:
        """Sentences on names of parts that some entities (bool[catalogue size]) have, and nothing of the kind asked."""
        for name in names:
            said = self._having(found, name, owners, most=_MOST_OWNERS)
            if said and not self._is_here(found, name):
                yield from said

    @cached_property
    def _options(self) -> Mask:
        return self._finder.scopes.of(Request("character_option")).inside

    def _is_here(self, found: Found, name: str) -> bool:
        """Whether something of the requested kind has all words of the name, or a part of this name."""
        candidates = found.within.candidates
        return bool(
            self._finder.names.find(name, [candidates]).rows.size or self._finder.parts.owners(name, candidates)
        )

    def _having(self, found: Found, name: str, owners: Mask, most: int = MAX_COUNTED) -> list[str]:
        """A message on which of some entities have a part of this name, or what their edition has for it."""
        inside, parts = self.in_documents(found) & owners, self._finder.parts
        if rows := parts.owners(name, inside):
            return self._are_parts(found, name, rows, most)
        instead = parts.instead(name, inside)
        rows_of: defaultdict[str, list[int]] = defaultdict(list)
        for row, part in instead.items():
            rows_of[part.name].append(row)
        said = messages.succeeded(part.instead for part in instead.values())
        said += (each for there, rows in rows_of.items() for each in self._are_parts(found, there, rows, most))
        return [joined(said)] if said else []

    def _are_parts(self, found: Found, name: str, owners: list[int], most: int = MAX_COUNTED) -> list[str]:
        ways: dict[Call, list[str]] = {}
        for (family, kind), rows in self._finder.scopes.holding(owners).items():
            asked = Request(family, kind=kind, part=name, documents=found.request.documents)
            ways[messages.look_up(asked)] = list(dict.fromkeys(self._catalogue.names[row] for row in rows))
        return [messages.is_part_of(name, ways, most)] if ways else []

    def _parts_in(self, query: str) -> Iterator[str]:
        """The names of parts in a query: what it asks about using, then runs of words, the longest first.

        A single word counts inside a query only if it is in no general use.
        """
        known = self._finder.parts.known
        yield from {normalize_name(used(query))} & known
        words = _WORD.findall(normalize_name(query))
        for length in range(_LONGEST, 0, -1):
            for start in range(len(words) - length + 1):
                name = " ".join(words[start : start + length])
                if name in known and not (length == 1 and self._ordinary.are(name)):
                    yield name
