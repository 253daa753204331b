"""A record on one line: its kind as on its sheet, and the facts that people choose by."""

import pytest

from server.library.library import Library
from server.library.requests.request import Request
from server.sheets.line import brief, line


@pytest.mark.parametrize(
    ("entity_id", "said"),
    [
        ("spell/srd-2014/detect-magic", "1st-level divination (ritual) · 1 action · Self · concentration"),
        ("creature/srd-2014/aboleth", "CR 10 · Large aberration, lawful evil · AC 17 · HP 135"),
        ("weapon/srd-2014/longsword", "Martial melee weapon · 1d8 slashing · 15 gp"),
        ("magic-item/srd-2024/energy-bow", "Weapon, Very Rare (Requires Attunement)"),
        ("class/srd-2014/wizard", "Class"),
        ("rule/srd-2024/travel-pace", "Rule (Playing the Game)"),
    ],
)
def test_full_records_and_summaries_have_the_same_line(library: Library, entity_id: str, said: str):
    record = library.entity(entity_id)
    asked = Request("all", name=record["name"], documents=(record["document_key"],), detail="summary")
    (summary,) = [found for found in library.find(asked)["results"] if found["id"] == entity_id]
    assert line(record) == line(summary) == said


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"entity_type": "creature", "challenge_rating": 0.25}, "CR 1/4"),
        ({"entity_type": "spell", "level": 0}, "cantrip"),
        ({"entity_type": "spell", "level": 3}, "level 3"),
        ({"entity_type": "weapon", "cost_gp": 0.1, "rarity": "common"}, "1 sp"),
        ({"entity_type": "magic-item", "rarity": "very rare"}, "very rare"),
        ({"entity_type": "damage-type"}, "damage type"),
    ],
)
def test_the_most_telling_fact_is_chosen(record: dict[str, object], said: str):
    assert brief(record) == said
