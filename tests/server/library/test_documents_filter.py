"""`documents`: what its entries mean, and that answers, or a whole library, contain nothing of other books."""

import json
import re
from typing import Any, Final

import pytest
from tiny_dataset import ROWS

from server.dataset.dataset import Dataset
from server.dataset.schema import CHARACTER_OPTIONS as OPTIONS
from server.dataset.schema import CREATURES, EQUIPMENT, RULES, TABLE_OF
from server.dataset.tables.columns import Table
from server.library.library import Library
from server.library.records.references import inside as narrowing
from server.library.requests.request import Request, RequestError

HERE: Final = "spell/hearth/ember-hush"
ELSEWHERE: Final = "spell/srd-2014/fireball"


def _found(library: Library, *documents: str, **asked: Any) -> dict[str, Any]:
    return library.find(Request(**({"family": "all"} | asked), documents=documents, limit=100))


@pytest.mark.parametrize(
    ("entries", "keys"),
    [
        (("srd-5e",), {"srd-2014"}),
        (("  SRD-2014 ",), {"srd-2014"}),
        (("system reference document 5.1",), {"srd-2014"}),
        (("SRD 5.2",), {"srd-2024"}),
        (("5E 2024",), {"srd-2024"}),
        (("adventurer’s guide", "hearthbook"), {"a5e-ag", "hearth"}),
        (("5e-2024", "a5e"), {"srd-2024", "a5e-ag"}),
        (("5.5e", "Level Up: Advanced 5th Edition"), {"srd-2024", "a5e-ag"}),
        (("Level Up", "Hearth"), {"a5e-ag", "hearth"}),
        (("D&D 5e",), {"srd-2014", "srd-2024"}),
        (("5e", "hearth"), {"srd-2014", "srd-2024", "hearth"}),
    ],
)
def test_entries_may_be_keys_aliases_names_and_systems(
    tiny_library: Library, entries: tuple[str, ...], keys: set[str]
) -> None:
    response = _found(tiny_library, *entries)
    assert {r["document"] for r in response["results"]} == keys
    assert response["total"] == sum(row["document_key"] in keys for row in ROWS)


@pytest.mark.parametrize(
    ("entry", "keys"),
    [
        ("Lantern Coast", {"the-lantern-coast"}),
        ("homebrew", {"the-lantern-coast"}),
        ("Wizards of the Coast", {"srd-2014", "srd-2024"}),
    ],
)
def test_entries_may_be_parts_of_names_publishers_and_homebrew(library: Library, entry: str, keys: set[str]) -> None:
    assert {r["document"] for r in _found(library, entry)["results"]} <= keys
    assert _found(library, entry)["total"] == _found(library, *keys)["total"] > 0


@pytest.mark.parametrize(
    "entry",
    ["phb", "Player’s Handbook", "Monster Manual 2024", "tce", "Tasha's Cauldron of Everything", "Curse of Strahd"],
)
def test_closed_books_are_explained(tiny_library: Library, entry: str) -> None:
    message = _found(tiny_library, entry, search="fire")["message"]
    assert f'"{entry}" (not an open book; open books of the game: srd-2014 and srd-2024)' in message


def test_unknown_documents_are_named_with_similar_ones(tiny_library: Library) -> None:
    response = _found(tiny_library, "srd-2015", search="fire")
    assert response["results"] == []
    assert "srd-2015" in response["message"]
    assert "srd-2014" in response["message"]
    assert "System Reference Document 5" in _found(tiny_library, "reference")["message"], "a word of a book's name"
    partly = _found(tiny_library, "srd-2015", "hearth")
    assert partly["results"]
    assert "srd-2015" in partly["message"]


def test_an_empty_list_gives_an_empty_answer_after_checking_arguments(tiny_library: Library) -> None:
    response = _found(tiny_library, search="fire")
    assert (response["results"], response["total"]) == ([], 0)
    assert response["message"]
    with pytest.raises(RequestError):
        _found(tiny_library, family="spell", filters={"school": "evocatoin"})


def test_nothing_of_another_document_appears_anywhere(tiny_library: Library) -> None:
    others = {row["document_key"] for row in ROWS} - {"hearth"}
    for asked in (
        {"search": "oath of flame"},
        {"name": "*"},
        {"name": "fireball"},
        {"name": "elfs"},
        {"name": "nothing"},
    ):
        text = json.dumps(_found(tiny_library, "hearth", **asked))
        assert not [key for key in others if key in text]
    oath = _found(tiny_library, "hearth", name="Oath of the Hearth")["results"][0]
    assert oath["subclass_of"] == {"name": "Paladin"}


@pytest.mark.parametrize(
    ("table", "column", "value", "inside"),
    [
        (CREATURES, "spells", [{"name": "Fireball", "id": ELSEWHERE, "level": 3}], [{"name": "Fireball", "level": 3}]),
        (
            CREATURES,
            "gear",
            [{"name": "Mace", "id": None, "quantity": 1}],
            [{"name": "Mace", "id": None, "quantity": 1}],
        ),
        (EQUIPMENT, "spells", [{"name": "Light", "id": ELSEWHERE}], [{"name": "Light"}]),
        (OPTIONS, "spell_list", [{"level": 1, "spells": [ELSEWHERE, HERE]}], [{"level": 1, "spells": [HERE]}]),
        (OPTIONS, "option_of", [{"name": "Elf", "id": ELSEWHERE, "document_key": "srd-2014"}], [{"name": "Elf"}]),
        (RULES, "parent", {"name": "Combat", "id": HERE, "document_key": "hearth"}, None),
    ],
    ids=lambda value: value.name if isinstance(value, Table) else str(value)[:20],
)
def test_what_a_record_refers_to_in_another_document_keeps_its_name(
    table: Table, column: str, value: Any, inside: Any
) -> None:
    narrow = narrowing(table.column(column))
    assert narrow is not None
    assert narrow(value, {"hearth"}) == (inside or value)


def test_full_records_have_no_ids_of_other_documents(library: Library) -> None:
    ids = re.compile(rf'"(?:{"|".join(TABLE_OF)})/([^/"]+)/')
    assert len(library.document_keys) > 2
    for document in library.document_keys:
        for family in ("spell", "creature", "equipment", "character_option", "rule"):
            found = library.find(Request(family, documents=(document,), limit=100))["results"]
            assert set(ids.findall(json.dumps(found))) <= {document}


def test_children_come_from_all_documents_unless_limited(tiny_library: Library) -> None:
    def children(*documents: str) -> list[str]:
        asked = Request(family="character_option", kind="race", name="elf", documents=documents or None)
        return [child["name"] for child in tiny_library.find(asked)["results"][0]["subraces"]]

    assert children() == ["High Elf", "Soot Elf"]
    assert children("srd") == ["High Elf"]


def test_related_rules_stay_inside_the_documents(tiny_library: Library) -> None:
    rule = _found(tiny_library, "srd", name="Opportunity Attacks")["results"][0]
    assert rule["related"] == ["rule/srd-2014/cover", "Reach"]


def test_a_limited_library_has_nothing_else(tiny: Dataset) -> None:
    library = Library(tiny, documents=["srd-5e"])
    answers = [
        library.find(Request(family="all", limit=100)),
        library.find(Request(family="spell", search="fireball", limit=100)),
        library.find(Request(family="spell", documents=("hearth",))),
        library.find(Request(family="character_option", kind="race", name="elf")),
        library.list_documents(),
    ]
    assert answers[0]["total"] == sum(row["document_key"] == "srd-2014" for row in ROWS)
    assert answers[2]["results"] == []
    text = json.dumps([answers[0], answers[1], *answers[3:]])
    assert not [key for key in ("hearth", "srd-2024", "a5e-ag") if key in text]
    with pytest.raises(RequestError, match="srd-2015"):
        Library(tiny, documents=["srd-2015"])


def test_list_documents_counts_what_is_served(tiny: Dataset, tiny_library: Library) -> None:
    response = tiny_library.list_documents()
    counts = [row["entity_count"] for row in response["results"]]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == len(ROWS)
    assert response["results"][0]["entity_types"]["creature"] == 7
    assert [row["document_key"] for row in tiny_library.list_documents("OrcBrew ")["results"]] == ["hearth"]
    with pytest.raises(RequestError, match="open5e_v2"):
        tiny_library.list_documents("open5e")
    assert tiny_library.list_documents("dnd5e_api")["message"] == "No documents from dnd5e_api."
    nothing = Library(tiny, documents=[]).list_documents()
    assert nothing["message"] == "No documents found in cache"


def test_an_edition_may_be_given_by_its_year(tiny_library: Library) -> None:
    found = tiny_library.find(Request("spell", documents=("2024",)))
    assert {record["document_key"] for record in found["results"]} == {"srd-2024"}
    assert found["message"] is None
