"""A release of the small dataset: archives, wheel, listing, checksums and notes; and what is refused."""

import hashlib
import io
import json
import sqlite3
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import zstandard

from build_pipeline.command_line import app
from build_pipeline.release.allowed import (
    ALLOWED_DOCUMENTS,
    AllowedDocument,
    AllowList,
    AllowListError,
    check_allowed,
    read_allow_list,
    with_declared_licenses,
)
from build_pipeline.release.contents import Contents
from build_pipeline.release.package import PackageError, package
from build_pipeline.release.wheel import wheel_version
from build_pipeline.sources import ENDPOINTS
from server.dataset.listing import find_release, read_listing, releases
from server.dataset.manifest import DatasetError, read_manifest
from server.dataset.verify import verify
from server.store.archive import unpack

VERSION = "2026.11.01"


@pytest.fixture(scope="module")
def release(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("release")
    package(small_dataset, out, allowed=read_allow_list(), base_url="https://example.org/dataset-{version}/")
    return out


def members(archive: Path) -> list[tarfile.TarInfo]:
    with zstandard.open(archive, "rb") as stream, tarfile.open(fileobj=io.BytesIO(stream.read())) as tar:
        return tar.getmembers()


def test_the_archive_unpacks_to_the_dataset(release: Path, small_dataset: Path, tmp_path: Path) -> None:
    unpack(release / f"lorekeeper-dataset-{VERSION}.tar.zst", tmp_path / "unpacked")

    folder = tmp_path / "unpacked" / f"lorekeeper-dataset-{VERSION}"
    assert verify(folder) == []
    assert read_manifest(folder) == read_manifest(small_dataset)
    assert not (folder / "raw").exists()


def test_archives_contain_nothing_of_this_machine(release: Path) -> None:
    for path in release.glob("*.tar.zst"):
        found = members(path)
        assert [m.name for m in found] == sorted(m.name for m in found)
        assert {(m.uid, m.gid, m.uname, m.gname, m.mode, m.type) for m in found} == {(0, 0, "", "", 0o644, b"0")}
        assert {m.mtime for m in found} == {1793491200}  # 2026-11-01, the day of the snapshot


def test_the_raw_archive_has_the_whole_raw_layer(release: Path, starter_raw: Path, tmp_path: Path) -> None:
    from build_pipeline.snapshot.raw import read_raw_layer, recounted

    unpack(release / f"lorekeeper-dataset-{VERSION}-raw.tar.zst", tmp_path / "raw")

    layer = read_raw_layer(tmp_path / "raw" / f"lorekeeper-dataset-{VERSION}")
    original = read_raw_layer(starter_raw, ENDPOINTS)
    assert {o.id: o.text for o in layer} == {o.id: o.text for o in original}
    assert layer.info == recounted(original)


@pytest.mark.parametrize("form", ["sqlite", "jsonl", "csv"])
def test_other_forms_are_zips_with_card_and_notice(release: Path, form: str) -> None:
    stem = f"lorekeeper-dataset-{VERSION}-{form}"
    with zipfile.ZipFile(release / f"{stem}.zip") as archive:
        assert {info.date_time for info in archive.infolist()} == {(2026, 11, 1, 0, 0, 0)}
        assert {info.external_attr >> 16 for info in archive.infolist()} == {0o644}
        names = {info.filename.removeprefix(f"{stem}/") for info in archive.infolist()}

    data = {f"{stem}.sqlite"} if form == "sqlite" else {f"{name}.{form}" for name in ("spells", "columns", "enums")}
    assert names >= data | {"README.md", "NOTICE.md"}
    assert not any(name.startswith(".") for name in names)


def test_the_sqlite_file_of_a_release_can_be_searched(release: Path, tmp_path: Path) -> None:
    stem = f"lorekeeper-dataset-{VERSION}-sqlite"
    with zipfile.ZipFile(release / f"{stem}.zip") as archive:
        file = archive.extract(f"{stem}/{stem}.sqlite", tmp_path)
    connection = sqlite3.connect(file)
    found = connection.execute("SELECT id FROM text_search WHERE text_search MATCH 'goblin' ORDER BY rank").fetchall()
    version = connection.execute("SELECT value FROM about WHERE name = 'dataset_version'").fetchone()
    connection.close()

    assert ("creature/srd-2014/goblin",) in found
    assert version == (VERSION,)


def test_the_listing_describes_the_archive(release: Path, small_dataset: Path) -> None:
    listing = read_listing((release / "listing.json").read_bytes())

    (entry,) = releases(listing, 1)
    archive = release / f"lorekeeper-dataset-{VERSION}.tar.zst"
    assert entry["archive"]["url"] == f"https://example.org/dataset-{VERSION}/{archive.name}"
    assert entry["archive"]["sha256"] == hashlib.sha256(archive.read_bytes()).hexdigest()
    assert entry["archive"]["bytes"] == archive.stat().st_size
    assert entry["archive"]["unpacked_bytes"] == sum(m.size for m in members(archive))
    assert entry["counts"]["entities"] == read_manifest(small_dataset)["counts"]["entities"]
    assert find_release(listing, VERSION) == entry
    assert find_release(listing, "2020.01.01") is None


def test_a_release_is_added_to_the_listing_newest_first(small_dataset: Path, release: Path, tmp_path: Path) -> None:
    listing = json.loads((release / "listing.json").read_text())
    (entry,) = listing["available"]["1"]
    older, newer = ({**entry, "dataset_version": v} for v in ("2026.10.31", "2026.11.01.1"))
    listing["available"] = {"1": [older, entry, newer], "2": [{**entry, "schema_version": 2}]}
    (tmp_path / "listing.json").write_text(json.dumps(listing))

    package(small_dataset, tmp_path / "out", allowed=read_allow_list(), listing=tmp_path / "listing.json")

    added = read_listing((tmp_path / "out" / "listing.json").read_bytes(), "https://example.org/data/listing.json")
    assert [r["dataset_version"] for r in releases(added, 1)] == ["2026.11.01.1", "2026.11.01", "2026.10.31"]
    assert releases(added, 1)[1]["archive"]["url"] == f"https://example.org/data/lorekeeper-dataset-{VERSION}.tar.zst"
    assert releases(added, 2) == []  # this version has schema 1 now


def test_the_checksums_are_right_and_complete(release: Path) -> None:
    lines = dict(line.split("  ")[::-1] for line in (release / "SHA256SUMS").read_text().splitlines())

    assert lines.keys() == {p.name for p in release.iterdir()} - {"SHA256SUMS"}
    assert all(hashlib.sha256((release / name).read_bytes()).hexdigest() == digest for name, digest in lines.items())


def test_the_wheel_is_found_through_its_entry_point(release: Path, tmp_path: Path) -> None:
    (wheel,) = release.glob("*.whl")
    assert wheel.name == f"lorekeeper_dataset-{wheel_version(VERSION)}-py3-none-any.whl"
    zipfile.ZipFile(wheel).extractall(tmp_path)  # noqa: S202 - made here
    code = (
        "from importlib.metadata import entry_points\n"
        "(entry,) = entry_points(group='lorekeeper.datasets')\n"
        "from server.dataset.verify import verify\n"
        "print(entry.dist.version, verify(entry.load()))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True
    )

    assert done.stdout == "2026.11.1 []\n"


def test_the_notes_list_changes(small_dataset: Path, tmp_path: Path) -> None:
    made = package(small_dataset, tmp_path, allowed=read_allow_list(), previous=small_dataset)

    assert made.comparison is not None
    assert made.comparison.identical
    assert "## Changes since 2026.11.01\n\n**0** added, **0** removed" in (tmp_path / "RELEASE_NOTES.md").read_text()


def test_a_document_that_is_not_allowed_is_not_released(
    small_dataset: Path, allowed: AllowList, tmp_path: Path
) -> None:
    del allowed.documents["srd-2014"]
    allowed.documents["srd-2024"] = AllowedDocument(("orc",), None)

    with pytest.raises(AllowListError) as refused:
        package(small_dataset, tmp_path / "out", allowed=allowed)

    assert "srd-2014 (SRD 5.1 (starter retelling)) is not allowed" in str(refused.value)
    assert "srd-2024 is declared under ORC License but comes under Creative Commons" in str(refused.value)
    assert not (tmp_path / "out").exists()


def test_homebrew_is_published_under_its_declared_licence(starter_dataset: Path) -> None:
    contents = Contents.of(starter_dataset)
    book = next(row for row in contents.documents if row["document_key"] == "the-lantern-coast")

    assert (book["source_api"], book["license"]) == ("orcbrew", "Creative Commons Attribution 4.0")
    assert book["attribution"] == read_allow_list().documents["the-lantern-coast"].attribution
    for name in ("spells", "creatures"):
        of_book = contents.tables[name].filter(document_key="the-lantern-coast")
        assert set(of_book["license"]) == {"Creative Commons Attribution 4.0"}
    check_allowed(contents.documents, read_allow_list())
    assert book["attribution"] in (starter_dataset / "NOTICE.md").read_text(encoding="utf-8")


def test_only_homebrew_declared_as_such_gets_a_licence(allowed: AllowList) -> None:
    def documents(key: str, source: str, licence: str | None) -> dict[str, list[dict[str, Any]]]:
        row = {"document_key": key, "source_api": source, "license": licence, "attribution": None}
        return {"documents": [row], "spells": [{"id": "spell/x/y", "document_key": key, "license": licence}]}

    coast = allowed.documents["the-lantern-coast"]
    allowed.documents["quiet-coast"] = AllowedDocument(coast.licenses, None)
    for key, source, licence in (
        ("other-coast", "orcbrew", None),
        ("quiet-coast", "orcbrew", None),
        ("the-lantern-coast", "open5e_v2", None),
        ("the-lantern-coast", "orcbrew", "All rights reserved"),
    ):
        tables = documents(key, source, licence)
        assert with_declared_licenses(tables, allowed) == tables
    (spell,) = with_declared_licenses(documents("the-lantern-coast", "orcbrew", None), allowed)["spells"]
    assert spell["license"] == "Creative Commons Attribution 4.0"


def test_undeclared_homebrew_is_not_released() -> None:
    homebrew = {"document_key": "lantern-coast", "document_name": "The Lantern Coast", "license": None}

    with pytest.raises(AllowListError, match="lantern-coast"):
        check_allowed([homebrew], read_allow_list())


def test_the_declaration_is_valid_and_errors_are_named(tmp_path: Path) -> None:
    declared = tomllib.loads(ALLOWED_DOCUMENTS.read_text(encoding="utf-8"))
    assert declared["documents"].keys() == read_allow_list().documents.keys()

    path = tmp_path / "allowed.toml"
    path.write_text('[licenses]\n[documents]\nsalt = { licenses = ["wtfpl"] }\n')
    with pytest.raises(AllowListError, match="salt names the undeclared licence wtfpl"):
        read_allow_list(path)
    path.write_text("documents = 3")
    with pytest.raises(AllowListError, match="is not a valid list of allowed documents"):
        read_allow_list(path)


def test_a_damaged_dataset_is_not_released(small_dataset: Path, tmp_path: Path) -> None:
    import shutil

    copy = shutil.copytree(small_dataset, tmp_path / "copy")
    (copy / "spells.parquet").write_bytes(b"PAR1")

    with pytest.raises(PackageError, match=r"spells\.parquet"):
        package(copy, tmp_path / "out", allowed=read_allow_list())


def test_the_commands_package_diff_and_report(
    small_dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: object) -> str:
        assert app([str(word) for word in words], result_action="return_value", exit_on_error=False) == 0
        return capsys.readouterr().out

    made = json.loads(run("package", "--dataset", small_dataset, "--out", tmp_path / "out", "--json"))
    assert made["release"]["dataset_version"] == VERSION
    assert len(made["files"]) == 12
    assert json.loads(run("diff", small_dataset, small_dataset, "--format", "json"))["identical"]
    assert run("report", small_dataset, "--out", tmp_path / "r.html", "--previous", small_dataset).strip() == str(
        tmp_path / "r.html"
    )
    assert "Since 2026.11.01: 0 added" in (tmp_path / "r.html").read_text(encoding="utf-8")
    with pytest.raises(DatasetError, match="is not a dataset"):
        run("diff", small_dataset, tmp_path)


def test_documents_are_described_once_each(small_dataset: Path) -> None:
    contents = Contents.of(small_dataset)

    assert [d["document_key"] for d in contents.documents] == ["core", "srd-2014", "srd-2024"]
    counted = {key: sum(types.values()) for key, types in contents.by_document().items()}
    assert sum(counted.values()) == read_manifest(small_dataset)["counts"]["entities"]
