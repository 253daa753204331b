"""`lorekeeper export` as a user types it."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

from server.command_line import app
from server.commands.export import Format
from server.dataset.forms.forms import FORMS
from server.exports.records import TARGETS
from server.library.requests.request import RequestError
from server.settings import SettingsError

if TYPE_CHECKING:
    from server.dataset.dataset import Dataset


@pytest.fixture
def starter(starter_dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREKEEPER_DATASET", str(starter_dataset))


@pytest.fixture
def tiny(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREKEEPER_DATASET", str(tiny_folder))


def export(*arguments: object) -> None:
    assert app(["export", *map(str, arguments)], result_action="return_value") == 0


def test_every_format_can_be_chosen() -> None:
    assert set(get_args(Format)) == {*FORMS, *TARGETS}


@pytest.mark.usefixtures("starter")
def test_markdown_has_a_sheet_for_every_record(tmp_path: Path, dataset: Dataset) -> None:
    export("--format", "markdown", "--out", tmp_path / "sheets")
    sheets = {path.relative_to(tmp_path / "sheets").with_suffix("").as_posix() for path in tmp_path.rglob("*.md")}

    ids = {entity_id for name in ("creatures", "spells", "equipment") for entity_id in dataset.tables[name]["id"]}
    assert sheets == ids | {"CREDITS", "NOTICE"}


@pytest.mark.usefixtures("starter")
@pytest.mark.parametrize("target", TARGETS)
def test_an_export_has_the_licence_and_credit_of_every_document(target: str, tmp_path: Path, dataset: Dataset) -> None:
    export("--format", target, "--only", "creatures", "--out", tmp_path / "out")
    credits_text = (tmp_path / "out" / "CREDITS.md").read_text(encoding="utf-8")
    documents = set(dataset.tables["creatures"]["document_name"])

    assert set(re.findall(r"^# (.+)$", credits_text, re.MULTILINE)) == documents
    assert credits_text.count("**Licence:**") == len(documents)
    assert (tmp_path / "out" / "NOTICE.md").read_text(encoding="utf-8").startswith("#")


@pytest.mark.usefixtures("starter")
def test_names_kinds_and_documents_select_records(tmp_path: Path) -> None:
    export("goblin*", "--format", "foundry", "--documents", "5e-2014", "--out", tmp_path / "out")
    files = [path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.json")]

    assert "creature/srd-2014/goblin.json" in files
    assert all("srd-2024" not in file for file in files)
    actor = json.loads((tmp_path / "out/creature/srd-2014/goblin.json").read_text(encoding="utf-8"))
    assert (actor["name"], actor["type"]) == ("Goblin", "npc")


@pytest.mark.usefixtures("starter")
def test_what_is_called_so_is_exported_and_nothing_that_begins_so(tmp_path: Path) -> None:
    export("mage", "--format", "markdown", "--out", tmp_path / "one")
    export("mage*", "--format", "markdown", "--out", tmp_path / "pattern")
    one, pattern = ({path.stem for path in (tmp_path / name).rglob("*/*/*.md")} for name in ("one", "pattern"))

    assert one == {"mage"}
    assert pattern >= {"mage", "mage-armor"}


@pytest.mark.usefixtures("starter")
def test_an_edition_can_be_exported_as_sqlite(tmp_path: Path) -> None:
    export("--format", "sqlite", "--documents", "2024", "--out", tmp_path / "lore.sqlite")
    connection = sqlite3.connect(tmp_path / "lore.sqlite")

    assert connection.execute("SELECT DISTINCT game_system FROM spells").fetchall() == [("5e-2024",)]
    connection.close()


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        (["--format", "csv", "--only", "spells"], SettingsError, "csv holds every record"),
        (["Wraith", "--format", "sqlite"], SettingsError, "sqlite holds every record"),
        (["--format", "fantasy-statblocks", "--only", "spells"], SettingsError, "has no place for spells"),
        (["Wraith", "Fierball", "--format", "markdown"], SettingsError, r'Not found: "Fierball" \(similar: Fireball'),
        (["Fireball", "--only", "creatures", "--format", "foundry"], SettingsError, 'Not found: "Fireball"'),
        (["--format", "markdown", "--documents", "atlantis"], RequestError, "atlantis"),
    ],
)
def test_an_impossible_export_is_refused_and_writes_nothing(
    arguments: list[str], error: type[Exception], said: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=said):
        export(*arguments, "--out", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("tiny")
def test_a_new_export_replaces_an_earlier_one(tmp_path: Path) -> None:
    out = tmp_path / "out"
    export("Wraith", "--format", "markdown", "--out", out)
    export("Wraith", "--format", "foundry", "--out", out)
    assert not list(out.rglob("wraith.md"))


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("form", sorted({*FORMS, *TARGETS} - {"sqlite"}))
def test_a_folder_with_other_files_is_not_replaced(form: str, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    export("--format", form, "--out", vault)
    export("--format", form, "--documents", "5e-2014", "--out", vault)
    (vault / "campaign.md").write_text("mine")
    (vault / ".obsidian").mkdir()
    with pytest.raises(FileExistsError, match=r": \.obsidian, campaign\.md; move that elsewhere"):
        export("--format", form, "--out", vault)
    assert (vault / "campaign.md").read_text() == "mine"


@pytest.mark.usefixtures("tiny")
def test_a_folder_that_is_not_an_export_is_not_replaced(tmp_path: Path) -> None:
    for name in ("CREDITS.md", "spells.csv"):
        (tmp_path / name).write_text("mine")
    for form in ("markdown", "csv"):
        with pytest.raises(FileExistsError, match=r": CREDITS\.md, spells\.csv; move that elsewhere"):
            export("--format", form, "--out", tmp_path)
    assert {path.read_text() for path in tmp_path.iterdir()} == {"mine"}


@pytest.mark.usefixtures("tiny")
def test_a_file_that_is_not_an_earlier_sqlite_export_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "lore.sqlite"
    for _ in range(2):
        export("--format", "sqlite", "--documents", "2024", "--out", out)

    text, database = tmp_path / "mine.txt", tmp_path / "mine.sqlite"
    text.write_text("precious")
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE precious (thing)")
    connection.close()
    for mine in (text, database):
        before = mine.read_bytes()
        with pytest.raises(FileExistsError, match="is not an earlier export as sqlite"):
            export("--format", "sqlite", "--out", mine)
        assert mine.read_bytes() == before
