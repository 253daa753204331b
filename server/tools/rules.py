"""`search_rule` and `lookup_rule`."""

from typing import Final

from server.dataset.schema import RULE_TYPES
from server.tools.parameters import names, token, words
from server.tools.tool import finder

_TYPE: Final = token(
    "rule_type",
    "rule: rules text",
    RULE_TYPES,
    target="kind",
    required=True,
)

SEARCH: Final = finder(
    "search_rule",
    "Search rules",
    "Find rules, conditions, skills… by question. Name known: lookup_rule; class features: search_character_option. "
    'E.g. rule_type="rule", search="when I fall"; rule_type="rule", section="combat".',
    _TYPE,
    words("search", "E.g. attack unseen", target="search"),
)

LOOKUP: Final = finder(
    "lookup_rule",
    "Look up rules",
    "Get rules, conditions, skills, languages… by name. No name: "
    'search_rule. E.g. rule_type="condition", name="grappled"; rule_type="skill".',
    _TYPE,
    names("Or pattern: *cover*"),
)
