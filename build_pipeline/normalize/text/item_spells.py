"""Spells that can be cast from a magic item, parsed from its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from build_pipeline.normalize.text.tables import tables_in, without_tables

Spell = dict[str, Any]
"""{name (as printed), id (None, resolved in merging.links), usage, level (cast at)}."""

_SPELL_COLUMN: Final = re.compile(r"spells?\b(?!\s*(?:level|save|attack|slot|or\b))", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][*_]))\s+(?=[A-Z*_\"“])|\n+")
_CAST: Final = re.compile(r"\bcast(?:s|ing)?\s+(?P<what>.*)", re.IGNORECASE | re.DOTALL)
_EMPHASISED: Final = re.compile(
    r"(?<![\w*_])(?:\*|_|\*\*|__)(?P<name>[A-Za-z][A-Za-z’'/, -]*?[A-Za-z])[.,;:]?(?:\*|_|\*\*|__)(?![\w*_])"
    r"(?P<note>\s*\([^()]*\))?"
)
_ADJACENT: Final = re.compile(r"(?<=\w)(?P<mark>[*_])\s(?P=mark)(?=\w)")
"""One emphasis wrongly split in two: "_create or_ _destroy water_"."""
_JOINED: Final = re.compile(r"(?:[,;:(/]|\bor|\band)\s*(?:(?:the|an?)\s+)?$")
"""Text before the next name in a list."""
_NOTE: Final = r"(?P<note>\s*\([^()]*\))?"
_PLAIN_SPELL: Final = re.compile(
    rf"\b(?:the|a)\s+(?:special\s+)?(?P<name>[a-z][a-z’'/* -]+?)\s+(?:spell|cantrip)\b{_NOTE}", re.IGNORECASE
)
_PLAIN: Final = re.compile(
    rf"^(?:either\s+)?(?:the\s+)?(?P<name>[A-Za-z][A-Za-z’'/-]*(?:\s+[A-Za-z’'/-]+){{0,4}}?){_NOTE}"
    r"(?=\s*(?:[,.;]|$|\b(?:from|at|on|as|with(?!\s+(?:dead|animals|plants)\b)|without|once|twice|using|through|by|to|while|up|targeting|centered|cast|for|in)\b"
    r"|\b(?:or|and)\b))",
)
_LISTED: Final = re.compile(
    r"(?:^|,|;|\bor\b|\band\b)\s*(?:or\s+|and\s+)?(?P<name>[a-z][a-z’'/ -]+?)\s*(?P<note>\([^()]*\))"
)
_NO_SPELL: Final = re.compile(
    r"\b(?:spells?|following|it|them|its|his|any|that|this|these|those|which|while|such|following|same|charges?|another|"
    r"light|shadow|magic|one|ritual|slot|level|effect|action|your|if|when|you|dim|bright|a|an|its|armor|rod|staff|wand|ring|"
    r"abjuration|conjuration|divination|enchantment|evocation|illusion|necromancy|transmutation|chaos)\b",
    re.IGNORECASE,
)
_SPELLS_OF_SUCH_NAMES: Final = {
    "light", "detect magic", "dispel magic", "magic missile", "magic weapon", "magic mouth", "magic circle",
    "mage armor", "arcanist's magic aura", "daylight", "magic jar", "faithful hound", "animate objects", "divination",
}  # fmt: skip
_NOT_CAST: Final = re.compile(
    r"\b(?:until|unless|before|whenever|when|if|targeted\s+by|someone|creature)\b[^.,]{0,60}\bcast(?:s|ing)?\b"
    r"|\bcast\s+(?:on|by|at|using|into|when|off|iron|in)\b|\beach\s+casting\b|\byou\s+cast\s+a\b|\bspells?\s+(?:is\s+|was\s+|that\s+\w+\s+)?cast\b",
    re.IGNORECASE,
)
_FOLLOWING: Final = re.compile(
    r"\bcast\b[^.\n]*\b(?:following|these)\s+spells?\b[^:\n]*:\s*(?P<list>(?:\n+[ \t]*[-*•]\s+[^\n]+)+)", re.IGNORECASE
)
_MEMBER: Final = re.compile(
    r"^[ \t]*[-*•]\s+(?:[*_]{0,2})(?P<name>[A-Za-z][A-Za-z’'/ -]*?[A-Za-z])(?:[*_]{0,2})\s*(?P<note>\([^()]*\))?\s*"
    r"(?:[,.;:]|$|\bspell\b)",
    re.MULTILINE,
)
_SEPARATOR: Final = re.compile(r",\s*(?:or\s+|and\s+)?(?![^()]*\))")
_ONE_NAME: Final = re.compile(r"create or destroy water|locate animals or plants", re.IGNORECASE)
_COST: Final = re.compile(
    r"\bexpend(?:s|ed|ing)?\s+(?P<number>\d+|one|two|three|four|five|an?)\s+(?:or\s+more\s+)?"
    r"(?:of\s+[\w'’ ]*?)?(?:\d+\s+)?charges?\b"
    r"|\b(?P<costs>\d+)\s+charges?\b",
    re.IGNORECASE,
)
_NEXT_NAME: Final = re.compile(r"[,;*_]")
_LEVEL: Final = re.compile(
    r"\blevel\s+(?P<after>\d)\b|\b(?P<before>\d)(?:st|nd|rd|th)[\s-]level\b|\bat\s+(?P<at>\d)(?:st|nd|rd|th)\s+level\b",
    re.IGNORECASE,
)
_AT_WILL: Final = re.compile(r"\bat\s+will\b|\bany\s+number\s+of\s+times\b", re.IGNORECASE)
_DAILY: Final = re.compile(
    r"\b(?:can['’]?t|cannot)\s+be\s+(?:used|cast|activated)[^.]{0,40}\buntil\s+(?:the\s+)?(?:next|following)\s+(?:dawn|dusk|day|sunset)"
    r"|\bonce\s+(?:per|each|a|every)\s+day\b|\bonce\s+every\s+24\s+hours\b",
    re.IGNORECASE,
)
_FREE: Final = re.compile(r"\bwithout\s+(?:using|expending)\s+(?:any|a)\s+charges?\b", re.IGNORECASE)
_NEAR: Final = 30
"""Maximum characters between "cast" and a spell's name, or between two names."""
_WORDS: Final = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


def spells_cast_from(text: str) -> list[Spell]:
    """The spells cast from the item, in text order, each once.

    `usage` is the cost of a casting: "3 charges", "At will", "1/day"; None if not stated. `level` is the casting
    level if the text states one other than the spell's own.
    """
    found: dict[str, Spell] = {}
    for name, usage, level in _spells(_ADJACENT.sub(" ", text)):
        found.setdefault(name.lower(), {"name": name, "id": None, "usage": usage, "level": level})
    return list(found.values())


def _spells(text: str) -> Iterator[tuple[str, str | None, int | None]]:
    yield from _tabled(text)
    yield from _listed(text)
    yield from _cast_in_sentences(without_tables(text))


def _tabled(text: str) -> Iterator[tuple[str, str | None, int | None]]:
    """(name, usage, level) from tables of spells and costs."""
    for table in tables_in(text):
        places = [n for n, column in enumerate(table.header) if _SPELL_COLUMN.match(column)]
        for row in table.rows:
            for place in places:
                beside = row[place + 1] if place + 1 < len(row) and "charge" in table.header[place + 1].lower() else ""
                for cell in _SEPARATOR.split(row[place]):
                    name, _, note = cell.partition("(")
                    if name.strip() and name.strip()[0].isalpha():
                        cost = (
                            beside or re.sub(r"\D*(\d*).*", r"\1", note) if "harge" in table.header[place] else beside
                        )
                        yield name.strip(), _cost(note) or _charged(cost), _level(note)


def _listed(text: str) -> Iterator[tuple[str, str | None, int | None]]:
    """(name, usage, level) from lists after "cast one of the following spells:"."""
    for following in _FOLLOWING.finditer(text):
        spent = _cost(text[: following.start()].rpartition(". ")[2] + following[0].partition("\n")[0])
        for member in _MEMBER.finditer(following["list"]):
            note = member["note"] or ""
            yield member["name"], _cost(note) or spent, _level(note)


def _cast_in_sentences(text: str) -> Iterator[tuple[str, str | None, int | None]]:
    """(name, usage, level) from sentences with "cast"."""
    for paragraph in text.split("\n\n"):
        daily = "1/day" if _DAILY.search(paragraph) else None
        for sentence in _SENTENCE.split(paragraph):
            cast = _CAST.search(sentence)
            if cast is None or _NOT_CAST.search(sentence) or _FOLLOWING.search(sentence):
                continue
            spent = _cost(sentence[: cast.start("what")])
            at_will = _FREE.search(sentence) or (_AT_WILL.search(sentence) and not spent)
            general = "At will" if at_will else spent or daily
            for match in _names(cast["what"]):
                note = match["note"] or ""
                level = _level(note) or _level(_NEXT_NAME.split(cast["what"][match.end() : match.end() + 25])[0])
                for name in _apart(match["name"]):
                    if spell := name.strip(" ,*").removeprefix("the "):
                        yield spell, _cost(note) or general, level


def _names(what: str) -> Iterator[re.Match[str]]:
    """Spell names after "cast", emphasised or not."""
    if emphasised := list(_EMPHASISED.finditer(what)):
        ends = [0, *(match.end() for match in emphasised)]
        for n, (match, end) in enumerate(zip(emphasised, ends, strict=False)):
            between = what[end : match.start()]
            far = len(between) > _NEAR and not between.rstrip().endswith(":")
            if far or (n and not _JOINED.search(between)):
                return
            yield match
        return
    spelled_out = list(_PLAIN_SPELL.finditer(what))
    listed = list(_LISTED.finditer(what.partition(":")[2] or what)) if "charge" in what or ":" in what else []
    plain = _PLAIN.match(what)
    if plain and plain["name"].lower() == "light":  # "casts light" is usually not the spell
        plain = None
    for match in spelled_out or listed or ([plain] if plain else []):
        if _is_name(match["name"]):
            yield match


def _apart(names: str) -> list[str]:
    """The names in a list: "fear, sleep or web" has three."""
    return [
        name
        for part in _SEPARATOR.split(names)
        for name in ([part] if _ONE_NAME.search(part) else re.split(r"\s+or\s+", part))
    ]


def _is_name(name: str) -> bool:
    return name.strip().lower() in _SPELLS_OF_SUCH_NAMES or not _NO_SPELL.search(name)


def _cost(text: str) -> str | None:
    match = _COST.search(text)
    if match is None:
        return None
    count = (match["number"] or match["costs"]).lower()
    return _charged(str(_WORDS.get(count, count)))


def _charged(number: str) -> str | None:
    if not number.isdigit():
        return None
    return "1 charge" if number == "1" else f"{number} charges"


def _level(text: str) -> int | None:
    match = _LEVEL.search(text)
    return int(match["after"] or match["before"] or match["at"]) if match else None
