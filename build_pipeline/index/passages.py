"""Records → passages to embed: for each entity a summary, then the text of rules and options in titled pieces.

A query matches an entity by its best passage, so a sentence deep in a rule or class can be found. For spells, creatures
and equipment the summary is enough; players' phrases find the rest (`docs/retrieval-tried.md`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from build_pipeline.tables import Record
from server.dataset.index.vectors import SUMMARY
from server.dataset.passages import NAMED_COLUMNS, Sentence, passage_groups, sentences_of
from server.dataset.schema import TABLE_OF

MAX_CHUNKS: Final = 8
"""Maximum number of chunks per entity; otherwise long classes would have hundreds and win by sheer number."""
_CHUNKED: Final = frozenset({"character_options", "rules"})
"""Tables of records whose texts are also embedded in chunks, because they are long and about many things."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to embed: the entity's id, the passage's label (`facts`, `1`, `2`…), and the text."""

    entity_id: str
    label: str
    text: str


def passages(record: Record, max_chunks: int = MAX_CHUNKS) -> Iterator[Passage]:
    """The passages of one entity: its summary and, for a rule or option, at most `max_chunks` chunks of its text.

    The summary contains a text of one chunk completely, so it is not repeated.
    """
    sentences = list(sentences_of(record))
    yield Passage(record["id"], SUMMARY, f"{facts_sentence(record)} {_joined(sentences)}".rstrip())
    chunks = list(passage_groups(sentences)) if _table(record) in _CHUNKED else []
    if len(chunks) == 1:
        return
    for number, chunk in enumerate(chunks[:max_chunks], 1):
        yield Passage(record["id"], str(number), f"{record['name']}: {_joined(chunk)}")


def facts_sentence(record: Record) -> str:
    """The structured facts as a sentence: players ask about them, but prose rarely states them."""
    clauses = [clause for clause in _FACTS[_table(record)](record) if clause]
    return f"{record['name']}: {'. '.join(clauses)}."


def prose(record: Record) -> str:
    """All text of an entity, without markup."""
    return _joined(sentences_of(record))


def _joined(sentences: Iterable[Sentence]) -> str:
    return " ".join(sentence.text for sentence in sentences)


def _table(record: Record) -> str:
    return TABLE_OF[record["entity_type"]].name


def _join(*parts: object) -> str:
    return " ".join(str(part) for part in parts if part not in {None, ""})


def _labelled(label: str, value: object) -> str:
    return f"{label} {value}" if value else ""


def _listed(label: str, values: list[str] | None) -> str:
    return _labelled(label, ", ".join(values or ()))


def _spell_facts(record: Record) -> Iterator[str]:
    level = record.get("level")
    rank = "cantrip" if level == 0 else f"level {level} spell" if level is not None else "spell"
    yield _join(record.get("school"), rank, _listed("for", record.get("classes")))
    yield _listed("Deals damage:", record.get("damage_types"))
    yield _join("Casting time", record.get("casting_time"), "range", record.get("range"))
    yield _labelled("Duration", record.get("duration"))
    if record.get("concentration"):
        yield "Requires concentration"
    if record.get("ritual"):
        yield "Can be cast as a ritual"
    yield _labelled("Saving throw", record.get("saving_throw"))
    if area := record.get("area_of_effect"):
        yield _join("Area", area.get("size"), area.get("unit"), area.get("shape"))


def _creature_facts(record: Record) -> Iterator[str]:
    yield _join(record.get("size"), record.get("type"), record.get("subtype"))
    yield _join("Challenge rating", record.get("challenge_rating_text"), record.get("alignment"))
    moves = [m for m in ("fly", "swim", "climb", "burrow") if (record.get("speed") or {}).get(m)]
    yield _listed("Can", moves)
    yield _listed("Immune to", [*(record.get("damage_immunities") or []), *(record.get("condition_immunities") or [])])
    for label, kind in (("Resistant to", "resistances"), ("Vulnerable to", "vulnerabilities")):
        yield _listed(label, [*(record.get(f"damage_{kind}") or []), *(record.get(f"condition_{kind}") or [])])
    yield _listed("Lives in", record.get("environments"))
    abilities = [a["name"] for c in NAMED_COLUMNS for a in record.get(c) or [] if a.get("name")]
    yield _listed("Abilities:", abilities)


def _equipment_facts(record: Record) -> Iterator[str]:
    yield _join(record.get("rarity"), "magic" if record.get("is_magic") else "", _words(record.get("item_category")))
    if record.get("is_weapon"):
        damage = _join(record.get("damage_dice"), record.get("damage_type"), "damage")
        yield _join(record.get("weapon_category"), "weapon,", damage)
    yield _listed("Properties:", [p["name"] for p in record.get("properties") or []])
    if record.get("is_armor"):
        yield _join(record.get("armor_category"), "armor, armor class", record.get("armor_class_text"))
    if record.get("requires_attunement"):
        yield _join("Requires attunement", record.get("attunement_detail"))


def _option_facts(record: Record) -> Iterator[str]:
    parent = record.get("subclass_of") or record.get("subrace_of")
    yield _join(record["entity_type"], _labelled("of", parent and parent["name"]))
    yield _labelled("Hit die", record.get("hit_dice"))
    yield _labelled("Spellcasting ability", record.get("spellcasting_ability"))
    yield _listed("Increases", [i["ability"] for i in record.get("ability_score_increases") or [] if i.get("ability")])
    yield _labelled("Skills", record.get("skill_proficiencies"))
    if record.get("feat_type"):
        yield _join(record["feat_type"], "feat")
    features = [*(record.get("features") or []), *(record.get("traits") or [])]
    yield _listed("Features:", [feature["name"] for feature in features if feature.get("name")])


def _rule_facts(record: Record) -> Iterator[str]:
    yield _join(_words(record["rule_type"]), _labelled("in", record.get("section")))
    yield _labelled("Ability", record.get("ability"))
    yield _listed("Examples:", record.get("examples"))


_FACTS: Final = {
    "spells": _spell_facts,
    "creatures": _creature_facts,
    "equipment": _equipment_facts,
    "character_options": _option_facts,
    "rules": _rule_facts,
}


def _words(token: str | None) -> str:
    return (token or "").replace("-", " ")
