"""Homebrew files as part of a snapshot: their objects, and their findings as problems and warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from build_pipeline.snapshot.orcbrew.model import SOURCE
from build_pipeline.snapshot.orcbrew.reader import read_orcbrew
from build_pipeline.snapshot.orcbrew.registry import BookRegistry, split_key
from build_pipeline.snapshot.problems import Problem
from build_pipeline.snapshot.raw import RawLayer, RawObject


@dataclass(frozen=True, slots=True)
class Homebrew:
    """The content of OrcBrew files.

    Attributes:
        objects: the entities; the snapshot stamps them with its own time.
        problems: what could not be read.
        warnings: what was read but is doubtful.
    """

    objects: Sequence[RawObject] = ()
    problems: Sequence[Problem] = ()
    warnings: Sequence[Problem] = ()


def read_homebrew(paths: Sequence[Path], *, fetched_at: str = "", registry: BookRegistry | None = None) -> Homebrew:
    """The objects and findings of OrcBrew files, folders and globs.

    Raises:
        OrcbrewError: a path matches no file.
    """
    result = read_orcbrew(paths, fetched_at=fetched_at, registry=registry)
    problems: list[Problem] = []
    warnings: list[Problem] = []
    for finding in result.findings:
        raw = "/".join(part for part in (SOURCE, finding.kind, finding.key) if part)
        group = problems if finding.severity == "damage" else warnings
        # Only the name, as in the raw layer: a dataset must not depend on the folder of its files.
        page = f"{Path(finding.file).name}:{finding.line}:{finding.column}"
        group.append(Problem(raw, finding.message, page))
    return Homebrew(result.objects, problems, warnings)


def add_homebrew(raw: RawLayer, paths: Sequence[Path]) -> None:
    """Add OrcBrew files, with their problems and warnings, to a snapshot.

    A book that the snapshot already has is replaced, and so are the problems and warnings of its file.

    Raises:
        OrcbrewError: a path matches no file.
    """
    if not paths:
        return
    registry = BookRegistry(raw)
    homebrew = read_homebrew(paths, fetched_at=raw.info["snapshot_at"], registry=registry)
    for where, objects in list(raw.endpoints.items()):
        if where[0] == SOURCE:
            del raw.endpoints[where]
            for obj in objects.values():
                if split_key(obj)[0] not in registry.replaced:
                    raw.add(obj)
    for obj in homebrew.objects:
        raw.add(obj)
    reread = set(registry.replaced.values())
    for group, rows in (("problems", homebrew.problems), ("warnings", homebrew.warnings)):
        kept = [row for row in raw.info.get(group, []) if not (row["raw"].startswith(SOURCE) and _file(row) in reread)]
        raw.info[group] = [*kept, *(problem.as_row() for problem in rows)]


def _file(row: dict[str, str]) -> str:
    """Name of the file that a problem is in; its page is `<name>:<line>:<column>`."""
    return row.get("page", "").rsplit(":", 2)[0]
