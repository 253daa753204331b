"""Known facts of real classes, races, backgrounds and feats, from the recordings of the APIs."""

import pytest
from merging import linked, recorded

from build_pipeline.normalize.character_options import character_options
from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.normalize.records import normalize
from build_pipeline.sources import SOURCES
from server.dataset.schema import CHARACTER_OPTIONS

pytestmark = pytest.mark.recordings


@pytest.fixture(scope="module")
def found(recordings):
    """(raw layer, entities by (type, document, name)) of everything recorded of the family."""
    raw = recorded(recordings, "character_options")
    entities = linked(character_options.drafts(raw, Problems()), character_options)
    return raw, {(e.entity_type, e.document_key, e.name): e for e in entities}


def test_nothing_is_lost(found):
    raw, entities = found
    told = {raw_id for entity in entities.values() for raw_id in entity.raw}
    assert {obj.id for obj in raw} <= told


def test_every_fact_has_its_column_and_every_entity_a_description(found):
    _, entities = found
    for (entity_type, *_), entity in entities.items():
        assert set(entity.facts) <= {c.name for c in CHARACTER_OPTIONS.columns_of(entity_type)}, entity.id
        assert entity.facts["description"], entity.id


def test_the_paladin_is_known(found):
    facts = found[1]["class", "srd-2014", "Paladin"].facts
    assert len(facts["features"]) >= 12
    assert all(f["description"] and f["level"] for f in facts["features"])
    assert not {f["name"] for f in facts["features"]} & {"1st", "Equipment", "Proficiencies", "Proficiency Bonus"}
    assert (facts["hit_dice"], facts["spellcasting_ability"], facts["caster_type"]) == ("d10", "charisma", "half")
    assert facts["proficiencies"]["saving_throws"] == ["wisdom", "charisma"]
    assert len(facts["subclasses"]) >= 8
    assert "Oath of Devotion" in [child["name"] for child in facts["subclasses"]]


def test_every_class_is_complete(found):
    casters = {"full", "half", "pact"}
    for (entity_type, document, name), entity in found[1].items():
        if entity_type != "class":
            continue
        facts = entity.facts
        assert len(facts["progression"]) == 20
        assert [row["proficiency_bonus"] for row in facts["progression"]][::4] == [2, 3, 4, 5, 6]
        assert facts["starting_equipment"], name
        assert len(facts["proficiencies"]["saving_throws"]) == 2, name
        assert (facts.get("spellcasting_ability") is not None) == (facts["caster_type"] in casters), (document, name)


def test_the_apis_short_names_join_the_long_ones(found):
    for name in ("Oath of Devotion", "The Fiend", "School of Evocation", "Circle of the Land", "Way of the Open Hand"):
        entity = found[1]["subclass", "srd-2014", name]
        assert entity.sources == ["open5e_v2", "open5e_v1", "dnd5e_api"]
    assert found[1]["subrace", "srd-2014", "Lightfoot"].sources == ["open5e_v2", "open5e_v1", "dnd5e_api"]


def test_levels_that_v2_lacks_come_from_the_other_sources(found):
    cleric = {f["name"]: f["levels"] for f in found[1]["class", "srd-2014", "Cleric"].facts["features"]}
    assert cleric["Ability Score Improvement"] == [4, 8, 12, 16, 19]
    monk = {f["name"]: f["level"] for f in found[1]["class", "srd-2024", "Monk"].facts["features"]}
    assert monk["Deflect Attacks"] == 3


def test_a_subclass_of_another_book_is_listed_at_its_class(found):
    rogue = found[1]["class", "srd-2014", "Rogue"].facts
    assert {"toh", "srd-2014", "open5e"} <= {child["document_key"] for child in rogue["subclasses"]}
    trickster = found[1]["subclass", "open5e", "Eldritch Trickster"].facts
    assert (trickster["caster_type"], trickster["spellcasting_ability"]) == ("third", "intelligence")


def test_the_elf_is_known(found):
    facts = found[1]["race", "srd-2014", "Elf"].facts
    assert (facts["size"], facts["speed"]) == ("medium", {"walk": 30})
    assert facts["ability_score_increases"] == [{"ability": "dexterity", "bonus": 2}]
    assert {"Fey Ancestry", "Keen Senses", "Trance"} <= {t["name"] for t in facts["traits"]}
    assert "High Elf" in [child["name"] for child in facts["subraces"]]
    lineages = found[1]["race", "srd-2024", "Elf"].facts["subraces"]
    assert len(lineages) == 3
    assert found[1]["subrace", "srd-2024", "Elven Lineage: Wood Elf"].facts["speed"] == {"walk": 35}


def test_text_wins_over_wrong_fields(found):
    assert found[1]["race", "toh", "Erina"].facts["size"] == "small"
    assert found[1]["race", "srd-2024", "Human"].facts["size"] == "small or medium"
    assert found[1]["race", "toh", "Darakhul"].facts.get("speed") is None


def test_the_acolyte_is_known(found):
    facts = found[1]["background", "srd-2014", "Acolyte"].facts
    assert facts["skill_proficiencies"] == "Insight, Religion"
    assert facts["feature"]["name"] == "Shelter of the Faithful"
    assert not any(document == "a5e" for kind, document, _ in found[1] if kind in {"background", "feat"})


def test_known_feats_are_read(found):
    assert found[1]["feat", "srd-2014", "Grappler"].facts["prerequisite"] == "Strength 13 or higher"
    alert = found[1]["feat", "srd-2024", "Alert"].facts
    assert (alert["feat_type"], alert.get("prerequisite")) == ("origin", None)
    assert alert["benefits"][0]["name"] == "Initiative Proficiency"


def test_a_subclass_is_of_the_edition_of_its_class(recordings):
    raw = recorded(recordings, "character_options", "documents")
    tables = normalize(raw, SOURCES).tables["character_options"]
    systems = {(record["document_key"], record["name"]): record["game_system"] for record in tables}
    assert systems["open5e", "Abjurationist"] == "5e-2024"
    assert systems["open5e", "Eldritch Trickster"] == "5e-2014"
