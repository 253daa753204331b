"""Manual corrections: applied if they match, named if they do not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from build_pipeline.declared import DeclaredError
from build_pipeline.normalize.merging.corrections import Correction, correct, read_corrections
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.normalize.merging.measures import add_measures
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.resources import DATA

ID = "creature/red-book/bog-imp"


def imp() -> Entity:
    facts = {
        "languages": ["Bogspeak"],
        "experience_points": 100,
        "ability_scores": {"strength": 3, "charisma": -3},
        "actions": [{"name": "Bite", "usage": None}, {"name": "Hop", "usage": "Recharge 6"}],
    }
    draft = Draft("srd", ("srd/red-book/bog-imp",), "creature", "red-book", "Bog Imp")
    return Entity([draft], "red-book", facts, slug="bog-imp")


def corrected(column: str, value: Any, instead_of: Any, entity: str = ID) -> tuple[Entity, list[str]]:
    problems, found = Problems(), imp()
    correct([found], [Correction(entity, column, value, instead_of, ("srd",), "XP by CR")], problems)
    return found, [problem["reason"] for problem in problems.entries]


def told(value: Any, member: str) -> Iterator[str]:
    """The texts of a member, however deep in a value."""
    if isinstance(value, dict):
        yield from (text for name, text in value.items() if name == member and text)
        yield from (text for inside in value.values() for text in told(inside, member))
    elif isinstance(value, list):
        yield from (text for inside in value for text in told(inside, member))


@pytest.mark.parametrize(
    ("member", "other_spelling"),
    [("usage", re.compile(r"\d ?/ ?[a-z]|At will")), ("regains", re.compile(r"\b(?:each|every) (?:day|dawn|dusk)\b"))],
)
def test_values_set_by_hand_have_the_spelling_of_those_that_are_read(
    member: str, other_spelling: re.Pattern[str]
) -> None:
    values = [{each.column.rpartition(".")[2]: each.value} for each in read_corrections(DATA / "corrections.toml")]
    texts = list(told(values, member))
    assert texts
    assert not [text for text in texts if other_spelling.search(text)]


def test_columns_struct_members_and_list_members_can_be_corrected() -> None:
    entity, problems = corrected("experience_points", 200, 100)
    assert (entity.facts["experience_points"], entity.corrected, problems) == (200, {"experience_points"}, [])
    entity, _ = corrected("ability_scores.charisma", 4, -3)
    assert entity.facts["ability_scores"] == {"strength": 3, "charisma": 4}
    entity, _ = corrected("actions[Hop].usage", "1/Day", "Recharge 6")
    assert [action["usage"] for action in entity.facts["actions"]] == [None, "1/Day"]
    entity, _ = corrected("actions[Hop]", None, {"name": "Hop", "usage": "Recharge 6"})
    assert [action["name"] for action in entity.facts["actions"]] == ["Bite"]
    entity, _ = corrected("actions[Bite]", None, {"name": "Bite"})
    assert [action["name"] for action in entity.facts["actions"]] == ["Hop"]
    entity, _ = corrected("armor_class", 12, None)
    assert entity.facts["armor_class"] == 12


@pytest.mark.parametrize(
    ("column", "value", "instead_of", "others"),
    [("experience_points", 200, 100, set()), ("ability_scores.charisma", 4, -3, {"ability_scores"})],
)
def test_a_column_set_by_hand_has_no_other_source(column: str, value: int, instead_of: int, others: set[str]) -> None:
    entity, whole = imp(), column.partition(".")[0]
    entity.filled[whole] = "open5e-v1"
    entity.from_text.add(whole)
    correct([entity], [Correction(ID, column, value, instead_of, ("srd",), "XP by CR")], Problems())
    assert (set(entity.filled), entity.from_text, entity.corrected) == (others, others, {whole})


def test_a_missing_list_member_can_be_added() -> None:
    entity, problems = corrected("actions[+]", {"name": "Sing"}, None)
    assert ([action["name"] for action in entity.facts["actions"]], problems) == (["Bite", "Hop", "Sing"], [])
    _, problems = corrected("actions[+]", {"name": "Hop"}, None)
    assert problems == [
        f"the correction of actions[+] of {ID} is out of date: the sources now give this value; remove the entry"
    ]


def test_list_members_may_omit_unknown_fields() -> None:
    entity, problems = corrected("actions", [{"name": "Sing"}], [{"name": "Bite"}, {"usage": "Recharge 6"}])
    assert (entity.facts["actions"], problems) == ([{"name": "Sing"}], [])


@pytest.mark.parametrize(
    ("column", "value", "instead_of", "says"),
    [
        ("experience_points", 200, 50, "the sources now give 100 instead of 50"),
        ("experience_points", 100, 50, "remove the entry"),
        ("languages", ["Bog"], ["Bogspeak", "Common"], "the sources now give ['Bogspeak'] instead of"),
        ("languages", ["Bog"], "Bogspeak", "the sources now give ['Bogspeak'] instead of 'Bogspeak'"),
        ("actions", [], [{"name": "Bite"}, {"name": "Jump"}], "the sources now give [{"),
        ("ability_scores", {}, {"strength": 3, "charisma": 3}, "the sources now give {"),
        ("wingspan", 3, None, "there is no column 'wingspan'"),
        ("experience_points", "many", 100, "experience_points = 'many' is not of type int"),
        ("actions[Kick].usage", "1/Day", "2/Day", "the sources no longer have a value there"),
        ("traits[Wet].usage", "1/Day", None, "the sources no longer have a value there"),
        ("actions.usage", "1/Day", None, "the sources no longer have a value there"),
        ("actions[Kick]", {"name": "Kick"}, None, "the sources no longer have a value there"),
        ("hit_points[3].x", "1/Day", None, "the sources no longer have a value there"),
        ("languages[Bogspeak]", "Bog", None, "the sources no longer have a value there"),
        ("languages[Bogspeak].name", "Bog", None, "the sources no longer have a value there"),
        ("actions[Bite].usage", "1/Day", "2/Day", "the sources now give None instead of '2/Day'"),
    ],
)
def test_a_correction_that_does_not_match_is_named_and_not_applied(
    column: str, value: Any, instead_of: Any, says: str
) -> None:
    entity, (problem,) = corrected(column, value, instead_of)
    assert (entity.facts, entity.corrected) == (imp().facts, set())
    assert f"the correction of {column} of {ID} is out of date" in problem
    assert says in problem


def test_words_that_occur_once_in_a_text_are_replaced() -> None:
    entity, problems = corrected("actions[Hop].usage", "5-6", "6")
    assert (entity.facts["actions"][1]["usage"], problems) == ("Recharge 5-6", [])
    assert entity.struck == {"6"}
    entity, _ = corrected("actions[Hop].usage", "Rest *8*", "Recharge 6")
    assert "Recharge 6" not in entity.struck
    _, (problem,) = corrected("actions[Hop].usage", "5-6", "4")
    assert "the sources now give 'Recharge 6' instead of '4'" in problem
    _, (problem,) = corrected("actions[Hop].usage", "Recharge", "Charge")
    assert "remove the entry" in problem


def test_invalid_dice_are_refused_as_a_correction() -> None:
    draft = Draft("srd", ("srd/red-book/club",), "weapon", "red-book", "Club")
    club, problems = Entity([draft], "red-book", {"damage_dice": "1d4"}, slug="club"), Problems()
    correct([club], [Correction(club.id, "damage_dice", "1d6 + 1", "1d4", ("srd",), "the table")], problems)
    assert "neither canonical dice, such as 2d6+3, nor a number: '1d6 + 1'" in problems.entries[0]["reason"]
    add_measures([club])
    assert (club.facts["damage_dice"], club.facts["damage_average"]) == ("1d4", 2.5)


def test_a_correction_of_a_missing_entity_is_named() -> None:
    _, (problem,) = corrected("experience_points", 200, 100, entity="creature/red-book/gone")
    assert "there is no such entity" in problem


def test_invalid_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "corrections.toml"
    with pytest.raises(DeclaredError, match=r"corrections\.toml is not a list of \[\[correction\]\]: FileNotFound"):
        read_corrections(path)
    path.write_text("correction = []")
    assert read_corrections(path) == []
    entry = f'[[correction]]\nentity = "{ID}"\ncolumn = "speed.hover"\nwrong = ["srd"]\n'
    path.write_text(entry + 'instead_of = true\nevidence = "no text says so"\n')
    assert read_corrections(path) == [
        Correction(ID, "speed.hover", None, instead_of=True, wrong=("srd",), evidence="no text says so")
    ]
    for broken, says in (
        (entry, rf"correction 1 \({ID}\): evidence Field required"),
        (entry + 'evidence = ""\nworng = []\n', "worng Unexpected keyword argument"),
        (entry.replace('["srd"]', '"srd"') + 'evidence = ""\n', "wrong Input should be a valid tuple"),
        (entry.replace("speed.hover", "speed..hover") + 'evidence = ""\n', "column String should match pattern"),
        ("[[correction", "Expected"),
        ("correction = 3", "one without any says `correction = \\[\\]`"),
        (b"# \xe9", "UnicodeDecodeError"),
    ):
        path.write_bytes(broken if isinstance(broken, bytes) else broken.encode())
        with pytest.raises(DeclaredError, match=says):
            read_corrections(path)


def test_the_shipped_corrections_can_be_read() -> None:
    for correction in read_corrections(DATA / "corrections.toml"):
        assert correction.evidence, correction
        assert correction.wrong, correction


def test_a_member_of_a_list_of_levels_can_be_corrected() -> None:
    table = [{"level": n, "columns": [{"name": "Bells", "value": str(n)}]} for n in (1, 2)]
    draft = Draft("srd", ("srd/red-book/warden",), "class", "red-book", "Warden")
    entity, problems = Entity([draft], "red-book", {"progression": table}, slug="warden"), Problems()
    entry = Correction("class/red-book/warden", "progression[2].columns[Bells].value", "5", "2", ("srd",), "the text")
    correct([entity], [entry], problems)
    assert [row["columns"][0]["value"] for row in entity.facts["progression"]] == ["1", "5"]
    assert not problems.entries


def test_a_member_of_a_list_without_names_can_be_corrected() -> None:
    benefits = [{"name": None, "description": text} for text in ("You hum.", "You jmup.")]
    draft = Draft("srd", ("srd/red-book/hopper",), "feat", "red-book", "Hopper")
    entity, problems = Entity([draft], "red-book", {"benefits": benefits}, slug="hopper"), Problems()
    entry = Correction("feat/red-book/hopper", "benefits[2].description", "jump", "jmup", ("srd",), "a letter lost")
    correct([entity], [entry], problems)
    assert [benefit["description"] for benefit in entity.facts["benefits"]] == ["You hum.", "You jump."]
    assert not problems.entries


def test_wrong_words_of_a_long_text_can_be_corrected() -> None:
    draft = Draft("srd", ("srd/red-book/bog-imp",), "creature", "red-book", "Bog Imp")
    entity, problems = Entity([draft], "red-book", {"description": "It hops all- night."}, slug="bog-imp"), Problems()
    correct([entity], [Correction(ID, "description", "all night", "all- night", ("srd",), "a torn word")], problems)
    assert entity.facts["description"] == "It hops all night."
    assert not problems.entries
    correct([entity], [Correction(ID, "description", "all night", "all- night", ("srd",), "a torn word")], problems)
    assert "remove the entry" in problems.entries[0]["reason"]


TOLLS = "| Bridge | Toll |\n|---|---|\n| Old | 5 gp |\n"


def bridges() -> list[Entity]:
    """A table of tolls, the rule above that repeats it, and the chapter, which does not."""
    found: list[Entity] = []
    for name, text in (("Travel", "By road."), ("Bridges", f"Who crosses pays.\n\n{TOLLS}"), ("Tolls", TOLLS)):
        parent = {"id": found[-1].id} if found else None
        rows = [["Old", "5 gp"]] if TOLLS in text else []
        tables = [{"title": None, "columns": ["Bridge", "Toll"], "rows": rows}] if rows else None
        facts = {"description": text, "parent": parent, "tables": tables}
        draft = Draft("srd", (f"srd/red-book/{name}",), "rule", "red-book", name)
        found.append(Entity([draft], "red-book", facts, slug=name.lower()))
    return found


def test_corrected_words_are_corrected_in_repeating_rules_and_tables() -> None:
    chapter, above, table = rules = bridges()
    problems = Problems()
    slip = Correction("rule/red-book/tolls", "description", "| Old | 5 sp |", "| Old | 5 gp |", ("srd",), "the text")
    correct(rules, [slip], problems)
    assert problems.entries == []
    for rule in (above, table):
        assert "| Old | 5 sp |" in rule.facts["description"]
        assert rule.facts["tables"][0]["rows"] == [["Old", "5 sp"]]
        assert rule.corrected == {"description", "tables"}
    assert (chapter.facts["description"], chapter.corrected) == ("By road.", set())


def test_rules_in_a_cycle_are_corrected_once() -> None:
    chapter, above, table = rules = bridges()
    chapter.facts["parent"] = {"id": table.id}
    slip = Correction("rule/red-book/tolls", "description", "| Old | 5 sp |", "| Old | 5 gp |", ("srd",), "the text")
    problems = Problems()
    correct(rules, [slip], problems)
    assert problems.entries == []
    assert "| Old | 5 sp |" in above.facts["description"]
