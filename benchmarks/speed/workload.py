"""The calls that are measured: each kind by itself, and a mix like that of assistants."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Final

import polars as pl

Call = tuple[str, dict[str, Any]]

STRUCTURED: Final[dict[str, Call]] = {
    "look-up by exact name": ("lookup_spell", {"name": "fireball"}),
    "look-up by wildcard": ("lookup_creature", {"name": "*dragon*", "detail": "names"}),
    "filters, 20 summaries": ("search_creature", {"cr_min": 1, "type": "undead", "detail": "summary"}),
    "filters, 5 full records": ("search_spell", {"level": 3, "detail": "full", "limit": 5}),
    "list of documents": ("list_documents", {}),
}
_QUERIES: Final = Path(__file__).parents[2] / "data" / "judged" / "queries.jsonl"
_FAMILIES: Final = {"spells": "spell", "creatures": "creature", "equipment": "equipment", "rules": "rule"}
_SQL: Final = "SELECT document_key, count(*) AS n FROM {} GROUP BY ALL ORDER BY n DESC"


def texts() -> list[str]:
    """The distinct texts that people search for."""
    lines = _QUERIES.read_text("utf-8").splitlines()
    return list(dict.fromkeys(str(json.loads(line)["query"]) for line in lines))


def mixed(dataset: Path, count: int, *, seed: int = 0) -> list[Call]:
    """Calls of many tools for many entities, the same for the same seed: half look-ups, a third searches."""
    tables = {table: pl.read_parquet(dataset / f"{table}.parquet", columns=["name"]) for table in _FAMILIES}
    names = {table: frame["name"].to_list() for table, frame in tables.items()}
    asked = texts()
    chance = random.Random(seed)  # noqa: S311 - chance, not secrecy
    return [_any_call(chance, names, asked) for _ in range(count)]


def _any_call(chance: random.Random, names: dict[str, list[str]], asked: list[str]) -> Call:
    table = chance.choice(list(_FAMILIES))
    family, name = _FAMILIES[table], chance.choice(names[table])
    ways: list[tuple[int, Call]] = [
        (40, (f"lookup_{family}", {"name": name})),
        (5, (f"lookup_{family}", {"name": f"{name[:4]}*", "detail": "names"})),
        (5, (f"lookup_{family}", {"name": name[:-1] + chance.choice("xyz")})),
        (20, (f"search_{family}", {"search": f"{chance.choice(asked)} {name}", "limit": 5})),
        (15, ("search_all", {"query": chance.choice(asked), "limit": 5})),
        (8, (f"search_{family}", {"detail": "summary", "offset": chance.randrange(100)})),
        (4, ("query", {"sql": _SQL.format(table)})),
        (3, ("list_documents", {})),
    ]
    return chance.choices([call for _, call in ways], [weight for weight, _ in ways])[0]
