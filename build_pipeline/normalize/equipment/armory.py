"""The armory: every mundane weapon and suit of armor of the sources, by key and by name, for items made from them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from build_pipeline.normalize.equipment.armor import dnd5e_armor, v1_armor, v2_armor
from build_pipeline.normalize.equipment.weapons import Facts, dnd5e_weapon, v1_weapon, v2_weapon
from build_pipeline.normalize.merging.documents import V1_GAME_SYSTEMS, dnd5e_document, v1_document, v2_document
from build_pipeline.normalize.merging.draft import Problems, Reference
from build_pipeline.normalize.text.items.names import natural_name
from build_pipeline.normalize.text.money import pounds
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.names import normalize_name

NOT_ARMOR: Final = {"No Armor", "Spell", "Class Feature"}
"""Categories of /v1/armor whose rows are not items but ways to calculate an armor class."""

DND5E_EQUIPMENT: Final = ("2014/equipment", "2024/equipment")

HOME: Final = "srd-2014"
"""The document whose weapons are used by books that have none of their own."""


@dataclass(slots=True)
class BaseItem:
    """A mundane weapon or suit of armor.

    Attributes:
        kind: weapon or armor.
        document_key: the document that it is in.
        name: its name in natural word order.
        facts: its weapon or armor columns.
        raw: ids of the raw objects that the facts come from.
        item: raw id of the item itself, where Open5e v2 has one.
        weight: in pounds.
        weight_sources: the sources that have this weight.
        sources_of: column → the sources that have this value of it.
    """

    kind: str
    document_key: str
    name: str
    facts: Facts = field(default_factory=dict)
    raw: list[str] = field(default_factory=list)
    item: str | None = None
    weight: float | None = None
    weight_sources: list[str] = field(default_factory=list)
    sources_of: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @property
    def reference(self) -> Reference:
        return Reference((self.kind,), self.name, self.item, self.document_key)

    def complete(self, facts: Facts, obj: RawObject) -> None:
        """Add another source's facts, where nothing is known yet."""
        self.facts = {**facts, **{k: v for k, v in self.facts.items() if v is not None}}
        self.raw.append(obj.id)
        for column, value in facts.items():
            if self.facts[column] == value:
                self.sources_of[column].append(obj.source)

    def weigh(self, weight: float | None, source: str) -> None:
        """Set the weight if none is known yet, and note the source if it has that weight."""
        self.weight = self.weight or weight
        if weight is not None and weight == self.weight:
            self.weight_sources.append(source)

    def taken(self, source: str) -> dict[str, str]:
        """Column → the source of its value, for the facts that `source` does not have."""
        return {column: sources[0] for column, sources in self.sources_of.items() if source not in sources}


class Armory:
    """All base items of a raw layer."""

    def __init__(self, raw: RawLayer, problems: Problems) -> None:
        self._by_name: dict[tuple[str, str], dict[str, BaseItem]] = defaultdict(dict)
        self._by_v2_key: dict[str, BaseItem] = {}
        # v1 comes first: v2's table of 2014 weapons lacks properties (heavy, finesse) and has wrong ones (two-handed
        # trident, slashing shortsword), where v1 and the D&D 5e API agree with the book.
        read: Callable[[JsonObject], Facts]
        for kind, endpoint, read in (("weapon", "weapons", v1_weapon), ("armor", "armor", v1_armor)):
            for obj in raw["open5e_v1", endpoint].values():
                with problems.instead_of_failing(obj):
                    if obj.data["category"] not in NOT_ARMOR:
                        document, _ = v1_document(obj.data["document__slug"])
                        self._add(kind, document, obj, read(obj.data))
        for kind, endpoint, read in (("weapon", "weapons", v2_weapon), ("armor", "armor", v2_armor)):
            for obj in raw["open5e_v2", endpoint].values():
                with problems.instead_of_failing(obj):
                    self._by_v2_key[obj.key] = self._add(kind, v2_document(obj.data), obj, read(obj.data))
        for endpoint in DND5E_EQUIPMENT:
            for obj in raw["dnd5e_api", endpoint].values():
                with problems.instead_of_failing(obj):
                    if found := dnd5e_kind(obj.data):
                        kind, read = found
                        self._add(kind, dnd5e_document(endpoint), obj, read(obj.data))
        for obj in raw["open5e_v2", "items"].values():
            with problems.instead_of_failing(obj):
                self._note_item(obj)

    def of_v2(self, obj: JsonObject) -> BaseItem | None:
        """The weapon or armor that a v2 item refers to."""
        row = obj["weapon"] or obj["armor"]
        if not row:
            return None
        if row["key"] in self._by_v2_key:
            return self._by_v2_key[row["key"]]
        kind, facts = ("weapon", v2_weapon(row)) if obj["weapon"] else ("armor", v2_armor(row))
        return BaseItem(kind, v2_document(obj), natural_name(row["name"]), facts)

    def named(self, kind: str, document: str, name: str) -> BaseItem | None:
        """The weapon or armor of exactly that name in a document."""
        return self._by_name[kind, document].get(_fold(name))

    def mentioned(self, kind: str, document: str, phrase: str) -> BaseItem | None:
        """The one weapon or armor that a phrase names ("Mace of Smiting"), in the document or else in the SRD.

        None if it names none, or leaves a choice between several ("half plate or plate"). The SRD is not used for a
        book of other rules, which has other numbers for the same name.
        """
        home = {} if _has_other_rules(document) else self._by_name[kind, HOME]
        names = {**home, **self._by_name[kind, document]}
        found = set()
        rest = normalize_name(phrase).replace("-", " ")
        for name in sorted(names, key=len, reverse=True):
            rest, count = re.subn(rf"\b{re.escape(name)}\b", "|", rest)
            if count:
                found.add(name)
        return names[found.pop()] if len(found) == 1 else None

    def _add(self, kind: str, document: str, obj: RawObject, facts: Facts) -> BaseItem:
        name = obj.data["name"]
        item = self._by_name[kind, document].setdefault(_fold(name), BaseItem(kind, document, natural_name(name)))
        item.complete(facts, obj)
        if "weight" in obj.data:
            item.weigh(pounds(obj.data["weight"]), obj.source)
        return item

    def _note_item(self, obj: RawObject) -> None:
        item = self.of_v2(obj.data) or self.named("armor", v2_document(obj.data), obj.data["name"])
        # A staff that serves as a focus refers to the quarterstaff, but is not one.
        if item is not None and obj.data["category"]["key"] in {"weapon", "armor", "shield"}:
            item.item = obj.id
            item.name = natural_name(obj.data["name"])
            item.weigh(weight := pounds(obj.data["weight"]), obj.source)
            if weight is not None and weight == item.weight:
                item.raw.append(obj.id)


def dnd5e_kind(obj: JsonObject) -> tuple[str, Callable[[JsonObject], Facts]] | None:
    """("weapon" or "armor", reader) for an object of the D&D 5e API's equipment, or None if it is neither."""
    if "armor_class" in obj:
        return "armor", dnd5e_armor
    categories = {c["index"] for c in [obj.get("equipment_category"), *obj.get("equipment_categories", [])] if c}
    return ("weapon", dnd5e_weapon) if categories & {"weapon", "weapons"} else None


def _has_other_rules(document: str) -> bool:
    return document.partition("-")[0] in V1_GAME_SYSTEMS


def _fold(name: str) -> str:
    return normalize_name(natural_name(name)).replace("-", " ").removesuffix(" armor")
