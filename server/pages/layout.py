"""The frame of every page: the head, the search box, the footer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from server.pages import addresses
from server.pages.asked import WORDS
from server.pages.assets import ICON, SCRIPT, STYLE
from server.pages.html import Html, element, markup
from server.tools.values import MAX_TEXT

if TYPE_CHECKING:
    from server.library.library import Library
    from server.pages.html import Child

NAME: Final = "LoreKeeper"
MAIN: Final = "main_text"
"""Ids of the layout have an underscore, so that they differ from those of headings in texts, which have none."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page.

    Attributes:
        title: the title of the window.
        main: the content.
        search: the search form, if not the usual one.
        kind: a CSS class.
        status: the HTTP status of the response.
    """

    title: str
    main: Html
    search: Html | None = None
    kind: str = ""
    status: int = 200


def whole(page: Page, library: Library) -> str:
    """A page as a complete HTML document."""
    head = (
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", page.title if page.title == NAME else f"{page.title} · {NAME}"),
        element("link", rel="stylesheet", href=STYLE.address),
        element("link", rel="icon", type="image/svg+xml", href=ICON.address),
        element("script", type="module", src=SCRIPT.address),
    )
    body = (
        element("a", "Skip to the text", href=f"#{MAIN}", class_="skip"),
        element(
            "header",
            element(
                "nav",
                element("a", NAME, href="/", class_="brand"),
                element("a", "The books", href=addresses.DOCUMENTS),
                aria_label="Site",
            ),
            search_form() if page.search is None else page.search,
        ),
        element("main", page.main, id=MAIN, tabindex=-1, class_=page.kind or None),
        _footer(library),
    )
    return "<!doctype html>" + element("html", element("head", *head), element("body", *body), lang="en")


def search_form(words: str = "", *below: Child, autofocus: bool = False) -> Html:
    """A search form: the search box with `below` under it."""
    box = element(
        "input",
        type="search",
        name=WORDS,
        value=words,
        placeholder="a name, or what it does",
        aria_label="Search the library",
        autocomplete="off",
        autocapitalize="off",
        spellcheck="false",
        enterkeyhint="search",
        maxlength=MAX_TEXT,
        autofocus=autofocus,
    )
    line = element("div", box, element("button", "Search"), class_="box")
    return element("form", line, *below, action="/", role="search")


def _footer(library: Library) -> Html:
    about = library.identity
    return element(
        "footer",
        element("p", about["notice"]) if about.get("notice") else None,
        element(
            "p",
            f"Dataset {about['version']}. The texts are their authors’: ",
            element("a", "books, licences and credits", href=addresses.DOCUMENTS),
            f". {NAME} is not affiliated with Wizards of the Coast.",
        ),
        element(
            "p",
            markup(
                element("kbd", "/"), " search, ", element("kbd", "↓"), " and ", element("kbd", "↑"), " through hits"
            ),
            class_="keys",
        ),
    )
