"""The commands: `run` a model's command, or play by hand with `next` and `answer`; then `report`. `check` the cases."""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from benchmarks.assistant import by_hand, proofs
from benchmarks.assistant.cases import Case, DatasetName, load_probes, load_questions
from benchmarks.assistant.conversation import CALL_OR_DECLINE, VALID_REPLY
from benchmarks.assistant.grading import grade
from benchmarks.assistant.matching import Matcher
from benchmarks.assistant.model_command import run_cases
from benchmarks.assistant.report import as_json, as_markdown
from benchmarks.assistant.serving import serving
from benchmarks.assistant.transcript import RunFolder
from server.dataset.manifest import DatasetError, read_manifest

Part = Literal["probes", "questions"]
DatasetOption = Annotated[Path, Parameter(help="Folder of the dataset.")]
ContentOption = Annotated[DatasetName, Parameter(help="Which of the two datasets that is.")]

app = App(name="benchmarks.assistant", help="How well models answer with nothing but the library's tools.")


@app.command
def run(
    folder: Path,
    *,
    model_command: str,
    dataset: DatasetOption,
    content: ContentOption = "starter",
    model: str = "",
    part: Part | None = None,
    jobs: int = 1,
) -> None:
    """Connect a model to the tools and ask it every case; an interrupted run continues.

    Args:
        folder: folder for the transcripts and the report.
        model_command: command that is started for each case; it reads and writes JSON lines.
        model: the model's name in the report; the command if not given.
        part: only the probes, or only the questions.
        jobs: number of cases at a time.
    """
    kept = RunFolder(folder)
    dataset = _checked(dataset)

    async def work() -> None:
        async with serving(dataset) as tools:
            if not kept.begun:
                kept.begin(await tools.describe(model or model_command, dataset, content))
            await run_cases(model_command, _cases(content, part), kept, tools, jobs)

    asyncio.run(work())
    report(folder)


@app.command(name="next")
def next_(
    folder: Path,
    *,
    dataset: DatasetOption | None = None,
    content: ContentOption = "starter",
    model: str = "",
    part: Part | None = None,
    count: int = 1,
) -> None:
    """Print the next messages; at first also the tools, which requires a dataset and the model's name.

    Args:
        folder: folder of the run.
        model: name of the model that plays.
        part: only the probes, or only the questions.
        count: how many cases to ask at once.
    """
    kept = RunFolder(folder)
    if not kept.begun:
        if dataset is None or not model:
            sys.exit(f"{folder} holds no run yet: give --dataset and --model to begin one")
        asyncio.run(_begin(kept, _checked(dataset), content, model))
        print(by_hand.tools_text(kept.run()))
        print(f'\nReply with JSON lines, each with the "id" of its case and {VALID_REPLY}.')
        print(f"Where no form of answer is asked for: {CALL_OR_DECLINE}\n")
    waiting = list(by_hand.open_cases(_cases(kept.run().content, part), kept))
    for case, transcript in islice(waiting, count):
        print(json.dumps(by_hand.asked(case, transcript), ensure_ascii=False))
    print(f"{len(waiting)} cases are open.", file=sys.stderr)


@app.command
def answer(folder: Path, replies: Path | None = None) -> None:
    """Take replies, one JSON line each, and print the answers to calls of questions.

    Args:
        folder: folder of the run.
        replies: file of replies; stdin if not given.
    """
    kept = RunFolder(folder)
    begun = kept.run()
    cases = _cases(begun.content, None)
    lines = replies.read_text(encoding="utf-8") if replies else sys.stdin.read()

    async def work() -> None:
        async with serving(begun.dataset) as tools:
            for line in filter(str.strip, lines.splitlines()):
                try:
                    message = await by_hand.take(line, cases, kept, tools)
                except ValueError as error:
                    print(error, file=sys.stderr)
                    continue
                if message is not None:
                    print(json.dumps(message, ensure_ascii=False))

    asyncio.run(work())


@app.command
def report(folder: Path) -> None:
    """Grade the transcripts of a run: report.json and report.md in its folder. Cases never begun are left out.

    Args:
        folder: folder of the run.
    """
    kept = RunFolder(folder)
    begun = kept.run()
    matcher = Matcher(begun.dataset)
    grades = [
        grade(case, transcript, begun.content, matcher)
        for case in _cases(begun.content, None)
        if (transcript := kept.transcript(case.id)).begun
    ]
    (folder / "report.json").write_text(
        json.dumps(as_json(begun, grades), indent=2, ensure_ascii=False), encoding="utf-8"
    )
    (folder / "report.md").write_text(as_markdown(begun, grades), encoding="utf-8")
    print(as_markdown(begun, grades))


@app.command
def check(*, dataset: DatasetOption, content: ContentOption = "starter") -> int:
    """Check the cases against a dataset: every accepted call of the starter's probes, and every question's answer."""
    from server.dataset.load import load_dataset  # noqa: PLC0415 - the engine, which the other commands do not need
    from server.library.library import Library  # noqa: PLC0415

    library = Library(load_dataset(dataset))
    faults = [(q.id, fault) for q in load_questions(content) if (fault := proofs.question_fault(q, library, content))]
    if content == "starter":
        faults += [(probe.id, fault) for probe in load_probes() for fault in proofs.probe_faults(probe, library)]
    for case_id, fault in faults:
        print(f"{case_id}: {fault}")
    library.close()
    return 1 if faults else 0


def main() -> None:
    """Run the command line."""
    try:
        sys.exit(app(sys.argv[1:], result_action="return_int_as_exit_code_else_zero"))
    except (DatasetError, OSError) as error:
        sys.exit(str(error))


def _checked(dataset: Path) -> Path:
    """The absolute path of a dataset.

    Raises:
        DatasetError: the folder does not contain one.
    """
    read_manifest(dataset)
    return dataset.resolve()


async def _begin(kept: RunFolder, dataset: Path, content: DatasetName, model: str) -> None:
    async with serving(dataset) as tools:
        kept.begin(await tools.describe(model, dataset, content))


def _cases(content: DatasetName, part: Part | None) -> list[Case]:
    """The cases of a run: probes are about the starter's records."""
    probes = load_probes() if content == "starter" and part != "questions" else []
    return [*probes, *(load_questions(content) if part != "probes" else [])]
