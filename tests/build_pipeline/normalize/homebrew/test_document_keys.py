"""Homebrew books as separate documents."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from build_pipeline.commands.orcbrew import check
from build_pipeline.normalize.homebrew.document_keys import document_keys
from build_pipeline.normalize.records import normalize
from build_pipeline.snapshot.orcbrew.homebrew import add_homebrew
from build_pipeline.snapshot.raw import RawLayer, RawObject, read_raw_layer, write_endpoint
from build_pipeline.sources import SOURCES

TAKEN = ("SRD", "A5E", "5e 2014", "phb", "PHB")


def shelf(folder: Path, names: Iterable[str]) -> Path:
    """A folder with a file for each book."""
    folder.mkdir()
    for number, name in enumerate(names):
        entity = f'{{:key :a :name "A" :description "{number}"}}'
        (folder / f"{number:02}.orcbrew").write_text(f'{{"{name}" {{:orcpub.dnd.e5/languages {{:a {entity}}}}}}}')
    return folder


def snapshot_of(*paths: Path) -> RawLayer:
    layer = RawLayer(info={"snapshot_at": "2026-11-20T00:00:00Z"})
    add_homebrew(layer, paths)
    return layer


def by_text(layer: RawLayer) -> dict[str, str]:
    """The description of each language, which names its file → its document."""
    return {row["description"]: row["document_key"] for row in normalize(layer, SOURCES).tables["rules"]}


def test_documents_have_different_keys(tmp_path: Path) -> None:
    layer = snapshot_of(shelf(tmp_path / "brews", TAKEN))
    expected = {"0": "srd-2", "1": "a5e-2", "2": "5e-2014-2", "3": "phb", "4": "phb-2"}
    assert by_text(layer) == expected


def test_a_book_keeps_its_key_when_others_are_added(tmp_path: Path) -> None:
    layer = snapshot_of(shelf(tmp_path / "brews", TAKEN))
    before = by_text(layer)
    more = tmp_path / "more.orcbrew"
    more.write_text('{"SRD" {:orcpub.dnd.e5/languages {:a {:key :a :name "A" :description "more"}}}}')
    add_homebrew(layer, [more])
    assert by_text(layer) == before | {"more": "srd-3"}


def test_ids_of_names_without_latin_letters_are_stable(tmp_path: Path) -> None:
    def ids(name: str, *books: str) -> dict[str, str]:
        path = tmp_path / f"{name}.orcbrew"
        path.write_text(f"{{{' '.join(books)}}}", encoding="utf-8")
        return {row["name"]: row["id"] for row in normalize(snapshot_of(path), SOURCES).tables["rules"]}

    fire, water = ('{:name "Пламя"}', '{:name "Вода +1"}')
    before = ids("one", f'"Книга" {{:orcpub.dnd.e5/languages {{:б {fire} :в {water}}}}}')
    more = '"Атлас" {:orcpub.dnd.e5/languages {:а {:name "Аура"}}}'
    after = ids("two", more, f'"Книга" {{:orcpub.dnd.e5/languages {{:а {{:name "Аура"}} :б {fire} :в {water}}}}}')
    assert {name: after[name] for name in before} == before
    assert len({*after.values()}) == len(after) == 3


def test_keys_do_not_depend_on_the_order_of_the_raw_objects(tmp_path: Path) -> None:
    layer = snapshot_of(shelf(tmp_path / "brews", ["Ash"] * 12))
    before = by_text(layer)
    assert before["9"] == "ash-10"
    for (source, endpoint), objects in layer.endpoints.items():
        write_endpoint(tmp_path, source, endpoint, sorted(objects.values(), key=lambda obj: obj.key))
    (tmp_path / "snapshot.json").write_text('{"snapshot_at": "2026-11-01T00:00:00Z"}')
    assert by_text(read_raw_layer(tmp_path)) == before


def test_a_document_of_the_snapshot_keeps_its_key(tmp_path: Path) -> None:
    document = {
        "slug": "new-tome",
        "title": "New Tome",
        "organization": "A Press™",
        "license": "",
        "copyright": "",
        "url": "",
        "author": "",
        "desc": "",
    }
    layer = snapshot_of(shelf(tmp_path / "brews", ["New Tome"]))
    assert document_keys(layer) == {"new-tome": "new-tome"}
    layer.add(RawObject("open5e_v1", "documents", "new-tome", "", "", json.dumps(document)))
    assert document_keys(layer) == {"new-tome": "new-tome-2"}


def test_the_check_says_which_document_a_book_becomes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check((shelf(tmp_path / "brews", TAKEN),)) == 0
    out = capsys.readouterr().out
    assert "books: SRD (srd-2)" in out
    assert "books: phb (phb)" in out
    assert out.count("its own name is taken") == 4
