"""Homebrew → drafts: every kind of content that OrcBrew files hold, and their books as documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any, Final

from build_pipeline.normalize import (
    orcbrew_backgrounds,
    orcbrew_classes,
    orcbrew_creatures,
    orcbrew_feats,
    orcbrew_races,
    orcbrew_spells,
)
from build_pipeline.normalize.documents import DocumentMeta, document_metadata
from build_pipeline.normalize.draft import Draft, Problems
from build_pipeline.normalize.orcbrew_items import (
    ENTITY_TYPES,
    SOURCE,
    Item,
    Key,
    Library,
    flags,
    label,
    mapping,
    maps,
    text,
    title,
    whole,
    words,
)
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import normalize_name, slugify

_EQUIPMENT: Final = {"magic-items": "magic-item", "weapons": "weapon", "armor": "armor", "items": "adventuring-gear"}
"""Kind → entity type, of the items that some forks and tools write."""
_READ_ELSEWHERE: Final = frozenset(
    (*ENTITY_TYPES, "invocations", "boons", "fighting-styles", "draconic-ancestries", "selections", *_EQUIPMENT)
) - {"languages"}
_TOLD: Final = frozenset(("key", "name", "option-pack", "description", "help", "summary", "disabled?"))
"""Fields that the name and the description say."""
_OF_GEAR: Final = frozenset(("type", "category", "rarity", "attunement", "cost", "weight"))
"""Fields of equipment that have columns."""
_SWITCHED_OFF: Final = "*Switched off by its user in OrcPub.*"


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every homebrew entity."""
    library = Library(raw, problems)
    off = {obj.id for obj in raw if obj.source == SOURCE and obj.data["disabled"]}
    readers = (orcbrew_spells, orcbrew_creatures, orcbrew_classes, orcbrew_races, orcbrew_backgrounds, orcbrew_feats)
    for draft in chain(*(reader.drafts(library) for reader in readers), _equipment(library), _others(library)):
        if draft.raw[0] in off:
            told = draft.facts.get("description")
            draft.facts["description"] = f"{told}\n\n{_SWITCHED_OFF}" if told else _SWITCHED_OFF
        yield draft


def _draft(item: Item, entity_type: str, facts: dict[str, Any]) -> Draft:
    return Draft(SOURCE, (item.raw.id,), entity_type, item.document_key, item.name, (item.key,), item.kind, facts=facts)


def _equipment(library: Library) -> Iterator[Draft]:
    for kind in _EQUIPMENT:
        yield from library.read(kind, _gear)


def _gear(item: Item) -> Draft:
    fields, entity_type = item.fields, _EQUIPMENT[item.kind]
    rarity, attunement = fields.get("rarity"), fields.get("attunement")
    category = fields.get("type") or fields.get("category")
    facts = {
        "description": _everything(item, _OF_GEAR),
        "item_category": words(category) if isinstance(category, str) else entity_type,
        "rarity": words(rarity).lower() if isinstance(rarity, str) else None,
        "requires_attunement": bool(attunement) if attunement is not None else None,
        "attunement_detail": ", ".join(map(words, flags(attunement))) or None,
        "cost_gp": float(cost) if (cost := whole(fields.get("cost"))) is not None else None,
        "weight_lb": float(weight) if (weight := whole(fields.get("weight"))) is not None else None,
        "is_magic": entity_type == "magic-item",
        "is_weapon": entity_type == "weapon",
        "is_armor": entity_type == "armor",
    }
    return _draft(item, entity_type, facts)


def _others(library: Library) -> Iterator[Draft]:
    """Languages and encounters; and what is of no known kind, as a rule in a section of that name."""
    for kind in library.kinds:
        if kind not in _READ_ELSEWHERE:
            yield from library.read(kind, lambda item: _other(item, library))


def _other(item: Item, library: Library) -> Draft:
    if item.kind == "languages":
        return _draft(item, "language", {"description": item.description, "rule_type": "language"})
    if item.kind == "encounters":
        creatures = list(_creatures(item, library))
        told = "\n".join(f"- {count} × {name}" for name, count in creatures)
        facts = {
            "description": "\n\n".join(filter(None, (item.description, told))) or None,
            "related": [name for name, _ in creatures],
            "rule_type": "rule",
            "section": "Encounters",
        }
        return _draft(item, "rule", facts)
    return _draft(item, "rule", {"description": _everything(item), "rule_type": "rule", "section": title(item.kind)})


def _creatures(item: Item, library: Library) -> Iterator[tuple[str, int]]:
    """The monsters of an encounter with their numbers. Characters are ids of OrcPub's server and mean nothing here."""
    for part in maps(item.fields.get("creatures")):
        creature = mapping(part.get("creature"))
        key = creature.get("monster")
        if isinstance(key, str):
            yield library.name("monsters", key, item), whole(creature.get("num")) or 1


def _everything(item: Item, known: Collection[str] = ()) -> str | None:
    """What an item says that has no columns: its description, then every other field that can be said in a line."""
    others = [
        f"**{title(field.rstrip('?'))}.** {told}"
        for field, value in item.fields.items()
        if field not in _TOLD and field not in known and (told := _told(value))
    ]
    return "\n\n".join(filter(None, (item.description, *others))) or None


def _told(value: Any) -> str | None:
    """A field's value in words: a text, a number, yes, or the keys that it switches on."""
    if isinstance(value, Key):
        return words(value)
    if isinstance(value, bool):
        return "yes" if value else None
    if isinstance(value, int | float):
        return str(value)
    return text(value) or ", ".join(map(words, flags(value))) or None


def orcbrew_documents(raw: RawLayer) -> dict[str, DocumentMeta]:
    """The documents of homebrew books by key. They answer to their name and to the option packs of their items."""
    names: dict[str, str] = {}
    packs: dict[str, Counter[str]] = {}
    for obj in raw:
        if obj.source == SOURCE:
            key = obj.data["document_key"]
            names[key] = obj.data["book"].strip() or key
            packs.setdefault(key, Counter()).update(filter(None, [label(obj.data["option_pack"])]))
    owners = Counter(pack for counts in packs.values() for pack in counts)
    taken = {slugify(name) for meta in document_metadata(raw).values() for name in (meta.key, meta.name, *meta.aliases)}
    taken |= {slugify(name) for name in (*names, *names.values())}
    return {
        key: DocumentMeta(
            key,
            name,
            game_system="5e-2014",
            aliases=tuple(
                sorted(
                    pack
                    for pack in packs[key]
                    if owners[pack] == 1 and normalize_name(pack) != normalize_name(name) and slugify(pack) not in taken
                )
            ),
        )
        for key, name in names.items()
    }
