"""Texts never become markup: elements escape them, and sheets keep only their own formatting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reader import Markup

from server.dataset.passages import sentences_of
from server.library.library import Library
from server.pages.anchors import anchor_of, anchor_of_hit
from server.pages.html import Html, element, markup
from server.pages.sheet_html import line_html, sheet_html
from server.sheets.sheet import render

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "[click](javascript:alert(1))",
    "[click](https://evil.example)",
    "![picture](https://evil.example/track.png)",
    "<https://evil.example>",
    "[click][1]\n\n[1]: https://evil.example",
    "    <script>alert(1)</script>",
    "```\n<script>alert(1)</script>\n```",
    "<div style='position:fixed'>over</div>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    '| a | b |\n|:-:|--:|\n| <b onclick=x>1</b> | "2" |',
]
OF_SHEETS = {
    *(f"h{level}" for level in range(1, 7)),
    *("p", "strong", "em", "br", "hr", "ul", "ol", "li", "blockquote", "div", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
"""The elements that a sheet may have."""
OF_ELEMENTS = {"id", "class", "scope", "href", "role", "tabindex", "aria-label", "start"}
"""The attributes that they may have."""


def assert_harmless(page: str) -> None:
    for tag, attributes in Markup(page).elements:
        assert tag in OF_SHEETS, page
        assert attributes.keys() <= OF_ELEMENTS, page
        assert attributes.get("href", "/here") == "/here", page


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_add_no_elements_links_or_pictures(text: str):
    sheet = f"## {text.splitlines()[0]}\n\n{text}\n\n***Trait.*** {text}"
    assert_harmless(sheet_html(sheet, {"click": "/here", "over": "/here"}))
    assert_harmless(line_html(text.splitlines()[0]))


@given(st.text(alphabet=st.sampled_from("<>\"'&[]()!*_`|#-:\\ \nab/\x00\u202e"), max_size=80))
def test_no_text_at_all_adds_elements(text: str):
    assert_harmless(sheet_html(text, {"ab": "/here", "a": "/here"}))


@given(st.text(), st.text())
def test_any_text_and_attribute_are_escaped(text: str, value: str):
    made = Markup(element("p", text, title=value))
    assert made.elements == [("p", {"title": value.replace("\r\n", "\n").replace("\r", "\n")})] or "\r" in value
    assert len(made.elements) == 1


def test_elements_nest_and_omit_false_and_none():
    made = element("label", element("input", name="q", class_="box", checked=True, list=None), None, ["&", "<"])
    assert made == '<label><input name="q" class="box" checked>&amp;&lt;</label>'
    assert markup("a", Html("<br>"), ["b"]) == "a<br>b"


def test_invisible_and_bidirectional_characters_are_shown():
    assert element("p", "gold\u202enip\x1b") == "<p>gold\\u202enip\\x1b</p>"


def test_a_name_is_linked_once_per_section_and_not_inside_words():
    sheet = "## Bite of Fire\n\nfire, Fire and Firefly\n\n### Fire\n\n**Fire** or camp-fire"
    found = sheet_html(sheet, {"Fire": "/f", "Firefly": "/ff"})
    assert found == (
        '<h1 id="bite-of-fire">Bite of Fire</h1>\n<p><a href="/f">fire</a>, Fire and <a href="/ff">Firefly</a></p>\n'
        '<h2 id="fire">Fire</h2>\n<p><strong><a href="/f">Fire</a></strong> or camp-fire</p>\n'
    )


def test_headings_skip_no_level_and_parts_have_anchors():
    found = Markup(sheet_html("## A\n\n#### B\n\n##### C\n\n***Bite.*** It bites.\n\n### D\n\n***Bite.*** Again.", {}))
    assert [(tag, attributes.get("id")) for tag, attributes in found.elements if tag[0] in "hp"] == [
        ("h1", "a"),
        ("h2", "b"),
        ("h3", "c"),
        ("p", "bite"),
        ("h2", "d"),
        ("p", None),
    ]


def test_additions_to_a_printed_name_do_not_change_its_anchor():
    sheet = "## A\n\n**Speed** 30 ft.  \n**Feat:** Alert\n\n***Speed (Recharge 5–6).*** Runs.\n\n#### Level 3: Luck"
    found = [
        (tag, attributes["id"]) for tag, attributes in Markup(sheet_html(sheet, {})).elements if "id" in attributes
    ]
    assert found == [("h1", "a"), ("strong", "feat"), ("p", "speed"), ("h2", "luck")]
    assert [anchor_of(name) for name in ("Luck", "Speed", "(A)", "***")] == ["luck", "speed", "a", ""]


def test_every_part_that_a_hit_can_name_has_an_anchor(library: Library):
    seen = 0
    for book in library.list_documents()["results"]:
        for entity_type in book["entity_types"]:
            for slug in library.slugs(entity_type, book["document_key"]):
                record = library.entity(f"{entity_type}/{book['document_key']}/{slug}")
                parts = {sentence.part for sentence in sentences_of(record) if sentence.part}
                ids = [each.get("id") for _, each in Markup(sheet_html(render(record), {})).elements] if parts else []
                assert {anchor_of(part) for part in parts} <= {*ids}, record["id"]
                seen += len(parts)
    assert seen > 500


def test_tables_scroll_separately_and_have_a_name_and_no_style():
    (box,) = Markup(found := sheet_html("| Pace | Miles |\n|:-:|--:|\n| Fast | 4 |", {})).all("div")
    assert box == {"class": "table", "role": "group", "tabindex": "0", "aria-label": "Table: Pace, Miles"}
    assert '<th class="center" scope="col">Pace</th>' in found
    assert '<td class="right">4</td>' in found


@pytest.mark.parametrize(
    ("part", "anchor"),
    [("Fire Breath (Recharge 5-6)", "fire-breath"), ("Speed", "speed"), ("speed", ""), ("proficiencies.armor", ""),
     ("damage_dice, damage_types", ""), ("Level 5", ""), ("Progression", ""), ("Legendary actions", "")],
)  # fmt: skip
def test_hits_link_only_to_parts_that_sheets_print_as_one(part: str, anchor: str):
    assert anchor_of_hit(part) == anchor
