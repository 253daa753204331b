"""Training the encoder on questions, and applying the updates in builds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from build_pipeline.index.adapter import ADAPTER, adapter_for
from build_pipeline.index.export import export_model
from build_pipeline.index.graph import Graph
from build_pipeline.index.models import find_model
from build_pipeline.index.passages import Passage
from build_pipeline.index.phrases import Asked
from build_pipeline.training.questions import Library, examples, is_held_out, read_library
from server.dataset.dataset import Dataset

THINGS = 24
WORDS = ["fire", "ice", "storm", "a", "of", "dragon", "breath", "sword", "shield", "heals", "wounds"]
"""The words that the tiny model knows."""


@pytest.fixture(scope="module")
def library() -> Library:
    """Things of three words each from the tiny model's vocabulary, with one passage each."""
    draw = np.random.default_rng(3)
    texts = [" ".join(draw.choice(WORDS, 3, replace=False)) for _ in range(THINGS)]
    things = [("spell", f"thing {number}") for number in range(THINGS)]
    return Library(
        [Passage(f"spell/book/{number}", "facts", text) for number, text in enumerate(texts)],
        things,
        {thing: [number] for number, thing in enumerate(things)},
    )


@pytest.fixture(scope="module")
def asked(library: Library) -> list[Asked]:
    """Two questions for each thing, in random words."""
    draw = np.random.default_rng(4)
    return [
        Asked(kind=kind, names=(name,), phrases=tuple(" ".join(draw.choice(WORDS, 4)) for _ in "ab"))
        for kind, name in library.things
    ]


@pytest.mark.thorough
def test_answers_to_questions_are_learnt_and_exported(
    tiny_model: Path, library: Library, asked: list[Asked], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from build_pipeline.training import low_rank
    from build_pipeline.training.settings import Settings
    from build_pipeline.training.train import Lesson, Trainee

    model = find_model(str(tiny_model))
    assert (model.adapter, model.adapter_sha256) == (None, "")
    settings = Settings(rank=8, rate=0.02, epochs=30, batch=12, nearest=(0, 10))
    learnt = list(examples(library, asked))
    lesson = Lesson(Trainee(model, half=False), library, learnt, settings)
    before = lesson.mean_reciprocal_rank(learnt)
    file, seen = tmp_path / "adapter.safetensors", []
    monkeypatch.setattr(low_rank, "SHARE", 1)  # so that what is exported can be compared with what was learnt
    lesson.train(lambda updates: low_rank.save(updates, model.weights_sha256, file), lambda *at: seen.append(at))
    assert before < 0.4
    assert lesson.mean_reciprocal_rank(learnt) > 2 * before
    assert seen[-1] == ("training", 30 * 4, 30 * 4)

    assert adapter_for(model.weights_sha256, file) == file
    assert adapter_for("another", file) is None
    assert adapter_for(model.weights_sha256, tmp_path / "missing") is None
    export_model(replace(model, adapter=file, adapter_sha256="0" * 64), tmp_path / "export")
    graph = Graph(tmp_path / "export")
    texts = [example.text for example in learnt]
    exported = np.stack([graph.vector(graph.query_prefix + text) for text in texts])
    taught = lesson.trainee.of_questions(texts, settings.question_tokens).detach().numpy()
    # What is written has half the precision of what was learnt.
    assert np.abs(exported - taught).max() < 0.02
    untaught = Trainee(model, half=False).of_questions(texts, settings.question_tokens).detach().numpy()
    assert np.abs(exported - untaught).max() > 0.1


def test_the_updates_are_part_of_a_models_hash(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    untaught = find_model(str(tiny_model))
    taught = tmp_path / "adapter.safetensors"
    taught.write_bytes(b"updates")
    monkeypatch.setattr("build_pipeline.index.models.adapter_for", lambda _: taught)
    model = find_model(str(tiny_model))
    assert (model.adapter, len(model.adapter_sha256)) == (taught, 64)
    assert model.files_sha256 != untaught.files_sha256
    assert model.weights_sha256 == untaught.weights_sha256


def test_questions_with_an_answer_become_examples(library: Library) -> None:
    entries = [
        Asked(kind="spell", names=("Thing 0",), phrases=("what is it",)),
        Asked(kind="spell", names=("Thing 1", "Thing 2"), phrases=("loud one", "bright one")),
        Asked(kind="spell", names=("Nothing",), phrases=("gone",)),
    ]
    found = list(examples(library, entries))
    assert [(example.text, example.others, list(example.answers)) for example in found] == [
        ("what is it", ["what is it"], [0]),
        ("loud one", ["bright one"], [1, 2]),
        ("bright one", ["loud one"], [1, 2]),
    ]
    assert found[1].things == {("spell", "thing 1"), ("spell", "thing 2")}


def test_questions_for_one_thing_are_held_out_together(library: Library, asked: list[Asked]) -> None:
    out = [example for example in examples(library, asked) if is_held_out(example, 3)]
    assert 0 < len(out) < 2 * THINGS
    assert all(len([e for e in out if e.things == example.things]) == 2 for example in out)


def test_passages_of_a_dataset_are_grouped_by_thing(dataset: Dataset) -> None:
    library = read_library(dataset)
    assert {passage.entity_id for passage in library.passages} == set(dataset.ids)
    for thing, numbers in library.of_thing.items():
        assert {library.things[number] for number in numbers} == {thing}


def test_the_shipped_updates_are_for_the_default_model() -> None:
    model = find_model()
    assert (model.adapter, adapter_for(model.weights_sha256)) == (ADAPTER, ADAPTER)


@pytest.mark.thorough
def test_the_command_trains_on_what_a_dataset_answers(
    starter_dataset: Path, tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from build_pipeline.commands.train import train

    out = tmp_path / "new" / "adapter.safetensors"
    assert (
        train(starter_dataset, model=str(tiny_model), out=out, epochs=1, batch=64, rank=2, held_out=5, quiet=True) == 0
    )
    assert adapter_for(find_model(str(tiny_model)).weights_sha256, out) == out
    said = capsys.readouterr().out
    assert f"{out}: learnt from " in said
    assert "mean reciprocal rank of " in said
