"""`query`: the dataset by SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.tools.output import COUNT, EVERY_ANSWER, STRINGS
from server.tools.parameters import integer, words
from server.tools.tool import Envelope, Tool, noted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.library.library import Library

MAX_STATEMENT: Final = 10_000
MAX_ROWS: Final = 500
DEFAULT_ROWS: Final = 50

_DESCRIPTION: Final = """\
SQL (DuckDB, one SELECT) where no filter fits: counts, sets, superlatives, joins. \
"describe spells" lists all columns. Values are lower case; unknown is NULL, [] is none.
Entities: id, entity_type, name, description, document_key, links[]
spells: level, school, casting_time, concentration, ritual, classes[], damage_types[], saving_throw, \
components.material_cost_gp
creatures: size, type, armor_class, hit_points, speed.fly, ability_scores.strength, challenge_rating, \
experience_points, damage_immunities[], condition_immunities[], senses.darkvision, traits[], actions[] {name}, saves[]
equipment: item_category, base_item, cost_gp, weight_lb, rarity, requires_attunement, damage_dice, \
properties[] {name}, range, mastery, armor_class, armor_category, stealth_disadvantage
character_options: hit_dice, spellcasting_ability, features[] {name, levels[]}, subclass_of.name, \
skill_proficiencies, prerequisite, feat_type
rules: section; documents: document_name; tags: entity_id, tag
E.g. sql="SELECT name FROM spells WHERE document_key='srd-2024' AND list_contains(classes, 'wizard')"; \
sql="SELECT count(*) FROM spells"."""


def _answer(library: Library, given: Mapping[str, Any], notes: tuple[str, ...]) -> Envelope:
    return noted(library.query(given["sql"], given["limit"]), notes)


QUERY: Final = Tool(
    "query",
    "Query by SQL",
    "query",
    _DESCRIPTION,
    parameters=(
        words("sql", "One SELECT", longest=MAX_STATEMENT, required=True),
        integer("limit", "1-500", 1, MAX_ROWS, default=DEFAULT_ROWS),
    ),
    tables=(),
    answer=_answer,
    answers={
        "columns": STRINGS,
        "rows": {"type": "array", "items": {"type": "array"}},
        "row_count": COUNT,
        "truncated": {"type": "boolean"},
        "documents": {},
        **EVERY_ANSWER,
    },
    waits=True,
)
