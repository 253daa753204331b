"""The fields of a search form, one for each parameter of the section's tool, from the declarations of the filters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from server.dataset.vocabulary import CHALLENGE_RATINGS, challenge_rating_text
from server.library.requests.filter_types import ValueKind
from server.pages.html import Html, element
from server.tools.parameters import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from server.library.library import Library
    from server.library.requests.filter_types import Filter
    from server.pages.asked import Asked
    from server.tools.parameters import Parameter

_MOST_CHOICES: Final = 40
"""Maximum number of values for a drop-down list; a filter with more takes any text."""
_MOST_OFFERED: Final = 300
"""Maximum number of values to suggest while the user types."""
_WORDS: Final = {"is": "", "key": "", "min": "from", "max": "up to", "cr": "CR"}
"""Words in the names of parameters → how labels show them; other words stay."""
_ANY: Final = "any"


def label_of(parameter: Parameter) -> str:
    """`armor_class_min` as `Armor class from`."""
    if parameter.is_kind:
        return "Kind"
    words = [_WORDS.get(word, word) for word in parameter.name.split("_")]
    said = " ".join(filter(None, words))
    return said[:1].upper() + said[1:]


def fields_html(library: Library, asked: Asked) -> Iterator[Html]:
    """The fields of a section except the documents, filled in; without those that do not apply to the chosen kind."""
    kind = next((asked.given[p.name][0] for p in asked.section.fields if p.is_kind and p.name in asked.given), None)
    for parameter in asked.section.fields:
        declared = asked.section.filters.get(parameter.name)
        if parameter is DOCUMENTS or (declared and declared.only and kind and kind not in declared.only):
            continue
        control = _control(parameter, declared, library, asked.given.get(parameter.name, ("",))[0])
        yield element("label", element("span", label_of(parameter)), control)


def documents_html(library: Library, asked: Asked) -> Html:
    """Checkboxes for editions and documents."""
    chosen = set(asked.given.get(DOCUMENTS.name, ()))
    books = library.list_documents()["results"]
    editions = sorted({row["game_system"] for row in books if row["game_system"]})
    # A key that names both a book and an edition stands for the whole edition.
    names = {row["document_key"]: row["document_name"] for row in books if row["document_key"] not in editions}
    offered = {edition: f"All of {edition}" for edition in editions} | names
    boxes = (
        element(
            "label",
            element("input", type="checkbox", name=DOCUMENTS.name, value=key, checked=key in chosen),
            element("span", name),
        )
        for key, name in offered.items()
    )
    return element("fieldset", element("legend", "Only in these books"), boxes, class_="books")


def _control(parameter: Parameter, declared: Filter | None, library: Library, value: str) -> Html:
    choices = _choices(parameter, declared, library)
    if choices is not None:
        if value and value not in choices:
            choices = {**choices, value: value}
        options = (
            element("option", shown, value=choice, selected=choice == value)
            for choice, shown in {"": _ANY, **choices}.items()
        )
        return element("select", options, name=parameter.name)
    offered = library.values(declared)[:_MOST_OFFERED] if declared and declared.kind is ValueKind.TEXT else ()
    return _text_input(parameter, declared, value, offered)


def _choices(parameter: Parameter, declared: Filter | None, library: Library) -> dict[str, str] | None:
    """The values to choose from, as sent → as shown; None if any text is valid."""
    if declared is None:
        return {token: _spaced(token) for token in parameter.schema["enum"] if token != parameter.default}
    values: Sequence[str] | None = None
    match declared.kind:
        case ValueKind.BOOLEAN:
            return {"true": declared.phrase, "false": declared.phrase_false}
        case ValueKind.CHALLENGE:
            values = [challenge_rating_text(rating) for rating in CHALLENGE_RATINGS]
        case ValueKind.INTEGER if declared.maximum is not None:
            values = [str(number) for number in range(int(declared.minimum), int(declared.maximum) + 1)]
        case ValueKind.CLOSED | ValueKind.TEXT:
            known = library.values(declared)
            values = known if declared.kind is ValueKind.CLOSED or len(known) <= _MOST_CHOICES else None
    return None if values is None else {value: value for value in values}


def _text_input(parameter: Parameter, declared: Filter | None, value: str, offered: Sequence[str]) -> Html:
    """A field for a number or a text, with the parameter's documentation as its placeholder."""
    number = declared is not None and declared.kind in (ValueKind.INTEGER, ValueKind.NUMBER)
    values = f"{parameter.name}_values" if offered else None
    box = element(
        "input",
        name=parameter.name,
        value=value,
        placeholder=parameter.doc or None,
        inputmode="decimal" if number else None,
        autocomplete="off",
        list=values,
    )
    options = (element("option", value=offer) for offer in offered)
    return Html(box + (element("datalist", options, id=values) if values else ""))


def _spaced(token: str) -> str:
    return token.replace("-", " ")
