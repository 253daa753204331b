"""The books as documents: their edition, and the credit that their legal page asks for, word for word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from build_pipeline.normalize.books.drafts import BOOKS
from build_pipeline.normalize.books.rules.outline import QUOTE
from build_pipeline.normalize.books.tree import read_book
from build_pipeline.normalize.merging.documents import CC_BY, DocumentMeta
from build_pipeline.snapshot.raw import RawLayer

_LEGAL: Final = "Legal Information"
_NAME: Final = re.compile(r"System Reference Document \d+(?:\.\d+)*")
_GAME_SYSTEMS: Final = {"srd-2014": "5e-2014", "srd-2024": "5e-2024"}


def srd_documents(raw: RawLayer, _known: Mapping[str, DocumentMeta]) -> dict[str, DocumentMeta]:
    """The books whose legal page quotes the credit to give."""
    found = {}
    for book in BOOKS:
        legal = next((part.text for part in read_book(raw, book) if part.title == _LEGAL), "")
        quote = QUOTE.search(legal)
        credit = " ".join(re.sub(r"(?m)^>|[<>]", "", quote[0]).split()) if quote else ""
        if name := _NAME.search(credit):
            found[book] = DocumentMeta(
                book, name[0], "Wizards of the Coast", CC_BY, _GAME_SYSTEMS[book], attribution=credit
            )
    return found
