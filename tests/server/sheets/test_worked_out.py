"""Answers of the tools for play, as people read them."""

import pytest

from server.sheets.worked_out import gains, rolls, spell_list

AROUND = {"message": None, "suggestions": [], "rules": []}


def listed(*spells):
    level = {"level": 0, "slots": None, "count": len(spells), "spells": list(spells)}
    return spell_list(AROUND | {"numbers": {}, "results": [level]})


def test_spells_of_several_documents_name_theirs():
    here, there = (
        {"name": "Spark", "id": "spell/hills/spark"},
        {"name": "Gust", "id": "spell/vale/gust", "ritual": True},
    )
    assert "Spark (hills), Gust (R, vale)" in listed(here, there)
    assert "Spark\n" in listed(here)
    assert "hills" not in listed(here)


def test_a_material_costs_coins_that_people_pay_with():
    spark = {"name": "Spark", "id": "spell/hills/spark"}
    assert "Spark (2 cp)" in listed(spark | {"material_cost_gp": 0.02})
    assert "Spark (1,000 gp)" in listed(spark | {"material_cost_gp": 1000.0})


def test_what_makes_more_of_a_spell_and_who_gives_it_is_told():
    spark = {"name": "Spark", "id": "spell/hills/spark", "granted_by": "Hill Spells", "at_level": {"damage": "2d8"}}
    assert "- Spark (Hill Spells): damage 2d8" in listed(spark)


@pytest.mark.parametrize(("points", "heading"), [(2700, "### Level 4 (2,700 XP)\n"), (None, "### Level 4\n")])
def test_a_level_is_headed_by_its_experience_points(points, heading):
    level = {
        "level": 4,
        "experience_points": points,
        "numbers": {"Rages": {"before": None, "after": "3"}},
        "features": [],
    }
    facts = dict.fromkeys(("hit_dice", "hit_points_first_level", "hit_points_per_level"))
    assert heading in gains(AROUND | facts | {"results": [level]})


def test_plain_dice_have_no_heading():
    of_no_table = dict.fromkeys(("table", "name", "document", "id"))
    roll = of_no_table | {"dice": "2d6 + 3", "roll": 10, "row": {"2d6": "3, 4"}}
    assert rolls(AROUND | {"seed": 1, "results": [roll]}) == "**10** (2d6 + 3) 3, 4\n\n*Seed 1.*"
