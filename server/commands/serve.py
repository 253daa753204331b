"""`lorekeeper serve`: the MCP server, on stdio or HTTP."""

from __future__ import annotations

import logging
import os
import signal
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from server.commands.opening import Opening, open_settled, with_one_arena
from server.commands.options import DatasetOption, DocumentsOption, PreferOption, ToolsetsOption
from server.commands.workers import Port, check_workers, free_port, in_workers
from server.dataset.collector import uncollected
from server.settings import (
    LOG_LEVEL_VARIABLE,
    PUBLIC_URL_VARIABLE,
    TOKEN_VARIABLE,
    SettingsError,
    configure_logging,
    dataset_folder,
    dataset_identity,
    open_library,
    quiet_framework,
    read_public_url,
    read_token,
    read_toolsets,
)
from server.store.age import age_warning
from server.swap import Asked, Follower, LibraryHolder, asked_by_hangups

if TYPE_CHECKING:
    from pathlib import Path

    from server.library.library import Library

LogLevel = Literal["debug", "info", "warning", "error"]

log = logging.getLogger("lorekeeper")

_HOST: Final = "127.0.0.1"
_PORT: Final = 8000

GREETING_SECONDS: Final = 0.2
"""Seconds before loading starts, so that the greeting, which needs no dataset and takes less, is not slowed down."""


def serve(
    *,
    transport: Literal["stdio", "http"] = "stdio",
    host: str = _HOST,
    port: Annotated[
        int, Parameter(help="Port for http; 0 for any free one.", validator=Number(gte=0, lte=65535))
    ] = _PORT,
    workers: Annotated[
        int, Parameter(help="Worker processes for http, one per core; Linux only.", validator=Number(gte=1, lte=64))
    ] = 1,
    no_auth: Annotated[
        bool, Parameter(negative="", help=f"Serve other machines without {TOKEN_VARIABLE}, the secret they must send.")
    ] = False,
    public_url: Annotated[
        str | None,
        Parameter(
            env_var=PUBLIC_URL_VARIABLE,
            help="Address at which people reach it, such as https://lore.example; fetch then links to its pages.",
        ),
    ] = None,
    dataset: DatasetOption = None,
    documents: DocumentsOption = None,
    prefer: PreferOption = None,
    toolsets: ToolsetsOption = None,
    log_level: Annotated[LogLevel, Parameter(env_var=LOG_LEVEL_VARIABLE)] = "info",
) -> int:
    """Serve the dataset to MCP clients and, over http, as web pages to people.

    Over http the endpoint is /mcp, the web pages begin at /, /health reports whether the server is up, and /ready
    whether it can search by meaning. Requests must name a host of this machine or that of --public-url;
    FASTMCP_HTTP_ALLOWED_HOSTS='["name"]' allows others. On an address that other machines reach, callers must send the
    secret in LOREKEEPER_TOKEN; browsers send it as the password that they prompt for.
    """
    if transport == "stdio":
        address = None if public_url == os.environ.get(PUBLIC_URL_VARIABLE) else public_url
        _check_stdio(host=host, port=port, workers=workers, no_auth=no_auth, public_url=address)
    configure_logging(log_level)
    quiet_framework()
    with_one_arena()
    # FAISS reads it on import. A call's products take less time than waking other threads, which then spin idly.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    served = _Served(dataset, documents, prefer, read_toolsets(toolsets))
    if transport == "stdio":
        return _over_stdio(served)
    address = read_public_url(public_url)
    token = read_token(os.environ.get(TOKEN_VARIABLE))
    asked = asked_by_hangups()
    from server.http_guard import check_open  # noqa: PLC0415

    check_open(host, token, no_auth=no_auth)
    check_workers(workers)
    return _over_http(served, _Web(host, port, workers, token, address, log_level), asked)


@dataclass(frozen=True, slots=True)
class _Served:
    """What is served over either transport: the values of the options, read."""

    dataset: Path | None
    documents: str | None
    prefer: str | None
    toolsets: tuple[str, ...]

    def find(self) -> tuple[Path, dict[str, Any]]:
        """The dataset's folder and identity; a warning is logged if it is old."""
        folder = dataset_folder(self.dataset)
        identity = dataset_identity(folder)
        if old := age_warning(identity["snapshot_at"], datetime.now(UTC)):
            log.warning(old)
        return folder, identity

    def load(self, folder: Path) -> Library:
        """The library of the dataset in a folder."""
        return open_library(folder, self.documents, self.prefer)


@dataclass(frozen=True, slots=True)
class _Web:
    """Where and to whom HTTP is served: the values of the options, read."""

    host: str
    port: int
    workers: int
    token: str
    public_url: str
    log_level: LogLevel


def _over_stdio(served: _Served) -> int:
    """Serve the client that started the process; it is greeted before the dataset is loaded."""
    _exit_on_signals()
    folder, identity = served.find()
    with uncollected():
        from server.app import create_server  # noqa: PLC0415
    holder = LibraryHolder()
    server = create_server(holder, toolsets=served.toolsets, identity=identity, web=False)
    opening = Opening(holder, partial(served.load, folder), delay=GREETING_SECONDS, ends_process=True)
    try:
        server.run("stdio", show_banner=False)
        opening.wait()
    finally:
        holder.close()
    return 0


def _over_http(served: _Served, web: _Web, asked: Asked) -> int:
    """Serve all that reach the address, once the dataset is loaded, and each newer dataset that comes into use."""
    folder, identity = served.find()
    shared = _reserved(web.host, web.port, web.workers)
    port = shared.number if shared else web.port
    if shared and (ended := in_workers(web.workers)) is not None:
        return ended
    with uncollected():
        from server.app import create_server, run_http  # noqa: PLC0415
    holder = LibraryHolder()
    server = create_server(
        holder, toolsets=served.toolsets, token=web.token, public_url=web.public_url, identity=identity
    )
    opening = Opening(holder, partial(served.load, folder))
    try:
        opening.wait()
        follower = Follower(
            holder,
            folder,
            partial(dataset_folder, served.dataset),
            lambda folder: open_settled(partial(served.load, folder)),
            asked,
        )
        if port:
            here = web.public_url or web_address(web.host, port)
            log.info("people read at %s/, MCP clients connect to %s/mcp", here, here)
        with follower.following():
            listening = shared.listen() if shared else None
            run_http(server, web.host, port, log_level=web.log_level, public_url=web.public_url, listening=listening)
    finally:
        holder.close()
    return 0


def web_address(host: str, port: int) -> str:
    """The address of a host and port; an IPv6 address stands in brackets, as its colons would read as a port."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _check_stdio(**of_http: object) -> None:
    """Refuse options (name → value) for HTTP, rather than ignore them.

    Raises:
        SettingsError: one of them was given.
    """
    usual = {"host": _HOST, "port": _PORT, "workers": 1, "no_auth": False, "public_url": None}
    for name, value in of_http.items():
        if value != usual[name]:
            msg = f"--{name.replace('_', '-')} is for --transport http; on stdio the client starts a server for itself"
            raise SettingsError(msg)


def _reserved(host: str, port: int, workers: int) -> Port | None:
    """The port that several workers share; one alone takes it for itself later.

    Raises:
        SettingsError: the port is not free, which the web server would tell only once the dataset is open.
    """
    if workers > 1:
        return Port(host, port)
    free_port(host, port)
    return None


def _exit_on_signals() -> None:
    """stdin reads block, and PID 1 ignores unhandled signals."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: os._exit(128 + number))
