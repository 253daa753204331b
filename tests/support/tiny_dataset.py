"""A small dataset made by hand straight from the schema: a few dozen entities in four documents."""

from pathlib import Path
from typing import Any

import faiss
import numpy as np
import polars as pl
from tiny_encoder import DIMENSIONS, MAX_TOKENS, write_tiny_encoder

from build_pipeline.index.lexicon import write_attributes, write_effects, write_lexicon
from build_pipeline.index.vocabulary.attributes import Attribute
from build_pipeline.index.word_vectors import write_model
from server.dataset.dataset import Dataset
from server.dataset.files import RANKING_FILE
from server.dataset.index.query_model import QueryModel, sample
from server.dataset.index.ranking_weights import Fit, Weights, write_fit
from server.dataset.names import normalize_name, slugify
from server.dataset.schema import DOCUMENTS, ENTITY_TABLES, SCHEMA_VERSION, TABLE_OF

Row = dict[str, Any]

WEIGHTS = Weights(coverage=0.2, name=0.5, effect=0.2, attribute=0.1, preferred=0.08, slope=6.0, offset=5.5, floor=0.1)
"""For this dataset and its encoder of few words; the weights fitted to the real one do not suit them."""

DOCUMENT_NAMES = {
    "srd-2014": ("System Reference Document 5.1", "5e-2014", ["srd-5e", "srd"]),
    "srd-2024": ("System Reference Document 5.2", "5e-2024", ["srd-5.2"]),
    "a5e-ag": ("Adventurer's Guide", "a5e", []),
    "hearth": ("Tales of the Hearth", None, ["hearthbook"]),
}


def entity(entity_type: str, document: str, name: str, description: str | None = None, **facts: Any) -> Row:
    table = TABLE_OF[entity_type]
    slug = slugify(name)
    common = {
        "id": f"{entity_type}/{document}/{slug}",
        "entity_type": entity_type,
        "name": name,
        "slug": slug,
        "description": description,
        "document_key": document,
        "document_name": DOCUMENT_NAMES[document][0],
        "document_source": "open5e_v2",
        "sources": ["open5e_v2"],
        "game_system": DOCUMENT_NAMES[document][1],
        "license": "OGL",
        "name_normalized": normalize_name(name),
        "keys": [f"{document}_{slug}"],
        "provenance": {"raw": [], "filled": [], "from_text": []},
    }
    unknown = set(facts) - {column.name for column in table.columns}
    assert not unknown, unknown
    return {column.name: None for column in table.columns} | common | facts


def reference(target: Row) -> Row:
    return {key: target[key] for key in ("id", "name", "document_key")}


def child(target: Row) -> Row:
    return reference(target) | {"description": target["description"]}


def cast(name: str, entity_id: str) -> Row:
    return {"name": name, "id": entity_id, "usage": "1/Day", "level": None}


def spell(document: str, name: str, level: int, school: str, text: str, **facts: Any) -> Row:
    defaults: Row = {"casting_time": "1 action", "concentration": False, "ritual": False, "classes": ["wizard"]}
    return entity("spell", document, name, text, level=level, school=school, **(defaults | facts))


def creature(document: str, name: str, rating: float, kind: str, text: str, **facts: Any) -> Row:
    defaults: Row = {"armor_class": 12 + int(rating / 3), "hit_points": 10 + int(rating * 15), "size": "medium"}
    return entity("creature", document, name, text, challenge_rating=rating, type=kind, **(defaults | facts))


def item(entity_type: str, document: str, name: str, text: str | None, **facts: Any) -> Row:
    defaults: Row = {
        "is_magic": entity_type == "magic-item",
        "is_weapon": entity_type == "weapon",
        "is_armor": entity_type == "armor",
    }
    return entity(entity_type, document, name, text, **(defaults | facts))


def rule(rule_type: str, document: str, name: str, text: str, **facts: Any) -> Row:
    return entity(rule_type, document, name, text, **({"rule_type": rule_type, "headings": []} | facts))


def feature(name: str, level: int, text: str, *, again: int | None = None) -> Row:
    levels = [level] if again is None else [level, again]
    facts = {"name": name, "level": level, "levels": levels, "uses": None, "prerequisite": None}
    return facts | {"description": text}


def _spells() -> list[Row]:
    fire = {"damage_dice": "8d6", "damage_types": ["fire"], "saving_throw": "dexterity"}
    burst = "A bead of flame bursts into a roaring sphere. Everyone near it burns."
    return [
        *(spell(d, "Fireball", 3, "evocation", burst, **fire) for d in ("srd-2014", "srd-2024", "a5e-ag", "hearth")),
        spell("srd-2014", "Delayed Blast Fireball", 7, "evocation", "A bead of flame waits, then bursts.", **fire),
        spell("srd-2014", "Fire Bolt", 0, "evocation", "You fling a mote of flame.", damage_types=["fire"]),
        spell("srd-2014", "Wall of Fire", 4, "evocation", "A wall of flame rises.", concentration=True),
        spell("srd-2014", "Shield", 1, "abjuration", "A barrier stops a blow.", casting_time="1 reaction"),
        spell("srd-2014", "Alarm", 1, "abjuration", "A bell warns you of intruders.", ritual=True, classes=["ranger"]),
        spell("srd-2014", "Healing Word", 1, "evocation", "A word mends wounds.", casting_time="1 bonus action"),
        spell("srd-2014", "Hunter’s Mark", 1, "divination", "You mark your quarry.", classes=["ranger"]),
        spell("hearth", "Ember Hush", 3, "abjuration", "Every flame nearby dies. Smoke lingers.", classes=None),
        spell("hearth", "Élan of Ash", 2, "necromancy", "Ash lends you vigour.", concentration=None),
    ]


def _creatures() -> list[Row]:
    breath = {"name": "Fire Breath", "description": "It breathes fire in a cone. " * 40, "attacks": [], "usage": None}
    return [
        *(
            creature(
                d,
                f"{age} Red Dragon",
                rating,
                "dragon",
                "A cruel dragon that breathes fire.",
                actions=[breath] * 4,
                size=size,
            )
            for d in ("srd-2014", "srd-2024")
            for age, rating, size in (("Young", 10, "large"), ("Adult", 17, "huge"), ("Ancient", 24, "gargantuan"))
        ),
        creature("srd-2014", "Wraith", 5, "undead", "It drains life.", environments=["swamp", "urban"]),
        creature("srd-2014", "Wolf", 0.25, "beast", "It hunts in packs.", environments=["forest"]),
        creature("srd-2014", "Dire Wolf", 1, "beast", "A big wolf.", size="large", environments=["forest", "arctic"]),
        creature(
            "hearth",
            "Hearth Imp",
            0.5,
            "fiend",
            "A spiteful imp of soot.",
            size="tiny",
            armor_class=None,
            speed={"walk": 0, "fly": 40, "hover": True},
            damage_immunities=["fire", "poison"],
            condition_immunities=["poisoned"],
            damage_vulnerabilities=["cold", "thunder (in rain)"],
            inflicts=["blinded"],
            saves=[
                {
                    "section": "actions",
                    "feature": "Soot Cloud",
                    "abilities": ["dexterity"],
                    "dc": 11,
                    "save_effect": "half",
                    "damage": [{"dice": "2d6", "average": 7.0, "type": "fire"}],
                    "area_of_effect": {"shape": "cone", "size": 15, "unit": "feet"},
                }
            ],
            forces_saves=["dexterity"],
            spells=[cast("Ember Hush", "spell/hearth/ember-hush"), cast("Fireball", "spell/hearth/fireball")],
            links=["spell/hearth/ember-hush", "spell/hearth/fireball"],
        ),
        creature(
            "srd-2014",
            "Scout",
            0.5,
            "humanoid",
            "It keeps watch.",
            skills={"stealth": 6, "perception": 5},
            speed={"walk": 30},
        ),
    ]


def _equipment() -> list[Row]:
    longsword = item(
        "weapon",
        "srd-2014",
        "Longsword",
        None,
        cost_gp=15.0,
        weight_lb=3.0,
        is_simple=False,
        damage_dice="1d8",
        is_finesse=False,
        is_light=False,
        weapon_category="martial",
    )
    magic = {"rarity": "rare", "requires_attunement": True}
    return [
        longsword,
        item(
            "weapon", "srd-2014", "Greatsword", None, cost_gp=50.0, damage_dice="2d6", is_simple=False, is_light=False
        ),
        item(
            "weapon",
            "srd-2014",
            "Dagger",
            None,
            cost_gp=2.0,
            weight_lb=1.0,
            damage_dice="1d4",
            is_simple=True,
            is_finesse=True,
            is_light=True,
        ),
        item("armor", "srd-2014", "Chain Mail", "Rings of metal.", cost_gp=75.0, armor_class=16, strength_required=13),
        item("armor", "srd-2014", "Shield", "A shield of wood.", cost_gp=10.0, armor_class=2, item_category="shield"),
        item("adventuring-gear", "srd-2014", "Chain (10 feet)", "A chain.", keys=["10-feet-chain"], cost_gp=5.0),
        item("adventuring-gear", "srd-2024", "Rope", "It holds.", cost_gp=1.0),
        *(
            item(
                "magic-item",
                d,
                f"Flame Tongue ({base})",
                "A blade wreathed in flame.",
                is_weapon=True,
                damage_dice=dice,
                base_item=reference(longsword) if base == "Longsword" else None,
                **magic,
            )
            for d in ("srd-2014", "hearth")
            for base, dice in (("Longsword", "1d8"), ("Greatsword", "2d6"))
        ),
        *(
            item("magic-item", "srd-2014", f"Longsword (+{n})", "A finer blade.", is_weapon=True, rarity=rarity)
            for n, rarity in ((1, "uncommon"), (2, "rare"), (3, "very rare"))
        ),
        item(
            "magic-item",
            "srd-2014",
            "Wand of Magic Missiles",
            "It darts.",
            rarity="uncommon",
            requires_attunement=False,
        ),
        item(
            "magic-item",
            "srd-2014",
            "Robe of the Archmagi",
            "A robe.",
            rarity="legendary",
            requires_attunement=True,
            attunement_detail="by a sorcerer, warlock, or wizard",
            spells=[cast("Fireball", "spell/srd-2014/fireball")],
            links=["spell/srd-2014/fireball"],
        ),
        item(
            "magic-item",
            "srd-2014",
            "Arrow-Catching Shield",
            "It catches arrows.",
            is_armor=True,
            armor_class=2,
            **magic,
        ),
    ]


def _options() -> list[Row]:
    paladin = entity("class", "srd-2014", "Paladin", "A holy warrior.", hit_dice="d10")
    elf = entity("race", "srd-2014", "Elf", "A graceful people.", size="medium")
    devotion = entity("subclass", "srd-2014", "Oath of Devotion", "Honour above all.", subclass_of=reference(paladin))
    hearth_oath = entity("subclass", "hearth", "Oath of the Hearth", "Guard the fire.", subclass_of=reference(paladin))
    high_elf = entity("subrace", "srd-2014", "High Elf", "Learned elves.", subrace_of=reference(elf))
    soot_elf = entity("subrace", "hearth", "Soot Elf", "Elves of the chimneys.", subrace_of=reference(elf))
    paladin["features"] = [
        feature("Divine Sense", 1, "You smell evil."),
        feature("Divine Health", 3, "No disease takes you."),
        feature("Aura", 6, "Friends nearby stand firm.", again=18),
    ]
    paladin["progression"] = [
        {
            "level": level,
            "proficiency_bonus": 2,
            "features": features,
            "columns": [{"name": "Spell Slots 1st", "value": slots}],
        }
        for level, features, slots in ((1, ["Divine Sense"], None), (2, [], "2"), (3, ["Divine Health"], "3"))
    ]
    paladin["subclasses"] = [child(devotion), child(hearth_oath)]
    elf["subraces"] = [child(high_elf), child(soot_elf)]
    return [
        paladin, elf, devotion, hearth_oath, high_elf, soot_elf,
        entity("race", "srd-2014", "Half-Elf", "Of two peoples."),
        entity("race", "srd-2014", "Dwarf", "A sturdy people."),
        entity("background", "srd-2014", "Acolyte", "You served a temple."),
        entity("feat", "hearth", "Fireproof", "Flames hurt you less.", prerequisite="Constitution 13"),
    ]  # fmt: skip


def _rules() -> list[Row]:
    combat = {"section": "Combat", "headings": ["combat"]}
    return [
        rule("rule", "srd-2014", "Opportunity Attacks", "You strike whoever leaves your reach.",
             **combat | {"headings": ["combat", "making an attack"]},
             related=["rule/srd-2014/cover", "rule/hearth/brawls", "Reach"]),
        rule("rule", "srd-2014", "Cover", "Walls protect you.", **combat,
             tables=[{"title": "Kinds of Cover", "columns": ["Cover", "AC"], "rows": [["half", "+2"]]}]),
        rule("rule", "srd-2014", "Falling", "A fall hurts.", section="Adventuring", headings=["adventuring"]),
        rule("rule", "hearth", "Brawls", "Chairs fly.", section="Taverns", headings=["taverns"]),
        rule("condition", "srd-2014", "Grappled", "Your speed becomes 0."),
        rule("skill", "srd-2014", "Stealth", "Hiding.", ability="dexterity"),
        rule("alignment", "srd-2014", "Chaotic Good", "Kind and free.", abbreviation="CG"),
    ]  # fmt: skip


ROWS: list[Row] = [*_spells(), *_creatures(), *_equipment(), *_options(), *_rules()]


def _tables() -> dict[str, pl.DataFrame]:
    return {
        table.name: pl.DataFrame(
            sorted((r for r in ROWS if r["entity_type"] in table.entity_types), key=lambda r: (r["name"], r["id"])),
            schema=table.schema,
        )
        for table in ENTITY_TABLES
    }


def _documents() -> pl.DataFrame:
    rows = []
    for key, (name, system, aliases) in DOCUMENT_NAMES.items():
        types = [row["entity_type"] for row in ROWS if row["document_key"] == key]
        counts = [{"entity_type": t, "count": types.count(t)} for t in sorted(set(types))]
        for source in ("open5e_v2", "orcbrew"):
            mine = (source == "orcbrew") == (key == "hearth")
            rows.append(
                dict.fromkeys(column.name for column in DOCUMENTS.columns)
                | {
                    "document_key": key,
                    "document_name": name,
                    "source_api": source,
                    "entity_count": len(types) if mine else 0,
                    "entity_types": counts if mine else [],
                    "game_system": system,
                    "aliases": aliases,
                }
            )
    return pl.DataFrame(rows, schema=DOCUMENTS.schema)


def _attributes() -> list[tuple[Attribute, list[str]]]:
    """Facts that queries may mention, each with the entities that have it."""

    def having(**facts: object) -> list[str]:
        return [row["id"] for row in ROWS if all(row.get(name) == value for name, value in facts.items())]

    creatures, equipment, spells = ("creatures",), ("equipment",), ("spells",)
    rating = {"cr_min": "0", "cr_max": "1"}
    return [
        (Attribute("type undead", creatures, "", r"\bundead\b", {"type": "undead"}), having(type="undead")),
        (Attribute("challenge rating 1/4", creatures, "", r"\bcr 1/4", {"cr": "1/4"}), having(challenge_rating=0.25)),
        (Attribute("easy", creatures, "", r"\beasy\b", rating), ["creature/srd-2014/wolf", "creature/srd-2014/scout"]),
        (Attribute("lucky", creatures, "", r"\blucky\b"), ["creature/srd-2014/wolf"]),
        (Attribute("ritual", spells, "", r"\britual\b", {"ritual": "true"}), having(ritual=True)),
        (Attribute("level 3", spells, "", r"\blevel 3\b", {"level": "3"}), having(level=3)),
        (Attribute("weapon", equipment, "", r"\bweapon\b", {"type": "weapon"}), having(is_weapon=True)),
        (Attribute("spell", spells, "", r"\bspell\b", {"content_types": "spell"}), having(entity_type="spell")),
    ]


def build_tiny_dataset(path: Path) -> Dataset:
    """The dataset, its encoder written to `path`; every entity has two rows in the index: name with text, and text."""
    tables = _tables()
    passages = [
        (row["id"], label, text)
        for row in (row for table in ENTITY_TABLES for row in tables[table.name].to_dicts())
        for label, text in (("facts", f"{row['name']}: {row['description']}"), ("1", row["description"] or row["name"]))
    ]
    write_tiny_encoder(path / "encoder", [text for _, _, text in passages])
    write_model(path / "encoder" / "model.onnx", path / "encoder")
    encoder = QueryModel(path / "encoder")
    index = faiss.IndexFlatIP(DIMENSIONS)
    index.add(np.stack([encoder.encode(text).vector for _, _, text in passages]))
    said = {"hot stuff": [row["id"] for row in ROWS if "fire" in (row["description"] or "").casefold()]}
    write_lexicon(path, [row for table in ENTITY_TABLES for row in tables[table.name].to_dicts()], said)
    write_effects(path, said, np.stack([encoder.encode(phrase).vector for phrase in said]))
    write_attributes(path, *zip(*_attributes(), strict=True))
    write_fit(path / RANKING_FILE, Fit(WEIGHTS, {}))
    samples = [sample(text, encoder.encode(text).vector) for text in ("bead of flame", "drain life")]
    manifest: Any = {
        "schema_version": SCHEMA_VERSION,
        "dataset_version": "2026.11.20",
        "built_at": "2026-11-20T00:00:00Z",
        "snapshot_at": "2026-11-20T00:00:00Z",
        "encoder": {"max_tokens": MAX_TOKENS, "dimensions": DIMENSIONS, "samples": samples},
    }
    vectors = pl.DataFrame(
        {"entity_id": [p[0] for p in passages], "passage": [p[1] for p in passages], "input_hash": [""] * len(passages)}
    )
    return Dataset(path, manifest, _documents(), tables, index, vectors)
