"""Arguments: what is accepted, and how the rest is refused."""

import math
import re

import pytest

from server.library.library import Library
from server.library.requests.kinds import KINDS
from server.library.requests.request import RequestError
from server.tools.argument_names import understand
from server.tools.registry import TOOLS, tool_named

FINDERS = [tool.name for tool in TOOLS if tool.answers is None and tool.name != "list_documents"]


def read(tool, **arguments):
    return tool_named(tool).read(arguments)


def refusal(tool, **arguments):
    with pytest.raises(RequestError) as caught:
        read(tool, **arguments)
    message = str(caught.value)
    assert "\n" not in message
    assert caught.value.parameter in message
    return message


@pytest.mark.parametrize("given", [3, "3", " 3 ", 3.0, "3.0"])
def test_whole_numbers_are_read(given):
    level = read("search_spell", level=given)["level"]
    assert level == 3
    assert type(level) is int


@pytest.mark.parametrize(
    "given", [True, False, 10, -1, 2.5, "2.5", "three", "", [], {}, math.nan, math.inf, "1e1", "1_0"]
)
def test_an_invalid_level_is_refused(given):
    assert "0 to 9" in refusal("search_spell", level=given)


@pytest.mark.parametrize(
    ("given", "rating"),
    [("1/8", 0.125), (" 1 / 4 ", 0.25), ("1/2", 0.5), (0.5, 0.5), ("10", 10.0), (0, 0.0), ("0", 0.0)],
)
def test_challenge_ratings_are_read(given, rating):
    assert read("search_creature", cr=given)["cr"] == rating


@pytest.mark.parametrize("given", [0.3, "1/3", "1/0", 31, True, "dragon", [1], "-1"])
def test_an_invalid_challenge_rating_is_refused(given):
    assert "1/8, 1/4, 1/2" in refusal("search_creature", cr=given)


def test_a_bound_may_lie_between_challenge_ratings():
    assert read("search_creature", cr_min=1.5)["cr_min"] == 1.5


@pytest.mark.parametrize(
    ("given", "meaning"),
    [(True, True), ("true", True), (" Yes", True), (False, False), ("False", False), ("no", False)],
)
def test_yes_and_no_are_read(given, meaning):
    assert read("search_spell", concentration=given)["concentration"] is meaning


@pytest.mark.parametrize("given", ["maybe", "", "1", 1, 0, []])
def test_an_invalid_boolean_is_refused(given):
    assert "true, false" in refusal("search_spell", ritual=given)


@pytest.mark.parametrize(
    ("given", "meaning"),
    [
        (True, True),
        ("Yes", True),
        ("no", False),
        (False, False),
        (" a wizard ", "a wizard"),
        ("Requires attunement by a wizard", "wizard"),
        ("requires attunement", True),
    ],
)
def test_attunement_is_read(given, meaning):
    assert read("search_equipment", requires_attunement=given)["requires_attunement"] == meaning


@pytest.mark.parametrize("given", ["Magic Item", "magic_item", " MAGIC-ITEM "])
def test_values_are_read_in_any_spelling(given):
    assert read("lookup_equipment", type=given)["type"] == "magic-item"


@pytest.mark.parametrize("given", ["MagicItem", "magic-item", "magic item"])
def test_content_types_are_read_in_any_spelling(tiny_library: Library, given):
    answer = tool_named("search_all").call(tiny_library, {"query": "", "content_types": [given]})
    assert {record["entity_type"] for record in answer["results"]} == {"magic-item"}


def test_similar_spellings_are_suggested():
    assert 'Did you mean "weapon"?' in refusal("lookup_equipment", type="weapn")
    assert 'Did you mean "level"?' in refusal("search_spell", lvl=3)


@pytest.mark.parametrize(
    ("tool", "given", "meant"),
    [
        ("search_creature", "hp_min", "hit_points_min"),
        ("search_creature", "ac_min", "armor_class_min"),
        ("search_creature", "max_cr", "cr_max"),
        ("search_creature", "speed", "movement"),
        ("search_creature", "habitat", "environment"),
        ("search_spell", "conditions", "inflicts"),
        ("search_spell", "save", "forces_saves"),
        ("search_spell", "max_level", "level_max"),
        ("search_spell", "edition", "documents"),
        ("search_equipment", "category", "type"),
        ("search_equipment", "max_cost", "cost_max"),
        ("search_rule", "chapter", "section"),
        ("search_character_option", "class", "subclass_of"),
        ("level_up", "to_level", "level"),
    ],
)
def test_synonyms_of_a_parameter_precede_similar_spellings(tool, given, meant):
    assert f'Did you mean "{meant}"?' in refusal(tool, **{given: "x"})


def test_synonyms_of_values_are_understood(tiny_library: Library):
    assert 'Did you mean "race"?' in refusal("lookup_character_option", type="species")
    answer = tool_named("lookup_creature").call(tiny_library, {"forces_saves": "dex"})
    assert 'Did you mean "dexterity"?' in answer["message"]


@pytest.mark.parametrize(
    ("given", "search"),
    [
        ("potion", 'search_equipment(search="potion", type="magic-item")'),
        ("Wondrous_Items", 'search_equipment(search="wondrous item", type="magic-item")'),
        ("wondrous", 'search_equipment(search="wondrous item", type="magic-item")'),
        ("shields", 'search_equipment(search="shield", type="armor")'),
    ],
)
def test_an_item_category_as_type_is_refused_with_a_search(given, search):
    assert f"That is finer than type: use {search}. Valid values: weapon," in refusal("lookup_equipment", type=given)


@pytest.mark.parametrize(
    ("given", "feat_type"),
    [("invocation", "invocation"), ("Eldritch Invocations", "invocation"), ("fighting styles", "fighting style")],
)
def test_a_type_of_feats_given_as_a_type_is_answered_with_the_search(given: str, feat_type: str) -> None:
    search = f'search_character_option(type="feat", feat_type="{feat_type}")'
    said = refusal("lookup_character_option", type=given)
    assert f"That is finer than type: use {search}. Valid values: class, race, background, feat." in said


def test_a_range_of_challenge_ratings_is_answered_with_its_bounds() -> None:
    assert 'For a range: cr_min="1/4", cr_max="4". Valid values: 0,' in refusal("search_creature", cr="1/4 - 4")
    assert "For a range" not in refusal("search_creature", cr_min="1/4 - 4")


@pytest.mark.parametrize("given", ["devil", "Devils"])
def test_a_subtype_as_type_is_refused_with_a_search(library: Library, given):
    said = f'use search_creature(search="{given}", type="fiend"). Valid values: '
    with pytest.raises(RequestError, match=re.escape(said)):
        tool_named("lookup_creature").call(library, {"type": given})


def test_an_unknown_content_type_is_refused_with_the_valid_ones(tiny_library: Library):
    with pytest.raises(RequestError, match=r'^content_types cannot be "spel"\. Did you mean "Spell"\? .*MagicItem'):
        tool_named("search_all").call(tiny_library, {"query": "", "content_types": ["spel"]})


@pytest.mark.parametrize("given", [-1, 2_000_000_000, 10**12, 1e10, "9" * 12])
def test_numbers_named_as_valid_are_accepted(given):
    assert refusal("search_spell", offset=given).endswith("a whole number from 0 to 1,000,000,000.")
    assert read("search_spell", offset=1_000_000_000)["offset"] == 1_000_000_000
    assert refusal("search_equipment", cost_min=given).endswith("a number from 0 to 1,000,000,000.")


@pytest.mark.parametrize("given", [5, True, ["beast"], {}])
def test_a_value_that_is_not_text_is_refused_with_the_valid_ones(tiny_library: Library, given):
    with pytest.raises(RequestError, match=r"^type cannot be .* Valid values: .*dragon"):
        tool_named("search_creature").call(tiny_library, {"type": given})


@pytest.mark.parametrize("given", ["srd-5e", '["srd-5e"]'])
def test_a_string_is_accepted_as_a_list(tiny_library: Library, given):
    assert read("search_spell", documents=given)["documents"] == ("srd-5e",)
    answer = tool_named("search_spell").call(tiny_library, {"documents": given})
    assert answer["message"].endswith('as ["srd-5e"].')


def test_an_invalid_list_of_strings_is_refused():
    assert "a list of strings" in refusal("search_spell", documents=["srd-5e", 5])
    assert "a list of strings" in refusal("search_spell", documents={"srd-5e": 1})


def test_names_to_look_up_are_read():
    assert read("lookup_spell", name="fireball")["name"] == "fireball"
    assert read("lookup_spell", name=[" fireball", "shield"])["name"] == ("fireball", "shield")
    assert "up to 20 names" in refusal("lookup_spell", name=["x"] * 21)
    assert "up to 20 names" in refusal("lookup_spell", name=5)
    assert "a list of strings" in refusal("lookup_spell", name=["x", 5])


@pytest.mark.parametrize("given", [[], [""], ["", " ", "\u0301"]])
def test_an_empty_list_of_names_is_not_all(given):
    assert refusal("lookup_creature", name=given) == "name is a list without a name: leave it out for all of them."
    assert read("lookup_creature", name=["", "wolf"])["name"] == ("", "wolf")


def test_null_counts_as_absent():
    assert read("search_spell", level=None, documents=None, limit=None) == read("search_spell")
    assert read("search_spell") == {"limit": 20, "offset": 0, "detail": "full"}
    assert read("lookup_equipment")["type"] == "all"


def test_required_parameters_are_named():
    assert "query is required" in refusal("search_all")
    assert "sql is required" in refusal("query")
    assert read("search_all", query="")["query"] == ""


def test_without_a_type_all_types_are_searched(tiny_library: Library):
    answer = tool_named("lookup_character_option").call(tiny_library, {"name": "acolyte"})
    assert [record["entity_type"] for record in answer["results"]] == ["background"]
    assert answer["message"] == "type was not given, so all were searched."
    answer = tool_named("lookup_rule").call(tiny_library, {"name": "grappled", "rule_type": None})
    assert answer["results"][0]["entity_type"] == "condition"
    assert answer["message"].startswith("rule_type was not given")
    of_combat = tool_named("search_rule").call(tiny_library, {"section": "combat"})
    assert {record["name"] for record in of_combat["results"]} == {"Cover", "Opportunity Attacks"}


@pytest.mark.parametrize(
    ("tool", "other", "published"),
    [
        *((tool, name, "documents") for tool in FINDERS for name in ("document", "document_keys")),
        *((f"search_{family}", name, "search") for family in KINDS for name in ("query", "q", "question", "text")),
        *((f"search_{family}", "semantic_query", "search") for family in KINDS),
        *((f"lookup_{family}", name, "name") for family in KINDS for name in ("search", "query")),
        *((tool, name, "query") for tool in ("search_all", "search_dnd_content") for name in ("search", "question")),
        ("query", "query", "sql"),
        ("search_equipment", "item_type", "type"),
        ("lookup_character_option", "option_type", "type"),
        ("search_rule", "type", "rule_type"),
        ("search_creature", "challenge_rating", "cr"),
        ("search_spell", "class", "class_key"),
        ("spell_list", "class_name", "class_key"),
        ("roll_table", "dice", "table"),
    ],
)
def test_unambiguous_synonyms_of_parameters_are_understood(tool, other, published):
    values = {"documents": ["srd"], "type": "class" if "character" in tool else "weapon", "rule_type": "skill", "cr": 5}
    value = values.get(published, "SELECT 1")
    understood = understand(tool, tool_named(tool).parameters, {other: value})
    assert understood.arguments == {published: value}
    assert any(note.startswith(f"Read {other} as {published}") for note in understood.notes)
    text = {"query": ""} if tool in ("search_all", "search_dnd_content") and published != "query" else {}
    assert published in read(tool, **{other: value}, **text)


def test_a_list_under_another_name_is_mentioned_once():
    understood = understand("search_spell", tool_named("search_spell").parameters, {"document": "srd-2014"})
    assert understood.arguments == {"documents": ["srd-2014"]}
    assert understood.notes == ('Read document "srd-2014" as documents ["srd-2014"].',)


@pytest.mark.parametrize("written", ["3, 3,2", "[3, 3, 2]"])
def test_a_list_of_numbers_needs_no_brackets(written: str):
    party = read("evaluate_encounter", levels=written, creatures="9 stirge, red")
    assert party["party"] == (3, 3, 2)
    assert len(party["monsters"]) == 1


@pytest.mark.parametrize("retired", ["enable_fuzzy", "semantic", "part"])
def test_an_obsolete_parameter_is_ignored_and_mentioned(tiny_library: Library, retired):
    answer = tool_named("search_spell").call(tiny_library, {retired: True, "search": "fire"})
    assert answer["message"].startswith(f"{retired} is not needed")


def test_an_ambiguous_parameter_is_refused():
    assert "Give only one of search, query" in refusal("search_spell", search="a", query="b")
    assert "Give only one of q, text" in refusal("search_spell", q="a", text="b")
    assert "Unknown parameter" in refusal("search_spell", challenge_rating=5)
    assert "Unknown parameter" in refusal("lookup_spell", text="fireball")


@pytest.mark.parametrize("tool", FINDERS)
def test_names_are_looked_up_and_descriptions_searched(tiny_library: Library, tool):
    given = "search" if tool.startswith("lookup") else "name"
    message = tool_named(tool).call(tiny_library, {given: "fire"})["message"]
    if tool in ("search_all", "search_dnd_content"):
        assert "lookup_*" in message
    else:
        assert (
            tool.replace("lookup", "s e a r c h").replace("search", "lookup").replace("s e a r c h", "search")
            in message
        )


@pytest.mark.parametrize(
    "given",
    [10**5000, "9" * 5000, ["x"] * 5000, [[[[[[]]]]]], "a\nb\u2028c", "\ud800"],
    ids=["huge number", "many digits", "long list", "deep list", "lines", "half a character"],
)
def test_arguments_are_quoted_on_one_short_line(given):
    message = refusal("search_spell", level=given)
    assert len(message.splitlines()) == 1
    assert len(message) < 300
    message.encode()


def test_invalid_unicode_is_refused():
    assert "Unicode" in refusal("lookup_spell", name="\ud800")


@pytest.mark.parametrize(
    ("tool", "arguments", "bound"),
    [
        ("search_spell", {"search": "x" * 2_001}, "2,000 characters"),
        ("lookup_spell", {"name": "*a" * 101}, "200 characters"),
        ("lookup_spell", {"name": ["fireball", "x" * 201]}, "200 characters"),
        ("search_spell", {"documents": ["srd-5e"] * 101}, "100 entries"),
        ("search_spell", {"documents": ["x" * 201]}, "200 characters"),
        ("search_spell", {"class_key": "x" * 4_000_000}, "200 characters"),
        ("search_spell", {"school": "x" * 4_000_000}, "200 characters"),
        ("search_equipment", {"requires_attunement": "x" * 1_000_000}, "200 characters"),
        ("query", {"sql": " " * 10_001}, "10,000 characters"),
    ],
)
def test_excessive_arguments_are_refused(tool, arguments, bound):
    message = refusal(tool, **arguments)
    assert bound in message
    assert len(message) < 400
