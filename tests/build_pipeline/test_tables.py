"""Records checked against the schema, and tables read back."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from build_pipeline.tables import RecordError, write_table
from server.dataset.schema import SPELLS


def spell(**facts: Any) -> dict[str, Any]:
    return {
        "id": "spell/srd-2014/spark",
        "entity_type": "spell",
        "name": "Spark",
        "slug": "spark",
        "document_key": "srd-2014",
        "document_name": "SRD",
        "document_source": "open5e_v2",
        "sources": ["open5e_v2"],
        "name_normalized": "spark",
        "keys": [],
        "provenance": {"raw": [], "filled": [], "from_text": []},
    } | facts


def test_written_tables_are_read_back(tmp_path: Path) -> None:
    record = spell(level=1, classes=["bard"], components={"verbal": True, "material_cost_gp": 5.0})
    frame = pl.read_parquet(write_table(tmp_path, SPELLS, [record]))
    assert frame.schema == pl.Schema(SPELLS.schema)
    (row,) = frame.to_dicts()
    assert {k: row[k] for k in ("level", "classes", "school")} == {"level": 1, "classes": ["bard"], "school": None}
    assert row["components"]["material_cost_gp"] == 5.0
    assert row["components"]["somatic"] is None


def test_rows_are_sorted_and_the_bytes_do_not_depend_on_their_order(tmp_path: Path) -> None:
    records = [spell(id=f"spell/srd-2014/{n}", name=n, slug=n.lower()) for n in ("Zap", "Arc", "Mist")]
    first = write_table(tmp_path, SPELLS, records).read_bytes()
    second = write_table(tmp_path, SPELLS, records[::-1])
    assert second.read_bytes() == first
    assert pl.read_parquet(second)["name"].to_list() == ["Arc", "Mist", "Zap"]


def test_rows_with_the_same_name_are_sorted_by_document_then_slug(tmp_path: Path) -> None:
    keys = [("srd-2024", "spark"), ("srd-2014", "spark-2"), ("srd-2014", "spark")]
    records = [spell(id=f"spell/{document}/{slug}", document_key=document, slug=slug) for document, slug in keys]
    written = pl.read_parquet(write_table(tmp_path, SPELLS, records))
    assert written.select("document_key", "slug").rows() == sorted(keys)


@pytest.mark.parametrize(
    ("fact", "complaint"),
    [
        ({"level": "1"}, "level = '1' is not of type int"),
        ({"level": True}, "level = True is not of type int"),
        ({"level": 3_000_000_000}, "level = 3000000000 does not fit in 32 bits"),
        ({"school": ""}, "school is an empty string"),
        ({"classes": "bard"}, "classes = 'bard' is not a list"),
        ({"classes": [1]}, r"classes\[0\] = 1 is not of type str"),
        ({"classes": ["bard", None]}, r"classes\[1\] is null"),
        ({"components": {"focus": True}}, "components.focus is not a declared member"),
        ({"colour": "red"}, "colour is not a column of spells"),
        ({"name": None}, "name is required but missing"),
    ],
)
def test_an_invalid_record_is_named_with_column_and_value(tmp_path: Path, fact: dict[str, Any], complaint: str) -> None:
    with pytest.raises(RecordError, match=f"spells: spell/srd-2014/spark: {complaint}"):
        write_table(tmp_path, SPELLS, [spell(**fact)])
