"""A tool's parameters as options of a command, with the values of the dataset in use for help and completion."""

import inspect
import os
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Literal

import polars as pl
from cyclopts import Group, Parameter, Token

from server.dataset.columns import Table
from server.dataset.manifest import DatasetError
from server.dataset.paths import resolve
from server.library.filter_types import Filter
from server.store.locate import locate_dataset
from server.tools.parameters import DOCUMENTS
from server.tools.parameters import Parameter as ToolParameter
from server.tools.tool import Tool

_FILTERS: Final = Group("Filters", sort_key=2)
_TYPES: Final = {"integer": int, "number": float, "boolean": bool}


def with_parameters(
    run: Callable[..., int], first: Sequence[inspect.Parameter], options: Sequence[inspect.Parameter]
) -> Callable[..., int]:
    """A function that takes these parameters, its own named ones between them, in place of `**given`."""
    signature = inspect.signature(run)
    own = [each for each in signature.parameters.values() if each.kind is each.KEYWORD_ONLY]
    parameters = [*first, *own, *options]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def option(parameter: ToolParameter, tool: Tool) -> inspect.Parameter:
    """A tool's parameter as an option of a command."""
    kind = parameter.schema["type"]
    help_text = "Only these documents or editions: srd-5e,a5e or 5e-2024." if parameter is DOCUMENTS else parameter.doc
    annotation: Any = _TYPES.get(kind, str) if isinstance(kind, str) else str
    settings: dict[str, Any] = {"help": help_text, "group": _FILTERS}
    if "enum" in parameter.schema:
        annotation = Literal[tuple(parameter.schema["enum"])]
    elif parameter.closed and (values := _values(parameter.closed, tool.tables)):
        # Other words are left to the tool, which knows what was meant.
        annotation = Literal[values] | str
    elif "array" in kind:
        annotation = list[str]
        settings |= {"converter": _comma_separated, "negative": "", "accepts_keys": False, "n_tokens": 1}
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[annotation | None, Parameter(**settings)],
    )


def _values(declared: Filter, tables: Sequence[Table]) -> tuple[str, ...]:
    """What the dataset in use holds for a closed filter, for help and completion; nothing if it cannot be read.

    Why it cannot is said by the command itself, when it opens the dataset.
    """
    try:
        folder = locate_dataset(None, os.environ)
        if folder is None:
            return ()
        found = [
            pl.scan_parquet(folder / table.file).select(resolve(table, path)[0]).unique().collect().to_series()
            for table in tables
            for path in declared.paths
        ]
    except (DatasetError, OSError, pl.exceptions.PolarsError):
        return ()
    flat = (series.explode() if series.dtype == pl.List else series for series in found)
    return tuple(sorted({value for series in flat for value in series.drop_nulls()}))


def _comma_separated(_: type, tokens: Sequence[Token]) -> list[str]:
    return [part.strip() for token in tokens for part in token.value.split(",") if part.strip()]
