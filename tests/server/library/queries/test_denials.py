"""Recognising what a query says it does not want."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.library.queries.denials import Wanted, alternatives, wanted


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
def test_words_named_only_for_contrast_are_not_searched(query: str, text: str, denied: str) -> None:
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
def test_denied_words_inside_wanted_ones_are_searched_but_give_no_fact(query: str, asserted: str, denied: str) -> None:
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
def test_lacking_something_differs_from_not_meaning_it(
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
        "a spell that is not only fire but cold",
        "a cloak that doesn't just hide its wearer",
        "not even a knife",
        "a hero with no longer arms",
        "a hero with no one near",
        "no matter how far",
        "no doubt a dragon",
        "she has not eaten",
        "can't be heard",
        "why do undead not breathe",
        "nothing",
        "no",
        ", not",
    ],
)
def test_other_negations_are_part_of_what_is_wanted(query: str) -> None:
    assert wanted(query).text == query
    assert not wanted(query).denied


def test_a_query_that_only_denies_is_searched() -> None:
    assert wanted("not a scratch") == Wanted("not a scratch", "", ("a scratch",), ("a scratch",))


def test_a_denied_phrase_has_alternatives() -> None:
    assert alternatives("heavy, light or two-handed") == ["heavy", "light", "two-handed"]
    assert alternatives("a devil nor an ogre") == ["devil", "ogre"]
    assert alternatives("red, nor blue and green, and an owl or") == ["red", "blue", "green", "owl"]


def test_the_first_word_after_not_is_denied() -> None:
    assert wanted("not magic armor") == Wanted("armor", "armor", ("magic",))
    assert wanted("no magic armor").lacked == ("magic armor",)
    for article in ("a", "an", "the", "any", "this", "that"):
        assert wanted(f"not {article} scratch").denied == (f"{article} scratch",)


def _after(words: str, *others: str) -> list[str]:
    """The words of a list, separated by commas in it, and others."""
    return [*words.split(", "), *others]


ENDS: Final = _after(
    "but, yet, no, as a, as an, at, for, and not, or no, and non, or without, and as a, and that, or which, and can,"
    " or also"
)
ASSERTS: Final = _after(
    "that, which, who, with, under, below, over, above, costing, weighing, up to, and is, and are, and has, and have,"
    " and does, and deals, and lasts, and works, and gives, and lets, and costs, and needs, and uses, and takes,"
    " and makes, and still"
)
BEFORE_NOT: Final = _after(
    "was, were, be, do, does, did, has, have, had, can, could, will, would, shall, should, may, might, must"
)
CONTRASTS: Final = _after("instead of, rather than, as opposed to, except, except for, other than, but not, and not")
IS_NOT: Final = _after("isn't, aren't, is not, are not, is neither, are neither")
DOES_NOT: Final = _after("doesn't, don't, does not, do not, cannot, can't, can not, can neither")
LACKS: Final = _after(
    "without, with neither, has neither, have neither, having neither, need neither, needs neither, needing neither"
)
LEADS: Final = _after("that, which, who, and, but")
QUESTIONS: Final = _after(
    "why, how, when, where, what, which, who, if, do, does, did, is, are, was, were, can, could, should, would, will,"
    " may"
)
COMPARED: Final = _after("more, higher, greater, larger, better, less, lower, fewer, smaller, longer")
WHEN: Final = _after("when, while, whenever, if, because, unless, although")
WHO: Final = _after(
    "I, you, we, he, she, they, there, my ally, your ally, our ally, his ally, her ally, their ally, the party,"
    " the group, the players, the character"
)
ARE: Final = _after("am, are, is, was, were, do, does, did, have, has, had, can, could, will, would, got")


@pytest.mark.parametrize(
    ("query", "denied"),
    [
        *((f"armor, not noise {end} silk", "noise") for end in ENDS),
        *((f"armor without noise {word} silk", "noise") for word in ASSERTS),
        *((f"armor without noise {end} silk", "noise") for end in ENDS if end != "and not"),
        *((f"a bow {contrast} a sword", "a sword") for contrast in CONTRASTS),
        *((f"birds that {verb} sing", "sing") for verb in DOES_NOT),
        *((f"resists cold {link} doesn't deal it", "deal cold") for link in (*LEADS, "one")),
        *((f"a potion, I don't {wish} poison", f"{wish} poison") for wish in ("want", "need", "like", "care")),
        ("a lamp, not oil, wax nor tallow, cheap", "oil, wax nor tallow"),
        ("a lamp, not oil, wax or at sea", "oil"),
        ("a tamer, not of wolves but rather of owls ", "of wolves"),
        ("how to sleep in trees (not indoors )", "indoors"),
        ("tames wolves but doesn't feed them", "feed wolves"),
        ("undead without Any flight nor magic and mind", "Any flight, any magic, any mind"),
        ("undead without any flight or any magic", "any flight or any magic"),
    ],
)
def test_a_denial_is_read_to_its_end(query: str, denied: str) -> None:
    assert wanted(query).denied[:1] == (denied,)


@pytest.mark.parametrize(
    "said",
    [
        *(f"{verb} evil" for verb in IS_NOT),
        *(f"{lead} is not evil" for lead in LEADS),
        *(f"{lead}'s {negation} evil" for lead in ("that", "which", "who") for negation in ("not", "neither")),
        *(f"{lack} evil" for lack in LACKS),
        *(f"{lead} no evil" for lead in (*LEADS[3:], "with", ",")),
        "(no evil)",
    ],
)
def test_the_words_around_a_denial_go_with_it(said: str) -> None:
    found = wanted(f"a fiend {said}")
    assert (found.asserted, found.denied) == ("a fiend", ("evil",))


@pytest.mark.parametrize(
    "query",
    [
        *(f"undead that {verb} not dead" for verb in BEFORE_NOT if verb not in {"do", "does", "can"}),
        *(f"{question} cats sleep, dogs not breathing" for question in QUESTIONS),
        *(f"a spell {negation} {compared} than level 2" for compared in COMPARED for negation in ("no", "not")),
        *(f"a spell no {compared} level 2" for compared in ("above", "below", "over", "under")),
        *(f"swarms that {verb} no harm" for verb in _after("take, takes, suffer, suffers, feel, feels, fear, fears")),
        "swarms taking no harm",
        *(f"a song {when} undead are not near" for when in WHEN),
        *(f"a song, {who} cannot sing" for who in WHO),
        *(f"a song, she {verb} no voice" for verb in ARE),
        *(f"a song, {contracted} no voice" for contracted in ("I'm", "you're", "we've", "she's")),
        "a song, she won't sing",
        "a song the dragon's not heard",
        *(f"a song not known to {somebody}" for somebody in _after("i, me, my, you, your, we, us, our")),
    ],
)
def test_what_only_sounds_like_a_denial_denies_nothing(query: str) -> None:
    assert not wanted(query).denied
    assert wanted(query).text == query


@pytest.mark.parametrize("verb", ["do", "does", "can"])
def test_what_a_thing_does_not_do_is_no_contrast(verb: str) -> None:
    query = f"undead that {verb} not eat"
    assert wanted(query) == Wanted(query, "undead that", ("eat",))


@given(st.lists(st.sampled_from(["not", "no", "without", ",", "(", "but", "and", "instead of", "fire", " "])))
def test_some_words_are_always_left_to_search(words: list[str]) -> None:
    query = " ".join(words)
    assert bool(wanted(query).text.strip()) == bool(query.strip())


def test_many_denials_are_read_in_linear_time() -> None:
    """Anything slower would exceed the test's time limit."""
    assert len(wanted("stew" + ", not salt" * 30_000).denied) == 30_000
