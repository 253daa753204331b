"""Whether words are in general use, as opposed to a name: the texts write "magic items", but never "vault of magic"."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from server.library.catalogue import Catalogue

_MOST_TEXTS: Final = 3
"""Texts that may have the words in lower case before they are in general use."""
_KEPT: Final = 1_000


class OrdinaryWords:
    """The words that a catalogue's texts use as such; each is looked for when first asked about."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known = lru_cache(_KEPT)(self._are_written)

    def are(self, words: str) -> bool:
        """Whether the words are in general use."""
        return self._known(words.casefold())

    def _are_written(self, words: str) -> bool:
        having = (part.frame["description"].str.contains(words, literal=True) for part in self._catalogue.parts)
        return sum(int(found.sum()) for found in having) > _MOST_TEXTS
