"""Attack rolls and number of targets, parsed from a spell's text."""

from __future__ import annotations

import re
from typing import Final

from build_pipeline.normalize.text.numerals import NUMBER, number

TARGET: Final = (
    r"(?:creatures?|targets?|beasts?|humanoids?|objects?|allies|ally|enem(?:y|ies)|undead|corpses?|weapons?|plants?)"
)
"""Pattern for a spell's target."""
MADE: Final = r"(?:dart|dagger|beam|ray|ring|bolt|orb|ball|spike|scarab|shadow|rope|portal|barrier|servant)s?"
"""Pattern for things that a spell makes, each of which may have its own target."""

_ATTACK: Final = re.compile(
    r"\b(?:mak(?:e|es|ing)|attempts?|succeeds?\s+on|(?:with|as)\s+a\s+successful)\s+"
    r"(?:(?:a|an|one|up\s+to|two|three|single|your|separate|another|successful)\s+)*(?:melee|ranged)"
    r"(?:\s+or\s+(?:melee|ranged))?\s+spell\s+attacks?\b"
    r"|\battacks?\b[^.:]{0,120}\busing\s+your\s+(?:(?:melee|ranged)\s+)?spell\s+attack\s+(?:modifier|bonus)\b"
    r"|\brequir(?:es?|ing)\s+an?\s+(?:new\s+)?spell\s+attack\s+roll\b",
    re.IGNORECASE,
)
_OPENING: Final = 300
"""Targets are stated within this many characters; later counts belong to the spell's options."""
_FIRST_WORDS: Final = 200
_TARGETS: Final = re.compile(
    rf"""
    \b(?<!\bhold\s)(?<!\bfit\s)(?:up\s+to|choose|touch|between(?!\s+two\s+points)|targets?)\s+(?P<count>{NUMBER})\s+
    (?:(?!of\b|or\s+more\b)\w+[\s,-]+){{0,5}}?
    (?:creatures|targets|objects|allies|enemies|individuals|beasts|humanoids|corpses|weapons|plants|points|lights)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OR_FEWER: Final = re.compile(
    rf"\b(?P<count>{NUMBER})\s+or\s+fewer\s+(?:\w+\s+)?(?:creatures|targets)\b", re.IGNORECASE
)
_LEAPS: Final = re.compile(
    rf"""
    \b(?:leaps?|arcs?)\b[^.]{{0,40}}?\b(?:up\s+to|as\s+many\s+as)\s+(?P<count>{NUMBER})\s+(?:other|additional)\s+
    targets\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Targets besides the first: "the bolt leaps to up to three other targets"."""
_BEING: Final = (
    r"(?:creature|humanoid|beast|target|person|monstrosity|giant|dragon|plant|corpse|construct|undead|fiend|celestial|"
    r"fey|elemental|ally|enemy|foe|being)"
)
_SINGLE: Final = re.compile(
    rf"""
    \byou\s+touch\s+(?:an?|one|another|the)\b(?!\s+(?:point|component)\b)
    | \b(?:one|an?|another|the)\s+(?:
        (?:single|specific|chosen|willing|living|dead|nonmagical|other|friendly|hostile|visible|\w+\s+or\s+\w+)\s+
      )*{_BEING}\s+(?:\w+\s+or\s+\w+\s+)?(?:that\s+|of\s+your\s+choice\s+)?(?:
        you\s+(?:touch|can\s+see|can\s+reach|choose|designate|know)
        | (?:damaged|attacked|hit)\s+you
        | of\s+your\s+choice
        | (?:with)?in\s+(?:range|your\s+reach)
      )
    | \b(?:one|an?)\s+(?:\w+\s+)?(?:object|weapon)\s+(?:that\s+)?you\s+(?:touch|can\s+see|choose)\b
    | \bchoose\s+(?:an?|one)\s+(?:[\w-]+\s+){{0,3}}object\b
    | \bmakes?\s+(?:an?|one)\s+(?:melee|ranged)\s+spell\s+attack\s+against\s+(?:the|an?|one)\b
    | \b(?:lash|strik|hurl|shoot|fir|launch)(?:es|s|e|ing)?\s+(?:[\w-]+\s+){{0,6}}?at\s+(?:an?|one)\s+{_BEING}
      (?=[.,;])
    | \b(?:recipient\s+of\s+this\s+spell|target['’]s|the\s+target)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NOT_OF_TIMES: Final = (
    r"(?!\s+(?:of\s+(?:its|your|his|her|their|those|the\s+\w+['’]s)|rounds?|turns?|times?|days?|curses)\b)"
)
"""Excludes an "each" that counts times or parts instead of targets: "each day", "each of its turns"."""
_SEVERAL: Final = re.compile(
    rf"""
    \b(?:
      (?:each|every|all(?!\s+(?:of\s+)?(?:the|its)\b)(?!\s+creatures\s+except\b)){_NOT_OF_TIMES}
      | any\s+number\s+of
      | (?<!who\s)(?<!that\s)targets
      | creatures\s+(?:of\s+your\s+choice|within|in|that)
      | (?<!attack\s)your\s+(?:enemies|allies)
    )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MAKES: Final = re.compile(
    r"""
    \b(?:you|(?:this|the)\s+spell)\s+(?:\w+ly\s+)?
      (?:create|conjure|summon|call\s+forth|beseech|open|form|sense|locate|detect|build)s?\b
      (?![^.]*\bof\s+(?:a|one)\s+(?:creature|beast|humanoid)\b)
    | \b(?:appears?|springs?\s+into\s+existence|erupts?)\b[^.]*\b(?:within\s+range|in\s+your\s+hand|unoccupied)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SHARED: Final = re.compile(
    rf"\b(?:(?:up\s+to|any\s+number\s+of|group\s+of)\b[^.]{{0,40}}?|(?:each|every|all){_NOT_OF_TIMES}\s+(?:\w+\s+){{0,2}}?)"
    r"\b(?:creatures?|targets?|objects?|lights|animals|plants)\b"
    r"|\bcreatures\s+(?:of\s+your\s+choice|around|(?:with)?in|that\s+you)\b|\beach\s+\w+\s+hits\b|\bfloor\s+space\b",
    re.IGNORECASE,
)
_MANY: Final = re.compile(
    r"""
    \b(?:each|every|all|any)\s+(?:\w+\s+)?(?:creatures?|targets?|allies|ally|enem(?:y|ies)|foes?)\b
    | \b(?:any\s+number\s+of\s+)?creatures\s+(?:that\s+start\s+their\s+turns?\s+)?in\s+the\s+area\b
    | \baffect\s+all\b
    | \b(?:the|your)\s+targets\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


_BY_MODIFIER: Final = re.compile(
    r"\bnumber\s+of\s+(?:\w+\s+)?(?:creatures|targets|allies)\b[^.]{0,60}?\s(?:up|equal)\s+to\s+your\s+"
    r"(?:\w+\s+){0,3}modifier\b",
    re.IGNORECASE,
)
_TAKES_ALONG: Final = re.compile(
    r"\byou\s+(?:can|may)\s+(?:also\s+)?(?:bring|take|teleport)\s+one\s+willing\s+creature\b", re.IGNORECASE
)
_ANOTHER: Final = re.compile(
    r"\bthe\s+target\b|\byour\s+attacker\b|\bselects?\s+(?:an?|one)\s+(?:\w+\s+)?creature\b"
    r"|\b(?:attack\s+against|you\s+hit)\s+an?\s+(?:\w+\s+)?(?:creature|target)\b"
    r"|\bone\s+(?:\w+\s+)?creature\b",
    re.IGNORECASE,
)
_CASTER_COUNTED: Final = re.compile(r"\bincluding\s+you(?:rself)?\b", re.IGNORECASE)


def needs_attack_roll(text: str) -> bool:
    """Whether the text has the caster make a melee or ranged spell attack."""
    return bool(_ATTACK.search(text))


def target_count(text: str) -> int | None:
    """Number of targets the caster may choose ("up to three creatures" → 3), or None if not stated."""
    match = _TARGETS.search(text[:_OPENING]) or _OR_FEWER.search(text[:_OPENING])
    return number(match["count"]) if match else None


def counts_the_caster(text: str) -> bool:
    """Whether the number of targets that a text states includes the caster: "three creatures (including you)"."""
    return bool(_CASTER_COUNTED.search(text[:_OPENING]))


def has_another_target(text: str) -> bool:
    """Whether a spell with a range of Self is also aimed at somebody else."""
    return bool(_ANOTHER.search(text))


def takes_along_one(text: str) -> bool:
    """Whether one creature can go where the caster goes: "You can also bring one willing creature"."""
    return bool(_TAKES_ALONG.search(text))


def counts_by_modifier(text: str) -> bool:
    """Whether the number of targets is the caster's modifier: "creatures up to your spellcasting ability modifier"."""
    return bool(_BY_MODIFIER.search(text[:_OPENING]))


def leaping_targets(text: str) -> int | None:
    """Number of targets, including the first, of an effect that leaps on to others; None if it does not."""
    match = _LEAPS.search(text[:_OPENING])
    return 1 + number(match["count"]) if match else None


def has_one_target(text: str) -> bool:
    """Whether the text's opening names a single target: "a creature you touch", "one humanoid of your choice"."""
    match = _SINGLE.search(text[:_OPENING])
    if match is None or match.start() > _FIRST_WORDS:
        return False
    return not _SEVERAL.search(text[: match.end() + _FIRST_WORDS // 2])


def has_no_single_target(text: str) -> bool:
    """Whether the text's opening makes or finds something, or is about several targets at once, not about one."""
    first = text[:_OPENING]
    return bool(_MAKES.search(first.partition(". ")[0]) or _SHARED.search(first))


def has_many_targets(text: str) -> bool:
    """Whether the spell affects everyone present ("each creature in the area") rather than chosen targets."""
    return bool(_MANY.search(text))
