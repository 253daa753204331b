"""Takes a snapshot: fetches every declared endpoint politely and writes it to disk as the raw layer."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from filelock import Timeout

from build_pipeline.expected import ExpectedError
from build_pipeline.snapshot.accounts import account, fallen, read_info
from build_pipeline.snapshot.endpoints import Endpoint
from build_pipeline.snapshot.orcbrew.homebrew import Homebrew
from build_pipeline.snapshot.problems import BrokenEndpointError, Problem
from build_pipeline.snapshot.raw import SNAPSHOT_FILE, RawObject, write_endpoint
from build_pipeline.snapshot.swap import finish_swap, replacing
from build_pipeline.snapshot.web.cache import CACHE_FILE
from build_pipeline.snapshot.web.harvest import Harvest, Progress, Reader
from build_pipeline.snapshot.web.http import Manners, PoliteClient
from build_pipeline.snapshot.web.origin import Origin
from build_pipeline.text_files import write_json
from build_pipeline.times import declared_time, iso_time

Objects = dict[tuple[str, str], list[RawObject]]
"""(source, endpoint) → objects."""


_ROUNDS: Final = 3
"""The maximum number of times an endpoint is read."""


class SnapshotError(ExpectedError):
    """No snapshot was taken; the message is one line for the user."""


class StrictError(SnapshotError):
    """A strict snapshot had problems, so nothing was written."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(f"{len(problems)} problem(s), and --strict allows none: nothing was written")
        self.problems = problems


class Silent:
    """Progress reporting that does nothing."""

    def page(self, source: str) -> None:
        """See `Progress`."""

    def endpoint(self, source: str, objects: int) -> None:
        """See `Progress`."""


@dataclass(frozen=True, slots=True)
class SnapshotRequest:
    """What to take a snapshot of, and where to write it.

    Attributes:
        out: the folder to write; only its `raw` folder and `snapshot.json` are touched.
        origins: the web sources to fetch, each with its base URL.
        homebrew: content read from OrcBrew files.
        strict: write nothing if there is any problem.
    """

    out: Path
    origins: Sequence[Origin]
    homebrew: Homebrew = field(default_factory=Homebrew)
    strict: bool = False


@dataclass
class Snapshot:
    """A snapshot's content.

    Attributes:
        objects: (source, endpoint) → objects, in the sources' order.
        info: the content of `snapshot.json`.
        problems: what could not be used.
        requests: number of requests sent.
    """

    objects: Objects = field(default_factory=dict)
    info: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    requests: int = 0


def snapshot(
    request: SnapshotRequest, cache_folder: Path, manners: Manners, progress: Progress | None = None
) -> Snapshot:
    """Take a snapshot and write it.

    An interruption or a lost network at any point leaves the previous snapshot; the next run fetches only what the
    cache lacks.

    Raises:
        SnapshotError: `out` contains something else or is being written, the cache cannot be used, there is no network,
            or the request is strict and there are problems.
        TimeError: SOURCE_DATE_EPOCH is not a time.
    """
    declared = declared_time()
    _check_out(request.out)
    _check_cache(cache_folder)
    try:
        harvests, requests = asyncio.run(_crawl(request, cache_folder, manners, progress or Silent()))
    except BaseExceptionGroup as group:
        expected, others = group.split((ExpectedError, OSError, sqlite3.Error))
        if expected is None or others is not None:
            raise
        first = _first(expected)
        reason = _cache_message(cache_folder, first) if isinstance(first, sqlite3.Error) else str(first)
        msg = f"{reason}; nothing was written"
        raise SnapshotError(msg) from group
    taken = Snapshot(requests=requests)
    for harvest in harvests:
        taken.objects[harvest.endpoint.source, harvest.endpoint.name] = harvest.objects
        taken.problems += harvest.problems
    snapshot_at = _snapshot_at(taken.objects, declared)
    for obj in request.homebrew.objects:
        taken.objects.setdefault((obj.source, obj.endpoint), []).append(replace(obj, fetched_at=snapshot_at))
    taken.problems += request.homebrew.problems
    sources = _sources(taken.objects, {origin.name: origin.base_url for origin in request.origins})
    taken.problems += _fewer(request, sources)
    if request.strict and taken.problems:
        raise StrictError(taken.problems)
    stale = [page for harvest in harvests for page in harvest.pages if page.stale is not None]
    taken.info = {
        "snapshot_at": snapshot_at,
        "sources": sources,
        "stale": [
            {"url": page.url, "fetched_at": page.fetched_at, "age_seconds": round(page.age), "reason": page.stale}
            for page in stale
        ],
        "problems": [problem.as_row() for problem in taken.problems],
        "warnings": [warning.as_row() for warning in request.homebrew.warnings],
    }
    _write(request.out, taken)
    return taken


async def _crawl(
    request: SnapshotRequest, cache_folder: Path, manners: Manners, progress: Progress
) -> tuple[list[Harvest], int]:
    """The endpoints' harvests, in order, and the number of requests sent."""
    sites = [origin.base_url for origin in request.origins if origin.base_url.startswith("http")]
    async with PoliteClient(cache_folder, manners, sites=sites) as client, asyncio.TaskGroup() as group:
        tasks: dict[tuple[str, str], asyncio.Task[Harvest]] = {}
        for origin in request.origins:
            for endpoint in origin.endpoints:
                parent = tasks.get((endpoint.source, endpoint.parent))
                work = _harvest(client, origin, endpoint, parent, progress)
                tasks[endpoint.source, endpoint.name] = group.create_task(work)
    return [task.result() for task in tasks.values()], client.requests


async def _harvest(
    client: PoliteClient,
    origin: Origin,
    endpoint: Endpoint,
    parent: asyncio.Task[Harvest] | None,
    progress: Progress,
) -> Harvest:
    """Read an endpoint, again while that helps: pages that turned out to be wrong are fetched anew."""
    above = await parent if parent is not None else Harvest(endpoint)
    data = {obj.key: obj.data for obj in above.objects}
    before: list[str] = []
    for _ in range(_ROUNDS):
        reader = Reader(client, Harvest(endpoint), progress, data)
        try:
            await _read(reader, origin, above.keys)
        except BrokenEndpointError as broken:
            _skip(reader.harvest, broken.problem)
        problems = [str(problem) for problem in reader.harvest.problems]
        if not _forget_wrong_pages(client, reader.harvest) or problems == before:
            break
        before = problems
        await client.pause()
    progress.endpoint(endpoint.source, len(reader.harvest.objects))
    return reader.harvest


async def _read(reader: Reader, origin: Origin, parents: Sequence[str]) -> None:
    harvest = reader.harvest
    if origin.fetch is None:
        msg = f"{origin.name} is a source of files: there is nothing to fetch"
        raise SnapshotError(msg)
    await origin.fetch(reader, origin.base_url.rstrip("/"), parents)
    harvest.check_keys()
    harvest.check_fields()
    if not harvest.keys and not harvest.problems and not harvest.endpoint.parent:
        harvest.problem(harvest.pages[-1].url, "the endpoint is empty", "results")


def _skip(harvest: Harvest, problem: Problem) -> None:
    """Discard everything from an endpoint and record why."""
    harvest.objects, harvest.keys, harvest.problems, harvest.skipped = [], [], [problem], True


def _forget_wrong_pages(client: PoliteClient, harvest: Harvest) -> int:
    """Drop pages with problems from the cache, so that they are fetched anew; returns their number."""
    wrong = {problem.page for problem in harvest.problems}
    forgotten = {page.url for page in harvest.pages if harvest.skipped or page.url in wrong}
    for url in forgotten:
        client.forget(url)
    return len(forgotten)


def _fewer(request: SnapshotRequest, sources: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Web endpoints that have fewer objects than in the snapshot to be replaced."""
    finish_swap(request.out)
    path = request.out / SNAPSHOT_FILE
    try:
        before = read_info(path)
    except (FileNotFoundError, ValueError):  # none, or one that is damaged and about to be replaced
        return []
    of_web = {origin.name for origin in request.origins}
    return [
        Problem(name, reason, str(path))
        for name, reason in fallen(before, {"sources": sources})
        if name.partition("/")[0] in of_web
    ]


def _check_out(out: Path) -> None:
    if out.exists() and not out.is_dir():
        msg = f"{out} is a file; --out takes a folder"
        raise SnapshotError(msg)
    written_by_hand = next((out / "raw").rglob("*.jsonl"), None)
    if written_by_hand is not None:
        msg = f"{out} holds a raw layer written by hand ({written_by_hand}), which a snapshot would replace"
        raise SnapshotError(msg)


def _first(group: BaseException) -> BaseException:
    """The first exception inside nested groups."""
    return _first(group.exceptions[0]) if isinstance(group, BaseExceptionGroup) else group


def _check_cache(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(folder / CACHE_FILE)) as connection:
            connection.execute("PRAGMA user_version").fetchone()
    except (OSError, sqlite3.Error) as error:
        raise SnapshotError(_cache_message(folder, error)) from error


def _cache_message(folder: Path, error: BaseException) -> str:
    return f"the cache in {folder} cannot be used ({error}); remove it or name another with --cache-dir"


def _snapshot_at(objects: Objects, declared: str | None) -> str:
    """The declared time if there is one, otherwise that of the newest object; now if there are no objects."""
    times = (obj.fetched_at for group in objects.values() for obj in group)
    return declared or max(times, default=iso_time(time.time()))


def _sources(objects: Objects, urls: Mapping[str, str]) -> list[dict[str, Any]]:
    """Each source's entry in `snapshot.json`."""
    sources: dict[str, dict[str, Any]] = {}
    for (source, endpoint), group in objects.items():
        where = {"base_url": urls[source]} if source in urls else {}
        row = sources.setdefault(source, {"source": source, **where, "fetched_at": "", "endpoints": {}})
        row["endpoints"][endpoint] = account({obj.key: obj.sha256 for obj in group})
        row["fetched_at"] = max(row["fetched_at"], *(obj.fetched_at for obj in group), "")
        if source not in urls:
            row["files"] = sorted({*row.get("files", ()), *(obj.url for obj in group)})
    return list(sources.values())


def _write(out: Path, taken: Snapshot) -> None:
    try:
        with replacing(out) as partial:
            for (source, endpoint), objects in taken.objects.items():
                write_endpoint(partial, source, endpoint, objects)
            write_json(partial / SNAPSHOT_FILE, taken.info)
    except Timeout as error:
        msg = f"another snapshot is being written to {out}; wait for it to end, or give --out another folder"
        raise SnapshotError(msg) from error
