"""Decides whether a call is one of those that a probe accepts, comparing canonical forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from benchmarks.assistant.cases import Call, Probe
from benchmarks.assistant.outcome import Outcome
from server.dataset.names import normalize_name
from server.dataset.schema import DOCUMENTS
from server.library.documents.document_index import DocumentIndex
from server.library.requests.filters import FILTERS
from server.tools.registry import tool_named

Values = dict[str, Any]

NO_MATTER: Final = frozenset({"limit", "offset", "detail", "part", "format"})
"""Parameters that do not choose records."""
FREE_TEXT: Final = frozenset({"search", "query", "sql"})
"""Parameters in a model's own words, so that only the result of the call decides."""

_FOLDS: Final = {(f"{verb}_{f.family}", f.parameter): f.fold for f in FILTERS for verb in ("search", "lookup")}


class Matcher:
    """Compares calls over one dataset, whose documents have several spellings."""

    def __init__(self, dataset: Path) -> None:
        self._documents = DocumentIndex(pl.read_parquet(dataset / DOCUMENTS.file))

    def fault(self, probe: Probe, made: Call, outcome: Outcome) -> str | None:
        """What is wrong with a probe's first call; None if it is right."""
        if outcome.refused:
            return "the call was refused"
        alternatives = [self._faults(accepted, made, probe, outcome) for accepted in probe.accepted]
        if not alternatives:
            return f"called {made.tool}, though no tool can answer"
        if faults := min(alternatives, key=len):
            return "; ".join(faults)
        if not outcome.holds(probe.returns, probe.number, exactly=probe.exactly):
            return "it did not return what was asked for"
        return None

    def canonical(self, call: Call) -> Values:
        """The values that choose records, by parameter, in one spelling and without defaults.

        Raises:
            RequestError: the call is invalid.
            LookupError: there is no such tool.
        """
        tool = tool_named(call.tool)
        if tool is None:
            msg = f"there is no tool {call.tool!r}"
            raise LookupError(msg)
        nothing = {parameter.name: parameter.default for parameter in tool.parameters}
        values = {
            n: v for n, v in tool.read(call.arguments).items() if n not in NO_MATTER and v not in ("", nothing[n])
        }
        return {name: self._folded(tool.name, name, value) for name, value in values.items()}

    def _folded(self, tool: str, name: str, value: Any) -> Any:
        if name == "documents":
            resolved = self._documents.resolve(value)
            return resolved.keys | resolved.unknown.keys()
        if name == "name":
            return frozenset(map(normalize_name, [value] if isinstance(value, str) else value))
        if name == "content_types":
            return frozenset(map(normalize_name, value))
        if isinstance(value, str):
            return _FOLDS.get((tool, name), normalize_name)(value)
        return value

    def _faults(self, accepted: Call, made: Call, probe: Probe, outcome: Outcome) -> list[str]:
        """The differences between the call and an accepted one."""
        if accepted.tool != made.tool:
            return [f"the tool {made.tool} in place of {accepted.tool}"]
        wanted, given = self.canonical(accepted), self.canonical(made)
        checkable = bool(probe.returns) or probe.exactly or probe.number is not None
        answered = checkable and outcome.holds(probe.returns, probe.number, exactly=probe.exactly)
        return list(_differences(wanted, given, answered=answered))


def _differences(wanted: Mapping[str, Any], given: Mapping[str, Any], *, answered: bool) -> Iterator[str]:
    """The differences, argument by argument. If the call `answered`, another name or a further argument is allowed."""
    for name, value in wanted.items():
        if name not in given:
            yield f"{name} is missing"
        elif name not in FREE_TEXT and given[name] != value and not (name == "name" and answered):
            yield f"{name} is {given[name]!r}"
    for name in given.keys() - wanted.keys():
        if not answered:
            yield f"{name} was not asked for"
