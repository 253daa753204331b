"""Transcripts: what a model was told and did, one file per case in the folder of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from benchmarks.assistant.cases import AnswerValue, Call, DatasetName

RUN_FILE: Final = "run.json"
CASES_FOLDER: Final = "cases"


class Turn(BaseModel):
    """A call and its answer.

    Attributes:
        call: what the model called.
        text: the text content of the answer, which is what the model reads.
        structured: the structured content; None if the call was refused.
    """

    model_config = ConfigDict(frozen=True)

    call: Call
    text: str
    structured: dict[str, Any] | None


class Transcript(BaseModel):
    """What happened in one case.

    Attributes:
        id: the case's id.
        turns: the calls so far.
        answer: the model's answer; None until it gave one.
        failure: why the case ended without an answer.
    """

    id: str
    turns: list[Turn] = []
    answer: AnswerValue | None = None
    failure: str | None = None

    @property
    def begun(self) -> bool:
        """Whether the model has replied, or failed to."""
        return bool(self.turns) or self.answer is not None or self.failure is not None


class Run(BaseModel):
    """The facts of a run.

    Attributes:
        model: the model's name.
        date: date of the run, as YYYY-MM-DD.
        dataset: folder of the dataset.
        content: which of the two datasets that is; it decides which questions are asked.
        identity: version and dates of the dataset, as the server reports them.
        instructions: the server's instructions.
        tools: what the model sees of each tool: name, description, inputSchema.
    """

    model: str
    date: str
    dataset: Path
    content: DatasetName
    identity: dict[str, Any]
    instructions: str
    tools: list[dict[str, Any]]


class RunFolder:
    """The folder of a run: `run.json`, and a transcript for each case that was begun."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def begun(self) -> bool:
        """Whether there is a run in it."""
        return (self._folder / RUN_FILE).is_file()

    def begin(self, run: Run) -> None:
        """Begin a run; the folder must not hold one."""
        if self.begun:
            msg = f"{self._folder} already holds a run: name another folder"
            raise FileExistsError(msg)
        (self._folder / CASES_FOLDER).mkdir(parents=True, exist_ok=True)
        (self._folder / RUN_FILE).write_text(run.model_dump_json(indent=2), encoding="utf-8")

    def run(self) -> Run:
        """The facts of the run."""
        return Run.model_validate_json((self._folder / RUN_FILE).read_text(encoding="utf-8"))

    def transcript(self, case_id: str) -> Transcript:
        """A case's transcript; an empty one if it was not begun yet."""
        path = self._path(case_id)
        if not path.is_file():
            return Transcript(id=case_id)
        return Transcript.model_validate_json(path.read_text(encoding="utf-8"))

    def keep(self, transcript: Transcript) -> None:
        """Write a transcript."""
        self._path(transcript.id).write_text(transcript.model_dump_json(indent=2), encoding="utf-8")

    def _path(self, case_id: str) -> Path:
        return self._folder / CASES_FOLDER / f"{case_id}.json"
