"""Names of mundane items: the order, case and additions of a price list → the name that people say."""

from __future__ import annotations

import re
from typing import Final

from server.dataset.names import slugify

_GROUP: Final = re.compile(r"^(?:Musical Instrument|Gaming Set|Holy Symbol|Druidic Focus|Arcane Focus), ", re.IGNORECASE)
_PRICE: Final = re.compile(r"\s*\([\d,]+ [CSGP]P\)$", re.IGNORECASE)
_INVERTED: Final = re.compile(r"(?P<noun>[^,(]+), (?P<adjective>[^,(+]+?)(?P<rest>\s*\(.*\))?")
_KIND_OF: Final = re.compile(r"(?P<noun>Horse|Saddle) \((?P<adjective>\w+)\)", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\s-]+")
_SMALL_WORDS: Final = {"and", "or", "of", "the", "per", "with", "for", "in", "a"}


def natural_name(printed: str) -> str:
    """The name of a mundane item as one says it, in title case; what stands in brackets stays.

    >>> [natural_name(n) for n in ("Crossbow, light", "Musical Instrument, Bagpipes", "Rope, hempen (50 feet)")]
    ['Light Crossbow', 'Bagpipes', 'Hempen Rope (50 feet)']
    """
    name = _PRICE.sub("", _GROUP.sub("", printed.strip()))
    if name.count(")") > name.count("("):
        name = name.replace(")", "")
    if match := _KIND_OF.fullmatch(name) or _INVERTED.fullmatch(name):
        rest = match.groupdict().get("rest") or ""
        name = f"{match['adjective']} {match['noun']}{rest}"
    head, bracket, tail = name.partition("(")
    return _WORD.sub(_title, head) + bracket + tail


def item_keys(key: str, *names: str) -> tuple[str, ...]:
    """The keys an item is found by: the source's own, its part after the document prefix, and the names' slugs.

    Suits of armor go by their name with and without "armor": the sources differ in it.
    """
    found = [key, key.rpartition("_")[2], *map(slugify, names)]
    return tuple(dict.fromkeys([*found, *(k.removesuffix("-armor") for k in found)]))


def _title(match: re.Match[str]) -> str:
    word = match[0]
    if word.casefold() in _SMALL_WORDS and match.start() > 0:
        return word.lower()
    return word[0].upper() + word[1:]
