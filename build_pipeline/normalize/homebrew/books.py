"""Books as documents: each gets a document key of its own, and the same book always the same one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from build_pipeline.normalize.merging.documents import (
    USUAL_NAMES,
    V1_DOCUMENTS,
    describe_documents,
    dnd5e_documents,
    v1_documents,
    v2_documents,
)
from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.normalize.merging.forms import sound
from build_pipeline.snapshot.orcbrew.model import Book, BrewFile, Entity, Names
from build_pipeline.snapshot.orcbrew.transit import from_transit
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import slugify

SOURCE: Final = "orcbrew"

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
"""Keys and aliases of the APIs' documents, and the game systems: no homebrew document may take one."""

Contents = dict[tuple[str, str], Any]
"""(Endpoint, key) of a book's entities → their fields."""


@dataclass(slots=True)
class _Volume:
    """A book on the shelf; `file` is the name of the file that it came from."""

    document_key: str
    file: str
    contents: Contents
    of_snapshot: bool = False


class Shelf:
    """The books that there are, and the document keys that they have.

    A book that a snapshot has already, by its name and either its content or its file's name, keeps its document key
    when it is given again: it replaces the snapshot's, whose files are then in `replaced` by document key.
    """

    def __init__(self, raw: RawLayer | None = None) -> None:
        self.replaced: dict[str, str] = {}
        self._volumes: dict[str, list[_Volume]] = defaultdict(list)
        self._names = Names(RESERVED_KEYS if raw is None else _reserved_keys(raw), "-")
        volumes: dict[str, _Volume] = {}
        for obj in () if raw is None else sound(raw, Problems()):
            # What cannot be read becomes a problem when it is normalised.
            if obj.source == SOURCE:
                with Problems().instead_of_failing(obj):
                    document_key, book = obj.data["document_key"], obj.data["book"]
                    contents = {(obj.endpoint, obj.key.partition("/")[2]): from_transit(obj.data["item"])}
                    if document_key not in volumes:
                        volumes[document_key] = _Volume(document_key, obj.url, {}, of_snapshot=True)
                        self._volumes[book].append(volumes[document_key])
                    volumes[document_key].contents |= contents

    def place(self, file: BrewFile, book: Book, entities: Sequence[Entity]) -> None:
        """Give a book its document key, with a remark where that is not the slug of its name."""
        contents = {(endpoint(entity), entity.key): entity.item for entity in entities}
        volumes = self._volumes[book.name]
        known = next((v for v in volumes if v.contents == contents), None) or next(
            (v for v in volumes if v.of_snapshot and v.file == file.name), None
        )
        if known is None:
            slug = slugify(book.name) or "homebrew"
            book.document_key = self._names.take(slug)
            volumes.append(_Volume(book.document_key, file.name, contents))
            if book.document_key != slug:
                file.warn(
                    book.at, f"the document of this book is {book.document_key}: its own name is taken", book=book
                )
            return
        book.document_key = known.document_key
        if known.of_snapshot:
            known.of_snapshot, known.contents = False, contents
            self.replaced[known.document_key] = known.file
        else:
            file.warn(book.at, f"{known.file} has the same book with the same content; it is taken once", book=book)


def endpoint(entity: Entity) -> str:
    """The endpoint of the raw layer that holds an entity."""
    return slugify(entity.kind) or "other"


def _reserved_keys(raw: RawLayer) -> Collection[str]:
    """`RESERVED_KEYS`, and the keys and aliases of every document that a snapshot has, its homebrew included."""
    readable = sound(raw, Problems())
    documents = describe_documents(readable, (v2_documents, v1_documents, dnd5e_documents)).values()
    homebrew = (obj.data["document_key"] for obj in readable if obj.source == SOURCE)
    return RESERVED_KEYS.union(homebrew, *(map(slugify, (meta.key, *meta.aliases)) for meta in documents))
