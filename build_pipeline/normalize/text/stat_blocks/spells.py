"""The spells in a stat block's traits and actions, with usage and casting level."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from build_pipeline.normalize.text.stat_blocks.actions import usage_in
from server.dataset.names import normalize_name

_OFTEN: Final = (
    r"at will|constant|cantrips?"
    r"|(?P<count>\d+|one|once)\s*/\s*(?P<period>day|week|month|turn|(?:short |long )?rest)(?:\s*(?:each|ea))?"
    r"|(?P<level>\d)(?:st|nd|rd|th)(?:\s*[–-]\s*\d(?:st|nd|rd|th))?(?:[\s-]levels?|(?=\s\(\d+\sslots?\)))"
)
_LABEL: Final = re.compile(
    rf"(?:^|(?<=[\s*(,;.)\d\w]))(?P<often>{_OFTEN})\b(?P<more>[^:\n,;]{{0,32}}):[*_]*[ \t]*", re.IGNORECASE
)
_SLOTS: Final = re.compile(r"\d+\s+(?:\w+[\s-]level\s+)?slots?", re.IGNORECASE)
_LIST_END: Final = re.compile(r"\n|(?:(?<=[a-z)])\.(?:\s|$)|;\s)(?![^()\n]*\))")
_SEPARATOR: Final = re.compile(r"\s*,\s*(?![^()]*\))|\s+(?:and|or)\s+(?=[*_])(?![^()]*\))")
_NOTE: Final = re.compile(r"(?:\s+\d+(?=\s\(\d+d))?\s*\([^()]*\)?|\s*\[[^\[\]]*\]")
_CAST_LEVEL: Final = re.compile(r"\blevel\s+(?P<after>\d)\b|\b(?P<before>\d)(?:st|nd|rd|th)[\s-]level\b", re.IGNORECASE)
_AS_OF_LEVEL: Final = re.compile(r" (?:as an? |at )(?P<level>\d)(?:st|nd|rd|th)[\s-]level\b")
"""A casting level after a spell's name: "can cast fear as a 5th-level spell"."""
_MARK: Final = r"(?<![\w*])[*_](?!\*)"
_EMPHASISED: Final = re.compile(rf"{_MARK}(?P<name>[A-Za-z][A-Za-z’'/, -]+?)[*_](?![\w*])(?P<note>\s*\([^()]*\))?")
_CASTS: Final = re.compile(
    r"\b(?:casts?|replace\s+one\s+[*_][^.]*?\bwith)\b(?P<what>(?:(?!\b(?:can|to)\s+cast\b)[^.\n])*)", re.IGNORECASE
)
_END_OF_CAST: Final = (
    r"(?=[,.:]? (?:at will|once|twice|(?:two|three|four|\d+) times|requiring|without|with no|using|as an?|each|"
    r"for an?)\b"
    r"| and (?:has|can)\b"
    r"|[.]| \((?!(?:[^()]* )?only\)(?:,| and ))| \d|, (?:which|but|filling|targeting|affecting|and (?:the|it))\b)"
)
_PLAIN_CAST: Final = re.compile(
    r"\b(?:(?P<able>(?:[Cc]an|may)(?: (?:innately|also|magically|try to))* cast"
    r"|[Cc]an use an? (?:bonus )?action to [^.]{0,30}\bcast|as a cantrip and)|casts) (?:a version of )?(?:the )?"
    rf"(?P<name>(?:[A-Za-z’'/, -]|\([^()]*\)(?=,| and ))+?)(?P<kind> spells?| cantrips?)?"
    rf"{_END_OF_CAST}(?=(?P<often> as a cantrip|[^.;]{{0,60}}))"
)
_OTHERS_CAST: Final = re.compile(
    r"\b(?:creature|target|caster|spellcaster|who|that|someone|wearer|bearer|wielder)\b[^.]*$"
)
_OFTEN_IN_SENTENCE: Final = re.compile(
    r"\b(?:(?P<will>at will|as a cantrip)|(?P<count>once|twice|(?:two|three|four|\d+) times)(?: each)?"
    r"(?: per | a | each | every |/)(?P<period>day|(?:short |long )?rest|week|\d+ days))\b",
    re.IGNORECASE,
)
_RESTED: Final = re.compile(
    r"\b(?:can['’]t [^.]{0,40}again until (?:it|he|she|they) finish(?:es)?"
    r"|must finish(?=[^.]* before using this trait to cast that spell again)) a (?P<rest>(?:short |long )?rest)\b",
    re.IGNORECASE,
)
"""The rest that a spell cast once has to wait for."""
_COUNTS: Final = {"once": "1", "twice": "2", "two times": "2", "three times": "3", "four times": "4"}
_IS_SPELL: Final = re.compile(r"\((?:Cantrip|(?P<level>\d)(?:st|nd|rd|th)-Level)[:;)]", re.IGNORECASE)
"""The beginning of the text of an action that is a spell: "(3rd-Level; V, S) The newt …"."""
_PROSE: Final = re.compile(
    r"\b(?:has|have|at the|at will|chance|chooses?|attempts?|can|takes?)\b|[()\d]", re.IGNORECASE
)
_AFTER_NAME: Final = " (?:spells?|cantrips?|with(?:out)?|requiring|using|as|at|on)"
_KIND: Final = re.compile(r" (?:spells?|cantrips?)$")
_NO_SPELL: Final = re.compile(
    r"""
    \b(?:
      spells? | following | it | them | its | his | her | their | any | one | two | cantrips? | this | that | these
      | another | at | centered | loses | while | for | through | a | an
    )\b
    """,
    re.VERBOSE,
)
_ON_ITSELF: Final = re.compile(r"\s+on\s+(?:itself|himself|herself|self)(?:\s+only)?$")
_JOINING: Final = re.compile(r"^(?:and|or|the)\s+", re.IGNORECASE)


def spells_in(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The spells of traits and actions {name, description, usage?}, once per usage, in text order.

    Each is {name (as printed), id (None, resolved in merging.links), usage ("At Will", "Constant", "3/Day",
    "4 slots", None), level (casting level, if stated)}.
    """
    found: dict[tuple[str, str | None], dict[str, Any]] = {}
    for row in rows:
        text = row["description"] or ""
        ways = (row.get("usage") or "; ".join(usage_in(row["name"]))).split("; ")
        usage = "; ".join(way for way in ways if not way.startswith("Costs ")) or _once(text)
        for name, often, level in (*_listed(text), *_cast_in_sentences(text, usage), *_named(row["name"], text, usage)):
            found.setdefault((normalize_name(name), often), {"name": name, "id": None, "usage": often, "level": level})
    listed = {part for name, often in found if often for part in (name, *name.split("/"))}
    return [spell for (name, often), spell in found.items() if often or name not in listed]


def _listed(text: str) -> Iterator[tuple[str, str | None, int | None]]:
    """(name, usage, level) from lists such as "3/day each: fear, slow (as a 5th-level spell)"."""
    labels = list(_LABEL.finditer(text))
    for number, label in enumerate(labels):
        end = labels[number + 1].start() if number + 1 < len(labels) else len(text)
        members = _LIST_END.split(text[label.end() : end])[0]
        for member in _SEPARATOR.split(members):
            name = _name(_NOTE.sub("", member))
            if name and not _PROSE.search(name):
                yield name, _usage(label), _level(member, label)


def _usage(label: re.Match[str]) -> str | None:
    """How often a label says: "4 slots", "At Will", "3/Day"."""
    if label["level"] is not None:
        slots = _SLOTS.search(label["more"])
        return _in_number(slots[0].lower()) if slots else None
    if label["count"] is None:
        return "Constant" if label["often"].lower() == "constant" else "At Will"
    count = "1" if label["count"].lower() in {"one", "once"} else label["count"]
    return f"{count}/{label['period'].title()}"


def _in_number(slots: str) -> str:
    """Slots with the noun that fits the number: "1 slots" → "1 slot"; "1 third-level slots" is left as printed."""
    count, _, noun = slots.partition(" ")
    if noun not in {"slot", "slots"}:
        return slots
    return f"{count} slot" if count == "1" else f"{count} slots"


def _level(member: str, label: re.Match[str]) -> int | None:
    note = "".join(_NOTE.findall(member))
    if match := _CAST_LEVEL.search(note):
        return int(match["after"] or match["before"])
    if label["level"] is not None:
        return int(label["level"])
    return 0 if label["often"].lower().startswith("cantrip") else None


def _cast_in_sentences(text: str, usage: str | None) -> Iterator[tuple[str, str | None, int | None]]:
    """(name, usage, level) from sentences: "casts *Misty Step*", "can innately cast suggestion, requiring …"."""
    for sentence in _CASTS.finditer(text):
        often = _often(sentence["what"]) or usage
        for match in _EMPHASISED.finditer(sentence["what"]):
            level = _CAST_LEVEL.search(match["note"] or "")
            for part in match["name"].split(","):
                if name := _name(part):
                    noted = int(level["after"] or level["before"]) if level else None
                    yield name, often, noted or _level_after(sentence["what"][match.end() :])
    for match in _PLAIN_CAST.finditer(text):
        if not match["able"] and (not match["kind"] or _OTHERS_CAST.search(text, 0, match.start())):
            continue
        for part in re.split(r",\s*|\s+(?:and|or)\s+", _NOTE.sub("", match["name"])):
            if (name := _KIND.sub("", _name(part))) and not _NO_SPELL.search(name) and not _PROSE.search(name):
                often = _often(match["often"]) or _often(text[text.rfind(".", 0, match.start()) + 1 : match.start()])
                yield name, often or usage, _level_after(match["often"])


def _level_after(text: str) -> int | None:
    match = _AS_OF_LEVEL.match(text)
    return int(match["level"]) if match else None


def _named(name: str, text: str, usage: str | None) -> Iterator[tuple[str, str | None, int | None]]:
    """(name, usage, level) of the spell that a trait or action is named after, if it casts or is that spell."""
    bare = _NOTE.sub("", name)
    if match := _IS_SPELL.match(text):
        yield bare, usage or (None if match["level"] else "At Will"), int(match["level"] or 0)
    elif "casts" in text.lower() and re.search(
        rf"\bcasts (?:the )?[*_]*{re.escape(bare)}[*_]*(?:[.,;]|{_AFTER_NAME}\b)", text, re.IGNORECASE
    ):
        yield bare, _often(text) or usage, None


def _often(text: str) -> str | None:
    """The usage that a sentence states: "at will", "three times per day", "once each per long rest"."""
    match = _OFTEN_IN_SENTENCE.search(text)
    if match is None:
        return None
    if match["will"]:
        return "At Will"
    count = match["count"].lower()
    return f"{_COUNTS.get(count, count.split()[0])}/{match['period'].title()}"


def _once(text: str) -> str | None:
    """The usage of something that can be done again only after a rest."""
    match = _RESTED.search(text)
    return f"1/{match['rest'].title()}" if match else None


def _name(text: str) -> str:
    """A spell's name without markup and conjunctions."""
    bare = " ".join(re.sub(r"[\\*]+", "", text).strip(" \t_.;:-").split())
    return _ON_ITSELF.sub("", _JOINING.sub("", bare))
