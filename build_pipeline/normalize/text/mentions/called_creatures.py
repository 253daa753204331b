"""Creatures that a text brings into play: called, summoned, turned into, or meant by their statistics or attacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_pipeline.normalize.text.mentions.mention import SEPARATOR, Mention, beginnings
from build_pipeline.normalize.text.numerals import NUMBER

_CREATURE: Final = ("creature",)
_SWARM: Final = re.compile(r"swarms? of ")
_COUNT: Final = re.compile(r"^(?:(?P<one>1|an?|one)|\d+(?:d\d+)?) ")
_BETWEEN: Final = re.compile(rf"{SEPARATOR.pattern}|\s(?=\d+(?:d\d+)?\s)")
"""Separator of the creatures in a list, whose commas some books leave out: "1d4 bog newts 2 reed imps"."""
_STATISTICS_USED: Final = re.compile(r"\b[Uu]ses? (?P<name>[a-z][\w’' -]{2,40}?) (?:statistics|stats)\b")
"""A creature whose statistics another uses: "1d4 hounds (use bog newt statistics)"."""
_ONLY: Final = re.compile(r"\((?P<name>[a-z][\w’' -]{2,40}) only\)")
"""The creature that a spell is restricted to: "conjure elemental (fire elemental only)"."""
_FORMS: Final = re.compile(r"\bone of the following (?:special )?forms: (?P<names>[^.;:()|\n]+)")
"""The forms to choose from: "one of the following special forms: newt, eel, or toad"."""
_ITS_ATTACK: Final = re.compile(r"\bfrom an? (?P<name>[a-z][\w-]*(?: [a-z][\w-]*)?)['’]s [A-Z]")
"""A creature whose attack is meant: "poison from a bog newt's Bite"."""
_SEVERAL_CREATURES: Final = re.compile(r"(?<!\d)\d+d\d+\)?,? (?P<names>[a-z][^.;:()|\n]{2,120})")
"""Creatures whose number is rolled: "calls 1d4 bog newts or reed imps"."""
_OF: Final = re.compile(r"(?<!\S)\S+ of ")
"""The start of a longer name: "newts of Mud" are not newts."""
_AFTER_A_NAME: Final = frozenset(
    {
        "adjacent",
        "again",
        "and",
        "as",
        "at",
        "but",
        "by",
        "for",
        "if",
        "from",
        "in",
        "inside",
        "into",
        "near",
        "on",
        "onto",
        "or",
        "out",
    }
    | {"that", "to", "under", "until", "when", "where", "which", "while", "who", "whose", "with", "within"}
)
"""Words that end a name; any other word may be part of it."""
_ONE_CALLED: Final = re.compile(
    rf"\b(?:calls|calling forth|summons?|conjures?|creates|releases) (?:an?|{NUMBER}) "
    r"(?P<names>[a-z][^.;:()|\n]{2,80})"
    r"|\b(?:An?|and an?) (?P<comes>[a-z][^.,;:()|\n]{2,60}?) (?:magically )?appears\b"
)
_TURNED: Final = re.compile(
    r"\b(?:rais(?:es?|ed|ing)|ris(?:es?|en|ing)|returns?|reanimat\w+|animat(?:es?|ing)|reborn|turn(?:s|ed)?"
    r"|(?<!before )transform\w*|awaken\w*)\b[^.;:|\n]{0,60}? (?:as|into) an? (?P<names>[a-z][^.,;:()|\n]{2,60})"
    r"|\bbecom(?:es?|ing) an? (?P<become>[a-z][\w’'-]* [^.,;:()|\n]{2,40})"
    r"|\bcan become an? (?P<figurine>[a-z][\w’'-]*)(?= for up to\b)"
)
"""A creature that something turns into: "rises the next night as a bog newt"; "becomes a knight" is just a career."""


def creatures_in_play(plain: str) -> Iterator[Mention]:
    """The creatures that a text brings into play: those it names or calls, and those that something turns into."""
    for pattern in (_STATISTICS_USED, _ONLY, _ITS_ATTACK):
        yield from (Mention((match["name"],), _CREATURE) for match in pattern.finditer(plain))
    for match in _FORMS.finditer(plain):
        yield from (Mention((name,), _CREATURE) for name in SEPARATOR.split(match["names"]))
    for match in _SEVERAL_CREATURES.finditer(plain):
        for named, is_one in _each_called(match["names"]):
            if is_one:
                yield Mention(_called(named), _CREATURE)
                continue
            shortest = 3 if _OF.match(named) else 1
            several = tuple(name for name in beginnings(named, shortest) if name.endswith("s") or _OF.match(name))
            yield from [Mention(several, _CREATURE)] if several else []
    for match in _ONE_CALLED.finditer(plain):
        first, *others = (name for name, _ in _each_called(match["names"] or match["comes"]))
        others = [name for name in others if match["comes"] or _SWARM.match(name)]
        yield from (Mention(_called(name), _CREATURE) for name in (first, *others))
    for match in _TURNED.finditer(plain):
        for named in SEPARATOR.split(match["names"] or match["become"] or match["figurine"]):
            if not re.search(rf"\b[Aa]n? {re.escape(named)} uses the (?:stat block|statistics) of", plain):
                yield Mention(tuple(beginnings(named, 2)) if match["become"] else _called(named), _CREATURE)


def _each_called(names: str) -> Iterator[tuple[str, bool]]:
    """Each creature of a list, and whether just one is called.

    Each of "swarms of bats, insects, or rats" is a swarm.
    """
    of_swarms = _SWARM.match(names)
    for counted in _BETWEEN.split(names):
        count = _COUNT.match(counted)
        name = counted[count.end() :] if count else counted
        swarm = _SWARM.match(name)
        is_swarm = swarm or (of_swarms and not count)
        yield (f"swarm of {name[swarm.end() if swarm else 0 :]}" if is_swarm else name), bool(count and count["one"])


def _called(words: str) -> tuple[str, ...]:
    """The possible names of one called creature; a single word only if no noun follows it, as in "shadow mastiff"."""
    split = words.split()
    goes_on = len(split) > 1 and split[1].isalpha() and split[1] not in _AFTER_A_NAME
    return tuple(beginnings(words, 2 if goes_on else 1))
