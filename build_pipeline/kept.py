"""Results of pure functions, cached between builds: a build after a small change computes only what changed.

A function that depends only on its arguments is decorated with `@kept`; within `keeping(folder)` its results are taken
from the folder's file if they are there. The key of a result is a hash of the function's name and arguments. The file
begins with a hash of all code and hand-maintained data, so that results of other code are never used. It holds the
results that the last build used, and a checksum: a damaged file counts as missing.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.metadata import distributions
from io import BytesIO
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

import build_pipeline
import server
from build_pipeline.resources import DATA

RESULTS_FILE: Final = "results.pickle"

_SUM: Final = 32
"""Bytes of a hash: the hash of the code and the checksum precede the results."""

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)


class _Results:
    """The results of the previous build, and those that this one used."""

    def __init__(self, before: dict[bytes, bytes]) -> None:
        self.before = before
        self.used: dict[bytes, bytes] = {}


_open: list[_Results] = []
"""The results of the build in progress, if it keeps any."""


def kept(function: Callable[P, T]) -> Callable[P, T]:
    """Keep the results of a pure function whose arguments and values can be pickled; every call returns a new copy."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def remembering(*args: P.args, **kwargs: P.kwargs) -> T:
        if not _open:
            return function(*args, **kwargs)
        results, key = _open[-1], _key(name, args, kwargs)
        known = results.used.get(key) or results.before.get(key)
        if known is None:
            value = function(*args, **kwargs)
            results.used[key] = pickle.dumps(value)
            return value
        results.used[key] = known
        found: T = pickle.loads(known)  # noqa: S301 - our own, as Python's compiled modules are
        return found

    return remembering


def used_for(work: Callable[[], T]) -> tuple[T, dict[bytes, bytes]]:
    """The value of some work, and the kept results that it used or added, for another process to `adopt`."""
    before = set(_open[-1].used) if _open else set()
    value = work()
    return value, {key: known for key, known in _open[-1].used.items() if key not in before} if _open else {}


def adopt(results: dict[bytes, bytes]) -> None:
    """Keep the results that another process used."""
    if _open:
        _open[-1].used.update(results)


@contextmanager
def keeping(folder: Path | None) -> Iterator[None]:
    """Within the block, take results from a folder, and write them there at its end; None keeps none."""
    if folder is None:
        yield
        return
    file, code = folder / RESULTS_FILE, _code()
    results = _Results(_read(file, code))
    _open.append(results)
    try:
        yield
    finally:
        _open.pop()
    if results.used.keys() != results.before.keys():
        _write(file, code, results.used)


def _key(name: str, *arguments: object) -> bytes:
    """The hash of a call, its arguments pickled without a memo, which would make it depend on objects they share."""
    data = BytesIO()
    pickler = pickle.Pickler(data)
    pickler.fast = True
    pickler.dump((name, arguments))
    return hashlib.blake2b(data.getbuffer(), digest_size=16).digest()


def _code() -> bytes:
    """A hash of all that a result may depend on: code, data files and the versions of installed packages."""
    digest = hashlib.sha256(sys.version.encode())
    files = [(Path(folder), "*.py") for package in (build_pipeline, server) for folder in package.__path__]
    for folder, pattern in [*files, (DATA, "*.toml")]:
        for path in sorted(folder.rglob(pattern)):
            digest.update(path.read_bytes())
    for line in sorted(f"{found.name} {found.version}\n" for found in distributions()):
        digest.update(line.encode())
    return digest.digest()


def _read(file: Path, code: bytes) -> dict[bytes, bytes]:
    """The results in a file; none if it is missing, damaged or of different code."""
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        log.warning("the cache %s cannot be read (%s): the build continues without it", file, error)
        return {}
    if data[:_SUM] != code or hashlib.sha256(data[2 * _SUM :]).digest() != data[_SUM : 2 * _SUM]:
        return {}
    results: dict[bytes, bytes] = pickle.loads(data[2 * _SUM :])  # noqa: S301 - our own, as above
    return results


def _write(file: Path, code: bytes, results: dict[bytes, bytes]) -> None:
    data = pickle.dumps(results)
    temporary = file.with_suffix(".tmp")
    try:
        temporary.write_bytes(code + hashlib.sha256(data).digest() + data)
        temporary.replace(file)
    except OSError as error:
        log.warning("the cache %s cannot be written (%s): the next build computes everything", file, error)
