"""Homebrew books as documents: each gets a document key that no other document of the dataset has."""

from __future__ import annotations

from typing import Final

from build_pipeline.normalize.merging.documents import (
    USUAL_NAMES,
    V1_DOCUMENTS,
    describe_documents,
    dnd5e_documents,
    v1_documents,
    v2_documents,
)
from build_pipeline.snapshot.orcbrew.model import SOURCE, UniqueNames
from build_pipeline.snapshot.orcbrew.registry import plain_slug, split_key
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import slugify

_GAME_SYSTEMS: Final = ("5e-2014", "5e-2024", "a5e")
_V2_ONLY: Final = (
    "a5e-ag", "a5e-ddg", "a5e-gpg", "core", "elderberry-inn-icons", "open5e-2024", "spells-that-dont-suck", "srd-2024",
)  # fmt: skip
RESERVED_KEYS: Final = frozenset(
    map(
        slugify,
        (
            *V1_DOCUMENTS,
            *V1_DOCUMENTS.values(),
            *_V2_ONLY,
            *(name for names in USUAL_NAMES.values() for name in names),
            *_GAME_SYSTEMS,
        ),
    )
)
"""Keys and aliases of the APIs' documents, and the game systems; no homebrew document may take one.

They are reserved whether or not a snapshot has those documents, so that a book's key does not depend on that.
"""


def document_keys(raw: RawLayer) -> dict[str, str]:
    """The document key of each homebrew book, by its slug in the raw layer.

    The key is the slug of the book's name, with the first free number if that is taken: of two books called "Ash", the
    one read first gets `ash` and the other `ash-2`; a book called "SRD" gets `srd-2`.
    """
    names = {split_key(obj)[0]: str(obj.data["book"]) for obj in raw if obj.source == SOURCE}
    documents = describe_documents(raw, (v2_documents, v1_documents, dnd5e_documents)).values()
    keys = UniqueNames(RESERVED_KEYS.union(*(map(slugify, (meta.key, *meta.aliases)) for meta in documents)), "-")
    # The raw layer numbers the later of two equal slugs, so the shorter one was read first.
    in_order = sorted(names, key=lambda slug: (len(slug), slug))
    return {slug: keys.take(plain_slug(names[slug])) for slug in in_order}
