"""Homebrew → drafts: every kind of content in OrcBrew files, and their books as documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

from build_pipeline.normalize.homebrew import backgrounds as orcbrew_backgrounds
from build_pipeline.normalize.homebrew import classes as orcbrew_classes
from build_pipeline.normalize.homebrew import creatures as orcbrew_creatures
from build_pipeline.normalize.homebrew import equipment as orcbrew_equipment
from build_pipeline.normalize.homebrew import feats as orcbrew_feats
from build_pipeline.normalize.homebrew import races as orcbrew_races
from build_pipeline.normalize.homebrew import spells as orcbrew_spells
from build_pipeline.normalize.homebrew.document_keys import document_keys
from build_pipeline.normalize.homebrew.items import (
    ENTITY_TYPES,
    HomebrewCollection,
    Item,
    everything,
    label,
    mapping,
    maps,
    title,
    unread,
    within,
)
from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference
from build_pipeline.snapshot.orcbrew.fields import known_fields
from build_pipeline.snapshot.orcbrew.model import KINDS, SOURCE
from build_pipeline.snapshot.orcbrew.registry import split_key
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import normalize_name, slugify

_READERS: Final = (
    orcbrew_spells,
    orcbrew_creatures,
    orcbrew_classes,
    orcbrew_races,
    orcbrew_backgrounds,
    orcbrew_feats,
    orcbrew_equipment,
)
_READ_ELSEWHERE: Final = frozenset(
    (
        *ENTITY_TYPES,
        "invocations",
        "boons",
        "fighting-styles",
        "draconic-ancestries",
        "selections",
        *orcbrew_equipment.KINDS,
    )
) - {"languages"}
_SWITCHED_OFF: Final = "*Switched off by its user in OrcPub.*"


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every homebrew entity."""
    collection = HomebrewCollection(raw, problems)
    items = {item.raw.id: item for kind in collection.kinds for item in collection.kind(kind)}
    for draft in chain(*(reader.drafts(collection) for reader in _READERS), _others(collection)):
        item = items[draft.raw[0]]
        extra = [unread(item, known_fields(item.kind)) if item.kind in KINDS else None]
        extra.append(_SWITCHED_OFF if item.raw.data["disabled"] else None)
        if any(extra):
            draft.facts["description"] = "\n\n".join(filter(None, (draft.facts.get("description"), *extra)))
        yield draft


def _others(collection: HomebrewCollection) -> Iterator[Draft]:
    """Languages and encounters, and unknown kinds as rules in a section named after the kind."""
    for kind in collection.kinds:
        if kind not in _READ_ELSEWHERE:
            yield from collection.read(kind, lambda item: _other(item, collection))


def _other(item: Item, collection: HomebrewCollection) -> Draft:
    if item.kind == "languages":
        return item.draft("language", {"description": item.description, "rule_type": "language"}, parent=item.kind)
    if item.kind == "encounters":
        creatures = list(_creatures(item, collection))
        listing = "\n".join(f"- {count} × {name}" for name, count in creatures)
        facts = {
            "description": "\n\n".join(filter(None, (item.description, listing))) or None,
            "related": [Reference(("creature",), name) for name in dict(creatures)],
            "rule_type": "rule",
            "section": "Encounters",
        }
        return item.draft("rule", facts, parent=item.kind)
    facts = {"description": everything(item), "rule_type": "rule", "section": title(item.kind)}
    return item.draft("rule", facts, parent=item.kind)


def _creatures(item: Item, collection: HomebrewCollection) -> Iterator[tuple[str, int]]:
    """The monsters of an encounter with their numbers. Characters are skipped: they are ids on OrcPub's server."""
    for part in maps(item.fields.get("creatures")):
        creature = mapping(part.get("creature"))
        key = creature.get("monster")
        if isinstance(key, str):
            yield collection.name("monsters", key, item), within(creature.get("num"), 1, 1000) or 1


def orcbrew_documents(raw: RawLayer, known: Mapping[str, DocumentMeta]) -> dict[str, DocumentMeta]:
    """The documents of homebrew books by key. The option packs of their items are aliases, if unambiguous."""
    keys = document_keys(raw)
    names: dict[str, str] = {}
    packs: dict[str, Counter[str]] = {}
    for obj in raw:
        if obj.source == SOURCE:
            key = keys[split_key(obj)[0]]
            names[key] = obj.data["book"].strip() or key
            packs.setdefault(key, Counter()).update(filter(None, [label(obj.data["option_pack"])]))
    owners = Counter(pack for counts in packs.values() for pack in counts)
    taken = {slugify(name) for meta in known.values() for name in (meta.key, meta.name, *meta.aliases)}
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
