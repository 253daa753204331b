"""`lorekeeper show`, as people and scripts call it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("name", ["spell/srd-2014/fireball", "fireball"])
def test_show_prints_a_sheet(run: Run, name):
    code, out, _ = run("show", name, "--documents", "srd-5e")
    assert code == 0
    assert out.lstrip().startswith("Fireball")
    assert "3rd-level evocation" in out
    assert "\x1b" not in out


def test_show_prints_markdown_and_json(run: Run):
    assert run("show", "spell/srd-2014/fireball", "--markdown")[1].startswith("## Fireball\n")
    assert json.loads(run("show", "spell/srd-2014/fireball", "--json")[1])["id"] == "spell/srd-2014/fireball"


def test_show_prints_the_entry_of_the_first_book_and_names_the_others(run: Run):
    code, out, _ = run("show", "fireball")
    assert code == 0
    assert "spell/srd-2024/fireball" in out
    also = out.splitlines()[-1]
    assert also.startswith("Also in srd-2014")
    assert also.endswith("--documents srd-2014 shows that one.")
    assert "spell/srd-2014/fireball" in run("show", "fireball", "--documents", "srd-2014")[1]
    assert "spell/srd-2014/fireball" in run("show", "fireball", "--prefer", "srd-2014")[1]


def test_a_thing_is_printed_though_the_proficiency_with_it_has_its_name(run: Run, starter_dataset: Path):
    in_starter = ("--dataset", str(starter_dataset))
    code, out, _ = run("show", "thieves' tools", *in_starter)
    assert code == 0
    assert "adventuring-gear/srd-2014/thieves-tools" in out
    assert "Of the same name: lorekeeper show proficiency/srd-2024/thieves-tools." in out
    assert "Also in" not in out
    assert run("show", "proficiency/srd-2024/thieves-tools", *in_starter)[0] == 0


def test_show_lists_what_a_name_may_mean(run: Run):
    code, out, _ = run("show", "fire*")
    assert code == 1
    ids = [line.split("  ")[0] for line in out.splitlines() if re.match(r"[a-z-]+/\S+  ", line)]
    assert "spell/srd-2014/fireball" in ids
    assert [run("show", each)[0] for each in ids] == [0] * len(ids)
    hint = out.splitlines()[-1].partition(": lorekeeper ")[2]
    assert run(*hint.split())[0] == 0


@pytest.mark.parametrize("form", ["--json", "--markdown"])
@pytest.mark.parametrize("name", ["fire*", "firebll"])
def test_no_program_reads_a_list_as_the_record_that_it_asked_for(run: Run, name: str, form: str):
    code, out, err = run("show", name, form)
    assert (code, out) == (1, "")
    assert "fireball" in err.casefold()
    assert err.split() == run("show", name)[1].split()


def test_a_misspelt_id_has_the_names_that_are_near(run: Run):
    assert "Fireball" in run("show", "spell/srd-2014/fireballl")[1]
    assert run("show", "spell/srd-2041/fireball")[1].startswith("spell/srd-2024/fireball ")


def test_a_name_of_several_words_needs_no_quotes(run: Run):
    assert run("show", "hearth", "imp") == run("show", "hearth imp")
    assert run("show", "hearth", "imp")[0] == 0


@pytest.mark.parametrize(
    ("name", "message"), [("firebll", "Fireball"), ("spell/srd-2041/fireball", "There is no spell/srd-2041/fireball.")]
)
def test_show_says_what_does_not_exist(run: Run, name, message):
    code, out, _ = run("show", name)
    assert code == 1
    assert message in out
