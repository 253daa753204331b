"""Terms of a book's glossary and its tables, which its texts name without setting them apart.

Books that capitalise their terms ("Difficult Terrain", "Bright Light") name the entry of the glossary wherever these
words stand. Terms of one word are left alone, as "Hide" may be the action or the beginning of a sentence; but for the
attitudes, senses and Bloodied, which have no other use, actions that a text calls so ("the Dash action"), and the
Reaction that one takes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from build_pipeline.normalize.merging.merge import Entity

_GLOSSARY: Final = "Rules Glossary"
_ATTITUDE: Final = "attitude"
_PLAIN: Final = {"Blindsight", "Bloodied", "Darkvision", "Tremorsense", "Truesight"}
"""Terms of one word that mean the glossary's entry wherever they stand."""
_RESTS: Final = re.compile(r"\b(?:Short or Long|Long or Short) Rests?\b")
_ACTION: Final = "action"
_CALLED_ACTION: Final = re.compile(
    r"(?P<name>[A-Z][a-z]+)(?:, (?P<second>[A-Z][a-z]+))?(?:,? or (?P<last>[A-Z][a-z]+))? [Aa]ctions?\b"
)
"""An action, or one of several: "the Dash, Disengage, or Dodge action"."""
_TAKEN: Final = re.compile(r"\b(?:[Tt]ak(?:es?|ing)|us(?:es?|ing)) (?:an?|the|your|its|their) (?P<name>Reaction)\b")
_JOINED: Final = re.compile(r"(?:[^.!?:*\s]\s[A-Z][\w’']*|\bof an?|[A-Z][\w’']* of(?: the)?) $")
"""What stands before words that are part of a longer name: "Temporary Hit Points", "Parts of a Stat Block"."""
_ASIDE: Final = re.compile(r"^[#|].*$", re.MULTILINE)
"""Headings and rows of tables."""
_CONTENTS: Final = " holds these rules: "
_TABLE: Final = re.compile(
    r"\b[Tt]he (?P<name>[A-Z][\w’'-]+(?: (?:[A-Z][\w’'-]+|of|and|by|per|to|in|with|for|the|a))*) table\b"
)


class Terms:
    """The terms of every document's glossary and the tables among its rules, by name."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        rules: dict[str, dict[str, list[Entity]]] = defaultdict(lambda: defaultdict(list))
        for entity in entities:
            if entity.entity_type == "rule":
                rules[entity.document_key][entity.name].append(entity)
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
        self._actions = {
            document: {
                name: entry.id
                for name, found in named.items()
                for entry in found
                if (name == "Reaction" or _ACTION in (entry.facts.get("tags") or ()))
                and entry.facts.get("section") == _GLOSSARY
            }
            for document, named in rules.items()
        }
        self._patterns = {document: _any_of(terms) for document, terms in self._terms.items() if terms}

    def named_in(self, text: str, document: str) -> Iterator[str]:
        """The ids of a document's terms and tables that one of its texts names."""
        tables = self._tables.get(document, {})
        for match in _TABLE.finditer(text):
            for name in (match["name"], f"{match['name']} Table"):
                if name in tables:
                    yield tables[name]
        if actions := self._actions.get(document):
            called = (name for match in _CALLED_ACTION.finditer(text) for name in match.groups() if name)
            for name in (*called, *(match["name"] for match in _TAKEN.finditer(text))):
                if name in actions:
                    yield actions[name]
        if (pattern := self._patterns.get(document)) and _CONTENTS not in text:
            prose = _RESTS.sub("Short Rest or Long Rest", _ASIDE.sub("", text))
            for match in pattern.finditer(prose):
                if not _JOINED.search(prose[max(0, match.start() - 40) : match.start()]):
                    yield self._terms[document][match[0]]


def _is_table(rule: Entity) -> bool:
    return str(rule.facts.get("description") or "").startswith("|")


def _any_of(terms: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(terms, key=len, reverse=True)
    return re.compile(rf"(?<![\w*_“\"/-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w*_:]|[ -][A-Z])")
