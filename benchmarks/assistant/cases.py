"""The cases that models are given: probes, whose first call counts, and questions with exact answers.

`probes.jsonl` and `questions.jsonl` hold one case per line, in the shape of `Probe` and `Question`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

PROBES: Final = Path(__file__).parent / "probes.jsonl"
QUESTIONS: Final = Path(__file__).parent / "questions.jsonl"

ANY_OF: Final = "any_of"

Kind = Literal[
    "look-up",
    "filter",
    "search by meaning",
    "set",
    "superlative",
    "count",
    "editions",
    "rules",
    "can I",
    "class and level",
    "other spelling",
    "third-party book",
    "off topic",
    "several steps",
]
"""What a case asks for."""

Form = Literal["names", "name", "number", "yes or no"]
"""The form of an exact answer."""

DatasetName = Literal["starter", "full"]
"""The starter dataset of `make demo`, and the dataset of all sources."""

AnswerValue = list[str] | str | bool | int | float


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Call(_Strict):
    """A tool call.

    Attributes:
        tool: the tool's name.
        arguments: parameter → value.
    """

    tool: Annotated[str, Field(min_length=1)]
    arguments: dict[str, Any] = Field(default_factory=dict)


class Probe(_Strict):
    """A question whose first call counts.

    Attributes:
        id: unique among all cases; also the name of its transcript.
        kind: what it asks for.
        question: as a player or game master would put it.
        accept: calls that are right; none if no tool can answer. An argument `{"any_of": [...]}` stands for each of its
            members. Arguments that choose no records (limit, offset, detail, part, format) do not matter.
        returns: ids of records that the call must return; a query may return their names instead.
        exactly: whether it must return nothing else.
        number: the number that the call must find: the total of a look-up or search, or a cell of a query's answer.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    kind: Kind
    question: str
    accept: tuple[Call, ...] = Field(strict=False)
    returns: tuple[str, ...] = Field(default=(), strict=False)
    exactly: bool = False
    number: float | None = None

    @property
    def accepted(self) -> Iterator[Call]:
        """The accepted calls, one for each choice of their `any_of`."""
        for call in self.accept:
            choices = [_choices(value) for value in call.arguments.values()]
            for values in product(*choices):
                yield Call(tool=call.tool, arguments=dict(zip(call.arguments, values, strict=True)))


class Question(_Strict):
    """A question with an exact answer.

    Attributes:
        id: unique among all cases; also the name of its transcript.
        kind: what it asks for.
        question: as a player or game master would put it.
        form: the form of the answer.
        answers: dataset → the answer; a question may be about one dataset only.
        proof: the call that finds the answer in either dataset: a query whose rows are the answer.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    kind: Kind
    question: str
    form: Form
    answers: Annotated[dict[DatasetName, AnswerValue], Field(min_length=1)]
    proof: Call


Case = Probe | Question


def load_probes() -> list[Probe]:
    """All probes.

    Raises:
        ValidationError: a line is not a probe.
    """
    return [Probe.model_validate_json(line) for line in PROBES.read_text(encoding="utf-8").splitlines()]


def load_questions(dataset: DatasetName | None = None) -> list[Question]:
    """All questions, or those that have an answer in this dataset.

    Raises:
        ValidationError: a line is not a question.
    """
    questions = [Question.model_validate_json(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    return [question for question in questions if dataset is None or dataset in question.answers]


def _choices(value: Any) -> list[Any]:
    return list(value[ANY_OF]) if isinstance(value, dict) and set(value) == {ANY_OF} else [value]
