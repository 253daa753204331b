"""Areas of effect parsed from running text."""

from __future__ import annotations

import re
from typing import Any, Final

_UNIT: Final = r"(?:foot|feet|ft\.?|miles?|['’])"
_SIZE: Final = r"(?<!\d)(?P<size>\d[\d,]{0,12})[\s-]*(?P<unit>foot|feet|ft\.?|miles?|['’])"
_DIMENSION: Final = rf"\d[\d,]{{0,12}}[\s-]*{_UNIT}[\s-]*(?:high|tall|long|wide|thick|deep|radius)"
_WIDE: Final = rf"(?<!\d)\d[\d,]{{0,12}}[\s-]*{_UNIT}[\s-]*wide"
_SOLID: Final = r"cylinder|cylindrical|sphere|emanation|hemisphere|circle|dome"
_ROUND: Final = "cloud|pit|sinkhole"
_STRAIGHT: Final = "beam|blast|bolt|jet|ray|stream|stroke|torrent"
_NOT_ITS_SIZE: Final = r"(?![\s-]*(?:high|tall|wide|thick|deep|above|off)\b)"

_AREAS: Final = (
    # "100-foot-long, 5-foot-wide line" or bolt, but not "a path 60 feet long and 5 feet wide"
    re.compile(rf"{_SIZE}[\s-]*long,?\s+(?:and\s+)?(?:{_DIMENSION}[,\s-]+)*(?P<shape>line)\b", re.IGNORECASE),
    re.compile(
        rf"{_SIZE}[\s-]*long,?\s+(?:and\s+)?{_DIMENSION},?\s+(?:\w+\s+)?(?P<shape>{_STRAIGHT})\b", re.IGNORECASE
    ),
    # "a 5-foot-wide, 60-foot-long jet", "a line of fire 5 feet wide and 60 feet long"
    re.compile(rf"{_WIDE},?\s+(?:and\s+)?{_SIZE}[\s-]*long,?\s+(?P<shape>line|{_STRAIGHT})\b", re.IGNORECASE),
    re.compile(
        rf"\b(?P<shape>line|{_STRAIGHT})\b[^.,;\d]{{0,40}}?{_WIDE}\s+and\s+(?:up\s+to\s+)?"
        rf"{_SIZE}[\s-]*long\b",
        re.IGNORECASE,
    ),
    # "20-foot-radius, 40-foot-high cylinder", "10-foot radius sphere", "30-foot radius"
    re.compile(
        rf"{_SIZE}[\s-]*radius(?:,?\s+(?:and\s+)?{_DIMENSION})*,?(?:\s+(?:(?!of\b)\w+\s+)?(?P<shape>{_SOLID})\b|(?!\w))",
        re.IGNORECASE,
    ),
    # "15-foot cone", "10-foot cube", "60-foot line", "60-foot-long line"; a line's width is not its size
    re.compile(
        rf"(?<!pick a ){_SIZE}(?:(?:[\s-]*(?:long|wide|square))?[\s-]+"
        r"(?P<shape>square(?!s|\s+sections)|(?:cone|cube(?!\s+chamber)|emanation|sphere|cylinder)(?=s?\b))s?"
        r"|(?:[\s-]*long)?[\s-]+(?P<line>line)s?)\b",
        re.IGNORECASE,
    ),
    # "a line 100 feet long", "a cube 10 feet on a side", "a cylinder that is 9 feet tall with a 50-foot radius"
    re.compile(
        r"(?<!\bthe )(?<!\bthat )\b(?P<shape>cone|cube|line|cylinder|sphere|square)\s+"
        r"(?:(?:that\s+is|up\s+to|of|with\s+an?|measuring|no\s+larger\s+than|wider\s+than|extending|"
        rf"that\s+can\s+be\s+as\s+small\s+as\s+\d+\s+feet\s+to\s+as\s+large\s+as)\s+)*{_SIZE}{_NOT_ITS_SIZE}",
        re.IGNORECASE,
    ),
    # "a bench 30 feet long and 5 feet wide, and it must be in a line"
    re.compile(
        rf"{_SIZE}[\s-]*long\s+and\s+(?:up\s+to\s+)?\d+[\s-]*{_UNIT}[\s-]*wide,?\s+and\s+it\s+must\s+be\s+in\s+an?\s+"
        r"(?P<shape>line)\b",
        re.IGNORECASE,
    ),
    # "a line of strong wind 60 feet long"
    re.compile(rf"\b(?P<shape>line)\s+of\s+[^.,;\d]{{3,30}}?{_SIZE}[\s-]*long\b", re.IGNORECASE),
    # "a bolt of fire 100 feet long and 5 feet wide"
    re.compile(
        rf"\b(?P<shape>{_STRAIGHT})\b[^.,;\d]{{0,40}}?{_SIZE}[\s-]*long\s+and\s+\d+[\s-]*{_UNIT}[\s-]*wide\b",
        re.IGNORECASE,
    ),
    # "a pen in the shape of a cage up to 20 feet on a side"
    re.compile(
        rf"(?<!each )\b(?:cage|box|(?P<shape>cube))\b[^.\d]{{0,30}}?(?<!increases by )\b{_SIZE}"
        r"\s+on\s+(?:a|each)\s+side\b",
        re.IGNORECASE,
    ),
    # "a cylinder 40 feet high and 40 feet in diameter", "the pit is 20 feet deep and 50 feet in diameter"
    re.compile(
        rf"\b(?P<shape>cylinder|sphere|{_ROUND})\s+(?:is\s+)?(?:{_DIMENSION}\s+and\s+)?{_SIZE}"
        r"\s+(?P<across>wide|across|in\s+diameter)\b",
        re.IGNORECASE,
    ),
    # "a 20-foot-diameter circle"
    re.compile(rf"{_SIZE}[\s-]*(?P<across>diameter)\s+(?P<shape>{_SOLID}|{_ROUND})\b", re.IGNORECASE),
    # "a cylindrical area 50 feet in radius"
    re.compile(rf"{_SIZE}\s+in\s+radius\b(?P<shape>)", re.IGNORECASE),
    # "spreading to a radius of 360 feet", "a radius of up to 10 feet"
    re.compile(rf"\bradius\s+(?:of\s+)?(?:up\s+to\s+)?{_SIZE}(?P<shape>)", re.IGNORECASE),
    # "each creature within 9 feet of that point"
    re.compile(
        rf"\bwithin\s+{_SIZE}\s+of\s+(?:(?:the|that|a)\s+(?:\w+\s+)?point|that\s+(?:spot|space|location)|"
        rf"where\s+it\s+bursts|the\s+\w+(?:\s+\w+)?\s+when\s+it\s+appears)\b(?P<shape>)",
        re.IGNORECASE,
    ),
    # "creatures that end their turns within 20 feet of you"
    re.compile(
        rf"\bcreatures?\s+(?:that\s+)?(?:begin|start|end)(?:s|n?ing)?\b[^.;]{{0,30}}?\bturns?\s+within\s+{_SIZE}\s+of\s+"
        r"(?:the\s+target|you)\b(?P<shape>)",
        re.IGNORECASE,
    ),
    # "a wall up to 60 feet long", "a 50-foot-long, 10-foot-high wall", and "lines (up to 60 feet long"
    re.compile(rf"\b(?P<shape>wall)\b[^.]{{0,80}}?\b{_SIZE}[\s-]*long\b", re.IGNORECASE),
    re.compile(rf"{_SIZE}[\s-]*long,\s+(?:{_DIMENSION},?\s+)+(?P<shape>wall)\b", re.IGNORECASE),
    re.compile(rf"\b(?P<shape>line)s\s+\(up\s+to\s+{_SIZE}[\s-]*long\b", re.IGNORECASE),
    # "a 20-foot-by-20-foot section of wall or floor", "shadows invade an area 200 feet on a side"
    re.compile(
        rf"{_SIZE}[\s-]by[\s-](?P=size)[\s-](?P=unit)\s+(?P<shape>section)\s+of\s+(?:wall|floor)\b", re.IGNORECASE
    ),
    re.compile(rf"\b(?P<shape>an\s+area)\s+{_SIZE}\s+on\s+a\s+side\b", re.IGNORECASE),
    # "fills the area within 30 feet of you"
    re.compile(rf"\bfills\s+the\s+area\s+within\s+{_SIZE}\s+of\s+you\b(?P<shape>)", re.IGNORECASE),
)
_SENSE_OR_LIGHT: Final = re.compile(
    r"""
    \b(?:
      (?:blind|dark|tremor|true)(?:sight|vision|sense)
      | light\s+(?:in|from|out\s+to|within|for|to|shines)
      | illuminat\w+
    )\b[^.;]{0,40}$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FITS: Final = re.compile(
    r"""
    (?<!area\ that\ )\bfits?\s+(?:entirely\s+|completely\s+)?(?:in|inside|within|into)\s+an?\s+$
    | \beach\s+\w+\s+fills\s+an?\s+$
    | \bextinguish\w*\s+(?:up\s+to\s+)?an?\s+$
    | \bdoor\s+approximately\s+$
    | \bexceed\s+\d+\s+(?:\w+\s+)?$
    | \bmade\s+up\s+of\s+(?:\w+\s+)+$
    | \bcontained\s+within\s+an?\s+(?:single\s+)?$
    | \bconnected\s+$
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Text before the size of an object rather than of an area.

"fit entirely inside a 10-foot cube", "contained within a 10-foot cube", "can't exceed 40 10-foot cubes".
"""
_FLAT: Final = re.compile(
    r"""
    [^.;]{0,60}?
    (?:\b(?:that\s+is\s+\d+\s+feet\s+(?:high|tall)|with\s+a\s+thickness\s+of)\b|\d-foot[\s-]tall\s+cylinder\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Text after a radius that states the height: "a cloud of 60-foot radius that is 10 feet high"."""
_HIGH: Final = re.compile(r"\d[\s-]f(?:oo|ee)t[\s-](?:high|tall),?\s+$", re.IGNORECASE)
_SHAPE_BEFORE: Final = re.compile(rf"\b(?P<shape>{_SOLID})\b[^.]*$", re.IGNORECASE)
_SHAPES: Final = {
    "circle": "sphere",
    "cylindrical": "cylinder",
    "cloud": "sphere",
    "dome": "hemisphere",
    "pit": "cylinder",
    "sinkhole": "cylinder",
    "wall": "line",
    "section": "square",
    "an area": "square",
    **dict.fromkeys(_STRAIGHT.split("|"), "line"),
}


def area_of_effect(text: str) -> dict[str, Any] | None:
    """The first area of effect in a text: {shape, size, unit}.

    A bare radius is a sphere and a wall is a line. The size is a line's length or a cylinder's radius; an even diameter
    is halved, an odd one ignored. The reach of light or of a sense, heights, widths and distances moved are not areas.

    >>> area_of_effect("Each creature in a 20-foot-radius, 40-foot-high cylinder")
    {'shape': 'cylinder', 'size': 20, 'unit': 'feet'}
    """
    matches = (match for pattern in _AREAS for match in pattern.finditer(text) if _is_area(match))
    first = min(matches, key=lambda m: (m.start(), -m.end()), default=None)
    if first is None:
        return None
    parts = first.groupdict()
    shape = (parts["shape"] or parts.get("line") or _shape_before(first)).lower()
    size = int(parts["size"].replace(",", ""))
    unit = "miles" if parts["unit"].lower().startswith("mile") else "feet"
    return {"shape": _SHAPES.get(shape, shape), "size": size // 2 if parts.get("across") else size, "unit": unit}


def _is_area(match: re.Match[str]) -> bool:
    """Whether the match is an area: not the radius of light or of a sense, nor a diameter in odd feet."""
    if _FITS.search(match.string[max(0, match.start() - 40) : match.start()]):
        return False
    if match.groupdict().get("across") and int(match["size"].replace(",", "")) % 2:
        return False
    if match["shape"] or match.groupdict().get("line"):
        return True
    return not _SENSE_OR_LIGHT.search(match.string[max(0, match.start() - 80) : match.start()])


def _shape_before(match: re.Match[str]) -> str:
    """The shape named before a bare radius: "in the shape of a cylinder with a 60-foot radius"."""
    if match[0].lower().endswith("side"):
        return "cube"
    if _FLAT.match(match.string, match.end()) or _HIGH.search(match.string, 0, match.start()):
        return "cylinder"
    sentence = match.string[: match.end()].rpartition(". ")[2]
    if "cylindrical" in sentence.lower():
        return "cylinder"
    named = _SHAPE_BEFORE.search(sentence)
    return named["shape"] if named else "sphere"
