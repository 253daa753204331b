"""What a question asks about: `hide` of "DC to hide", `surprise` of "how does surprise work", what a DC is of."""

from __future__ import annotations

import re
from typing import Final

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


def subject(query: str) -> str:
    """The query without the words that make it a question, up to a comma; all of it if it is none."""
    asked = _QUESTION.fullmatch(query.strip())
    if asked is None or asked["subject"] == query.strip():
        return query
    return asked["subject"].partition(",")[0]


def meant(query: str) -> str:
    """The query with what it means by a DC: that to do a thing is of an ability check, and told where the check is.

    >>> meant("DC to pick a lock")
    'ability check to pick a lock'
    """
    return _CHECK.sub("ability check to ", query, count=1) if _CHECK.match(query) else query
