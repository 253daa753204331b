"""The sections of the library that pages search: all of it, and each family with the filters of its tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from server.library.requests.filters import filters_of
from server.tools import character_options, creatures, equipment, everything, rules, spells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.library.requests.filter_types import Filter
    from server.tools.parameters import Parameter
    from server.tools.tool import Tool


@dataclass(frozen=True, slots=True)
class Section:
    """A section.

    Attributes:
        key: its family, as written in addresses.
        title: its name for people.
        tool: the tool that answers its searches and declares its filters.
    """

    key: str
    title: str
    tool: Tool

    @property
    def text(self) -> Parameter:
        """The parameter that takes the words to search for."""
        return next(parameter for parameter in self.tool.parameters if parameter.target == "search")

    @property
    def fields(self) -> Sequence[Parameter]:
        """The other parameters that people set: the kind, the filters and the documents."""
        return [p for p in self.tool.parameters if p.target in (None, "kind", "documents")]

    @property
    def filters(self) -> Mapping[str, Filter]:
        """Its filters by parameter."""
        return {declared.parameter: declared for declared in filters_of(self.key)}


SECTIONS: Final = (
    Section("all", "Everything", everything.SEARCH),
    Section("spell", "Spells", spells.SEARCH),
    Section("creature", "Creatures", creatures.SEARCH),
    Section("equipment", "Equipment", equipment.SEARCH),
    Section("character_option", "Character options", character_options.SEARCH),
    Section("rule", "Rules", rules.SEARCH),
)
EVERYTHING: Final = SECTIONS[0]


def section_of(key: str) -> Section:
    """The section with that key; the one for the whole library if there is none."""
    return next((section for section in SECTIONS if section.key == key), EVERYTHING)
