"""Terms of a book's glossary, and its tables, that its texts name without emphasis.

In books that capitalise their terms ("Difficult Terrain", "Bright Light"), these words mean the glossary entry wherever
they appear. One-word terms are ignored, as "Hide" may be the action or the beginning of a sentence. The exceptions are
attitudes, senses and Bloodied, which have no other use; actions called actions ("the Dash action"); a Reaction that is
taken; areas of effect with their size ("a 15-foot Cone"); and terms for which a text refers to the glossary.
Items for sale are named likewise ("a Component Pouch").
Books without a glossary have the actions among their combat rules.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from build_pipeline.normalize.merging.merge import Entity
from build_pipeline.normalize.text.mentions.mention import endings
from build_pipeline.normalize.text.titles import titled
from server.dataset.names import normalize_name
from server.dataset.schema import EQUIPMENT_TYPES

GOODS_TYPES: Final = tuple(each for each in EQUIPMENT_TYPES if each != "magic-item")
"""Types of items for sale."""

_GLOSSARY: Final = "Rules Glossary"
_ATTITUDE: Final = "attitude"
_PLAIN: Final = {"Blindsight", "Bloodied", "Darkvision", "Tremorsense", "Truesight"}
"""One-word terms that mean the glossary's entry wherever they appear."""
_RESTS: Final = re.compile(r"\b(?:Short or Long|Long or Short) Rests?\b")
_HIT_DICE: Final = re.compile(r"\bHit (?:Point )?(?:Dice|Die)\b")
_ACTION: Final = "action"
_OF_ONE_WORD: Final = {_ACTION, "area of effect"}
"""Tags of one-word terms that count where a text says what they are."""
_AN_ACTION: Final = "[A-Z][a-z]+(?: an? [A-Z][a-z]+)?"
_CALLED_ACTION: Final = re.compile(
    rf"(?P<names>{_AN_ACTION}(?:(?: \([^()]*\))?(?:, or |, | or | (?=[A-Z][a-z]+ or )){_AN_ACTION})*) [Aa]ctions?\b"
)
"""One or several actions, whose commas may be lost: "the Dash, Disengage, or Dodge action"."""
_ACTIONS_BELOW: Final = re.compile(r"\bfollowing actions\b[^.:\n]*:\s+(?P<names>[^.\n]+)")
"""Several actions after a colon: "one of the following actions: Dash or Hide"."""
_EACH: Final = re.compile(_AN_ACTION)
_PLAIN_ACTION: Final = re.compile(
    r"\b(?:the|an?) (?P<name>attack|cast a spell|dash|disengage|dodge|help|hide|ready|search|use an object) action\b"
)
"""An action in books that do not capitalise terms: "the dash action"."""
_COVER: Final = re.compile(r"\b(?:Half|Three-Quarters|Total) Cover\b")
"""Degrees of cover, which the glossary explains in one entry."""
_TAKEN: Final = re.compile(r"\b(?:[Tt]ak(?:es?|ing)|us(?:es?|ing)) (?:an?|the|your|its|their) (?P<name>Reaction)\b")
_MEASURED: Final = re.compile(r"-foot(?:-[a-z]+)*(?: high| long| wide)? (?P<name>[A-Z][a-z]+?)s?\b")
_SHAPES: Final = re.compile(r"\b(?:these shapes|this glossary):\s+(?P<names>[^.]+)")
_SENT_THERE: Final = re.compile(
    r"(?<![\w’'])(?P<names>(?:[\w’']+,? ){1,6}?)(?:feature |rules )?"
    r"(?:\((?:see|each explained in) |in |which is (?:de(?:fin|scrib)ed) in )[“\"]Rules Glossary"
)
"""Terms that the glossary explains: "climbing, crawling, and jumping (each explained in "Rules Glossary")"."""
_LISTED: Final = re.compile(r",(?: and| or)? ")
_DEFINES: Final = re.compile(r"[“\"]Rules Glossary[”\"] defines the following \w+:(?P<names>(?:\s*- [^\n]+)+)")
"""The list of terms that the glossary explains."""
_SENT_FOR: Final = re.compile(
    r"[“\"]Rules Glossary[”\"] (?:for more about|has more information on being) (?P<name>\w+)"
)
_JOINED: Final = re.compile(r"(?:[^.!?:*\s]\s[A-Z][\w’']*|[A-Z][\w’']* of(?: the| an?)?|\+\d) $")
"""Text before words that are part of a longer name: "Temporary Hit Points", "Parts of a Stat Block"."""
_ASIDE: Final = re.compile(r"^#.*$|(?<=\|)\s*(?:[^\s|]+\s*){0,4}(?=\|)", re.MULTILINE)
"""Headings, and table cells of a few words, which are labels."""
_BOLD: Final = re.compile(r"(?<=[\w,] )\*\*(?P<words>[^*\n]+)\*\*(?=[ ,.])")
"""Words that a sentence stresses: "you're **Bloodied**, which"."""
_CONTENTS: Final = " contains these rules: "
_TABLE: Final = re.compile(
    r"\b[Tt]he (?P<name>[A-Z][\w’'-]+(?: (?:[A-Z][\w’'-]+|\d+|of|and|by|per|to|in|with|for|the|a))*) table\b"
)


class Terms:
    """The terms of every document's glossary and the tables among its rules, by name."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        by_document: dict[str, list[Entity]] = defaultdict(list)
        for entity in entities:
            by_document[entity.document_key].append(entity)
        self._glossaries = {document: _Glossary(found) for document, found in by_document.items()}

    def named_in(self, text: str, places: Sequence[str]) -> Iterator[str]:
        """The ids of the terms, tables and actions that a text of a document names.

        Args:
            text: the text.
            places: the document, then those whose rules it follows.
        """
        found = [self._glossaries[document] for document in places if document in self._glossaries]
        own = self._glossaries.get(places[0])
        if own:
            yield from own.tables_in(text)
        # Books without a glossary use the actions of the rules that they follow.
        yield from next((glossary.actions_in(text) for glossary in found if glossary.actions), ())
        if own:
            yield from own.entries_in(text)
            yield from own.terms_in(text)


class _Glossary:
    """What the texts of one document may name without emphasis.

    Attributes:
        actions: actions, and the other one-word terms that count where a text says what they are, by name → id.
    """

    def __init__(self, entities: Iterable[Entity]) -> None:
        rules: list[Entity] = []
        goods: dict[str, str] = {}
        creatures: dict[str, str] = {}
        for entity in entities:
            if entity.entity_type == "rule":
                rules.append(entity)
            elif entity.entity_type in GOODS_TYPES and " " in entity.name:
                goods[entity.name] = entity.id
            elif entity.entity_type == "creature":
                creatures[entity.name] = entity.id
        times = Counter(rule.name for rule in rules)
        self._tables = {rule.name: rule.id for rule in rules if times[rule.name] == 1 and _is_table(rule)}
        self.actions = {rule.name: rule.id for rule in rules if _is_called_so(rule)}
        entries = [rule for rule in rules if rule.facts.get("section") == _GLOSSARY and rule.facts.get("parent")]
        self._entries = {normalize_name(entry.name): entry.id for entry in entries}
        self._terms = {entry.name: entry.id for entry in entries if _means_only_that(entry)}
        if self._terms:
            for name, item in goods.items():  # of a Riding Horse, which is an item too, the creature is meant
                self._terms.setdefault(name, creatures.get(name, item))
        self._term = _any_of(self._terms) if self._terms else None

    def tables_in(self, text: str) -> Iterator[str]:
        """The tables that a text calls tables."""
        for match in _TABLE.finditer(text):
            for name in (match["name"], f"{match['name']} Table"):
                if name in self._tables:
                    yield self._tables[name]

    def actions_in(self, text: str) -> Iterator[str]:
        """The actions that a text calls actions, or lists as such; also reactions and areas of effect."""
        phrases = (words for match in _CALLED_ACTION.finditer(text) for words in _EACH.findall(match["names"]))
        # "Use an Object" is a name, "As a Magic" is not.
        called = (name for words in phrases for name in dict.fromkeys((words, words.rpartition(" ")[2])))
        lists = (match["names"] for pattern in (_SHAPES, _ACTIONS_BELOW) for match in pattern.finditer(text))
        listed = (name for names in lists for name in re.findall(r"\w+", names))
        marked = (match["name"] for pattern in (_TAKEN, _MEASURED) for match in pattern.finditer(text))
        plain = (titled(match["name"]) for match in _PLAIN_ACTION.finditer(text))
        yield from (self.actions[name] for name in chain(called, listed, marked, plain) if name in self.actions)

    def entries_in(self, text: str) -> Iterator[str]:
        """The entries that explain a degree of cover, and those for which the text refers to the glossary."""
        names = chain(["cover"] if _COVER.search(text) else [], _sent_for(text) if _GLOSSARY in text else ())
        yield from (self._entries[name] for name in names if name in self._entries)

    def terms_in(self, text: str) -> Iterator[str]:
        """The terms of several words that a text has, in capitals, outside headings and labels."""
        if self._term is None or _CONTENTS in text:
            return
        prose = _BOLD.sub(r"\g<words>", _ASIDE.sub("", text))
        prose = _HIT_DICE.sub("Hit Point Dice", _RESTS.sub("Short Rest or Long Rest", prose))
        for match in self._term.finditer(prose):
            joined = _JOINED.search(prose[max(0, match.start() - 40) : match.start()])
            if not joined and not _is_end_of_longer(match, self._terms):
                yield self._terms[match["term"]]


def _tags(rule: Entity) -> set[str]:
    return set(rule.facts.get("tags") or ())


def _is_called_so(rule: Entity) -> bool:
    """Whether a rule is an action, or a one-word term that counts only where a text says what it is."""
    of_one_word = rule.name == "Reaction" or bool(_OF_ONE_WORD & _tags(rule))
    return _ACTION in _tags(rule) or (of_one_word and rule.facts.get("section") == _GLOSSARY)


def _means_only_that(entry: Entity) -> bool:
    """Whether the capitalised name of an entry means it wherever it appears."""
    unmistakable = " " in entry.name or entry.name in _PLAIN or _ATTITUDE in _tags(entry)
    return unmistakable and entry.name[0].isupper()


def _sent_for(text: str) -> Iterator[str]:
    """The normalised names of the terms for which a text refers its reader to the glossary."""
    for match in _SENT_THERE.finditer(text):
        listed = _LISTED.split(match["names"].strip(" ,"))
        for named in listed if "(each " in match[0] else listed[-1:]:
            if named.split()[-1] != "condition":  # "the Prone condition" is linked as one
                yield from map(normalize_name, endings(named))
    yield from (normalize_name(match["name"]) for match in _SENT_FOR.finditer(text))
    listed_below = (name for match in _DEFINES.finditer(text) for name in match["names"].split("- "))
    yield from (normalize_name(name) for name in listed_below)


def _is_end_of_longer(match: re.Match[str], terms: Iterable[str]) -> bool:
    """Whether a term is only the end of a longer one, which heads a paragraph: "**Temporary Hit Points.**"."""
    return any(
        len(term) > len(match["term"]) and match.string.endswith(term, 0, match.end("term"))
        for term in terms
        if term.endswith(match["term"])
    )


def _is_table(rule: Entity) -> bool:
    return str(rule.facts.get("description") or "").startswith("|")


def _any_of(terms: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(terms, key=len, reverse=True)
    return re.compile(rf"(?<![\w*_“\"/-])(?P<term>{'|'.join(map(re.escape, longest_first))})s?(?![\w*_:]|[ -][A-Z])")
