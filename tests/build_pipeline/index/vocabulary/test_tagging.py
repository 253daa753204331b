"""Tagging entities: conditions, lists of names, and evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hearth_creatures import CREATURES, creature, empty, tag

from build_pipeline.declared import DeclaredError
from build_pipeline.index.vocabulary.frames import entity_frames
from build_pipeline.index.vocabulary.tagging import Tagged, Tagger, by_phrase, tag_entities, tag_rows
from build_pipeline.index.vocabulary.vocabulary import Tag, read_vocabulary
from server.dataset.schema import ENTITY_TABLES, TAGS

if TYPE_CHECKING:
    from server.dataset.dataset import Dataset


def tagger(*tags: Tag) -> Tagger:
    return Tagger("creatures", entity_frames(empty() | {"creatures": CREATURES})["creatures"], tags)


def found(**told: Any) -> dict[str, str]:
    """Name → evidence, for the entities that a tag reaches."""
    names = {row["id"]: row["name"] for row in CREATURES}
    ((_, reached),) = tagger(tag(**told)).reached()
    return {names[identity]: evidence for identity, evidence in reached.items()}


def test_words_of_the_text_are_the_evidence() -> None:
    assert found(text=["foes fright", "hum"]) == {"Ember Wolf": "foes Frightened", "Kettle (Copper)": "hums"}
    assert found(where="type = 'beast'", text=["bark", "bird"], every=[r"of \w+|silent"]) == {
        "Ember Wolf": "bark … of fire",
        "Soot Owl": "bird … silent",
    }


def test_facts_are_the_evidence_if_no_words_are_required() -> None:
    assert found(where="speed.fly >= 40 or challenge_rating > 4") == {
        "Ash Golem": "speed.fly: 30; challenge_rating: 5",
        "Soot Owl": "speed.fly: 60; challenge_rating: 0.25",
    }
    assert found(where="challenge_rating is null") == {"Kettle (Copper)": "challenge_rating: none"}


def test_names_match_whole_words_unless_starred() -> None:
    assert found(named=["wolf", "owl"]) == {"Ember Wolf": "wolf", "Soot Owl": "owl"}
    assert found(named=["ember"], not_named=["wol"]) == {"Ember Wolf": "ember"}
    assert found(named=["*ettle"], not_named=["cop*"]) == {"Kettle": "kettle"}


def test_excluded_wording_does_not_count() -> None:
    assert found(text=["frightened"], unless=["cannot be"]).keys() == {"Ember Wolf"}


def test_one_alternative_is_enough_besides_the_entrys_condition() -> None:
    either = [{"text": ["smoke"]}, {"where": "challenge_rating < 1"}]
    assert found(where="type = 'construct'", either=either) == {
        "Ash Golem": "Smoke",
        "Kettle": "type: construct; challenge_rating: 0.5",
    }


def test_lists_include_and_exclude_by_name_or_id() -> None:
    kettles = {"names": ["Kettle"], "because": "it sings over the fire"}
    assert found(include=[kettles]) == {
        "Kettle": "Kettle: it sings over the fire",
        "Kettle (Copper)": "Kettle (Copper): it sings over the fire",
    }
    only_one = {"names": ["creature/hearth/kettle"], "because": "the plain one only"}
    assert found(where="type = 'construct'", exclude=[only_one]).keys() == {"Ash Golem", "Kettle (Copper)"}
    assert found(where="type = 'beast'", include=[{"names": ["Soot Owl"], "because": "well known"}]) == {
        "Ember Wolf": "type: beast",
        "Soot Owl": "type: beast",
    }


def test_texts_of_excepted_entities_are_not_matched() -> None:
    apart = [{"names": ["Kettle"], "because": "tells what it may become"}]
    assert found(text=["cannot", "smoke", "hum"], apart=apart).keys() == {"Ash Golem"}
    assert found(where="type = 'construct'", unless=["cannot"], apart=apart).keys() == {
        "Ash Golem",
        "Kettle",
        "Kettle (Copper)",
    }


def test_the_middle_of_long_evidence_is_cut() -> None:
    row = creature("Bore", "It talks " + "and talks " * 60 + "all night.")
    frame = entity_frames(empty() | {"creatures": [row]})["creatures"]
    ((_, reached),) = Tagger("creatures", frame, [tag(text=["it talks.*night"])]).reached()
    (evidence,) = reached.values()
    assert evidence.startswith("It talks and talks")
    assert evidence.endswith("all night")
    assert set(evidence.split()) == {"It", "talks", "and", "…", "all", "night"}
    assert len(evidence) < 220


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"where": "no_such_column > 1"}, "odd, table creatures: .*no_such_column"),
        ({"where": "type >"}, "odd, table creatures"),
        ({"text": ["(burn"]}, r"table creatures: '\(burn' is not a regular expression"),
    ],
)
def test_an_invalid_condition_is_named(told: dict[str, Any], message: str) -> None:
    with pytest.raises(DeclaredError, match=message):
        found(**told)


def test_the_table_has_each_tag_of_an_entity_once() -> None:
    first = Tagged("creature/hearth/kettle", "heals", ("mends wounds", "healer"), "mends")
    second = Tagged("creature/hearth/kettle", "heals", ("gives hit points",), "hit points")
    assert tag_rows([first, second]) == [
        {"entity_id": "creature/hearth/kettle", "tag": "heals", "phrase": "mends wounds", "evidence": "mends"}
    ]
    assert by_phrase([second, first]) == {
        "gives hit points": ["creature/hearth/kettle"],
        "healer": ["creature/hearth/kettle"],
        "mends wounds": ["creature/hearth/kettle"],
    }


def test_the_repositorys_vocabulary_tags_real_records(dataset: Dataset) -> None:
    frames = entity_frames({table.name: dataset.tables[table.name].to_dicts() for table in ENTITY_TABLES})
    tagged = tag_entities(frames, read_vocabulary())
    assert tagged == sorted(tagged, key=lambda one: (one.entity_id, one.tag))
    assert len({one.tag for one in tagged}) > 50
    assert all(one.evidence for one in tagged)


def test_a_creature_is_tagged_with_the_conditions_that_it_inflicts() -> None:
    told = [
        creature("Glare Moth", "On a failed save the target is magically blinded.", inflicts=["blinded"]),
        creature("Dazed Moth", "After it dives it is stunned for a while.", inflicts=[]),
        creature("Gong Bear", "Clap: stunned 1 min (DC 12 Con).", inflicts=["stunned"]),
    ]
    frames = entity_frames(empty() | {"creatures": told})
    tagged = tag_entities(frames, read_vocabulary())
    assert [(one.entity_id, one.tag) for one in tagged if one.tag.startswith("inflicts-")] == [
        ("creature/hearth/glare-moth", "inflicts-blinded"),
        ("creature/hearth/gong-bear", "inflicts-stunned"),
    ]


def test_the_evidence_of_a_condition_is_the_sentence_that_inflicts_it() -> None:
    told = [
        creature(
            "Gong Bear",
            "It has advantage on saves against being stunned. On a failed save the target is stunned for a while.",
            inflicts=["stunned"],
        ),
        creature("Loud Bear", "It hums.", inflicts=["stunned"]),
        creature("Calm Bear", "It can't be stunned.", inflicts=[]),
    ]
    frame = entity_frames(empty() | {"creatures": told})["creatures"]
    ((_, reached),) = Tagger("creatures", frame, [tag(inflicts="stunned")]).reached()
    assert list(reached.values()) == ["On a failed save the target is stunned", "inflicts: stunned"]


@pytest.mark.parametrize(
    ("inflicts", "text", "tags"),
    [
        (["deafened"], "30 hit points or fewer: deafened for a minute.", ["inflicts-deafened"]),
        ([], "It shrugs off poison. Whoever is in the cloud spends the turn retching.", []),
        (["blinded"], "While you see through the owl, you are blinded.", []),
    ],
)
def test_a_spell_is_tagged_with_the_conditions_that_it_inflicts_on_others(
    inflicts: list[str], text: str, tags: list[str]
) -> None:
    owl = creature("Owl Song", text, entity_type="spell", inflicts=inflicts)
    tagged = tag_entities(entity_frames(empty() | {"spells": [owl]}), read_vocabulary())
    assert [one.tag for one in tagged if one.tag.startswith("inflicts-")] == tags


def test_a_thing_named_after_a_people_does_not_live_where_they_do() -> None:
    told = [creature("Goblin", "It sneers.", type="humanoid"), creature("Goblin Cart", "It rolls.", type="construct")]
    frames = entity_frames(empty() | {"creatures": told})
    living = {one.entity_id for one in tag_entities(frames, read_vocabulary()) if one.tag.startswith("lives-")}
    assert living == {"creature/hearth/goblin"}


def test_the_dataset_has_tags_and_their_phrases(dataset: Dataset) -> None:
    tags = pl.read_parquet(dataset.path / TAGS.file)
    effects = pl.read_parquet(dataset.path / "lexicon" / "effects.parquet")
    assert tags.schema == pl.Schema(TAGS.schema)
    assert dataset.manifest["files"][TAGS.file]["rows"] == tags.height > 100
    assert set(tags["phrase"]) <= set(effects["says"])
    said = {(phrase, i) for phrase, ids in effects.select("says", "entity_ids").iter_rows() for i in ids}
    assert set(tags.select("phrase", "entity_id").iter_rows()) <= said
    lengths = {round(sum(x * x for x in vector), 3) for vector in effects["vector"].to_list()}
    assert lengths == {1.0}
    assert effects["says"].is_sorted()
