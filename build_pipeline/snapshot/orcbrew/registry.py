"""The homebrew books of a raw layer. Each has a unique slug, the prefix of its entities' raw keys."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from build_pipeline.snapshot.orcbrew.edn_values import same
from build_pipeline.snapshot.orcbrew.model import SOURCE, Book, BrewFile, Entity, UniqueNames
from build_pipeline.snapshot.orcbrew.transit import to_transit
from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.names import slugify, telling_slug

UNNAMED_SLUG: Final = "homebrew"
"""The slug, or its beginning, of a book whose name has no characters that a slug keeps."""

Contents = dict[tuple[str, str], Any]
"""(Endpoint, key) of a book's entities → their fields as Transit JSON."""


@dataclass(slots=True, eq=False)
class KnownBook:
    """A book of the raw layer.

    Attributes:
        slug: prefix of its entities' raw keys.
        file: name of its file.
        contents: its entities.
        of_snapshot: whether it comes from the snapshot and was not (yet) given again.
    """

    slug: str
    file: str
    contents: Contents
    of_snapshot: bool = False


class BookRegistry:
    """The books read so far, a snapshot's included.

    A book that has the name of one of the snapshot's, and the same content or a file of the same name, is that book
    given again: it keeps the slug and replaces the snapshot's.

    Attributes:
        replaced: slug of each replaced book → name of the file that the snapshot had it from.
    """

    def __init__(self, raw: RawLayer | None = None) -> None:
        self.replaced: dict[str, str] = {}
        self._books: dict[str, list[KnownBook]] = defaultdict(list)
        of_snapshot: dict[str, KnownBook] = {}
        for obj in () if raw is None else raw:
            if obj.source == SOURCE:
                slug, key = split_key(obj)
                known = of_snapshot.setdefault(slug, KnownBook(slug, obj.url, {}, of_snapshot=True))
                match obj.data:  # malformed objects become problems when they are normalised
                    case {"book": str(name), "item": item}:
                        known.contents[obj.endpoint, key] = item
                        if known not in self._books[name]:
                            self._books[name].append(known)
        self._slugs = UniqueNames(of_snapshot, "-")

    def register(self, file: BrewFile, book: Book, entities: Sequence[Entity]) -> None:
        """Give a book its slug, and warn if there already is a book of its name."""
        contents = {(endpoint(entity), entity.key): to_transit(entity.item) for entity in entities}
        namesakes = self._books[book.name]
        known = next((other for other in namesakes if same(other.contents, contents)), None) or next(
            (other for other in namesakes if other.of_snapshot and other.file == file.name), None
        )
        if known is None:
            if namesakes:
                message = f"{namesakes[0].file} has another book of this name; both are kept"
                file.warn(book.at, message, book=book)
            book.slug = self._slugs.take(plain_slug(book.name))
            namesakes.append(KnownBook(book.slug, file.name, contents))
            return
        book.slug = known.slug
        if known.of_snapshot:
            known.of_snapshot, known.contents = False, contents
            self.replaced[known.slug] = known.file
        else:
            file.warn(book.at, f"{known.file} has the same book with the same content; it is read once", book=book)


def plain_slug(name: str) -> str:
    """The slug of a book's name; not unique."""
    return telling_slug(name) if slugify(name) else f"{UNNAMED_SLUG}-{telling_slug(name)}".rstrip("-")


def split_key(obj: RawObject) -> tuple[str, str]:
    """Split the key of a homebrew object into its book's slug and its own key."""
    slug, _, key = obj.key.partition("/")
    return slug, key


def endpoint(entity: Entity) -> str:
    """The endpoint of the raw layer that holds an entity."""
    return slugify(entity.kind) or "other"
