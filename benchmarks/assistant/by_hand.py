"""A model that is operated by hand: it reads each message from the terminal, and writes its replies there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.assistant.cases import Case, Probe
from benchmarks.assistant.conversation import Tools, following, form_of, is_over, proceed, read_reply
from benchmarks.assistant.transcript import Run, RunFolder, Transcript


def tools_text(run: Run) -> str:
    """Everything that a model is told about the library."""
    tools = (
        f"## {tool['name']}\n{tool['description']}\n{json.dumps(tool['inputSchema'], ensure_ascii=False)}"
        for tool in run.tools
    )
    return "\n\n".join((run.instructions, *tools))


def open_cases(cases: Sequence[Case], folder: RunFolder) -> Iterator[tuple[Case, Transcript]]:
    """The cases that are not over, with what happened so far."""
    for case in cases:
        transcript = folder.transcript(case.id)
        if not is_over(case, transcript):
            yield case, transcript


def asked(case: Case, transcript: Transcript) -> dict[str, Any]:
    """The next message of a case: the question, or the answer to the last call."""
    if transcript.turns:
        return {"id": case.id, **following(transcript.turns[-1])}
    form = {} if isinstance(case, Probe) else {"answer_form": form_of(case)}
    return {"id": case.id, "question": case.question, **form}


async def take(line: str, cases: Sequence[Case], folder: RunFolder, tools: Tools) -> dict[str, Any] | None:
    """Take a reply with the `id` of its case; returns the next message of the case, or None if it is over.

    Raises:
        ValueError: the line is not a reply to an open case.
    """
    reply = json.loads(line)
    case_id = reply.pop("id", None)
    case = next((case for case in cases if case.id == case_id), None)
    if case is None:
        msg = f"no case has the id {case_id!r}: give the id that `next` printed"
        raise ValueError(msg)
    transcript = folder.transcript(case.id)
    if is_over(case, transcript):
        msg = f"{case.id} is over already"
        raise ValueError(msg)
    await proceed(case, transcript, read_reply(json.dumps(reply)), tools)
    folder.keep(transcript)
    return None if is_over(case, transcript) else asked(case, transcript)
