"""The raw layer: every object exactly as received, on disk and in memory.

On disk a snapshot is a folder with `snapshot.json` and `raw/<source>/<endpoint>.parquet`, one row per object. A
raw layer can also be written by hand, as `raw/<source>/<endpoint>.jsonl` with one object per line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import pyarrow as pa
import pyarrow.parquet as pq

from build_pipeline.expected import ExpectedError
from build_pipeline.snapshot.accounts import account, discrepancies, read_info
from build_pipeline.snapshot.endpoints import Endpoint
from build_pipeline.snapshot.swap import finish_swap
from build_pipeline.text_files import numbered_lines
from server.dataset.manifest import NOTICE_CHARS
from server.dataset.strict_json import read_json

JsonObject = dict[str, Any]
"""An object of an API, as parsed."""

SNAPSHOT_FILE: Final = "snapshot.json"

RAW_SCHEMA: Final = pa.schema(
    [
        pa.field("key", pa.string(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
        pa.field("fetched_at", pa.string(), nullable=False),
        pa.field("sha256", pa.string(), nullable=False),
        pa.field("json", pa.string(), nullable=False),
    ]
)


class RawError(ExpectedError):
    """The raw layer on disk is unreadable; the message names the file and what is wrong."""


@dataclass(frozen=True)
class RawObject:
    """One object as received.

    Attributes:
        source: name of the source.
        endpoint: the endpoint's name; for homebrew, the kind of content.
        key: its key within the endpoint.
        url: its URL; for homebrew, the file name.
        fetched_at: ISO time in UTC.
        text: the JSON text, byte for byte.
    """

    source: str
    endpoint: str
    key: str
    url: str
    fetched_at: str
    text: str

    @property
    def id(self) -> str:
        """`<source>/<endpoint>/<key>`, unique in a snapshot; provenance refers to it."""
        return f"{self.source}/{self.endpoint}/{self.key}"

    @cached_property
    def data(self) -> JsonObject:
        """The parsed object. Callers must not change it."""
        parsed: JsonObject = read_json(self.text)
        return parsed

    @property
    def sha256(self) -> str:
        """The hash of the text, including lone surrogates, which strict UTF-8 cannot encode."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass
class RawLayer:
    """All raw objects of a snapshot: `layer["open5e_v2", "spells"]` maps key → object, in the order received."""

    endpoints: dict[tuple[str, str], dict[str, RawObject]] = field(default_factory=dict)
    info: JsonObject = field(default_factory=dict)
    """Content of `snapshot.json`: times, base URLs, problems, and a notice for the dataset to show (`notice`)."""

    @classmethod
    def of(cls, objects: Iterable[RawObject], **info: Any) -> Self:
        """A layer of the given objects.

        Raises:
            RawError: two objects of one endpoint have the same key.
        """
        layer = cls(info=info)
        for obj in objects:
            layer.add(obj)
        return layer

    def __getitem__(self, where: tuple[str, str]) -> Mapping[str, RawObject]:
        """The objects of (source, endpoint); empty if the snapshot has none."""
        return self.endpoints.get(where, {})

    def __iter__(self) -> Iterator[RawObject]:
        for objects in self.endpoints.values():
            yield from objects.values()

    def hashes(self) -> dict[tuple[str, str], dict[str, str]]:
        """(source, endpoint) → key → SHA-256 of the object's text."""
        return {where: {o.key: o.sha256 for o in objects.values()} for where, objects in self.endpoints.items()}

    def add(self, obj: RawObject) -> None:
        """Add an object.

        Raises:
            RawError: the endpoint already has an object of that key.
        """
        objects = self.endpoints.setdefault((obj.source, obj.endpoint), {})
        if obj.key in objects:
            msg = f"{obj.id}: the key occurs twice in one endpoint"
            raise RawError(msg)
        objects[obj.key] = obj


def recounted(layer: RawLayer) -> JsonObject:
    """The layer's `snapshot.json`, with new accounts: objects may have been added since it was taken."""
    hashes = layer.hashes()
    sources = {str(row["source"]): {**row, "endpoints": {}} for row in layer.info.get("sources", ())}
    for (source, endpoint), objects in sorted(hashes.items()):
        sources.setdefault(source, {"source": source, "endpoints": {}})["endpoints"][endpoint] = account(objects)
    return {**layer.info, "sources": list(sources.values())}


def write_endpoint(folder: Path, source: str, endpoint: str, objects: list[RawObject]) -> Path:
    """Write one endpoint's objects to `<folder>/raw/<source>/<endpoint>.parquet`; returns the path."""
    path = folder / "raw" / source / f"{endpoint}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {"key": o.key, "url": o.url, "fetched_at": o.fetched_at, "sha256": o.sha256, "json": o.text} for o in objects
    ]
    temporary = path.with_suffix(".tmp")
    pq.write_table(pa.Table.from_pylist(rows, RAW_SCHEMA), temporary, compression="zstd")
    temporary.replace(path)
    return path


def read_raw_layer(folder: Path, endpoints: Iterable[Endpoint] = ()) -> RawLayer:
    """Read a snapshot, or a hand-written raw layer, from a folder.

    Args:
        folder: the folder with `snapshot.json`.
        endpoints: the endpoints that may be written by hand; each says which field is an object's key.

    Raises:
        RawError: there is no snapshot, it is not what `snapshot.json` says, its notice is not a short line, a file or
            line is unreadable, or a key occurs twice.
        TextFileError: a file written by hand is unreadable.
    """
    finish_swap(folder)
    info_path = folder / SNAPSHOT_FILE
    if not info_path.is_file():
        msg = f"{folder} is not a snapshot: it has no {SNAPSHOT_FILE}; make one with `lorekeeper-build snapshot`"
        raise RawError(msg)
    layer = RawLayer(info=_read_info(info_path))
    _check_notice(info_path, layer.info)
    declared = {(endpoint.source, endpoint.name): endpoint for endpoint in endpoints}
    raw = folder / "raw"
    # Sorted, so that the dataset does not depend on the order in which files were written.
    for path in sorted(p for p in raw.rglob("*") if p.suffix in {".parquet", ".jsonl"}):
        source, *rest = path.relative_to(raw).with_suffix("").parts
        if path.suffix == ".parquet":
            objects = _read_parquet(path, source, "/".join(rest))
        else:
            objects = _read_jsonl(path, _declared(path, declared, source, "/".join(rest)), layer.info)
        for obj in objects:
            layer.add(obj)
    if problem := next(discrepancies(layer.info, layer.hashes()), None):
        msg = f"{folder}: {problem}; the snapshot is damaged or incomplete, take it again"
        raise RawError(msg)
    return layer


def _read_info(path: Path) -> JsonObject:
    try:
        return read_info(path)
    except ValueError as error:
        msg = f"{path} does not describe a snapshot ({error}); take the snapshot again"
        raise RawError(msg) from error


def _check_notice(path: Path, info: JsonObject) -> None:
    notice = info.get("notice", "none")
    if not isinstance(notice, str) or len(notice) > NOTICE_CHARS or " ".join(notice.split()) != notice or not notice:
        msg = f"{path}: the notice is {notice!r} instead of one line of at most {NOTICE_CHARS} characters"
        raise RawError(msg)


def _read_parquet(path: Path, source: str, endpoint: str) -> Iterator[RawObject]:
    try:
        rows = pq.read_table(path).select(RAW_SCHEMA.names).cast(RAW_SCHEMA).to_pylist()
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        msg = f"{path} cannot be read as a file of raw objects ({str(error).splitlines()[0]}); take the snapshot again"
        raise RawError(msg) from error
    for row in rows:
        obj = RawObject(source, endpoint, row["key"], row["url"], row["fetched_at"], row["json"])
        if obj.sha256 != row["sha256"]:
            msg = f"{path}: object {row['key']!r} does not have the recorded sha256: the file was changed"
            raise RawError(msg)
        _check_object(path, obj)
        yield obj


def _check_object(path: Path, obj: RawObject) -> None:
    try:
        reason = "" if isinstance(obj.data, dict) else f"it is a {type(obj.data).__name__}"
    except (ValueError, RecursionError) as error:
        reason = str(error)
    if reason:
        msg = f"{path}: {obj.key!r} is not a JSON object ({reason}); take the snapshot again"
        raise RawError(msg)


def _declared(path: Path, endpoints: Mapping[tuple[str, str], Endpoint], source: str, name: str) -> Endpoint:
    endpoint = endpoints.get((source, name))
    if endpoint is None:
        known = ", ".join(name for of, name in endpoints if of == source) or "no endpoint of that source"
        msg = f"{path}: {source}/{name} is not a declared endpoint; the endpoints of that source: {known}"
        raise RawError(msg)
    return endpoint


def _read_jsonl(path: Path, endpoint: Endpoint, info: JsonObject) -> Iterator[RawObject]:
    snapshot_at = str(info.get("snapshot_at", ""))
    for place, line in numbered_lines(path):
        try:
            parsed = read_json(line)
            key = str(parsed[endpoint.key])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            msg = f"{place}: not an object with {endpoint.key!r}: {error}"
            raise RawError(msg) from error
        yield RawObject(endpoint.source, endpoint.name, key, f"{endpoint.path}{key}/", snapshot_at, line)
