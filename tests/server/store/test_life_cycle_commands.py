"""`lorekeeper pull`, `datasets`, `use` and `prune`, as people and scripts call them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from mirror import NEW, OLD, Mirror

from server.dataset.listing import archive_name
from server.store.home import HOME_VARIABLE, Home
from server.store.publisher import LISTING_VARIABLE

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, lorekeeper: Run, home: Home) -> Run:
    for name in ("LOREKEEPER_DATASET", LISTING_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(HOME_VARIABLE, str(home.root))
    return lorekeeper


def test_datasets_are_pulled_chosen_and_pruned(run: Run, home: Home, mirror: Mirror):
    assert json.loads(run("info", "--json")[1])["version"] == OLD
    code, out, err = run("pull", "--url", mirror.listing)
    assert (code, err) == (0, "")
    assert out == f"the dataset {NEW} is in use: {home.folder(NEW)}\n"
    assert json.loads(run("info", "--json")[1])["version"] == NEW
    first, second = run("datasets")[1].splitlines()
    assert (first[:12], second[:12]) == (f"* {NEW}", f"  {OLD}")
    assert run("use", OLD)[0] == 0
    assert [row["in_use"] for row in json.loads(run("datasets", "--json")[1])] == [False, True]
    assert run("prune") == (0, f"nothing to remove; kept besides the one in use: {NEW}\n", "")
    assert run("prune", "--keep", "0")[1] == f"removed {NEW}\n"
    assert run("prune")[1] == "nothing to remove\n"
    assert home.versions() == [OLD]
    assert not list((home.root / "receipts").glob(f"{NEW}*"))


def test_pull_prints_json_for_scripts(run: Run, home: Home, mirror: Mirror, shop: Path):
    pulled = json.loads(run("pull", "--url", mirror.listing, "--json")[1])
    assert pulled == {"version": NEW, "path": str(home.folder(NEW)), "notes": []}
    pulled = json.loads(run("pull", "--from", str(shop / archive_name(OLD)), "--json")[1])
    assert (pulled["version"], home.current()) == (OLD, OLD)


def test_published_datasets_are_listed(run: Run, mirror: Mirror, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(LISTING_VARIABLE, mirror.listing)
    rows = json.loads(run("datasets", "--available", "--json")[1])
    assert [(row["version"], row["where"], row["in_use"]) for row in rows] == [
        (NEW, "published", False),
        (OLD, "pulled", True),
    ]
    assert run("datasets")[0] == 0
    assert len(mirror.asked) == 1, "without --available nothing is fetched"


def test_a_damaged_dataset_is_listed_and_can_be_replaced(run: Run, home: Home, mirror: Mirror):
    run("pull", "--url", mirror.listing)
    (home.folder(NEW) / "manifest.json").write_text("{", encoding="utf-8")
    _, out, _ = run("datasets")
    assert "damaged" in out.splitlines()[0]
    code, _, err = run("info")
    assert code == 1
    assert "manifest.json" in err
    shutil.rmtree(home.folder(NEW))
    code, out, err = run("datasets")
    assert (code, len(out.splitlines())) == (0, 1)
    assert "missing" in err
    assert run("use", OLD)[0] == 0
    assert run("info")[0] == 0


def test_a_home_that_is_a_file_is_refused(run: Run, home: Home, shop: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(HOME_VARIABLE, str(home.root / "current"))
    code, out, err = run("pull", "--from", str(shop / archive_name(NEW)))
    assert (code, out, len(err.splitlines())) == (1, "", 1)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["pull"], 2, LISTING_VARIABLE),
        (["pull", NEW, "--from", "x"], 2, "--from"),
        (["pull", "--from", "nowhere.tar.zst"], 1, "there is no file"),
        (["pull", "--url", "gopher://x"], 1, "cannot fetch"),
        (["use", "2031.01.01"], 1, f"these were: {OLD}"),
        (["use", "../../etc"], 1, "is not a dataset version"),
        (["use"], 2, "VERSION"),
        (["datasets", "--available"], 2, "--url"),
    ],
)
def test_errors_are_one_line(run: Run, home: Home, words, code, said):
    ended, out, err = run(*words)
    assert (ended, out) == (code, "")
    assert said in err
    assert len(err.splitlines()) == 1
    assert home.current() == OLD
