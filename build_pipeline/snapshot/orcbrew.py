"""Homebrew: OrcBrew files → raw objects, one an entity, and a finding for everything that is wrong in the files."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from build_pipeline.normalize.documents import USUAL_NAMES, V1_DOCUMENTS, document_metadata
from build_pipeline.normalize.draft import Problems
from build_pipeline.normalize.forms import sound
from build_pipeline.snapshot.edn import EdnError
from build_pipeline.snapshot.orcbrew_fields import check_fields
from build_pipeline.snapshot.orcbrew_files import OrcbrewError, Source, decode, sources
from build_pipeline.snapshot.orcbrew_model import BrewFile, Entity, Finding, Names
from build_pipeline.snapshot.orcbrew_references import check_references
from build_pipeline.snapshot.orcbrew_shapes import read_shapes
from build_pipeline.snapshot.raw import RawLayer, RawObject, dump_json
from build_pipeline.snapshot.salvage import salvage
from build_pipeline.snapshot.transit import to_transit
from server.dataset.names import slugify

__all__ = ["RESERVED_KEYS", "OrcbrewError", "OrcbrewResult", "read_files", "read_orcbrew", "reserved_keys"]

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


@dataclass(slots=True)
class OrcbrewResult:
    """What OrcBrew files hold.

    Attributes:
        files: each file with its books, entities and findings.
        objects: one raw object an entity, in the order of the files.
    """

    files: list[BrewFile] = field(default_factory=list)
    objects: list[RawObject] = field(default_factory=list)

    @property
    def findings(self) -> list[Finding]:
        """Every finding of every file."""
        return [finding for file in self.files for finding in file.findings]


def read_orcbrew(
    paths: Sequence[Path | str | Source], *, fetched_at: str = "", reserved: Collection[str] = RESERVED_KEYS
) -> OrcbrewResult:
    """Read OrcBrew files as raw objects.

    Args:
        paths: files, folders, globs or zip archives; or files that were read already.
        fetched_at: ISO time to record.
        reserved: document keys that homebrew may not take.

    Raises:
        OrcbrewError: a path leads to nothing. Content is never a reason to raise: see the findings.
    """
    files = read_files(paths, reserved=reserved)
    result = OrcbrewResult(files)
    taken: set[tuple[str, str]] = set()
    for file in files:
        for entity in file.entities:
            obj = _raw(file, entity, fetched_at)
            # Kinds that no app knows may become equal by their slugs.
            if (obj.endpoint, obj.key) in taken:
                file.warn_of(entity, entity.at, "another entity has the same kind, book and key; it is left out")
                continue
            taken.add((obj.endpoint, obj.key))
            result.objects.append(obj)
    return result


def reserved_keys(raw: RawLayer) -> frozenset[str]:
    """`RESERVED_KEYS`, and the keys and aliases of every document that a snapshot has, its homebrew included."""
    readable = sound(raw, Problems())  # what is not sound becomes a problem when it is normalised
    documents = document_metadata(readable).values()
    homebrew = (obj.data["document_key"] for obj in readable if obj.source == "orcbrew")
    return RESERVED_KEYS.union(homebrew, *(map(slugify, (meta.key, *meta.aliases)) for meta in documents))


def read_files(paths: Sequence[Path | str | Source], *, reserved: Collection[str] = RESERVED_KEYS) -> list[BrewFile]:
    """Read OrcBrew files as books and entities with findings.

    Raises:
        OrcbrewError: a path leads to nothing.
    """
    files = [decode(source) for source in sources(paths)]
    names = Names(reserved, "-")
    for file in files:
        if file.damaged:  # there is nothing to read in it
            continue
        try:
            read_shapes(file)
        except EdnError as error:
            salvage(file, error)
        filled = {entity.book for entity in file.entities}
        for book in file.books:
            if book in filled:
                slug = slugify(book.name) or "homebrew"
                book.document_key = names.take(slug)
                if book.document_key != slug:
                    message = f"the document of this book is {book.document_key}: its own name is taken"
                    file.warn(book.at, message, book=book)
        for entity in file.entities:
            check_fields(file, entity)
    check_references(files)
    return files


def _raw(file: BrewFile, entity: Entity, fetched_at: str) -> RawObject:
    """The raw object of an entity: where it stands, and its fields as Transit JSON, which loses nothing of EDN."""
    line, column = file.lines.at(entity.at)
    text = dump_json(
        {
            "book": entity.book.name,
            "document_key": entity.book.document_key,
            "option_pack": entity.option_pack,
            "disabled": entity.disabled,
            "file": file.name,
            "line": line,
            "column": column,
            "item": to_transit(entity.item),
        }
    )
    key = f"{entity.book.document_key}/{entity.key}"
    return RawObject("orcbrew", slugify(entity.kind) or "other", key, file.name, fetched_at, text)
