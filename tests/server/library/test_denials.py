"""What a query says that it does not want."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.library.denials import Wanted, alternatives, wanted


@pytest.mark.parametrize(
    ("query", "text", "denied"),
    [
        ("light weapon, but not finesse", "light weapon", "finesse"),
        ("light but not finesse", "light", "finesse"),
        ("stealth (not invisibility)", "stealth", "invisibility"),
        ("calm a beast instead of killing it", "calm a beast", "killing beast"),
        ("a bow rather than a sword, cheap", "a bow, cheap", "a sword"),
        ("lamp, not oil, not candle", "lamp", "oil; candle"),
        ("a dragon that isn't evil but proud", "a dragon but proud", "evil"),
        ("fiend that is not a devil", "fiend", "a devil"),
        ("longbow not requiring attunement for a monk", "longbow for a monk", "requiring attunement"),
        ("not undead and not evil, flies", "flies", "undead; evil"),
        ("undead neither flying nor old", "undead", "flying nor old"),
        ("a fiend not immune to cold, fire or acid", "a fiend", "immune to cold, fire or acid"),
    ],
)
def test_what_is_only_named_for_contrast_is_not_searched_for(query: str, text: str, denied: str) -> None:
    assert wanted(query) == Wanted(text, text, tuple(denied.split("; ")), tuple(denied.split("; ")))


@pytest.mark.parametrize(
    ("query", "asserted", "denied"),
    [
        ("flies but cannot hover", "flies but", "hover"),
        ("a non-magical weapon of silver", "a weapon of silver", "magical"),
        ("why isn't a dragon evil", "why", "a dragon evil"),
        (
            "needs a gem, doesn't take concentration and lasts all day",
            "needs a gem, and lasts all day",
            "take concentration",
        ),
        ("resists cold but doesn't deal it", "resists cold but", "deal cold"),
        ("a shield which doesn\N{RIGHT SINGLE QUOTATION MARK}t weigh much", "a shield which", "weigh much"),
    ],
)
def test_what_is_denied_within_what_is_wanted_is_searched_for_but_is_no_fact(
    query: str, asserted: str, denied: str
) -> None:
    assert wanted(query) == Wanted(query, asserted, (denied,))


@pytest.mark.parametrize(
    ("query", "text", "asserted", "lacked"),
    [
        ("a ritual with no material component", "a ritual", "a ritual", "material component"),
        ("rare ring, no attunement", "rare ring", "rare ring", "attunement"),
        ("walking for days without water", None, "walking for days", "water"),
        ("beast without darkvision that can climb", None, "beast that can climb", "darkvision"),
        ("heal without concentration and as a bonus action", None, "heal and as a bonus action", "concentration"),
        ("armor without noise under 500 gp", None, "armor under 500 gp", "noise"),
        ("a beast that has no wings or fins", None, "a beast that has", "wings or fins"),
        ("heavy armor no strength requirement", None, "heavy armor", "strength requirement"),
        ("spell with neither sound nor gesture", None, "spell", "sound nor gesture"),
    ],
)
def test_what_is_lacking_is_told_from_what_is_not_meant(
    query: str, text: str | None, asserted: str, lacked: str
) -> None:
    assert wanted(query) == Wanted(text or query, asserted, (lacked,), (), (lacked,))


@pytest.mark.parametrize(
    "query",
    [
        "armor class when not wearing armor",
        "a spell that is not on my list",
        "casting while I cannot speak",
        "my wizard can't move",
        "I have no free hand",
        "no higher than level 2",
        "not above CR 3",
        "not only fire but cold",
        "she has not eaten",
        "can't be heard",
        "why do undead not breathe",
        "nothing",
        "no",
        ", not",
    ],
)
def test_other_negations_belong_to_what_is_wanted(query: str) -> None:
    assert wanted(query).text == query
    assert not wanted(query).denied


def test_a_query_that_only_denies_is_searched_for() -> None:
    assert wanted("not a scratch") == Wanted("not a scratch", "", ("a scratch",), ("a scratch",))


def test_a_denied_phrase_has_alternatives() -> None:
    assert alternatives("heavy, light or two-handed") == ["heavy", "light", "two-handed"]
    assert alternatives("a devil nor an ogre") == ["devil", "ogre"]


def test_of_two_words_after_not_the_first_is_denied() -> None:
    assert wanted("not magic armor") == Wanted("armor", "armor", ("magic",))


@given(st.lists(st.sampled_from(["not", "no", "without", ",", "(", "but", "and", "instead of", "fire", " "])))
def test_something_is_always_left_to_search_for(words: list[str]) -> None:
    query = " ".join(words)
    assert bool(wanted(query).text.strip()) == bool(query.strip())


def test_what_denies_many_things_is_not_read_again_for_each() -> None:
    """It would take longer than the test's time limit."""
    assert len(wanted("stew" + ", not salt" * 30_000).denied) == 30_000
