"""Grading without judgement: calls against accepted calls, answers against exact answers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.assistant.cases import AnswerValue, Case, DatasetName, Form, Probe, Question
from benchmarks.assistant.matching import Matcher
from benchmarks.assistant.outcome import Outcome
from benchmarks.assistant.transcript import Transcript
from server.dataset.names import normalize_name


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of a case.

    Attributes:
        id, kind: those of the case.
        is_probe: whether only the first call counted.
        fault: what is wrong; None if it is right.
        calls: number of calls.
        refused: number of refused calls.
        characters: number of characters that the model read in the answers to its calls.
    """

    id: str
    kind: str
    is_probe: bool
    fault: str | None
    calls: int
    refused: int
    characters: int

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return self.fault is None


def grade(case: Case, transcript: Transcript, content: DatasetName, matcher: Matcher) -> Grade:
    """Grade a case."""
    if isinstance(case, Probe):
        fault = transcript.failure or _probe_fault(case, transcript, matcher)
    else:
        fault = transcript.failure or _answer_fault(case, transcript.answer, content)
    return Grade(
        id=case.id,
        kind=case.kind,
        is_probe=isinstance(case, Probe),
        fault=fault,
        calls=len(transcript.turns),
        refused=sum(turn.structured is None for turn in transcript.turns),
        characters=sum(len(turn.text) for turn in transcript.turns),
    )


def same_answer(form: Form, given: AnswerValue, right: AnswerValue) -> bool:
    """Whether two answers of this form are the same: names as sets, in any case and order."""
    match form:
        case "names":
            return isinstance(given, list) and isinstance(right, list) and _folded(given) == _folded(right)
        case "name":
            return isinstance(given, str) and normalize_name(given) == normalize_name(str(right))
        case "number":
            return isinstance(given, int | float) and not isinstance(given, bool) and given == right
        case "yes or no":
            return given is right


def _folded(names: Iterable[str]) -> set[str]:
    return set(map(normalize_name, names))


def _probe_fault(probe: Probe, transcript: Transcript, matcher: Matcher) -> str | None:
    if not transcript.turns:
        return "made no call" if probe.accept else None
    turn = transcript.turns[0]
    return matcher.fault(probe, turn.call, Outcome.of(turn.structured))


def _answer_fault(question: Question, answer: AnswerValue | None, content: DatasetName) -> str | None:
    if answer is None:
        return "no answer"
    if same_answer(question.form, answer, question.answers[content]):
        return None
    return f"answered {json.dumps(answer, ensure_ascii=False)}"
