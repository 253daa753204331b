"""Every endpoint of every API, declared once: what it is called, how it is fetched, what it holds.

The snapshot (which URLs), the normalisers (who reads what), the coverage check (is anything forgotten) and the
report derive from `ENDPOINTS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Fetch(Enum):
    """How an endpoint's objects are obtained."""

    PAGES = "pages"
    """Pages of whole objects: `{count, next, previous, results}`."""
    DETAILS = "details"
    """One list of index rows, then one request an object."""
    CHILDREN = "children"
    """One request for each object of a parent endpoint; the answer is a list of objects."""
    CHILD = "child"
    """One request for each object of a parent endpoint; the answer is one object, keyed like the parent."""


class Family(Enum):
    """Which normaliser reads an endpoint; its value is that normaliser's module name."""

    SPELLS = "spells"
    CREATURES = "creatures"
    EQUIPMENT = "equipment"
    CHARACTER_OPTIONS = "character_options"
    RULES = "rules"
    DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One endpoint of one source.

    Attributes:
        source: open5e_v1, open5e_v2 or dnd5e_api.
        name: its name in the raw layer (`raw/<source>/<name>.parquet`).
        path: URL path below the source's base URL; `{key}` stands for the parent's key.
        key: the field that identifies an object.
        family: the normaliser that reads it, or None.
        no_entities: why it holds no entities, where no normaliser reads it.
        fetch: how its objects are obtained.
        parent: name of the parent endpoint, for children.
    """

    source: str
    name: str
    path: str
    key: str
    family: Family | None
    no_entities: str = ""
    fetch: Fetch = Fetch.PAGES
    parent: str = ""


def _v1(name: str, family: Family) -> Endpoint:
    return Endpoint("open5e_v1", name, f"/v1/{name}/", "slug", family)


def _v2(name: str, family: Family | None, no_entities: str = "") -> Endpoint:
    return Endpoint("open5e_v2", name, f"/v2/{name}/", "key", family, no_entities)


def _dnd5e(year: int, names: str, family: Family | None, no_entities: str = "") -> list[Endpoint]:
    return [
        Endpoint("dnd5e_api", f"{year}/{n}", f"/api/{year}/{n}", "index", family, no_entities, Fetch.DETAILS)
        for n in names.split()
    ]


def _dnd5e_children(parent: str, child: str, family: Family, key: str, fetch: Fetch) -> Endpoint:
    path = f"/api/2014/{parent}/{{key}}/{child}"
    return Endpoint("dnd5e_api", f"2014/{parent}-{child}", path, key, family, "", fetch, f"2014/{parent}")


_OPTIONS, _RULES, _EQUIPMENT = Family.CHARACTER_OPTIONS, Family.RULES, Family.EQUIPMENT

ENDPOINTS: Final = (
    *(Endpoint("srd", name, "", "path", None, "read below") for name in ("srd-2024", "srd-2014")),
    *(
        Endpoint("srd", name, "", "path", None, "a second witness of the book, for checks")
        for name in ("srd-2024-second", "srd-2014-second")
    ),
    _v1("spells", Family.SPELLS),
    _v1("spelllist", Family.SPELLS),
    _v1("monsters", Family.CREATURES),
    _v1("documents", Family.DOCUMENTS),
    _v1("backgrounds", _OPTIONS),
    _v1("feats", _OPTIONS),
    _v1("races", _OPTIONS),
    _v1("classes", _OPTIONS),
    _v1("planes", _RULES),
    _v1("sections", _RULES),
    _v1("conditions", _RULES),
    _v1("magicitems", _EQUIPMENT),
    _v1("weapons", _EQUIPMENT),
    _v1("armor", _EQUIPMENT),
    _v2("spells", Family.SPELLS),
    _v2("creatures", Family.CREATURES),
    _v2("creaturesets", None, "groups of creatures by key only, without text"),
    _v2("items", _EQUIPMENT),
    _v2("magicitems", _EQUIPMENT),
    _v2("weapons", _EQUIPMENT),
    _v2("armor", _EQUIPMENT),
    _v2("itemsets", _EQUIPMENT),
    _v2("services", _EQUIPMENT),
    _v2("itemcategories", None, "a vocabulary that every item repeats"),
    _v2("itemrarities", None, "a vocabulary that every magic item repeats"),
    _v2("classes", _OPTIONS),
    _v2("species", _OPTIONS),
    _v2("backgrounds", _OPTIONS),
    _v2("feats", _OPTIONS),
    _v2("rules", _RULES),
    _v2("rulesets", _RULES),
    _v2("conditions", _RULES),
    _v2("damagetypes", _RULES),
    _v2("weaponproperties", _RULES),
    _v2("skills", _RULES),
    _v2("abilities", _RULES),
    _v2("spellschools", _RULES),
    _v2("languages", _RULES),
    _v2("alignments", _RULES),
    _v2("environments", _RULES),
    _v2("creaturetypes", _RULES),
    _v2("sizes", None, "a vocabulary without text that every creature repeats"),
    _v2("images", None, "links to pictures"),
    _v2("documents", Family.DOCUMENTS),
    _v2("licenses", Family.DOCUMENTS),
    _v2("publishers", Family.DOCUMENTS),
    _v2("gamesystems", Family.DOCUMENTS),
    *_dnd5e(2014, "spells", Family.SPELLS),
    *_dnd5e(2014, "monsters", Family.CREATURES),
    *_dnd5e(2014, "equipment magic-items", _EQUIPMENT),
    *_dnd5e(2014, "equipment-categories", None, "groups of equipment that every item repeats"),
    *_dnd5e(2014, "classes subclasses races subraces backgrounds feats features traits", _OPTIONS),
    *_dnd5e(
        2014,
        "rules rule-sections conditions damage-types weapon-properties skills ability-scores magic-schools "
        "languages proficiencies alignments",
        _RULES,
    ),
    _dnd5e_children("classes", "levels", _OPTIONS, "index", Fetch.CHILDREN),
    _dnd5e_children("subclasses", "levels", _OPTIONS, "index", Fetch.CHILDREN),
    _dnd5e_children("classes", "spells", Family.SPELLS, "index", Fetch.CHILD),
    *_dnd5e(2024, "monsters", Family.CREATURES),
    *_dnd5e(2024, "equipment magic-items poisons", _EQUIPMENT),
    *_dnd5e(2024, "equipment-categories", None, "groups of equipment that every item repeats"),
    *_dnd5e(2024, "classes subclasses species subspecies backgrounds feats features traits", _OPTIONS),
    *_dnd5e(
        2024,
        "conditions damage-types weapon-properties weapon-mastery-properties skills ability-scores magic-schools "
        "languages proficiencies alignments",
        _RULES,
    ),
)
"""Every endpoint of Open5e v1 and v2 and the D&D 5e API 2014 and 2024."""

ENDPOINT: Final = {(e.source, e.name): e for e in ENDPOINTS}
"""Look-up by (source, name)."""
