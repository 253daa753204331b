"""Every file of the collection beside the recordings has what the collection's index says."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import edn_format  # type: ignore[import-untyped]
import pytest
from brew import contents
from edn_beside import comparable, their_value

from build_pipeline.normalize.homebrew.document_keys import document_keys
from build_pipeline.normalize.homebrew.items import plain
from build_pipeline.normalize.homebrew.orcbrew import drafts
from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.normalize.records import normalize
from build_pipeline.snapshot.orcbrew.edn import read
from build_pipeline.snapshot.orcbrew.edn_values import write_edn
from build_pipeline.snapshot.orcbrew.model import BrewFile
from build_pipeline.snapshot.orcbrew.reader import OrcbrewResult, read_orcbrew
from build_pipeline.snapshot.orcbrew.transit import from_transit
from build_pipeline.snapshot.raw import RawLayer
from build_pipeline.sources import SOURCES
from server.dataset.schema import ENTITY_TABLES

pytestmark = pytest.mark.recordings

_ROW = re.compile(
    r"^\| `(?P<file>\w+/[\w.-]+)` \|(?:[^|]*\|){3} (?P<books>[^|]*) \| (?P<entities>[^|]*) \|", re.MULTILINE
)
"""A row of the index: file, repository, path, bytes, books, entities."""


@pytest.fixture(scope="session")
def collection(recordings: Path) -> Path:
    return recordings.parent / "orcbrew"


def one(collection: Path, name: str) -> BrewFile:
    (file,) = read_orcbrew([next(collection.glob(f"*/{name}.orcbrew"))]).files
    return file


def keys(file: BrewFile) -> list[str]:
    return [entity.key for entity in file.entities]


def damaged(file: BrewFile) -> set[str]:
    return {f.key for f in file.findings if f.severity == "damage" and f.key}


def places(file: BrewFile) -> set[tuple[int, int]]:
    return {(f.line, f.column) for f in file.findings}


def test_books_and_counts_equal_the_index(collection: Path) -> None:
    rows = list(_ROW.finditer((collection / "INDEX.md").read_text(encoding="utf-8")))
    assert len(rows) == 25
    for row in rows:
        (file,) = read_orcbrew([collection / row["file"]]).files
        expected = {kind: int(count) for kind, count in re.findall(r"(\w+) (\d+)", row["entities"])}
        found = Counter(e.kind for e in file.entities)
        found.update(f.kind for f in file.findings if f.severity == "damage" and f.key)
        assert found == expected, row["file"]
        if row["books"] == "single":
            assert len(file.books) == 1
        else:
            names = [single or double for single, double in re.findall(r"'([^']*)'|\"([^\"]*)\"", row["books"])]
            assert [book.name for book in file.books] == names
        assert file.damaged == (row["file"] == "fixtures/broken-parse.orcbrew"), row["file"]


def test_values_equal_those_of_another_reader(collection: Path) -> None:
    valid = [path for path in collection.glob("[fr]*/*.orcbrew") if path.stem != "broken-parse"]
    assert len(valid) == 24
    for path in valid:
        text = path.read_bytes().decode("utf-8-sig")
        assert their_value(edn_format.loads(text)) == comparable(read(text).forms[0]), path.name


def test_every_entity_of_every_file_becomes_a_draft(collection: Path) -> None:
    result: OrcbrewResult = read_orcbrew([collection])
    layer = RawLayer.of(result.objects)
    found = list(drafts(layer, Problems()))
    assert {raw for draft in found for raw in draft.raw} == {obj.id for obj in layer}
    assert all(draft.name.strip() == draft.name and draft.name for draft in found)


def test_the_raw_layer_holds_every_value_and_records_every_text(collection: Path) -> None:
    result = read_orcbrew([collection])
    layer = RawLayer.of(result.objects, snapshot_at="")
    items = {obj.id: from_transit(obj.data["item"]) for obj in layer}
    entities = [write_edn(e.item) for file in result.files for e in file.entities]
    assert Counter(entities) >= Counter(map(write_edn, items.values()))

    told: dict[str, set[str]] = defaultdict(set)
    tables = normalize(layer, SOURCES).tables
    for table in ENTITY_TABLES:
        for record in tables[table.name]:
            for raw in record["provenance"]["raw"]:
                told[raw].update(re.findall(r"\w+", json.dumps(record, ensure_ascii=False).replace("\\n", " ").lower()))
    for raw, item in items.items():
        for text in _prose(plain(item)):
            lost = set(re.findall(r"\w+", text.lower())) - told[raw]
            # "At Higher Levels", "Prerequisite" and the like are separate columns.
            assert len(lost) <= 4, (raw, lost)


def _prose(value: Any) -> Iterator[str]:
    """All descriptions inside."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key in {"description", "help"} and isinstance(part, str):
                yield part
            else:
                yield from _prose(part)
    elif isinstance(value, list):
        for part in value:
            yield from _prose(part)


def test_all_types_are_read(collection: Path) -> None:
    file = one(collection, "synthetic-all-types")
    assert (len(file.books), len(file.entities), len({e.kind for e in file.entities})) == (4, 23, 13)
    assert {e.key for e in file.entities if e.disabled} == {"sleeping-feat", "dead-tongue"}
    assert next(e for e in file.entities if e.key == "live-tongue").option_pack == "Another Name Entirely"
    assert file.findings == []


def test_unusual_grammar_is_read(collection: Path) -> None:
    file = one(collection, "synthetic-grammar-zoo")
    assert len(file.entities) == 9
    assert "Dropped" not in repr(contents(file))
    bare = {(f.line, f.column) for f in file.findings if "without a colon or quotes" in f.message}
    assert {line for line, _ in bare} == {14}
    assert places(file) - bare == {(8, 168), (9, 125), (9, 134), (9, 143), (14, 122), (14, 135)}


def test_all_forms_of_monsters_are_read(collection: Path) -> None:
    file = one(collection, "synthetic-monster-forms")
    assert len(file.entities) == 8
    assert {(6, 352), (9, 290)} <= places(file)


def test_all_envelopes_are_read(collection: Path) -> None:
    assert len(one(collection, "synthetic-v2-envelope").entities) == 3


@pytest.mark.parametrize(
    ("name", "whole", "lost", "place"),
    [
        ("defect-missing-brace", ["one", "three", "feat-a", "feat-b"], {"two"}, (4, 4)),
        ("defect-unescaped-quote", ["one", "three", "five", "six"], {"two", "four"}, (4, 4)),
        ("defect-truncated", ["one", "two"], {"three"}, (5, 68)),
        ("defect-trailing-junk", ["one", "two", "three"], set(), (4, 52)),
        ("defect-smart-quotes", ["two"], {"one", "three"}, (2, 3)),
        ("defect-hash-newline", ["elemental"], set(), (6, 20)),
        ("defect-dangling-references", ["orphan", "lost", "gated", "listed", "fight", "caster"], set(), (2, 86)),
        ("defect-mojibake", ["one"], set(), (1, 61)),
        ("defect-cp1252", ["one"], set(), (1, 62)),
    ],
)
def test_defects_are_reported(
    collection: Path, name: str, whole: list[str], lost: set[str], place: tuple[int, int]
) -> None:
    file = one(collection, name)
    assert keys(file) == whole
    assert damaged(file) == lost
    assert place in places(file)
    assert "\ufffd" not in file.text


def test_each_dangling_reference_is_named(collection: Path) -> None:
    messages = " ".join(f.message for f in one(collection, "defect-dangling-references").findings)
    missing = "artificer half-elf-mark-of-detection- no-such-selection no-such-spell no-such-race no-such-class"
    assert all(f":{key}," in messages for key in (*missing.split(), "no-such-monster"))


def test_duplicate_keys_are_reported(collection: Path) -> None:
    file = one(collection, "defect-duplicate-keys")
    assert {(4, 4), (5, 32), (8, 3), (11, 52), (12, 2)} <= places(file)
    assert {"three", "three-copy", "four", "f", "five"} <= set(keys(file))
    assert keys(file).count("one") == 2


def test_books_have_their_names(collection: Path) -> None:
    result = read_orcbrew([collection / "synthetic" / "defect-source-names.orcbrew"])
    (file,) = result.files
    assert keys(file) == [f"a{n}" for n in range(1, 11)]
    assert len({e.book.name for e in file.entities}) == 10
    assert len(set(document_keys(RawLayer.of(result.objects)).values())) == 10
    assert {f.line for f in file.findings if f.severity == "damage"} == {11, 12, 13}


def test_wrong_types_are_reported(collection: Path) -> None:
    file = one(collection, "defect-wrong-types")
    assert {"s1", "s2", "bare", "str", "r1", "r2", "c1", "sc4", "m1", "f1", "b1", "e2", "x2", "g1"} <= set(keys(file))
    lines = {f.line for f in file.findings}
    assert {2, 3, 4, 5, 6, 7, 9, 10, 11, 13, 14, 16, 17, 18, 19} <= lines


@pytest.mark.parametrize("name", ["defect-json", "defect-empty", "defect-blank", "defect-nil"])
def test_empty_files_are_reported(collection: Path, name: str) -> None:
    file = one(collection, name)
    assert file.entities == []
    assert len(file.findings) == 1
