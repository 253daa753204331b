"""The message of an answer as HTML: where it advises another search, or a look-up, a link to that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from server.library.message import Call, Given, Message, Named, NamedTool, Offset, WhereDocumentsAre
from server.pages import addresses
from server.pages.fields import label_of
from server.pages.html import Html, element, markup
from server.pages.sections import EVERYTHING, SECTIONS, section_of
from server.tools.parameters import CONTENT_TYPES_PARAMETER, DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.library.message import Piece
    from server.pages.asked import Asked
    from server.pages.html import Child
    from server.pages.sections import Section

_SECTION_OF: Final = {f"{does}_{section.key}": section for section in SECTIONS for does in ("search", "lookup")}
"""Tool → the section that it searches."""
_SAID: Final[Mapping[type, str]] = {
    Offset: "That page",
    WhereDocumentsAre: markup(element("a", "The books", href=addresses.DOCUMENTS), " have the valid keys."),
}
_WORDS: Final = ("name", "part", "search")
"""Parameters of calls that are words to search for, the most telling first."""


def advice_html(message: str, asked: Asked) -> Html:
    """`To require that, filter: type="undead"`, with a link to the same search that requires it."""
    return markup(_said(piece, asked) for piece in Message(message).pieces)


def _said(piece: Piece, asked: Asked) -> Child:
    match piece:
        case Named(name, left_out):
            return _without(name, asked) if left_out else _label(name, asked.section) or name
        case Given():
            return _with_value(piece, asked)
        case NamedTool(name):
            return _SECTION_OF[name].title if name in _SECTION_OF else name
        case Call(tool) if tool in _SECTION_OF:
            return piece.lead, _called(piece, asked)
    return _SAID.get(type(piece), str(piece))


def _without(name: str, asked: Asked) -> Child:
    if (label := _label(name, asked.section)) is None:
        return name
    others = {other: values for other, values in asked.given.items() if other != name}
    return _link(f"“{label}”", replace(asked, given=others))


def _with_value(given: Given, asked: Asked) -> Child:
    if given.tool:
        asked = _in_section(_SECTION_OF[given.tool], asked)
    if (label := _label(given.name, asked.section)) is not None:
        required = replace(asked, given={**asked.given, given.name: given.texts})
        return _link(f"{label}: {', '.join(given.texts)}", required)
    section = section_of("".join(given.texts).casefold()) if given.name == CONTENT_TYPES_PARAMETER.name else EVERYTHING
    return str(given) if section is EVERYTHING else _link(section.title, replace(asked, section=section))


def _called(call: Call, asked: Asked) -> Html:
    """The name of a look-up, or that of a part, and the search for it in the look-up's section."""
    section, given = _SECTION_OF[call.tool], {each.name: each.texts for each in call.given}
    words = next((" ".join(given[name]) for name in _WORDS if name in given), "")
    chosen = {field.name: given[field.name] for field in section.fields if field.name in given}
    within = {name: values for name, values in asked.given.items() if name == DOCUMENTS.name}
    return _link(f"{section.title}: {words}", replace(asked, section=section, words=words, given={**chosen, **within}))


def _in_section(section: Section, asked: Asked) -> Asked:
    """The same search in a section, with the filters that it has."""
    known = {field.name for field in section.fields}
    return replace(asked, section=section, given={name: v for name, v in asked.given.items() if name in known})


def _label(name: str, section: Section) -> str | None:
    """The label of a parameter in the form of a section; None if the form has no such field."""
    return next((label_of(field) for field in section.fields if field.name == name), None)


def _link(said: str, search: Asked) -> Html:
    return element("a", said, href=replace(search, offset="").address)
