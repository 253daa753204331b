"""Stat blocks of the System Reference Documents → creature drafts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.books.creatures.stat_block_body import COLUMNS, read_body
from build_pipeline.normalize.books.creatures.stat_block_head import Head, read_head
from build_pipeline.normalize.books.drafts import where
from build_pipeline.normalize.books.tree import SOURCE, Section, read_book
from build_pipeline.normalize.merging.directory import SRD_DOCUMENTS
from build_pipeline.normalize.merging.draft import Draft, Problems
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import slugify

AUTHORITATIVE_COLUMNS: Final = tuple(
    f"creatures.{column}"
    for column in (
        "size", "other_sizes", "type", "subtype", "alignment", "armor_class", "armor_description", "initiative_bonus",
        "hit_points", "hit_dice", "speed", "ability_scores", "saving_throws", "skills", "proficiency_bonus",
        "damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities", "senses",
        "languages", "challenge_rating", "experience_points", "lair_experience_points", "gear", "traits", "actions",
        "bonus_actions", "reactions", "legendary_description", "legendary_actions", "legendary_uses", "group",
        "stat_lines",
    )
)  # fmt: skip
"""The columns in which a book's stat block is right and its lists are complete, whatever an API adds."""

_USUAL_NAMES: Final = {"Elf, Drow": "Drow", "Gnome, Deep (Svirfneblin)": "Deep Gnome (Svirfneblin)"}
"""Headings that file a creature under its people → its usual name; the heading remains a key."""

_NO_GROUP: Final = {"Uncategorized", "Creature Descriptions", "Nonplayer Character Descriptions"}
"""Headings above stat blocks that are chapters, not groups of creatures."""

_VARIANT: Final = "Variant: "


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every stat block of the books; one that could be read only in part is reported in the problems."""
    for document in SRD_DOCUMENTS:
        by_name: dict[str, Draft] = {}
        for part in read_book(raw, document):
            for section in part.walk():
                with problems.instead_of_failing(section.raw):
                    if head := read_head(section.text):
                        _add(by_name, _draft(section, head, document, problems), section, problems)
        yield from by_name.values()


def _add(by_name: dict[str, Draft], draft: Draft, section: Section, problems: Problems) -> None:
    """Add a draft; a transcription has some stat blocks twice."""
    first = by_name.setdefault(draft.name, draft)
    if first is draft:
        return
    first.raw += draft.raw
    differing = [column for column, value in draft.facts.items() if first.facts[column] != value]
    if differing:
        problems.add(
            section.raw.id, f"{_stat_block(section)}: occurs a second time and differs in {', '.join(differing)}"
        )


def _stat_block(section: Section) -> str:
    return f"{where(section)}: stat block {section.title!r}"


def _draft(section: Section, head: Head, document: str, problems: Problems) -> Draft:
    name = _USUAL_NAMES.get(section.title, section.title)
    parts = [("", head.rest if not head.modern else "")]
    below = [*section.children, *_siblings_of_its_own(section)]
    parts += [(part.title, part.text) for part in below]
    facts: dict[str, Any] = head.facts | read_body(parts, with_lore=not head.modern)
    group = _group(section)
    variant = _variant(section)
    texts = [facts["description"], *([f"### {variant.title}", variant.whole()] if variant else [])]
    facts["description"] = "\n\n".join(filter(None, texts)) or None
    facts["stat_lines"] = [{"name": label, "description": line} for label, line in head.beyond.items()] or None
    facts["group"] = group.title if group else None
    empty = [heading for heading, text in parts if heading.lower() in COLUMNS and not facts[COLUMNS[heading.lower()]]]
    for unread in [*head.unread, *(f"its {heading}" for heading in empty)]:
        problems.add(section.raw.id, f"{_stat_block(section)}: cannot read {unread}")
    sections = [section, *below, *(variant.walk() if variant else ()), *([group] if group else ())]
    ids = tuple(part.raw.id for part in sections)
    return Draft(SOURCE, ids, "creature", document, name, (slugify(section.title),), facts=facts)


def _group(section: Section) -> Section | None:
    """The heading above that only gathers creatures ("Black Dragons"), or None."""
    above = section.parent
    if above is None or above.parent is None or above.text or above.title in _NO_GROUP:
        return None
    return above


def _siblings_of_its_own(section: Section) -> Iterator[Section]:
    """Headings such as "Actions" right after a stat block, where a transcription puts them on the block's level."""
    for following in _after(section):
        if following.title.lower() not in COLUMNS:
            return
        yield following


def _after(section: Section) -> list[Section]:
    siblings = section.parent.children if section.parent else []
    return siblings[siblings.index(section) + 1 :] if siblings else []


def _variant(section: Section) -> Section | None:
    """The section after a stat block that describes a variant of it, such as "Variant: Insect Swarms"."""
    following = _after(section)
    return following[0] if following and following[0].title.startswith(_VARIANT) else None
