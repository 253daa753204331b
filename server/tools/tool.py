"""A tool, independent of any protocol: its texts, its parameters, and how it answers a call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from server.dataset.schema import ENTITY_TABLES
from server.library.message import Message, Named, NamedTool, joined
from server.library.messages import did_you_mean
from server.library.records.json_text import json_text
from server.library.records.parts import has_parts
from server.library.requests.filters import filters_of
from server.library.requests.kinds import FAMILY_TABLES
from server.library.requests.request import Request, RequestError
from server.tools.argument_names import understand
from server.tools.markdown_text import markdown_text
from server.tools.parameters import DOCUMENTS, FORMAT, PAGING, PART, Parameter, of_filter
from server.tools.values import listed, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from server.dataset.tables.columns import Table
    from server.library.library import Library

Envelope = dict[str, Any]

ALWAYS_ON: Final = "documents"
_CAN_QUERY: Final = "can_query"
"""The field of `Request`, among the values of a search."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        name: for callers.
        title: for people.
        toolset: one of `settings.TOOLSETS`, or `ALWAYS_ON`.
        description: for language models: what it finds, when another tool is better, two examples.
        parameters: in the order in which they are published.
        tables: the tables that its records come from; empty for a tool whose results are not records.
        answer: (library, values by parameter name, notes on how they were understood) → the response.
        answers: JSON schemas of the properties of its answers, if they are not those of a finder.
        waits: whether it waits for another process rather than computing.
    """

    name: str
    title: str
    toolset: str
    description: str
    parameters: tuple[Parameter, ...]
    tables: tuple[Table, ...]
    answer: Callable[[Library, Mapping[str, Any], tuple[str, ...]], Envelope]
    answers: Mapping[str, Any] | None = None
    waits: bool = False

    def input_schema(self, library: Library) -> dict[str, Any]:
        """JSON schema of its arguments; descriptions of closed filters list the library's values."""
        properties = {
            parameter.name: parameter.published(library.values(parameter.closed) if parameter.closed else ())
            for parameter in self.parameters
        }
        required = [parameter.name for parameter in self.parameters if parameter.required]
        # Open, since a strict client would not send the other names that `read` understands.
        schema = {"type": "object", "properties": properties}
        return schema | {"required": required} if required else schema

    def call(self, library: Library, arguments: Mapping[str, object]) -> Envelope:
        """Answer a call.

        Raises:
            RequestError: the call cannot be answered as written; the message is for the caller.
        """
        return self.respond(library, arguments)[0]

    def respond(self, library: Library, arguments: Mapping[str, object]) -> tuple[Envelope, str]:
        """Answer a call: the response, and its text content.

        Raises:
            RequestError: the call cannot be answered as written; the message is for the caller.
        """
        understood = understand(self.name, self.parameters, arguments)
        values = self._values(understood.arguments)
        answer = self.answer(library, values, understood.notes)
        return answer, self.text(answer, values)

    def text(self, answer: Envelope, values: Mapping[str, Any]) -> str:
        """The text content of an answer to a call with these values: its table, its records' sheets, or its JSON."""
        if values.get(FORMAT.name) == "text":
            return str(answer["text"])
        if values.get(FORMAT.name) == "markdown":
            return markdown_text(answer)
        return json_text(answer)

    def read(self, arguments: Mapping[str, object]) -> dict[str, Any]:
        """The call's arguments as values by parameter name, with defaults; parameters without a value are left out.

        Raises:
            RequestError: an unknown, missing, ambiguous or invalid argument.
        """
        return self._values(understand(self.name, self.parameters, arguments).arguments)

    def _values(self, arguments: Mapping[str, object]) -> dict[str, Any]:
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in arguments:
            if name not in known:
                raise self._unknown(name, arguments[name])
        values = {}
        for parameter in self.parameters:
            value = arguments.get(parameter.name)
            if value is not None:
                values[parameter.name] = parameter.read(parameter.name, value)
            elif parameter.required and not parameter.is_kind:
                raise _missing(parameter)
            elif parameter.default is not None:
                values[parameter.name] = parameter.default
        return values

    def _unknown(self, name: str, value: object) -> RequestError:
        names = [parameter.name for parameter in self.parameters]
        hint = did_you_mean(name, names)
        unknown = f"Unknown parameter {shown(name)} ({shown(value)}).{hint} "
        takes = (NamedTool(self.name), " takes: ", joined(map(Named, names), ", "), ".")
        return RequestError(name, value, Message(unknown, *takes))


def finder(
    name: str,
    title: str,
    description: str,
    *first: Parameter,
) -> Tool:
    """A tool that finds records. Its name has its tool set and the family that it finds: `search_spell`.

    Its parameters are `first`, the family's filters, `documents` and paging; for look-ups also `format`, and `part` if
    records have parts.
    """
    toolset, _, family = name.partition("_")
    tables = ENTITY_TABLES if family == "all" else (FAMILY_TABLES[family],)
    looks_up = toolset == "lookup"
    part = (PART,) if looks_up and any(map(has_parts, tables)) else ()
    asked = (*first, *(of_filter(f) for f in filters_of(family)), DOCUMENTS, *PAGING, *part)

    def answer(library: Library, values: Mapping[str, Any], notes: tuple[str, ...]) -> Envelope:
        fields: dict[str, Any] = {"notes": notes, _CAN_QUERY: values.get(_CAN_QUERY, False)}
        filters: dict[str, Any] = {}
        for parameter in asked:
            if parameter.name not in values:
                continue
            if parameter.target:
                fields[parameter.target] = values[parameter.name]
            else:
                filters[parameter.name] = values[parameter.name]
        return library.find(Request(family, filters=filters, **fields))

    parameters = (*asked, FORMAT) if looks_up else asked
    return Tool(name, title, toolset, description, parameters, tables, answer)


def beside_query(tool: Tool) -> Tool:
    """A search whose answers may point to the tool `query`, since the caller has it too; another tool as it is."""

    def answer(library: Library, values: Mapping[str, Any], notes: tuple[str, ...]) -> Envelope:
        return tool.answer(library, {**values, _CAN_QUERY: True}, notes)

    return replace(tool, answer=answer) if tool.name.startswith("search_") else tool


def noted(answer: Envelope, notes: tuple[str, ...]) -> Envelope:
    """An answer whose message begins with notes on how the call was understood."""
    return answer | {"message": joined((*notes, answer["message"])) or None}


def _missing(parameter: Parameter) -> RequestError:
    choices = parameter.schema.get("enum")
    valid = f". Valid values: {listed(choices)}" if choices else f": {parameter.doc}"
    return RequestError(parameter.name, None, Message(Named(parameter.name), f" is required{valid}."))
