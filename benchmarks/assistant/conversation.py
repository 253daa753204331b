"""A conversation about one case: the messages to the model, and the effects of its replies."""

from __future__ import annotations

from typing import Any, Final, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from benchmarks.assistant.cases import AnswerValue, Call, Case, Form, Probe
from benchmarks.assistant.transcript import Run, Transcript, Turn

MAX_CALLS: Final = 15
"""Number of calls after which a question counts as not answered."""

VALID_REPLY: Final = '{"call": {"tool": …, "arguments": {…}}} or {"answer": …}'
CALL_OR_DECLINE: Final = (
    "Reply with the first tool call that you would make to answer. If no tool can help, reply with an answer that "
    "says so, without a call."
)
FORMS: Final[dict[Form, str]] = {
    "names": "Answer with a JSON list of names as the library prints them, each once; [] if there are none.",
    "name": "Answer with one name or word, as a JSON string.",
    "number": "Answer with a JSON number.",
    "yes or no": "Answer with true for yes or false for no.",
}


class Tools(Protocol):
    """The tools that answer calls."""

    async def call(self, call: Call) -> Turn:
        """Make a call."""
        ...


class Reply(BaseModel):
    """A model's reply: `{"call": {"tool": …, "arguments": {…}}}` or `{"answer": …}`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    call: Call | None = None
    answer: AnswerValue | None = None


def read_reply(text: str | bytes) -> Reply:
    """A reply in JSON.

    Raises:
        ValueError: it is neither a call nor an answer; the message shows valid replies.
    """
    try:
        reply = Reply.model_validate_json(text)
    except ValidationError as error:
        reason = error.errors()[0]["msg"]
    else:
        if (reply.call is None) != (reply.answer is None):
            return reply
        reason = "it must have either a call or an answer"
    shown = text if isinstance(text, str) else text.decode("utf-8", "replace")
    msg = f"not a reply ({reason}): {shown[:200]!r}; valid: {VALID_REPLY}"
    raise ValueError(msg)


def form_of(case: Case) -> str:
    """The form in which the model must reply, in words."""
    return CALL_OR_DECLINE if isinstance(case, Probe) else FORMS[case.form]


def opening(run: Run, case: Case) -> dict[str, Any]:
    """The first message: the tools and the question."""
    return {
        "instructions": run.instructions,
        "tools": run.tools,
        "question": case.question,
        "answer_form": form_of(case),
    }


def following(turn: Turn) -> dict[str, Any]:
    """The message after a call: its answer."""
    return {"result": turn.text, "is_error": turn.structured is None}


def is_over(case: Case, transcript: Transcript) -> bool:
    """Whether a case has ended: there is an answer, a failure or, for a probe, a call."""
    ended = transcript.answer is not None or transcript.failure is not None
    return ended or (isinstance(case, Probe) and bool(transcript.turns))


async def proceed(case: Case, transcript: Transcript, reply: Reply, tools: Tools) -> None:
    """Take a reply: make the call, or keep the answer."""
    if reply.call is None:
        transcript.answer = reply.answer
        return
    transcript.turns.append(await tools.call(reply.call))
    if not isinstance(case, Probe) and len(transcript.turns) >= MAX_CALLS:
        transcript.failure = f"no answer after {MAX_CALLS} calls"
