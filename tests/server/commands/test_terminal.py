"""`lorekeeper search`, `info` and `verify` as a person or a script calls them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, lorekeeper: Run, tiny_folder: Path) -> Run:
    monkeypatch.setenv("LOREKEEPER_DATASET", str(tiny_folder))
    monkeypatch.setenv("COLUMNS", "100")
    return lorekeeper


def test_a_look_up_prints_sheets(run: Run):
    code, out, _ = run("search", "fireball", "--tool", "lookup_spell", "--documents", "srd-5e")
    assert code == 0
    assert "Casting Time: 1 action" in out
    assert "spell/srd-2014/fireball" in out
    assert "1 of 1" in out


def test_a_list_has_a_line_for_each(run: Run):
    code, out, _ = run("search", "fireball", "--tool", "lookup_spell", "--detail", "summary")
    *lines, notes = out.splitlines()
    assert code == 0
    assert all("Fireball  spell/" in line and len(line) <= 100 for line in lines)
    assert notes.startswith(f"{len(lines)} of {len(lines)}.")


def test_scores_are_explained(run: Run):
    code, out, _ = run("search", "fireball", "--tool", "search_spell", "--explain", "--limit", "1")
    assert code == 0
    assert "coverage" in out


def test_markdown_of_a_look_up(run: Run):
    code, out, _ = run("search", "fireball", "--tool", "lookup_spell", "--documents", "srd-5e", "--format", "markdown")
    assert code == 0
    assert out.startswith("## Fireball\n\n*3rd-level evocation*")


@pytest.mark.parametrize("name", ["spell/srd-2014/fireball", "fireball"])
def test_show_prints_what_a_book_does(run: Run, name):
    code, out, _ = run("show", name, "--documents", "srd-5e")
    assert code == 0
    assert out.lstrip().startswith("Fireball")
    assert "3rd-level evocation" in out
    assert "\x1b" not in out


def test_show_prints_markdown_and_json(run: Run):
    assert run("show", "spell/srd-2014/fireball", "--markdown")[1].startswith("## Fireball\n")
    assert json.loads(run("show", "spell/srd-2014/fireball", "--json")[1])["id"] == "spell/srd-2014/fireball"


def test_show_lists_what_a_name_may_mean(run: Run):
    code, out, _ = run("show", "fireball")
    assert code == 1
    assert "Fireball  spell/srd-2014/fireball" in out
    assert "Fireball  spell/srd-2024/fireball" in out


@pytest.mark.parametrize(
    ("name", "message"), [("firebll", "Fireball"), ("spell/srd-2041/fireball", "There is no spell/srd-2041/fireball.")]
)
def test_show_tells_what_is_not_there(run: Run, name, message):
    code, out, _ = run("show", name)
    assert code == 1
    assert message in out


def test_json_is_the_response_of_the_tool(run: Run):
    code, out, _ = run("search", "--tool", "search_spell", "--level", "3", "--concentration", "no", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["count"] > 0
    assert all(record["level"] == 3 and record["concentration"] is False for record in answer["results"])


def test_every_filter_is_an_option(run: Run):
    code, out, _ = run("search", "--tool", "search_creature", "--immune-to", "poisoned", "--movement", "fly", "--json")
    assert code == 0
    assert [record["name"] for record in json.loads(out)["results"]] == ["Hearth Imp"]


def test_everything_is_searched_by_default(run: Run):
    code, out, _ = run("search", "fire", "--content-types", "Spell,Creature", "--limit", "3")
    assert code == 0
    assert "3 of " in out


def test_documents_as_a_table(run: Run):
    code, out, _ = run("search", "--tool", "list_documents", "--format", "text")
    assert code == 0
    assert "System Reference Document 5.1" in out


def test_sql_as_table_json_and_csv(run: Run):
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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["search", "x", "--tool", "lookup_spel"], 'Did you mean "lookup_spell"?'),
        (["search", "x", "--lvl", "3"], "Unknown parameter"),
        (["search", "x", "--tool", "search_spell", "--level", "12"], "0 to 9"),
        (["search", "x", "--tool", "search_spell", "--school", "evocatoin"], "evocation"),
        (["search", "x", "--tool", "list_documents"], "takes no text"),
        (["search", "x", "y"], "y"),
        (["conjure"], "conjure"),
        (["sql", "SELECT nmae FROM spells"], "Near names: spells.name"),
        (["sql", "SELECT 1", "--limit", "0"], "1 to 500"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(run: Run, words, said):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_info(run: Run):
    code, out, _ = run("info")
    assert code == 0
    assert "2026.11.20" in out
    assert json.loads(run("info", "--json")[1])["version"] == "2026.11.20"


def test_verify_finds_damage(run: Run, tiny_folder: Path, tmp_path: Path):
    broken = tmp_path / "broken"
    shutil.copytree(tiny_folder, broken)
    (broken / "spells.parquet").write_bytes(b"PAR1")
    code, _, err = run("verify", str(broken))
    assert code == 1
    assert "spells.parquet" in err
    assert run("search", "x", "--dataset", str(broken))[0] == 1


@pytest.mark.parametrize("command", ["serve", "search", "show", "sql", "info", "verify", "install"])
def test_every_command_has_help(run: Run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"lorekeeper {command}" in out
    assert command in run("--help")[1]
