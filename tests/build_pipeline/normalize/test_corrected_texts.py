"""Facts read from a creature's corrected texts."""

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
