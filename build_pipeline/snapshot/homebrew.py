"""Homebrew files as a part of a snapshot: their objects, and what is wrong in them as problems."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from build_pipeline.snapshot.orcbrew import RESERVED_KEYS, read_orcbrew
from build_pipeline.snapshot.problems import Problem
from build_pipeline.snapshot.raw import RawObject


@dataclass(frozen=True, slots=True)
class Homebrew:
    """What was read from OrcBrew files.

    Attributes:
        objects: the entities. They get the snapshot's time.
        problems: what could not be read.
        warnings: what was read and is doubtful.
    """

    objects: Sequence[RawObject] = ()
    problems: Sequence[Problem] = ()
    warnings: Sequence[Problem] = ()


def read_homebrew(
    paths: Sequence[Path], *, fetched_at: str = "", reserved: Collection[str] = RESERVED_KEYS
) -> Homebrew:
    """The objects and findings of OrcBrew files, folders and globs.

    Raises:
        OrcbrewError: a path leads to nothing.
    """
    result = read_orcbrew(paths, fetched_at=fetched_at, reserved=reserved)
    problems: list[Problem] = []
    warnings: list[Problem] = []
    for finding in result.findings:
        raw = "/".join(part for part in ("orcbrew", finding.kind, finding.key) if part)
        group = problems if finding.severity == "damage" else warnings
        group.append(Problem(raw, finding.message, f"{finding.file}:{finding.line}:{finding.column}"))
    return Homebrew(result.objects, problems, warnings)
