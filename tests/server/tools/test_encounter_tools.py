"""The tools for encounters: suggestions are within the budget and have the stated worth."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.library.library import Library
from server.library.requests.request import Request, RequestError
from server.tools.registry import tool_named

SUGGEST = tool_named("suggest_encounter")
EVALUATE = tool_named("evaluate_encounter")


@settings(suppress_health_check=list(HealthCheck), max_examples=60)
@given(
    asked=st.fixed_dictionaries(
        {
            "party": st.lists(st.integers(1, 5), min_size=1, max_size=6),
            "difficulty": st.sampled_from(["low", "moderate", "high"]),
            "documents": st.sampled_from([None, ["5e-2014"], ["5e-2024"], ["5e-2014", "5e-2024"]]),
            "edition": st.just("2024"),
            "seed": st.integers(0, 1_000_000_000),
        }
    ),
    filters=st.sampled_from([{}, {"type": "undead"}, {"cr_max": 1}, {"hit_points_min": 20}, {"movement": "climb"}]),
)
def test_suggestions_are_within_the_budget(library: Library, asked, filters):
    answer = SUGGEST.call(library, asked | filters)
    assert answer == SUGGEST.call(library, asked | filters)
    assert answer["budget"] == answer["budgets"][asked["difficulty"]]
    for found in answer["results"]:
        assert found["xp"] <= answer["budget"]
        assert found["creatures"] <= 2 * len(asked["party"])
        monsters = [{"name": each["id"], "count": each["count"]} for each in found["monsters"]]
        (same,) = EVALUATE.call(library, {"party": asked["party"], "monsters": monsters, "edition": "2024"})["results"]
        assert (same["xp"], same["difficulty"]) == (found["xp"], found["difficulty"])


def test_no_creature_is_above_the_lowest_level_unless_requested(library: Library):
    asked = {"party": [2, 5, 5, 5], "limit": 10, "documents": ["5e-2014"], "xp": 4_000, "seed": 1}
    ratings = {
        each["challenge_rating"] for found in SUGGEST.call(library, asked)["results"] for each in found["monsters"]
    }
    assert min(ratings) > 0
    assert max(ratings) <= 2
    strong = SUGGEST.call(library, asked | {"cr_min": 5})["results"]
    assert min(each["challenge_rating"] for found in strong for each in found["monsters"]) == 5


def test_a_search_selects_the_candidates(library: Library):
    asked = {"party": [5] * 4, "difficulty": "high", "documents": ["5e-2014"], "edition": "2024", "seed": 1}
    found = SUGGEST.call(library, asked | {"search": "troll"})
    assert "Troll" in {monster["name"] for encounter in found["results"] for monster in encounter["monsters"]}
    assert all(encounter["xp"] <= found["budget"] for encounter in found["results"])


def test_a_search_without_matches_suggests_nothing(library: Library):
    answer = SUGGEST.call(library, {"party": [5] * 4, "search": "xyzzy qwerty", "seed": 1})
    assert answer["results"] == []
    assert 'No creature here fits "xyzzy qwerty"' in answer["message"]


@pytest.mark.parametrize("asked", [{"search": "troll"}, {"type": "giant"}])
def test_matching_creatures_that_are_too_strong_are_named(library: Library, asked):
    asked = asked | {"party": [1] * 4, "documents": ["5e-2014"], "xp": 5_000, "seed": 1}
    answer = SUGGEST.call(library, asked)
    assert "above the lowest level, which is 1: give cr_max to include it." in answer["message"]
    assert "Leaving out cr_max" not in answer["message"]
    assert "Troll" not in str(answer["results"])


def test_filters_without_results_are_named(library: Library):
    answer = SUGGEST.call(library, {"party": [1], "type": "undead", "environment": "graveyard", "seed": 1})
    assert 'no creatures with environment "graveyard"' in answer["message"]


@pytest.mark.parametrize("party", ["4 level 5 characters", [5, 21], 5, [], [1] * 13])
def test_an_invalid_party_is_refused_with_an_explanation(party):
    with pytest.raises(RequestError, match="a list of 1 to 12 levels from 1 to 20, such as"):
        SUGGEST.read({"party": party, "limit": 1})


def test_a_difficulty_of_another_edition_is_refused_with_the_valid_ones():
    with pytest.raises(RequestError, match=r"low, moderate, high, as in 2024; leave it out for 2014"):
        SUGGEST.read({"party": [1], "difficulty": "deadly"})


def test_without_a_measure_a_budget_must_be_given(library: Library):
    with pytest.raises(RequestError, match=r"a budget, e\.g\. xp=500"):
        SUGGEST.call(library, {"party": [3], "edition": "2014"})
    (found,) = SUGGEST.call(library, {"party": [3], "edition": "2014", "xp": 700, "limit": 1, "seed": 1})["results"]
    assert found["xp"] <= 700
    assert found["difficulty"] is None


def test_levels_beyond_the_table_are_mentioned(library: Library):
    answer = EVALUATE.call(library, {"party": [20], "monsters": ["wolf"]})
    assert answer["budgets"] == {}
    assert "only experience points are known" in answer["message"]


@pytest.mark.parametrize(
    ("written", "number", "name"),
    [
        ("2 wolves", 2, "Wolf"),
        ("2x wolf", 2, "Wolf"),
        ("wolf × 3", 3, "Wolf"),
        ({"name": "wolf", "count": 4}, 4, "Wolf"),
        ("creature/srd-2014/wolf", 1, "Wolf"),
    ],
)
def test_monsters_have_numbers_and_names(library: Library, written, number, name):
    (found,) = EVALUATE.call(library, {"party": [1], "monsters": [written]})["results"]
    assert [(each["count"], each["name"]) for each in found["monsters"]] == [(number, name)]


def test_a_long_entry_is_refused_unread(library: Library):
    with pytest.raises(RequestError, match="up to 200 characters"):
        EVALUATE.call(library, {"party": [1], "monsters": ["wolf" + " " * 1_000_000 + "y"]})


def test_a_suggestion_below_the_requested_difficulty_says_why(library: Library):
    easy = SUGGEST.call(library, {"party": [3, 3, 3, 3], "difficulty": "high", "type": "undead", "seed": 1})
    assert {found["difficulty"] for found in easy["results"]} == {"low"}
    assert 'None of these is "high": at most 8 creatures fight, two for each character' in easy["message"]
    hard = SUGGEST.call(library, {"party": [3, 3, 3, 3], "difficulty": "high", "seed": 1})
    assert "None of these" not in (hard["message"] or "")


def test_creatures_of_other_books_are_mentioned(library: Library):
    creatures = library.find(Request("creature", documents=("5e-2014",), limit=100))["results"]
    (place, *_) = [place for creature in creatures for place in creature.get("environments") or ()]
    asked = {"party": [5] * 4, "edition": "2024", "environment": place, "cr_max": 30, "seed": 1}
    answer = SUGGEST.call(library, asked)
    assert answer["results"] == []
    assert 'of 5e-2014 do: give documents, e.g. ["5e-2014"]' in answer["message"]
    assert "No creature" not in (SUGGEST.call(library, asked | {"documents": ["5e-2014"]})["message"] or "")


def test_environments_are_borrowed_from_other_books_with_the_same_creature(library: Library):
    asked = {"party": [1] * 4, "environment": "underdark", "seed": 1}
    answer = SUGGEST.call(library, asked)
    (found,) = answer["results"]
    assert {monster["id"] for monster in found["monsters"]} == {"creature/srd-2024/goblin-warrior"}
    assert "Environments are those of the same creatures in other books" in answer["message"]
    alone = SUGGEST.call(library, asked | {"documents": ["5e-2024"]})
    assert alone["results"] == []
    assert 'give documents, e.g. ["5e-2014"]' in alone["message"]


def test_an_edition_in_the_search_is_mentioned(library):
    answer = SUGGEST.call(library, {"party": [3, 3], "search": "zombie 2014"})
    assert "Searched in 5e-2024, not in the edition that was named: 2014." in answer["message"]


@pytest.mark.parametrize(
    ("monsters", "counts"),
    [
        (["a goblin", "Two trolls"], {"Goblin": 1, "Troll": 2}),
        (["2 goblin, 3 troll"], {"Goblin": 2, "Troll": 3}),
        (["twelve goblins", "troll x2"], {"Goblin": 12, "Troll": 2}),
    ],
)
def test_monsters_can_be_given_as_people_write_them(library: Library, monsters, counts):
    (found,) = EVALUATE.call(library, {"party": [3], "monsters": monsters, "documents": ["5e-2014"]})["results"]
    assert {each["name"]: each["count"] for each in found["monsters"]} == counts


def test_what_the_edition_calls_otherwise_is_taken_from_it_and_named(library: Library):
    def evaluated(*monsters: str, **asked: object) -> tuple[list[str], str]:
        answer = EVALUATE.call(library, {"party": [3] * 4, "monsters": list(monsters), **asked})
        return [each["id"] for each in answer["results"][0]["monsters"]], answer["message"] or ""

    ids, said = evaluated("3 goblins", edition="2024")
    assert ids == ["creature/srd-2024/goblin-warrior"]
    assert '"goblins" is Goblin Warrior in the 2024 rules.' in said
    assert "Some of the monsters" not in said
    ids, said = evaluated("creature/srd-2014/goblin", edition="2024")
    assert ids == ["creature/srd-2014/goblin"]
    assert "Some of the monsters are from 5e-2014." in said
    assert "Goblin Warrior" not in said


def test_a_creature_of_other_books_is_explained_as_in_look_ups(library: Library):
    with pytest.raises(
        RequestError, match=r"monsters: Found no creatures named .troll. in the-lantern-coast\. It is in "
    ):
        EVALUATE.call(library, {"party": [3], "monsters": ["troll"], "documents": ["the-lantern-coast"]})
    with pytest.raises(RequestError, match=r"Similar names: Troll"):
        EVALUATE.call(library, {"party": [3], "monsters": ["trolll"]})
    with pytest.raises(RequestError, match=r'Put a whole number and its name together, as in "2 druid"'):
        EVALUATE.call(library, {"party": [3], "monsters": ["7"]})


@pytest.mark.parametrize("written", ["-1 troll", "1d4 trolls", "1/2 troll", "2.5 troll"])
def test_what_is_not_a_whole_number_is_refused_as_it_was_written(library: Library, written):
    with pytest.raises(RequestError, match="Put a whole number and its name together") as refused:
        EVALUATE.call(library, {"party": [3], "monsters": [written]})
    assert f'"{written}" is not a creature' in str(refused.value)


def test_an_encounter_far_below_the_lowest_budget_is_not_called_low(library: Library):
    answer = EVALUATE.call(library, {"party": [5] * 4, "monsters": ["wolf"]})
    assert answer["results"][0]["difficulty"] == "below low"
    assert '50 XP is less than half of the lowest budget, 2,000 XP for "low".' in answer["message"]
    near = EVALUATE.call(library, {"party": [1] * 4, "monsters": ["2 wolf"]})
    assert near["results"][0]["difficulty"] == "low"
    assert "less than half" not in (near["message"] or "")


def test_rules_of_documents_that_are_left_out_are_not_cited(library: Library):
    asked = {"party": [1] * 2, "monsters": ["9 wolf"], "edition": "2024"}
    inside, outside = (EVALUATE.call(library, asked | {"documents": [key]}) for key in ("5e-2024", "5e-2014"))
    assert {rule["document"] for rule in inside["rules"]} == {"srd-2024"}
    assert outside["budgets"] == inside["budgets"]
    assert outside["rules"] == outside["results"][0]["cautions"] == []
    said = "The budgets are from srd-2024, which documents leaves out, so its rules are not cited."
    assert said in outside["message"]
    assert said not in (inside["message"] or "")
    drawn = SUGGEST.call(library, {"party": [3] * 4, "edition": "2024", "documents": ["5e-2014"], "seed": 1})
    assert drawn["rules"] == []
    assert said in drawn["message"]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"party": [20]}, "srd-2024 has no budget for these levels, so only"),
        ({"party": [3], "edition": "2014"}, "No book of 2014 in this library measures encounters, so only"),
        ({"party": [3], "documents": ["5e-2014"]}, "No book of 5e-2014 in this library measures encounters, so only"),
    ],
)
def test_why_nothing_is_measured(library: Library, asked, why):
    assert EVALUATE.call(library, asked | {"monsters": ["wolf"]})["message"].startswith(why)
