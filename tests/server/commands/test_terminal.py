"""The commands that read a dataset, as people and scripts call them."""

import csv
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from server.command_line import app
from server.commands import printing
from server.dataset.terminal import Terminal
from server.tools.registry import tool_named

Run = Callable[..., tuple[int, str, str]]

TOOL_OF = {
    "search": "search_all",
    "spells": "search_spell",
    "creatures": "search_creature",
    "equipment": "search_equipment",
    "options": "search_character_option",
    "rules": "search_rule",
}


def test_each_hit_has_a_line_and_the_next_page_is_named(run: Run):
    code, out, _ = run("spells", "wall", "of", "fire", "--limit", "2")
    *lines, notes, next_page = out.splitlines()
    assert code == 0
    assert "Wall of Fire" in lines[0]
    assert "srd-20" in lines[0]
    assert [len(line) <= 100 for line in lines] == [True, True]
    assert notes.startswith("2 of ")
    assert next_page == "lorekeeper show NAME prints one, --page 2 shows the next."
    following = run("spells", "wall", "of", "fire", "--limit", "2", "--page", "2")[1].splitlines()
    assert not set(following[:2]) & set(lines)


def test_full_prints_hits_as_sheets(run: Run):
    code, out, _ = run("spells", "fireball", "--documents", "srd-5e", "--full", "--limit", "1")
    assert code == 0
    assert "Casting Time: 1 action" in out
    assert "spell/srd-2014/fireball" in out


def test_output_longer_than_the_terminal_is_paged(run: Run, monkeypatch: pytest.MonkeyPatch):
    paged: list[str] = []
    monkeypatch.setattr(printing.pydoc, "pager", paged.append)
    monkeypatch.setattr(printing, "Terminal", lambda: Terminal(force_terminal=True, width=100, height=8))
    run("spells", "--limit", "2")
    assert paged == []
    run("spells", "--limit", "100")
    assert "Fireball" in paged[0]


@pytest.mark.parametrize("words", [["documents"], ["sql", "SELECT name FROM spells"], ["show", "fireball"]])
def test_whatever_is_long_is_paged(run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str]):
    paged: list[str] = []
    monkeypatch.setattr(printing.pydoc, "pager", paged.append)
    monkeypatch.setattr(printing, "Terminal", lambda: Terminal(force_terminal=True, width=100, height=3))
    assert run(*words)[:2] == (0, "")
    assert [text.count("\n") >= 3 for text in paged] == [True]


@pytest.mark.parametrize(
    ("pager", "used"), [("no-such-pager -R", None), ("", None), (f"{sys.executable} -I", f"{sys.executable} -I")]
)
def test_a_pager_that_is_missing_is_not_used(run: Run, monkeypatch: pytest.MonkeyPatch, pager: str, used: str | None):
    monkeypatch.setenv("PAGER", pager)
    monkeypatch.setenv("MANPAGER", "man-pages-only")
    chosen: list[tuple[str | None, str | None]] = []
    named = ("PAGER", "MANPAGER")
    monkeypatch.setattr(printing.pydoc, "pager", lambda _: chosen.append(tuple(map(os.environ.get, named))))
    monkeypatch.setattr(printing, "Terminal", lambda: Terminal(force_terminal=True, width=100, height=3))
    run("show", "fireball")
    assert chosen == [(used, None)]


def test_lines_end_with_their_text(run: Run):
    for words in (["show", "fireball"], ["show", "hearth", "imp"], ["spells", "fire"]):
        lines = run(*words)[1].splitlines()
        assert any(lines)
        assert [line for line in lines if line != line.rstrip()] == []


def test_another_program_gets_whole_lines(run: Run, monkeypatch: pytest.MonkeyPatch):
    def facts() -> list[bool]:
        return [" · HP " in line for line in run("creatures", "--type", "dragon")[1].splitlines() if "  CR " in line]

    monkeypatch.setenv("COLUMNS", "50")
    assert not any(facts())
    monkeypatch.delenv("COLUMNS")
    assert all(facts())


def test_explain_prints_the_parts_of_scores(run: Run):
    code, out, _ = run("spells", "fireball", "--explain", "--limit", "1")
    assert code == 0
    assert "coverage" in out


def test_help_shows_every_filter(run: Run):
    for command, tool in TOOL_OF.items():
        out = run(command, "--help")[1]
        for parameter in tool_named(tool).parameters:
            if parameter.target not in ("search", "detail", "offset"):
                assert f"--{parameter.name.replace('_', '-')}" in out


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(("command", "values"), [("spells", ["evocation"]), ("suggest", ["undead", "gargantuan"])])
def test_help_lists_the_values_of_the_dataset_in_use(command: str, values: list[str]):
    # In a new process, as the values are read when the command is imported.
    words = [sys.executable, "-c", "from server.cli import main; main()", command, "--help"]
    out = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
    assert [value for value in values if value not in out] == []


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (["--ritual", "false"], ["--no-ritual"]),
        (["--ritual", "Yes", "--limit", "1"], ["--ritual", "--limit", "1"]),
        (["--no-ritual", "no"], ["--ritual"]),
        (["--full", "true"], ["true", "--full"]),
        (["no"], ["--limit", "10", "no"]),
    ],
)
def test_yes_or_no_after_a_flag_is_its_value(run: Run, words: list[str], same: list[str]):
    assert run("spells", *words)[:2] == run("spells", *same)[:2]
    assert run("spells", "--ritual")[1] != run("spells", "--no-ritual")[1]


def test_help_describes_negated_flags(run: Run):
    assert "--no-is-magic: mundane" in run("equipment", "--help")[1]


def test_help_names_required_arguments(run: Run):
    assert " PARTY" in run("suggest", "--help")[1].splitlines()[0]


def test_sql_can_be_typed_without_quotes(run: Run):
    assert run("sql", "SELECT", "1", "AS", "one", "--json") == run("sql", "SELECT 1 AS one", "--json")


def test_the_completion_script_offers_options_and_values():
    script = app.generate_completion(prog_name="lorekeeper", shell="bash")  # noqa: S604 - the name of a shell
    assert "--immune-to" in script
    assert "condition" in script


def test_a_list_has_the_facts_that_people_choose_by(run: Run):
    young = "Young Red Dragon    srd-2024  CR 10 · Large Dragon · AC 15 · HP 160"
    assert young in run("creatures", "--type", "dragon")[1]


def test_a_narrow_list_keeps_challenge_ratings(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "60")
    *lines, _, _ = run("creatures", "--limit", "100")[1].splitlines()
    records = json.loads(run("creatures", "--limit", "100", "--json")[1])["results"]
    rated = [record["challenge_rating"] is not None for record in records]
    assert any(rated)
    assert ["  CR " in line for line in lines] == rated


def test_a_ranked_hit_has_the_facts_before_the_sentence(run: Run):
    for command, fact in (("creatures", r"  CR [\d/]+ · "), ("spells", r"  (level \d|cantrip) · ")):
        *lines, _, _ = run(command, "burning")[1].splitlines()
        assert all(re.search(fact, line) for line in lines if line[0].isdigit())


def test_document_keys_are_aligned(run: Run):
    *lines, _, _ = run("creatures", "--type", "dragon")[1].splitlines()
    assert len({line.index("srd-20") for line in lines}) == 1


def test_printed_records_are_not_limited_by_the_response_budget(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.library.library.MAX_RESPONSE_CHARS", 2_000)
    _, out, _ = run("spells", "--full", "--limit", "100")
    assert out.count("Casting Time: ") == int(re.search(r"(\d+) of", out)[1])
    assert "truncated" not in out


def test_json_output_is_the_tools_response(run: Run):
    code, out, _ = run("spells", "--level", "3", "--no-concentration", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["count"] > 0
    assert all(record["level"] == 3 and record["concentration"] is False for record in answer["results"])


def test_filters_are_options(run: Run):
    code, out, _ = run("creatures", "--immune-to", "poisoned", "--movement", "fly", "--json")
    assert code == 0
    assert [record["name"] for record in json.loads(out)["results"]] == ["Hearth Imp"]


def test_lists_are_separated_by_commas(run: Run):
    code, out, _ = run("search", "fire", "--content-types", "Spell,Creature", "--limit", "3")
    assert code == 0
    assert "3 of " in out


def test_documents_lists_every_book_with_its_source(run: Run):
    code, out, _ = run("documents")
    assert code == 0
    assert "System Reference Document 5.1" in out
    keys = [row["document_key"] for row in json.loads(run("documents", "--json")[1])["results"]]
    listed = [line for line in out.splitlines()[:-1] if not line.startswith(" ")]
    assert sorted(line.split()[0] for line in listed) == sorted(set(keys))
    total = json.loads(run("search", "--json", "--limit", "1")[1])["total"]
    assert f" books, {total:,} entries." in out
    for source in re.findall(r"; from (\w+)$", out, re.MULTILINE):
        assert set(re.findall(r"; from (.+)", run("documents", "--source", source)[1])) == {source}


def test_an_unknown_book_among_known_ones_is_mentioned(run: Run):
    code, out, _ = run("spells", "fire", "--documents", "nosuch,srd-2014")
    assert code == 0
    assert "`lorekeeper documents` lists the valid keys." in out


def test_sql_prints_a_table_json_or_csv(run: Run):
    dragons = (
        "SELECT name, challenge_rating, actions[1].name AS acts, environments FROM creatures WHERE type = 'dragon' "
    )
    dragons += "AND document_key = 'srd-2014' ORDER BY 2 DESC"
    code, out, _ = run("sql", dragons)
    assert code == 0
    assert "Ancient Red Dragon" in out
    code, out, _ = run("sql", dragons, "--json")
    assert json.loads(out)["rows"][0] == ["Ancient Red Dragon", 24.0, "Fire Breath", None]
    code, out, err = run("sql", dragons, "--csv", "--limit", "1")
    assert out == "name,challenge_rating,acts,environments\nAncient Red Dragon,24.0,Fire Breath,\n"
    assert "more than 1 rows" in err
    assert '"forest"' in run("sql", "SELECT environments FROM creatures WHERE name = 'Wolf'")[1]


def test_tables_and_matches_are_not_limited_by_the_response_budget(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.library.library.MAX_RESPONSE_CHARS", 2_000)
    _, out, err = run("sql", "SELECT name, description FROM spells", "--csv", "--limit", "500")
    _, counted, _ = run("sql", "SELECT count(*) FROM spells", "--csv")
    assert len(list(csv.reader(out.splitlines(keepends=True)))) == int(counted.split()[1]) + 1
    assert err == ""
    matches = run("show", "*")[1]
    assert len(matches.splitlines()) > 20, matches


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["spells", "x", "--lvl", "3"], "--lvl"),
        (["spells", "x", "--level", "12"], "0 to 9"),
        (["spells", "x", "--school", "evocatoin"], 'Did you mean "evocation"?'),
        (["spells", "x", "--limit", "101"], "100"),
        (["rules", "x", "--rule-type", "tale"], "tale"),
        (["search", "x", "--cr-max", "5"], "It is an option of: lorekeeper creatures."),
        (["spells", "fire", "--documents", "xyz"], 'Unknown documents: "xyz". `lorekeeper documents` lists'),
        (["show", "fireball", "--documents", "xyz"], 'Unknown documents: "xyz". `lorekeeper documents` lists'),
        (["equipment", "--requires-attunement"], "Yes, no, or who may attune"),
        (["prune", "--keep", "-1"], "Must be >= 0"),
        (["install"], "Choose from: claude-desktop, claude-code"),
        (["install", "cursor", "--print", "--documents", "nosuch"], 'Unknown documents: "nosuch"'),
        (["documents", "--source", "srdd"], "srdd"),
        (["conjure"], "`lorekeeper show conjure` prints"),
        (["goblin", "boss"], "`lorekeeper search goblin boss`"),
        (["--prefer"], 'There is no command "--prefer". `lorekeeper --help` lists'),
        (["creture"], 'Did you mean "creatures"?'),
        (["show"], "`lorekeeper show` needs NAME. E.g. goblin warrior"),
        (["show", " "], "`lorekeeper show` needs a name or an id"),
        (["verify"], "needs PATH"),
        (["use", "a", "b"], "has no use for b"),
        (["creatures", "--type", "dragn"], '--type cannot be "dragn"'),
        (["serve", "--toolsets", "roll_table"], "tool of the set table"),
        (["sql", "SELECT nmae FROM spells"], "Similar names: spells.name"),
        (["sql", "SELECT 1", "--limit", "0"], "1 to 500"),
    ],
)
def test_wrong_usage_is_explained_in_one_line(run: Run, words, said):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_info_prints_the_version(run: Run):
    code, out, _ = run("info")
    assert code == 0
    assert "2026.11.20" in out
    assert json.loads(run("info", "--json")[1])["version"] == "2026.11.20"


@pytest.mark.parametrize("command", [*TOOL_OF, "show", "documents", "sql", "info", "doctor", "datasets", "pull"])
def test_every_json_option_is_described(run: Run, command: str):
    assert re.search(r"--json\s+Print JSON\.", run(command, "--help")[1])


def test_verify_finds_damage(run: Run, tiny_folder: Path, tmp_path: Path):
    broken = tmp_path / "broken"
    shutil.copytree(tiny_folder, broken)
    (broken / "spells.parquet").write_bytes(b"PAR1")
    code, _, err = run("verify", str(broken))
    assert code == 1
    assert "spells.parquet" in err
    assert run("search", "x", "--dataset", str(broken))[0] == 1


@pytest.mark.parametrize(
    "command", ["serve", *TOOL_OF, "show", "documents", "sql", "export", "info", "verify", "install", "doctor"]
)
def test_every_command_has_help(run: Run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"lorekeeper {command}" in out
    assert command in run("--help")[1]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("serve", "/health reports"),
        ("serve", "search (search_*)"),
        ("encounter", "experience points against the budgets of its"),
    ],
)
def test_the_help_of_a_command_says_more_than_the_list(run: Run, command: str, told: str) -> None:
    assert told in run(command, "--help")[1]
    assert told not in run("--help")[1]


def test_the_module_is_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(sys, "argv", ["lorekeeper", "--version"])
    monkeypatch.delitem(sys.modules, "server.cli")  # which runpy warns of
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("server.cli", run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out.strip() == version("lorekeeper-offline")
