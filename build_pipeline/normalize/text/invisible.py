"""Remove invisible characters, which no text of the game needs: control, zero-width, bidirectional and tag characters.

They are removed on input, before anything else reads an object: from its key, its URL, its members' names and its
texts. Each pass over a text is linear in its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import chain, count
from typing import Any, Final

from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.strict_json import dump_json

_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x84\x86-\x90\x95\x98-\x9f"  # \x85 and \x91 to \x97 have meanings, see `clean`
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff\ud800-\udfff]"
)
_WORTH_A_LOOK: Final = re.compile(rf"{_INVISIBLE.pattern}|\\[bfu]")
"""In JSON text: such a character, or an escape that might stand for one."""
_SHOWN: Final = 5

Report = Callable[[str, str], None]
"""Receives the id of a raw object and what was done to it."""


def without_invisible(raw: RawLayer, report: Report) -> RawLayer:
    """The layer without invisible characters; objects that had none are the same objects.

    Args:
        raw: the layer as received.
        report: receives every object that had some, and which they were.
    """
    clean = RawLayer(info=raw.info)
    for obj in raw:
        if _WORTH_A_LOOK.search(obj.text) or _INVISIBLE.search(obj.key) or _INVISIBLE.search(obj.url):
            clean.add(_cleaned(obj, (raw, clean), report))
        else:
            clean.add(obj)
    return clean


def visible(text: str) -> str:
    """A text without invisible characters."""
    return _INVISIBLE.sub("", text)


def _cleaned(obj: RawObject, layers: tuple[RawLayer, RawLayer], report: Report) -> RawObject:
    removed: list[str] = []

    def clean(value: Any) -> Any:
        if isinstance(value, str):
            removed.extend(_INVISIBLE.findall(value))
            return visible(value)
        if isinstance(value, dict):
            return {clean(name): clean(member) for name, member in value.items()}
        return [clean(item) for item in value] if isinstance(value, list) else value

    data, key, url = clean(obj.data), clean(obj.key), clean(obj.url)
    if not removed:
        return obj
    if key != obj.key:  # another object, which may come later, may have the cleaned key
        numbered = chain([key], (f"{key}-{number}" for number in count(2)))
        key = next(each for each in numbered if not any(each in layer[obj.source, obj.endpoint] for layer in layers))
    result = replace(obj, key=key, url=url, text=dump_json(data))
    kinds = [f"U+{ord(character):04X}" for character in sorted(set(removed))]
    more = f" and {len(kinds) - _SHOWN} more" if len(kinds) > _SHOWN else ""
    report(result.id, f"{len(removed)} invisible characters were removed: {', '.join(kinds[:_SHOWN])}{more}")
    return result
