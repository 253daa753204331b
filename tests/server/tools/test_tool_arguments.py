"""Arguments: what is understood, and how the rest is refused."""

import math
import re

import pytest

from server.library.library import Library
from server.library.request import RequestError
from server.tools.registry import TOOLS, tool_named

FINDERS = [tool.name for tool in TOOLS if tool.name not in ("list_documents", "query")]


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
def test_whole_numbers(given):
    level = read("search_spell", level=given)["level"]
    assert level == 3
    assert type(level) is int


@pytest.mark.parametrize(
    "given", [True, False, 10, -1, 2.5, "2.5", "three", "", [], {}, math.nan, math.inf, "1e1", "1_0"]
)
def test_what_is_no_level(given):
    assert "0 to 9" in refusal("search_spell", level=given)


@pytest.mark.parametrize(
    ("given", "rating"),
    [("1/8", 0.125), (" 1 / 4 ", 0.25), ("1/2", 0.5), (0.5, 0.5), ("10", 10.0), (0, 0.0), ("0", 0.0)],
)
def test_challenge_ratings(given, rating):
    assert read("search_creature", cr=given)["cr"] == rating


@pytest.mark.parametrize("given", [0.3, "1/3", "1/0", 31, True, "dragon", [1], "-1"])
def test_what_is_no_challenge_rating(given):
    assert "1/8, 1/4, 1/2" in refusal("search_creature", cr=given)


def test_a_bound_may_lie_between_challenge_ratings():
    assert read("search_creature", cr_min=1.5)["cr_min"] == 1.5


@pytest.mark.parametrize("given", ["true", "yes", 1, 0, []])
def test_only_booleans_are_booleans(given):
    assert "true, false" in refusal("search_spell", ritual=given)


@pytest.mark.parametrize(
    ("given", "meaning"), [(True, True), ("Yes", True), ("no", False), (False, False), (" a wizard ", "a wizard")]
)
def test_attunement(given, meaning):
    assert read("search_equipment", requires_attunement=given)["requires_attunement"] == meaning


@pytest.mark.parametrize("given", ["Magic Item", "magic_item", " MAGIC-ITEM "])
def test_tokens_in_any_spelling(given):
    assert read("lookup_equipment", type=given)["type"] == "magic-item"


@pytest.mark.parametrize("given", ["MagicItem", "magic-item", "magic item"])
def test_content_types_in_any_spelling(tiny_library: Library, given):
    answer = tool_named("search_all").call(tiny_library, {"query": "", "content_types": [given]})
    assert {record["entity_type"] for record in answer["results"]} == {"magic-item"}


def test_near_spellings_are_offered():
    assert 'Did you mean "weapon"?' in refusal("lookup_equipment", type="weapn")
    assert 'Did you mean "level"?' in refusal("search_spell", lvl=3)


def test_an_unknown_content_type_is_refused_with_all_there_are(tiny_library: Library):
    with pytest.raises(RequestError, match=r'^content_types cannot be "spel"\. Did you mean "Spell"\? .*MagicItem'):
        tool_named("search_all").call(tiny_library, {"query": "", "content_types": ["spel"]})


def test_a_number_without_upper_bound_says_so():
    assert refusal("search_spell", offset=-1).endswith("a whole number, 0 or more.")
    assert refusal("search_equipment", cost_min="cheap").endswith("a number, 0 or more.")


@pytest.mark.parametrize("given", [5, True, ["beast"], {}])
def test_what_is_no_text_in_a_closed_set_is_refused_with_the_set(tiny_library: Library, given):
    with pytest.raises(RequestError, match=r"^type cannot be .* Valid values: .*dragon"):
        tool_named("search_creature").call(tiny_library, {"type": given})


def test_a_string_is_no_list():
    assert 'Write ["srd-5e"].' in refusal("search_spell", documents="srd-5e")
    assert "a list of strings" in refusal("search_spell", documents=["srd-5e", 5])
    assert "a list of strings" in refusal("search_spell", documents={"srd-5e": 1})


def test_null_is_as_good_as_absent():
    assert read("search_spell", level=None, documents=None, limit=None) == read("search_spell")
    assert read("search_spell") == {"limit": 20, "offset": 0, "detail": "full"}
    assert read("lookup_equipment")["type"] == "all"


def test_required_parameters():
    assert "class, race, background, feat" in refusal("lookup_character_option", name="x")
    assert "damage-type" in refusal("search_rule", rule_type=None)
    assert "query is required" in refusal("search_all")
    assert read("search_all", query="")["query"] == ""


@pytest.mark.parametrize("tool", FINDERS)
@pytest.mark.parametrize(
    "retired", ["document", "document_keys", "semantic_query", "item_type", "option_type", "challenge_rating"]
)
def test_retired_parameters_name_their_replacement(tool, retired):
    message = _unknown(tool, retired)
    successor = {
        "document": "documents",
        "document_keys": "documents",
        "semantic_query": "query" if "query" in message.split("takes:")[1] else "search",
        "item_type": "type",
        "option_type": "type",
        "challenge_rating": "cr",
    }[retired]
    assert re.search(rf"(Use|is now|parameter) {successor}\b", message)


def _unknown(tool, parameter):
    return refusal(tool, **{parameter: "x"})


@pytest.mark.parametrize("tool", FINDERS)
def test_names_are_looked_up_and_ideas_are_searched(tool):
    if tool.startswith("lookup"):
        assert tool.replace("lookup", "search") in _unknown(tool, "search")
    elif tool in ("search_all", "search_dnd_content"):
        assert "lookup_*" in _unknown(tool, "name")
        assert "Use query instead" in _unknown(tool, "search")
    else:
        assert tool.replace("search", "lookup") in _unknown(tool, "name")


@pytest.mark.parametrize(
    "given",
    [10**5000, "9" * 5000, ["x"] * 5000, [[[[[[]]]]]], "a\nb\u2028c", "\ud800"],
    ids=["huge number", "many digits", "long list", "deep list", "lines", "half a character"],
)
def test_whatever_came_is_quoted_on_one_short_line(given):
    message = refusal("search_spell", level=given)
    assert len(message.splitlines()) == 1
    assert len(message) < 300
    message.encode()


def test_text_that_is_no_unicode_is_refused():
    assert "Unicode" in refusal("lookup_spell", name="\ud800")
