"""Invented books of a few pages, as source `srd` has them in the raw layer."""

from __future__ import annotations

from books import section_data

from build_pipeline.snapshot.raw import RawLayer, RawObject
from build_pipeline.snapshot.web.sections import split_sections
from server.dataset.names import slugify
from server.dataset.strict_json import dump_json

FEN_TROLL = """\
### Fen Troll

*Large Giant, Chaotic Evil*

**AC** 14

**HP** 59 (7d10 + 21)

**Speed** 40 ft.

**Initiative** +1 (11)

|  |  | MOD | SAVE |
| --- | --- | --- | --- |
| Str | 19 | +4 | +4 |
| Dex | 13 | +1 | +1 |
| Con | 16 | +3 | +3 |
| Int | 5 | −3 | −3 |
| Wis | 7 | −2 | −2 |
| Cha | 7 | −2 | −2 |

**Skills** Stealth +3

**Senses** Darkvision 60 ft.; Passive Perception 8

**Languages** Giant

**CR** 3 (XP 700; PB +2)

#### Actions

***Rake.*** *Melee Attack Roll:* +6, reach 10 ft. *Hit:* 13 (2d8 + 4) Slashing damage.
"""
"""A stat block in the layout of the 2024 rules."""


def book(**pages: str) -> RawLayer:
    """The raw layer of books: endpoint with underscores (`srd_2024`) → its text; a form feed (`\\f`) ends a file."""
    raw = RawLayer()
    for name, text in pages.items():
        endpoint, order = name.replace("_", "-"), 0
        for number, page in enumerate(text.split("\f")):
            for section in split_sections(page):
                order += 1
                data = section_data(section, f"{number}.md", order)
                key = "/".join(slugify(title) for title in (*section.path, section.title))
                raw.add(RawObject("srd", endpoint, f"{number}/{key}/{order}", "", "", dump_json(data)))
    return raw
