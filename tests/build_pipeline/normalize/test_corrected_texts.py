"""Facts read from corrected texts of creatures and subclasses."""

from __future__ import annotations

from starter_rows import starter_row

from build_pipeline.normalize.merging.corrections import Correction
from build_pipeline.normalize.records import normalize
from build_pipeline.sources import SOURCES

V2 = "open5e_v2/creatures"


def test_effects_are_read_from_the_corrected_text(raw_of):
    row = starter_row(V2, "Goblin")
    told = "The target must succeed on a DC 9 Wisdom savingthrow or be stunned."
    shout = row["actions"][0] | {"name": "Shout", "desc": told, "attacks": []}
    layer = raw_of({V2: [row | {"actions": [*row["actions"], shout]}]})
    torn = Correction(
        "creature/srd-2014/goblin", "actions[Shout].description", "saving throw", "savingthrow", ("open5e_v2",), "torn"
    )
    for corrections, saves in (((), []), ((torn,), ["wisdom"])):
        found = normalize(layer, SOURCES, corrections)
        (goblin,) = (each for each in found.tables["creatures"] if each["name"] == "Goblin")
        assert goblin["forces_saves"] == saves
        assert not [problem for problem in found.problems if "out of date" in problem["reason"]]


CLASSES = "open5e_v2/classes"
GIFTS = "The mark gives spells.\n\n| Barbarian Level | Spells |\n|---|---|\n| 3rd | fogg |\n| 5th | tide |"


def test_spells_and_uses_of_a_subclass_are_read_from_the_corrected_text(raw_of):
    row = starter_row(CLASSES, "Path of the Berserker")
    marked = {
        name: row["features"][0] | {"key": name, "name": name, "desc": text, "gained_at": []}
        for name, text in {"Gifts": GIFTS, "Shout": "Once you use this feature, you cant use it again."}.items()
    }
    layer = raw_of({CLASSES: [starter_row(CLASSES, "Barbarian"), row | {"features": [*marked.values()]}]})
    of = f"subclass/{row['document']['key']}/path-of-the-berserker"
    rested = "can't use it again until you finish a long rest"
    torn = (
        Correction(of, "features[Gifts].description", "fog |", "fogg |", ("open5e_v2",), "misspelt"),
        Correction(of, "features[Shout].description", rested, "cant use it again", ("open5e_v2",), "cut short"),
    )
    for corrections, spells, uses in (((), ["Fogg", "Tide"], None), (torn, ["Fog", "Tide"], "1 per long rest")):
        found = normalize(layer, SOURCES, corrections)
        (path,) = (each for each in found.tables["character_options"] if each["entity_type"] == "subclass")
        assert [spell["name"] for spell in path["subclass_spells"]] == spells
        assert {feature["name"]: feature.get("uses") for feature in path["features"]}["Shout"] == uses
        assert not [problem for problem in found.problems if "out of date" in problem["reason"]]
