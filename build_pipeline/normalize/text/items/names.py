"""Item names: a price list's word order, case and qualifiers → the natural name; lookup keys."""

from __future__ import annotations

import re
from typing import Final

from server.dataset.names import slugify

_GROUP: Final = re.compile(
    r"^(?:Musical Instrument|Gaming Set|Holy Symbol|Druidic Focus|Arcane Focus), ", re.IGNORECASE
)
_PRICE: Final = re.compile(r"\s*\([\d,]+ [CSGP]P\)$", re.IGNORECASE)
_INVERTED: Final = re.compile(r"(?P<noun>[^,(]+), (?P<adjective>[^,(+]+?)(?P<rest>\s*\(.*\))?")
_KIND_OF: Final = re.compile(r"(?P<noun>Horse|Saddle) \((?P<adjective>\w+)\)", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\s-]+")
_SCROLL: Final = re.compile(r"^Spell Scroll, (?P<level>.+)$")
_KIND: Final = re.compile(r"\([a-z]+(?: or [a-z]+)*\)$")
_CROSSBOW: Final = re.compile(r"\bCrossbow[ -](?P<adjective>Hand|Heavy|Light)\b")
_HYPHENATED: Final = re.compile(
    r"\b(?P<first>Light|War|Chain|Half|Ring|Scale|Studded)-(?P<second>Hammer|Pick|Mail|Shirt|Plate|Leather)\b"
)
_BONUS: Final = re.compile(r"(?P<item>[^+]+?),? \(?\+(?P<bonus>[123])\)?")
_PLURAL: Final = re.compile(r"(?<![aisu])(?<!ie|he)s$|(?<=cus)es$")
"""The s of "arrows" and the es of "focuses", but not the s of "canvas", "glass" or "clothes"."""
_SMALL_WORDS: Final = {"and", "or", "of", "the", "per", "with", "for", "in", "a"}


def natural_name(printed: str) -> str:
    """The natural name of a mundane item, in title case; brackets stay.

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


def magic_name(printed: str) -> str:
    """The name of a magic item, repaired where a source uses its base item's key as the name.

    >>> [magic_name(n) for n in ("Crossbow-Hand (+1)", "Mithral Armor (Half-Plate)", "Horn of Valhalla (tin or lead)")]
    ['Hand Crossbow (+1)', 'Mithral Armor (Half Plate)', 'Horn of Valhalla (Tin or Lead)']
    """
    name = _SCROLL.sub(r"Spell Scroll (\g<level>)", printed.strip())
    name = _KIND.sub(lambda kind: kind[0].title().replace(" Or ", " or "), name)
    return _HYPHENATED.sub(r"\g<first> \g<second>", _CROSSBOW.sub(r"\g<adjective> Crossbow", name))


def item_keys(key: str, *names: str) -> list[str]:
    """Lookup keys of any item: the source's own, the same without the document prefix, slugs of its names.

    "+1 longsword" and "longsword +1" both find the "Longsword (+1)".
    """
    found = [key, key.rpartition("_")[2], *map(slugify, names)]
    for name in names:
        if match := _BONUS.fullmatch(name):
            found += [slugify(f"{match['item']} {match['bonus']}"), slugify(f"{match['bonus']} {match['item']}")]
    return list(dict.fromkeys(found))


def mundane_keys(key: str, *names: str) -> list[str]:
    """Lookup keys of a mundane item: also without "armor", without brackets, and in the singular.

    The sources differ in all three: "Plate" and "Plate Armor", "Arrows (20)" and "Arrow".
    """
    found = item_keys(key, *names)
    heads = [slugify(name.partition("(")[0]) for name in names]
    shorter = [k.removesuffix("-armor") for k in found] + heads + [_PLURAL.sub("", head) for head in heads]
    return list(dict.fromkeys([*found, *shorter]))


def _title(match: re.Match[str]) -> str:
    word = match[0]
    if word.casefold() in _SMALL_WORDS and match.start() > 0:
        return word.lower()
    return word[0].upper() + word[1:]
