"""What the address of a search page asks for, and the shortest address that asks the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from server.pages.addresses import of_search
from server.pages.sections import EVERYTHING, Section, section_of
from server.tools.parameters import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WORDS: Final = "q"
SECTION: Final = "in"
OFFSET: Final = "offset"
HITS: Final = 20
"""Hits on a page."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for.

    Attributes:
        section: where.
        words: to search for; empty for a list by name.
        given: parameter → what was given for it, as written; several only for documents.
        offset: how many hits to skip, as written; empty for none.
    """

    section: Section = EVERYTHING
    words: str = ""
    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    offset: str = ""

    @classmethod
    def read(cls, items: Sequence[tuple[str, str]]) -> Asked:
        """Read an address's names and values. The last value counts; what the section does not know is left out."""
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
        return cls(section, last.get(WORDS, ""), given, "" if offset == "0" else offset)

    @property
    def nothing(self) -> bool:
        """Whether nothing is asked for: the start page."""
        return not self.items

    @property
    def items(self) -> list[tuple[str, str]]:
        """Names and values of its shortest address."""
        one = ((WORDS, self.words), (SECTION, "" if self.section is EVERYTHING else self.section.key))
        several = [(name, value) for name, values in self.given.items() for value in values]
        return [pair for pair in (*one, *several, (OFFSET, self.offset)) if pair[1]]

    @property
    def address(self) -> str:
        """Its shortest address."""
        return of_search(self.items)

    @property
    def arguments(self) -> dict[str, Any]:
        """The same as a call of the section's tool, for summaries."""
        fields = {each.name: each for each in self.section.fields}
        call = {name: list(values) if fields[name] is DOCUMENTS else values[0] for name, values in self.given.items()}
        words = {self.section.text.name: self.words}
        return words | call | {"detail": "summary", "limit": HITS} | ({OFFSET: self.offset} if self.offset else {})
