"""More than one space between words means nothing, whatever reads the text of a request."""

import json
from pathlib import Path
from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.library.library import Library
from server.library.requests.request import Request

PHRASES: Final = Path(__file__).parents[3] / "data" / "questions"
STATED: Final = (
    *(
        "what has a spell save DC",
        "poison DC 15 traps",
        "spells that don't need concentration",
        "monsters immune to fire",
    ),
    *("wand that does not require attunement", "cr 5 to 7 undead", "at least 50 gp armor", "longest lasting spell"),
    *("how do I use rage", "2014 owlbear", "fireball in the 2024 rules", "dragons from the player's handbook"),
    *(
        "difference between 2014 and 2024 grappled",
        "AC of an ancient red dragon",
        "level 3 rogue",
        "fire breath dragon",
    ),
    *("spell that deals 8d6 fire damage", "silvery barbs", "magic missle", "what is the DC to hide"),
    *("exploration in level up", "fire spells in D & D", "one D&D grappled"),
)
"""Queries of which something is read: facts, denials, measures, editions, books, names, parts."""
NAMES: Final = (
    "fighter (level up)",
    "ancient red dragon",
    "2014 owlbear",
    "fire ball",
    "Bigby's hand",
    "silvery barbs",
    "chain * mail",
)


def _phrases() -> list[str]:
    """What players ask about things, from the questions that the index is built with."""
    lines = (line for path in sorted(PHRASES.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines())
    return [phrase for line in lines for phrase in json.loads(line)["phrases"]]


def _doubled(text: str) -> str:
    """A text with two spaces for each, and some around it."""
    return f"  {text.replace(' ', '  ')}  "


def _spread(text: str, random: Random) -> str:
    """A text with other white space between its words, and some around it."""
    words = ["", *text.split(), ""]
    return "".join(word + random.choice((" ", "  ", "\t", " \n", "\u00a0")) for word in words)


@pytest.mark.parametrize("query", STATED)
def test_what_a_query_states_is_read_however_it_is_spaced(tiny_library: Library, query: str) -> None:
    spread = Request("all", search=_doubled(query), limit=3, detail="summary")
    assert tiny_library.find(spread) == tiny_library.find(Request("all", search=query, limit=3, detail="summary"))


@settings(max_examples=25)
@given(st.sampled_from(_phrases()), st.randoms(use_true_random=False))
def test_a_player_s_question_is_answered_however_it_is_spaced(
    tiny_library: Library, query: str, random: Random
) -> None:
    spread = tiny_library.find(Request("all", search=_spread(query, random), limit=3, detail="summary"))
    assert spread == tiny_library.find(Request("all", search=" ".join(query.split()), limit=3, detail="summary"))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_looked_up_however_it_is_spaced(tiny_library: Library, name: str) -> None:
    spread = _doubled(name)
    assert tiny_library.find(Request("all", name=spread, limit=3)) == tiny_library.find(
        Request("all", name=name, limit=3)
    )


def test_a_query_of_nothing_but_spaces_ranks_nothing(tiny_library: Library) -> None:
    blank = tiny_library.find(Request("spell", search=" \t ", limit=3))
    assert blank == tiny_library.find(Request("spell", limit=3))
