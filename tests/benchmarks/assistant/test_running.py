"""Running models by command and by hand, with a real server."""

import json
import sys
from pathlib import Path

import pytest

from benchmarks.assistant import cli
from benchmarks.assistant.cases import Case
from benchmarks.assistant.conversation import MAX_CALLS, read_reply
from benchmarks.assistant.transcript import RunFolder

FAKE_MODEL = Path(__file__).parent / "fake_model.py"

WISH = {"call": {"tool": "lookup_spell", "arguments": {"name": "wish"}}}
SCRIPT = {
    "lookup-fireball": [{"call": {"tool": "lookup_spell", "arguments": {"name": "Fireball"}}}],
    "lookup-owlbear": [{"call": {"tool": "lookup_monster", "arguments": {"name": "owlbear"}}}],
    "off-weather": [{"answer": "The library knows nothing of the weather."}],
    "off-python": [None],
    "ask-top-undead": [WISH, {"answer": "Lich"}],
    "ask-iron-golem-cr": [WISH] * MAX_CALLS,
}
"""Case → replies of the scripted model, which has none for other cases."""


@pytest.fixture
def few_cases(monkeypatch: pytest.MonkeyPatch, cases: dict[str, Case]) -> None:
    chosen = [cases[name] for name in (*SCRIPT, "off-capital")]
    monkeypatch.setattr(cli, "_cases", lambda *_: chosen)


@pytest.mark.thorough
@pytest.mark.usefixtures("few_cases")
def test_a_model_is_run_by_command(tmp_path: Path, starter_dataset: Path, cases: dict[str, Case], capfd):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({cases[name].question: replies for name, replies in SCRIPT.items()}))
    folder = tmp_path / "run"
    cli.run(folder, model_command=f"{sys.executable} {FAKE_MODEL} {script}", dataset=starter_dataset, model="f", jobs=3)
    told = json.loads((folder / "report.json").read_text())
    faults = {case["id"]: case["fault"] for case in told["cases"]}
    assert faults.pop("off-python").startswith("not a reply (Invalid JSON")
    assert faults == {
        "lookup-fireball": None,
        "lookup-owlbear": "the call was refused",
        "off-weather": None,
        "ask-top-undead": None,
        "ask-iron-golem-cr": f"no answer after {MAX_CALLS} calls",
        "off-capital": "the model's command ended without a reply",
    }
    assert told["model"] == "f"
    assert (folder / "report.md").read_text() in capfd.readouterr().out
    fireball = RunFolder(folder).transcript("lookup-fireball").turns[0]
    assert fireball.structured == json.loads(fireball.text)
    assert fireball.structured["results"][0]["name"] == "Fireball"


@pytest.mark.thorough
def test_the_baseline_model_follows_the_protocol(
    tmp_path: Path, starter_dataset: Path, cases: dict[str, Case], monkeypatch
):
    chosen = [cases[name] for name in ("meaning-stone-gaze", "off-weather", "ask-top-undead")]
    monkeypatch.setattr(cli, "_cases", lambda *_: chosen)
    cli.run(tmp_path, model_command=f"{sys.executable} -m benchmarks.assistant.baseline", dataset=starter_dataset)
    told = json.loads((tmp_path / "report.json").read_text())
    assert [case["calls"] for case in told["cases"]] == [1, 1, 1]
    assert [case["right"] for case in told["cases"]][:2] == [True, False]
    assert told["cases"][2]["fault"].startswith("answered")


@pytest.mark.thorough
@pytest.mark.usefixtures("few_cases")
def test_replies_can_be_entered_by_hand(tmp_path: Path, starter_dataset: Path, capfd):
    folder, replies = tmp_path / "run", tmp_path / "replies.jsonl"
    with pytest.raises(SystemExit, match="give --dataset and --model"):
        cli.next_(folder)
    cli.next_(folder, dataset=starter_dataset, model="me", count=2)
    first = capfd.readouterr()
    assert "## query\nSQL (DuckDB, one SELECT)" in first.out
    questions = [json.loads(line) for line in first.out.splitlines()[-2:]]
    assert [question["id"] for question in questions] == ["lookup-fireball", "lookup-owlbear"]
    assert first.err == "7 cases are open.\n"

    def take(*lines: dict) -> tuple[str, str]:
        replies.write_text("\n".join(map(json.dumps, lines)))
        cli.answer(folder, replies)
        return tuple(capfd.readouterr())

    out, err = take(
        {"id": "lookup-fireball", **SCRIPT["lookup-fireball"][0]},
        {"id": "lookup-fireball", **SCRIPT["lookup-fireball"][0]},
        {"id": "ask-top-undead", **WISH},
        {"id": "nobody", **WISH},
        {"id": "off-weather"},
    )
    assert err.splitlines()[0] == "lookup-fireball is over already"
    assert "no case has the id 'nobody'" in err
    assert "it must have either a call or an answer" in err
    told = json.loads(out)
    assert (told["id"], told["is_error"]) == ("ask-top-undead", False)
    assert "spell/srd-2014/wish" in told["result"]

    cli.next_(folder, count=9)
    waiting = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert told in waiting
    assert "lookup-fireball" not in [message["id"] for message in waiting]
    assert next(m for m in waiting if m["id"] == "ask-iron-golem-cr")["answer_form"] == "Answer with a JSON number."

    assert take({"id": "ask-top-undead", "answer": "Lich"}) == ("", "")
    cli.report(folder)
    assert "- `" not in capfd.readouterr().out
    with pytest.raises(FileExistsError, match="already holds a run"):
        RunFolder(folder).begin(RunFolder(folder).run())


@pytest.mark.parametrize(
    "text", ["{}", "[]", "?", '{"call": {"arguments": {}}}', '{"answer": 1, "call": {"tool": "t"}}']
)
def test_an_invalid_reply_is_refused(text: str):
    with pytest.raises(ValueError, match="not a reply"):
        read_reply(text)


def test_a_folder_without_a_dataset_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    words = ["x", "next", str(tmp_path / "run"), "--dataset", str(tmp_path), "--model", "m"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit, match=f"{tmp_path} is not a dataset"):
        cli.main()


def test_check_names_invalid_cases(starter_dataset: Path, monkeypatch: pytest.MonkeyPatch, cases, capfd):
    right, wrong = cases["lookup-fireball"], cases["lookup-owlbear"].model_copy(update={"number": 3})
    monkeypatch.setattr(cli, "load_probes", lambda: [right, wrong])
    monkeypatch.setattr(cli, "load_questions", lambda _: [cases["ask-iron-golem-cr"]])
    assert cli.check(dataset=starter_dataset) == 1
    assert capfd.readouterr().out.startswith('lookup-owlbear: lookup_creature({"name": "owlbear"}) returns')
