"""The message of an answer as HTML: where it advises another search, or a look-up, a link to that."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from server.pages.fields import label_of
from server.pages.html import Html, element, markup
from server.pages.sections import EVERYTHING, section_of
from server.tools.parameters import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.pages.asked import Asked
    from server.pages.html import Child

_GIVEN: Final = r'(?P<given>[a-z_]+)=(?P<value>"[^"]*"|[\w/.-]*[\w/])'
_LEFT_OUT: Final = r"(?<=eaving out )(?P<left_out>[a-z_]+)"
_SECTION: Final = r'content_types=\["(?P<section>\w+)"\]'
_TOOL: Final = r"search_(?P<tool>[a-z_]+)"
_LOOK_UP: Final = r'lookup_(?P<looked_up>[a-z_]+)\((?P<arguments>(?:[^()"]|"[^"]*")*)\)'
_ARGUMENT: Final = re.compile(r'(\w+)="([^"]*)"')
_ADVICE: Final = re.compile(f"{_LOOK_UP}|{_SECTION}|{_GIVEN}|{_LEFT_OUT}|{_TOOL}")


def advice_html(message: str, asked: Asked) -> Html:
    """`To require that, filter: type="undead"`, with a link to the same search that requires it."""
    return markup(_pieces(message, asked))


def _pieces(message: str, asked: Asked) -> Iterator[Child]:
    end = 0
    for found in _ADVICE.finditer(message):
        if found["tool"]:  # the filters that follow are those of its section
            section = section_of(found["tool"])
            known = {field.name for field in section.fields}
            asked = replace(asked, section=section, given={n: v for n, v in asked.given.items() if n in known})
            yield from (message[end : found.start()], section.title)
            end = found.end()
        elif changed := _changed(found, asked):
            said, search = changed
            yield message[end : found.start()]
            yield element("a", said, href=replace(search, offset="").address)
            end = found.end()
    yield message[end:]


def _changed(found: re.Match[str], asked: Asked) -> tuple[str, Asked] | None:
    """The advice in the words of the form, and the search that follows it; None if the form has no such field."""
    if found["looked_up"]:
        return _looked_up(found, asked)
    if found["section"]:
        section = section_of(found["section"].casefold())
        return None if section is EVERYTHING else (section.title, replace(asked, section=section))
    name, value = found["given"] or found["left_out"], (found["value"] or "").strip('"')
    label = next((label_of(parameter) for parameter in asked.section.fields if parameter.name == name), None)
    if label is None:
        return None
    others = {other: values for other, values in asked.given.items() if other != name}
    if not value:
        return f"“{label}”", replace(asked, given=others)
    return f"{label}: {value}", replace(asked, given=others | {name: (value,)})


def _looked_up(found: re.Match[str], asked: Asked) -> tuple[str, Asked]:
    """The name of a look-up, or that of a part, and the search for it in the look-up's section."""
    section = section_of(found["looked_up"])
    arguments: dict[str, str] = dict(_ARGUMENT.findall(found["arguments"]))
    words = arguments.get("name", arguments.get("part", ""))
    chosen = {field.name: (arguments[field.name],) for field in section.fields if field.name in arguments}
    within = {name: values for name, values in asked.given.items() if name == DOCUMENTS.name}
    return f"{section.title}: {words}", replace(asked, section=section, words=words, given={**chosen, **within})
