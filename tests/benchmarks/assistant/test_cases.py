"""The cases are valid: accepted calls return what they should, and proofs find the stated answers."""

from collections import Counter
from typing import get_args

import pytest
from pydantic import ValidationError

from benchmarks.assistant.cases import Call, Kind, Probe, Question, load_probes, load_questions
from benchmarks.assistant.proofs import probe_faults, question_fault
from server.library.library import Library

PROBES = load_probes()
QUESTIONS = load_questions()
OF_STARTER = load_questions("starter")


def test_there_are_enough_cases():
    assert len(PROBES) >= 150
    assert len(OF_STARTER) >= 40
    assert len(load_questions("full")) >= 40


def test_every_kind_has_a_case():
    counts = Counter(probe.kind for probe in PROBES)
    assert set(counts) == set(get_args(Kind))
    assert min(counts.values()) >= 10


def test_ids_and_wordings_are_unique():
    cases = [*PROBES, *QUESTIONS]
    assert max(Counter(case.id for case in cases).values()) == 1
    assert max(Counter(case.question for case in cases).values()) == 1


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.id)
def test_accepted_calls_return_what_they_should(probe: Probe, library: Library):
    assert list(probe_faults(probe, library)) == []


@pytest.mark.parametrize("question", OF_STARTER, ids=lambda question: question.id)
def test_proofs_find_the_answers(question: Question, library: Library):
    assert question_fault(question, library, "starter") is None


def probe_of(*calls: Call, **rest) -> Probe:
    return Probe(id="x", kind="look-up", question="?", accept=calls, **rest)


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (Call(tool="lookup_spell", arguments={"name": "wish"}), "returns ('spell/srd-2014/wish',) of 1"),
        (Call(tool="lookup_spell", arguments={"nom": "wish"}), "is refused: Unknown parameter"),
        (Call(tool="find_spell"), "is refused: there is no tool 'find_spell'"),
    ],
)
def test_a_wrong_probe_is_noticed(call: Call, fault: str, library: Library):
    found = list(probe_faults(probe_of(call, returns=("spell/srd-2014/shield",)), library))
    assert len(found) == 1
    assert fault in found[0]


@pytest.mark.parametrize(
    ("form", "answer", "sql", "fault"),
    [
        ("number", 61, "SELECT 60", "proven: 60"),
        ("names", ["Balor"], "SELECT 'Imp'", 'proven: ["Imp"]'),
        ("number", 1, "SELECT 1 UNION SELECT 2", "must find one value"),
        ("number", 1, "SELECT nothing FROM spells", "no column"),
    ],
)
def test_a_wrong_answer_is_noticed(form, answer, sql, fault, library: Library):
    proof = Call(tool="query", arguments={"sql": sql})
    question = Question(id="x", kind="count", question="?", form=form, answers={"starter": answer}, proof=proof)
    assert fault in question_fault(question, library, "starter")


def test_a_choice_means_its_members():
    call = Call(tool="t", arguments={"a": {"any_of": [1, 2]}, "b": {"any_of": ["x", "y"]}, "c": True})
    assert [c.arguments for c in probe_of(call).accepted] == [
        {"a": 1, "b": "x", "c": True},
        {"a": 1, "b": "y", "c": True},
        {"a": 2, "b": "x", "c": True},
        {"a": 2, "b": "y", "c": True},
    ]


@pytest.mark.parametrize("changed", [{"kind": "riddle"}, {"id": "A b"}, {"acccept": []}, {"returns": [1]}])
def test_invalid_cases_are_refused(changed: dict):
    with pytest.raises(ValidationError):
        Probe.model_validate({"id": "x", "kind": "look-up", "question": "?", "accept": []} | changed)
