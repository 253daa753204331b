"""What a spell does at higher slots, in words."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.text.told_slots import told_at_slots

CAST = "When you cast this spell using a spell slot of 8th level or higher,"
EACH = "for each slot level above 7th"


def told(higher_level: str, level: int = 7) -> dict[int, str]:
    return {each["slot_level"]: each["description"] for each in told_at_slots(level, higher_level)}


@pytest.mark.parametrize(
    ("text", "eighth", "ninth"),
    [
        (f"{CAST} a newt's songs increase by an additional 5 {EACH}.", "A newt's songs increase by an additional 5.",
         "A newt's songs increase by an additional 10."),
        (f"Roll an additional 2d8 {EACH}.", "Roll an additional 2d8.", "Roll an additional 4d8."),
        (f"You brew 1d4 additional teas {EACH}.", "You brew 1d4 additional teas.", "You brew 2d4 additional teas."),
        (f"A newt eats an additional 30 flies {EACH}.", "A newt eats an additional 30 flies.",
         "A newt eats an additional 60 flies."),
        (f"The bonus rises by +1 {EACH}.", "The bonus rises by +1.", "The bonus rises by +2."),
        (f"You name one additional newt {EACH}.", "You name one additional newt.", "You name 2 additional newts."),
        (f"You name one additional fly {EACH}.", "You name one additional fly.", "You name 2 additional flies."),
        (f"It stops songs of one level higher {EACH}.", "It stops songs of one level higher.",
         "It stops songs of 2 levels higher."),
        ("For each slot level above 7th, its AC increases by 1 and its song by 1,000 notes.",
         "Its AC increases by 1 and its song by 1,000 notes.", "Its AC increases by 2 and its song by 2000 notes."),
        (f"Newts grow by 1 foot (2 feet at 9th level) {EACH}.", "Newts grow by 1 foot.", "Newts grow by 2 foot."),
        (f"{CAST} one song ends if its level is no higher than the level of the spell slot you used.",
         "One song ends if its level is no higher than 8.", "One song ends if its level is no higher than 9."),
        (f"{CAST} the horn is tin. When you use a slot of 9th level, the horn is gold.", "The horn is tin.",
         "The horn is gold."),
        ("Newts dance: twice as many with an 8th-level slot and three times as many with a 9th-level slot.",
         "Newts dance: twice as many.", "Newts dance: three times as many."),
        ("It sings for 2 days (8th level) or 3 years (9th level).", "It sings for 2 days.", "3 years."),
        ("It is tin with a level 8 spell slot. It is gold with a level 9+ spell slot.", "It is tin.", "It is gold."),
    ],
)  # fmt: skip
def test_what_each_slot_does(text, eighth, ninth):
    assert told(text) == {8: eighth, 9: ninth}


@pytest.mark.parametrize(
    "text",
    [
        f"The bonus rises by +1 {EACH} (maximum +3).",
        f"Newts sing louder {EACH}.",
        "The bonus rises by 1 for each slot level above 3rd.",
        "With a slot of 8th level, it is tin; at 9th level, it is gold.",
    ],
)
def test_what_is_not_guessed(text):
    assert told(text) == {}


def test_a_noun_without_a_regular_plural_is_not_guessed():
    assert told(f"You spend one additional Hit Die {EACH}.") == {8: "You spend one additional Hit Die."}


def test_a_slot_that_the_text_names_otherwise_is_another_one():
    assert told("If cast with an 8th-level slot, it is tin. A 9th-level slot makes it gold.") == {8: "It is tin."}
