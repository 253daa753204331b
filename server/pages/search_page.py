"""The start page and the pages of hits, each with the facts that help to choose and the sentence that matched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from server.library.requests.request import Request, RequestError
from server.pages import addresses
from server.pages.advice import advice_html
from server.pages.anchors import anchor_of_hit, is_field
from server.pages.asked import HITS, SECTION, Asked
from server.pages.fields import documents_html, fields_html, label_of
from server.pages.html import Html, element, markup
from server.pages.layout import NAME, Page, search_form
from server.pages.sections import EVERYTHING, SECTIONS
from server.pages.sheet_html import line_html
from server.sheets.line import line
from server.tools.parameters import DOCUMENTS
from server.tools.values import listed, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from server.dataset.record import Record
    from server.library.library import Library


def search_page(library: Library, asked: Asked) -> Page:
    """The page that answers a search; the start page for an empty search."""
    if asked.nothing:
        return _start(library, asked)
    try:
        asked.check()
        values = asked.section.tool.read(asked.arguments)
        _check_documents(library, asked)
        answer = asked.section.tool.answer(library, values, ())
    except RequestError as error:
        asked = replace(asked, unknown={})  # so that links lead to valid searches
        main = markup(
            element("h1", _heading(asked)),
            _chips(library, asked, {}),
            element("p", str(error), class_="refused", role="alert"),
        )
        return Page(_heading(asked), main, _form(library, asked), "hits", status=400)
    main = markup(
        element("h1", _heading(asked)),
        _chips(library, asked, values),
        element("p", _counted(answer, asked), role="status"),
        element("p", advice_html(answer["message"], asked), class_="message") if answer["message"] else None,
        _suggestions(answer, asked),
        element("ol", map(_hit, answer["results"]), start=answer["offset"] + 1, class_="hits"),
        _paging(answer, asked),
    )
    return Page(_heading(asked), main, _form(library, asked), "hits")


def _start(library: Library, asked: Asked) -> Page:
    def counted(key: str) -> str:
        return f"{library.find(Request(key, limit=1, detail='names'))['total']:,}"

    sections = (
        element("li", element("a", section.title, href=addresses.of_search([(SECTION, section.key)])), " ", number)
        for section in SECTIONS
        if section is not EVERYTHING and (number := element("span", counted(section.key)))
    )
    main = markup(
        element("h1", NAME),
        element("p", "Every rule, spell, monster and item of the open books. Ask for a name, or say what you mean."),
        element("ul", sections, class_="sections"),
        element("p", element("a", "Read the books from chapter to chapter", href=addresses.DOCUMENTS)),
    )
    return Page(NAME, main, _form(library, asked, autofocus=True), "start")


def _form(library: Library, asked: Asked, *, autofocus: bool = False) -> Html:
    """The search box, the sections, and the fields of the section."""
    kinds = (
        element(
            "button",
            section.title,
            name=SECTION,
            value=section.key,
            aria_current="true" if section is asked.section else None,
        )
        for section in SECTIONS
    )
    fields = element(
        "details",
        element("summary", "Filters"),
        element("div", fields_html(library, asked), class_="fields"),
        documents_html(library, asked),
        element("button", "Search with these"),
        class_="filters",
    )
    here = element("input", type="hidden", name=SECTION, value=asked.section.key)
    return search_form(
        asked.words,
        here,
        element("div", kinds, class_="kinds", role="group", aria_label="Where to search"),
        fields,
        autofocus=autofocus,
    )


def _check_documents(library: Library, asked: Asked) -> None:
    """Refuse names of documents that the library does not hold.

    Raises:
        RequestError: one of them matches no document.
    """
    for entry, near in library.reading.unknown(asked.given.get(DOCUMENTS.name, ())).items():
        similar = f" Similar: {listed(near)}." if near else ""
        raise RequestError(DOCUMENTS.name, entry, f"There is no book or edition {shown(entry)} here.{similar}")


def _heading(asked: Asked) -> str:
    if not asked.words:
        return asked.section.title
    where = "" if asked.section is EVERYTHING else f" in {asked.section.title.lower()}"
    return f"“{asked.words}”{where}"


def _counted(answer: Mapping[str, Any], asked: Asked) -> str:
    if not answer["count"]:
        return "Nothing found."
    first, last, total = answer["offset"] + 1, answer["offset"] + answer["count"], answer["total"]
    if asked.words:  # copies in other books are folded into one hit, but counted as entries
        return f"{first:,} to {last:,}, best first, of {total:,} entries."
    return f"{first:,} to {last:,} of {total:,}, by name."


def _chips(library: Library, asked: Asked, values: Mapping[str, Any]) -> Html | None:
    """The filters of the search, each a link to the same search without it."""
    chips = []
    for name, given in asked.given.items():
        parameter = next(p for p in asked.section.fields if p.name == name)
        declared = asked.section.filters.get(name)
        for value in given:
            rest = tuple(other for other in given if other != value)
            without = replace(asked, given={**asked.given, name: rest}, offset="").address
            said = declared.says(values[name]) if declared and name in values else f"{label_of(parameter)}: {value}"
            if parameter is DOCUMENTS:
                said = f"in {(library.credit(value) or {}).get('document_name', value)}"
            chips.append(element("li", element("a", said, href=without, aria_label=f"without: {said}")))
    return element("ul", chips, class_="chips") if chips else None


def _suggestions(answer: Mapping[str, Any], asked: Asked) -> Html | None:
    if not answer["suggestions"]:
        return None
    links = (
        element("li", element("a", name, href=replace(asked, words=name, offset="").address))
        for name in answer["suggestions"]
    )
    return markup(element("p", "Perhaps you mean:"), element("ul", links, class_="inline"))


def _hit(record: Record) -> Html:
    part = record.get("part", "")
    address = addresses.of_entity(record["id"], anchor_of_hit(part))
    more = record.get("variants")
    said = record.get("matched") or record.get("description")
    return element(
        "li",
        element("a", record["name"], f": {part}" if part and not is_field(part) else None, href=address),
        element("span", line_html(line(record)), class_="facts"),
        element(
            "span",
            record["document_name"],
            f" and {more['count']} more" if more else None,
            class_="book",
        ),
        element("p", said) if said else None,
    )


def _paging(answer: Mapping[str, Any], asked: Asked) -> Html | None:
    offset, following = answer["offset"], answer["next_offset"]

    def links() -> Iterator[Html]:
        if offset:
            before = max(0, offset - HITS) if answer["count"] else 0  # past the end, back to the first page
            yield element("a", "← Before", rel="prev", href=replace(asked, offset=str(before or "")).address)
        if following is not None:
            yield element("a", "More →", rel="next", href=replace(asked, offset=str(following)).address)

    found = list(links())
    return element("nav", found, class_="paging", aria_label="Pages of hits") if found else None
