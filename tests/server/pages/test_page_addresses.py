"""Addresses of searches: one for each search, which names what was asked for."""

import re
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.library.requests.request import RequestError
from server.pages.asked import Asked
from server.pages.sections import SECTIONS, section_of

NAMES = sorted({"q", "in", "offset", *(p.name for section in SECTIONS for p in section.fields)})
WRITTEN = st.lists(
    st.tuples(st.sampled_from([*NAMES, "utm"]), st.text(max_size=8) | st.sampled_from([s.key for s in SECTIONS]))
)


@given(WRITTEN)
def test_the_shortest_address_gives_the_same_search(items: list[tuple[str, str]]):
    asked = Asked.read(items)
    again = Asked.read(parse_qsl(asked.address.partition("?")[2], keep_blank_values=True))
    assert again == asked
    assert again.items == parse_qsl(asked.address.partition("?")[2], keep_blank_values=True)


def test_empty_fields_are_dropped_and_the_pressed_button_sets_the_section():
    asked = Asked.read(
        [("q", " fire "), ("in", "creature"), ("in", "spell"), ("level", ""), ("cr", "3"), ("offset", "0")]
    )
    assert asked.address == "/?q=fire&in=spell"


def test_the_last_value_of_a_field_counts_and_documents_add_up():
    asked = Asked.read([("in", "spell"), ("level", "3"), ("level", "4"), ("documents", "a"), ("documents", "b")])
    assert asked.given == {"level": ("4",), "documents": ("a", "b")}


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ([("q", "fire"), ("in", "spells")], 'in cannot be "spells". Did you mean "spell"?'),
        ([("in", "spell"), ("class", "wizard")], 'there is no filter "class". Did you mean "class_key"?'),
        ([("in", "spell"), ("cr", "5")], 'Spells: there is no filter "cr".'),
        ([("q", "fireball"), ("edition", "2024")], "An address has q, in, "),
        ([("q", "fireball"), ("page", "2")], 'there is no filter "page"'),
    ],
)
def test_unknown_fields_stay_in_the_address_and_are_refused(items: list[tuple[str, str]], said: str):
    asked = Asked.read(items)
    assert asked.items == items
    with pytest.raises(RequestError, match=re.escape(said)):
        asked.check()


def test_fields_become_the_tools_arguments():
    asked = Asked.read([("in", "spell"), ("q", "fire"), ("ritual", "true"), ("level", "3"), ("documents", "2024")])
    values = section_of("spell").tool.read(asked.arguments)
    assert {name: values[name] for name in ("search", "ritual", "level", "documents", "detail")} == {
        "search": "fire",
        "ritual": True,
        "level": 3,
        "documents": ("2024",),
        "detail": "summary",
    }


@pytest.mark.parametrize("key", ["", "all", "nonsense"])
def test_an_unknown_section_searches_everything(key: str):
    assert section_of(key) is SECTIONS[0]
