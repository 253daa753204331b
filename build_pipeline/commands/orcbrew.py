"""`lorekeeper-build orcbrew`: check homebrew files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from cyclopts import App, Parameter

from build_pipeline.commands.terminal import EXIT_FAILED, Json
from build_pipeline.normalize.homebrew.document_keys import document_keys
from build_pipeline.snapshot.orcbrew.model import BrewFile, Entity, Finding
from build_pipeline.snapshot.orcbrew.reader import read_orcbrew
from build_pipeline.snapshot.orcbrew.registry import plain_slug
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.terminal import write, write_json

app: Final = App(name="orcbrew", help="Check homebrew files.")

_CONTEXT: Final = 30
"""Characters of context shown on each side of a position: many files are one long line."""


@app.command
def check(
    files: Annotated[tuple[Path, ...], Parameter(name="FILE", negative="")],
    /,
    *,
    as_json: Json = False,
) -> int:
    """Read OrcBrew files, and list their contents and everything wrong with them, with line and column.

    Exit codes: 0 everything was read (there may be warnings), 1 something is damaged and was left out, 2 wrong usage.

    Parameters
    ----------
    files
        .orcbrew files, folders or zip archives of them, or globs.
    as_json
        Print a list with one object per file: file, books, entities {kind: [key]}, findings [{line, column, kind, key,
        message}]; a message begins with "damage: " or "warning: ".
    """
    result = read_orcbrew(files)
    checked, keys = result.files, document_keys(RawLayer.of(result.objects))
    for file in checked:
        _warn_of_taken_keys(file, keys)
    if as_json:
        write_json([_as_json(file) for file in checked], indent=1)
    else:
        write("".join(f"{line}\n" for file in checked for line in _as_text(file, keys)))
    return EXIT_FAILED if any(file.damaged for file in checked) else 0


def _warn_of_taken_keys(file: BrewFile, keys: Mapping[str, str]) -> None:
    """Warn of each book whose document key is not the slug of its name."""
    for book in file.books:
        key = keys.get(book.slug)
        if key is not None and key != plain_slug(book.name):
            file.warn(book.at, f"the document key of this book is {key}, because its own name is taken", book=book)


def _as_json(file: BrewFile) -> dict[str, Any]:
    return {
        "file": file.label,
        "books": [book.name for book in file.books],
        "entities": {kind: [e.key for e in of_kind] for kind, of_kind in _by_kind(file.entities).items()},
        "findings": [
            {
                "line": finding.line,
                "column": finding.column,
                "kind": finding.kind,
                "key": finding.key,
                "message": f"{finding.severity}: {finding.message}",
            }
            for finding in file.findings
        ],
    }


def _by_kind(entities: Iterable[Entity]) -> dict[str, list[Entity]]:
    by_kind: dict[str, list[Entity]] = {}
    for entity in entities:
        by_kind.setdefault(entity.kind, []).append(entity)
    return by_kind


def _as_text(file: BrewFile, keys: Mapping[str, str]) -> Iterator[str]:
    """A summary, then one line per finding in the style of compilers, with an excerpt of the file below each damage."""
    counts = ", ".join(f"{len(of_kind)} {kind}" for kind, of_kind in _by_kind(file.entities).items())
    yield f"{file.label}: {counts or 'nothing to read'}"
    books = [f"{book.name} ({keys.get(book.slug, 'empty')})" for book in file.books]
    if books:
        yield f"  books: {', '.join(books)}"
    disabled = sum(entity.disabled for entity in file.entities)
    if disabled:
        yield f"  switched off in OrcPub: {disabled}; they are imported, with a note"
    for finding in file.findings:
        about = f" [{'/'.join(filter(None, (finding.book, finding.kind, finding.key)))}]" if finding.kind else ""
        yield f"{file.label}:{finding.line}:{finding.column}: {finding.severity}: {finding.message}{about}"
        if finding.severity == "damage":
            yield f"    {_around(file, finding)}"


def _around(file: BrewFile, finding: Finding) -> str:
    """The text around a finding on one line, with the position marked."""
    offset = file.lines.offset(finding.line, finding.column)
    before, after = file.text[max(0, offset - _CONTEXT) : offset], file.text[offset : offset + _CONTEXT]
    return " ".join(f"{before}⟦here⟧{after}".split())
