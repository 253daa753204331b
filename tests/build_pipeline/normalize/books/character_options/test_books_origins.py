"""Species, races, backgrounds and feats of books, from invented ones."""

import pytest
from book_pages import book
from warden_book import WARDEN_2024

from build_pipeline.normalize.books.character_options import feats, origins
from build_pipeline.normalize.merging.draft import Problems

ORIGINS_2024 = """# Character Origins

## Character Backgrounds

### Background Descriptions

#### Bellringer

**Ability Scores:** Strength, Wisdom

**Feat:** Loud (see "Feats")

**Skill Proficiencies:** Nature and Perception

**Tool Proficiency:** *Choose one kind of Bell* (see "Equipment")

**Equipment:** *Choose A or B:* (A) Bell; or (B) 50 GP

---

## Character Species

### Species Descriptions

#### Gull

**Creature Type:** Humanoid

**Size:** Small (about 3 feet tall) or Medium (about 5 feet tall)

**Speed:** 30 feet

As a Gull, you have these special traits.

***Gull Lineage.*** Choose from the Gull Lineages table.

***Beak.*** You have one.

##### Gull Lineages

| Lineage | Level 1 | Level 3 |
|---|---|---|
| Harbor | Your Speed increases to 35 feet. | *Fog* |
| Cliff | You climb. | *Tide* |

***Plumage.*** Choose one of the following; you can use the chosen plumage twice before a Long Rest:

- **Grey (Storm Gull).** You are hard to see.
- **White.** You are clean.
"""

RACES_2014 = """# Races

## Racial Traits

Races have traits.

## Gull

### Gull Traits

Gulls are loud.

***Ability Score Increase.*** Your Wisdom score increases by 2.

***Age.*** Not much.

***Size.*** You are Small.

***Speed.*** Your base walking speed is 25 feet.

Gull Ancestry

| Gull | Cry |
| --- | --- |
| Herring | Long |

***Gull Ancestry.*** Choose from the Gull Ancestry table.

#### Cliff Gull

Cliff gulls are louder.

***Steady.*** You do not fall.

# Beyond 1st Level

## Backgrounds

Backgrounds are many.

### Bellringer

You rang a bell.

**Skill Proficiencies:** Nature

**Equipment:** A bell

#### Feature: Loud Friend

Someone hears you.
"""

FEATS_2024 = """# Feats

## Feat Descriptions

Feats are many.

## Origin Feats

### Loud

*Origin Feat*

You gain the following benefits.

***Ring.*** You ring.

***Repeatable.*** You can take it again.

### Quiet

A feat without its line.

## Watch Feats

### Awake

*Watch Feat (Prerequisite: Watch Feature)*

You are awake.
"""


@pytest.fixture
def problems():
    return Problems()


@pytest.fixture
def of_2024(problems):
    return {d.name: d.facts for d in origins.drafts(book(srd_2024=ORIGINS_2024), problems)}


@pytest.fixture
def of_2014(problems):
    return {d.name: d for d in origins.drafts(book(srd_2014=RACES_2014), problems)}


def test_a_species_has_its_traits_with_the_tables_that_they_name(of_2024, problems):
    gull = of_2024["Gull"]
    assert (gull["size"], gull["speed"]) == ("small or medium", {"walk": 30})
    traits = {t["name"]: t["description"] for t in gull["traits"]}
    assert list(traits) == ["Creature Type", "Size", "Speed", "Gull Lineage", "Beak", "Plumage"]
    assert traits["Speed"] == "30 feet"
    assert "| Harbor |" in traits["Gull Lineage"]
    assert traits["Beak"] == "You have one."
    assert not problems.entries


TWICE = "You can use the chosen plumage twice before a Long Rest."
"""The part of a species above its options."""


def test_lineages_of_a_species_are_subspecies(of_2024):
    harbor = of_2024["Gull Lineage: Harbor"]
    assert harbor["subrace_of"].name == "Gull"
    assert harbor["speed"] == {"walk": 35}
    assert harbor["traits"] == [
        {"name": "Level 1", "description": "Your Speed increases to 35 feet."},
        {"name": "Level 3", "description": "Fog"},
    ]
    assert of_2024["Gull Lineage: Cliff"]["speed"] == {"walk": 30}
    assert of_2024["Plumage: Grey"]["traits"] == [{"name": "Grey", "description": f"You are hard to see. {TWICE}"}]


def test_lineages_are_read_from_the_sections_below_too(problems):
    found = {d.name: d for d in origins.drafts(book(srd_2024=ORIGINS_2024), problems)}
    raw = found["Gull Lineage: Harbor"].raw
    assert ["/gull-lineages/" in each for each in raw] == [False, True]


def test_a_background_of_2024_is_read(of_2024):
    ringer = of_2024["Bellringer"]
    assert ringer["tool_proficiencies"] == "Choose one kind of Bell"
    assert ringer["equipment"] == "Choose A or B: (A) Bell; or (B) 50 GP"
    assert {b["name"]: b["description"] for b in ringer["benefits"]}["Feat"] == "Loud"


def test_a_race_of_2014_with_subrace_and_ancestry_is_read(of_2014, problems):
    gull = of_2014["Gull"].facts
    assert gull["description"] == "Gulls are loud."
    assert gull["ability_score_increases"] == [{"ability": "wisdom", "bonus": 2}]
    assert (gull["age"], gull["size"], gull["speed"]) == ("Not much.", "small", {"walk": 25})
    traits = {t["name"]: t["description"] for t in gull["traits"]}
    assert traits["Speed"] == "Your base walking speed is 25 feet."
    assert traits["Gull Ancestry"].startswith(
        "Choose from the Gull Ancestry table.\n\n**Gull Ancestry**\n\n| Gull | Cry |"
    )
    cliff = of_2014["Cliff Gull"].facts
    assert (cliff["size"], cliff["speed"], cliff["subrace_of"].name) == ("small", {"walk": 25}, "Gull")
    herring = of_2014["Gull Ancestry: Herring"]
    assert (herring.entity_type, herring.facts["description"]) == ("feat", "Gull: Herring; Cry: Long.")
    assert herring.facts["option_of"][0].entity_types == ("race",)
    assert herring.from_text == {"description"}
    assert not problems.entries


def test_a_background_of_2014_is_read(of_2014):
    ringer = of_2014["Bellringer"].facts
    assert ringer["feature"] == {"name": "Loud Friend", "description": "Someone hears you."}
    assert [b["name"] for b in ringer["benefits"]] == ["Skill Proficiencies", "Equipment", "Loud Friend"]


def test_an_incomplete_species_is_named_with_file_and_line(problems):
    list(origins.drafts(book(srd_2024=ORIGINS_2024.replace("**Speed:** 30 feet\n", "")), problems))
    assert [entry["reason"] for entry in problems.entries][:1] == [
        "0.md:25: the race Gull is incomplete: it lacks speed"
    ]


def test_feats_have_category_prerequisite_and_benefits(problems):
    raw = book(srd_2024=f"{FEATS_2024}\f{WARDEN_2024}")
    found = {d.name: d.facts for d in feats.drafts(raw, problems)}
    assert set(found) == {"Loud", "Awake"}
    assert (found["Loud"]["feat_type"], found["Loud"]["prerequisite"]) == ("origin", None)
    assert found["Loud"]["description"] is None  # composed of the benefits, as for every source
    assert [b["name"] for b in found["Loud"]["benefits"]] == ["Ring", "Repeatable"]
    awake = found["Awake"]
    assert (awake["feat_type"], awake["prerequisite"]) == ("watch", "Watch Feature")
    assert [r.name for r in awake["option_of"]] == ["Warden"]
    assert [entry["reason"] for entry in problems.entries] == ["0.md:19: the feat Quiet has no category"]


def test_a_feat_of_2014_is_read(problems):
    text = (
        "# Feats\n\n## Ringer\n\n*Prerequisite: Wisdom 13 or higher*\n\nYou gain these:\n\n-   A bell.\n-   A rope.\n"
    )
    [ringer] = feats.drafts(book(srd_2014=text), problems)
    assert ringer.facts["prerequisite"] == "Wisdom 13 or higher"
    assert [b["description"] for b in ringer.facts["benefits"]] == ["A bell.", "A rope."]
