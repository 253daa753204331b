"""Settings from options and the environment: read, checked and turned into a library."""

from __future__ import annotations

import logging
import math
import os
import sys
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from server.dataset.manifest import identity_of, read_manifest
from server.store.home import Home
from server.store.locate import WITHOUT_A_PUBLISHER, how_to_get_one, locate_dataset
from server.store.publisher import LISTING_VARIABLE, listing_url

if TYPE_CHECKING:
    from pathlib import Path

    from server.library.library import Library

DOCUMENTS_VARIABLE: Final = "LOREKEEPER_DOCUMENTS"
PREFER_VARIABLE: Final = "LOREKEEPER_PREFER"
TOOLSETS_VARIABLE: Final = "LOREKEEPER_TOOLSETS"
TOKEN_VARIABLE: Final = "LOREKEEPER_TOKEN"  # noqa: S105 - the variable's name
PUBLIC_URL_VARIABLE: Final = "LOREKEEPER_PUBLIC_URL"
MAX_RESPONSE_VARIABLE: Final = "LOREKEEPER_MAX_RESPONSE_CHARS"
ENCODE_TIMEOUT_VARIABLE: Final = "LOREKEEPER_ENCODE_TIMEOUT"
LOG_LEVEL_VARIABLE: Final = "LOREKEEPER_LOG_LEVEL"

TOOLSETS: Final = {
    "search": ("search_*",),
    "lookup": ("lookup_*",),
    "query": ("query",),
    "compat": ("search_dnd_content",),
    "research": ("search", "fetch"),
    "table": ("evaluate_encounter", "suggest_encounter", "level_up", "spell_list", "roll_table"),
}
"""Tool set → patterns of its tools' names."""
DEFAULT_TOOLSETS: Final = ("search", "lookup", "query")

_SHORTEST_TOKEN: Final = 16
"""Characters of a secret: guesses are not rate-limited, so its length is the only protection."""

_MIN_RESPONSE_CHARS: Final = 2_000
"""Characters that a summary with its envelope needs, roughly."""

_OWN_LOGGERS: Final = ("lorekeeper", "server", "uvicorn")

_FRAMEWORK: Final = {
    "FASTMCP_CHECK_FOR_UPDATES": "off",
    "FASTMCP_ENV_FILE": os.devnull,
    "FASTMCP_LOG_ENABLED": "false",
    "FASTMCP_MCP_CAMELCASE_COMPAT": "false",
    "FASTMCP_SHOW_SERVER_BANNER": "false",
    "FASTMCP_TELEMETRY_MODE": "off",
}


class SettingsError(Exception):
    """An invalid option or variable; the message is one line that names it and says what is valid."""


def entries(text: str | None) -> tuple[str, ...] | None:
    """The parts of comma-separated text; None if there are none."""
    parts = tuple(part.strip() for part in (text or "").split(",") if part.strip())
    return parts or None


def read_toolsets(text: str | None) -> tuple[str, ...]:
    """The tool sets named in comma-separated text; the default ones if it names none.

    Raises:
        SettingsError: there is no such tool set.
    """
    chosen = entries(text) or DEFAULT_TOOLSETS
    if unknown := [name for name in chosen if name not in TOOLSETS]:
        of = [name for name, tools in TOOLSETS.items() if any(fnmatchcase(unknown[0], tool) for tool in tools)]
        hint = f", and that is a tool of the set {of[0]}" if of else ""
        msg = f"unknown tool set {unknown[0]!r}; the tool sets are {', '.join(TOOLSETS)}{hint}"
        raise SettingsError(msg)
    return chosen


def read_token(text: str | None) -> str:
    """The secret that callers over HTTP send; empty for none. A line break at the end, as from a file, is dropped.

    Raises:
        SettingsError: it is so short that it can be guessed.
    """
    token = (text or "").strip()
    if 0 < len(token) < _SHORTEST_TOKEN:
        msg = (
            f"{TOKEN_VARIABLE} has {len(token)} characters; it takes at least {_SHORTEST_TOKEN}, such as those of "
            "`openssl rand -hex 32` or `python -c 'import secrets; print(secrets.token_hex(32))'`"
        )
        raise SettingsError(msg)
    return token


def read_public_url(text: str | None) -> str:
    """The address at which people reach the server, without a trailing slash; empty for none.

    Raises:
        SettingsError: it is not a bare scheme, host and port.
    """
    url = (text or "").strip().rstrip("/")
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        whole_host = (
            parts.scheme in ("http", "https") and bool(parts.hostname) and url == f"{parts.scheme}://{parts.netloc}"
        )
        _ = parts.port
    except ValueError:
        whole_host = False
    if not whole_host or "@" in url:
        msg = f"--public-url cannot be {text!r}; it takes the address of a whole host, such as https://lore.example"
        raise SettingsError(msg)
    return url


def dataset_folder(option: Path | None) -> Path:
    """The dataset to use.

    Raises:
        DatasetError: the pulled dataset in use is missing.
        SettingsError: there is no dataset; the message says how to get one.
    """
    folder = locate_dataset(option, os.environ)
    if folder is None:
        raise SettingsError(how_to_get_one())
    return folder


def dataset_identity(folder: Path) -> dict[str, Any]:
    """The identity in the manifest of the dataset in `folder`.

    Raises:
        DatasetError: it has no manifest, or not the one that was pulled.
    """
    Home.of(os.environ).check_manifest(folder)
    return identity_of(read_manifest(folder))


def dataset_listing(option: str | None) -> str:
    """The URL of the listing of published datasets.

    Raises:
        SettingsError: neither the option, the environment nor the package names one.
    """
    url = option or listing_url()
    if not url:
        msg = (
            f"this build names no publisher of datasets: give the URL of a listing with --url or {LISTING_VARIABLE}; "
            f"{WITHOUT_A_PUBLISHER}"
        )
        raise SettingsError(msg)
    return url


def open_library(
    dataset: Path | None,
    documents: str | None = None,
    prefer: str | None = None,
    *,
    explain: bool = False,
    max_chars: int | None = None,
) -> Library:
    """Load the dataset and open it as a library.

    Args:
        dataset: its folder, if an option names one.
        documents: comma-separated documents to serve; None for all.
        prefer: comma-separated documents that come first among equals.
        explain: add `score_parts` to ranked records.
        max_chars: longest response unless the environment sets one; None for a limit that suits models.

    Raises:
        SettingsError: there is no dataset, or a variable has an invalid value.
        DatasetError: the dataset cannot be served.
        RequestError: `documents` or `prefer` names a document that the dataset does not hold.
    """
    folder = dataset_folder(dataset)
    longest = _number(MAX_RESPONSE_VARIABLE, _MIN_RESPONSE_CHARS) or max_chars
    timeout = _number(ENCODE_TIMEOUT_VARIABLE, 0)

    # The engine takes half a second to import, so errors in the settings are raised before that.
    from server.dataset.load import load_dataset  # noqa: PLC0415
    from server.library.library import ENCODE_TIMEOUT, MAX_RESPONSE_CHARS, Library  # noqa: PLC0415

    Home.of(os.environ).check_manifest(folder)
    return Library(
        load_dataset(folder),
        documents=entries(documents),
        max_response_chars=MAX_RESPONSE_CHARS if longest is None else int(longest),
        encode_timeout=ENCODE_TIMEOUT if timeout is None else timeout,
        prefer=entries(prefer) or (),
        explain=explain,
    )


def configure_logging(level: str) -> None:
    """Log to stderr, as stdout belongs to the protocol; libraries log warnings and errors only."""
    own = logging.getLevelName(level.upper())
    others = own if own == logging.DEBUG else max(own, logging.WARNING)
    logging.basicConfig(stream=sys.stderr, level=others, format="%(levelname)s %(name)s: %(message)s", force=True)
    for name in _OWN_LOGGERS:
        logging.getLogger(name).setLevel(own)


def quiet_framework() -> None:
    """Keep FastMCP offline and silent, unless the user set its variables; call it before importing FastMCP."""
    for variable, value in _FRAMEWORK.items():
        os.environ.setdefault(variable, value)


def _number(variable: str, minimum: float) -> float | None:
    text = os.environ.get(variable, "").strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not minimum <= value < math.inf:
        msg = f"{variable} cannot be {text!r}; it takes a number of at least {minimum:g}"
        raise SettingsError(msg)
    return value
