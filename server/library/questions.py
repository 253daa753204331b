"""What a question asks about: `hide` of "DC to hide", `surprise` of "how does surprise work", what a DC is of."""

from __future__ import annotations

import re
from typing import Final

from server.dataset.terms import FUNCTION_WORDS, terms

_WHO: Final = r"(?:i|you|we|one|players?|characters?|creatures?|monsters?)"
_WHOM: Final = r"(?:npc|creature|monster|enemy|foe|opponent|target|ally|person)"
_QUESTION: Final = re.compile(
    rf"""
    (?:(?:how\s+(?:do|does|can|would|should)(?:\s+{_WHO}\b(?!\s*$))?      # how do I …, how does … work
         |what(?:'s|\s+is|\s+are|\s+do|\s+does)                           # what is …, what does … do
         |(?:when|where)?\s*(?:can|may|do|does)\s+{_WHO}
         |explain|(?:the\s+)?rules?\s+(?:for|of|on|about))\s+)?
    (?:(?:the\s+)?(?:save\s+|saving\s+throw\s+)?(?:dc|difficulty(?:\s+class)?)\s+(?:to|of|for|against)\s+)?
    (?:an?\s+|the\s+)?
    (?P<subject>\S.*?)
    (?:\s+(?:an?|the|another)\s+{_WHOM})?                                # grapple a creature, influence an NPC
    (?:\s+(?:works?|does?|means?|rules?))?
    [\s?!.]*
    """,
    re.IGNORECASE | re.VERBOSE,
)

_CHECK: Final = re.compile(
    r"\s*(?:what(?:'s|\s+is)\s+)?(?:the\s+)?(?:dc|difficulty(?:\s+class)?)\s+to\s+(?=\w)", re.IGNORECASE
)

_DC: Final = re.compile(r"(?<!save )(?<!spell )(?<!throw )\bdcs?\b(?! (?:\d|to\b))", re.IGNORECASE)
"""A DC that is neither a caster's nor a number's."""

_AMOUNT: Final = re.compile(
    r"\s*(?:(?:and|so|but|ok|hey)\W+)?(?:how\s+(?:many|much|far|long|often|fast|high|deep)|what\s+happens)\b",
    re.IGNORECASE,
)
"""What is asked for is a number or a rule, which no fact about an entity is."""
_ASKS: Final = re.compile(
    r"\s*(?:how|when|where|why|can|could|do|does|may|must|should|is|are|what\s+can)\b", re.IGNORECASE
)
_CREATURE: Final = r"(?:creatures?|monsters?|targets?|enem(?:y|ies)|foes?|opponents?|all(?:y|ies)|friends?|characters?)"
_SUFFERER: Final = re.compile(
    r"\b(?:blinded|charmed|deafened|frightened|grappled|incapacitated|paralyzed|petrified|poisoned|prone|restrained"
    rf"|stunned|unconscious|slowed|bloodied|confused|rattled|doomed)\s+{_CREATURE}\b",
    re.IGNORECASE,
)
"""Who suffers a condition does not inflict it, and need not be what is looked for; unlike an invisible creature."""
_SOMEBODY: Final = re.compile(
    rf"\b(?:an?|another|the|each|any)\s+{_CREATURE}\b(?!\s+(?:that|which|who|whose|with|of|from|can)\b)", re.IGNORECASE
)
"""In a question: those whom a rule is about."""


def facts_in(query: str) -> str:
    """The words of a query that may tell facts of what it looks for; none where it asks for a number.

    >>> facts_in("grappled creature how to escape"), facts_in("how many cantrips does a wizard know")
    ('how to escape', '')
    >>> facts_in("can I push another creature"), facts_in("a creature that flies")
    ('can I push', 'a creature that flies')
    """
    if _AMOUNT.match(query):
        return ""
    told = _SUFFERER.sub(" ", query)
    if _ASKS.match(query):
        told = _SOMEBODY.sub(" ", told)
    return " ".join(told.split())


def subject(query: str) -> str:
    """The query without the words that make it a question, up to a comma; all of it if it is none."""
    asked = _QUESTION.fullmatch(query.strip())
    if asked is None or asked["subject"] == query.strip():
        return query
    return asked["subject"].partition(",")[0]


def meant(query: str) -> str:
    """The query with what it means by a DC: that to do a thing is of an ability check, and told where the check is.

    A DC beside what it is of is not itself asked about.

    >>> meant("DC to pick a lock"), meant("what DC do I need to hide"), meant("spell save DC")
    ('ability check to pick a lock', 'what do I need to hide', 'spell save DC')
    """
    if _CHECK.match(query):
        return _CHECK.sub("ability check to ", query, count=1)
    rest = " ".join(_DC.sub(" ", query).split())
    return query if FUNCTION_WORDS.issuperset(terms(rest)) else rest
