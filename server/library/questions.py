"""What a question asks about: `hide` of "DC to hide", `surprise` of "how does surprise work"."""

from __future__ import annotations

import re
from typing import Final

_WHO: Final = r"(?:i|you|we|one|players?|characters?|creatures?|monsters?)"
_QUESTION: Final = re.compile(
    rf"""
    (?:(?:how\s+(?:do|does|can|would|should)(?:\s+{_WHO}\b(?!\s*$))?      # how do I …, how does … work
         |what(?:'s|\s+is|\s+are|\s+do|\s+does)                           # what is …, what does … do
         |(?:when|where)?\s*(?:can|may|do|does)\s+{_WHO}
         |explain|(?:the\s+)?rules?\s+(?:for|of|on|about))\s+)?
    (?:(?:the\s+)?(?:save\s+|saving\s+throw\s+)?(?:dc|difficulty(?:\s+class)?)\s+(?:to|of|for|against)\s+)?
    (?:an?\s+|the\s+)?
    (?P<subject>\S.*?)
    (?:\s+(?:works?|does?|means?|rules?))?
    [\s?!.]*
    """,
    re.IGNORECASE | re.VERBOSE,
)


def subject(query: str) -> str:
    """The query without the words that make it a question, up to a comma; all of it if it is none."""
    asked = _QUESTION.fullmatch(query.strip())
    if asked is None or asked["subject"] == query.strip():
        return query
    return asked["subject"].partition(",")[0]
