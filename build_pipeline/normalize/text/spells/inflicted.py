"""Conditions that a spell inflicts."""

from __future__ import annotations

import re
from typing import Final

from build_pipeline.normalize.text.stat_blocks.lines import CONDITION_OF_VERB, CONDITIONS

_CONDITION: Final = "|".join(CONDITIONS)
_WORD: Final = re.compile(rf"\b(?P<condition>{_CONDITION})\b", re.IGNORECASE)
_LIST: Final = rf"(?:(?:both\s+|either\s+)?(?:{_CONDITION})\s*(?:,|\band\b|\bor\b)?\s*(?:and\s+|or\s+)?)*"
_HOW: Final = (
    r"(?:(?:magically|also|either|both|then|instead|automatically|immediately|permanently|otherwise|considered|"
    r"effectively|subjected\s+to|treated\s+as|(?:one|two|three|four|a|another|additional|\d*d?\d+)\s+levels?\s+of|the)\s+)*"
)
_PUT: Final = re.compile(
    rf"""
    \b(?:
        be | is | are | it['’]s | they['’]re | becomes? | becoming | remains? | falls? | falling | drops? | lands?
        | rendered | kept | knocked | left | has | have | having | gains? | gaining | suffers? | suffering
        | inflicts? | imposes? | takes? | or | fall | landing(?:\s+with)? | subjected\s+to
      )\s+{_HOW}{_LIST}$
    | \bturns?\s+(?:(?:each|the|a|one)\s+)(?:\w+\s+)?(?:target|creature|object)s?\s+{_LIST}$
    | \b(?:knock\w*|render\w*|leav\w+|makes?|making|causes?|strik\w+)\s+(?:[\w'’]+\s+){{1,5}}?(?:be\s+|become\s+)?
      {_LIST}$
    | :\s+{_LIST}$
    | \|\s+target\s+{_LIST}$
    | \b(?:is|are)\s+(?:\w+\s+)?\w+ed\s+[^.;,]{{0,50}}\band\s+{_LIST}$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_GRAPPLES: Final = re.compile(
    r"\b(?:attempts?\s+to|can)\s+grapple\s+(?:an?|the|one)\s+(?:\w+\s+or\s+\w+\s+)?(?:creature|target)\b", re.IGNORECASE
)
"""A target that can be grappled, though the text does not use the condition's name."""
_WORD_OF_POWER: Final = re.compile(
    rf"""
    \b(?:you|that|which|spell|word)\s+(?P<verb>{"|".join(CONDITION_OF_VERB)})\s+(?:an?|one|all|each|every)\s+
    (?:[\w-]+\s+)?(?:creature|target)s?\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A condition inflicted by a verb: "a word that stuns a target"."""
_PERFECT: Final = re.compile(rf"\byou\s+have\s+{_LIST}$", re.IGNORECASE)
"""A condition inflicted earlier: "a creature that you have charmed"."""
_UNSEEN_THING: Final = re.compile(
    r"""
    \b(?:portal|door|entrance|glyph|hound|sentry|strangler|servant|herald)\s+(?:is|remains|becomes?)\s+$
    | \byour\s+mouth\s+$
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Things that are invisible from the start do not get a condition."""
_THING: Final = re.compile(
    r"(?:,|\s+and)\s+(?:odou?rless|motionless|intangible)\b|\s+to\s+a\s+(?:halt|stop)\b", re.IGNORECASE
)
"""Words showing that what is invisible (an aura, a ward), or slowed to a stop, is not a creature."""
_CASTER: Final = re.compile(
    rf"""
    \b(?:you\s+(?:are|becomes?|fall|gain|have|suffer)|your\s+(?:own\s+)?body\s+(?:becomes|falls|is))\s+{_HOW}
      {_LIST}$
    | (?:^|[.;,:\n]\s*|\band\s+)you\s+(?:take|move|must)\b(?![^.!?\n]*\b(?:creature|it|object|target|they)\b)
      [^.!?\n]*$
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A condition that casting or maintaining a spell imposes on its caster."""
_REMOVED: Final = re.compile(r"\b(?:remov|end|cur)(?:es?|ing)\s+one\s+of\s+the\s+following\b[^.;]*$", re.IGNORECASE)
"""The start of a list of conditions that a spell may remove, before any of its items."""
_THE: Final = re.compile(rf"\bthe\s+{_LIST}$", re.IGNORECASE)
_NAMED_AS_SUCH: Final = re.compile(
    rf"[\s,]*(?:(?:and|or|,)\s+)*(?:(?:{_CONDITION})[\s,]*(?:(?:and|or)\s+)?)*conditions?\b", re.IGNORECASE
)
_NOT_PUT: Final = re.compile(
    r"""
    \b(?:
        can['’]?t | cannot | can\s+not | isn['’]t | aren['’]t | doesn['’]t | don['’]t | won['’]t | not | never | nor
        | neither | no\s+longer | immune | immunity | immunities | against | resist\w* | already | unless
        | if(?!\s+the\s+\w+\s+is\s+an?\s+\w+\s+it\s+is\s)
        | while(?!\s+in\s+the\s+\w+\s+(?:a|the)\s+\w+\s+is\s)
        | whenever
        | when(?!\s+(?:(?:it|the\s+\w+)\s+\w+s\s+(?:is|becomes?)|\w+ed\s+you\s+\w+)\s)
        | until(?!\s+the\s+end\s+of\s+its\s+next\s+turn\s+and\s)
        | before | as\s+long\s+as | just\s+as | although | cure[sd]? | curing | remov\w+
        | (?<!until\sthe\s)(?<!at\sthe\s)ends?(?!\s+(?:its|his|her|their|your|the)\s+turn)
        | ending | ended | suppress\w* | (?<!\bto\s)avoid\w* | made\s+to\s+avoid | prevent\w* | protect\w*
        | free[sd]? | as\s+if | as\s+though | instead\s+of | other\s+than(?!\s+you\b) | except | were | was | would
        | lifts? | neutraliz\w+ | dispels? | relieves? | advantage\s+on | stands? | condition\s+can
        | effects?\s+(?:making|causing) | because | choose\s+from
        | (?:who|which|that|whose)\s+(?:is|are|has|have|becomes?)(?![^.;:]*\sbecome\s)
      )\b[^.;:]{0,60}$
    | \bimmune\s+to\s+the\s+following\s+conditions\b[^.;]*$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CLAUSE: Final = re.compile(
    rf"""
    [.;!?\n]
    | (?=:)
    | ,\s+(?=\S)(?!(?:and|or|{_CONDITION})\b)
    | \band\s+(?=(?:it|is|are|be|becomes?|falls?|has|have|you|the)\b)
    | ,\s+(?:and|or)\s+(?!{_CONDITION}|the\b)(?=\w+\s+\w+)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ENDED: Final = re.compile(
    rf"""
    (?:[\s,]*(?:\b(?:and|or)\s+)?(?:{_CONDITION})\b)*\s+(?:conditions?(?:,\s+(?:the|that)\s+conditions?)?\s+)?(?:
      (?:on\s+\w+\s+)?ends?\b | (?:is|are)?\s*removed\b | (?:if|when|while)\b[^.]*\b0\s+hit\s+points | animals?\b
      | creatures?\b | targets?\b | humanoids?\b | the\s+target\b | person\b | mark\b
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)


def inflicted_conditions(text: str) -> list[str]:
    """The conditions a text inflicts ("or be knocked prone", "has the Charmed condition"), in order.

    Excludes mere mentions ("immune to being frightened", "a charmed creature", "while it is blinded", "ends the
    poisoned condition").
    """
    plain = re.sub(r"[*_]+", "", text)
    found = [m["condition"].lower() for m in _WORD.finditer(plain) if _is_put(plain, m)]
    done = [CONDITION_OF_VERB[match["verb"].lower()] for match in _WORD_OF_POWER.finditer(plain)]
    return list(dict.fromkeys([*done, *found, *(["grappled"] if _GRAPPLES.search(plain) else [])]))


def _is_put(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 120) : match.start()]
    after = text[match.end() : match.end() + 80]
    *earlier, clause = _CLAUSE.split(before)
    whole = f"{earlier[-1]}{clause}" if clause.startswith(":") and earlier else clause
    if match["condition"].lower() != "invisible" and _CASTER.search(before):
        return False
    if _UNSEEN_THING.search(clause) or _THING.match(after) or _PERFECT.search(clause) or _REMOVED.search(before):
        return False
    if not _PUT.search(clause) or _NOT_PUT.search(whole.replace(":", " ")) or _ENDED.match(after):
        return False
    return not _THE.search(clause) or bool(_NAMED_AS_SUCH.match(after))
