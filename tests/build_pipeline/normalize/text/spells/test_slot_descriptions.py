"""Effects of higher slots in words."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.text.spells.slot_descriptions import told_at_slots

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
        (f"You name one additional Large newt {EACH}.", "You name one additional Large newt.",
         "You name 2 additional Large newts."),
        (f"A newt spends one additional Hit Die {EACH}.", "A newt spends one additional Hit Die.",
         "A newt spends 2 additional Hit Dice."),
        (f"You boil an additional Supply {EACH}.", "You boil an additional Supply.", "You boil 2 additional Supply."),
        (f"You name one additional fly {EACH}.", "You name one additional fly.", "You name 2 additional flies."),
        (f"It stops songs of one level higher {EACH}.", "It stops songs of one level higher.",
         "It stops songs of 2 levels higher."),
        ("For each slot level above 7th, its AC increases by 1 and its song by 1,000 notes.",
         "Its AC increases by 1 and its song by 1,000 notes.", "Its AC increases by 2 and its song by 2000 notes."),
        (f"Newts grow by 1 foot (2 feet at 9th level) {EACH}.", "Newts grow by 1 foot.", "Newts grow by 2 feet."),
        (f"{CAST} one song ends if its level is no higher than the level of the spell slot you used.",
         "One song ends if its level is no higher than 8.", "One song ends if its level is no higher than 9."),
        (f"{CAST} the horn is tin. When you use a slot of 9th level, the horn is gold.", "The horn is tin.",
         "The horn is gold."),
        ("Newts dance: twice as many with an 8th-level slot and three times as many with a 9th-level slot.",
         "Newts dance: twice as many.", "Newts dance: three times as many."),
        ("It sings for 2 days (8th level) or 3 years (9th level).", "It sings for 2 days.", "3 years."),
        ("It is tin with a level 8 spell slot. It is gold with a level 9+ spell slot.", "It is tin.", "It is gold."),
        ("It is tin with a level 7-8 spell slot. It is gold with a level 9 slot.", "It is tin.", "It is gold."),
        ("It is tin with a level 6+ spell slot.", "It is tin.", "It is tin."),
        ("It stays for a day (8th level), or a year (level 9 spell slot).", "It stays for a day.", "A year."),
        ("Newts dance—a jig with an 8th-level spell slot, or a reel with a 9th-level slot.", "Newts dance: a jig.",
         "Newts dance: a reel."),
        (f"A newt sings. Two old newts: tin with an 8th-level slot and gold with a 9th-level slot. {CAST} all end.",
         "Two old newts: tin. All end.", "Two old newts: gold."),
        (f"It hops 5 feet farther and one foot longer {EACH}.", "It hops 5 feet farther and one foot longer.",
         "It hops 5 feet farther and 2 feet longer."),
        ("Newts hum. For every slot level above 7th, a newt hops by 2.", "A newt hops by 2.",
         "A newt hops by 4."),
        (f"An eel jumps 4 feet higher {EACH}.", "An eel jumps 4 feet higher.", "An eel jumps 8 feet higher."),
        (f"You add 2d6 {EACH}.", "You add 2d6.", "You add 4d6."),
        (f"It gains a 3-foot fin and gains 5 songs {EACH}.", "It gains a 3-foot fin and gains 5 songs.",
         "It gains a 3-foot fin and gains 10 songs."),
        (f"You name An additional newt {EACH}.", "You name An additional newt.", "You name 2 additional newts."),
        (f"You name one additional boy {EACH}.", "You name one additional boy.", "You name 2 additional boys."),
        (f"You name one additional 10-foot pole {EACH}.", "You name one additional 10-foot pole.",
         "You name 2 additional 10-foot poles."),
        (f"You know one additional spell level {EACH}.", "You know one additional spell level.",
         "You know 2 additional spell levels."),
        (f"You name one more newt, 2 extra newts and one other newt {EACH}.",
         "You name one more newt, 2 extra newts and one other newt.",
         "You name 2 more newts, 4 extra newts and 2 other newts."),
        *((f"It sings for an additional one {unit} {EACH}.", f"It sings for an additional one {unit}.",
           f"It sings for an additional 2 {unit}s.")
          for unit in ("step", "level", "round", "minute", "hour", "day", "year", "mile", "point")),
        *((f"{lead}, it hops by 2 {EACH}.", "It hops by 2.", "It hops by 4.")
          for lead in ("When cast with a slot of 8th level or higher", "If cast using a spell slot of a higher level",
                       "Casting this spell at a higher level", "If casting with higher slots",
                       "When using a higher slot", "With a slot above 7th level")),
    ],
)  # fmt: skip
def test_each_slot_has_its_effect_in_words(text, eighth, ninth):
    assert told(text) == {8: eighth, 9: ninth}


@pytest.mark.parametrize(
    "text",
    [
        f"The bonus rises by +1 {EACH} (maximum +3).",
        "With a slot of 8th level, newts rise by one for every three slot levels above 6th.",
        f"Newts sing louder {EACH}.",
        "The bonus rises by 1 for each slot level above 3rd.",
        "With a slot of 8th level, it is tin; at 9th level, it is gold.",
    ],
)
def test_unclear_effects_are_not_guessed(text):
    assert told(text) == {}


@pytest.mark.parametrize(
    ("level", "above"),
    [
        (1, "1st"),
        (1, "first"),
        (2, "2nd"),
        (2, "second"),
        (3, "3rd"),
        (3, "third"),
        (4, "fourth"),
        (5, "Fifth"),
        (6, "6th"),
    ],
)
@pytest.mark.parametrize(
    ("levels", "step"),
    [
        ("for each slot level above", 1),
        ("per slot level beyond", 1),
        ("for every spell slot level over the", 1),
        ("for every two slot levels above", 2),
        ("for each three levels above", 3),
        ("for every 3 slots above level", 3),
    ],
)
def test_levels_are_counted_in_steps(level, above, levels, step):
    slots = told(f"A newt hops by 1 {levels} {above}.", level)
    assert slots == {slot: f"A newt hops by {(slot - level) // step}." for slot in range(level + step, 10)}


def test_steps_may_begin_above_the_spells_level():
    later = "A newt hops by 1 for every two slot levels above 6th."
    assert told(later, 3) == {8: "A newt hops by 1.", 9: "A newt hops by 1."}
    assert told(later, 7) == {}
    assert told(f"A newt hops by 1 {EACH}.", 5) == {}


def test_slots_are_in_order():
    assert list(told("It is tin with a level 9 slot. It is gold with a level 8 slot.")) == [8, 9]


def test_a_noun_without_a_regular_plural_is_not_guessed():
    assert told(f"You tame one additional Red Louse {EACH}.") == {8: "You tame one additional Red Louse."}


def test_a_slot_of_the_spells_own_level_is_the_usual_casting():
    text = "When you cast this spell using a spell slot of 7th level or higher, the newt grows."
    assert told(text) == {8: "The newt grows.", 9: "The newt grows."}


def test_a_slot_in_another_wording_is_not_part_of_the_first():
    assert told("If cast with an 8th-level slot, it is tin. A 9th-level slot makes it gold.") == {8: "It is tin."}
    assert told("If cast with a 2nd-level slot, it is tin. A 3rd-level slot makes it gold.", 1) == {2: "It is tin."}
    tunes = told("Newts dance: a jig with a 2nd-level slot, or a reel with a 3rd-level slot.", 1)
    assert (tunes[2], tunes[3], tunes[9]) == ("Newts dance: a jig.", "Newts dance: a reel.", "Newts dance: a reel.")
    assert told("With a slot of 2nd level, it is tin; at 3rd level, it is gold.", 1) == {}
