"""`search_rule` and `lookup_rule`."""

from typing import Final

from server.dataset.schema import RULE_TYPES, RULES
from server.tools.parameters import token, words
from server.tools.tool import finder

_TYPE: Final = token(
    "rule_type",
    'What to find, e.g. "condition"; "rule" is the rules text itself.',
    RULE_TYPES,
    target="kind",
    required=True,
)

SEARCH: Final = finder(
    "search_rule",
    "Search rules",
    "Find passages of the rules, or conditions, damage types, weapon properties, skills, ability scores, schools of "
    "magic, languages, proficiencies and alignments, by question. `search` ranks by meaning; without it everything of "
    "the type is listed by name. For a rule or condition whose name you know use lookup_rule.\n"
    "Examples:\n"
    'search_rule(rule_type="rule", search="what happens when I fall")\n'
    'search_rule(rule_type="rule", section="combat", detail="summary")',
    toolset="search",
    family="rule",
    tables=(RULES,),
    first=(_TYPE, words("search", 'The question, in your own words, e.g. "attacking while hidden".', target="search")),
)

LOOKUP: Final = finder(
    "lookup_rule",
    "Look up rules",
    "Get passages of the rules, or conditions, damage types, weapon properties, skills, ability scores, schools of "
    "magic, languages, proficiencies and alignments, by name, as every source document prints them. Misspelt names "
    "come back as suggestions. For a question instead of a name use search_rule.\n"
    "Examples:\n"
    'lookup_rule(rule_type="condition", name="grappled")\n'
    'lookup_rule(rule_type="rule", name="opportunity attack", documents=["srd-5e"])',
    toolset="lookup",
    family="rule",
    tables=(RULES,),
    first=(_TYPE, words("name", 'Name, part of it, or pattern, e.g. "prone", "*cover*".', target="name")),
)
