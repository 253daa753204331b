"""Reads pages as a browser without JavaScript does: requests them and finds their links."""

from __future__ import annotations

import asyncio
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import httpx

from server.app import create_server, http_app
from server.swap import LibraryHolder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.library.library import Library


class Markup(HTMLParser):
    """What a page consists of.

    Attributes:
        elements: tag and attributes of each element, in order.
        text: what stands between them.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._pieces: list[str] = []
        self.feed(page)
        self.close()
        self.text = " ".join(" ".join(self._pieces).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self._pieces.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of a kind."""
        return [attributes for kind, attributes in self.elements if kind == tag]

    @property
    def links(self) -> list[str]:
        """The addresses of its links."""
        return [str(link["href"]) for link in self.all("a")]


class Reader:
    """A reader of a library's pages, in this process."""

    def __init__(self, library: Library, token: str = "") -> None:
        self._app = http_app(create_server(LibraryHolder(library), token=token))

    def get(self, path: str, headers: Mapping[str, str] | None = None, *, follow: bool = True) -> httpx.Response:
        """The answer to a request for a page."""

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                return await client.get(path, headers=headers, follow_redirects=follow)

        return asyncio.run(ask())

    def read(self, path: str) -> Markup:
        """A page, which must exist."""
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.text)
        return Markup(answer.text)
