"""The search that the address of a search page stands for, and the shortest address for the same search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from server.library.messages import did_you_mean, not_among
from server.library.requests.filter_types import cut
from server.library.requests.request import RequestError
from server.pages.addresses import of_search
from server.pages.sections import EVERYTHING, SECTIONS, Section, section_of
from server.tools.parameters import DOCUMENTS
from server.tools.values import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WORDS: Final = "q"
SECTION: Final = "in"
OFFSET: Final = "offset"
HITS: Final = 20
"""Hits on a page."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A search.

    Attributes:
        section: where to search.
        words: the words to search for; empty for a list by name.
        given: parameter → its values, as written; several only for documents.
        offset: how many hits to skip, as written; empty for none.
        unknown: name → value, as written, of unknown parameters, and of the section if there is none of that key.
    """

    section: Section = EVERYTHING
    words: str = ""
    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    offset: str = ""
    unknown: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, items: Sequence[tuple[str, str]]) -> Asked:
        """Read the names and values of an address. If a name is repeated, its last value counts.

        A form sends its own section before that of the button pressed: fields that only its own has are dropped.
        """
        values: dict[str, list[str]] = {}
        for name, value in items:
            if value.strip():
                values.setdefault(name, []).append(value.strip())
        last = {name: several[-1] for name, several in values.items()}
        section = section_of(last.get(SECTION, ""))
        given = {
            each.name: tuple(dict.fromkeys(values[each.name])) if each is DOCUMENTS else (last[each.name],)
            for each in section.fields
            if each.name in values
        }
        offset = last.get(OFFSET, "")
        left = {each.name for key in values.get(SECTION, ())[:-1] for each in section_of(key).fields}
        unknown = {
            name: value
            for name, value in last.items()
            if name not in (WORDS, SECTION, OFFSET, *given) and name not in left
        }
        if (key := last.get(SECTION, section.key)) != section.key:
            unknown[SECTION] = key
        return cls(section, last.get(WORDS, ""), given, "" if offset == "0" else offset, unknown)

    def check(self) -> None:
        """Refuse unknown parameters: a filter that is silently ignored would give more hits than requested.

        Raises:
            RequestError: it names the first unknown one, and similar or valid ones.
        """
        for name, value in self.unknown.items():
            if name == SECTION:
                keys = [section.key for section in SECTIONS]
                raise RequestError(name, value, not_among(name, value, keys))
            known = [WORDS, SECTION, *(each.name for each in self.section.fields), OFFSET]
            near = did_you_mean(name, known)
            where = self.section.title
            message = f'{where}: there is no filter "{cut(name)}".{near} An address has {listed(known)}.'
            raise RequestError(name, value, message)

    @property
    def nothing(self) -> bool:
        """Whether the search is empty, which gives the start page."""
        return not self.items

    @property
    def items(self) -> list[tuple[str, str]]:
        """Names and values of the shortest address."""
        one = ((WORDS, self.words), (SECTION, "" if self.section is EVERYTHING else self.section.key))
        several = [(name, value) for name, values in self.given.items() for value in values]
        return [pair for pair in (*one, *several, (OFFSET, self.offset), *self.unknown.items()) if pair[1]]

    @property
    def address(self) -> str:
        """The shortest address."""
        return of_search(self.items)

    @property
    def arguments(self) -> dict[str, Any]:
        """The same search as arguments of the section's tool, for summaries."""
        fields = {each.name: each for each in self.section.fields}
        call = {name: list(values) if fields[name] is DOCUMENTS else values[0] for name, values in self.given.items()}
        words = {self.section.text.name: self.words}
        return words | call | {"detail": "summary", "limit": HITS} | ({OFFSET: self.offset} if self.offset else {})
