"""Facts that queries mention: SQL conditions on real records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from build_pipeline.declared import DeclaredError
from build_pipeline.index.vocabulary.attributes import Attribute, reach, read_attributes
from build_pipeline.index.vocabulary.frames import entity_frames, with_tags
from build_pipeline.index.vocabulary.vocabulary import written_out
from server.dataset.index.lexicon import ATTRIBUTES_SCHEMA, KnownAttributes, compiled
from server.dataset.schema import ENTITY_TABLES
from server.library.queries.attributes import Attributes

if TYPE_CHECKING:
    from pathlib import Path

    from server.dataset.dataset import Dataset


@pytest.fixture(scope="module")
def frames(dataset: Dataset) -> dict[str, pl.DataFrame]:
    frames = entity_frames({table.name: dataset.tables[table.name].to_dicts() for table in ENTITY_TABLES})
    return with_tags(frames, pl.read_parquet(dataset.path / "tags.parquet").to_dicts())


def test_every_attribute_has_a_valid_condition(frames: dict[str, pl.DataFrame]) -> None:
    attributes = read_attributes()
    reached = reach(frames, attributes)
    assert len(reached) == len(attributes)
    known = {identity for frame in frames.values() for identity in frame["id"]}
    assert all(set(ids) <= known for ids in reached)
    assert sum(map(bool, reached)) > 50
    assert {"cantrip", "level 3", "school of evocation"} <= {a.says for a in attributes}


def test_conditions_see_columns_and_weapon_properties(frames: dict[str, pl.DataFrame]) -> None:
    flies, thrown = reach(
        frames,
        [
            Attribute("flies", ("creatures",), "speed.fly > 0", "fly"),
            Attribute("thrown", ("equipment",), "array_contains(property_names, 'thrown')", "thrown"),
        ],
    )
    creatures = frames["creatures"].select("id", "speed").iter_rows()
    assert flies == sorted(identity for identity, speed in creatures if (speed or {}).get("fly"))
    assert thrown
    assert all(identity.startswith(("weapon/", "magic-item/")) for identity in thrown)


@pytest.mark.parametrize("when", ["no_such_column > 1", "level >", "level = 'a' + ("])
def test_an_invalid_condition_is_named(frames: dict[str, pl.DataFrame], when: str) -> None:
    with pytest.raises(DeclaredError, match="'odd', table spells"):
        reach(frames, [Attribute("odd", ("spells",), when, "")])


SOUND = 'says = "sly"\nasked = "sly"\nof = ["spells"]\nwhen = "level = 0"\n'


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (SOUND.replace('when = "level = 0"', ""), "attributes.toml: sly: when Field required"),
        (SOUND + 'filters = { level = "0" }', "attributes.toml: sly: filters Extra inputs"),
        (SOUND.replace('says = "sly"', ""), r"attributes.toml: {'asked': 'sly', .*}: says Field required"),
        (SOUND + "filter = { level = 0 }", "sly: filter.level Input should be a valid string"),
        (SOUND.replace("spells", "songs"), "sly: of.0 .*'songs' is not one of the tables spells, "),
    ],
)
def test_an_invalid_entry_is_named(tmp_path: Path, entry: str, message: str) -> None:
    file = tmp_path / "attributes.toml"
    file.write_text(f"[[attribute]]\n{entry}")
    with pytest.raises(DeclaredError, match=message):
        read_attributes(file)


def test_a_file_without_attributes_is_named(tmp_path: Path) -> None:
    file = tmp_path / "attributes.toml"
    file.write_text("")
    with pytest.raises(DeclaredError, match=r"attributes.toml is not a list of \[\[attribute\]\]"):
        read_attributes(file)


def test_values_may_have_their_own_words() -> None:
    entry = {
        "says": "{x}s",
        "asked": ["{words}"],
        "each": [{"x": "fly", "words": "wings?"}, {"x": "swim", "words": "fins?"}],
    }
    assert list(written_out(entry)) == [
        {"says": "flys", "asked": ["wings?"]},
        {"says": "swims", "asked": ["fins?"]},
    ]


def test_conditions_see_tags(frames: dict[str, pl.DataFrame]) -> None:
    (frightens,) = reach(
        frames, [Attribute("frightens", ("creatures",), "array_contains(does, 'inflicts-frightened')", "")]
    )
    assert frightens
    assert set(frightens) < set(frames["creatures"]["id"])


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("makes people afraid", {"inflicts frightened"}),
        ("takes away fear", {"keeps from being frightened"}),
        ("immune to being charmed", {"keeps from being charmed"}),
        ("anti-undead", {"against undead"}),
        ("hunts giants", {"against giants"}),
        ("very rare wondrous item, no attunement", {"rarity very rare", "wondrous item", "doesn't need attunement"}),
        ("poison damage", {"deals poison damage"}),
        (
            "immune to poison but doesn't deal it",
            {"immune to poison", "resistant to poison", "keeps from being poisoned", "doesn't deal poison damage"},
        ),
        ("a light weapon that isn't finesse", {"weapon with light", "not weapon with finesse"}),
        ("no concentration", {"doesn't need concentration"}),
        ("doesn't take concentration and lasts all day", {"doesn't need concentration", "lasts eight hours or more"}),
        ("can't be frightened", {"keeps from being frightened"}),
        ("undead with legendary resistance", {"type undead", "has legendary resistance"}),
        ("low armor class", {"low armor class"}),
        ("huge or bigger", {"size huge or larger"}),
        ("two-handed d10 weapon", {"weapon with two-handed", "damage 1d10"}),
        (
            "medium armor without stealth penalty",
            {"medium armor", "trained with medium armor", "without stealth disadvantage"},
        ),
        ("touch spell without a costly component", {"range touch", "without a costly component"}),
        ("something that makes me fly", {"gives flight"}),
        ("lets the party breathe under water", {"gives breath under water"}),
        ("a wand attuned by a wizard", {"wand item", "attunement by a wizard"}),
        ("rare or better wand", {"rarity rare or higher", "wand item"}),
        (
            "immune to fire or frightened",
            {"immune to fire", "resistant to fire", "keeps from being frightened"},
        ),
        ("undead that can be charmed", {"type undead", "can be charmed"}),
        ("a giant susceptible to being stunned", {"type giant", "can be stunned"}),
        (
            "free someone from being restrained or grappled",
            {"keeps from being restrained", "keeps from being grappled"},
        ),
        ("only a verbal component", {"has only a verbal component"}),
        ("vulnerable to radiant damage", {"vulnerable to radiant"}),
        ("undead with cold resistance", {"type undead", "resistant to cold"}),
        ("fire damage resistance", {"resistant to fire"}),
        ("protects from lightning and thunder damage", {"resistant to lightning", "resistant to thunder"}),
        ("deals cold damage, resistant to fire damage", {"deals cold damage", "resistant to fire"}),
        ("half-caster class with a d10 hit die", {"half caster", "a class", "hit die d10"}),
    ],
)
def test_facts_in_queries_are_recognised(query: str, says: set[str]) -> None:
    everything = np.arange(2)
    rows = [{"says": a.says, "asked": a.asked, "filters": None, "entity_ids": ["one"]} for a in read_attributes()]
    table = pl.DataFrame(rows, schema=ATTRIBUTES_SCHEMA)
    known = KnownAttributes(table, compiled(table["asked"].to_list()))
    attributes = Attributes(known, {"one": 0, "other": 1})
    mentioned = attributes.mentioned(attributes.wanted(query, everything), everything)
    assert {fact.label for fact in mentioned} == says
