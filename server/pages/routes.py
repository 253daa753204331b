"""The routes of the pages, and what all responses share: access, caching, and what a page may load."""

from __future__ import annotations

import hashlib
import logging
import secrets
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from server.pages.asked import Asked
from server.pages.assets import ASSETS
from server.pages.document_pages import document_page, documents_page
from server.pages.layout import whole
from server.pages.missing_page import missing_page
from server.pages.search_page import search_page
from server.pages.sheet_page import sheet_page
from server.tools.threads import BusyError, on_a_thread

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.requests import Request

    from server.library.library import Library
    from server.pages.layout import Page
    from server.swap import LibraryHolder

    Handler = Callable[[Request], Awaitable[Response]]
    Write = Callable[[Library], Page | None]

log = logging.getLogger(__name__)

_HEADERS: Final = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Pages load nothing but their own style sheet, script and icon, and cannot be shown in a frame."""

_KEPT: Final = _HEADERS | {"Cache-Control": "public, max-age=31536000, immutable"}

_ASK: Final = {"WWW-Authenticate": 'Basic realm="LoreKeeper", charset="UTF-8"'}
_WHO: Final = "This library requires its token: enter any name, and the token as the password.\n"


class Pages:
    """The pages over the library in service."""

    def __init__(self, holder: LibraryHolder, admits: Callable[[str], bool]) -> None:
        """Prepare to answer.

        Args:
            holder: the library in service.
            admits: whether a request with this `Authorization` header (empty if it has none) may read.
        """
        self._holder = holder
        self._admits = admits

    @property
    def routes(self) -> Mapping[str, Handler]:
        """Path → handler, in the order in which they are matched."""
        return {
            "/": self._search,
            "/documents": self._documents,
            "/documents/{key}": self._document,
            "/assets/{name}": _asset,
            "/{entity_type}/{document}/{slug}": self._sheet,
            "/{path:path}": self._missing,
        }

    async def _search(self, request: Request) -> Response:
        items = request.query_params.multi_items()
        asked = Asked.read(items)
        if items != asked.items:  # forms also send empty fields, but each search should have one address
            return RedirectResponse(asked.address, 303, _HEADERS)
        return await self._answer(request, partial(search_page, asked=asked))

    async def _documents(self, request: Request) -> Response:
        return await self._answer(request, documents_page)

    async def _document(self, request: Request) -> Response:
        return await self._answer(request, partial(document_page, key=request.path_params["key"]))

    async def _sheet(self, request: Request) -> Response:
        return await self._answer(request, partial(sheet_page, entity_id="/".join(request.path_params.values())))

    async def _missing(self, request: Request) -> Response:
        if request.url.path == request.app.state.path:  # MCP clients try GET, and expect this response
            return PlainTextResponse("Method Not Allowed\n", 405, {"Allow": "POST"})
        if not self._is_admitted(request):  # on other paths they do not expect a password prompt
            return PlainTextResponse("Not Found\n", 404, _HEADERS)
        return await self._answer(request, lambda _: None)

    def _is_admitted(self, request: Request) -> bool:
        return self._admits(request.headers.get("authorization", ""))

    async def _answer(self, request: Request, write: Write) -> Response:
        """The response with the page, or the missing page if `write` gives None; written on a thread."""
        if not self._is_admitted(request):
            return PlainTextResponse(_WHO, 401, _HEADERS | _ASK)
        try:
            answer = await on_a_thread(partial(self._written, request.url.path, write))
        except BusyError as busy:
            return PlainTextResponse(f"{busy}\n", 503, _HEADERS | {"Retry-After": "2"})
        except Exception:
            error_id = secrets.token_hex(4)
            log.exception("error %s in %s", error_id, request.url)
            return PlainTextResponse(f"Error {error_id}: the server's log has details under this id.\n", 500, _HEADERS)
        return _unless_kept(answer, request)

    def _written(self, path: str, write: Write) -> Response:
        with self._holder.lend() as library:
            page = write(library) or missing_page(library, path)
            return HTMLResponse(whole(page, library), page.status, _HEADERS)


def _unless_kept(answer: Response, request: Request) -> Response:
    """The page with its hash as ETag, or 304 if the browser's cached copy has the same one.

    The hash covers all that a page depends on: dataset, program and settings. The ETag is weak, as proxies compress.
    """
    if answer.status_code != HTTPStatus.OK:
        return answer
    tag = f'W/"{hashlib.sha256(answer.body).hexdigest()[:32]}"'
    kept = {each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")}
    if tag.removeprefix("W/") in kept:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=_HEADERS | {"ETag": tag})
    answer.headers["ETag"] = tag
    return answer


async def _asset(request: Request) -> Response:
    """A file that pages refer to; it reveals nothing about the library, so it needs no token."""
    found = ASSETS.get(request.url.path)
    if found is None:
        return PlainTextResponse("Not Found\n", 404, _HEADERS)
    return Response(found.content, headers=_KEPT, media_type=found.media_type)
