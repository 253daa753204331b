"""A tool's parameters as options of a command; values of the dataset in use serve for help and completion."""

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Literal

from cyclopts import Group, Parameter, Token

from server.commands.completion import Completer, class_name, document_key, subclass_name, value_at, values_at
from server.dataset.tables.columns import Table
from server.library.requests.filter_types import Filter, ValueKind
from server.library.requests.kinds import FAMILY_TABLES
from server.tools.parameters import CONTENT_TYPES_PARAMETER, DOCUMENTS
from server.tools.parameters import Parameter as ToolParameter
from server.tools.tool import Tool

_FILTERS: Final = Group("Filters", sort_key=2)
_HELP: Final = {
    "party": "Levels of the characters: 3,3,3,2.",
    "monsters": 'Numbers with names or ids: "4 wolf" owlbear.',
    DOCUMENTS.name: "Only these documents or editions: srd-2014, 5e-2024; several between commas.",
    CONTENT_TYPES_PARAMETER.name: "Only these kinds: spell,magic-item; creature, equipment, rule, feat, condition…",
    "requires_attunement": "Yes, no, or who may attune: wizard.",
}
_COMPLETERS: Final = {DOCUMENTS.name: document_key, "class_key": class_name, "subclass": subclass_name}
_TYPES: Final = {"integer": int, "number": float, "boolean": bool}


def with_parameters(
    run: Callable[..., int], first: Sequence[inspect.Parameter], options: Sequence[inspect.Parameter]
) -> Callable[..., int]:
    """The function, its signature now `first`, its own keyword-only parameters, and `options` in place of `**given`."""
    signature = inspect.signature(run)
    own = [each for each in signature.parameters.values() if each.kind is each.KEYWORD_ONLY]
    parameters = [*first, *own, *options]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def option(parameter: ToolParameter, tool: Tool) -> inspect.Parameter:
    """A tool's parameter as an option of a command."""
    kind = parameter.schema["type"]
    annotation: Any = _TYPES.get(kind, str) if isinstance(kind, str) else str
    settings: dict[str, Any] = {"help": help_of(parameter), "group": _FILTERS}
    settings["completer"] = completer(parameter, tool)
    if "enum" in parameter.schema:
        annotation = Literal[tuple(parameter.schema["enum"])]
    elif parameter.closed and (values := values_at(parameter.closed.paths, _tables(parameter.closed, tool))):
        # Other words are left to the tool, which can tell what was meant.
        annotation = Literal[tuple(values)] | str
    elif "array" in kind:
        annotation = list[str]
        settings |= {"converter": _comma_separated, "negative": "", "accepts_keys": False, "n_tokens": 1}
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[annotation | None, Parameter(**settings)],
    )


def help_of(parameter: ToolParameter) -> str:
    """The help of a parameter, worded for the command line."""
    doc = _HELP.get(parameter.name, parameter.doc)
    if parameter.schema["type"] != "boolean":
        return doc
    name = parameter.name.replace("_", "-")
    return doc.replace("true:", f"--{name}:").replace("false:", f"--no-{name}:")


def completer(parameter: ToolParameter, tool: Tool) -> Completer | None:
    """The completer of a parameter with many values; None for others."""
    if parameter.name in _COMPLETERS:
        return _COMPLETERS[parameter.name]
    if parameter.sets is None or parameter.sets.kind is not ValueKind.TEXT:
        return None
    return value_at(parameter.sets.paths, _tables(parameter.sets, tool))


def _tables(declared: Filter, tool: Tool) -> Sequence[Table]:
    """The tables with the values of a tool's filter; a tool without tables of its own filters those of a family."""
    return tool.tables or (FAMILY_TABLES[declared.family],)


def _comma_separated(_: type, tokens: Sequence[Token]) -> list[str]:
    return [part.strip() for token in tokens for part in token.value.split(",") if part.strip()]
