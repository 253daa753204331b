"""Effects of a stat block's traits and actions on others: damage dealt, saves forced, conditions inflicted.

Parsed sentence by sentence. Excludes what the creature itself suffers ("the vampire takes 20 acid damage", "the behir
must succeed on…"), is immune to, or only presupposes ("a creature that is grappled").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from build_pipeline.normalize.text.dice import DICE, TYPES, damage_types, types_in, without_notes_on_types
from build_pipeline.normalize.text.stat_blocks.forced_saves import ABILITY, forced_saves, unnamed_dcs
from build_pipeline.normalize.text.stat_blocks.lines import CONDITION_OF_VERB, CONDITIONS
from server.dataset.schema import ABILITIES

_NOT_INFLICTED: Final = {"invisible", "bloodied", "surprised", "encumbered"}
"""Conditions that creatures mostly give themselves, or that no action inflicts."""

_CONDITION: Final = "|".join(sorted(set(CONDITIONS) - _NOT_INFLICTED))
_ANY_CONDITION: Final = re.compile(rf"\b(?:{_CONDITION})\b", re.IGNORECASE)
_LIST: Final = rf"(?:{_CONDITION})(?:(?:,\s*(?:and\s+|or\s+)?|\s+(?:(?:and|or)\s+)?)(?:{_CONDITION}))*"
_OUTSIDE: Final = (
    r"\s+(?:in\s+(?:an?|the\s+nearest)\s+(?:unoccupied\s+)?space|(?:with)?in\s+\d+\s+feet\s+of\s+(?:it|the))\b"
)
"""The place where a released creature falls prone."""
_ADVERB: Final = r"(?:also|then|instead|both|either|knocked|considered|treated\s+as|(?:made\s+)?stable\s+but|[a-z]+ly)"
_HAS: Final = re.compile(
    rf"\b(?:has|have|gains?|suffers?|receives?|with)\s+(?:also\s+)?the\s+(?P<conditions>{_LIST})\s+conditions?\b",
    re.IGNORECASE,
)
_IS: Final = re.compile(
    rf"""
    (?:
      \b(?:
          is | are | be | being | failure,\s+its | becomes? | becoming | remains? | remaining | falls? | falling
          | lands? | landing | knocked | stuck\s+to\s+[^.,;:]{{1,40}}?\s+and
          | (?:knocks?|leav(?:es?|ing)|renders?)(?:\s+\w+){{0,3}}
        )
      | \b(?:it|they)['’](?:s|re)
    )\s+(?:{_ADVERB}\s+)*(?P<conditions>{_LIST})\b
    (?!\s+(?:creature|target|condition|or\ dies)|(?<!landing\sprone){_OUTSIDE})
    """,
    re.IGNORECASE | re.VERBOSE,
)
_JOINED: Final = re.compile(
    rf"""
    (?:\b(?:and|or|either|instead)|[,:])\s+(?:also\s+|knocked\s+|permanently\s+|is\s+|be\s+)?
    (?P<conditions>(?>{_LIST}))\b(?!\s+(?:creature|target|condition))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HELD: Final = re.compile(
    r"\bgrappled\s*,?\s*(?:escape\s+)?DC|\bgrappl(?:ed|es?|ing)\b(?:\s+[^.,;:()]{1,60}?)?\s*\((?:escape\s+)?DC",
    re.IGNORECASE,
)
"""A grapple with its own escape DC is not just presupposed: "If target is Large or smaller grappled (escape DC 13)"."""
_BECOMING: Final = re.compile(rf"\bbecoming\s+(?P<conditions>{_LIST})\s+on\s+a\s+fail", re.IGNORECASE)
"""A condition that follows if a save does not end something."""
_TERSE: Final = re.compile(rf"\b(?P<conditions>{_LIST})(?:\s+[^.,;:()]{{1,60}}?)?\.?\s*\(DC\b", re.IGNORECASE)
"""Tome of Beasts 3 style: "frightened 1 min (DC 17 Wis negates)"."""
_NEGATED: Final = re.compile(
    rf"\b(?P<conditions>{_LIST})(?:\s+[^.,;:()]{{1,60}}?)?\.?\s*\(DC\s*\d+\s+(?:{ABILITY})\s+(?:saves?\s+)?"
    r"(?:negates|not\b|half\b[^()]*(?:\bnot|n['’]t)\b)",
    re.IGNORECASE,
)
"""Tome of Beasts 3, without a comma after an "if" before the condition; one that a save negates is inflicted:
"If the target is a newt it is knocked prone (DC 9 Str negates prone)"."""
_VERBLESS: Final = re.compile(
    rf"\b(?:target|creature|humanoid)\s+(?P<conditions>{_LIST})\s+(?:until|for|(?:and\s+)?has|\d)"
    rf"|:\s+(?:target|creature|humanoid)\s+(?P<told>{_LIST})\b",
    re.IGNORECASE,
)
"""Tome of Beasts 3: "creature poisoned until cured", "Fail: target paralyzed"."""
_SO_AFFECTED: Final = re.compile(
    rf"\bwhile\s+(?:{_CONDITION})(?:\s+(?:in\s+)?this\s+way)?(?=\s+(?:creature|target|it)\s+(?:is|falls)\b)",
    re.IGNORECASE,
)
"""Tome of Beasts 3: "While charmed this way creature is incapacitated"."""
_AFTER_SAVE: Final = re.compile(rf"\bif\s+it\s+(?:makes|fails)\s+(?:\w+\s+)?save(?=\s+is\s+{_LIST}\b)", re.IGNORECASE)
"""Tome of Beasts 3: "If it makes initial save is charmed …"."""
_NO_COMMA: Final = re.compile(
    rf"""
    \b(?:if|when(?:ever)?|while|until)\s+(?P<clause>
      (?:(?!\b(?:if|when|while|until|that|who)\b)[^,.;:])*?\b(?:
          hits? | miss(?:es)? | ends? | starts? | attached | stuck | swallowed | engulfed | absorbed | trapped
          | inside | laughing | laughs | smaller | mounts
        )\b(?:(?!\b(?:if|when|while|until|that\s+(?:is|are))\b)[^,.;:])*?
    )\s+(?:(?:the|that|a)\s+)?(?P<whom>target|creature|attacker|it)\s+(?:is\s+)?(?={_LIST}\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Tome of Beasts 3 leaves out commas and verbs: "Until grapple ends target restrained"."""
_TARGETED: Final = re.compile(
    rf"""
    (?<!of\s)(?<!,\s)\b(?:that|who|which)\s+(?:is|are|has|have)\s+(?:already\s+)?(?:the\s+)?{_LIST}
    (?:\s+conditions?)?\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Which creatures an effect can target: "one creature that has the Grappled or Restrained condition"."""
_EXHAUSTS: Final = re.compile(
    r"\b(?:gains?|suffers?|takes?|inflicts?|imposes?|gives\s+that|throw\s+or)\s+(?:\w+\s+){0,4}"
    r"(?P<conditions>(?:exhaustion|fatigue|strife)(?:\s+(?:and|or)\s+(?:\w+\s+levels?\s+of\s+)?(?:fatigue|strife))?)\b",
    re.IGNORECASE,
)
_ACTIVE: Final = re.compile(
    rf"\b(?P<verb>{'|'.join(CONDITION_OF_VERB)})\s+(?:one|all|each|every)\s+(?:[\w-]+\s+)?(?:creature|target)s?\b",
    re.IGNORECASE,
)
"""A condition inflicted by a verb: "a word that stuns one creature". "The creature" may be the stat block's own."""
_SENSELESS: Final = re.compile(
    r"""
    \b(?:they\s+are|(?:target|creature)\s+(?:is|becomes))\s+(?:permanently\s+)?(?P<sense>blind|deaf)\b
    (?!\s+(?:and|or)\s+(?:blind|deaf)\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Blinded or deafened in other words: "They are deaf for 1 minute"; "blind and deaf" is for seeing with other eyes."""
_WITHOUT: Final = {"blind": "blinded", "deaf": "deafened"}
_UNSEEN: Final = re.compile(r"\b(?:saving\s+throw\s+or\s+(?:be|become)|the\s+target\s+is)\s+invisible\b", re.IGNORECASE)
_FORCED: Final = re.compile(r"\d*d\d+|\bDC\s*\d+|\bhits?\b|\bfail\w*\b|\bsav(?:e|es|ing)\b", re.IGNORECASE)
_SUPPOSED: Final = re.compile(
    r"""
    \b(?:
        unless | while | if | when | whenever | until(?!\s+(?:the\s+)?(?:end|start)\s+of\b) | already | no\s+longer
        | not | doesn['’]t | don['’]t | isn['’]t | aren['’]t | can['’]?t | cannot | would\s+be | escap\w+\s+from
        | to\s+escape
        | against\s+(?:being|becoming|effects?|any|conditions?)
        | avoid\w*
        | ends?(?!\s+(?:of|(?:its|their|his|her|the)\s+turn)\b)
        | ending | instead\s+of
      )\b(?!
        [^,;:]*\b
          (?:must|DC|but|starts\s+its\s+turn|can\s+cause|(?:saves?|creature|target|undead|it|that)\s+fails?)\b
      )[^,;:]*$
    | \b(?:that|who|which)\s+(?:it\s+)?(?:is|are|has|have)?\s*$
    | \bas\s+if\b[^,]*$
    | \b(?:until|when|whenever)\b[^.;:]*,\s+(?:or\s+)?(?:is|becomes|falls)\s+$
    | \bif\b(?![^.;:]*\b(?:must|DC|hits?|fail\w*)\b)[^.;:]*,\s+or\s+is\s+$
    | \b(?:regurgitat|disgorg|expel|eject|freeing|bursts?\s+free)\w*\b[^.;]*$
    | \bcondition,\s+such\s+as\b[^.;]*$
    | \bgrappling\s+or\s+$
    | \bsymptoms\b
    | \b(?:without\s+being|must\s+be)\s+$
    | \bwater\b[^.,;]*\bbecomes\s+$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PROTECTED: Final = re.compile(
    r"""
    \b(?:
      immun\w* | resistan\w* | advantage\s+on\b(?:(?!\bmust\b)[^.])*\bsav\w* | advantage\s+vs\b | can['’]?t\s+be
      | cannot\s+be | frees? | removes? | cured\s+of
    )\b(?![^.]*\b(?:must|but)\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_AIM: Final = re.compile(r"\b(?:melee|ranged)[\w ]*\battack(?: roll)?:.{0,250}?\bhit:", re.IGNORECASE | re.DOTALL)
"""An attack's valid targets ("one creature that is grappled or restrained") are not its effects."""
_IN_WALLS: Final = re.compile(
    r"""
    \btak(?:es?|ing)\s+[^.]{0,80}?\s+(?:if|when|whenever|each\s+time)\s+[^.,;]{0,30}?\b(?:starts?|ends?)\s+
      (?:\w+\s+)?turn\s+(?:inside|in)\s+(?:an?\s+)?(?:solid\s+)?object\b[^.]*
    | \bends?\s+(?:\w+\s+)?turn\s+inside\s+an?\s+(?:solid\s+)?object,?\s+[^.]{0,30}?\btakes?\b[^.]*
    | \bdamage\s+per\s+round\s+\(DC\s[^()]*\)
    | \bteleport(?:ing)?\s+to\s+an\s+occupied\s+space,\s+it\s+takes\b[^.]*
    | \bafter\s+taking\s+\w+\s+damage\b
    | \bgoes\s+without\b[^.,]*,\s+it\s+(?:suffers|gains)\b[^.]*
    | \bis\s+then\s+paralyzed\s+until\b[^.]*
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Harm that an incorporeal, misguided, starving or defeated creature suffers itself, and damage that is a trigger."""
_BARE_DAMAGE: Final = re.compile(
    rf"""
    (?:\d+\s*\({DICE}\)|:\s+{DICE}|\b{DICE}(?=\s+(?:{TYPES}),?\s+(?:and\s+)?{DICE}))[^\S\n]+(?P<types>{TYPES})\b
    (?!\s+damage)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Tome of Beasts 3 style: "27 (5d10) radiant (DC 16 Dex half)"; on a new line it is a verb: "Force each"."""
_EITHER: Final = re.compile(rf"\b{DICE}\)?\s+(?:{TYPES})\s+damage\s+or\s+(?P<types>{TYPES})\s+damage\b", re.IGNORECASE)
"""The second of two types to choose from: "3d8 necrotic damage or radiant damage (the newt's choice)"."""
_INSTEAD: Final = re.compile(
    rf"""
    \b(?:choose\s+to\s+deal|substitute)\s+(?P<types>{TYPES})\s+(?:instead|by)\b
    | \bchange\s+the\s+damage\s+[^.,;:]{{1,40}}?\s+to\s+(?P<changed>{TYPES})
    | \b(?P<listed>{TYPES})\s+as\s+defined\s+by\b
    | \bdamage\s+type\s+changes\s+from\s+\w+\s+to\s+(?P<later>{TYPES})
    | \bit\s+deals\s+(?P<shape>{TYPES})(?=\.|\s+has\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Types that the creature may deal instead of its own."""
_OF_SOME_TYPE: Final = re.compile(
    r"\d\)?\s+damage\s+of\s+(?:[\w'’]+\s+){1,3}?type\b|\bdeal\s+the\s+damage\s+type\b|\bsplits\s+damage\b",
    re.IGNORECASE,
)
_SOME_TYPES: Final = re.compile(
    rf"""
    \b(?:
        one\s+of\s+the\s+following\s+damage\s+types
        | determine\s+the\s+(?:\w+\s+)?damage\s+type
        | damage\s+of\s+a\s+type\s+depending\s+on
        | splits\s+damage\s+among
        | type\s+of\s+damage\s+based\s+on
      )\b(?P<types>[^.;\n]*)
    | ^\W*[A-Z]\w+\.\W*(?P<bullet>{TYPES})\s+damage\s+in\s+an?\b
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
"""Types that some trait lets it choose or roll: "damage of the type chosen for the Origin trait" deals any of them."""
SENTENCE: Final = re.compile(r"(?<=[.!?])(?<!vs\.)(?<!ft\.)\s+(?!\(DC\b)|\n+")
_UNTYPED_BREATH: Final = re.compile(r"\bbreath\s+weapon\s+deals\s+[^.]*?\d\)?\s+damage\b", re.IGNORECASE)
_BREATHES: Final = re.compile(rf"\bbreathes\s+an?\s+[\w-]+\s+(?:line|cone)\s+of\s+(?P<types>{TYPES})\b", re.IGNORECASE)
"""Types of a breath that depend on the kind: "a red tree breathes a 30-foot cone of fire"."""
_SUBJECT: Final = re.compile(
    r"""
    (?:^|(?<=[.!?]\s)|(?<=\n))The\s+(?P<name>[a-z][\w'’-]*(?:\s+[a-z][\w'’-]*)?)\s+
    (?:can|makes|has|is|deals|moves|uses|takes)\b
    """,
    re.VERBOSE,
)
_NO_NAME: Final = frozenset({"the", "and", "save", "object", "area", "attack", "spell"})
_OTHER: Final = re.compile(
    r"""
    \b(?:
      targets? | creatures? | objects?\s+takes? | humanoids? | beasts? | undead | constructs? | fiends? | victims?
      | enem(?:y|ies) | foes? | opponents? | attackers? | hosts? | owners? | wearers? | readers? | users? | persons?
      | people | characters? | players? | individuals? | spellcasters? | clerics? | non-\w+ | prey
      | any(?:one|body|thing) | every(?:one|thing) | someone | those | others | listeners? | all\s+(?:in|within|it)
      | cone | line | deals? | attacks\s+do | (?<!critical\s)hits?(?!\s+(?:points?|dice)) | fail: | failure
      | requires\s+a\s+DC | with\s+(?:a\s+)?DC
    )(?!\w)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Words for others than the creature: a text without any is only about the creature itself."""

_THE_SAME: Final = re.compile(rf"\btakes\s+the\s+same\s+amount\s+of\s+(?P<type>{TYPES})\s+damage\b", re.IGNORECASE)
"""Damage that is passed on: "each creature sharing its space takes the same amount of lightning damage"."""
_KINDS: Final = frozenset({"lycanthrope"})
"""Kinds that a text names instead of the creature."""


def effects(name: str, sections: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """The schema's `deals`, `saves`, `forces_saves`, `save_dc` and `inflicts` of the creature `name`.

    Lists of words are in canonical order.
    `save_dc` is the highest DC among forced saves, even those without a named ability, and spells; or None.

    Args:
        name: the creature's name.
        sections: traits and actions, by the column that they belong to.
    """
    parts = [row for rows in sections.values() for row in rows]
    own = _own_names(name, " ".join(row["description"] or "" for row in parts))
    told = [
        (section, row, list(_sentences(row["description"] or "", own)))
        for section, rows in sections.items()
        for row in rows
    ]
    sentences = [sentence for _, _, said in told for sentence in said]
    saves = [
        {"section": section, "feature": row.get("name"), **save}
        for section, row, said in told
        for save in forced_saves(said)
    ]
    unnamed = [dc for row in parts for dc in unnamed_dcs(row["description"] or "")]
    inflicted = {condition for sentence in sentences for condition in _inflicted(sentence)}
    abilities = {ability for save in saves for ability in save["abilities"]}
    return {
        "deals": sorted({kind for row in parts for kind in _of_attacks(row)} | _of_effects(sentences) | _chosen(parts)),
        "saves": saves,
        "forces_saves": [ability for ability in ABILITIES if ability in abilities],
        "save_dc": max([*(save["dc"] for save in saves if save["dc"] is not None), *unnamed], default=None),
        "inflicts": sorted(inflicted),
    }


def _of_attacks(row: Mapping[str, Any]) -> Iterator[str]:
    for attack in row.get("attacks") or ():
        for damage in attack["damage"]:
            yield from types_in(damage["type"] or "")


def _of_effects(sentences: Iterable[str]) -> set[str]:
    text = without_notes_on_types("\n".join(sentences))
    others = (match["types"] for pattern in (_BARE_DAMAGE, _EITHER) for match in pattern.finditer(text))
    same = (match["type"] for match in _THE_SAME.finditer(text))
    return {*damage_types(text), *(kind for types in (*others, *same) for kind in types_in(types))}


def _chosen(rows: Iterable[Mapping[str, Any]]) -> set[str]:
    """The types from which the creature chooses or rolls one."""
    text = "\n".join(row["description"] or "" for row in rows)
    listed = [match[match.lastgroup or 0] for match in _INSTEAD.finditer(text)]
    if _OF_SOME_TYPE.search(text):
        listed += [match["types"] or match["bullet"] for match in _SOME_TYPES.finditer(text)]
    if _UNTYPED_BREATH.search(text):
        listed += [match["types"] for match in _BREATHES.finditer(text)]
    return {kind for types in listed for kind in types_in(types)}


def _own_names(name: str, text: str) -> frozenset[str]:
    """Words by which the texts refer to the creature: those of its name, and frequent subjects ("The dragon can")."""
    counts: Counter[str] = Counter()
    for match in _SUBJECT.finditer(text):
        words = match["name"].split()
        counts[words[-1] if len(words) > 1 and words[-1] not in {"can", "also"} else words[0]] += 1
    subjects = {subject for subject, count in counts.items() if count > 1 or len(counts) == 1}
    candidates = {*re.findall(r"[a-z][a-z'’-]{2,}", name.lower()), *subjects} - _NO_NAME
    return frozenset(word for word in candidates if not _OTHER.search(word)) | _KINDS


def _sentences(text: str, own: frozenset[str]) -> Iterator[str]:
    """The sentences of a text, without effects the creature itself suffers."""
    plain = _IN_WALLS.sub("", _AIM.sub("Hit:", re.sub(r"(?<!\w)[*_]+|[*_]+(?!\w)", "", text)))
    plain = _SO_AFFECTED.sub(r"\g<0>,", _AFTER_SAVE.sub(r"\g<0>, it", plain))
    plain = _NO_COMMA.sub(r"\g<clause>, \g<whom> is ", _TARGETED.sub("", plain))
    suffered = _suffered(own)
    for sentence in SENTENCE.split(plain) if _OTHER.search(plain) else ():
        yield suffered.sub(r"\g<before>", sentence)


@cache
def _suffered(own: frozenset[str]) -> re.Pattern[str]:
    names = "|".join(map(re.escape, sorted(own)))
    return re.compile(
        rf"""
        (?P<before>^|[,;:)]\s+|\b(?:and|or|then|it)\s+)
          (?:(?:the|an?|this|each)\s+(?:[\w-]+\s+){{0,2}})?(?:{names})\s+
          (?:(?:who|that|which)\s[^.;]*?|in\s+[\w ]+\s+form\s+)?
          (?:
            (?:(?:must|can|may)\s+(?:\w+\s+)?)?(?:succeeds?\s+on|makes?|attempts?)\s+[^.,;]*?(?:saving\s+throw|save)\b
              (?:[^.,;]*\bor\s+(?:be|become|fall)\b[^.,;]*)?
            | (?:catches\s+fire\s+and\s+)?takes\b[^.,;]*\bdamage\b
            | (?:is|becomes|has|suffers|gains)\b(?![^.]*\b(?:advantage|immun|resist))[^.,;]*
          )
        # "If the newt takes 20 damage or more on a turn, it must make …": a save of its own.
        | \bif\s+(?:the\s+)?(?:{names})\s+takes\s+\d[^.;]*?
          \b(?:it|{names})\s+must\s+(?:makes?|succeeds?\s+on)\s[^.,;]*?\bsav(?:e\b|ing\s+throw)
        | \bknock(?:s|ing)?\s+the\s+(?:{names})\s+prone\b
        | \bthe\s+(?:{names})\s+(?:in|into)\s+[^.,;]*?\bwhere\s+it\s+(?:is|becomes)\b[^.,;]*
        | \bif\s+the\s+(?:{names})['’]s\s+[^.,;]*?\bdoused,\s+it\s+is\b[^.,;]*
        """,
        re.IGNORECASE | re.VERBOSE,
    )


def _inflicted(sentence: str) -> Iterator[str]:
    yield from (CONDITION_OF_VERB[match["verb"].lower()] for match in _ACTIVE.finditer(sentence))
    if _HELD.search(sentence):
        yield "grappled"
    if any(not _is_supposed(sentence[: match.start()]) for match in _UNSEEN.finditer(sentence)):
        yield "invisible"
    yield from (_WITHOUT[match["sense"].lower()] for match in _SENSELESS.finditer(sentence))
    if not _ANY_CONDITION.search(sentence):
        return
    for match in (*_NEGATED.finditer(sentence), *_BECOMING.finditer(sentence)):
        yield from _ANY_CONDITION.findall(match["conditions"].lower())
    for pattern in (_HAS, _IS, _JOINED, _TERSE, _VERBLESS, _EXHAUSTS):
        for match in pattern.finditer(sentence):
            before = sentence[: match.start(match.lastgroup or 0)]
            if _is_supposed(before) or (
                pattern is _JOINED and not _FORCED.search(sentence if match[0].startswith(":") else before)
            ):
                continue
            yield from _ANY_CONDITION.findall(match[match.lastgroup or 0].lower())


def _is_supposed(before: str) -> bool:
    """Whether the words before a condition only presuppose it or grant immunity to it."""
    return bool(_SUPPOSED.search(before) or _PROTECTED.search(before))
