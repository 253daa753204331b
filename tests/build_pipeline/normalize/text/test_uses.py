"""How often a feature can be used, from sentences such as the books have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.uses import uses

# The game's formulas, of which the sentences below are made.
REST = "finish a long rest"
REST_AGAIN = "until you finish a long rest"
RESTED = "until you have finished a long rest"
COMPLETED = "until you complete a long rest"
EITHER = "a short or a long rest"
WITHOUT_SLOT = "without expending a spell slot"
AMOUNT = "a number of times equal to your"
ALL_USES = "You regain all expended uses when you finish a long rest."
REGAIN = "You regain all expended uses when you finish a Long Rest."
LONG = "per long rest"
WISDOM = "wisdom modifier (minimum 1)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You must finish a short or long rest before using it again.", "1 per short or long rest"),
        (
            f"You can cast humming once with this trait and regain the ability to do so when you {REST}.",
            f"1 {LONG}",
        ),
        (f"You can cast it once at its lowest level and must {REST} before the next time.", f"1 {LONG}"),
        (f"You can’t use this feature again {REST_AGAIN}.", "1 per long rest"),
        (
            f"You can ring {AMOUNT} Wisdom modifier (minimum of once). {REGAIN}",
            f"{WISDOM} {LONG}",
        ),
        (f"You can do it {AMOUNT} PB. {REGAIN}", f"proficiency bonus {LONG}"),
        (f"You can use Loud Humming {AMOUNT} PB. {REGAIN}", None),
        ("You can use this bell twice. You regain expended uses when you finish a short rest.", "2 per short rest"),
        (f"You can do it the number of times shown in the Bells column of the table. {REGAIN}", f"Bells column {LONG}"),
        (f"You can hum a number of times per day equal to your PB. {REGAIN}", f"proficiency bonus {LONG}"),
        (
            f"You hum {AMOUNT} Wisdom modifier (at least once). When you {REST}, ok.",
            f"{WISDOM} {LONG}",
        ),
        (
            "Then the bells rest: you must finish a short or long rest to use your Bell Ringing again.",
            "1 per short or long rest",
        ),
        (
            f"You can cast *Toll* {WITHOUT_SLOT}. You must {REST} before you do so again.",
            f"1 {LONG}",
        ),
        (
            f"You can cast it without a spell slot, and you regain the ability to ring it when you {REST}.",
            f"1 {LONG}",
        ),
        (
            f"Once you cast the spell with this feature, you cannot ring again {REST_AGAIN}.",
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
            f"After you ring with this feature, you lose the ability to use it again {RESTED}.",
            f"1 {LONG}",
        ),
        (f"Once this state is used, you can’t activate it again {COMPLETED}.", f"1 {LONG}"),
        (f"Once you use this feature, you shouldn't use it again {REST_AGAIN}.", f"1 {LONG}"),
        (f"You can cast it at will {WITHOUT_SLOT}. When you finish a Long Rest, choose another.", None),
        (f"Once you use this benefit, you can't do so again {REST_AGAIN}.", None),
        ("Once per day, when a short rest ends, you can ring it.", "1 per day"),
        (f"Once it has been rung, you can't create a new bell {REST_AGAIN}.", f"1 {LONG}"),
        (f"Once you ring it, you must {REST} before you can do so again.", f"1 {LONG}"),
        (f"Once you summon a bell, you can't summon another one {REST_AGAIN}.", f"1 {LONG}"),
        (f"After using this feature, you cannot use it again {REST_AGAIN}.", f"1 {LONG}"),
        (
            f"Once you ring it, you can't use it again until you finish {EITHER}.",
            "1 per short or long rest",
        ),
        (f"Once you stop, you can't use this feature to ring again {REST_AGAIN}.", None),
        (
            f"Ring a number of times equal to half your proficiency bonus. {ALL_USES}",
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
            f"Sweeten a number of Brewing options equal to your proficiency bonus. {ALL_USES}",
            f"proficiency bonus {LONG}",
        ),
        ("You regain all spell slots when you finish a long rest.", None),
        (None, None),
    ],
)
def test_uses(text, expected):
    assert uses(text) == expected


@given(st.text(max_size=300))
def test_no_text_is_too_strange(text):
    found = uses(text)
    assert found is None or found.endswith(("rest", "day"))
