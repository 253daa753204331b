"""The pages of the books: the list of all, with licences and credits, and the contents of one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from server.pages import addresses
from server.pages.html import Html, element, markup
from server.pages.layout import Page
from server.pages.sheet_html import sheet_html
from server.pages.sheet_page import all_of, noun_of
from server.sheets.credit import render_credit
from server.sheets.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.library.library import Library

_WEB: Final = re.compile(r"https?://[^\s\"'<>]+")


def documents_page(library: Library) -> Page:
    """The page that lists all books."""
    books = (
        element(
            "section",
            element("h2", element("a", library.reading.title(key), href=addresses.of_document(key))),
            element(
                "p",
                f"{library.reading.edition(key) or 'no edition of its own'}, {counted(entries, 'entry', 'entries')}",
            ),
            _credit(library, key),
        )
        for key, entries in library.reading.books().items()
    )
    main = markup(
        element("h1", "The books"),
        element("p", "Every text here is its authors’, under the licence that its book names."),
        *books,
    )
    return Page("The books", main, kind="books")


def document_page(library: Library, key: str) -> Page | None:
    """The page of a book; None if the library does not hold it."""
    credit = library.credit(key)
    if credit is None:
        return None
    counts = library.reading.counts(key)
    lists = (
        element("li", element("a", noun_of(each), href=all_of(each, key)), " ", element("span", f"{counts[each]:,}"))
        for each in sorted(counts)
    )
    contents = library.reading.contents(key)
    main = markup(
        element(
            "nav", element("ol", element("li", element("a", "The books", href=addresses.DOCUMENTS))), class_="above"
        ),
        element("h1", credit["document_name"]),
        _credit(library, key),
        element("h2", "What is in it"),
        element("ul", lists, class_="sections"),
        markup(element("h2", "Contents"), _nested(contents)) if contents else None,
    )
    return Page(credit["document_name"], main, kind="books")


def _credit(library: Library, key: str) -> Html:
    """The credit that the licence requires, without the book's name."""
    credit = library.credit(key) or {}
    _, _, below = render_credit(credit).partition("\n\n")
    published = credit.get("permalink") or ""
    links = {published: published} if _WEB.fullmatch(published) else {}
    return element("div", sheet_html(below, links, anchors=False), class_="credit")


def _nested(contents: Sequence[tuple[int, dict[str, Any]]]) -> Html:
    """Contents as nested lists: a record deeper than the one before it goes into a list below that one."""
    items = []
    while contents:
        (depth, record), *rest = contents
        below = next((place for place, (deeper, _) in enumerate(rest) if deeper <= depth), len(rest))
        items.append(
            element(
                "li",
                element("a", record["name"], href=addresses.of_entity(record["id"])),
                _nested(rest[:below]) if below else None,
            )
        )
        contents = rest[below:]
    return element("ol", items, class_="contents")
