"""What a spell does at higher slots, in words: "A target's hit points increase by an additional 10."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.text.dice import DICE
from build_pipeline.normalize.text.numerals import NUMBER, number
from build_pipeline.normalize.text.spells.named_slots import HIGHEST_SLOT
from build_pipeline.normalize.text.spells.slot_steps import PER_LEVEL, levels_last, slots_above

Effect = dict[str, Any]

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_LEAD: Final = re.compile(
    r"^(?:(?:When|If)\s+(?:you\s+cast|cast|casting|using)|Casting|With)\b[^,.]*?\b(?:slot|level)s?\b[^,.]*,\s+",
    re.IGNORECASE,
)
_NUMBER: Final = rf"(?:{DICE}|{NUMBER}(?![\d,])|\d{{1,3}}(?:,\d{{3}})+|\d{{3,}})"
_MORE: Final = r"(?:additional|more|extra|other)"
_AMOUNT: Final = re.compile(
    rf"(?P<before>\b(?:by|{_MORE}|adds?|gains?)\s+(?:up\s+to\s+)?(?:an\s+)?(?:{_MORE}\s+)?\+?)(?P<by>{_NUMBER})\b(?!-)"
    rf"|\b(?P<count>{_NUMBER}|an?)(?=\s+{_MORE}\s+(?!{_NUMBER}\b(?!-)))"
    rf"|\b(?P<far>{_NUMBER})(?=(?:\s+\w+){{0,3}}\s+(?:higher|longer)\b)",
    re.IGNORECASE,
)
"""An amount that each level adds: "by 10" (by), "one additional newt" (count), "5 feet higher" (far)."""
_IRREGULAR: Final = {"foot": "feet", "Hit Die": "Hit Dice", "Supply": "Supply"}
_SINGULAR: Final = {
    "by": re.compile(rf"(?P<noun>(?:\s+{_MORE})?\s+(?:step|level|round|minute|hour|day|year|foot|mile|point))\b"),
    "count": re.compile(
        rf"(?P<noun>\s+{_MORE}\s+"
        r"(?:(?:\d+-[a-z]+\s+|spell\s+(?=level\b)|(?:Tiny|Small|Medium|Large|Huge)\s+)?[a-z]+|Hit\s+Die|Supply))\b"
    ),
    "far": re.compile(r"(?P<noun>(?:\s+[a-z]+)+)(?=\s+(?:higher|longer)\b)"),
}
"""Group of `_AMOUNT` → what follows an amount of one, up to the noun, which more than one put into the plural."""
_ASIDE: Final = re.compile(r"\s*\([^()]*\d(?:st|nd|rd|th)\b[^()]*\)")
_ROLL: Final = re.compile(r"(?P<count>\d+)(?P<sides>d\d+)$")
_ONE: Final = {"a", "an", "one", "1"}
_IES: Final = re.compile(r"(?<=[^aeiou])y$")
_LIMIT: Final = re.compile(r"\bmaximum\s+(?:of\s+)?\+?\d", re.IGNORECASE)

_AT: Final = r"(?P<{0}>[2-9])(?:st|nd|rd|th)?"
_NAMED: Final = re.compile(
    rf"^(?:(?:When|If|With|Using)\b[^,.]*?\b)(?:slots?\s+of\s+)?{_AT.format('from')}[\s-]level\b(?P<rest>[^,.]*),\s+"
    r"(?P<clause>[^.]+)\.",
    re.IGNORECASE,
)
_SLOT: Final = re.compile(
    r"\bslots?\s+of\s+(?P<of>\d)|\b(?P<at>\d)(?:st|nd|rd|th)[\s-](?:level\s+)?(?:spell\s+)?slots?\b", re.IGNORECASE
)
_LATER: Final = re.compile(r"\bat\s+\d(?:st|nd|rd|th)\s+level\b")
_USED: Final = re.compile(
    r"\bthe\s+level\s+of\s+the\s+(?:spell\s+)?slot\s+(?:that\s+)?(?:you\s+)?used?\b", re.IGNORECASE
)
_IN_BRACKETS: Final = re.compile(
    rf"(?P<what>[^,()]+?)\s+\((?:level\s+)?{_AT.format('at')}(?:[\s-]level|\s+spell\s+slot)\b[^)]*\)"
)
_WITH_SLOT: Final = re.compile(rf"(?P<what>[^,:—]+?)\s+with\s+an?\s+{_AT.format('at')}[\s-]level(?:\s+spell)?\s+slot")
_MODERN: Final = re.compile(
    r"^(?P<clause>[^.]+?)\s+with\s+a\s+level\s+(?P<at>\d)(?:[–-](?P<to>\d)|\+)?\s+(?:spell\s+)?slot\.", re.IGNORECASE
)
_AND: Final = re.compile(r"^(?:,?\s*(?:and|or)\s+|,\s*)", re.IGNORECASE)


def told_at_slots(level: int, higher_level: str) -> Iterator[Effect]:
    """{slot_level, description} for each slot above a spell's level of which the text says what it does.

    Args:
        level: the spell's level.
        higher_level: the text on higher levels.
    """
    found: dict[int, list[str]] = {}
    for sentence in _SENTENCE.split(levels_last(" ".join(higher_level.split()))):
        for slot, told in [*_by_steps(level, sentence)] or [*_by_name(level, sentence, higher_level)]:
            found.setdefault(slot, []).append(told)
    yield from ({"slot_level": slot, "description": " ".join(told)} for slot, told in sorted(found.items()))


def _by_steps(level: int, sentence: str) -> Iterator[tuple[int, str]]:
    """A sentence with "for each slot level above 2nd", with its amounts multiplied."""
    per_level = PER_LEVEL.search(sentence)
    if per_level is None or _LIMIT.search(sentence):
        return
    without = _ASIDE.sub("", f"{sentence[: per_level.start()]}{sentence[per_level.end() :]}")
    clause = _LEAD.sub("", without.rstrip(" .")).strip(" ,")
    told = {slot: _multiplied(clause, often) for slot, often in slots_above(level, per_level)}
    if _AMOUNT.search(clause):
        yield from ((slot, _as_sentence(each)) for slot, each in told.items() if each)


def _multiplied(clause: str, often: int) -> str | None:
    """A clause with its amounts multiplied; None if a noun has no regular plural."""
    parts, end = [], 0
    for match in _AMOUNT.finditer(clause) if often > 1 else ():
        kind = next(name for name in _SINGULAR if match[name])
        written = match[kind]
        parts += [clause[end : match.start()], match["before"] or "", _times(written, often)]
        end = match.end()
        if written.lower() in _ONE:
            noun = _SINGULAR[kind].match(clause, end)
            if noun is None and kind == "count":
                return None
            if noun:
                parts.append(_plural(noun["noun"]))
                end = noun.end("noun")
    return "".join((*parts, clause[end:]))


def _plural(noun: str) -> str:
    own = next(
        (f"{noun.removesuffix(one)}{many}" for one, many in _IRREGULAR.items() if noun.endswith(f" {one}")), None
    )
    return own or _IES.sub("ie", noun) + "s"


def _times(written: str, often: int) -> str:
    if roll := _ROLL.match(written):
        return f"{int(roll['count']) * often}{roll['sides']}"
    one = 1 if written.lower() in _ONE else number(written.replace(",", ""))
    return str(one * often)


def _by_name(level: int, sentence: str, text: str) -> Iterator[tuple[int, str]]:
    """A sentence that names slots: before what they do, after it, or in brackets."""
    listed = list(_IN_BRACKETS.finditer(sentence)) or list(_WITH_SLOT.finditer(sentence))
    if len(listed) > 1:
        colon = re.match(r"^[^:—]*?(?P<clause>[^,:—]+)(?:—|:\s)", sentence)
        head = (
            f"{_AND.sub('', colon['clause'].strip())}: " if colon and colon.end() <= listed[0].start("what") + 1 else ""
        )
        for each, following in zip(listed, [*listed[1:], None], strict=True):
            last = int(following["at"]) - 1 if following else HIGHEST_SLOT
            what = _LEAD.sub("", _AND.sub("", each["what"].strip())).strip()
            yield from ((slot, _as_sentence(head + what)) for slot in range(int(each["at"]), last + 1))
        return
    if modern := _MODERN.match(sentence):
        last = int(modern["to"] or (HIGHEST_SLOT if "+" in modern[0] else modern["at"]))
        first = max(int(modern["at"]), level + 1)
        yield from ((slot, _as_sentence(modern["clause"])) for slot in range(first, last + 1))
    elif (named := _NAMED.match(sentence)) and not PER_LEVEL.search(sentence) and not _LATER.search(named["clause"]):
        first = max(int(named["from"]), level + 1)  # some name the spell's own level, the usual casting
        others = (int(other["of"] or other["at"]) for other in _SLOT.finditer(text))
        last = min((other - 1 for other in others if other > first), default=HIGHEST_SLOT)
        for slot in range(first, last + 1):
            yield slot, _as_sentence(_USED.sub(str(slot), named["clause"]))


def _as_sentence(clause: str) -> str:
    clause = clause.strip(" ,;")
    return f"{clause[:1].upper()}{clause[1:]}."
