"""`lorekeeper-build train`: trains the sentence encoder on the questions that people ask."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from cyclopts import App, Parameter
from cyclopts.types import PositiveInt

from build_pipeline.commands.progress import Stages
from build_pipeline.commands.terminal import CommandError, Flag
from build_pipeline.index.adapter import ADAPTER
from build_pipeline.index.models import DEFAULT_MODEL, find_model
from build_pipeline.index.phrases import QUESTIONS, read_phrases, read_questions
from build_pipeline.training.questions import examples, is_held_out, read_library
from build_pipeline.training.settings import DEFAULTS, Settings
from server.dataset.load import load_dataset
from server.dataset.terminal import write

app: Final = App(name="train", help_epilogue="Exit codes: 0 the updates are there, 1 they are not, 2 wrong usage.")


@app.default
def train(
    dataset: Path,
    /,
    *,
    out: Annotated[Path, Parameter(show_default=False)] = ADAPTER,
    model: str = DEFAULT_MODEL,
    questions: Annotated[Path, Parameter(show_default=False)] = QUESTIONS,
    epochs: PositiveInt = DEFAULTS.epochs,
    batch: PositiveInt = DEFAULTS.batch,
    rank: PositiveInt = DEFAULTS.rank,
    half: Flag = False,
    held_out: PositiveInt | None = None,
    quiet: Flag = False,
) -> int:
    """Train the sentence encoder on questions, and write what it learnt: low-rank updates that builds add to it.

    Parameters
    ----------
    dataset
        Folder of a dataset that has what the questions ask for.
    out
        File to write the updates to. Default: the one that builds use.
    model
        The encoder to start from: a folder, or the name of a model in a package or on the model hub.
    questions
        Folder of the questions, which are used together with the phrases. Default: data/questions.
    epochs
        How often each question is seen.
    batch
        Questions per step.
    rank
        Rank of the updates.
    half
        Compute in bfloat16: several times faster on processors with instructions for it, slower on others.
    held_out
        Hold out the questions for one entity in this many, and measure with them what was learnt.
    quiet
        No progress.
    """
    # Imported late: torch takes seconds.
    from build_pipeline.training.low_rank import save  # noqa: PLC0415
    from build_pipeline.training.train import Lesson, Trainee  # noqa: PLC0415

    library = read_library(load_dataset(dataset))
    asked = list(examples(library, [*read_phrases(), *read_questions(questions)]))
    base = find_model(model)
    trainee = Trainee(base, half=half)
    kept = [example for example in asked if held_out and is_held_out(example, held_out)]
    learnt = [example for example in asked if not (held_out and is_held_out(example, held_out))]
    if len(learnt) < batch:
        msg = f"{dataset} answers {len(learnt)} of the questions, fewer than a step of {batch}; give another --batch"
        raise CommandError(msg)
    lesson = Lesson(trainee, library, learnt, Settings(epochs=epochs, batch=batch, rank=rank))
    before = lesson.mean_reciprocal_rank(kept) if kept else 0.0
    with Stages(quiet=quiet) as bars:
        lesson.train(lambda updates: save(updates, base.weights_sha256, out), bars.show)
    write(f"{out}: learnt from {len(learnt):,} questions over {len(library.passages):,} passages\n")
    if kept:
        after = lesson.mean_reciprocal_rank(kept)
        write(f"  mean reciprocal rank of {len(kept):,} held out: {before:.3f} before, {after:.3f} now\n")
    return 0
