"""Comparing two snapshots that differ in known ways."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from minimal_manifest import MINIMAL

from build_pipeline.normalize.records import normalize
from build_pipeline.release.comparison.changes import as_json, as_markdown, as_text, excerpts
from build_pipeline.release.comparison.compare import DatasetDiff, FieldChange, TagChange, compare
from build_pipeline.snapshot.raw import RawLayer, read_raw_layer
from build_pipeline.sources import ENDPOINTS, SOURCES
from build_pipeline.tables import write_table
from server.dataset.manifest import MANIFEST_FILE
from server.dataset.schema import SCHEMA_VERSION, TABLES, TAGS
from server.dataset.strict_json import dump_json

SPELLS = ("open5e_v2", "spells")  # those of srd-2024 stand in no other source of the starter

Edit = Callable[[RawLayer], object]
Compare = Callable[[Edit], DatasetDiff]


def edit_spell(layer: RawLayer, key: str, **fields: Any) -> None:
    spells = layer.endpoints[SPELLS]
    spells[key] = replace(spells[key], text=dump_json({**spells[key].data, **fields}))


def add_spell(layer: RawLayer, like: str, **fields: Any) -> None:
    model = layer.endpoints[SPELLS][like]
    layer.add(replace(model, key=fields["key"], text=dump_json({**model.data, **fields})))


def tables_of(layer: RawLayer, folder: Path, version: str) -> Path:
    """The part of a dataset that a comparison reads: tables and versions."""
    folder.mkdir()
    normalized = normalize(layer, SOURCES)
    for table in TABLES:
        write_table(folder, table, normalized.tables[table.name])
    manifest = {**MINIMAL, "schema_version": SCHEMA_VERSION, "dataset_version": version}
    (folder / MANIFEST_FILE).write_text(json.dumps(manifest))
    return folder


@pytest.fixture(scope="module")
def before(starter_raw: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tables_of(read_raw_layer(starter_raw, ENDPOINTS), tmp_path_factory.mktemp("compare") / "old", "2026.11.01")


@pytest.fixture
def after(before: Path, starter_raw: Path, tmp_path: Path) -> Compare:
    """The comparison with the same snapshot after an edit."""

    def run(edit: Edit) -> DatasetDiff:
        layer = read_raw_layer(starter_raw, ENDPOINTS)
        edit(layer)
        return compare(before, tables_of(layer, tmp_path / "new", "2026.11.08"))

    return run


def test_equal_datasets_are_identical(after: Compare) -> None:
    comparison = after(lambda _: None)

    assert comparison.identical
    assert comparison.unchanged > 100
    assert json.loads(as_json(comparison))["identical"] is True
    assert as_text(comparison).count("\n") == 1


def test_another_schema_is_a_difference(before: Path, tmp_path: Path) -> None:
    new = Path(shutil.copytree(before, tmp_path / "new"))
    manifest = {**MINIMAL, "schema_version": SCHEMA_VERSION + 1, "dataset_version": "2026.11.08"}
    (new / MANIFEST_FILE).write_text(json.dumps(manifest), encoding="utf-8")

    comparison = compare(before, new)

    assert (comparison.old_schema, comparison.new_schema) == (SCHEMA_VERSION, SCHEMA_VERSION + 1)
    assert not comparison.identical


def test_tags_of_shared_entities_are_counted(before: Path, tmp_path: Path) -> None:
    fireball, shield = "spell/srd-2024/fireball", "spell/srd-2024/shield"
    folders = [shutil.copytree(before, tmp_path / name) for name in ("old", "new")]
    for folder, pairs in zip(
        folders,
        ([(fireball, "burns"), (shield, "burns"), (shield, "wards")], [(fireball, "burns"), (fireball, "wards")]),
        strict=True,
    ):
        rows = [(*pair, pair[1], "words") for pair in pairs]
        pl.DataFrame(rows, schema=TAGS.schema, orient="row").write_parquet(folder / TAGS.file)

    comparison = compare(*folders)

    assert comparison.tags == (TagChange("burns", 0, 1), TagChange("wards", 1, 1))
    assert "tag wards: 1 entities more, 1 fewer" in as_text(comparison)
    assert not comparison.identical
    assert compare(before, folders[1]).tags == ()


def test_exactly_the_edits_are_reported(after: Compare) -> None:
    def edit(layer: RawLayer) -> None:
        edit_spell(layer, "srd-2024_fireball", ritual=True, school={"name": "Illusion", "key": "illusion"})
        edit_spell(layer, "srd-2024_shield", name="Shield of Force")
        add_spell(layer, "srd-2024_ice-storm", key="srd-2024_salt-wind", name="Salt Wind", desc="Salt flies about.")
        del layer.endpoints[SPELLS]["srd-2024_misty-step"]

    comparison = after(edit)

    assert not comparison.identical
    assert [label.id for label in comparison.added] == ["spell/srd-2024/salt-wind"]
    assert [label.id for label in comparison.removed] == ["spell/srd-2024/misty-step"]
    assert [(c.was and c.was.id, c.entity.id) for c in comparison.renamed] == [
        ("spell/srd-2024/shield", "spell/srd-2024/shield-of-force")
    ]
    blast, counterspell = (
        {"level": level, "spells": [f"spell/srd-2024/{slug}"]}
        for level, slug in ((0, "eldritch-blast"), (3, "counterspell"))
    )
    step = {"level": 2, "spells": ["spell/srd-2024/misty-step"]}
    assert [(c.entity.id, c.fields) for c in comparison.changed] == [
        (
            "class/srd-2024/warlock",  # which Misty Step lists
            (FieldChange("spell_list", [blast, step, counterspell], [blast, counterspell]),),
        ),
        (
            "spell/srd-2024/fireball",
            (FieldChange("school", "evocation", "illusion"), FieldChange("ritual", old=False, new=True)),
        ),
        (
            "subrace/srd-2024/elven-lineage-high-elf",  # whose text names Misty Step
            (
                FieldChange(
                    "links",
                    ["race/srd-2024/elf", "spell/srd-2024/misty-step", "class/srd-2024/wizard"],
                    ["race/srd-2024/elf", "class/srd-2024/wizard"],
                ),
            ),
        ),
    ]
    assert not comparison.documents_added + comparison.documents_removed + comparison.documents_changed
    text = as_text(comparison)
    assert "  + Salt Wind (spell/srd-2024/salt-wind)\n" in text
    assert "  > spell/srd-2024/shield → spell/srd-2024/shield-of-force" in text
    assert "  ~ Fireball: school evocation → illusion; ritual false → true\n" in text
    markdown = as_markdown(comparison, limit=2)
    assert "### srd-2024: spell\n" in markdown
    assert "- … and 2 more\n" in markdown


def test_a_renamed_text_is_recognised(after: Compare) -> None:
    def edit(layer: RawLayer) -> None:
        add_spell(layer, "srd-2024_fireball", key="srd-2024_burst-of-flame", name="Burst of Flame")
        del layer.endpoints[SPELLS]["srd-2024_fireball"]

    comparison = after(edit)

    assert [(c.was and c.was.name, c.entity.name) for c in comparison.renamed] == [("Fireball", "Burst of Flame")]
    assert comparison.added == comparison.removed == ()


def test_references_to_a_renamed_entity_are_not_changes(after: Compare) -> None:
    def edit(layer: RawLayer) -> None:
        classes = layer.endpoints["open5e_v2", "classes"]
        parents = [c.data["subclass_of"]["key"] for c in classes.values() if c.data["subclass_of"]]
        key = next(key for key in parents if key.startswith("srd-2024"))
        classes[key] = replace(classes[key], text=dump_json({**classes[key].data, "name": "Wayfarer"}))

    comparison = after(edit)

    assert [c.entity.name for c in comparison.renamed] == ["Wayfarer"]
    assert all(f.column != "subclass_of" for c in comparison.changed for f in c.fields)


def test_references_to_a_removed_entity_are_not_changes(before: Path, tmp_path: Path) -> None:
    """The reference still has the name, but no id."""
    new = Path(shutil.copytree(before, tmp_path / "new"))
    subclasses = pl.read_parquet(new / "character_options.parquet").filter(pl.col("subclass_of").is_not_null())
    parent = subclasses["subclass_of"].struct.field("id").drop_nulls()[0]
    classes = pl.read_parquet(new / "character_options.parquet").filter(pl.col("id") != parent)
    of_parent = pl.col("subclass_of").struct.field("id") == parent
    nameless = pl.col("subclass_of").struct.with_fields(id=pl.lit(None, pl.String))
    classes.with_columns(subclass_of=pl.when(of_parent).then(nameless).otherwise("subclass_of")).write_parquet(
        new / "character_options.parquet"
    )

    comparison = compare(before, new)

    assert [label.id for label in comparison.removed] == [parent]
    assert comparison.changed == ()


def test_new_documents_and_metadata_are_reported(after: Compare) -> None:
    def edit(layer: RawLayer) -> None:
        documents = layer.endpoints["open5e_v2", "documents"]
        srd = documents["srd-2024"]
        documents["srd-2024"] = replace(srd, text=dump_json({**srd.data, "author": "A committee"}))
        document = {**srd.data, "key": "salt", "name": "The Book of Salt", "display_name": "Salt"}
        layer.add(replace(srd, key="salt", text=dump_json(document)))
        add_spell(layer, "srd-2024_ice-storm", key="salt_brine", name="Brine", document=document)

    comparison = after(edit)

    assert comparison.documents_added == ("salt",)
    assert [(d.document_key, [f.column for f in d.fields]) for d in comparison.documents_changed] == [
        ("srd-2024", ["author"])
    ]
    assert [label.id for label in comparison.added] == ["spell/salt/brine"]
    assert comparison.changed == ()


def test_added_and_removed_columns_are_reported(before: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.mkdir()
    for path in before.iterdir():
        (new / path.name).write_bytes(path.read_bytes())
    spells = pl.read_parquet(before / "spells.parquet")
    changed = spells.drop("ritual").with_columns(level=pl.col("level").cast(pl.Float64), omen=pl.lit("bad"))
    changed.write_parquet(new / "spells.parquet")

    comparison = compare(before, new)

    assert [(c.column, c.old, c.new) for c in comparison.columns] == [
        ("level", "Int32", "Float64"),
        ("omen", None, "String"),
        ("ritual", "Boolean", None),
    ]
    assert comparison.changed == ()


@given(st.text(), st.text())
def test_excerpts_are_short_lines(old: str, new: str) -> None:
    for text in excerpts(old, new):
        assert len(text) <= 62
        assert len(text.splitlines()) <= 1


def test_long_values_are_cut_around_their_difference() -> None:
    old = "A long text that begins the same way in both of them and then says one thing, and goes on and on."

    before, after = excerpts(old, old.replace("one thing", "another thing"))

    assert "one thing" in before
    assert "another thing" in after
