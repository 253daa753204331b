"""Level tables in the forms of the three APIs, and merged."""

from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.character_options import progressions


def feature(name, kind="CLASS_LEVEL_FEATURE", levels=(), cells=(), key=""):
    return {
        "key": key or f"x_{name.lower().replace(' ', '-')}",
        "name": name,
        "feature_type": kind,
        "gained_at": [{"level": level, "detail": detail} for level, detail in levels],
        "data_for_class_table": [{"level": level, "column_value": value} for level, value in cells],
    }


def columns(row):
    return {cell["name"]: cell["value"] for cell in row["columns"]}


def test_v2_columns_become_a_table_of_twenty_levels():
    rows = progressions.from_features(
        [
            feature("Proficiency Bonus", "PROFICIENCY_BONUS", cells=[(1, "+2"), (20, "+6")]),
            feature("1st", "SPELL_SLOTS", cells=[(1, "2"), (2, "—")], key="x_slots-1st"),
            feature("Sprout", levels=[(1, None), (5, "two leaves")]),
            feature("Leaves", cells=[(5, "2")]),
        ]
    )
    assert [row["level"] for row in rows] == list(range(1, 21))
    assert rows[0] == {
        "level": 1,
        "proficiency_bonus": 2,
        "features": ["Sprout"],
        "columns": [{"name": "Spell Slots 1st", "value": "2"}],
    }
    assert rows[1]["columns"] == []
    assert rows[4]["features"] == ["Sprout (two leaves)"]
    assert columns(rows[4]) == {"Leaves": "2"}


def test_features_alone_do_not_make_a_table():
    assert progressions.from_features([feature("Sprout", levels=[(1, None)])]) is None


def test_a_column_with_a_duplicate_name_is_named_by_its_key():
    assert progressions.column_name("Cantrips Known", "druid_wild-shape-uses") == "Wild Shape Uses"
    assert progressions.column_name("Rages", "barbarian_rages") == "Rages"
    assert progressions.column_name("3rd", "bard_slots-3rd") == "Spell Slots 3rd"


def test_a_markdown_table_of_v1_is_read():
    table = (
        "| Level | Proficiency Bonus | Features | Glow | 1st |\n|---|---|---|---|---|\n"
        "| 1st | +2 | Sprout, Root | - | 2 |\n| 3rd | +2 | - | 1d4 | - |\nafterthought"
    )
    rows = progressions.from_markdown(table)
    assert rows[0]["features"] == ["Sprout", "Root"]
    assert columns(rows[0]) == {"Spell Slots 1st": "2"}
    assert rows[2]["features"] == []
    assert columns(rows[2]) == {"Glow": "1d4"}
    assert progressions.from_markdown("") is None


def test_only_the_first_column_is_the_class_level():
    table = "| Hexer Level | Features | Slot Level |\n|--|--|--|\n| 5th | Hex | 3rd |"
    rows = progressions.from_markdown(table)
    assert (rows[4]["features"], columns(rows[4])) == (["Hex"], {"Slot Level": "3rd"})
    assert rows[2]["features"] == []


@given(st.lists(st.text(max_size=30), max_size=6))
def test_reading_a_table_never_fails(lines):
    rows = progressions.from_markdown("\n".join(lines))
    assert rows is None or [row["level"] for row in rows] == list(range(1, 21))


def test_slots_of_a_subclass_are_read_from_its_text():
    text = "You cast.\n\n| Rogue Level | Known | 1st | 4th |\n|--|--|--|--|\n| 3rd | 3 | 2 | - |\n| 19th | 9 | 4 | 1 |"
    rows = progressions.of_slots(["| Druid Level | Spells |\n|--|--|\n| 3rd | web |", text])
    assert [row["level"] for row in rows] == [3, 19]
    assert progressions.caster_type(rows, pact=False) == "third"
    assert progressions.of_slots(["no table"]) is None


def test_levels_of_dnd5e_become_a_table():
    rows = progressions.from_levels(
        [
            {
                "level": 1,
                "prof_bonus": 2,
                "features": [{"name": "Spellcasting: Gardener"}],
                "spellcasting": {"cantrips_known": 2, "spell_slots_level_2": 0, "spell_slots_level_3": 1},
                "class_specific": {"bloom": {"dice_count": 1, "dice_value": 6}, "bees": 9999, "list": [{"a": 1}]},
            }
        ]
    )
    assert rows[0]["features"] == ["Spellcasting"]
    assert columns(rows[0]) == {"Cantrips Known": "2", "Spell Slots 3rd": "1", "Bloom": "1d6", "Bees": "unlimited"}


def row(level, features=(), cells=(), bonus=2):
    return {
        "level": level,
        "proficiency_bonus": bonus,
        "features": list(features),
        "columns": [{"name": name, "value": value} for name, value in cells],
    }


def test_the_lesser_source_fills_in_features_but_no_columns():
    winner = [row(1, ["Glow (d6)"], [("Lights", "2")]), row(2, bonus=None)]
    loser = [row(1, ["Glow (d4)", "Path feature"], [("Light Count", "2")]), row(2, ["Root"])]
    assert progressions.combine(winner, loser) == [
        row(1, ["Glow (d6)", "Path feature"], [("Lights", "2")]),
        row(2, ["Root"]),
    ]
    bare = [row(1)]
    assert columns(progressions.combine(bare, loser)[0]) == {"Light Count": "2"}


def test_caster_types_follow_from_slots():
    def slots(name):
        return [row(20, cells=[(name, "1")])]

    assert progressions.caster_type(slots("Spell Slots 9th"), pact=False) == "full"
    assert progressions.caster_type(slots("Spell Slots 5th"), pact=False) == "half"
    assert progressions.caster_type(slots("Rages"), pact=False) == "none"
    assert progressions.caster_type(slots("Spell Slots"), pact=True) == "pact"
    assert progressions.caster_type(None, pact=False) is None
