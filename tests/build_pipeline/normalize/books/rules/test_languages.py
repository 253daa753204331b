"""Languages from tables of invented books."""

from __future__ import annotations

from books import book_layer

from build_pipeline.normalize.books.rules.languages import language_drafts
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.snapshot.raw import RawLayer

OLD = """
# Beyond 1st Level

## Languages

Choose from the tables.

<table>
<caption>Standard Languages</caption>
<thead><tr><th>Language</th><th>Typical Speakers</th><th>Script</th></tr></thead>
<tbody><tr><td>Gullish</td><td>Gulls, terns</td><td>Runes</td></tr></tbody>
</table>

<table>
<caption>Exotic Languages</caption>
<thead><tr><th>Language</th><th>Typical Speakers</th><th>Script</th></tr></thead>
<tbody><tr><td>Deep Hum</td><td>Whales</td><td>—</td></tr></tbody>
</table>
"""
NEW = r"""
# Character Creation

## Step 2: Character Origin

### Choose Languages

Three of them.

#### Standard Languages

| 1d12 | Language |
|---|---|
| — | Gullish |
| 1–2 | Ternish |

#### Rare Languages

| Language | Language |
|---|---|
| Fog\* | Mud |
| Whalesong | |

\*Fog is silent.
"""


def read(raw: RawLayer) -> tuple[dict[str, Draft], Problems]:
    problems = Problems()
    return {draft.name: draft for draft in language_drafts(raw, problems)}, problems


def test_tables_of_2014_have_speakers_and_script() -> None:
    found, problems = read(book_layer("srd-2014", OLD))
    assert not problems.entries
    gullish, hum = found["Gullish"].facts, found["Deep Hum"].facts
    assert (gullish["category"], gullish["speakers"], gullish["script"]) == ("standard", "gulls and terns", "runes")
    assert (hum["category"], hum["speakers"], hum["script"]) == ("exotic", "whales", None)
    assert gullish["headings"] == ["beyond 1st level", "languages", "standard languages"]
    assert (gullish["parent"].name, gullish["section"]) == ("Standard Languages", "Beyond 1st Level")


def test_tables_of_2024_may_have_two_columns_and_notes() -> None:
    found, _ = read(book_layer("srd-2024", NEW))
    assert {name: draft.facts["category"] for name, draft in found.items()} == {
        "Gullish": "standard",
        "Ternish": "standard",
        "Fog": "rare",
        "Mud": "rare",
        "Whalesong": "rare",
    }
    assert found["Fog"].facts["parent"].raw == found["Fog"].raw[0]


def test_a_section_without_its_table_is_named() -> None:
    found, problems = read(book_layer("srd-2014", "# Beyond 1st Level\n\n## Languages\n\nNone are left.\n"))
    assert not found
    assert "has no table of languages" in problems.entries[0]["reason"]
