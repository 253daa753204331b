"""The list of renamed things, checked against both System Reference Documents."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from server.dataset.names import normalize_name
from server.dataset.schema import ENTITY_TABLES, TABLE_OF
from server.library.names.renamed import declared

pytestmark = [pytest.mark.recordings, pytest.mark.timeout(1500)]

PARTS = {"shove"}
"""Names that only a part of an entity has in 2014."""


def test_every_entry_names_things_that_only_one_document_has(built: Path) -> None:
    names: dict[tuple[str, str], set[str]] = {}
    for table in ENTITY_TABLES:
        for document, name in pl.read_parquet(built / f"{table.name}.parquet").select("document_key", "name").rows():
            names.setdefault((document, table.name), set()).add(normalize_name(name))
    wrong = []
    for types in declared().values():
        for entity_type, listed in types.items():
            table_name = TABLE_OF[entity_type].name
            old_names, new_names = names["srd-2014", table_name], names["srd-2024", table_name]
            for old, new in listed.items():
                counterparts = {normalize_name(each) for each in ([new] if isinstance(new, str) else new)}
                folded = normalize_name(old)
                if not (counterparts <= new_names and folded not in new_names and folded in old_names | PARTS):
                    wrong.append((entity_type, old, new))
    assert not wrong
