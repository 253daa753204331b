"""`links`: the ids of all entities that an entity's facts and text name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any, Final

from build_pipeline.aside import shared
from build_pipeline.kept import kept
from build_pipeline.normalize.merging.directory import RELATED_TYPES, Directory
from build_pipeline.normalize.merging.documents import DocumentMeta
from build_pipeline.normalize.merging.glossary_terms import Terms
from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.merging.named_goods import goods, members, packed, tabled_kinds
from build_pipeline.normalize.merging.twins import twins
from build_pipeline.normalize.text.mentions.classes_and_skills import capitalised_names, classes_named, skills_named
from build_pipeline.normalize.text.mentions.mention import Mention
from build_pipeline.normalize.text.mentions.mentions import (
    items_named,
    mentions,
    names_school,
    sections_named,
    whole_names,
)
from build_pipeline.normalize.text.mentions.plain_names import rules_named
from build_pipeline.normalize.text.stat_blocks.lines import CONDITION_COLUMNS, DAMAGE_COLUMNS
from build_pipeline.normalize.text.stat_blocks.spells import spells_in
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import normalize_name, slugify
from server.dataset.schema import EQUIPMENT_TYPES, RULE_TYPES

Marks = Mapping[str, tuple[tuple[str, str], ...]]
"""Raw id → (text, target) of the Markdown and HTML links in it."""

_TEXTS: Final = ("description", "higher_level", "legendary_description", "starting_equipment", "prerequisite")
_ROWS: Final = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions")
_PARTS: Final = (*_ROWS, "lair_actions", "features", "benefits")
_APART: Final = frozenset({"spell_list"})
"""Columns whose ids are left out: a class's list has hundreds of spells, each of which names its classes."""

_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "inflicts": ("condition",),
    **dict.fromkeys(CONDITION_COLUMNS, ("condition",)),
    "classes": ("class",),
}
"""Column that lists names → the types that the names may have."""
_PROPERTY: Final = ("weapon-property",)
_ARMS: Final = ("weapon", "armor")
_ARMOR: Final = ("armor",)
_WORN: Final = (*_ARMOR, "magic-item")
_GEAR: Final = ("adventuring-gear",)
_WEAPON: Final = ("weapon",)
_CLASS: Final = ("class",)
_RACE: Final = ("race", "subrace")
_CONDITION: Final = ("condition",)
_FEAT: Final = ("feat",)
_SPELL: Final = ("spell",)
_SET_APART: Final = ("spell", "magic-item", "creature")

_LINK: Final = re.compile(r"\[(?P<text>[^\[\]\n]{1,60})\]\((?P<target>(?:https?://[\w.]*open5e\.com)?[/#][^()\s]*)\)")
_ANCHOR: Final = re.compile(r"<a href=\\?\"(?P<target>#[^\"\\\s]+)\\?\">(?:<\w+>)*(?P<text>[^<>\n]{1,60})<")
"""A link in an HTML table; the raw objects' JSON escapes its quotes."""
_PREFIX: Final = re.compile(r"^#?(?P<kind>section-|chapter-|item-|)")
_MARKED: Final = {
    "": ("spell", "condition", "creature", "magic-item", *EQUIPMENT_TYPES, "weapon-property", *RULE_TYPES),
    "item-": ("magic-item",),
    "section-": ("class", "race", "rule"),
    "chapter-": ("rule",),
}
"""Prefix of a Markdown link's target → the types that the target may have."""
_NEEDED: Final = re.compile(
    r"(?P<feat>[A-Z][\w’']{1,40}(?: (?:of|the|[A-Z][\w’']{1,40})){0,9}) (?:Invocation|feature|Feature)\b"
)
_BONUS: Final = re.compile(r"^\+\d ")
_BRACKETS: Final = re.compile(r"\s*\(.*")
_TACK: Final = "tack-and-harness"
_BURNED: Final = re.compile(r"\bburns (?:(?:for )?[\w ]{0,80}? on a flask (?:\([^()]*\) )?of )?(?P<fuel>[Oo]il)\b")
"""The fuel of lamps and lanterns: "burns Oil as fuel", "burns for 6 hours on a flask (1 pint) of oil"."""
_WHILE: Final = re.compile(r"\bwhile (?P<condition>\w+)$", re.IGNORECASE)
"""The end of a usage that requires a condition: "While Bloodied", "Recharge 5-6, while bloodied"."""
_ITS_STATISTICS: Final = re.compile(r"\bthe (?P<name>[\w-]+)['’]s (?=statistics|stat block)")
_RESTRICTED: Final = "Restriction: "
"""The beginning of a heading that limits who may choose an option: "Restriction: Dwarf"."""
_CLASS_OF_CREATURE: Final = re.compile(
    r"\bfollowing (?P<of_spells>[a-z]+) spells\b|\b(?:as|or) an? (?P<of_feature>[a-z]+)['’]s [A-Z]"
    r"|\bthe (?P<of_lists>[a-z]+(?: or [a-z]+)*) spell lists?\b"
)
"""The class whose spells or features a creature has: "as a baker's Bake Bread or a cook's Stir"."""
_WORN_APART: Final = re.compile(r"[,;)]|\b(?:and|with|in|while)\b")
"""Separator of the armors in a description: "plate and shield", "scale mail; 18 with shield", "hide in newt form"."""


def marks_of(raw: RawLayer) -> Marks:
    """The Markdown and HTML links of every raw object, which texts lose when they are cleaned."""
    return {
        obj.id: tuple(
            (match["text"].strip("*_"), match["target"])
            for link in (_LINK, _ANCHOR)
            for match in link.finditer(obj.text.replace("\\n", " "))
        )
        for obj in raw
        if "](" in obj.text or "<a href=" in obj.text
    }


def add_links(entities: Iterable[Entity], documents: Mapping[str, DocumentMeta], marks: Marks) -> None:
    """Set every entity's `links`, from facts first, then from texts, and extend the `related` of rules.

    The facts must already be linked and corrected.

    Args:
        entities: all entities; changed in place.
        documents: every document by key; its rules and publisher decide where names are searched (`directory.py`).
        marks: the links in the raw objects (`marks_of`).
    """
    everything = list(entities)
    directory, terms, alike = Directory(everything, documents), Terms(everything), twins(everything)
    known = {entity.id for entity in everything}

    def links(entity: Entity) -> list[str]:
        found = (
            *_ids(value for column, value in entity.facts.items() if column not in _APART),
            *(directory.generics(entity) if entity.entity_type == "magic-item" else ()),
            *(
                target.id
                for mention in (
                    *_named(entity),
                    *goods(entity),
                    *_named_in_texts(entity, documents),
                    *_marked(entity, marks),
                )
                for target in _resolved(mention, entity, directory)
            ),
            *(
                named
                for text in _texts(entity)
                for named in terms.named_in(text, directory.places(entity.document_key))
            ),
            *alike.get(entity.id, ()),
            *_namesakes(entity, marks),
        )
        return [each for each in dict.fromkeys(found) if each in known and each != entity.id]

    for entity, found in zip(everything, shared(links, everything), strict=True):
        entity.facts["links"] = found
        if entity.entity_type in RULE_TYPES:
            _relate(entity)


def _relate(rule: Entity) -> None:
    """Add to a rule's `related` the rules, equipment and backgrounds of its own document that it links to."""
    related = rule.facts.get("related") or []
    known = {*related, (rule.facts.get("parent") or {}).get("id")}
    places = ((link, *link.split("/")[:2]) for link in rule.facts["links"])
    named = (link for link, kind, document in places if document == rule.document_key and kind in RELATED_TYPES)
    if added := [each for each in named if each not in known]:
        rule.facts["related"] = [*related, *added]
        rule.from_text.add("related")


def _resolved(mention: Mention, entity: Entity, directory: Directory) -> Iterator[Entity]:
    """The entity of the first name that matches, else those of the parts; none if the entity itself may be meant."""
    # A name that is only emphasised says little about the type of the thing.
    apart = _SET_APART if len(mention.entity_types) > 1 else ()
    may_be_itself = entity.entity_type in {*mention.entity_types, *apart, *_RACE}
    own = normalize_name(entity.name) if may_be_itself else None
    names = tuple(takewhile(lambda name: normalize_name(name) != own, mention.names))
    if target := next(_found(names, mention, entity, directory), None):
        yield target
    elif len(names) == len(mention.names):
        yield from _found(mention.parts, mention, entity, directory)


def _found(names: Iterable[str], mention: Mention, entity: Entity, directory: Directory) -> Iterator[Entity]:
    """The entities with these names, but no magic item by just one word of its name, such as "demons" or "weapon".

    A creature's own comes before others of that name: the puppet of a newt lord is its book's Newt Lord's Puppet.
    """
    for name in names:
        found = directory.nearest(name, mention.entity_types, entity)
        if found and found.entity_type == "creature":
            owned = directory.nearest(f"{entity.name}'s {name}", mention.entity_types, entity)
            found = owned if owned and owned.document_key == entity.document_key else found
        if found and not (found.entity_type == "magic-item" and slugify(name) in _words_in(found.name)):
            yield found


def _words_in(name: str) -> set[str]:
    """The words of a name, also in the plural; none if it is a single word."""
    words = slugify(name).split("-")
    return {form for word in words for form in (word, f"{word}s")} if len(words) > 1 else set()


def _ids(values: Iterable[Any]) -> Iterator[str]:
    """Every id in values: members called `id`, and strings in lists."""
    for value in values:
        if isinstance(value, Mapping):
            if isinstance(value.get("id"), str):
                yield value["id"]
        elif isinstance(value, list):
            yield from (member for member in value if isinstance(member, str))
            yield from _ids(member for member in value if not isinstance(member, str))


def _named(entity: Entity) -> Iterator[Mention]:
    """The facts' mentions: conditions, classes, weapon properties, weapons, armor worn, items, a background's feat."""
    facts = entity.facts
    for column, entity_types in _NAMES.items():
        yield from (Mention((_BRACKETS.sub("", name),), entity_types) for name in facts.get(column) or ())
    for name in (*(each["name"] for each in facts.get("properties") or ()), facts.get("mastery")):
        if name:
            yield Mention((name,), _PROPERTY)
    yield from _ammunition(entity)
    attuned = facts.get("attunement_detail") or ""
    yield from (Mention((word,), _CLASS) for word in re.findall(r"\w+", attuned))
    yield from items_named(attuned)
    for column in DAMAGE_COLUMNS:  # "from weapons wielded by creatures under the effect of a bless spell"
        yield from (mention for phrase in facts.get(column) or () if " spell" in phrase for mention in mentions(phrase))
    for worn in _WORN_APART.split(_BRACKETS.sub("", facts.get("armor_description") or "")):
        yield Mention((worn.strip(), f"{worn.strip()} armor"), _WORN)
        if " " in worn.strip():  # "15 with mage armor"; "shield" is one
            yield Mention((worn.strip(),), _SPELL)
    if facts.get("item_category") == _TACK:  # "Barding: Plate"
        worn = entity.name.rpartition(": ")[2]
        yield Mention((worn, f"{worn} Armor"), _ARMOR)
    for burned in _BURNED.finditer(facts.get("description") or "") if facts.get("item_category") else ():
        yield Mention((burned["fuel"],), _GEAR)
    yield from _lineage_spells(entity)
    yield from _spells_of_variants(facts)
    yield from _heading_rows(facts)
    yield from _trained_or_needed(facts)
    yield from members(facts)
    yield from packed(facts)
    yield from tabled_kinds(facts)


def _ammunition(entity: Entity) -> Iterator[Mention]:
    """A weapon's ammunition, from the detail of its property: "range 30/120; bullet" of a sling, and of firearms."""
    weapon = (entity.facts.get("base_item") or {}).get("name") or entity.name
    for each in entity.facts.get("properties") or ():
        if each["name"] == "ammunition" and (shot := (each["detail"] or "").partition("; ")[2]):
            yield Mention((f"{shot}s", f"{weapon} {shot}s", f"firearm {shot}s"), _GEAR)


def _heading_rows(facts: Mapping[str, Any]) -> Iterator[Mention]:
    """Things that names and usage of traits, actions, features and benefits mention: weapons, items, conditions, …"""
    for row in (row for column in _ROWS for row in facts.get(column) or ()):
        if row.get("attacks"):
            yield Mention((_BONUS.sub("", _BRACKETS.sub("", row["name"])),), _WEAPON)
        yield from items_named(row["name"])
        if needed := _WHILE.search(row.get("usage") or row["name"].removesuffix(")")):
            yield Mention((needed["condition"],), _CONDITION)
    for feature in facts.get("features") or ():
        if feature["name"].startswith(_RESTRICTED):
            yield Mention((feature["name"].removeprefix(_RESTRICTED),), _RACE)
    for benefit in facts.get("benefits") or ():
        if benefit["name"] == "Feat":
            yield Mention((_BRACKETS.sub("", benefit["description"]).strip("*_ ."),), _FEAT)


def _trained_or_needed(facts: Mapping[str, Any]) -> Iterator[Mention]:
    """The skills that an option trains, and the options that it requires."""
    skills = (facts.get("skill_proficiencies"), (facts.get("proficiencies") or {}).get("skills"))
    for text in filter(None, skills):
        yield from skills_named(f"Skills: {text.replace('.', ',')}")
    for needed in _NEEDED.finditer(facts.get("prerequisite") or ""):
        yield Mention((needed["feat"],), _FEAT)


def _lineage_spells(entity: Entity) -> Iterator[Mention]:
    """The spells that are the whole text of a lineage's traits: "Level 3: Misty Step"."""
    traits = entity.facts.get("traits") or () if entity.entity_type == "subrace" else ()
    yield from (Mention((trait["description"],), _SPELL) for trait in traits if trait["description"])


def _spells_of_variants(facts: Mapping[str, Any]) -> Iterator[Mention]:
    """The spells that a creature has in another form of its stat block, which are not its own."""
    variants = (row for row in facts.get("traits") or () if row["name"].startswith("Variant:"))
    yield from (Mention((spell["name"],), _SPELL) for spell in spells_in(variants))


def _named_in_texts(entity: Entity, documents: Mapping[str, DocumentMeta]) -> Iterator[Mention]:
    """Things that the texts name; the sections that rules refer to are among their `related`.

    The 2024 rules capitalise the names of conditions, so "a petrified mouse" does not have one, and the terms of their
    glossary, which `Terms` finds.
    """
    document = documents.get(entity.document_key)
    capitalised = document is not None and document.game_system == "5e-2024"
    kind = "rule" if entity.entity_type in RULE_TYPES else entity.entity_type
    for text in _texts(entity):
        yield from _named_in(_of_itself(text, entity), kind if kind in {"rule", "creature"} else None, capitalised)
    if kind == "rule":
        yield from classes_named(entity.name)


@kept
def _named_in(text: str, kind: str | None, capitalised: bool) -> list[Mention]:  # noqa: FBT001 a key of what is kept
    """Things that one text names; `kind` is "rule", "creature" or None for anything else."""
    found = [
        *(
            mention
            for mention in mentions(text)
            if not (capitalised and mention.entity_types == _CONDITION and mention.names[0].islower())
        ),
        *(term for term in rules_named(text) if not capitalised or term.names[0].islower()),
        *(sections_named(text) if kind != "rule" else ()),
        *skills_named(text),
    ]
    if kind == "creature":  # "the mage's Staff" is its own
        named = (match[match.lastgroup or 0] for match in _CLASS_OF_CREATURE.finditer(text))
        found += (Mention((name,), _CLASS) for names in named for name in names.split(" or "))
    else:
        found += classes_named(text)
    return [*found, *(capitalised_names(text) if capitalised else ())]


def _of_itself(text: str, entity: Entity) -> str:
    """A creature's text with "its" for a part of its own name before its statistics: "the vampire's statistics"."""
    if entity.entity_type != "creature" or not _ITS_STATISTICS.search(text):
        return text
    return _ITS_STATISTICS.sub(
        lambda match: "its " if match["name"] in entity.name.casefold().split() else match[0], text
    )


def _texts(entity: Entity) -> Iterator[str]:
    yield from (entity.facts[column] for column in _TEXTS if entity.facts.get(column))
    if material := (entity.facts.get("components") or {}).get("material_description"):
        yield material
    rows = [row for column in _PARTS for row in entity.facts.get(column) or ()]
    if feature := entity.facts.get("feature"):
        rows.append(feature)
    yield from (row[told] for row in rows for told in ("description", "usage") if row.get(told))
    yield from (row["name"] for row in rows if "(Recharge" in (row["name"] or ""))


def _marked(entity: Entity, marks: Marks) -> Iterator[Mention]:
    """Things that the sources link to with words that the entity's text still has."""
    found = [mark for raw in entity.raw for mark in marks.get(raw, ())]
    if found:
        text = normalize_name(" ".join(_texts(entity)).replace("*", "").replace("_", ""))
        for words, target in (each for each in found if each[0] not in entity.struck):
            places = re.finditer(rf"\b{re.escape(normalize_name(words))}\b", text)
            said = [whole_names(words, text, place.start()) for place in places]
            if said and not names_school(words, text):
                _, kind, slug = _PREFIX.split(target.rstrip("/").rpartition("/")[2], maxsplit=1)
                if not slug.startswith(f"{slugify(words).removesuffix('s')}-of-"):  # "potions" is not one item
                    yield Mention((*min(said, key=len)[:-1], slug, words), _MARKED[kind])


def _namesakes(entity: Entity, marks: Marks) -> Iterator[str]:
    """Possible ids of other rules that the sources link to by this rule's own name: "Alignment" of monsters."""
    own = normalize_name(entity.name)
    for mention in _marked(entity, marks) if entity.entity_type == "rule" else ():
        if own in map(normalize_name, mention.names):
            yield f"rule/{entity.document_key}/{slugify(mention.names[-2])}"
