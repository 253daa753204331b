"""Number of uses of a feature, from sentences as the books have them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.uses import uses

# The game's wording, from which the sentences below are composed.
REST = "finish a long rest"
REST_AGAIN = "until you finish a long rest"
RESTED = "until you have finished a long rest"
COMPLETED = "until you complete a long rest"
EITHER = "you finish a short or a long rest"
SHORT_OR_LONG = "finish a short or long rest"
REGAIN_IT = "regain the ability to"
SHORT = "finish a short rest"
LOSE_IT = "lose the ability to"
WITHOUT_SLOT = "without expending a spell slot"
DO_SO = "do so again"
USE_IT = "use it again"
CAST_IT = "cast the spell"
PER_DAY = "a number of times per day"
AMOUNT_OF = "a number of times equal to"
AMOUNT = f"{AMOUNT_OF} your"
REGAIN = f"You regain all expended uses when you {REST}."
LONG = "per long rest"
WISDOM = "wisdom modifier (minimum 1)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"You must {SHORT_OR_LONG} before using it again.", "1 per short or long rest"),
        (
            f"You can cast humming once with this trait and {REGAIN_IT} do so when you {REST}.",
            f"1 {LONG}",
        ),
        (f"You can cast it once at its lowest level and must {REST} before the next time.", f"1 {LONG}"),
        (
            f"You can cast it once at its lowest level; you must {REST} before casting it in this way again.",
            f"1 {LONG}",
        ),
        (f"You can’t use this feature again {REST_AGAIN}.", "1 per long rest"),
        (
            f"You can ring {AMOUNT} Wisdom modifier (minimum of once). {REGAIN}",
            f"{WISDOM} {LONG}",
        ),
        (f"You can do it {AMOUNT} PB. {REGAIN}", f"proficiency bonus {LONG}"),
        (f"You can use Loud Humming {AMOUNT} PB. {REGAIN}", None),
        (f"You can use this bell twice. You regain expended uses when you {SHORT}.", "2 per short rest"),
        (f"You can do it the number of times shown in the Bells column of the table. {REGAIN}", f"Bells column {LONG}"),
        (f"You can hum {PER_DAY} equal to your PB. {REGAIN}", f"proficiency bonus {LONG}"),
        (
            f"You hum {AMOUNT} Wisdom modifier (at least once). When you {REST}, ok.",
            f"{WISDOM} {LONG}",
        ),
        (
            f"Then the bells rest: you must {SHORT_OR_LONG} to use your Bell Ringing again.",
            "1 per short or long rest",
        ),
        (
            f"You can cast *Toll* {WITHOUT_SLOT}. You must {REST} before you do so again.",
            f"1 {LONG}",
        ),
        (
            f"You can cast *Toll* without a spell slot, and you {REGAIN_IT} ring it when you {REST}.",
            f"1 {LONG}",
        ),
        (
            f"Once you {CAST_IT} with this feature, you cannot ring again {REST_AGAIN}.",
            f"1 {LONG}",
        ),
        (
            f"You can cast it twice {WITHOUT_SLOT}. {REGAIN}",
            f"2 {LONG}",
        ),
        (f"Choose one.\n\n## Bell\nYou can’t use it again {REST_AGAIN}.\n\n## Horn\nOnce per short rest.", None),
        (f"Choose one.\n\n## Bell\nYou can’t use it again {REST_AGAIN}.\n\n## Horn\nAlways.", f"1 {LONG}"),
        ("Once per rest, you can ring all the bells.", "1 per rest"),
        ("You can ring them once per short or long rest.", "1 per short or long rest"),
        (
            f"After you ring with this feature, you {LOSE_IT} use it again {RESTED}.",
            f"1 {LONG}",
        ),
        (f"Once this state is over, you can’t activate it again {COMPLETED}.", f"1 {LONG}"),
        ("Once you use it, you shouldn't use it again until you finish a long rest; if you do, you sneeze.", None),
        (f"You can cast it at will {WITHOUT_SLOT}. When you finish a Long Rest, choose another.", None),
        (f"Once you use this benefit, you can't {DO_SO} {REST_AGAIN}.", None),
        ("Once per day, when a short rest ends, you can ring it.", "1 per day"),
        (f"Once it has been rung, you can't create a new bell {REST_AGAIN}.", f"1 {LONG}"),
        (f"Once you ring it, you must {REST} before you can do so again.", f"1 {LONG}"),
        (f"Once you summon a bell, you can't summon another one {REST_AGAIN}.", f"1 {LONG}"),
        (f"After using this feature, you cannot {USE_IT} {REST_AGAIN}.", f"1 {LONG}"),
        (
            f"Once you ring it, you can't use it again until {EITHER}.",
            "1 per short or long rest",
        ),
        (f"Once you stop, you can't use this feature to ring again {REST_AGAIN}.", None),
        (
            f"Ring {AMOUNT_OF} half your proficiency bonus. {REGAIN}",
            f"half proficiency bonus {LONG}",
        ),
        (
            f"***Bell.*** Once you use it, you can't use it again {REST_AGAIN}.\n\n***Horn.*** Once per short rest.",
            None,
        ),
        (
            f"Choose one of the following.\n\n**Bell.** You can't use it again {REST_AGAIN}.\n\n**Horn.** Blow.",
            None,
        ),
        (
            f"Do one of the following:\n* **Bell.** Ring.\n* **Horn.** Blow.\n\nYou can't use it again {REST_AGAIN}.",
            f"1 {LONG}",
        ),
        (f"Ring it well.\n\n**Uses.** You can't use it again {REST_AGAIN}.\n\n**Horn.** Blow.", f"1 {LONG}"),
        (
            f"Sweeten a number of Brewing options equal to your proficiency bonus. {REGAIN}",
            f"proficiency bonus {LONG}",
        ),
        (f"You regain all spell slots when you {REST}.", None),
        (None, None),
    ],
)
def test_uses_are_read(text, expected):
    assert uses(text) == expected


@given(st.text(max_size=300))
def test_reading_never_fails(text):
    found = uses(text)
    assert found is None or found.endswith(("rest", "day", ")"))


RUNG = "You can use this bell twice."
SPENT = "You can't use it again until you finish a long rest."
TWICE = "You can use this feature twice"
SOON = "finish a Short Rest"
ONE_BACK = f"You regain one expended use when you {SOON}, and you regain all"
BY_LEVEL = "The number of times you can cast the spell increases at some levels, as shown in the Bell Song column."
ALL_LATER = f"expended uses when you {REST}."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{RUNG} {ONE_BACK} {ALL_LATER}", "2 per long rest, 1 regained per short rest"),
        (
            f"{RUNG} {ONE_BACK} {ALL_LATER} You gain additional uses, as shown in the Bells column.",
            "Bells column per long rest, 1 regained per short rest",
        ),
        (
            f"{RUNG} {REGAIN} You gain an additional use when you reach Bellringer level 11.",
            "2 (3 from level 11) per long rest",
        ),
        (
            f"{SPENT} Beginning at 6th level, you can use it twice, and at 18th level, you can use it three times.",
            "1 (2 from level 6, 3 from level 18) per long rest",
        ),
        (
            f"{SPENT} {TWICE} before a rest starting at level 13 and three times before a rest starting at level 17.",
            "1 (2 from level 13, 3 from level 17) per long rest",
        ),
        (
            f"You can cast it twice {WITHOUT_SLOT}. {REGAIN} {BY_LEVEL}",
            "Bell Song column per long rest",
        ),
        (
            f"{SPENT} Starting at 7th level, you regain use of this feature after finishing a short or long rest.",
            "1 per long rest (short or long rest from level 7)",
        ),
        (f"You can use your horn {AMOUNT} level. At level 9, you can use it twice. {REGAIN}", f"level {LONG}"),
    ],
)
def test_uses_that_grow_or_partly_return(text: str, expected: str) -> None:
    assert uses(text) == expected


CAST_ONCE = f"You can cast *Toll* once with this trait and {REGAIN_IT} do so when you {REST}."
CAST_YOUR_SPELL = f"You can cast your spell once {WITHOUT_SLOT}. You must {REST} before you can do so again."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CAST_ONCE, "1 per long rest"),
        (f"{CAST_ONCE} At 5th level: {CAST_ONCE}", "1 each per long rest"),
        (CAST_YOUR_SPELL, "1 per long rest"),
        (f"{CAST_YOUR_SPELL} Later, you gain more spells that can be cast in this way.", "1 each per long rest"),
        (f"At levels 3 and 5, you learn a louder spell. {CAST_YOUR_SPELL}", "1 each per long rest"),
        (f"{SPENT} You gain more spells that can be cast in this way.", "1 per long rest"),
    ],
)
def test_spells_are_each_cast_once(text: str, expected: str) -> None:
    assert uses(text) == expected
