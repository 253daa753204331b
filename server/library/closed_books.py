"""Books of the game that are not open, by the names that players use: no dataset may contain them."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from server.dataset.names import normalize_name
from server.library.closed_content import declared

_YEAR: Final = re.compile(r"20[12]4$")


def folded(entry: str) -> str:
    """A book's name without punctuation and case: "SRD 5.1" and "srd-5.1" are "srd51"."""
    return "".join(c for c in normalize_name(entry) if c.isalnum())


def is_closed(entry: str) -> bool:
    """Whether an entry of `documents` is a book that is not open, whatever its year."""
    return _YEAR.sub("", folded(entry)) in _names()


@cache
def _names() -> frozenset[str]:
    listed = declared()
    others = (name for names in listed["also_called"].values() for name in names)
    return frozenset((*map(folded, (*listed["books"], *listed["also_called"])), *others))
