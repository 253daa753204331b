"""Records → passages to embed: for each entity a summary, then its text in titled chunks.

A query matches an entity by its best passage, so a sentence deep in a stat block or class can be found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from build_pipeline.tables import Record
from server.dataset.load import SUMMARY

CHUNK_WORDS: Final = 90
"""Words per chunk, cut at sentences: about half the capacity of a 256-token encoder."""
MAX_CHUNKS: Final = 12
"""Maximum number of chunks per entity; otherwise long classes would have hundreds and win by sheer number."""

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_MARKUP: Final = re.compile(r"[*_`#|>]+|-{3,}")

_TEXT_COLUMNS: Final = ("description", "higher_level", "prerequisite")
_NAMED_COLUMNS: Final = (
    "traits",
    "actions",
    "bonus_actions",
    "reactions",
    "legendary_actions",
    "features",
    "benefits",
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to embed: the entity's id, the passage's label (`facts`, `1`, `2`…), and the text."""

    entity_id: str
    label: str
    text: str


def passages(record: Record, max_chunks: int = MAX_CHUNKS) -> Iterator[Passage]:
    """The passages of one entity: its summary, then at most `max_chunks` chunks of its text."""
    sentences = list(_sentences(record))
    yield Passage(record["id"], SUMMARY, " ".join((facts_sentence(record), *sentences)))
    for number, chunk in enumerate(islice(_chunks(sentences), max_chunks), 1):
        yield Passage(record["id"], str(number), f"{record['name']}: {chunk}")


def facts_sentence(record: Record) -> str:
    """The structured facts as a sentence: players ask about them, but prose rarely states them."""
    clauses = [clause for clause in _FACTS[_table(record)](record) if clause]
    return f"{record['name']}: {'. '.join(clauses)}."


def prose(record: Record) -> str:
    """All text of an entity, without markup."""
    return " ".join(_sentences(record))


def _table(record: Record) -> str:
    entity_type = record["entity_type"]
    if entity_type in {"spell", "creature"}:
        return str(entity_type)
    if "is_magic" in record:
        return "equipment"
    return "rule" if "rule_type" in record else "option"


def _join(*parts: object) -> str:
    return " ".join(str(part) for part in parts if part not in {None, ""})


def _listed(label: str, values: list[str] | None) -> str:
    return f"{label} {', '.join(values)}" if values else ""


def _spell_facts(record: Record) -> Iterator[str]:
    level = record.get("level")
    rank = "cantrip" if level == 0 else f"level {level} spell" if level is not None else "spell"
    yield _join(record.get("school"), rank, _listed("for", record.get("classes")))
    yield _listed("Deals damage:", record.get("damage_types"))
    yield _join("Casting time", record.get("casting_time"), "range", record.get("range"))
    yield _join("Duration", record.get("duration")) if record.get("duration") else ""
    yield "Requires concentration" if record.get("concentration") else ""
    yield "Can be cast as a ritual" if record.get("ritual") else ""
    yield _join("Saving throw", record["saving_throw"]) if record.get("saving_throw") else ""
    if area := record.get("area_of_effect"):
        yield _join("Area", area.get("size"), area.get("unit"), area.get("shape"))


def _creature_facts(record: Record) -> Iterator[str]:
    yield _join(record.get("size"), record.get("type"), record.get("subtype"))
    yield _join("Challenge rating", record.get("challenge_rating_text"), record.get("alignment"))
    moves = [m for m in ("fly", "swim", "climb", "burrow") if (record.get("speed") or {}).get(m)]
    yield _listed("Can", moves)
    yield _listed("Immune to", [*(record.get("damage_immunities") or []), *(record.get("condition_immunities") or [])])
    yield _listed("Resistant to", record.get("damage_resistances"))
    yield _listed("Vulnerable to", record.get("damage_vulnerabilities"))
    yield _listed("Lives in", record.get("environments"))
    abilities = [a["name"] for c in _NAMED_COLUMNS for a in record.get(c) or [] if a.get("name")]
    yield _listed("Abilities:", abilities)


def _equipment_facts(record: Record) -> Iterator[str]:
    yield _join(record.get("rarity"), "magic" if record.get("is_magic") else "", _words(record.get("item_category")))
    yield (
        _join(record.get("weapon_category"), "weapon,", record.get("damage_dice"), record.get("damage_type"), "damage")
        if record.get("is_weapon")
        else ""
    )
    yield _listed("Properties:", [p["name"] for p in record.get("properties") or []])
    yield (
        _join(record.get("armor_category"), "armor, armor class", record.get("armor_class_text"))
        if record.get("is_armor")
        else ""
    )
    if record.get("requires_attunement"):
        yield _join("Requires attunement", record.get("attunement_detail"))


def _option_facts(record: Record) -> Iterator[str]:
    parent = record.get("subclass_of") or record.get("subrace_of")
    yield _join(record["entity_type"], f"of {parent['name']}" if parent else "")
    yield _join("Hit die", record["hit_dice"]) if record.get("hit_dice") else ""
    yield _join("Spellcasting ability", record["spellcasting_ability"]) if record.get("spellcasting_ability") else ""
    yield _listed("Increases", [i["ability"] for i in record.get("ability_score_increases") or [] if i.get("ability")])
    yield _join("Skills", record["skill_proficiencies"]) if record.get("skill_proficiencies") else ""
    yield _join(record["feat_type"], "feat") if record.get("feat_type") else ""
    yield _listed(
        "Features:", [f["name"] for c in ("features", "traits") for f in record.get(c) or [] if f.get("name")]
    )


def _rule_facts(record: Record) -> Iterator[str]:
    yield _join(_words(record["rule_type"]), _join("in", record["section"]) if record.get("section") else "")
    yield _join("Ability", record["ability"]) if record.get("ability") else ""
    yield _listed("Examples:", record.get("examples"))


_FACTS: Final = {
    "spell": _spell_facts,
    "creature": _creature_facts,
    "equipment": _equipment_facts,
    "option": _option_facts,
    "rule": _rule_facts,
}


def _words(token: str | None) -> str:
    return (token or "").replace("-", " ")


def _sentences(record: Record) -> Iterator[str]:
    for column in _TEXT_COLUMNS:
        yield from _split(record.get(column))
    for column in _NAMED_COLUMNS:
        for item in record.get(column) or []:
            yield from _split(": ".join(part for part in (item.get("name"), item.get("description")) if part))


def _split(text: str | None) -> Iterator[str]:
    for sentence in _SENTENCE.split(text or ""):
        if plain := " ".join(_MARKUP.sub(" ", sentence).split()):
            yield plain


def _chunks(sentences: list[str]) -> Iterator[str]:
    chunk: list[str] = []
    words = 0
    for sentence in sentences:
        length = len(sentence.split())
        if chunk and words + length > CHUNK_WORDS:
            yield " ".join(chunk)
            chunk, words = [], 0
        chunk.append(sentence)
        words += length
    if chunk:
        yield " ".join(chunk)
