"""The list of renamed things, checked against both System Reference Documents."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from server.dataset.names import normalize_name
from server.dataset.schema import ENTITY_TABLES, TABLE_OF
from server.library.names.renamed import PARTS_FILE, counterparts, declared

pytestmark = [pytest.mark.recordings, pytest.mark.timeout(1500)]

TERMS = {"hit dice", "race", "shove", "species"}
"""Names that no entity has, only a part of one, or the text."""


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
                there = {normalize_name(each) for each in ([new] if isinstance(new, str) else new)}
                folded = normalize_name(old)
                if not (there - TERMS <= new_names and folded not in new_names and folded in old_names | TERMS):
                    wrong.append((entity_type, old, new))
    assert not wrong


NAMED_IN_TEXT = {"turn undead"}
"""What is part of a feature in both editions, under a heading of its own in none."""


def test_every_renamed_part_is_one_of_its_owner_and_only_in_that_edition(built: Path) -> None:
    options = pl.read_parquet(built / "character_options.parquet")
    parts: dict[str, dict[str, set[str]]] = {"srd-2014": {}, "srd-2024": {}}
    columns = ("name", "document_key", "features", "traits", "progression")
    for owner, document, features, traits, levels in options.select(columns).rows():
        if document in parts:
            names = [each["name"] for each in (*(features or ()), *(traits or ()))]
            names += [column["name"] for level in levels or () for column in level["columns"] or ()]
            parts[document].setdefault(normalize_name(owner), set()).update(map(normalize_name, names))
    anyone = set().union(*parts["srd-2014"].values()) | NAMED_IN_TEXT
    wrong = []
    for owners in declared(PARTS_FILE).values():
        for owner, listed in owners.items():
            own = normalize_name(owner)
            there = [parts["srd-2024"].get(name, set()) for name in (own, *(each.name for each in counterparts(own)))]
            in_2024 = set().union(*there)
            for old, new in listed.items():
                is_right = normalize_name(old) in anyone and normalize_name(new) in in_2024
                if not is_right or normalize_name(old) in in_2024 - {"sorcery points"}:
                    wrong.append((owner, old, new))
    assert not wrong
