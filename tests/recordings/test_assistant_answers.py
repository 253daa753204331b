"""The assistant benchmark's answers, checked with the dataset of all sources."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.assistant.cases import Question, load_questions
from benchmarks.assistant.proofs import question_fault
from server.dataset.load import load_dataset
from server.library.library import Library

pytestmark = [pytest.mark.recordings, pytest.mark.timeout(1500)]


@pytest.fixture(scope="module")
def full_library(built: Path) -> Iterator[Library]:
    library = Library(load_dataset(built))
    yield library
    library.close()


@pytest.mark.parametrize("question", load_questions("full"), ids=lambda question: question.id)
def test_proofs_find_the_answers(question: Question, full_library: Library) -> None:
    assert question_fault(question, full_library, "full") is None
