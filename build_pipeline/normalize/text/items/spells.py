"""Spells that can be cast from a magic item, parsed from its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any, Final

from build_pipeline.normalize.text.numerals import NUMBER, number
from build_pipeline.normalize.text.tables import tables_in, without_tables

Spell = dict[str, Any]
"""{name (as printed), id (None, resolved in merging.links), usage, level (cast at)}."""

_SPELL_COLUMN: Final = re.compile(r"spells?\b(?!\s*(?:level|save|attack|slot|or\b))", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][*_]))\s+(?=[A-Z*_\"“])|\n+")
_CAST: Final = re.compile(r"\bcast(?:s|ing)?\s+", re.IGNORECASE)
_EMPHASISED: Final = re.compile(
    r"(?<![\w*_])(?:\*|_|\*\*|__)(?P<name>[A-Za-z][A-Za-z’'/, -]*?[A-Za-z])[.,;:]?(?:\*|_|\*\*|__)(?![\w*_])"
    r"(?P<note>(?:\s+(?:spell|cantrip)s?)?\s*\([^()]*\))?"
)
_ADJACENT: Final = re.compile(r"(?<=\w)(?P<mark>[*_])\s(?P=mark)(?=\w)")
"""One emphasis wrongly split in two: "_create or_ _destroy water_"."""
_JOINED: Final = re.compile(r"(?:[,;:(/]|\bor|\band)\s*(?:(?:the|an?)\s+)?$")
"""Text before the next name in a list."""
_GOES_ON: Final = re.compile(r"\s*(?:,|\bor\b|\band\b)")
"""Text after a name in a list that continues."""
_THE_SPELL: Final = re.compile(
    r"\b(?:the|a)\s+(?:special\s+)?(?P<name>[a-z][a-z’'/*, -]{1,400}?)\s+(?:spell|cantrip)s?\b(?P<note>\s*\([^()]*\))?",
    re.IGNORECASE,
)
_NOTE: Final = re.compile(r"(?P<note>\([^()]*\))")
_ONLY_LIGHT: Final = re.compile(r"\s*(?:or\s+)?light\b(?!\s+spell)", re.IGNORECASE)
"""The word "light" after "casts" is seldom the spell."""
_FOOTNOTE: Final = re.compile(r"(?<=[a-z])\*(?=[ ,.(]|$)")
_MARKED: Final = re.compile(r"(?<=[a-z])\*(?= \(\d+ charges?\))")
_MARK: Final = "†"
"""The footnote mark of a spell from another book, followed by its cost: the only plain words certain to be a name."""
_LABEL: Final = re.compile(r"^\*{2,3}[^*\n]+[.:]\*{2,3}\s*", re.MULTILINE)
_CELL: Final = re.compile(r"(?<=\|)[^|\n]*\b[Yy]ou\s+(?:can\s+)?(?:use\s+an\s+action\s+to\s+)?cast\b[^|\n]*")
_EXPENDED: Final = re.compile(r"\bexpend\b[^.]*")
_ROLLED: Final = re.compile(r"\b(?:to determine the spell|determined by rolling \w+): (?P<list>[^|\n]+)")
_WORD: Final = re.compile(r"[^\s,]+|,")
_BETWEEN: Final = {",", "or", "and"}
_BEFORE: Final = {*_BETWEEN, "the", "a", "either", "both"}
_LONGEST: Final = 7
"""Words in the longest names of spells."""
_NOT_CAST: Final = re.compile(
    r"""
    \b(?:until|unless|before|whenever|when|if|targeted\s+by|someone|creature)\b[^.,]{0,60}\bcast(?:s|ing)?\b
      (?![^.]*\bfrom\s+it\b)
    | \bcast\s+(?:on|by|at|using|into|when|off|iron|in)\b
    | \beach\s+casting\b
    | \byou\s+cast\s+a\b
    | \bcasting\s+[^.]{0,40}\bon\s+(?:the|this|such)\b
    | \bcasts?\s+\S+(?:\s+\S+){0,3}\s+on\s+you\b
    | \bspells?\s+(?:is\s+|was\s+|that\s+\w+\s+)?cast\b
    | \bfor\s+example\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_GRANTED: Final = re.compile(r"\byou\s+can\s+use\s+(?:an|your)\s+(?:re)?action\s+to\s+cast\b", re.IGNORECASE)
"""Words that allow casting, whatever else the sentence says about it."""
_FOLLOWING: Final = re.compile(
    r"\bcast\b[^.\n]{0,300}\b(?:following|these)\s+spells?\b[^:\n]{0,300}:\s*"
    r"(?P<list>(?:\n+[ \t]*[-*•]\s+[^\n]+)+)",
    re.IGNORECASE,
)
_MEMBER: Final = re.compile(
    r"^[ \t]*[-*•]\s+(?:[*_]{0,2})(?P<name>[A-Za-z][A-Za-z’'/ -]*?[A-Za-z])(?:[*_]{0,2})\s*(?P<note>\([^()]*\))?\s*"
    r"(?:[,.;:]|$|\bspell\b)",
    re.MULTILINE,
)
_SEPARATOR: Final = re.compile(r",\s*(?:or\s+|and\s+)?(?![^()]*\))")
_ONE_NAME: Final = re.compile(r"create or destroy water|locate animals or plants", re.IGNORECASE)
_COST: Final = re.compile(
    r"\b(?:ex|s)pend(?:s|ed|ing)?\s+(?P<number>\d+|one|two|three|four|five|an?)\s+(?:or\s+more\s+)?"
    r"(?:of\s+[\w'’ ]*?)?(?:\d+\s+)?charges?\b"
    r"|\bno\s+more\s+than\s+\d+\s+(?P<at_least_one>charges)\b"
    r"|\b(?P<costs>\d+)\s+charges?\b",
    re.IGNORECASE,
)
_EACH_USE: Final = re.compile(
    r"\beach\s+use\s+(?:of\s+(?:the|this)\s+\w+\s+)?(?:ex|s)pends[^.]*"
    r"|\bexpend\s[^.:]{0,200}?\bcharges?\s+to\s+cast\s+one\s+of\s+the\s+following\s+spells\b(?=[^.:]*\.)",
    re.IGNORECASE,
)
"""The cost of every casting; a list after a colon has its own costs."""
_NO_CHARGE: Final = re.compile(r"\((?:[^()]*\b)?no\s+charge", re.IGNORECASE)
_NEXT_NAME: Final = re.compile(r"[,;*_]")
_LEVEL: Final = re.compile(
    r"\blevel\s+(?P<after>\d)\b|(?<!up to )\b(?P<before>\d)(?:st|nd|rd|th)[\s-]level\b"
    r"|\bat\s+(?P<at>\d)(?:st|nd|rd|th)\s+level\b",
    re.IGNORECASE,
)
_VERSION: Final = re.compile(
    r"\b(?:level (?P<after>\d)|(?P<before>\d)(?:st|nd|rd|th)-level) version of (?:the )?[*_]*$", re.IGNORECASE
)
"""Before a name: the level at which the spell is cast."""
_VERSION_OF_IT: Final = re.compile(
    r"(?<!charge, )\byou cast the (?P<level>\d)(?:st|nd|rd|th)-level version of the spell\b", re.IGNORECASE
)
"""The level of a spell that an earlier sentence names."""
_AT_WILL: Final = re.compile(r"\bat\s+will\b|\bany\s+number\s+of\s+times\b", re.IGNORECASE)
_NOT_AGAIN: Final = (
    r"\b(?:can['’]?t|cannot|can\s+not)\s+(?:be\s+(?:used|cast|activated)|do\s+so|use\s+(?:it|this\s+ability)"
    r"|cast\s+(?:it|this\s+spell))\b[^.]{0,40}\buntil\s+"
)
_DAWN: Final = (
    r"(?:(?:the\s+)?(?:next|following)\s+(?:dawn|dusk|day|evening|sunset)|dawn\s+of\s+the\s+(?:next|following)\s+day)"
)
_DAILY: Final = re.compile(
    rf"{_NOT_AGAIN}{_DAWN}"
    rf"|\bloses\s+its\s+magic\s+until\s+{_DAWN}"
    r"|\bonce\s+(?:per|each|a|every)\s+(?:day|dawn)\b|\bonce\s+every\s+24\s+hours\b",
    re.IGNORECASE,
)
_RESTED: Final = re.compile(
    rf"{_NOT_AGAIN}(?:you|its\s+\w+)\s+(?:finish|complete|take)(?:es|s)?\s+a\s+[*_]*(?P<rest>(?:short|long)\s+rest)",
    re.IGNORECASE,
)
_ONE_DAILY: Final = re.compile(
    rf"\b(?:can['’]?t|cannot)\s+cast\s+[*_]+(?P<name>[^*_]+)[*_]+[^.]{{0,40}}\buntil\s+{_DAWN}", re.IGNORECASE
)
"""A limit that applies to only one of a paragraph's spells."""
_ONCE_CAST: Final = re.compile(r"Once\b[^.,]{0,60}\bcast\b", re.IGNORECASE)
"""The beginning of a paragraph that limits the previous one's spells."""
_EACH_ONCE: Final = re.compile(r"Once\b[^.]{0,200}?\b(?:bead|spell)\b")
"""The beginning of a sentence that limits each of a table's spells."""
_SEVERAL_TIMES: Final = re.compile(rf"\bused\s+[^.,]{{0,30}}?(?P<count>{NUMBER})\s+times,\s+it\s+can", re.IGNORECASE)
_SO_OFTEN: Final = re.compile(
    rf"""
    \b(?P<count>once|twice|{NUMBER}\s+times)\s+(?:(?:each\s+)?(?:between|per)|each)\s+[*_]*
    (?P<time>(?:short|long)\s+rest|day|dawn)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FREE: Final = re.compile(r"\bwithout\s+(?:using|expending)\s+(?:any|a)\s+charges?\b", re.IGNORECASE)
_NEAR: Final = 30
"""Maximum characters between "cast" and a spell's name, or between two names."""
_TIMES: Final = {"once": 1, "twice": 2}
_WORDS: Final = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


class Words(str):
    """Plain words that name spells if they begin with names of spells: "bane or fly from it", for `names_leading`."""

    __slots__ = ()


def names_leading(words: str, is_name: Callable[[str], bool]) -> list[str]:
    """The names with which the words begin: "bane, fly, or sleep from it" → three.

    Args:
        words: plain text.
        is_name: whether there is a spell of that name.
    """
    names: list[str] = []
    rest = _WORD.findall(words)
    while rest:
        start = next((n for n, word in enumerate(rest) if word.lower() not in _BEFORE), len(rest))
        listed = not names or any(word.lower() in _BETWEEN for word in rest[:start])
        name = next(filter(is_name, _beginnings(rest[start:])), None) if listed else None
        if name is None:
            break
        names.append(name)
        rest = rest[start + len(name.split()) :]
    return names


def _beginnings(words: list[str]) -> Iterator[str]:
    """The first words of a list member, longest first."""
    member = list(takewhile(lambda word: word != ",", words[:_LONGEST]))
    yield from (" ".join(member[:size]).rstrip(".;:*") for size in range(len(member), 0, -1))


def spells_cast_from(text: str) -> list[Spell]:
    """The spells cast from the item, in text order, each once; a name that nothing marks as one is `Words`.

    `usage` is the cost of a casting: "3 charges", "At Will", "1/Day"; None if not stated. `level` is the casting
    level if the text states one other than the spell's own.
    """
    found: dict[str, Spell] = {}
    plain = text if _EMPHASISED.search(text) else _FOOTNOTE.sub("", _MARKED.sub(_MARK, text))
    for name, usage, level in _spells(_LABEL.sub("", _ADJACENT.sub(" ", plain))):
        found.setdefault(name.lower(), {"name": name, "id": None, "usage": usage, "level": level})
    return list(found.values())


def _spells(text: str) -> Iterator[tuple[str, str | None, int | None]]:
    prose = without_tables(text)
    once = next(filter(_EACH_ONCE.match, _SENTENCE.split(prose)), "")
    yield from _tabled(text, _how_rarely(once))
    yield from _listed(text)
    yield from _cast_in_sentences(prose)
    cells = "\n\n".join(_CELL.findall(text))
    expended = _EXPENDED.search(prose)
    spent = _cost(expended[0]) if expended else None
    for rolled in _ROLLED.finditer(cells):
        yield from ((match["name"], spent, None) for match in _EMPHASISED.finditer(rolled["list"]))
    yield from _cast_in_sentences(cells, spent)


def _tabled(text: str, rare: str | None) -> Iterator[tuple[str, str | None, int | None]]:
    """(name, usage, level) from tables of spells and costs; `rare` is how often a spell without a cost can be cast."""
    for table in tables_in(text):
        places = [n for n, column in enumerate(table.header) if _SPELL_COLUMN.match(column)]
        for row in table.rows:
            for place in places:
                beside = row[place + 1] if place + 1 < len(row) and "charge" in table.header[place + 1].lower() else ""
                for cell in _apart(row[place]):
                    name, _, note = cell.partition("(")
                    if name.strip() and name.strip()[0].isalpha():
                        cost = (
                            beside or re.sub(r"\D*(\d*).*", r"\1", note) if "harge" in table.header[place] else beside
                        )
                        yield name.strip(), _cost(note) or _cost(cost) or _charged(cost) or rare, _level(note)


def _listed(text: str) -> Iterator[tuple[str, str | None, int | None]]:
    """(name, usage, level) from lists after "cast one of the following spells:"."""
    for following in _FOLLOWING.finditer(text):
        spent = _cost(text[: following.start()].rpartition(". ")[2] + following[0].partition("\n")[0])
        for member in _MEMBER.finditer(following["list"]):
            note = member["note"] or ""
            yield member["name"], _cost(note) or spent, _level(note)


def _cast_in_sentences(text: str, spent: str | None = None) -> Iterator[tuple[str, str | None, int | None]]:
    """(name, usage, level) from sentences with "cast"; `spent` is the cost of a casting that states none."""
    each_use = _EACH_USE.search(text)
    paragraphs = text.split("\n\n")
    for paragraph, following in zip(paragraphs, [*paragraphs[1:], ""], strict=True):
        limited = f"{paragraph} {following}" if _ONCE_CAST.match(following) else paragraph
        rare = _how_rarely(limited) or (_cost(each_use[0]) if each_use else None)
        daily = {match["name"].lower() for match in _ONE_DAILY.finditer(paragraph)}
        version = _VERSION_OF_IT.search(paragraph)
        for sentence in _SENTENCE.split(paragraph):
            not_cast = _NOT_CAST.search(sentence) and not _GRANTED.search(sentence)
            if not_cast or _FOLLOWING.search(sentence):
                continue
            casts = list(_CAST.finditer(sentence))
            starts = [0, *(cast.end() for cast in casts)]
            ends = [*(cast.start() for cast in casts), len(sentence)]
            for start, cast, end in zip(starts, casts, ends[1:], strict=False):
                cost = _cost(sentence[start : cast.start()])
                at_will = _FREE.search(sentence) or (_AT_WILL.search(sentence) and not cost)
                usual = "At Will" if at_will else cost or _so_often(sentence) or rare or spent
                for name, usage, level in _named(sentence[cast.end() : end], usual):
                    often = "1/Day" if usage is None and name.lower() in daily else usage
                    yield name, often, level or (int(version["level"]) if version else None)


def _how_rarely(paragraph: str) -> str | None:
    """How often a property that needs no charges can be used: "1/Day", "1/Long Rest"."""
    often = _SEVERAL_TIMES.search(paragraph)
    count = number(often["count"]) if often else 1
    if rested := _RESTED.search(paragraph):
        return f"{count}/{rested['rest'].title()}"
    return f"{count}/Day" if _DAILY.search(paragraph) else None


def _so_often(sentence: str) -> str | None:
    match = _SO_OFTEN.search(sentence)
    if match is None:
        return None
    often = match["count"].lower().removesuffix(" times")
    return f"{_TIMES.get(often) or number(often)}/{match['time'].title().replace('Dawn', 'Day')}"


def _named(what: str, usual: str | None) -> Iterator[tuple[str, str | None, int | None]]:
    """(name, usage, level) of the spells named after "cast", emphasised or not."""
    end = 0
    for match in _names(what):
        if end:
            yield from _plain(what[end : match.start()], usual)
        end = match.end()
        note = match["note"] or ""
        level = _level(note) or _version(what[: match.start()]) or _level(_NEXT_NAME.split(what[end : end + 25])[0])
        for name in _apart(match["name"]):
            if spell := name.strip(" ,*").removeprefix("the "):
                yield spell, _cost(note) or usual, level
    if not end or _GOES_ON.match(what, end):
        yield from _plain(what[end:], usual)
    if not end:
        for m in _THE_SPELL.finditer(what):
            yield Words(m["name"]), _cost(m["note"] or "") or usual, _version(what[: m.start()])


def _version(before: str) -> int | None:
    version = _VERSION.search(before)
    return int(version["after"] or version["before"]) if version else None


def _names(what: str) -> Iterator[re.Match[str]]:
    """Emphasised names after "cast"."""
    emphasised = list(_EMPHASISED.finditer(what))
    ends = [0, *(match.end() for match in emphasised)]
    listed = "following" in what[: emphasised[0].start()] if emphasised else False
    for n, (match, end) in enumerate(zip(emphasised, ends, strict=False)):
        between = what[end : match.start()]
        far = len(between) > _NEAR and not between.rstrip().endswith(":") and not listed
        if far or (n and not _JOINED.search(between)):
            return
        yield match


def _plain(text: str, usual: str | None) -> Iterator[tuple[str, str | None, int | None]]:
    """(words, usage, level) of a list without emphasis; a note in brackets is about the name before it."""
    parts = _NOTE.split(text.partition(":")[2] or text)
    for words, note in zip(parts[::2], [*parts[1::2], ""], strict=False):
        *others, noted = _SEPARATOR.split(words) if note else [words]
        yield Words(", ".join(others)), usual, None
        if not _ONLY_LIGHT.match(noted):
            name = noted.strip().removeprefix("or ")
            marked = name.endswith(_MARK)
            yield name.removesuffix(_MARK) if marked else Words(noted), _cost(note) or usual, _level(note)


def _apart(names: str) -> list[str]:
    """The names in a list: "fear, sleep or web" has three."""
    return [
        name
        for part in _SEPARATOR.split(names)
        for name in ([part] if _ONE_NAME.search(part) else re.split(r"\s+or\s+", part))
    ]


def _cost(text: str) -> str | None:
    match = _COST.search(text)
    if match is None:
        return "At Will" if _NO_CHARGE.search(text) else None
    count = "1" if match["at_least_one"] else (match["number"] or match["costs"]).lower()
    return _charged(str(_WORDS.get(count, count)))


def _charged(number: str) -> str | None:
    if not number.isdigit():
        return None
    if int(number) == 0:
        return "At Will"
    return "1 charge" if number == "1" else f"{number} charges"


def _level(text: str) -> int | None:
    match = _LEVEL.search(text)
    return int(match["after"] or match["before"] or match["at"]) if match else None
