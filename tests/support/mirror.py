"""Releases of the tiny dataset as a publisher offers them, and a web server that can be made to fail."""

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import polars as pl

from build_pipeline.release.archive import write_archive
from server.dataset.listing import LISTING_FILE, LISTING_FORMAT, Artifact, archive_name, archive_root
from server.dataset.manifest import MANIFEST_FILE, file_sha256
from server.dataset.schema import SCHEMA_VERSION, SPELLS
from server.store.pull import PullProgress

Change = Callable[[pl.DataFrame], pl.DataFrame]

OLD, NEW = "2026.11.20", "2026.12.01"

SILENT = PullProgress(stage=lambda _: None, transferred=lambda _done, _total: None)


def edition(original: Path, folder: Path, version: str, change: Change = lambda spells: spells) -> Path:
    """The tiny dataset under another version, which is named in its spells' descriptions and a school of magic."""
    shutil.copytree(original, folder)
    spells = pl.read_parquet(folder / SPELLS.file).with_columns(
        description=pl.lit(f"As of {version}."),
        school=pl.when(pl.col("name") == "Shield").then(pl.lit(f"school of {version}")).otherwise("school"),
    )
    change(spells).write_parquet(folder / SPELLS.file)
    manifest = json.loads((folder / MANIFEST_FILE).read_text(encoding="utf-8"))
    manifest["dataset_version"] = version
    manifest["files"][SPELLS.file] |= {
        "sha256": file_sha256(folder / SPELLS.file),
        "bytes": (folder / SPELLS.file).stat().st_size,
    }
    (folder / MANIFEST_FILE).write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def pack(dataset: Path, out: Path, version: str) -> tuple[Path, Artifact]:
    """The archive of a dataset, and its entry in the listing."""
    files = {
        f"{archive_root(version)}/{path.relative_to(dataset).as_posix()}": path
        for path in dataset.rglob("*")
        if path.is_file()
    }
    archive = out / archive_name(version)
    return archive, write_archive(archive, files, 0)


def release(artifact: Artifact, version: str, schema: int = SCHEMA_VERSION) -> dict[str, Any]:
    time = "2026-11-20T00:00:00Z"
    about = {"content_hash": "0" * 64, "built_at": time, "snapshot_at": time, "counts": {}}
    return {"dataset_version": version, "schema_version": schema, "archive": artifact, "raw": artifact, **about}


@dataclass
class Mirror:
    """A folder on the web.

    Attributes:
        folder: what it serves.
        url: of the folder.
        asked: path and `Range` header of every request.
        cuts: bytes after which the next answers break off, one each.
        statuses: with which the next requests for an archive are turned away.
        listing_statuses: the same for the listing.
        retry_after: the `Retry-After` header of those answers.
        knows_ranges: whether it resumes.
    """

    folder: Path
    url: str = ""
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    listing_statuses: list[int] = field(default_factory=list)
    retry_after: str | None = None
    knows_ranges: bool = True

    @property
    def listing(self) -> str:
        return f"{self.url}/{LISTING_FILE}"

    def publish(self, *releases: dict[str, Any]) -> None:
        """Write the listing."""
        available: dict[str, list[Any]] = {}
        for entry in releases:
            available.setdefault(str(entry["schema_version"]), []).append(entry)
        text = json.dumps({"format": LISTING_FORMAT, "available": available})
        (self.folder / LISTING_FILE).write_text(text, encoding="utf-8")

    def fetched(self, version: str) -> list[str | None]:
        """The `Range` headers with which a version's archive was asked for."""
        return [asked for path, asked in self.asked if path == f"/{archive_name(version)}"]


@contextmanager
def mirroring(folder: Path) -> Iterator[Mirror]:
    """Serve a folder on a free port of this machine."""
    mirror = Mirror(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers["Range"]
            mirror.asked.append((self.path, wanted))
            file = mirror.folder / self.path.lstrip("/")
            statuses = mirror.statuses if file.suffix == ".zst" else mirror.listing_statuses
            if statuses:
                self.send_response(statuses.pop(0))
                if mirror.retry_after is not None:
                    self.send_header("Retry-After", mirror.retry_after)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            if not file.is_file():
                self.send_error(404)
                return
            body = file.read_bytes()
            start = 0
            if wanted and mirror.knows_ranges:
                start = int(re.fullmatch(r"bytes=(\d+)-", wanted)[1])
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
            else:
                self.send_response(200)
            self.send_header("Content-Length", str(len(body) - start))
            self.end_headers()
            end = start + mirror.cuts.pop(0) if mirror.cuts and file.suffix == ".zst" else len(body)
            self.wfile.write(body[start:end])

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the base class names it
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    mirror.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield mirror
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
