"""The addresses of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from collections.abc import Sequence

DOCUMENTS: Final = "/documents"


def of_entity(entity_id: str, part: str = "") -> str:
    """The page of an entity, with the anchor of a part if one is given."""
    return f"/{quote(entity_id)}" + (f"#{part}" if part else "")


def of_document(key: str) -> str:
    """The page of a document."""
    return f"{DOCUMENTS}/{quote(key, safe='')}"


def of_search(asked: Sequence[tuple[str, str]]) -> str:
    """The page that answers a search; the start page for an empty search."""
    return f"/?{urlencode(asked)}" if asked else "/"
