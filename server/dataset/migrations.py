"""The changes to the schema, revision by revision.

A revision is `<schema version>.<number>`: the version is raised by changes that readers must follow, the number by
additions. Whoever adds a column, or a member of a struct, adds a revision here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Migration:
    """One revision of the schema.

    Attributes:
        revision: its name.
        change: what changed, for readers of datasets.
        added: paths of the columns, members or tables that came with it; `*` stands for every table of entities.
            Everything below a path came with it too.
    """

    revision: str
    change: str
    added: tuple[str, ...] = ()


MIGRATIONS: Final = (
    Migration("1.0", "The first schema."),
    Migration("1.1", "Provenance names the facts that were corrected manually.", ("*.provenance.corrected",)),
    Migration(
        "1.2",
        "Classes have their spell list, primary ability and multiclassing rules, options the classes that offer them, "
        "features their uses and prerequisite.",
        (
            "character_options.primary_ability",
            "character_options.multiclassing",
            "character_options.features[].uses",
            "character_options.features[].prerequisite",
            "character_options.options",
            "character_options.spell_list",
            "character_options.option_of",
        ),
    ),
    Migration("1.3", "A table of tags: what each entity does, with the text behind each tag.", ("tags",)),
    Migration(
        "1.4",
        "Facts read from texts: what spells and creatures inflict, heal and cast, the charges of items, gear, "
        "tables of rules.",
        (
            "documents.copyright",
            "spells.save_effect",
            "spells.inflicts",
            "spells.heals",
            "spells.casting_options",
            "spells.page",
            "creatures.initiative_bonus",
            "creatures.senses.keensense",
            "creatures.senses.blind_beyond",
            "creatures.lair_experience_points",
            "creatures.gear",
            "creatures.legendary_uses",
            "creatures.spells",
            "creatures.save_dc",
            "creatures.forces_saves",
            "creatures.inflicts",
            "creatures.deals",
            "creatures.group",
            "creatures.page",
            "equipment.bonus",
            "equipment.charges",
            "equipment.spells",
            "rules.tags",
            "rules.tables",
            "rules.reading_order",
        ),
    ),
    Migration("1.5", "Links: the entities that an entity's facts and text name.", ("*.links",)),
    Migration("1.6", "Creatures have the other sizes they may have.", ("creatures.other_sizes",)),
    Migration(
        "1.7",
        "Numbers alongside words and dice: range in feet, duration in minutes, average damage.",
        (
            "spells.range_feet",
            "spells.duration_minutes",
            "spells.damage_average",
            "creatures.actions[].attacks[].damage[].average",
            "creatures.bonus_actions[].attacks[].damage[].average",
            "creatures.reactions[].attacks[].damage[].average",
            "creatures.legendary_actions[].attacks[].damage[].average",
            "creatures.lair_actions[].attacks[].damage[].average",
            "equipment.damage_average",
            "equipment.versatile_average",
        ),
    ),
    Migration("1.8", "Rules name the rules directly below them.", ("rules.children",)),
    Migration("1.9", "Spells name all the saving throws that they force.", ("spells.forces_saves",)),
    Migration("1.10", "Racial traits have their uses, as features have.", ("character_options.traits[].uses",)),
    Migration(
        "1.11",
        "Creatures have the conditions that they resist or are vulnerable to, and stat block lines that say more than "
        "their columns hold; both were part of the description.",
        ("creatures.condition_vulnerabilities", "creatures.condition_resistances", "creatures.stat_lines"),
    ),
    Migration(
        "1.12",
        "Subclasses have the spells that they give or add, weapons whether they are ranged.",
        ("character_options.subclass_spells", "equipment.is_ranged"),
    ),
    Migration(
        "1.13",
        "Creatures have the saving throws that each trait and action forces, with DC, damage and area.",
        ("creatures.saves",),
    ),
)


def introduced_in(path: str) -> str:
    """The revision that introduced a table, a column or a member, given by its path: `spells.links`."""
    return next(
        (m.revision for m in reversed(MIGRATIONS) for added in m.added if _covers(added, path)), MIGRATIONS[0].revision
    )


def _covers(added: str, path: str) -> bool:
    if added.startswith("*."):
        added, (_, _, path) = added.removeprefix("*."), path.partition(".")
    rest = path.removeprefix(added)
    return path.startswith(added) and (not rest or rest.startswith((".", "[")))
