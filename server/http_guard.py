"""What is checked of requests over HTTP before they are answered: who sends them, to which address, and how much."""

from __future__ import annotations

import hmac
import ipaddress
import logging
import re
from base64 import b64decode
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from fastmcp.server.auth import AccessToken, TokenVerifier
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse

from server.settings import TOKEN_VARIABLE, SettingsError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("lorekeeper")

MAX_BODY: Final = 256 * 1024
"""Largest request body in bytes; the longest legitimate call, a look-up of 20 names, takes under 8,000."""


_MISDIRECTED: Final = 421
_HOST: Final = re.compile(r"(?P<name>[a-z0-9.-]{1,253})(:\d+)?", re.IGNORECASE | re.ASCII)
_FINAL_DOT: Final = re.compile(rb"(?<=[^.])\.(?=(:\d+)?\Z)")
_MOST_LOGGED: Final = 10
"""Maximum number of refused host names to log, each once: callers choose them, so they must not fill the log."""


class OneToken(TokenVerifier):
    """Accepts one secret, compared in constant time, as `Authorization: Bearer …`."""

    def __init__(self, secret: str) -> None:
        """`secret` is what callers must send."""
        super().__init__()
        self._secret = secret.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        """The caller's rights: all or none."""
        return AccessToken(token="", client_id="token", scopes=[]) if self._is_secret(token) else None

    def admits(self, authorization: str) -> bool:
        """Whether an `Authorization` header has the secret: `Bearer …`, or as the password that browsers prompt for."""
        scheme, _, credentials = authorization.partition(" ")
        if scheme.casefold() == "basic":
            try:
                credentials = b64decode(credentials).decode().partition(":")[2]
            except ValueError:
                return False
        return scheme.casefold() in ("basic", "bearer") and self._is_secret(credentials)

    def _is_secret(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "surrogatepass"), self._secret)


class BodyLimit:
    """Refuses requests of more than `MAX_BODY` bytes with 413, before they are read to the end."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, unless its body is too long."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":  # the caller disconnected in the middle of the body
                return
            body += message.get("body", b"")
            if len(body) > MAX_BODY:
                refusal = JSONResponse({"error": f"the request is longer than {MAX_BODY} bytes"}, status_code=413)
                await refusal(scope, receive, send)
                return
            if not message.get("more_body", False):
                break

        # One message, not the chunks that the caller chose: 256 KiB sent byte by byte would be 60 MB of messages.
        arrived: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def replay() -> Message:
            return arrived.pop() if arrived else await receive()

        await self._app(scope, replay, send)


class FinalSlash:
    """Redirects paths with a slash at the end, as people and proxies write them, to the same path without it."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or redirect it; 308 has clients send the method and the body again."""
        path = scope.get("path", "")
        if scope["type"] != "http" or not path.endswith("/") or path == "/":
            await self._app(scope, receive, send)
            return
        query = scope["query_string"].decode("latin-1")
        # Two slashes at the beginning, or a backslash among them, would lead to another host.
        address = f"/{quote(path.strip('/'))}{'?' if query else ''}{query}"
        await RedirectResponse(address, HTTPStatus.PERMANENT_REDIRECT)(scope, receive, send)


class HostHint:
    """Says how to allow a host where FastMCP refuses one: its own answer is only two words.

    A name with a final dot, which marks it as fully qualified, is treated as the name without the dot.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`, which includes FastMCP's guard."""
        self._app = app
        self._logged: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, replacing a response of 421 with the hint."""
        scope = _without_final_dot(scope)
        refused = False

        async def replaced(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] == _MISDIRECTED:
                refused = True
                headers = {"X-Content-Type-Options": "nosniff"}
                await PlainTextResponse(f"{self._hint(scope)}\n", _MISDIRECTED, headers)(scope, receive, send)
            elif not refused:
                await send(message)

        await self._app(scope, receive, replaced)

    def _hint(self, scope: Scope) -> str:
        """What is wrong with the host that a request names, and what to do; also logged."""
        named = _HOST.fullmatch(Headers(scope=scope).get("host", ""))
        if named is None:
            return "this server does not answer to the host that the request names, which is not a plain host name"
        name = named["name"].casefold()
        hint = (
            f'this server does not answer to the name "{name}": start it with --public-url https://{name}, '
            f"or with FASTMCP_HTTP_ALLOWED_HOSTS='[\"{name}\"]'"
        )
        if name not in self._logged and len(self._logged) < _MOST_LOGGED:
            self._logged.add(name)
            log.warning("a request was refused: %s", hint)
        return hint


def _without_final_dot(scope: Scope) -> Scope:
    headers = scope.get("headers", ())
    named = [(name, _FINAL_DOT.sub(b"", value) if name == b"host" else value) for name, value in headers]
    return {**scope, "headers": named} if named != headers else scope


def check_open(host: str, token: str, *, no_auth: bool) -> None:
    """Refuse to serve other machines without a token, unless `no_auth` allows it.

    Raises:
        SettingsError: `host` is not a loopback address, there is no token and `no_auth` is false.
    """
    if token or no_auth or _is_loopback(host):
        return
    msg = (
        f"--host {host} can be reached from other machines: set {TOKEN_VARIABLE} to a secret that clients send as "
        "`Authorization: Bearer SECRET`, or say --no-auth if something in front of the server asks for one"
    )
    raise SettingsError(msg)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.casefold() == "localhost"
