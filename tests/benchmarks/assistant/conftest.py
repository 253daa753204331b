"""The cases by id, and a matcher for the starter dataset."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.assistant.cases import Case, load_probes, load_questions
from benchmarks.assistant.matching import Matcher


@pytest.fixture(scope="session")
def cases() -> dict[str, Case]:
    return {case.id: case for case in (*load_probes(), *load_questions())}


@pytest.fixture(scope="session")
def matcher(starter_dataset: Path) -> Matcher:
    return Matcher(starter_dataset)
