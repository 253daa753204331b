"""Six questions to a LoreKeeper server, asked over stdio as any MCP client asks them.

python docs/demo.py lorekeeper serve --dataset DIR
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import textwrap
from typing import Any, Final

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

HEADING: Final = re.compile(r"^#+ (.+)$", re.MULTILINE)
QUESTIONS: Final[list[tuple[str, str, dict[str, Any]]]] = [
    ("Which books are on the shelf?", "list_documents", {}),
    ("Read me Fireball, as each book has it.", "lookup_spell", {"name": "fireball"}),
    ("What protects me from fire?", "search_spell", {"search": "protect from fire", "limit": 3}),
    (
        "The party is level 5 and deep in a crypt: which undead drain life?",
        "search_creature",
        {"search": "undead that drain life", "type": "undead", "cr_max": 6, "limit": 3},
    ),
    (
        "A light, cheap weapon that a rogue can use?",
        "search_equipment",
        {"type": "weapon", "is_finesse": True, "cost_max": 10, "documents": ["srd-5e"]},
    ),
    (
        "What happens when I leave an enemy's reach?",
        "search_rule",
        {"search": "leaving an enemy's reach", "rule_type": "rule", "limit": 2},
    ),
]

_FACTS: Final = {
    "sources": "from {}",
    "level": "level {}",
    "school": "{}",
    "casting_time": "{}",
    "challenge_rating_text": "CR {}",
    "type": "{}",
    "armor_class": "AC {}",
    "hit_points": "{} hit points",
    "damage_dice": "{}",
    "damage_type": "{} damage",
    "damage_types": "{} damage",
    "cost_gp": "{:g} gp",
    "section": "chapter {}",
    "similarity_score": "score {:.2f}",
}
"""What a card shows beside the name and the text, in this order."""


def card(record: dict[str, Any]) -> str:
    """A record as a person would like to read it."""
    title = f"{record.get('name') or record.get('document_name')}  ({record['document_key']})"
    facts = ", ".join(
        told.format(", ".join(value) if isinstance(value, list) else value)
        for name, told in _FACTS.items()
        if (value := record.get(name)) not in (None, [])
    )
    prose = HEADING.sub(r"\1:", record.get("description") or "")
    text = textwrap.shorten(prose, 300, placeholder=" …")
    lines = textwrap.wrap(facts, 96) + textwrap.wrap(text, 96)
    return "\n".join([f"  • {title}", *(f"      {line}" for line in lines)])


def books(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of `list_documents`, one for each book and source, as one for each book."""
    by_key: dict[str, dict[str, Any]] = {}
    for row in rows:
        by_key.setdefault(row["document_key"], row | {"sources": []})["sources"].append(row["source_api"])
    return list(by_key.values())


async def main(command: list[str]) -> None:
    """Start the server, ask, print."""
    transport = StdioTransport(command=command[0], args=command[1:], env=dict(os.environ))
    async with Client(transport) as client:
        for question, tool, arguments in QUESTIONS:
            answer = (await client.call_tool(tool, arguments)).structured_content or {}
            given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
            listed = tool == "list_documents"
            counted = "rows, one for each source of a book" if listed else f"of {answer['total']}"
            print(f"\n{question}\n  {tool}({given}) → {answer['count']} {counted}")
            for record in books(answer["results"]) if listed else answer["results"]:
                print(card(record))
            if answer["message"]:
                print(f"  {answer['message']}")
    print("\nNow ask it yourself: the README has the next commands, from `lorekeeper show` to `lorekeeper install`.")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
