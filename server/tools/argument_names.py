"""Arguments under unpublished names: those that can mean only one thing are accepted, with a note."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from server.library.message import Message, Named, NamedTool
from server.library.requests.request import RequestError
from server.tools.values import listed, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.tools.parameters import Parameter

_TEXT_NAMES: Final = {
    "search": ("query", "q", "question", "text", "name", "semantic_query"),
    "query": ("search", "q", "question", "text", "name", "semantic_query"),
    "name": ("search", "query", "q", "names", "semantic_query"),
    "sql": ("query", "q", "statement"),
}
"""The parameter that takes a tool's text → other names for it."""
_OTHER_NAMES: Final = {
    "": {
        "document": "documents",
        "document_key": "documents",
        "document_keys": "documents",
        "class": "class_key",
        "class_name": "class_key",
    },
    "creature": {"creature_type": "type", "challenge_rating": "cr"},
    "equipment": {"item_type": "type"},
    "character_option": {"option_type": "type"},
    "rule": {"type": "rule_type"},
    "encounter": {"levels": "party", "creatures": "monsters"},
    "table": {"dice": "table"},
}
"""Subject of a tool ("" for all tools) → other name → parameter."""
_NEEDLESS: Final = {
    "enable_fuzzy": "similar names are always suggested",
    "semantic": "search_* tools always rank by meaning",
    "part": "only look-ups of creatures, character options and rules have parts",
}
"""Parameter, retired or of other tools → why a tool without it does not need it."""


@dataclass(frozen=True, slots=True)
class Understood:
    """A call in the published names.

    Attributes:
        arguments: values by published name; unknown arguments keep their names.
        notes: sentences on how arguments were read.
    """

    arguments: dict[str, Any]
    notes: tuple[str, ...]


def understand(tool: str, parameters: Sequence[Parameter], given: Mapping[str, object]) -> Understood:
    """Read a call's arguments under their published names.

    Raises:
        RequestError: two arguments mean the same parameter.
    """
    published = {parameter.name: parameter for parameter in parameters}
    meaning = _meanings(tool, published)
    arguments: dict[str, Any] = {}
    notes: list[str] = []
    for name, value in given.items():
        if name in _NEEDLESS and name not in published:
            notes.append(f"{name} is not needed: {_NEEDLESS[name]}.")
            continue
        target = meaning.get(name, name)
        if (target != name and given.get(target) is not None) or target in arguments:
            others = listed(other for other in given if meaning.get(other, other) == target)
            only_one = Message(f"Give only one of {others}: they all mean ", _meant(tool, name, target))
            raise RequestError(name, value, only_one)
        if target in published and isinstance(value, str) and _takes_only_lists(published[target]):
            arguments[target] = _as_list(value, published[target])
            renamed = (Named(target), " ") if target != name else ()
            notes.append(Message(f"Read {name} {shown(value)} as ", *renamed, f"{shown(arguments[target])}."))
            continue
        if target != name:
            notes.append(Message(f"Read {name} as ", _meant(tool, name, target)))
        arguments[target] = value
    notes += _all_kinds(parameters, arguments)
    return Understood(arguments, tuple(notes))


def _meanings(tool: str, published: Mapping[str, Parameter]) -> dict[str, str]:
    """Other name → the parameter of the tool that it means."""
    subject = tool.partition("_")[2]
    meanings = _OTHER_NAMES[""] | _OTHER_NAMES.get(subject, {})
    text = next((name for name in _TEXT_NAMES if name in published), None)
    meanings |= dict.fromkeys(_TEXT_NAMES[text], text) if text else {}
    return {name: target for name, target in meanings.items() if target in published and name not in published}


def _meant(tool: str, name: str, target: str) -> Message:
    """The parameter that an argument means, and the tool that it would have suited, as the end of a sentence."""
    _, _, subject = tool.partition("_")
    meant = Message(Named(target))
    if name == "name":
        everything = subject in ("all", "dnd_content")
        suited = "one of the lookup_* tools" if everything else NamedTool(f"lookup_{subject}")
        meant = Message(meant, "; to look up a name, use ", suited)
    elif target == "name" and name != "names":
        meant = Message(meant, "; to search by meaning, use ", NamedTool(f"search_{subject}"))
    return Message(meant, ".")


def _takes_only_lists(parameter: Parameter) -> bool:
    types = parameter.schema["type"]
    return "array" in types and "string" not in types


def _as_list(text: str, parameter: Parameter) -> list[Any]:
    """A list written as text, if of numbers also without its brackets; otherwise the text as the only member."""
    bare = parameter.schema["items"] == {"type": "integer"}
    for written in (text, f"[{text}]") if bare else (text,):
        try:
            read = json.loads(written)
        except (ValueError, RecursionError):
            continue
        if isinstance(read, list):
            return read
    return [text]


def _all_kinds(parameters: Sequence[Parameter], arguments: Mapping[str, object]) -> Iterator[Message]:
    for parameter in parameters:
        if parameter.is_kind and parameter.required and arguments.get(parameter.name) is None:
            yield Message(Named(parameter.name), " was not given, so all were searched.")
