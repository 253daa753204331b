"""OrcBrew files → raw objects, one per entity, and a finding for everything wrong with the files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from build_pipeline.snapshot.orcbrew.edn import EdnError
from build_pipeline.snapshot.orcbrew.edn_values import same
from build_pipeline.snapshot.orcbrew.fields import check_fields
from build_pipeline.snapshot.orcbrew.files import OrcbrewError, Source, decode, sources
from build_pipeline.snapshot.orcbrew.model import SOURCE, Book, BrewFile, Entity, Finding
from build_pipeline.snapshot.orcbrew.references import check_references
from build_pipeline.snapshot.orcbrew.registry import BookRegistry, endpoint
from build_pipeline.snapshot.orcbrew.salvage import salvage
from build_pipeline.snapshot.orcbrew.shapes import read_shapes
from build_pipeline.snapshot.orcbrew.transit import to_transit
from build_pipeline.snapshot.raw import RawObject
from server.dataset.strict_json import dump_json

__all__ = ["OrcbrewError", "OrcbrewResult", "read_files", "read_orcbrew"]


@dataclass(slots=True)
class OrcbrewResult:
    """Contents of OrcBrew files.

    Attributes:
        files: each file with its books, entities and findings.
        objects: one raw object per entity, in file order.
    """

    files: list[BrewFile] = field(default_factory=list)
    objects: list[RawObject] = field(default_factory=list)

    @property
    def findings(self) -> list[Finding]:
        """Every finding of every file."""
        return [finding for file in self.files for finding in file.findings]


def read_orcbrew(
    paths: Sequence[Path | str | Source], *, fetched_at: str = "", registry: BookRegistry | None = None
) -> OrcbrewResult:
    """Read OrcBrew files as raw objects.

    Args:
        paths: files, folders, globs or zip archives; or files already in memory.
        fetched_at: ISO time to record.
        registry: books read before.

    Raises:
        OrcbrewError: a path matches no file. Bad content never raises; it becomes findings.
    """
    files = read_files(paths, registry=registry)
    result = OrcbrewResult(files)
    taken: dict[tuple[str, str], Entity] = {}
    for file in files:
        for entity in file.entities:
            obj = _raw(file, entity, fetched_at)
            first = taken.setdefault((obj.endpoint, obj.key), entity)
            if first is entity:
                result.objects.append(obj)
            elif not same(first.item, entity.item):
                # Two unknown kinds may have the same slug.
                file.warn_of(entity, entity.at, "another entity has the same kind, book and key; it is left out")
    return result


def read_files(paths: Sequence[Path | str | Source], *, registry: BookRegistry | None = None) -> list[BrewFile]:
    """Read OrcBrew files as books and entities with findings.

    Raises:
        OrcbrewError: a path matches no file.
    """
    files = [decode(source) for source in sources(paths)]
    registry = registry or BookRegistry()
    for file in files:
        if file.damaged:  # not EDN at all
            continue
        try:
            read_shapes(file)
        except EdnError as error:
            salvage(file, error)
        by_book: dict[Book, list[Entity]] = defaultdict(list)
        for entity in file.entities:
            by_book[entity.book].append(entity)
        for book in file.books:
            if book in by_book:
                registry.register(file, book, by_book[book])
        for entity in file.entities:
            check_fields(file, entity)
        if not (file.entities or file.damaged):
            file.damage(0, "the file has no content")
    check_references(files)
    return files


def _raw(file: BrewFile, entity: Entity, fetched_at: str) -> RawObject:
    """The raw object of an entity: its position, and its fields as Transit JSON, a lossless form of EDN."""
    line, column = file.lines.at(entity.at)
    text = dump_json(
        {
            "book": entity.book.name,
            "option_pack": entity.option_pack,
            "disabled": entity.disabled,
            "file": file.name,
            "line": line,
            "column": column,
            "item": to_transit(entity.item),
        }
    )
    return RawObject(SOURCE, endpoint(entity), f"{entity.book.slug}/{entity.key}", file.name, fetched_at, text)
