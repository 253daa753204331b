"""Suggested encounters, which never exceed the budget."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from server.play.suggestions import suggestions


@st.composite
def creatures(draw):
    worth = draw(st.lists(st.sampled_from([0, 10, 25, 50, 100, 200, 450, 700, 1_100, 1_800]), min_size=1, max_size=12))
    return [
        {
            "id": f"creature/x/{place}",
            "name": f"Creature {place}",
            "experience_points": xp,
            "type": draw(st.sampled_from(["undead", "beast", None])),
            "group": draw(st.sampled_from(["Ghouls", None])),
            "environments": draw(st.sampled_from([["swamp"], ["swamp", "forest"], [], None])),
        }
        for place, xp in enumerate(worth)
    ]


ASKED = {"candidates": creatures(), "budget": st.integers(1, 5_000), "most": st.integers(1, 12)}


@given(**ASKED, seed=st.integers(0, 2**31 - 1))
def test_a_suggestion_never_exceeds_budget_or_number(candidates, budget, most, seed):
    worth = {row["id"]: row["experience_points"] for row in candidates}
    found = list(suggestions(candidates, budget, most, 3, Random(seed)))
    for encounter in found:
        spent = sum(worth[each] * count for each, count in encounter.items())
        assert 0 < spent <= budget
        assert 1 <= encounter.total() <= most
        assert len(encounter) <= 3
        left = budget - spent
        assert encounter.total() == most or all(worth[each] > left for each in encounter), "more would have fitted"
    assert bool(found) == any(0 < xp <= budget for xp in worth.values())


@given(**ASKED, seed=st.integers(0, 2**31 - 1))
def test_the_same_seed_gives_the_same_suggestions(candidates, budget, most, seed):
    drawn = [list(suggestions(candidates, budget, most, 3, Random(seed))) for _ in range(2)]
    assert drawn[0] == drawn[1]


@given(**ASKED, seed=st.integers(0, 2**31 - 1))
def test_creatures_of_an_encounter_have_something_in_common(candidates, budget, most, seed):
    rows = {row["id"]: row for row in candidates}
    for encounter in suggestions(candidates, budget, most, 3, Random(seed)):
        lead, *others = (rows[each] for each in encounter)
        for other in others:
            shared = set(lead["environments"] or ()) & set(other["environments"] or ())
            assert shared or lead["type"] == other["type"] != None or lead["group"] == other["group"] != None  # noqa: E711


def test_each_encounter_has_another_leader():
    row = {"experience_points": 50, "type": "beast", "group": None, "environments": None}
    candidates = [row | {"id": name, "name": name} for name in ("rat", "cat", "bat")]
    leads = [next(iter(encounter)) for encounter in suggestions(candidates, 100, 4, 5, Random(1))]
    assert sorted(leads) == ["bat", "cat", "rat"]


def test_better_matches_lead_first():
    row = {"experience_points": 50, "type": "beast", "group": None, "environments": None}
    candidates = [
        row | {"id": name, "name": name, "fit": fit} for name, fit in (("cat", 0.4), ("bat", 0.9), ("rat", 0.2))
    ]
    first, *_ = suggestions(candidates, 100, 4, 3, Random(1))
    assert first == {"bat": 2}


def test_a_much_better_match_may_spend_less():
    row = {"type": "beast", "group": None, "environments": None}
    bat = row | {"id": "bat", "name": "bat", "experience_points": 30, "fit": 0.9}
    cat = row | {"id": "cat", "name": "cat", "experience_points": 50, "fit": 0.3}
    first, *_ = suggestions([bat, cat], 100, 2, 2, Random(1))
    assert first == {"bat": 2}
