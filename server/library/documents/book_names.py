"""The books and publishers that a text names: "Tome of Beasts 2 dragon", "Kobold Press spells"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from server.dataset.index.terms import FUNCTION_WORDS, terms
from server.dataset.names import normalize_name
from server.library.documents.editions import compared
from server.library.documents.named_documents import NamedDocuments
from server.library.queries.without_books import without_books

if TYPE_CHECKING:
    from server.library.catalogue import Catalogue
    from server.library.documents.titles import Mention, Titles
    from server.library.names.name_index import NameIndex
    from server.library.names.ordinary_words import OrdinaryWords

_ANY: Final = re.compile(r"\b(?:an?|any|each|every|her|his|its|my|our|some|their|your)\s+$", re.IGNORECASE)
"""Before a title: it is no name, "a pirate ship with a black flag"."""
_PATTERN: Final = re.compile(r"[*%]")


class BookNames:
    """Reads the titles of documents in texts."""

    def __init__(self, catalogue: Catalogue, names: NameIndex, titles: Titles, ordinary: OrdinaryWords) -> None:
        self._catalogue = catalogue
        self._names = names
        self._titles = titles
        self._ordinary = ordinary

    def read(self, text: str) -> NamedDocuments:
        """Separate a text from the books and publishers that it names; nothing is left of a text that is only such.

        What has the name of an entity is one, and so is a name with wildcards.
        """
        mentions = [each for each in self._titles.mentions(text) if self._is_told(text, each)]
        if not mentions or _PATTERN.search(text) or self._names.find(text, [self._catalogue.everything]).exact:
            return NamedDocuments(text)
        rest = without_books(text, ((each.start, each.end) for each in mentions))
        rest = compared(rest) if len(mentions) > 1 else rest
        entries = tuple(dict.fromkeys(mention.title.entry for mention in mentions))
        return NamedDocuments("" if FUNCTION_WORDS.issuperset(terms(rest)) else rest, entries)

    def _is_told(self, text: str, mention: Mention) -> bool:
        """Whether the words mean the title: not in the name of a thing that the text names, nor in general use."""
        if _ANY.search(text[: mention.start]):
            return False
        told, whole = (normalize_name(each) for each in (text[mention.start : mention.end], text))
        is_of_a_thing = any(told in name and name in whole for name in self._catalogue.folded_names)
        return not is_of_a_thing and not self._ordinary.are(mention.title.spelling)
