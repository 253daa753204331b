"""The subject of a question: `hide` of "DC to hide", `surprise` of "how does surprise work", what a DC is for."""

from __future__ import annotations

import re
from typing import Final

from server.dataset.index.terms import FUNCTION_WORDS, terms

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

_USED: Final = re.compile(
    r"(?:use|activate)\s+(?:an?\s+|my\s+|the\s+)?(?P<thing>\S.*?)"
    r"(?:\s+(?:after|against|and|as|at|before|during|for|if|in|more|on|to|twice|when|while|with|without)\b.*)?[\s?!.]*",
    re.IGNORECASE,
)
"""A question about using something; "thing" ends where the circumstances begin."""
_CHECK: Final = re.compile(
    r"\s*(?:what(?:'s|\s+is)\s+)?(?:the\s+)?(?:dc|difficulty(?:\s+class)?)\s+to\s+(?=\w)", re.IGNORECASE
)

_DC: Final = re.compile(r"(?<!save )(?<!spell )(?<!throw )\bdcs?\b(?! (?:\d|to\b))", re.IGNORECASE)
"""A DC that is neither a caster's nor followed by a number or "to"."""

_AMOUNT: Final = re.compile(
    r"\s*(?:(?:and|so|but|ok|hey)\W+)?(?:how\s+(?:many|much|far|long|often|fast|high|deep)|what\s+happens"
    r"|(?:at\s+)?(?:what|which)\s+level\s+(?:do|does|can|must))\b",
    re.IGNORECASE,
)
"""A question about a number or a rule, which no fact about an entity answers."""
_SEVERAL_CLASSES: Final = re.compile(r"\bmulti-?class", re.IGNORECASE)
"""What is asked about several classes is answered by the rules, not by what these classes have."""
_SLOTS: Final = re.compile(r"\b(?:spell|pact\s+magic)\s+slots?\b", re.IGNORECASE)
"""Slots are not spells, nor is who has them looked for."""
_ASKS: Final = re.compile(
    r"\s*(?:how|when|where|why|can|could|do|does|may|must|should|is|are|what\s+can)\b", re.IGNORECASE
)
_CREATURE: Final = r"(?:creatures?|monsters?|targets?|enem(?:y|ies)|foes?|opponents?|all(?:y|ies)|friends?|characters?)"
_SUFFERER: Final = re.compile(
    r"\b(?:blinded|charmed|deafened|frightened|grappled|incapacitated|paralyzed|petrified|poisoned|prone|restrained"
    rf"|stunned|unconscious|slowed|bloodied|confused|rattled|doomed)\s+{_CREATURE}\b",
    re.IGNORECASE,
)
"""A creature that suffers a condition: it does not inflict it, and need not be sought, unlike an invisible creature."""
_SOMEBODY: Final = re.compile(
    rf"\b(?:an?|another|the|each|any)\s+{_CREATURE}\b(?!\s+(?:that|which|who|whose|with|of|from|can)\b)", re.IGNORECASE
)
"""In a question: the creatures that a rule is about."""


def facts_in(query: str) -> str:
    """The words of a query that may state facts about what it looks for; none if it asks for a number or a rule.

    >>> facts_in("grappled creature how to escape"), facts_in("how many cantrips does a wizard know")
    ('how to escape', '')
    >>> facts_in("can I push another creature"), facts_in("a creature that flies")
    ('can I push', 'a creature that flies')
    """
    if _AMOUNT.match(query) or _SEVERAL_CLASSES.search(query):
        return ""
    told = _SLOTS.sub(" ", _SUFFERER.sub(" ", query))
    if _ASKS.match(query):
        told = _SOMEBODY.sub(" ", told)
    return " ".join(told.split())


def subject(query: str) -> str:
    """The query without the words that make it a question, up to a comma; all of it if it is not a question."""
    asked = _QUESTION.fullmatch(query.strip())
    if asked is None or asked["subject"] == query.strip():
        return query
    return asked["subject"].partition(",")[0]


def used(query: str) -> str:
    """What a question is about using; empty if it is no such question.

    >>> used("can I use rage while wearing heavy armor"), used("how do I hide")
    ('rage', '')
    """
    asked = _USED.fullmatch(subject(query))
    return asked["thing"] if asked else ""


def meant(query: str) -> str:
    """The query with its DC replaced: a DC to do something becomes an ability check, where the rules state it.

    A DC next to its subject is left out, since the subject is what the query is about.

    >>> meant("DC to pick a lock"), meant("what DC do I need to hide"), meant("spell save DC")
    ('ability check to pick a lock', 'what do I need to hide', 'spell save DC')
    """
    if _CHECK.match(query):
        return _CHECK.sub("ability check to ", query, count=1)
    rest = " ".join(_DC.sub(" ", query).split())
    return query if FUNCTION_WORDS.issuperset(terms(rest)) else rest
