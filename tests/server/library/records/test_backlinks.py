"""`linked_from` of looked-up records: the entities that refer to them, all counted and some listed."""

from pathlib import Path

import polars as pl
from tiny_dataset import cast, creature

from server.dataset.dataset import Dataset
from server.dataset.load import load_dataset
from server.dataset.schema import CREATURES
from server.library.catalogue import Catalogue
from server.library.library import Library
from server.library.records.backlinks import MOST_LISTED, Backlinks
from server.library.requests.request import Request

FIREBALL = "spell/srd-2014/fireball"


def with_casters(dataset: Dataset, number: int) -> dict[str, pl.DataFrame]:
    """The dataset's tables with more creatures that cast a spell."""
    spells = [cast("Fireball", FIREBALL)]
    casters = [
        creature("hearth", f"Mage {n:02}", 1, "humanoid", "It burns.", spells=spells, links=[FIREBALL])
        for n in range(number)
    ]
    further = pl.DataFrame(casters, schema=CREATURES.schema)
    return dataset.tables | {CREATURES.name: pl.concat([dataset.tables[CREATURES.name], further])}


def test_a_looked_up_record_lists_what_refers_to_it(tiny_library: Library) -> None:
    found = tiny_library.find(Request("spell", name="fireball", documents=("srd-2014", "hearth")))["results"]
    assert {record["document"]: record["linked_from"] for record in found} == {
        "srd-2014": {"total": 1, "ids": ["magic-item/srd-2014/robe-of-the-archmagi"]},
        "hearth": {"total": 1, "ids": ["creature/hearth/hearth-imp"]},
    }
    imp = tiny_library.entity("creature/hearth/hearth-imp")
    assert imp is not None
    assert imp["linked_from"] == {"total": 0, "ids": []}


def test_only_full_looked_up_records_have_backlinks(tiny_library: Library) -> None:
    for asked in (Request("spell", search="fireball"), Request("spell", name="fireball", detail="summary")):
        assert all("linked_from" not in record for record in tiny_library.find(asked)["results"])


def test_backlinks_stay_within_the_requested_documents(tiny_library: Library) -> None:
    (robe,) = tiny_library.find(Request("equipment", name="robe*", documents=("srd-2014",)))["results"]
    assert robe["links"] == [FIREBALL]
    (imp,) = tiny_library.find(Request("creature", name="hearth imp", documents=("hearth",)))["results"]
    assert imp["links"] == ["spell/hearth/ember-hush", "spell/hearth/fireball"]


def test_the_rarest_types_come_first_and_all_are_counted(tiny_folder: Path) -> None:
    dataset = load_dataset(tiny_folder)
    catalogue = Catalogue(with_casters(dataset, 30), {"srd-2014", "srd-2024", "a5e-ag", "hearth"})
    backlinks = Backlinks(catalogue)
    row = catalogue.row_of[FIREBALL]
    found = backlinks.of(row, None)
    assert found["total"] == 31
    assert found["ids"][:2] == ["magic-item/srd-2014/robe-of-the-archmagi", "creature/hearth/mage-00"]
    assert len(found["ids"]) == MOST_LISTED
    assert backlinks.of(row, {"srd-2014"}) == {"total": 1, "ids": ["magic-item/srd-2014/robe-of-the-archmagi"]}
    assert Backlinks(Catalogue(dataset.tables, {"srd-2014"})).of(0, None)["total"] == 0


def test_datasets_without_links_have_no_backlinks(tiny_folder: Path) -> None:
    dataset = load_dataset(tiny_folder)
    tables = {
        name: frame.with_columns(links=pl.lit(None, pl.List(pl.String))) for name, frame in dataset.tables.items()
    }
    catalogue = Catalogue(tables, {"srd-2014"})
    assert Backlinks(catalogue).of(0, None) == {"total": 0, "ids": []}
    Backlinks(Catalogue(tables, set()))
