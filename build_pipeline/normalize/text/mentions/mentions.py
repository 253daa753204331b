"""Find what a text names: spells, items, creatures, conditions, and sections that it refers the reader to.

Plain words that merely coincide with a name ("shield", "light") are not evidence; a text has to emphasise the name, say
what it is ("the *light* spell", "the Wolf stat block") or refer the reader to it ('see "Cover"').
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_pipeline.kept import kept
from build_pipeline.normalize.text.mentions.called_creatures import creatures_in_play
from build_pipeline.normalize.text.mentions.mention import SEPARATOR, Mention, beginnings, each_of, endings
from build_pipeline.normalize.text.mentions.named_columns import in_columns
from build_pipeline.normalize.text.mentions.plain_names import PLAIN_NAMES, RULE
from server.dataset.vocabulary import MASTERIES, SCHOOLS, WEAPON_PROPERTIES

_SPELL: Final = ("spell",)
_CREATURE: Final = ("creature",)
_CONDITION: Final = ("condition",)
_FEAT: Final = ("feat",)
_ARMS: Final = ("weapon", "armor")
_ITEM: Final = ("magic-item",)
_GEAR: Final = ("adventuring-gear",)
_PROPERTY: Final = ("weapon-property",)
_ON_A_PAGE: Final = ("magic-item", "spell", "creature", "feat")
_SECTION: Final = ("rule", "condition", "feat", "weapon-property")
_IN_ITALICS: Final = ("spell", "magic-item", "condition", "creature")
_IN_BOLD: Final = ("creature", "magic-item")

_EMPHASIS: Final = re.compile(
    r"(?<![\w*_\\])(?P<mark>\*{1,2}|_{1,2})(?=[^\s*_])(?P<name>[^*_\n|]{2,60}?)(?<=[^\s*_])(?P=mark)(?![\w*_])"
)
_OF: Final = re.compile(r"\b(?P<kind>[A-Za-z]+ of(?: the)?) $")
"""Words before a name that is only partly emphasised: "oil of *etherealness*"."""
_LABEL: Final = re.compile(r"[.:)\d]$")
_IN_A_SENTENCE: Final = re.compile(r"[a-z] $")
_ITEM_KINDS: Final = re.compile(r"Item Requirement: ")
"""A line that names kinds of items: "Item Requirement: Armor or Shield"."""
_LINE_START: Final = re.compile(r"[ \t]*(?:[-*•][ \t]+|\|[ \t]*)?$")
_LABELS_END: Final = re.compile(r"\s*(?:[.:—–|]|\n|$)")
_RULES_TOO: Final = {"darkness", "fear", "resistance"}
"""Spells whose name, even in italics, may also mean the game term of that name."""
_RULE_BEFORE: Final = re.compile(r"\b(?:any|against|cloud\s+of|radius\s+to)\s+$", re.IGNORECASE)
_RULE_AFTER: Final = re.compile(r"\s+(?:to|until|against)\b")
_OF_LIGHT: Final = re.compile(r"\b(?:dim|bright) light\b", re.IGNORECASE)
_POSSESSIVE: Final = re.compile(r"['’]s?$")

_LOOK_BACK: Final = 60
"""Number of characters before "spell" or "stat block" to search for its name."""
_SPELL_WORD: Final = re.compile(r"\s(?:spell|cantrip)s?\b(?!\s(?:slot|list|save|attack|level|or effect))")
_BESIDE_ANOTHER: Final = re.compile(
    r"(?<![\w'’/-])(?P<one>(?:[\w'’/-]++ ){1,4}[\w'’/-]++),? (?:or|and) (?:the |an? )?(?:[\w'’/-]+ ){0,3}[\w'’/-]+"
    r"\s(?:spell|cantrip)s?\b(?!\s(?:slot|list|save|attack|level))"
)
"""The first of two spells: "a true resurrection or a wish spell"."""
_FIRST_OF_SEVERAL: Final = re.compile(
    r"\bthe (?P<name>[\w'’/-]+),? (?:or|and) (?:[\w'’/-]+ ){0,3}[\w'’/-]+ (?:spells|cantrips)\b(?! (?:slots?|lists?))"
    r"|\ban? (?P<one>[\w'’/-]+) or (?!cast)(?:[\w'’/-]+ )?[\w'’/-]+ (?:spell|cantrip)\b"
    r"(?! (?:slot|list|save|attack|level))"
)
"""The first of two spells if it is a single word: "the foresight and true seeing spells", "a heal or wish spell"."""
_WITH_NOTES: Final = re.compile(
    r"\bthe (?P<one>[\w'’/-]+(?: [\w'’/-]+){0,3}) \([^()]*\) or (?:the )?(?P<other>[\w'’/ -]{3,30}?)"
    r"(?: \([^()]*\))? spell\b"
)
"""Two spells, each with a note: "the mud dam (if wet) or dust (if dry) spell"."""
_VERSION_OF: Final = re.compile(r"\bversion of (?:the |an? )?(?P<names>[\w'’-]+(?: [\w'’-]+){1,4})")
"""The item of which another is a stronger or weaker version: "This larger version of mud boots has"."""
_CAST_AT_WILL: Final = re.compile(
    r"\bability to cast (?P<one>[a-z][\w'’ -]{1,60}?) and (?P<other>[\w'’ -]{1,60}?) at will\b"
)
"""Two spells that somebody can always cast: "the ability to cast mud dam and gale at will"."""
_IN_A_BOOK: Final = re.compile(
    r"(?<![\w'’-])(?P<name>(?:[\w'’-]++ ){0,3}[\w'’-]++) \(see (?:Creature Codex|Tome of Beasts)"
)
"""A creature and the bestiary that has it: "devil shark (see Creature Codex)"."""
_SEE_PAGE: Final = re.compile(r"(?<![\w'’-])(?P<name>(?:[\w'’-]++ ){0,4}[\w'’-]++) \((?:see )?page \d+")
"""Something that its book has on another page: "the jar of jam (see page 12)"."""
_SPELLS_LISTED: Final = re.compile(
    r"\bspells\b[^.:;|\n]{0,200}(?:: | are instead )(?P<names>[A-Za-z’' /-]+(?:, [A-Za-z’' /-]+)+)[.,]"
)
"""A sentence that lists spells after a colon, or spells that replace others."""
_SEVERAL_SPELLS: Final = re.compile(
    r"\bthe (?P<names>(?![^,]{0,400} the )[a-z][\w'’/ -]{0,200}(?:, [\w'’/ -]{1,200}){0,12}), (?:or|and) (?:the )?"
    r"(?:[\w'’/-]+ ){1,5}(?:spell|cantrip)s?\b"
    r"(?! (?:slot|list|save|attack|level))"
)
"""All but the last of several spells: "the augury, identify, or legend lore spell"."""
_SPELLS_LIKE: Final = re.compile(r"\bspells like (?P<names>[a-z][^.:;()|\n]+)")
"""Spells named as examples of others: "spells like symbol and contact other plane"."""
_SPELLS_SUCH_AS: Final = re.compile(
    r"\bspells?\b[^.:;()]{0,60} \(?such as (?P<names>[^().;\n]+)"
    r"|\b(?:by|to an?|an?) (?P<like>[A-Za-z][\w'’, -]{2,60}?),? or similar (?:spell|magic)\b"
)
"""Spells that a text names in passing: "a spell that reads minds (such as detect thoughts or modify memory)"."""
_PROPERTIES: Final = "|".join(name for name in (*WEAPON_PROPERTIES, *MASTERIES) if name != "special")
"""Without "special": only the weapon says what its special property is."""
_HAS_PROPERTIES: Final = re.compile(
    rf"\b(?P<names>(?:{_PROPERTIES})(?:,? (?:and |or )?(?:{_PROPERTIES})){{0,8}}) "
    r"(?:weapon |mastery )?propert(?:y|ies)\b",
    re.IGNORECASE,
)
_AS_IF: Final = re.compile(r"\bas (?:if|though)(?: \w+){0,2} $")
"""Text before a condition that a creature does not have."""
_FOOD: Final = re.compile(r"\b(?:food|liquid|drink|meal)\b[^.;]*$", re.IGNORECASE)
"""Text before "poisoned" where it does not mean the condition."""
_AS_MAGIC: Final = re.compile(
    r"\b(?:(?:[Ss]pells?|magic|effects?),? such as|[Ss]pells like"
    r"|(?:removed|cured|ended|lifted|neutralized|reversed|restored|dispelled)(?: \w+ly)? (?:by|with|through|using)"
    r"|removes the condition with|(?:targeted|affected|dispelled) by|under (?:the )?effects? of|detected using"
    r"|(?:inside|within|area of) an|protected by an?|works like|as if by means of|held shut by an|created with"
    r"|[Cc]ast(?:s(?! an? )|ing)?(?! spells that)|as if (?:it had cast|using)|Treat as an?|[Tt]he (?:spell|cantrip)"
    r"|affected by|benefits of|attempts such as|ex:)"
    r" (?:the )?(?:(?:spell|cantrip) )?(?P<names>[A-Za-z'’]+ [A-Za-z'’][^.;:()|\n]*)"
)
"""Something only magic does, and the words after it, which begin with its name: "removed by lesser restoration or"."""
_AS_ANOTHER: Final = re.compile(r"\bAs (?:the )?(?P<name>[a-z'’]+(?: [a-z'’]+){0,4}), (?:but|except)\b")
"""A spell on which another one builds: "As repair metal, but you can"."""
_AS_THE_CREATURE: Final = re.compile(r"\bAs the (?P<name>[a-z][\w’'-]*(?: [\w’'-]+){0,3}), (?:but|except)\b")
_AS_THE_SPELL: Final = re.compile(
    r"\b(?P<word>[a-z]+)(?: the caster)? \(?as (?:per )?the spell(?: (?P<name>[a-z]+)(?=\)))?(?=[),.]| for\b)"
    r"|\b(?P<first>[a-z]+) or (?:comparable magic|heroes['’] feast)\b"
)
"""A one-word spell that a text likens something to, or names next to other magic: "confused (as the spell)"."""
_SPELL_OF: Final = {"confused": "confusion", "confuses": "confusion", "slowed": "slow"}
"""The word for a spell's effect → the spell."""
_NAME: Final = re.compile(r"[A-Za-z'’]+(?: [A-Za-z'’]+){1,4}")
_SCHOOLS: Final = re.compile(
    r"(?<!\bthe )(?<!\bminor )(?<!\bprogrammed )\b"
    rf"(?:{'|'.join(SCHOOLS)})$",
    re.IGNORECASE,
)
"""Schools: "a divination spell" is any of the school; "the divination spell" is one spell, like "minor illusion"."""
_MAGIC_ITEM: Final = re.compile(
    r"""
    \b(?P<before>(?:(?<![\w'’-])(?:[\w'’-]+\ ){1,2})?)(?P<kind>
      amulet | apparatus | armor | bag | ball | belt | boots | bracers | broom | candle | carpet | chime | circlet
      | cloak | crown | cube | deck | dust | elixir | eyes | figurine | gauntlets | gem | gloves | hat | helm | horn
      | mace | mantle | manual | medallion | mirror | necklace | oil | orb | periapt | pipes | potion | ring | robe
      | rod | rope | scarab | slippers | sphere | staff | stone | sword | talisman | tome(?!\ of\ beasts) | wand
      | well | wings
    )s?\ of\ (?P<what>(?:[\w'’-]+\ ){0,3}[\w'’-]+)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Names that few things other than magic items have, even without emphasis: "such as a bag of holding"."""
_TRAINED: Final = re.compile(
    r"\bproficien(?:cy|t) (?:with|in) (?:(?:the|your) )?(?P<names>(?!the |your )[A-Za-z][^.;:()|\n]+)"
)
"""Weapons and armor that somebody can use: "proficiency with spears and shortbows"."""
_TOOLS: Final = re.compile(
    r"\b(?:[a-z]+(?:['’]s|s['’])|disguise|forgery|herbalism) (?:kit|supplies|tools|utensils)\b", re.IGNORECASE
)
"""Tools, whose names mean nothing else: "proficient with thieves' tools"."""
_LAST_WORDS: Final = re.compile(r"(?:[\w'’/-]+ ){0,4}[\w'’/-]+$")
_STAT_BLOCK: Final = re.compile(
    r"(?:['’]s?)?(?: game)? (?:stat block|statistics)\b"
    r"(?: (?:of|for|as|(?:are )?identical to) (?:(?:the|an?|1) )?"
    r"(?P<of>[A-Za-z'’ -]{3,40}?)(?=[,.;:()]| (?:with|but|except|and|under|that|in|for)\b))?"
)
_ITS_NAME: Final = re.compile(r"\b(?:[Tt]he|[Aa]n?) (?P<name>[A-Za-z'’ -]{3,40})$")
_CAPITALIZED: Final = r"[A-Z][\w'’]{0,40}(?: (?:of |the ){0,2}[A-Z][\w'’]{0,40}){0,9}"
"""A name of at most ten words: a whole sentence in capitals is not a name, and would be matched from each word."""
_A_FEAT: Final = re.compile(
    rf"\bthe (?P<the>{_CAPITALIZED}) feat(?:ure)?\b|\b(?P<recommended>{_CAPITALIZED}) is recommended\b"
)
_INVOCATION: Final = re.compile(rf"\b(?P<name>{_CAPITALIZED}) [Ii]nvocation\b")
_SENT_TO: Final = re.compile(
    r"\b(?:[Ss]ee(?: also)?:?|in|of) (?:the )?"
    r"(?P<names>[“\"][^”\"\n]+[”\"](?:(?:,| and|, and| or) (?:the )?[“\"][^”\"\n]+[”\"])*)"
)
_QUOTED: Final = re.compile(r"[“\"](?P<name>[^”\"\n]{2,60}?)[,.]?[”\"]")

_PLAIN_CONDITIONS: Final = (
    "blinded(?! (?-i:[A-Z])| by (?:anger|anguish|fury|greed|grief|hate|hatred|love|rage)\\b)|"
    "charmed(?! li(?:fe|ves)\\b)|deafened|(?:(?<!to )|(?<=(?:stant|mmune|unity) to ))exhaustion|"
    "frightened|grappled|incapacitated|paralyzed|petrified(?! (?:\\w+ )?(?:heart|root|wood)s?\\b)|"
    "poisoned(?! (?:or [a-z]+ )?(?:ammunition|arrow|blade|bolt|dagger|dart|drink|food|meal|needle|spike|weapon)s?\\b)|"
    "prone(?! to\\b)|restrained(?! in any way)|stunned|(?<!as )unconscious|bloodied|rattled"
)
"""Words that mean the condition wherever a text uses them, with exceptions: a charmed life is lucky, a poisoned meal
poisons, petrified wood is a material, and somebody worked "to exhaustion", rather than resistant or immune to it, is
only tired."""
_NAMED_CONDITIONS: Final = "invisible|confused|doomed|encumbered|fatigue|slowed|strife|surprised"
"""Words with other uses: the condition only where a text calls it one, or says that a creature is it."""
_CONDITIONS: Final = re.compile(
    rf"\b(?:(?P<plain>{_PLAIN_CONDITIONS})\b"
    rf"|(?P<named>{_NAMED_CONDITIONS}) conditions?\b"
    r"|(?:be|being|is|are|becom(?:es?|ing)|turns?|turned|remains?) (?P<unseen>invisible)"
    r"(?!, odorless)(?=[.,;)]| (?:\(|(?:and|or|until|for \d|while|when|with|on|in|at|as|to)\b))"
    r"|(?P<hidden>invisible) creatures?\b"
    r"|levels? of (?P<level>fatigue|strife))",
    re.IGNORECASE,
)

_DISEASES: Final = re.compile(r"\b(?:cackle fever|sewer plague|sight rot)\b", re.IGNORECASE)
_KIND_OF_MADNESS: Final = "(?:short|long)-term|indefinite"
_MADNESS: Final = re.compile(
    rf"\b(?P<kind>{_KIND_OF_MADNESS})(?=(?:,?(?: or| and)? (?:{_KIND_OF_MADNESS})){{0,2}} madness\b)", re.IGNORECASE
)
"""A kind of madness, or one of several: "short-term or long-term madness"."""


@kept
def mentions(text: str) -> list[Mention]:
    """Everything that the text names, in the order of the kinds of evidence."""
    return list(_mentions(text))


def _mentions(text: str) -> Iterator[Mention]:
    yield from _emphasised(text)
    plain = re.sub(r"[*_]+", "", text)
    for match in _SPELL_WORD.finditer(plain):
        before = _LAST_WORDS.search(plain, max(0, match.start() - _LOOK_BACK), match.start())
        if before and not _SCHOOLS.search(before[0]):
            yield Mention(endings(before[0]), _SPELL)
    for match in _matches(_BESIDE_ANOTHER, plain, " spell", " cantrip"):
        yield Mention(endings(match["one"], 2), _SPELL)
    firsts = (match["name"] or match["one"] for match in _FIRST_OF_SEVERAL.finditer(plain))
    yield from (Mention((name,), _SPELL) for name in firsts if not _SCHOOLS.search(name))
    yield from _listed_or_printed_elsewhere(plain)
    yield from _with_notes_and_versions(plain)
    for match in _AS_MAGIC.finditer(plain):
        listed = (match["names"], *SEPARATOR.split(match["names"])[1:])
        for first in filter(None, map(_NAME.match, listed)):
            yield Mention(tuple(beginnings(first[0], 2)), _SPELL)
    yield from (Mention((match["name"],), _SPELL) for match in _AS_ANOTHER.finditer(plain))
    yield from _likened(plain)
    for match in _STAT_BLOCK.finditer(plain):
        before = _ITS_NAME.search(plain, max(0, match.start() - _LOOK_BACK), match.start())
        if name := match["of"] or (before and before["name"]):
            yield Mention((name,), _CREATURE)
    yield from (Mention((match["name"],), _CREATURE) for match in _matches(_AS_THE_CREATURE, plain, "As the "))
    yield from creatures_in_play(plain)
    yield from _feats(plain)
    yield from _always_named(plain)
    for match in _CONDITIONS.finditer(plain):
        preceding = plain[max(0, match.start() - _LOOK_BACK) : match.start()]
        spoiled = match["plain"] == "poisoned" and _FOOD.search(preceding)
        if not _AS_IF.search(preceding) and not spoiled:
            yield Mention((next(filter(None, match.groups())),), _CONDITION)
    yield from (Mention((match[0],), RULE) for match in _DISEASES.finditer(plain))
    yield from (Mention((f"{match['kind']} madness",), RULE) for match in _MADNESS.finditer(plain))


def _feats(plain: str) -> Iterator[Mention]:
    yield from (Mention((match["the"] or match["recommended"],), _FEAT) for match in _A_FEAT.finditer(plain))
    yield from (Mention(endings(match["name"]), _FEAT) for match in _matches(_INVOCATION, plain, "nvocation"))


def _always_named(plain: str) -> Iterator[Mention]:
    """Things, other than rules, whose names mean nothing else."""
    for kind, names in PLAIN_NAMES.items():
        if kind != RULE:
            several = "s" if kind == _GEAR else ""
            yield from (Mention((match[0] + several, match[0]), kind) for match in names.finditer(plain))
    yield from items_named(plain)
    yield from (Mention((match[0],), _GEAR) for match in _TOOLS.finditer(plain))
    for match in _matches(_TRAINED, plain, "proficien"):
        yield from (Mention((name,), _ARMS) for name in SEPARATOR.split(match["names"]))


def _likened(plain: str) -> Iterator[Mention]:
    for match in _matches(_AS_THE_SPELL, plain, "the spell", " or comparable", " or heroes"):
        word = match["name"] or match["word"] or match["first"]
        yield Mention((_SPELL_OF.get(word, word),), _SPELL)


def items_named(text: str) -> Iterator[Mention]:
    """The magic items that plain words name by their kind: "such as a bag of holding"."""
    yield from (Mention(tuple(_item_names(match)), _ITEM) for match in _MAGIC_ITEM.finditer(text))


def _item_names(match: re.Match[str]) -> Iterator[str]:
    """The item's possible names, longest first: "tan bag of tricks", "bag of tricks"."""
    before, what = match["before"].split(), match["what"].split()
    for start in range(len(before) + 1):
        for end in range(len(what), 0, -1):
            yield " ".join((*before[start:], match["kind"], "of", *what[:end]))


def _listed_or_printed_elsewhere(plain: str) -> Iterator[Mention]:
    """Things named with a book or page reference, spells in lists, things in table columns, and weapon properties."""
    yield from (Mention(endings(match["name"]), _CREATURE) for match in _matches(_IN_A_BOOK, plain, " (see "))
    yield from (Mention(endings(match["name"]), _ON_A_PAGE) for match in _matches(_SEE_PAGE, plain, "page "))
    for match in _matches(_SPELLS_LISTED, plain, "spells"):
        yield from (Mention((name.removeprefix("and "),), _SPELL) for name in match["names"].split(", "))
    for match in _matches(_SEVERAL_SPELLS, plain, " spell", " cantrip"):
        yield from (Mention((name,), _SPELL) for name in match["names"].split(", "))
    for match in _matches(_SPELLS_LIKE, plain, " like "):
        yield from (Mention((name,), _SPELL) for name in SEPARATOR.split(match["names"]))
    for match in _matches(_SPELLS_SUCH_AS, plain, "such as ", " or similar "):
        for named in SEPARATOR.split(match["names"] or match["like"]):
            yield Mention(tuple(beginnings(named)), _SPELL)
    if "|" in plain:
        yield from in_columns(plain)
    for match in _matches(_HAS_PROPERTIES, plain, "propert", "Propert"):
        yield from (Mention((name,), _PROPERTY) for name in re.findall(_PROPERTIES, match["names"], re.IGNORECASE))


def _with_notes_and_versions(plain: str) -> Iterator[Mention]:
    """Two spells that each have a note or can be cast at will, and the item of which another is a version."""
    for match in _matches(_WITH_NOTES, plain, ") spell"):
        yield Mention(endings(match["one"]), _SPELL)
        yield Mention((match["other"],), _SPELL)
    for match in _matches(_CAST_AT_WILL, plain, "ability to cast "):
        yield from (Mention((match[spell],), _SPELL) for spell in ("one", "other"))
    for match in _matches(_VERSION_OF, plain, "version of "):
        yield Mention(tuple(beginnings(match["names"], 2)), _ITEM)


def _matches(pattern: re.Pattern[str], text: str, *required: str) -> Iterator[re.Match[str]]:
    """The matches of a slow pattern; it is not tried if none of the required words occurs in the text."""
    return pattern.finditer(text) if any(words in text for words in required) else iter(())


def names_school(words: str, text: str) -> bool:
    """Whether the words mean a school's spells in general: "divination" in "cause divination spells to fail"."""
    if not _SCHOOLS.search(words):
        return False
    return bool(re.search(rf"\b{re.escape(words)} (?:spells|magic)\b", text, re.IGNORECASE))


def sections_named(text: str) -> Iterator[Mention]:
    """The sections that the text refers its reader to: 'see "Cover" and "Making an Attack"'."""
    for match in _SENT_TO.finditer(re.sub(r"[*_]+", "", text)):
        yield from (Mention((quoted["name"],), _SECTION) for quoted in _QUOTED.finditer(match["names"]))


def _emphasised(text: str) -> Iterator[Mention]:
    """Names in italics, and in bold unless they are a heading or label."""
    for match in _EMPHASIS.finditer(text):
        name = match["name"].strip(" ,;")
        if _IN_A_SENTENCE.search(text, max(0, match.start() - 2), match.start()):
            name = name.rstrip(".")
        bold = len(match["mark"]) > 1
        if _LABEL.search(name) or (bold and _is_label(text, match)):
            continue
        if _is_rule(text, match) or _is_group(text, match) or _ITEM_KINDS.match(name):
            continue
        parts = each_of(name)
        kinds = _IN_BOLD if bold else _IN_ITALICS
        if owner := _POSSESSIVE.sub("", name):
            yield Mention(whole_names(owner, text, match.start()), kinds, parts if len(parts) > 1 else ())


def whole_names(name: str, text: str, start: int) -> tuple[str, ...]:
    """The possible whole names at an offset in the text, longest first: "oil of etherealness", "etherealness"."""
    of = _OF.search(text, max(0, start - _LOOK_BACK), start)
    return (f"{of['kind']} {name}", name) if of else (name,)


def _is_rule(text: str, match: re.Match[str]) -> bool:
    """Whether the words mean the rule rather than the spell: "_resistance_ to fire", "_dim light or darkness_"."""
    name = match["name"].lower()
    if name not in _RULES_TOO:
        return name.removesuffix("s") in _RULES_TOO or bool(_OF_LIGHT.search(name))
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    return bool(_RULE_BEFORE.search(before) or _RULE_AFTER.match(text, match.end()))


def _is_group(text: str, match: re.Match[str]) -> bool:
    """Whether the words head the rows below them in a table: theirs is the row's only cell that is not blank."""
    start = text.rfind("\n", 0, match.start()) + 1
    before, after = text[start : match.start()], text[match.end() :].partition("\n")[0]
    return before.strip() == "|" and after.count("|") > 1 and not re.sub(r"[|\s]", "", after)


def _is_label(text: str, match: re.Match[str]) -> bool:
    """Whether bold words head a paragraph, a list item or a table's column."""
    line = text.rfind("\n", 0, match.start()) + 1
    return bool(_LINE_START.match(text[line : match.start()]) and _LABELS_END.match(text, match.end()))
