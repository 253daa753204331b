"""Messages of commands without a dataset, which advise only what works."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from server.store import age, locate

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LOREKEEPER_HOME", str(tmp_path / "home"))
    for variable in ("LOREKEEPER_DATASET", "LOREKEEPER_LISTING"):
        monkeypatch.delenv(variable, raising=False)


def publish(monkeypatch: pytest.MonkeyPatch, url: str | None) -> None:
    for module in (locate, age):
        monkeypatch.setattr(module, "listing_url", lambda: url)


@pytest.mark.parametrize("command", ["serve", "info", "doctor", "datasets"])
def test_without_a_publisher_no_message_advises_pull(
    command: str, lorekeeper: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(monkeypatch, None)
    _, out, err = lorekeeper(command)
    told = " ".join((out + err).split())
    assert "there is no dataset" in told
    for way in ("--dataset DIR", "LOREKEEPER_DATASET", "`lorekeeper pull --from FILE`", "`make demo`", "out/demo"):
        assert way in told
    assert "`lorekeeper pull`" not in told


def test_with_a_publisher_pull_is_advised_first(lorekeeper: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, "https://example.org/listing.json")
    code, _, err = lorekeeper("info")
    assert code == 2
    assert "there is no dataset: `lorekeeper pull` fetches the newest; " in err


def test_pull_without_a_publisher_says_what_works(lorekeeper: Run) -> None:
    code, _, err = lorekeeper("pull")
    assert code == 2
    for way in (
        "--url",
        "LOREKEEPER_LISTING",
        "`lorekeeper pull --from FILE`",
        "`make demo`",
        "`lorekeeper-build all`",
    ):
        assert way in err


def test_pull_is_not_advised_for_a_folder_that_is_not_a_dataset(lorekeeper: Run, tmp_path: Path) -> None:
    code, _, err = lorekeeper("info", "--dataset", str(tmp_path))
    assert code == 1
    assert err == f"lorekeeper: {tmp_path} is not a dataset: it has no manifest.json; name the folder that has it\n"


def test_a_missing_folder_is_named(lorekeeper: Run, tmp_path: Path) -> None:
    code, _, err = lorekeeper("info", "--dataset", str(tmp_path / "gone"))
    assert (code, err) == (1, f"lorekeeper: {tmp_path / 'gone'} is not a dataset: there is no such folder\n")
