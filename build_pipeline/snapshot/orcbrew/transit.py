"""EDN values as lossless JSON, in Transit's verbose form (https://github.com/cognitect/transit-format).

`"~:name"` is a keyword, `"~$name"` a symbol, `"~~…"` a string that begins with a tilde (`^` and a backtick likewise),
`"~zNaN"` not a number, `"~n…"` an integer that JSON readers would round; `{"~#set": […]}` a set, `{"~#list": […]}`
a list, `{"~#ratio": [1, 2]}` a ratio, `{"~#inst": …}` a tagged literal, `{"~#cmap": [key, value, …]}` a map whose keys
are not all keywords, strings or integers. Vectors are arrays, all other maps objects.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Final

from build_pipeline.snapshot.orcbrew.edn_values import CompoundKey, EdnSet, Keyword, Symbol, Tagged

_EXACT: Final = 2**53
_MARKS: Final = ("~", "^", "`")
_FLOATS: Final = {"~zNaN": math.nan, "~zINF": math.inf, "~z-INF": -math.inf}


def to_transit(value: Any) -> Any:  # noqa: C901, PLR0911, PLR0912 - a case a type
    """Encode an EDN value."""
    match value:
        case None | bool():
            return value
        case Keyword(text=text):
            return f"~:{text}"
        case Symbol(text=text):
            return f"~${text}"
        case CompoundKey(text=text):
            return {"~#edn": text}
        case Tagged(tag=tag, value=inner):
            return {f"~#{tag}": to_transit(inner)}
        case str():
            return f"~{value}" if value.startswith(_MARKS) else value
        case int():
            return value if abs(value) < _EXACT else f"~n{value}"
        case float():
            if math.isfinite(value):
                return value
            return "~zNaN" if math.isnan(value) else "~zINF" if value > 0 else "~z-INF"
        case Fraction():
            return {"~#ratio": [value.numerator, value.denominator]}
        case EdnSet():
            return {"~#set": [to_transit(v) for v in value]}
        case list():
            return [to_transit(v) for v in value]
        case tuple():
            return {"~#list": [to_transit(v) for v in value]}
        case dict():
            return _map_to_transit(value)
        case _:
            msg = f"not an EDN value: {value!r}"
            raise TypeError(msg)


def _map_to_transit(value: dict[Any, Any]) -> Any:
    if all(isinstance(k, Keyword | str | int) and not isinstance(k, bool) for k in value):
        return {f"~i{k}" if isinstance(k, int) else to_transit(k): to_transit(v) for k, v in value.items()}
    return {"~#cmap": [to_transit(part) for pair in value.items() for part in pair]}


def from_transit(value: Any) -> Any:
    """Decode an EDN value."""
    if isinstance(value, str):
        return _from_string(value)
    if isinstance(value, list):
        return [from_transit(v) for v in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        tag, inner = next(iter(value.items()))
        if tag.startswith("~#"):
            return _from_tag(tag[2:], inner)
    return {_from_string(key): from_transit(v) for key, v in value.items()}


def _from_string(text: str) -> Any:
    if not text.startswith("~"):
        return text
    match text[1:2]:
        case ":":
            return Keyword(text[2:])
        case "$":
            return Symbol(text[2:])
        case "z":
            return _FLOATS[text]
        case "n" | "i":
            return int(text[2:])
        case _:
            return text[1:]


def _from_tag(tag: str, inner: Any) -> Any:
    if tag == "edn":
        return CompoundKey(inner)
    if tag == "ratio":
        return Fraction(*inner)
    values = from_transit(inner)
    if tag == "set":
        return EdnSet(values)
    if tag == "list":
        return tuple(values)
    if tag == "cmap":
        return dict(zip(values[::2], values[1::2], strict=True))
    return Tagged(tag, values)
