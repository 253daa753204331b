"""A server in the form of the APIs that fails in every possible way, once or forever, while a snapshot is taken of it.

If it fails once, the snapshot is the same as without. If forever, it is the same, or what is missing is named and
`--strict` writes nothing. Anything else would be silent loss.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import stamina.instrumentation

from benchmarks.reliability.apis import ENDPOINT, api_objects, manners, origins, serve_as_apis
from benchmarks.reliability.origin import Answer, Origin, reset, send, serve, truncated
from benchmarks.reliability.outcome import Row, say
from build_pipeline.snapshot.crawl import SnapshotRequest, StrictError, snapshot
from build_pipeline.snapshot.endpoints import Endpoint, Fetch
from build_pipeline.snapshot.raw import RawLayer
from build_pipeline.snapshot.web.open5e import PAGE_SIZE

FOR_EVER: Final = 200
"""Number of faulty answers in a row: more than a snapshot requests."""
READ_TIMEOUT: Final = 0.3
"""Seconds that the client waits for more of an answer."""
Fault = Callable[[bytes], Answer]
"""Right body → the answer that is given instead."""


def _stall(_: bytes) -> Answer:
    def answer(handler: Any) -> None:
        time.sleep(2 * READ_TIMEOUT)
        handler.close_connection = True

    return answer


def _redirect(handler: Any) -> None:
    send("", 302, Location=handler.path)(handler)


def _slowly(body: bytes) -> Answer:
    def answer(handler: Any) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        for start in range(0, len(body), 1 + len(body) // 4):
            handler.wfile.write(body[start : start + 1 + len(body) // 4])
            handler.wfile.flush()
            time.sleep(READ_TIMEOUT / 10)

    return answer


def _edited(change: Callable[[Any], object]) -> Fault:
    """The right body, edited: `change` gets the parsed body and returns what is sent."""
    return lambda body: send(json.dumps(change(json.loads(body)), ensure_ascii=False))


def _rows(page: Any) -> list[Any] | None:
    """The rows that a page lists; None if it is an object."""
    if isinstance(page, dict):
        page = page.get("results")
    return page if isinstance(page, list) else None


def _without_one(page: Any) -> Any:
    """A page with one row fewer and a matching count; an object with one member fewer."""
    rows = _rows(page)
    if rows:
        rows.pop()
        if isinstance(page, dict):
            page["count"] = page.get("count", 0) - 1
    elif isinstance(page, dict) and rows is None:
        page.pop(next(reversed(page)))
    return page


def _emptied(page: Any) -> Any:
    if isinstance(page, dict) and "results" in page:
        return page | {"count": 0, "next": None, "results": []}
    return [] if isinstance(page, list) else {}


def _another_count(page: Any) -> Any:
    return page | {"count": 7_777} if isinstance(page, dict) and "count" in page else None


def _twice(page: Any) -> Any:
    rows = _rows(page)
    if rows:
        rows.append(rows[0])
        if isinstance(page, dict) and "count" in page:
            page["count"] += 1
        return page
    return None


FAULTS: Final[dict[str, Fault]] = {
    **{f"status {code}": lambda _, code=code: send("oops", code) for code in (404, 500, 502, 503, 504)},  # type: ignore[misc]
    "429 with Retry-After": lambda _: send("", 429, Retry_After="0"),
    "connection reset": lambda _: reset,
    "body cut by the connection": lambda _: truncated,
    "no answer": _stall,
    "slow answer": _slowly,
    "redirect to itself": lambda _: _redirect,
    "a page for people": lambda _: send("<html>Bad gateway</html>", Content_Type="text/html"),
    "empty body": lambda _: send(""),
    "half the JSON": lambda body: send(body[: len(body) // 2]),
    "bytes that are no text": lambda body: send(body[:-2] + b'\xff"' + body[-2:]),
    "null": lambda _: send("null"),
    "a list with nothing": lambda _: send("[]"),
    "an object with nothing": lambda _: send("{}"),
    "a number that is none": lambda body: send(body.replace(b":", b":NaN,", 1)),
    "no rows": _edited(_emptied),
    "another count": _edited(_another_count),
    "one fewer": _edited(_without_one),
    "one twice": _edited(_twice),
}


PLAUSIBLE: Final = {"status 404", "one fewer"}
"""Faults that an API might mean: they must be named, but are not requested again."""


@dataclass(frozen=True)
class Target:
    """The target of a fault: an address, and the endpoints that a snapshot of it needs."""

    path: str
    endpoints: tuple[Endpoint, ...]

    @property
    def key(self) -> str:
        """The name by which problems refer to the address: the endpoint, and the object if the address is one."""
        endpoint = self.endpoints[-1]
        below = endpoint.path.partition("{key}")[0] if "{key}" in endpoint.path else f"{endpoint.path}/"
        rest = self.path.removeprefix(below) if endpoint.fetch is not Fetch.PAGES else ""
        return f"{endpoint.source}/{endpoint.name}/{rest.partition('/')[0]}".rstrip("/")


def run(source: Path, work: Path, seed: int) -> Row:
    """Try every fault on an address of every kind, once and forever.

    Args:
        source: the raw layer to serve.
        work: a folder for the snapshots.
        seed: seed for the choice of addresses.
    """
    stamina.instrumentation.set_on_retry_hooks([])
    layer = api_objects(source)
    with ThreadPoolExecutor(len(ADDRESSES)) as pool:
        tried = [pool.submit(_try_all, layer, kind, work / str(n), seed) for n, kind in enumerate(ADDRESSES)]
        found = [each.result() for each in tried]
    return Row(
        f"faults of an API while a snapshot is taken: {len(FAULTS)} kinds, on each kind of address, once and for ever",
        sum(row.tries for row in found),
        "once, the snapshot is the same; for ever, what is missing is named, and `--strict` writes nothing",
        [line for row in found for line in row.wrong],
    )


def _try_all(layer: RawLayer, kind: str, work: Path, seed: int) -> Row:
    """Try every fault on an address of a kind, with a separate server."""
    rng = random.Random(seed)  # noqa: S311 - nothing secret
    origin, row = Origin(), Row(kind)
    server = serve(origin)
    try:
        targets = [target for endpoint in serve_as_apis(origin, layer) for target in _targets(origin, endpoint, kind)]
        before: dict[tuple[Endpoint, ...], Taken] = {}
        for name in FAULTS:
            target = _whole(origin, rng.sample(targets, len(targets)), before, work)
            for lasting in (False, True):
                row.tries += 1
                trial = work / str(row.tries)
                if complaint := _try(origin, target, name, before[target.endpoints], trial, lasting=lasting):
                    how = "for ever" if lasting else "once"
                    row.wrong.append(f"{name} ({how}) at {target.path}: {complaint}")
                shutil.rmtree(trial)
    finally:
        server.shutdown()
        server.server_close()
    say(f"faults at each {kind}: {row.tries} tries")
    return row


def _whole(origin: Origin, targets: Sequence[Target], before: dict[tuple[Endpoint, ...], Taken], work: Path) -> Target:
    """The first target without problems when there is no fault; the starter's content has gaps."""
    for target in targets:
        if target.endpoints not in before:
            before[target.endpoints] = _take(origin, target, work / f"before-{len(before)}", "cache")
        if not any(target.key in problem for problem in before[target.endpoints].problems):
            return target
    return targets[0]


def _try(origin: Origin, target: Target, name: str, before: Taken, folder: Path, *, lasting: bool) -> str | None:
    """What was wrong with a snapshot under a fault, if anything."""
    shutil.copytree(before.folder, folder / "out")
    answer = FAULTS[name](origin.body(target.path) or b"")
    try:
        origin.faults[target.path] = deque([answer] * (FOR_EVER if lasting else 1))
        earlier = _files(folder / "out")
        refused = lasting and _is_refused(origin, target, folder)
        if refused and _files(folder / "out") != earlier:
            return "--strict failed, and changed the snapshot"
        found = _take(origin, target, folder, "cache")
    finally:
        del origin.faults[target.path]
    lost, named = found.texts != before.texts, found.problems - before.problems
    if not lasting and name not in PLAUSIBLE:
        what = "other objects" if lost else "the same objects"
        return f"{what}, {'; '.join(sorted(named)) or 'nothing named'}" if lost or named else None
    if lost and not (named and (refused or not lasting)):
        return f"other objects, {'--strict wrote them' if named else 'and nothing named'}"
    return None


@dataclass(frozen=True)
class Taken:
    """A snapshot: its folder, its objects' texts by id, its problems."""

    folder: Path
    texts: dict[str, str]
    problems: set[str]


def _is_refused(origin: Origin, target: Target, folder: Path) -> bool:
    """Whether a strict snapshot fails."""
    try:
        _take(origin, target, folder, "strict", strict=True)
    except StrictError:
        return True
    return False


def _take(origin: Origin, target: Target, folder: Path, cache: str, *, strict: bool = False) -> Taken:
    """Take a snapshot into the folder's `out`."""
    folder.mkdir(parents=True, exist_ok=True)
    request = SnapshotRequest(folder / "out", origins(origin.url, *target.endpoints), strict=strict)
    taken = snapshot(request, folder / cache, manners(read_timeout=READ_TIMEOUT, wait_max=0.05))
    texts = {obj.id: obj.text for objects in taken.objects.values() for obj in objects}
    return Taken(folder / "out", texts, {str(problem) for problem in taken.problems})


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _targets(origin: Origin, endpoint: Endpoint, kind: str) -> list[Target]:
    """An endpoint's addresses of one kind."""
    parent = [ENDPOINT[endpoint.source, endpoint.parent]] if endpoint.parent else []
    return [Target(path, (*parent, endpoint)) for path in ADDRESSES[kind](origin, endpoint)]


def _pages(_: Origin, endpoint: Endpoint) -> Iterable[str]:
    return [f"{endpoint.path}?limit={PAGE_SIZE}&page=1"] if endpoint.fetch is Fetch.PAGES else []


def _lists(_: Origin, endpoint: Endpoint) -> Iterable[str]:
    return [endpoint.path] if endpoint.fetch is Fetch.DETAILS else []


def _below(fetch: Fetch, tail: str = "") -> Callable[[Origin, Endpoint], Iterable[str]]:
    def addresses(origin: Origin, endpoint: Endpoint) -> Iterable[str]:
        pattern = re.compile(endpoint.path.format(key="[^/]+") + tail)
        return [path for path in origin.pages if endpoint.fetch is fetch and pattern.fullmatch(path)]

    return addresses


ADDRESSES: Final[dict[str, Callable[[Origin, Endpoint], Iterable[str]]]] = {
    "page of objects": _pages,
    "list of rows": _lists,
    "object": _below(Fetch.DETAILS, "/[^/]+"),
    "list below an object": _below(Fetch.CHILDREN),
    "object below an object": _below(Fetch.CHILD),
}
"""Kind of address → the addresses of that kind that an endpoint has."""
