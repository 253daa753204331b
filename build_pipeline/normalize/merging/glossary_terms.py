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
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from build_pipeline.normalize.merging.merge import Entity
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
        rules: dict[str, dict[str, list[Entity]]] = defaultdict(lambda: defaultdict(list))
        goods: dict[str, dict[str, str]] = defaultdict(dict)
        creatures: dict[str, dict[str, str]] = defaultdict(dict)
        for entity in entities:
            if entity.entity_type == "rule":
                rules[entity.document_key][entity.name].append(entity)
            elif entity.entity_type in GOODS_TYPES and " " in entity.name:
                goods[entity.document_key][entity.name] = entity.id
            elif entity.entity_type == "creature":
                creatures[entity.document_key][entity.name] = entity.id
        self._tables = {
            document: {name: found[0].id for name, found in named.items() if len(found) == 1 and _is_table(found[0])}
            for document, named in rules.items()
        }
        self._terms = {
            document: {
                name: entry.id
                for name, found in named.items()
                for entry in found
                if (" " in name or name in _PLAIN or _ATTITUDE in (entry.facts.get("tags") or ()))
                and name[0].isupper()
                and entry.facts.get("section") == _GLOSSARY
                and entry.facts.get("parent")
            }
            for document, named in rules.items()
        }
        self._called = {
            document: {
                name: entry.id
                for name, found in named.items()
                for entry in found
                if _ACTION in (entry.facts.get("tags") or ())
                or (
                    (name == "Reaction" or _OF_ONE_WORD & set(entry.facts.get("tags") or ()))
                    and entry.facts.get("section") == _GLOSSARY
                )
            }
            for document, named in rules.items()
        }
        self._entries = {
            document: {
                normalize_name(name): entry.id
                for name, found in named.items()
                for entry in found
                if entry.facts.get("section") == _GLOSSARY and entry.facts.get("parent")
            }
            for document, named in rules.items()
        }
        for document, terms in self._terms.items():
            if terms:  # an item that is also a creature, such as a Riding Horse, means the creature
                found = {name: creatures[document].get(name, item) for name, item in goods[document].items()}
                terms.update({name: each for name, each in found.items() if name not in terms})
        self._patterns = {document: _any_of(terms) for document, terms in self._terms.items() if terms}

    def named_in(self, text: str, places: Sequence[str]) -> Iterator[str]:
        """The ids of the terms, tables and actions that a text of a document names.

        Args:
            text: the text.
            places: the document, then those whose rules it follows.
        """
        document = places[0]
        tables = self._tables.get(document, {})
        for match in _TABLE.finditer(text):
            for name in (match["name"], f"{match['name']} Table"):
                if name in tables:
                    yield tables[name]
        if terms := next(filter(None, map(self._called.get, places)), None):
            phrases = (words for match in _CALLED_ACTION.finditer(text) for words in _EACH.findall(match["names"]))
            # "Use an Object" is a name, "As a Magic" is not.
            called = (name for words in phrases for name in dict.fromkeys((words, words.rpartition(" ")[2])))
            lists = (match["names"] for pattern in (_SHAPES, _ACTIONS_BELOW) for match in pattern.finditer(text))
            listed = (name for names in lists for name in re.findall(r"\w+", names))
            plain = (_titled(match["name"]) for match in _PLAIN_ACTION.finditer(text))
            marked = (match["name"] for pattern in (_TAKEN, _MEASURED) for match in pattern.finditer(text))
            yield from (terms[name] for name in (*called, *listed, *marked, *plain) if name in terms)
        entries = self._entries.get(document, {})
        if _COVER.search(text) and "cover" in entries:
            yield entries["cover"]
        if _GLOSSARY in text:
            yield from (entries[name] for name in _sent_for(text) if name in entries)
        if (pattern := self._patterns.get(document)) and _CONTENTS not in text:
            prose = _BOLD.sub(r"\g<words>", _ASIDE.sub("", text))
            prose = _HIT_DICE.sub("Hit Point Dice", _RESTS.sub("Short Rest or Long Rest", prose))
            for match in pattern.finditer(prose):
                joined = _JOINED.search(prose[max(0, match.start() - 40) : match.start()])
                if not joined and not _is_end_of_longer(match, self._terms[document]):
                    yield self._terms[document][match["term"]]


def _sent_for(text: str) -> Iterator[str]:
    """The normalised names of the terms for which a text refers its reader to the glossary."""
    for match in _SENT_THERE.finditer(text):
        listed = _LISTED.split(match["names"].strip(" ,"))
        for named in listed if "(each " in match[0] else listed[-1:]:
            words = named.split()
            if words[-1] != "condition":  # "the Prone condition" is linked as one
                yield from (normalize_name(" ".join(words[start:])) for start in range(len(words)))
    yield from (normalize_name(match["name"]) for match in _SENT_FOR.finditer(text))
    listed_below = (name for match in _DEFINES.finditer(text) for name in match["names"].split("- "))
    yield from (normalize_name(name) for name in listed_below)


def _titled(name: str) -> str:
    """The name of an action as the rules head it: "Cast a Spell"."""
    return " ".join(word if word in {"a", "an"} else word.capitalize() for word in name.split())


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
