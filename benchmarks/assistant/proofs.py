"""Checks the cases themselves: makes their accepted calls and proofs on the dataset that they are about."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from benchmarks.assistant.cases import AnswerValue, Call, DatasetName, Probe, Question
from benchmarks.assistant.grading import same_answer
from benchmarks.assistant.outcome import Outcome
from server.library.library import Library
from server.library.requests.request import RequestError
from server.tools.registry import tool_named


def probe_faults(probe: Probe, library: Library) -> Iterator[str]:
    """What is wrong with a probe: accepted calls that are refused, or do not return what they should."""
    for call in probe.accepted:
        try:
            outcome = Outcome.of(_answer(call, library))
        except (RequestError, LookupError) as error:
            yield f"{_shown(call)} is refused: {error}"
            continue
        if not outcome.holds(probe.returns, probe.number, exactly=probe.exactly):
            yield f"{_shown(call)} returns {outcome.rows or outcome.ids} of {outcome.total}"


def question_fault(question: Question, library: Library, content: DatasetName) -> str | None:
    """How the answer that a question's proof finds differs from the recorded one; None if it does not."""
    try:
        found = proven(question, library)
    except (RequestError, LookupError, ValueError) as error:
        return f"{_shown(question.proof)}: {error}"
    written = question.answers[content]
    return None if same_answer(question.form, found, written) else f"proven: {json.dumps(found, ensure_ascii=False)}"


def proven(question: Question, library: Library) -> AnswerValue:
    """The answer that a question's proof finds: the first column of its rows, or its only value.

    Raises:
        RequestError: the library refuses the proof.
        LookupError: its tool does not exist.
        ValueError: the proof's rows do not have the answer's form.
    """
    rows = _answer(question.proof, library)["rows"]
    if question.form == "names":
        return [str(row[0]) for row in rows]
    if len(rows) != 1 or len(rows[0]) != 1 or rows[0][0] is None:
        msg = f"the proof must find one value, not {rows}"
        raise ValueError(msg)
    value: AnswerValue = rows[0][0]
    return value


def _answer(call: Call, library: Library) -> dict[str, Any]:
    tool = tool_named(call.tool)
    if tool is None:
        msg = f"there is no tool {call.tool!r}"
        raise LookupError(msg)
    return tool.call(library, call.arguments)


def _shown(call: Call) -> str:
    return f"{call.tool}({json.dumps(call.arguments, ensure_ascii=False)})"
