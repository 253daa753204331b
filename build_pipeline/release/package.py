"""A dataset's folder → all files of a release, in one folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from build_pipeline.evaluation.evaluate import Judged
from build_pipeline.expected import ExpectedError
from build_pipeline.release.allowed import AllowList, check_allowed
from build_pipeline.release.archive import write_archive
from build_pipeline.release.comparison.changes import as_markdown
from build_pipeline.release.comparison.compare import DatasetDiff
from build_pipeline.release.comparison.retrieval import compare_with_search
from build_pipeline.release.contents import Contents
from build_pipeline.release.forms import write_forms
from build_pipeline.release.manifest import RAW_FOLDER
from build_pipeline.release.report.page import REPORT_FILE
from build_pipeline.release.templates import render
from build_pipeline.release.wheel import write_wheel
from build_pipeline.snapshot.raw import SNAPSHOT_FILE
from build_pipeline.text_files import write_json, write_text
from server.dataset.files import NOTICE_FILE
from server.dataset.listing import (
    CHECKSUMS_FILE,
    LISTING_FILE,
    LISTING_FORMAT,
    Artifact,
    Listing,
    Release,
    archive_name,
    archive_root,
    newest_first,
    raw_archive_name,
    read_listing,
)
from server.dataset.manifest import MANIFEST_FILE, Manifest, file_sha256, read_manifest
from server.dataset.verify import verify

NOTES_FILE: Final = "RELEASE_NOTES.md"
_NOTED: Final = 20
"""Maximum number of changes listed in the notes per document and type; the report has all."""

Progress = Callable[[str], None]
"""Progress callback: the name of the step."""


class PackageError(ExpectedError):
    """The dataset cannot be released; the message says why."""


@dataclass(frozen=True, slots=True)
class Packaged:
    """The result: the listing's entry, the comparison with the previous version, the files."""

    release: Release
    comparison: DatasetDiff | None
    files: list[Path]


def package(
    dataset: Path,
    out: Path,
    *,
    allowed: AllowList,
    previous: Path | None = None,
    judged: Judged | None = None,
    listing: Path | None = None,
    base_url: str = "",
    progress: Progress = lambda _: None,
) -> Packaged:
    """Make the archives, the wheel, the other forms, the notes, the listing and the checksums of a dataset.

    Args:
        dataset: the dataset's folder.
        out: folder of the release; a listing there is extended.
        allowed: the documents that may be published.
        previous: the previous dataset, for the notes.
        judged: judged queries, to compare search in both for the notes.
        listing: an earlier `listing.json` to extend, if not in `out`.
        base_url: where the files will be published, with `{version}` for the version; empty if next to the listing.
        progress: called with the name of each step.

    Raises:
        PackageError: the dataset is damaged or has no raw layer.
        AllowListError, DatasetError, WheelError: what is wrong.
    """
    progress("checking the dataset")
    manifest = read_manifest(dataset)
    if problems := verify(dataset):
        msg = f"{dataset} cannot be released: {'; '.join(problems)}"
        raise PackageError(msg)
    check_allowed(Contents.of(dataset).documents, allowed)
    version, modified = manifest["dataset_version"], _seconds(manifest["built_at"])
    files = {name: dataset / name for name in (MANIFEST_FILE, *manifest["files"])}
    raw = _raw_files(dataset)
    out.mkdir(parents=True, exist_ok=True)

    progress("packing the dataset")
    archive = write_archive(out / archive_name(version), _below(version, files), modified)
    progress("packing the raw layer")
    raw_archive = write_archive(out / raw_archive_name(version), _below(version, raw), modified)
    progress("building the wheel")
    wheel = write_wheel(out, files, version, modified)
    progress("writing SQLite, JSON lines and CSV")
    write_forms(dataset, out, version, modified)

    progress("writing notes, listing and checksums")
    comparison = compare_with_search(previous, dataset, judged) if previous is not None else None
    release = _release(manifest, _at(archive, base_url, version), _at(raw_archive, base_url, version))
    write_text(out / NOTES_FILE, _notes(manifest, comparison, wheel))
    for name in (NOTICE_FILE, REPORT_FILE, MANIFEST_FILE):
        shutil.copyfile(dataset / name, out / name)
    _write_listing(out / LISTING_FILE, listing or out / LISTING_FILE, release)
    return Packaged(release, comparison, _write_checksums(out))


def _seconds(time: str) -> int:
    return int(datetime.fromisoformat(time).timestamp())


def _raw_files(dataset: Path) -> dict[str, Path]:
    paths = [dataset / SNAPSHOT_FILE, *(dataset / RAW_FOLDER).rglob("*.parquet")]
    if len(paths) == 1:
        msg = f"{dataset} has no raw layer; rebuild it to release it"
        raise PackageError(msg)
    return {path.relative_to(dataset).as_posix(): path for path in paths}


def _below(version: str, files: dict[str, Path]) -> dict[str, Path]:
    return {f"{archive_root(version)}/{name}": path for name, path in files.items()}


def _at(artifact: Artifact, base_url: str, version: str) -> Artifact:
    if not base_url:
        return artifact
    return {**artifact, "url": f"{base_url.rstrip('/').replace('{version}', version)}/{artifact['url']}"}


def _release(manifest: Manifest, archive: Artifact, raw: Artifact) -> Release:
    counts = manifest["counts"]
    return Release(
        dataset_version=manifest["dataset_version"],
        schema_version=manifest["schema_version"],
        content_hash=manifest["content_hash"],
        built_at=manifest["built_at"],
        snapshot_at=manifest["snapshot_at"],
        counts={
            "entities": counts["entities"],
            "documents": len(counts["by_document"]),
            "by_type": counts["by_type"],
        },
        archive=archive,
        raw=raw,
    )


def _notes(manifest: Manifest, comparison: DatasetDiff | None, wheel: Path) -> str:
    return render(
        "notes.md.j2",
        manifest=manifest,
        comparison=comparison,
        changes=as_markdown(comparison, _NOTED) if comparison else "",
        wheel=wheel.name,
    )


def _write_listing(path: Path, before: Path, release: Release) -> None:
    """Add a release to a listing, replacing an entry of the same version."""
    listing = read_listing(before.read_bytes()) if before.is_file() else Listing(format=LISTING_FORMAT, available={})
    available = {
        schema: [r for r in found if r["dataset_version"] != release["dataset_version"]]
        for schema, found in listing["available"].items()
    }
    schema = str(release["schema_version"])
    available[schema] = newest_first([*available.get(schema, []), release])
    ordered = {schema: available[schema] for schema in sorted(available, key=int, reverse=True) if available[schema]}
    write_json(path, Listing(format=LISTING_FORMAT, available=ordered))


def _write_checksums(out: Path) -> list[Path]:
    """Write SHA256SUMS of all files in a folder; returns the files, the checksums last."""
    checksums = out / CHECKSUMS_FILE
    files = sorted(path for path in out.iterdir() if path.is_file() and path != checksums)
    lines = [f"{file_sha256(path)}  {path.name}\n" for path in files]
    write_text(checksums, "".join(lines))
    return [*files, checksums]
