"""The dataset's manifest: its version, its sources and the hash of every file.

Whoever makes a dataset can make its manifest fit, so it is validated as strictly as any input: every member has its
type, every file name stays inside the dataset's folder.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final, NotRequired

from pydantic import AfterValidator, ConfigDict, Field, NonNegativeInt, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from server.dataset.strict_json import read_json

MANIFEST_FILE: Final = "manifest.json"

VERSION_PATTERN: Final = r"^[0-9]{4}\.[0-9]{2}\.[0-9]{2}(\.[0-9]{1,6})?$"
"""Dataset versions: `2026.11.20`, `2026.11.20.1`."""
SHA256_PATTERN: Final = r"^[0-9a-f]{64}$"

_FILE_NAME: Final = r"^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*$"
"""Relative, below the folder, the same on every file system."""
_TIME_PATTERN: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|\+00:00)$"
NOTICE_CHARS: Final = 200
"""Longest `notice`, which is part of every answer from the dataset."""
_MOST_DIMENSIONS: Final = 65_536
_READING: Final = ConfigDict(strict=True, extra="allow")
"""Members that a later builder adds are kept; numbers are not read from text."""
_FLOAT32_BYTES: Final = 4
_ONE_LINE: Final = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]+$"
_MAX_PROBLEMS: Final = 3
_QUOTED_CHARS: Final = 80


class DatasetError(Exception):
    """A dataset that cannot be served; the message names the file, what is wrong and what to do."""


def _real_time(text: str) -> str:
    datetime.fromisoformat(text)  # a ValueError on the 40th of February
    return text


def _packed_floats(text: str) -> str:
    if len(base64.b64decode(text, validate=True)) % _FLOAT32_BYTES:
        msg = "should be float32 values in Base64"
        raise ValueError(msg)
    return text


Sha256 = Annotated[str, Field(pattern=SHA256_PATTERN)]
Time = Annotated[str, Field(pattern=_TIME_PATTERN), AfterValidator(_real_time)]
"""ISO 8601 in UTC."""


@with_config(_READING)
class FileEntry(TypedDict):
    """One file of the dataset; `rows` is null except for tables and the index."""

    sha256: Sha256
    bytes: NonNegativeInt
    rows: NonNegativeInt | None


@with_config(_READING)
class SampleQuery(TypedDict):
    """A query, and the vector that the encoder gave it when the dataset was built.

    The vector is float32[dimensions], little-endian, in Base64.
    """

    text: Annotated[str, Field(min_length=1, max_length=500)]
    vector: Annotated[str, AfterValidator(_packed_floats)]


@with_config(_READING)
class EncoderEntry(TypedDict):
    """The query encoder: the model that it was exported from, and how; earlier datasets have no `samples`.

    `adapter_sha256` is the hash of the updates that were added to the model's weights, empty if none were.
    """

    model: str
    revision: str
    weights_sha256: str
    adapter_sha256: NotRequired[str]
    dimensions: Annotated[int, Field(gt=0, le=_MOST_DIMENSIONS)]
    max_tokens: Annotated[int, Field(gt=0, le=_MOST_DIMENSIONS)]
    pooling: str
    precision: str
    samples: NotRequired[list[SampleQuery]]


@with_config(_READING)
class Manifest(TypedDict):
    """Content of `manifest.json`; earlier datasets have neither `checks` nor a `notice`.

    `notice` is what everybody who reads an answer should know about the whole dataset, in a sentence.
    """

    schema_version: int
    dataset_version: Annotated[str, Field(pattern=VERSION_PATTERN)]
    content_hash: Sha256
    built_at: Time
    snapshot_at: Time
    builder: dict[str, str]
    sources: list[dict[str, Any]]
    encoder: EncoderEntry
    counts: dict[str, Any]
    coverage: dict[str, int]
    problems: list[dict[str, Any]]
    files: dict[Annotated[str, Field(pattern=_FILE_NAME)], FileEntry]
    checks: NotRequired[list[dict[str, Any]]]
    notice: NotRequired[Annotated[str, Field(max_length=NOTICE_CHARS, pattern=_ONE_LINE)]]


_MANIFEST: Final = TypeAdapter(Manifest)


def read_manifest(folder: Path) -> Manifest:
    """Read a dataset's manifest.

    Raises:
        DatasetError: it is missing, or is not a manifest.
    """
    path = folder / MANIFEST_FILE
    if not path.is_file():
        empty = f"it has no {MANIFEST_FILE}; name the folder that has it"
        msg = f"{folder} is not a dataset: {empty if folder.exists() else 'there is no such folder'}"
        raise DatasetError(msg)
    try:
        return _MANIFEST.validate_python(read_json(path.read_bytes()))
    except ValidationError as error:
        msg = f"{path} is not a manifest ({first_problems(error)}); the dataset is damaged, pull or build it again"
        raise DatasetError(msg) from error
    except ValueError as error:
        msg = f"{path} is not JSON ({error}); the dataset is damaged, pull or build it again"
        raise DatasetError(msg) from error


def identity_of(manifest: Manifest) -> dict[str, Any]:
    """The facts about the dataset that are part of every answer, with its `notice` if it has one."""
    identity = {
        "version": manifest["dataset_version"],
        "built_at": manifest["built_at"],
        "snapshot_at": manifest["snapshot_at"],
        "schema_version": manifest["schema_version"],
    }
    return identity | ({"notice": notice} if (notice := manifest.get("notice")) else {})


def first_problems(error: ValidationError) -> str:
    """The first validation problems: where, what is there, what it should be."""
    found = [
        f"{'.'.join(map(str, problem['loc'])) or 'it'}{_quoted(problem['input'])}: {_uncapitalised(problem['msg'])}"
        for problem in error.errors(include_url=False)
    ]
    more = [f"and {len(found) - _MAX_PROBLEMS} more"] if len(found) > _MAX_PROBLEMS else []
    return "; ".join([*found[:_MAX_PROBLEMS], *more])


def _uncapitalised(message: str) -> str:
    """Pydantic's sentence as a clause; the pattern that it may quote stays as it is."""
    return message[:1].lower() + message[1:]


def file_sha256(path: Path) -> str:
    """Hex sha256 of a file's content."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _quoted(value: object) -> str:
    """A malformed value; empty for an object or list, which would be long and says little."""
    return "" if isinstance(value, dict | list) else f" is {value!r}"[:_QUOTED_CHARS]
