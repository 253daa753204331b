"""Hand-written equipment objects in the shapes of every API, and the entities made of them."""

from merging import linked

from build_pipeline.normalize.equipment import equipment
from build_pipeline.normalize.merging.draft import Problems
from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.strict_json import dump_json

V2_DOCUMENT = {"srd-2014": "srd", "srd-2024": "srd-2024", "a5e": "a5e"}


def document(key):
    return {"key": key, "name": key, "gamesystem": {"key": "5e", "name": "5e"}}


def weapon_property(name, detail=None, kind=None):
    return {"property": {"name": name, "type": kind, "desc": "How it works."}, "detail": detail}


def v2_weapon(slug, doc="srd-2014", *, dice="1d8", kind="Slashing", simple=False, properties=(), ranges=(0, 0)):
    return {
        "key": f"{V2_DOCUMENT[doc]}_{slug}",
        "document": document(doc),
        "name": slug.replace("-", " ").title(),
        "properties": list(properties),
        "damage_type": {"name": kind, "key": kind.lower()},
        "damage_dice": dice,
        "range": ranges[0],
        "long_range": ranges[1],
        "is_simple": simple,
        "is_improvised": False,
    }


def v2_armor(slug, doc="srd-2014", *, base=18, category="heavy", strength=15):
    return {
        "key": f"{V2_DOCUMENT[doc]}_{slug}",
        "document": document(doc),
        "name": slug.replace("-", " ").title(),
        "category": category,
        "ac_base": base,
        "ac_display": f"{base}",
        "ac_add_dexmod": False,
        "ac_cap_dexmod": None,
        "grants_stealth_disadvantage": True,
        "strength_score_required": strength,
    }


def v2_item(slug, doc="srd-2014", *, category="adventuring-gear", weapon=None, armor=None, **fields):
    return {
        "key": f"{V2_DOCUMENT[doc]}_{slug}",
        "name": slug.replace("-", " ").title(),
        "desc": "A thing to carry.",
        "category": {"key": category, "name": category.title()},
        "weapon": weapon,
        "armor": armor,
        "weight": "3.000",
        "weight_unit": "lb",
        "cost": "15.00",
        "document": document(doc),
    } | fields


def v2_magic_item(slug, doc="srd-2014", *, rarity="Rare", attunement=False, detail=None, **fields):
    item = v2_item(slug, doc, cost="0.00", weight="0.000", **fields)
    item["rarity"] = {"name": rarity, "key": rarity.lower()}
    return item | {"requires_attunement": attunement, "attunement_detail": detail}


def v1_magic_item(slug, kind, rarity, *, doc="wotc-srd", text="It glows."):
    return {
        "slug": slug,
        "name": slug.replace("-", " ").title(),
        "type": kind,
        "desc": text,
        "rarity": rarity,
        "requires_attunement": "",
        "document__slug": doc,
    }


def dnd5e_magic_item(index, name, rarity, lines, *, variants=(), variant=False, category="weapon"):
    return {
        "index": index,
        "name": name,
        "equipment_category": {"index": category, "name": category.title()},
        "rarity": {"name": rarity},
        "variants": [{"index": i, "name": n} for i, n in variants],
        "variant": variant,
        "desc": list(lines),
    }


def layer(**endpoints):
    """A raw layer; the keywords name source and endpoint: `open5e_v2__items=[…]`, `dnd5e_api__2014__equipment=[…]`."""
    raw = RawLayer()
    for where, objects in endpoints.items():
        source, _, rest = where.partition("__")
        endpoint = rest.replace("__", "/").replace("magic_items", "magic-items")
        for data in objects:
            key = data.get("key") or data.get("slug") or data["index"]
            raw.add(RawObject(source, endpoint, key, "", "", dump_json(data)))
    return raw


def read(raw):
    """(entities by id, problems) of a raw layer."""
    problems = Problems()
    return {e.id: e for e in linked(equipment.drafts(raw, problems), equipment)}, problems.entries
