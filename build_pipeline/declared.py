"""Hand-maintained TOML files: reads them, validates their entries and names the one that is wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from build_pipeline.expected import ExpectedError

NOTHING_ELSE: Final = ConfigDict(extra="forbid")
_Model = TypeVar("_Model")


class DeclaredError(ExpectedError):
    """A hand-maintained file is invalid; the message names the file and the entry."""


class Declared(BaseModel):
    """Base of the models of entries: immutable, without undeclared fields."""

    model_config = ConfigDict(**NOTHING_ELSE, frozen=True)


def read_file(path: Path, entries: str) -> dict[str, Any]:
    """The content of a file that is a list of `[[entries]]`, which may be empty.

    Raises:
        DeclaredError: it is missing, not TOML, or has no such list.
    """
    try:
        file = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        msg = f"{path} is not a list of [[{entries}]]: {error!r}"
        raise DeclaredError(msg) from error
    listed = file.get(entries)
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        msg = f"{path} is not a list of [[{entries}]]; one without any says `{entries} = []`"
        raise DeclaredError(msg)
    return file


def validated(model: type[_Model], declared: Mapping[str, Any], entry: str) -> _Model:
    """Validate an entry as its model.

    Raises:
        DeclaredError: it is invalid; the message begins with `entry`, its file and name.
    """
    try:
        return TypeAdapter(model).validate_python(declared)
    except ValidationError as error:
        msg = f"{entry}: {complaints(error)}"
        raise DeclaredError(msg) from error


def complaints(error: ValidationError) -> str:
    """What is wrong with an entry: "names.0 Field required; kind Input should be a valid string"."""
    return "; ".join(f"{'.'.join(map(str, each['loc']))} {each['msg']}".strip() for each in error.errors())
