"""What `snapshot.json` says about a snapshot's objects, and whether it is true."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Final,
    NotRequired,  # pydantic needs this one before Python 3.12
)

from pydantic import ConfigDict, Field, NonNegativeInt, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from server.dataset.manifest import SHA256_PATTERN, Time, first_problems
from server.dataset.strict_json import read_json

_READING: Final = ConfigDict(strict=True, extra="allow")


@with_config(_READING)
class EndpointAccount(TypedDict):
    """How many objects an endpoint has, and a hash over their keys and texts."""

    count: NonNegativeInt
    sha256: Annotated[str, Field(pattern=SHA256_PATTERN)]


@with_config(_READING)
class SourceAccount(TypedDict):
    """One source; a snapshot written by hand does not count its objects."""

    source: str
    endpoints: NotRequired[dict[str, EndpointAccount]]


@with_config(_READING)
class ProblemRow(TypedDict):
    """A `Problem` as the snapshot stores it; one written by hand need not say where it occurred."""

    raw: str
    reason: str
    page: NotRequired[str]
    field: NotRequired[str]


@with_config(_READING)
class SnapshotInfo(TypedDict):
    """The content of `snapshot.json`."""

    snapshot_at: Time
    sources: NotRequired[list[SourceAccount]]
    problems: NotRequired[list[ProblemRow]]
    warnings: NotRequired[list[ProblemRow]]


_INFO: Final = TypeAdapter(SnapshotInfo)


def read_info(path: Path) -> dict[str, Any]:
    """The content of a `snapshot.json`.

    Raises:
        ValueError: it does not have that form; the message says where.
    """
    try:
        info = read_json(path.read_bytes())
        _INFO.validate_python(info)
    except ValidationError as error:
        raise ValueError(first_problems(error)) from error
    result: dict[str, Any] = info
    return result


def account(hashes: Mapping[str, str]) -> EndpointAccount:
    """The account of one endpoint: key → SHA-256 of the object's text, in any order."""
    lines = sorted(f"{key} {sha256}\n" for key, sha256 in hashes.items())
    digest = hashlib.sha256("".join(lines).encode("utf-8", "surrogatepass")).hexdigest()
    return {"count": len(hashes), "sha256": digest}


def recorded(info: Mapping[str, Any]) -> dict[tuple[str, str], EndpointAccount] | None:
    """(source, endpoint) → its account; None if the snapshot has no accounts."""
    sources = [row for row in info.get("sources", ()) if "endpoints" in row]
    if not sources:
        return None
    return {(row["source"], name): entry for row in sources for name, entry in row["endpoints"].items()}


def discrepancies(info: Mapping[str, Any], found: Mapping[tuple[str, str], Mapping[str, str]]) -> Iterator[str]:
    """What differs between a snapshot's accounts and its objects, one line each.

    Args:
        info: the content of `snapshot.json`.
        found: (source, endpoint) → key → SHA-256 of the object's text.
    """
    accounts = recorded(info)
    if accounts is None:
        return
    for source, name in sorted(accounts.keys() | found.keys()):
        wanted, there = accounts.get((source, name)), account(found.get((source, name), {}))
        where = f"raw/{source}/{name}.parquet"
        if wanted is None:
            yield f"{where} is not in snapshot.json"
        elif wanted["count"] != there["count"]:
            yield f"{where} has {there['count']:,} objects, snapshot.json says {wanted['count']:,}"
        elif wanted["sha256"] != there["sha256"]:
            yield f"{where} has other objects than snapshot.json says: its hash differs"


def fallen(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Endpoints with fewer objects than before, each as (`<source>/<endpoint>`, what is wrong)."""
    old, new = recorded(before) or {}, recorded(after) or {}
    for source, name in sorted(old.keys() & new.keys()):
        count, had = new[source, name]["count"], old[source, name]["count"]
        if count < had:
            yield f"{source}/{name}", f"{count:,} objects, fewer than the {had:,} of the snapshot before"
