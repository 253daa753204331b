"""Facts that a query mentions, offered as filters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from build_pipeline.index.vocabulary.attributes import reach, read_attributes
from build_pipeline.index.vocabulary.frames import entity_frames, with_tags
from server.dataset.load import load_dataset
from server.dataset.schema import ENTITY_TABLES
from server.library.catalogue import Catalogue
from server.library.hints.filter_offers import FilterOffers
from server.library.library import Library
from server.library.requests.kinds import FAMILY_TABLES
from server.library.requests.request import Request
from server.library.scope import Scopes
from server.library.selection import Selection

if TYPE_CHECKING:
    from pathlib import Path


def _said(library: Library, family: str, search: str, **asked: Any) -> str:
    return str(library.find(Request(family, search=search, **asked))["message"])


@pytest.mark.parametrize(
    ("family", "search", "offered"),
    [
        ("creature", "an undead", 'To require that, filter: type="undead" (leaves 1).'),
        ("creature", "a cr 1/4 beast", 'filter: cr="1/4" (leaves 1).'),
        ("creature", "an easy fight", "filter: cr_min=0, cr_max=1 (leaves 4)."),
        (
            "spell",
            "a ritual of level 3",
            "ritual=true (leaves 1), level=3 (leaves 5). Nothing passes all of these.",
        ),
        ("equipment", "a weapon", 'filter: type="weapon" (leaves 10).'),
        ("all", "a spell", 'filter: content_types=["Spell"] (leaves 13).'),
        ("all", "an undead", 'search_creature can require type="undead" (leaves 1).'),
    ],
)
def test_an_offer_names_the_filter_and_its_number_of_results(
    tiny_library: Library, family: str, search: str, offered: str
) -> None:
    assert offered in _said(tiny_library, family, search)


def test_a_parameter_is_offered_with_one_value(starter_dataset: Path) -> None:
    library = Library(load_dataset(starter_dataset))
    said = _said(library, "creature", "immune to fire or poison")
    library.close()
    assert said.count("immune_to=") == 3  # fire, poison, and the condition poisoned
    assert "all of these" not in said


def test_an_offered_filter_finds_as_many_as_it_says(tiny_library: Library) -> None:
    assert 'type="undead" (leaves 1)' in _said(tiny_library, "creature", "an undead", documents=("srd-2014",))
    found = tiny_library.find(Request("creature", search="x", filters={"type": "undead"}, documents=("srd-2014",)))
    assert found["total"] == 1


@pytest.mark.parametrize(
    ("family", "search", "asked"),
    [
        # No filter for it; not a filter of this tool; already filtered; the kind is already chosen.
        ("creature", "a lucky beast", {}),
        ("all", "an undead", {}),
        ("creature", "an easy fight", {"filters": {"cr_max": 2}}),
        ("equipment", "a weapon", {"kind": "magic-item"}),
        ("all", "a spell", {"content_types": ("Spell", "Weapon")}),
    ],
)
def test_only_filters_that_the_tool_can_still_apply_are_offered(
    tiny_library: Library, family: str, search: str, asked: dict[str, Any]
) -> None:
    said = _said(tiny_library, family, search, **asked)
    assert "preferred, not as required" in said
    assert "To require" not in said


def test_filters_of_the_vocabulary_mean_their_facts(starter_dataset: Path) -> None:
    tables = load_dataset(starter_dataset).tables
    catalogue = Catalogue(
        tables, tables["rules"]["document_key"].to_list() + tables["spells"]["document_key"].to_list()
    )
    offers = FilterOffers(Scopes(catalogue), Selection(catalogue))
    ids = np.array(catalogue.ids)
    everything = {table.name: tables[table.name].to_dicts() for table in ENTITY_TABLES}
    attributes = read_attributes()
    families = {table.name: family for family, table in FAMILY_TABLES.items()}
    frames = with_tags(entity_frames(everything), pl.read_parquet(starter_dataset / "tags.parquet").to_dicts())
    reached = reach(frames, attributes)
    checked = 0
    for attribute, having in zip(attributes, reached, strict=True):
        family = "all" if "content_types" in attribute.filters else families[attribute.tables[0]]
        offer = offers._offer(Request(family), attribute.filters)
        assert (offer is None) == (not attribute.filters), attribute.says
        if offer is not None:
            passing = set(ids[offer.inside])
            assert passing <= set(having), (attribute.says, passing - set(having))
            checked += bool(passing)
    assert checked > 30
