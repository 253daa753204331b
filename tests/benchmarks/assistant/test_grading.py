"""Grading of answers by their form, and reports by kind."""

import pytest

from benchmarks.assistant.cases import Call, Case
from benchmarks.assistant.grading import Grade, grade, same_answer
from benchmarks.assistant.matching import Matcher
from benchmarks.assistant.report import as_json, as_markdown
from benchmarks.assistant.transcript import Run, Transcript, Turn


@pytest.mark.parametrize(
    ("form", "given", "right"),
    [
        ("names", ["IMP", " balor "], ["Balor", "Imp"]),
        ("names", [], []),
        ("name", "Half plate", "Half Plate"),
        ("name", "hunter’s mark", "Hunter's Mark"),
        ("number", 60.0, 60),
        ("yes or no", False, False),
    ],
)
def test_equal_answers_are_right(form, given, right):
    assert same_answer(form, given, right)


@pytest.mark.parametrize(
    ("form", "given", "right"),
    [
        ("names", ["Balor"], ["Balor", "Imp"]),
        ("names", ["Balor", "Imp", "Rat"], ["Balor", "Imp"]),
        ("names", "Balor", ["Balor"]),
        ("name", ["Lich"], "Lich"),
        ("number", True, 1),
        ("number", "60", 60),
        ("yes or no", 0, False),
        ("yes or no", "no", False),
    ],
)
def test_different_answers_are_wrong(form, given, right):
    assert not same_answer(form, given, right)


def turn(tool: str, structured: dict | None, **arguments) -> Turn:
    return Turn(call=Call(tool=tool, arguments=arguments), text="0123456789", structured=structured)


def graded_as(case: str, kind: str, counts: tuple[int, int, int], *, is_probe: bool, fault: str | None = None) -> Grade:
    calls, refused, characters = counts
    return Grade(case, kind, is_probe, fault, calls, refused, characters)


def test_a_question_is_graded_by_its_answer(cases: dict[str, Case], matcher: Matcher):
    turns = [turn("lookup_creature", None), turn("lookup_creature", {"results": [], "total": 0}, name="lich")]
    transcript = Transcript(id="ask-top-undead", turns=turns, answer="lich")
    graded = grade(cases["ask-top-undead"], transcript, "starter", matcher)
    assert graded == graded_as("ask-top-undead", "superlative", (2, 1, 20), is_probe=False)
    wrong = transcript.model_copy(update={"answer": "Wraith"})
    assert grade(cases["ask-top-undead"], wrong, "starter", matcher).fault == 'answered "Wraith"'
    unfinished = transcript.model_copy(update={"answer": None})
    assert grade(cases["ask-top-undead"], unfinished, "starter", matcher).fault == "no answer"


@pytest.mark.parametrize(("probe", "fault"), [("off-weather", None), ("lookup-fireball", "made no call")])
def test_a_probe_without_a_call_is_wrong(cases: dict[str, Case], matcher: Matcher, probe: str, fault: str | None):
    transcript = Transcript(id=probe, answer="The library cannot tell.")
    assert grade(cases[probe], transcript, "starter", matcher).fault == fault


def test_a_failed_case_is_wrong(cases: dict[str, Case], matcher: Matcher):
    transcript = Transcript(id="off-weather", failure="ended")
    assert grade(cases["off-weather"], transcript, "starter", matcher).fault == "ended"


def test_the_report_adds_up():
    run = Run(
        model="m", date="2026-01-02", dataset="d", content="starter", identity={"version": "1"},
        instructions="abc", tools=[{"name": "t"}],
    )  # fmt: skip
    grades = [
        graded_as("a", "count", (1, 0, 100), is_probe=True),
        graded_as("b", "count", (1, 1, 2_000), is_probe=True, fault="wrong tool"),
        graded_as("c", "rules", (3, 0, 50), is_probe=False),
    ]
    told = as_json(run, grades)
    assert told["listing_characters"] == len('abc[{"name":"t"}]')
    assert told["probes"] == {"cases": 2, "right": 1, "calls": 2, "refused": 1, "characters": 2_100}
    assert told["kinds"]["rules"]["questions"]["calls"] == 3
    assert set(told["kinds"]) == {"count", "rules"}
    text = as_markdown(run, grades)
    assert "| count | 1 of 2 | 2 | 1 | 2,100 |" in text
    assert "| **all** | 1 of 1 | 3 | 0 | 50 |" in text
    assert "- `b` (count): wrong tool" in text
