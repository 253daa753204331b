"""Repairs of texts in single books."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.creatures.texts import Texts
from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.strict_json import dump_json


@pytest.fixture(scope="module")
def texts() -> Texts:
    raw = RawLayer()
    for name in ("Fear", "Fog Cloud", "Create or Destroy Water", "Light", "Speak with Animals"):
        raw.add(RawObject("open5e_v2", "spells", name, "", "", dump_json({"name": name})))
    return Texts(raw)


@pytest.mark.parametrize(
    ("document", "text", "expected"),
    [
        ("a5e-mm", "The newts turn ends  and it doesnt move.", "The newt's turn ends, and it doesn't move."),
        (
            "a5e-mm",
            "Its dry. Its tail, its not wet, its instead dry.",
            "Its dry. Its tail, it's not wet, it's instead dry.",
        ),
        (
            "a5e-mm",
            "One of the toads heads swells when the toads movement ends.",
            "One of the toad's heads swells when the toad's movement ends.",
        ),
        ("tob", "It dries a pond of - **3rd Level** or lower.", "It dries a pond of 3rd level or lower."),
        ("tob", 'It "hops"a pond.', 'It "hops" a pond.'),
        ("a5e-mm", "a 5-foot-wide  60-foot-long pond", "a 5-foot-wide, 60-foot-long pond"),
        ("a5e-mm", "AC 12  30 hit points; reach 5 ft.  all newts", "AC 12, 30 hit points; reach 5 ft., all newts"),
        ("a5e-mm", "a Large  Medium  or Small newt.  It naps", "a Large, Medium, or Small newt.  It naps"),
        ("a5e-mm", "If its a newt, its on a leaf.", "If it's a newt, it's on a leaf."),
        ("a5e-mm", "If its within its pond, it sings.", "If it's within its pond, it sings."),
        (
            "tob3",
            "It sings till its turn ends.A 5' cube gets wet.",
            "It sings till its turn ends.\n\nA 5' cube gets wet.",
        ),
        ("tob", "It fills a pond\n\nand dries. Hit: 3(1d6) cold.", "It fills a pond and dries. Hit: 3 (1d6) cold."),
        ("tob", "It loses\n\nits head: the newt, or\n\nits tail.", "It loses\n\nits head: the newt, or its tail."),
        ("tob3", "It is wet (half).Drying It dries.", "It is wet (half).\n\nDrying It dries."),
        ("a5e-mm", "thieves' cant, but cant speak", "thieves' cant, but can't speak"),
        ("tob3", "iIEach day it shrinks.", "Each day it shrinks."),
        ("tob", "Its 5-foot- radius ( or so) pond (DC15)", "Its 5-foot-radius (or so) pond (DC 15)"),
        (
            "tob",
            "1- Mud: It sinks.2- Rain: It swims for 2 rounds3- Sun: It naps.",
            "1- Mud: It sinks.2- Rain: It swims for 2 rounds\n3- Sun: It naps.",
        ),
        ("a5e-mm", "At the end of another creatures turn", "At the end of another creature's turn"),
        ("a5e-mm", "It halves the attacks damage against it", "It halves the attack's damage against it"),
        ("a5e-mm", "The newt targets up to three creatures.", "The newt targets up to three creatures."),
        ("a5e-mm", "The targets are wet, each target takes a bath.", "The targets are wet, each target takes a bath."),
        ("a5e-mm", "It is immune to this old ur-newts Song.", "It is immune to this old ur-newt's Song."),
        ("a5e-mm", "It enters other creatures spaces.", "It enters other creatures' spaces."),
        ("a5e-mm", "The statistics of newts apply.", "The statistics of newts apply."),
        ("a5e-mm", "Tricksters Song", "Trickster's Song"),
        ("a5e-mm", "It fears any eels Song (DC 12 +4 to hit).", "It fears any eel's Song (DC 12, +4 to hit)."),
        ("a5e-mm", "Venomous Song", "Venomous Song"),
        (
            "a5e-mm",
            "Fish in the ponds area see the otters size and hue.",
            "Fish in the pond's area see the otter's size and hue.",
        ),
        (
            "a5e-mm",
            "It resists their draconic masters breath weapon.",
            "It resists their draconic master's breath weapon.",
        ),
        ("a5e-mm", "The otter has size and presence.", "The otter has size and presence."),
        (
            "a5e-mm",
            "It leaves an enemys reach at the spells level.",
            "It leaves an enemy's reach at the spell's level.",
        ),
        (
            "a5e-mm",
            "At the Narrators discretion, one Officers Song",
            "At the Narrator's discretion, one Officer's Song",
        ),
        ("a5e-mm", "The spells of one pond; no one sings.", "The spells of one pond; no one sings."),
        (
            "tob3",
            "5 ft., one creature,. 6 cold.. In a 15foot cone .",
            "5 ft., one creature, 6 cold. In a 15-foot cone .",
        ),
        (
            "tob",
            "Hit:16 cold to to the the newt for 1minute . Wait ... it sings.",
            "Hit: 16 cold to the newt for 1 minute. Wait ... it sings.",
        ),
        ("a5e-mm", "DC 13 +5to hit", "DC 13, +5 to hit"),
        (
            "tob",
            "_Melee Weapon Attack:_+7 to hit, reach 5. ft., one target. it: 9 (2d8) cold",
            "_Melee Weapon Attack:_ +7 to hit, reach 5 ft., one target. Hit: 9 (2d8) cold",
        ),
        (
            "tob3",
            "A weapon deals+4d8 cold, reach 5ft., 1ft.+ wide",
            "A weapon deals +4d8 cold, reach 5 ft., 1 ft.+ wide",
        ),
        ("a5e-mm", "a DC DC 9 save for for it", "a DC 9 save for it"),
        ("a5e-mm", "- **Cantrips**: light- **1st-Level**: fear", "- **Cantrips**: light\n- **1st-Level**: fear"),
        ("a5e-mm", "- **1st-Level** (2 slots) Fear", "- **1st-Level** (2 slots): Fear"),
        ("tob", "a “newt’s leaf ” is wet", "a “newt’s leaf” is wet"),
        ("tob3", "target: disad- vantage on saves", "target: disadvantage on saves"),
        ("tob3", "If it sits on a leaf leaf sinks.", "If it sits on a leaf, leaf sinks."),
        ("tob3", "It swims with o noise.", "It swims without noise."),
        ("tob3", "Advantage: smell Wis (Percept) checks.", "Advantage: smell Wis (Perception) checks."),
        (
            "tob3",
            "3 bludgeoning damage/P/S (its choice) damage. 4 bludgeoning damage P or S",
            "3 bludgeoning, piercing, or slashing damage (its choice). 4 bludgeoning, piercing, or slashing damage",
        ),
        ("tob2", "The ræ014dwan newt naps. . It hums.", "The rōwan newt naps. It hums."),
        ("tob3", "in the area.Fire Blast Each burns", "in the area.\n\nFire Blast Each burns"),
        (
            "tob3",
            "At will: light speak with animals1/day ea: create or destroy water fear (self) fog cloud",
            "At will: light, speak with animals\n1/day each: create or destroy water, fear (self), fog cloud",
        ),
        ("tob3", "At will: light  • 3/day ea: fear fog cloud", "At will: light\n3/day each: fear, fog cloud"),
        ("tob3", "At will: light and fear", "At will: light, fear"),
        ("tob3", "- **At Will:** Light, Fear\n- **1/Day**: Fly", "- **At Will:** Light, Fear\n- **1/Day**: Fly"),
        (
            "tob3",
            "Wis (DC 15) no components: At will: light1/day: fear",
            "Wis (DC 15) no components:\nAt will: light\n1/day: fear",
        ),
        (
            "a5e-mm",
            "no components: At will: light, 1/day each: fear",
            "no components:\nAt will: light\n1/day each: fear",
        ),
        ("tob", "no components:1/day each: fear, light", "no components:\n1/day each: fear, light"),
        ("tob", "no components: At will: light; 1/day: fear.", "no components: At will: light; 1/day: fear."),
        ("tob3", "Each newt near it:21 (6d6) cold", "Each newt near it: 21 (6d6) cold"),
        ("tob3", "Chooses one of:Mud Bath. It sinks.", "Chooses one of:\n\nMud Bath. It sinks."),
        ("tob", "It has the Wet trait:The newt drips.", "It has the Wet trait: The newt drips."),
        ("tob3", "1/day: summon a newt", "1/day: summon a newt"),
        ("a5e-mm", "1 slot): Fear, Light, 8th-level (1 slot): Fog", "1 slot): Fear, Light\n8th-level (1 slot): Fog"),
        ("tob", "no components:at will: fear2/day each: light", "no components:\nat will: fear\n2/day each: light"),
        ("tob", "**Wet Skin.**They drip,always.They sing.", "**Wet Skin.** They drip, always. They sing."),
        ("tob", "the m\u00e600e1re", "the m\u00e1re"),
        ("tob", "The newts turn", "The newts turn"),
    ],
)
def test_damaged_texts_are_repaired(texts, document, text, expected):
    assert texts.of(document, "Great Newt")(text) == expected


def test_no_text_stays_no_text(texts):
    assert texts.of("tob", "Newt")(None) is None
    assert Texts(RawLayer()).of("tob3", "Newt")("At will: light fear") == "At will: light fear"
