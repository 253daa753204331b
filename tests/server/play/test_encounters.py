"""The worth of encounters, and the creatures that names mean."""

import pytest

from server.library.library import Library
from server.library.requests.request import RequestError
from server.play.encounters import Party, cautions, chosen, encounter, party_of, unrated
from server.sheets.worked_out import encounters


def evaluated(library: Library, levels, *asked, edition=None, documents=None):
    party = party_of(library, levels, edition, documents)
    return party, encounter(party, *chosen(library, asked, party, documents))


@pytest.mark.parametrize(
    ("number", "difficulty"),
    [(1, "below low"), (2, "low"), (4, "low"), (5, "moderate"), (6, "moderate"), (8, "high"), (9, "above high")],
)
def test_an_encounter_has_the_lowest_difficulty_that_covers_it(library: Library, number, difficulty):
    _, found = evaluated(library, [1] * 4, ("wolf", number))
    assert (found["xp"], found["difficulty"]) == (50 * number, difficulty)


def test_the_same_creature_given_twice_is_counted_together(library: Library):
    _, found = evaluated(library, [1], ("wolf", 1), ("Wolves", 2))
    assert [(monster["count"], monster["id"]) for monster in found["monsters"]] == [(3, "creature/srd-2024/wolf")]


def test_creatures_come_from_the_measuring_edition(book_library: Library):
    _, found = evaluated(book_library, [3] * 4, ("owlbear", 1), edition="2014")
    assert [monster["id"] for monster in found["monsters"]] == ["creature/srd-2014/owlbear"]
    assert found["difficulty"] == "worthy"
    _, found = evaluated(book_library, [3] * 4, ("owlbear", 2), documents=("5e-2014",))
    assert found["difficulty"] == "above worthy"


def test_an_ambiguous_name_is_refused_and_a_plural_understood(library: Library):
    party = party_of(library, [1], None, None)
    with pytest.raises(RequestError, match="may be any of"):
        chosen(library, [("dragon", 1)], party, None)
    _, known = chosen(library, [("skeletons", 1), ("swarms of bats", 1)], party, None)
    assert [row["name"] for row in known.values()] == ["Skeleton", "Swarm of Bats"]


def test_a_misspelt_name_gets_similar_ones(library: Library):
    with pytest.raises(RequestError, match="Owlbear"):
        chosen(library, [("owlbaer", 1)], party_of(library, [1], None, None), None)


def test_cautions_cite_their_rules(book_library: Library):
    party, found = evaluated(book_library, [2, 3], ("wolf", 4), ("owlbear", 1))
    said = {rule["id"]: rule["says"] for rule in cautions(book_library, party, found)}
    assert said.keys() == {"rule/srd-2024/ending-combat", "rule/srd-2024/hiding"}
    assert "Owlbear" in said["rule/srd-2024/hiding"]
    party, found = evaluated(book_library, [3, 3], ("wolf", 3), ("owlbear", 1))
    assert cautions(book_library, party, found) == []


def test_weak_creatures_and_many_stat_blocks_give_cautions(book_library: Library):
    few = [("commoner", 1), ("wolf", 1), ("owlbear", 1)]
    party, found = evaluated(book_library, [5, 5], *few, ("rat", 1))
    assert {rule["id"]: rule["says"] for rule in cautions(book_library, party, found)} == {
        "rule/srd-2024/falling-net": "Commoner and Rat: challenge rating 0, to be used sparingly",
        "rule/srd-2024/travel": "4 stat blocks are more than 3",
    }
    party, found = evaluated(book_library, [5, 5], *few)
    assert [rule["id"] for rule in cautions(book_library, party, found)] == ["rule/srd-2024/falling-net"]


def test_a_creature_without_experience_points_is_refused(book_library: Library):
    with pytest.raises(RequestError, match=r"of Fog Wrecker \(creature/the-lantern-coast/fog-wrecker\) are unknown"):
        chosen(book_library, [("fog wrecker", 1)], party_of(book_library, [1], None, None), None)


def test_a_creature_without_a_rating_is_named_and_counts_nothing(book_library: Library):
    party = party_of(book_library, [2, 3], None, None)
    creatures, known = chosen(book_library, [("wolf", 1), ("owlbear", 1)], party, None)
    (owlbear,) = (identity for identity in known if identity.endswith("/owlbear"))
    known[owlbear] |= {"challenge_rating": None, "challenge_rating_text": None, "experience_points": 0}
    found = encounter(party, creatures, known)
    assert found["xp"] == 50
    assert cautions(book_library, party, found) == []
    assert unrated(known.values()) == f"Of unknown challenge rating, so not counted: Owlbear ({owlbear})."
    answer = {"party": [2, 3], "budgets": {}, "results": [found | {"cautions": []}], "rules": [], "suggestions": []}
    assert "| Owlbear | unknown | unknown |" in encounters(answer | {"message": None})
    alone = encounter(party, {owlbear: 2}, known)
    assert (alone["xp"], alone["difficulty"], alone["monsters"][0]["xp_each"]) == (None, None, None)
    assert "### Unknown XP\n" in encounters(answer | {"message": None, "results": [alone | {"cautions": []}]})
    known[owlbear] |= {"experience_points": 700}
    assert unrated(known.values()) is None


def test_without_a_measure_only_experience_points_are_known():
    assert Party((1, 2), None).difficulty(50) is None
    assert Party((1, 2), None).budgets == {}
