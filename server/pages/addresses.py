"""The addresses of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from collections.abc import Sequence

DOCUMENTS: Final = "/documents"


def of_entity(entity_id: str, part: str = "") -> str:
    """The page of an entity, and of it a part's anchor."""
    return f"/{quote(entity_id)}" + (f"#{part}" if part else "")


def of_document(key: str) -> str:
    """The page of a document."""
    return f"{DOCUMENTS}/{quote(key, safe='')}"


def of_search(asked: Sequence[tuple[str, str]]) -> str:
    """The page that answers a search; the start page if nothing is asked."""
    return f"/?{urlencode(asked)}" if asked else "/"
