"""EDN values that Python has no type for, and a writer of EDN text.

nil, booleans, integers, floats and strings are Python's own. A ratio is a `Fraction`, a vector a `list`, a list a
`tuple`, a map a `dict`, a character a string of length 1, as in OrcPub's own reader.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, Self
from weakref import WeakValueDictionary

_TYPOGRAPHIC: Final = "“”„‟«»"
TYPOGRAPHIC_QUOTES: Final = 'typographic quotes (“ ”) where straight ones (") are expected'
_ESCAPES: Final = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"})


class Keyword:
    """A keyword without its colon: `orcpub.dnd.e5/spells`. Never equal to a string.

    Interned: there is one object per text, so comparison and hashing are by identity.
    """

    __slots__ = ("__weakref__", "text")
    _known: ClassVar[WeakValueDictionary[str, Any]] = WeakValueDictionary()
    text: str

    def __new__(cls, text: str) -> Self:
        keyword: Self | None = cls._known.get(text)
        if keyword is None:
            keyword = super().__new__(cls)
            keyword.text = text
            cls._known[text] = keyword
        return keyword

    def __repr__(self) -> str:
        return f":{self.text}"

    @property
    def name(self) -> str:
        """The part after the namespace."""
        return self.text.rpartition("/")[2] or self.text

    @property
    def namespace(self) -> str:
        """The part before the slash, or nothing."""
        return self.text.rpartition("/")[0]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A bare word. OrcPub never writes one: it is a typo, or a constant of another language (`NaN`, `undefined`)."""

    text: str

    @property
    def is_quoted(self) -> bool:
        """Whether it starts or ends with a typographic quote, put in by a word processor instead of a straight one."""
        return self.text[0] in _TYPOGRAPHIC or self.text[-1] in _TYPOGRAPHIC


@dataclass(frozen=True, slots=True)
class Tagged:
    """A tagged literal, `#inst "…"`: its tag and its value."""

    tag: str
    value: Any


class EdnSet(list[Any]):
    """A set. It is a list underneath, because elements may be unhashable and the file's order is kept."""


@dataclass(frozen=True, slots=True)
class CompoundKey:
    """A map key that Python cannot hash or tell apart: a collection, or `true` and `false` next to 1 and 0.

    Two are equal if their EDN text is.
    """

    text: str


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same; to Python `true` is 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and type(one) is type(other):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Tagged) and isinstance(other, Tagged):
        return one.tag == other.tag and same(one.value, other.value)
    return isinstance(one, bool) == isinstance(other, bool) and (one is other or one == other)


def write_edn(value: Any) -> str:  # noqa: C901, PLR0911, PLR0912 - a case a type
    """A value as EDN text on one line, in OrcPub's style."""
    match value:
        case None:
            return "nil"
        case bool():
            return "true" if value else "false"
        case Keyword(text=text):
            return f":{text}"
        case Symbol(text=text) | CompoundKey(text=text):
            return text
        case Tagged(tag=tag, value=inner):
            return f"#{tag} {write_edn(inner)}"
        case str():
            return f'"{value.translate(_ESCAPES)}"'
        case float():
            return _write_float(value)
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case EdnSet():
            return f"#{{{' '.join(map(write_edn, value))}}}"
        case list():
            return f"[{' '.join(map(write_edn, value))}]"
        case tuple():
            return f"({' '.join(map(write_edn, value))})"
        case dict():
            return f"{{{', '.join(f'{write_edn(k)} {write_edn(v)}' for k, v in value.items())}}}"
        case _:
            return str(value)


def _write_float(value: float) -> str:
    if math.isfinite(value):
        return repr(value)
    return "##NaN" if math.isnan(value) else "##Inf" if value > 0 else "##-Inf"
