"""Files, folders, globs and archives; encodings; recognising the same book."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from brew import brew

from build_pipeline.snapshot.orcbrew import files
from build_pipeline.snapshot.orcbrew.homebrew import add_homebrew
from build_pipeline.snapshot.orcbrew.reader import OrcbrewError, read_orcbrew
from build_pipeline.snapshot.raw import RawLayer


def book(name: str, key: str = "a", text: str = "") -> str:
    return f'{{"{name}" {{:orcpub.dnd.e5/languages {{:{key} {{:key :{key} :name "A" :description "{text}"}}}}}}}}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "one.orcbrew").write_text(book("One"))
    (tmp_path / "inner" / "two.orcbrew").write_text(book("Two"))
    (tmp_path / "inner" / "copy.orcbrew").write_text(book("Two"))
    (tmp_path / "notes.txt").write_text("not for us")
    with zipfile.ZipFile(tmp_path / "pack.zip", "w") as archive:
        archive.writestr("deep/three.orcbrew", book("Three"))
        archive.writestr("readme.txt", "not for us")
    return tmp_path


def books(*paths: Path) -> list[str]:
    return [str(obj.data["book"]) for obj in read_orcbrew(paths).objects]


def test_files_are_found_in_folders_archives_and_globs(folder: Path) -> None:
    assert books(folder) == ["Two", "One", "Three"]
    assert books(folder / "*.orcbrew") == ["One"]
    assert books(folder / "**" / "t*.orcbrew") == ["Two"]
    assert books(folder / "pack.zip", folder / "one.orcbrew") == ["Three", "One"]


@pytest.mark.parametrize("name", ["missing.orcbrew", "*.nothing", "empty"])
def test_a_path_without_files_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(OrcbrewError, match=name.replace("*", r"\*")):
        read_orcbrew([tmp_path / name])


def test_raw_objects_name_the_file_without_its_folder(folder: Path) -> None:
    obj = read_orcbrew([folder / "one.orcbrew"], fetched_at="2026-11-20T00:00:00Z").objects[0]
    assert obj.id == "orcbrew/languages/one/a"
    assert (obj.url, obj.fetched_at) == ("one.orcbrew", "2026-11-20T00:00:00Z")
    assert str(folder) not in obj.text
    assert obj.data == {
        "book": "One",
        "option_pack": None,
        "disabled": False,
        "file": "one.orcbrew",
        "line": 1,
        "column": 35,
        "item": {"~:key": "~:a", "~:name": "A", "~:description": ""},
    }


def test_raw_keys_of_different_books_differ(tmp_path: Path) -> None:
    for number, name in enumerate(("SRD", "phb", "PHB", "phb", "?")):
        (tmp_path / f"{number}.orcbrew").write_text(book(name, text=str(number)))
    result = read_orcbrew([tmp_path])
    assert [o.key for o in result.objects] == ["srd/a", "phb/a", "phb-2/a", "phb-3/a", "homebrew/a"]
    assert [f.message for f in result.findings] == ["1.orcbrew has another book of this name; both are kept"]


def test_a_book_in_two_files_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "one.orcbrew").write_text(book("Two"))
    (tmp_path / "two.orcbrew").write_text(f"{book('Two')} ; exported again")
    result = read_orcbrew([tmp_path])
    assert [o.id for o in result.objects] == ["orcbrew/languages/two/a"]
    assert [(f.severity, "read once" in f.message) for f in result.findings] == [("warning", True)]
    assert [len(file.entities) for file in result.files] == [1, 1]


def snapshot_of(*paths: Path) -> RawLayer:
    layer = RawLayer(info={"snapshot_at": "2026-11-20T00:00:00Z", "problems": [], "warnings": []})
    add_homebrew(layer, paths)
    return layer


def texts(layer: RawLayer) -> dict[str, str]:
    return {obj.id: obj.data["item"]["~:description"] for obj in layer}


def test_a_file_already_in_the_snapshot_is_not_added_again(tmp_path: Path) -> None:
    path, renamed = tmp_path / "mine.orcbrew", tmp_path / "copy.orcbrew"
    path.write_text(book("Mine", text="old") + "}")
    layer = snapshot_of(path)
    before = (list(layer), layer.info["problems"])
    assert len(layer.info["problems"]) == 1
    add_homebrew(layer, [path])
    assert (list(layer), layer.info["problems"]) == before
    renamed.write_text(book("Mine", text="old"))
    add_homebrew(layer, [renamed])
    assert texts(layer) == {"orcbrew/languages/mine/a": "old"}


def test_a_newer_version_of_a_file_replaces_its_books(tmp_path: Path) -> None:
    path, other = tmp_path / "mine.orcbrew", tmp_path / "other" / "mine.orcbrew"
    path.write_text(book("Mine", text="old") + "}")
    layer = snapshot_of(path)
    path.write_text(book("Mine", key="b", text="new"))
    add_homebrew(layer, [path])
    assert texts(layer) == {"orcbrew/languages/mine/b": "new"}
    assert layer.info["problems"] == []
    other.parent.mkdir()
    other.write_text(book("Theirs", text="of another"))
    add_homebrew(layer, [other])
    assert len(texts(layer)) == 2
    path.rename(tmp_path / "another.orcbrew")
    (tmp_path / "another.orcbrew").write_text(book("Mine", text="by another author"))
    add_homebrew(layer, [tmp_path / "another.orcbrew"])
    assert texts(layer)["orcbrew/languages/mine-2/a"] == "by another author"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf \r\n", "empty"),
        (b'{"Book": {"spells": {}}}', "JSON"),
        (b"<!DOCTYPE html><html></html>", "web page"),
        (b"{\x00\x01", "binary"),
    ],
)
def test_a_file_that_is_not_edn_gets_one_message(tmp_path: Path, data: bytes, words: str) -> None:
    (tmp_path / "x.orcbrew").write_bytes(data)
    result = read_orcbrew([tmp_path / "x.orcbrew"])
    assert not result.objects
    assert [(f.line, f.column, f.severity, words in f.message) for f in result.findings] == [(1, 1, "damage", True)]


@pytest.mark.parametrize("encoding", [
    "utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be",
])  # fmt: skip
def test_encodings_are_recognised(encoding: str) -> None:
    file = brew(book("B", text="Café – naïve").encode(encoding))
    assert "Café – naïve" in repr(file.entities[0].item)
    assert bool(file.findings) == (not encoding.startswith("utf-8"))
    assert not file.damaged


@pytest.mark.parametrize("text", ["; only a remark", "{}", "{} ; none", '{"Ash" {:orcpub.dnd.e5/spells {}}}', "#_ {}"])
def test_an_empty_file_is_reported(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.orcbrew"
    path.write_text(text)
    (finding,) = read_orcbrew([path]).findings
    assert (finding.severity, finding.message) == ("damage", "the file has no content")


def test_only_the_damaged_part_of_an_archive_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "pack.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.orcbrew", book("A" * 50))
        archive.writestr("b.orcbrew", book("B", text="b" * 500))
    data = bytearray(path.read_bytes())
    at = data.index(b"b.orcbrew") + len("b.orcbrew")
    data[at : at + 8] = b"\xff" * 8
    path.write_bytes(data)
    result = read_orcbrew([path])
    assert [obj.data["book"] for obj in result.objects] == ["A" * 50]
    assert [(f.file, f.severity) for f in result.findings] == [(f"{path}/b.orcbrew", "damage")]


def test_members_after_a_damaged_one_are_read(tmp_path: Path) -> None:
    path = tmp_path / "pack.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("b.orcbrew", "é.orcbrew", "z.orcbrew"):
            archive.writestr(name, book(name[0]))
    data = path.read_bytes()
    path.write_bytes(data.replace("é".encode(), b"\xc3\xff", 1))
    result = read_orcbrew([path])
    assert [obj.data["book"] for obj in result.objects] == ["b", "z"]
    assert [f.file for f in result.findings] == [f"{path}/é.orcbrew"]


@pytest.mark.parametrize("packed", [True, False])
def test_the_total_size_of_files_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, packed: bool) -> None:
    monkeypatch.setattr(files, "MAX_TOTAL_BYTES", 1000)
    texts = {f"{name}.orcbrew": book(name, text="x" * 400) for name in "abc"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    given = [tmp_path / name for name in texts]
    if packed:
        given = [tmp_path / "pack.zip"]
        with zipfile.ZipFile(given[0], "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in texts.items():
                archive.writestr(name, text)
    result = read_orcbrew(given)
    assert [obj.data["book"] for obj in result.objects] == ["a", "b"]
    (finding,) = result.findings
    assert finding.file.endswith("c.orcbrew")
    assert "all files together" in finding.message
