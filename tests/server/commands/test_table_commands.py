"""The commands for play: encounters, levels, spell lists and rolls."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.amber import AmberSnapshotExtension
from syrupy.location import PyTestLocation

from server.tools.registry import tool_named

SNAPSHOTS = Path(__file__).parents[2] / "snapshots"
Run = Callable[..., tuple[int, str, str]]

CALLS = {
    "encounter": ("encounter", "2,2,3,3", "4 wolf", "owlbear", "2 commoner"),
    "suggest": ("suggest", "3,3,3,3", "--difficulty", "high", "--seed", "7", "--limit", "2"),
    "level-up": ("level-up", "barbarian", "3", "--from-level", "1", "--subclass", "path of the berserker"),
    "spell-list": ("spell-list", "paladin", "--level", "5", "--documents", "srd-2014"),
    "spell-list from a slot": ("spell-list", "cleric", "--slot", "3"),
    "roll": ("roll", "lighthouse keeper", "--seed", "3", "--times", "2"),
}


class InSnapshotsFolder(AmberSnapshotExtension):
    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:  # noqa: ARG003 - all snapshots lie in one folder
        return str(SNAPSHOTS)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, lorekeeper: Run, starter_dataset: Path) -> Run:
    monkeypatch.setenv("LOREKEEPER_DATASET", str(starter_dataset))
    monkeypatch.setenv("COLUMNS", "80")
    return lorekeeper


@pytest.mark.parametrize("case", CALLS)
def test_answers_are_printed_as_sheets(run: Run, snapshot: SnapshotAssertion, case):
    code, out, _ = run(*CALLS[case])
    assert code == 0
    assert all(len(line) <= 80 for line in out.splitlines())
    shown = "\n".join(line.rstrip() for line in out.splitlines())
    assert shown == snapshot(extension_class=InSnapshotsFolder)


def test_json_output_is_the_tools_answer(run: Run, library):
    code, out, _ = run(*CALLS["suggest"], "--json")
    asked = {"party": [3, 3, 3, 3], "difficulty": "high", "seed": 7, "limit": 2}
    assert code == 0
    assert json.loads(out) | {"dataset": 0} == tool_named("suggest_encounter").call(library, asked) | {"dataset": 0}


def test_a_name_of_several_words_needs_no_quotes(run: Run):
    assert run("roll", "lighthouse", "keeper", "--seed", "3") == run("roll", "lighthouse keeper", "--seed", "3")


def test_an_empty_answer_exits_with_1(run: Run):
    code, out, _ = run("roll", "xyzzy")
    assert code == 1
    assert "Found no table" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("encounter", "3,3"), 'needs MONSTERS. Numbers with names or ids: "4 wolf" owlbear'),
        (("suggest",), "needs PARTY. Levels of the characters: 3,3,3,2."),
        (("encounter", "3", "3", "wolf"), "Put a whole number and its name together"),
        (("encounter", "3,x", "wolf"), "levels from 1 to 20"),
        (("level-up", "wizrd", "3"), "no class"),
        (("suggest", "3", "--difficulty", "deadly"), "low"),
        (("suggest", "3", "--edition", "2014"), "give `lorekeeper suggest` a budget"),
        (("encounter", "3", "wolf", "--documents", "xyz"), 'Unknown documents: "xyz"'),
        (("suggest", "3", "--documents", "xyz"), 'Unknown documents: "xyz"'),
        (("level-up", "wizard", "3", "--documents", "xyz"), 'Unknown documents: "xyz"'),
        (("spell-list", "wizard", "--documents", "xyz"), 'Unknown documents: "xyz"'),
        (("roll", "lighthouse keeper", "--documents", "xyz"), 'Unknown documents: "xyz"'),
    ],
)
def test_a_wrong_argument_is_explained(run: Run, words, said):
    code, _, err = run(*words)
    assert code == 2
    assert said in err
    assert err.count("\n") == 1
