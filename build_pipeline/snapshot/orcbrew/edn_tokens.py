"""The tokens of EDN as found in files: one pattern for all of them, and the values of atoms and strings."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from build_pipeline.snapshot.orcbrew.edn_values import Symbol

MAX_DIGITS: Final = 400
_SHORT: Final = 19
"""Plain digits shorter than this skip the number pattern; nearly all numbers do."""

SPACE: Final = r"\s,\ufeff\u200b"
"""White space, for use inside a character class; includes commas, byte order marks and zero-width spaces."""
END: Final = SPACE + r'"()\[\]{};'
"""Characters that end a keyword, number or symbol, for use inside a character class."""

KEYWORD, STRING, ATOM, CLOSER, OPENER, COMMENT, SHARP_OPENER, RARE, NOTHING = range(1, 10)
"""The groups of `TOKEN`. Exactly one is set in each match; it is the kind of the token.

| group | text | left out of the group |
|---|---|---|
| `KEYWORD` | `:level` | its colon |
| `STRING` | `"Fireball"` | its quotes; escapes are kept as written |
| `ATOM` | `3`, `nil`, `true`, a symbol | |
| `CLOSER` | `}`, `]`, `)` | |
| `OPENER` | `{`, `[`, `(` | |
| `COMMENT` | `; until the line ends` | |
| `SHARP_OPENER` | `#{` of a set, `#:namespace{` of a map | |
| `RARE` | `#_`, `^`, `#tag`, `##NaN`, `\\a`, `#"regex"`, and stray characters | |
| `NOTHING` | the end of the text | |
"""

# A string that runs into a word, or a word that runs into a string, matches RARE rather than STRING or ATOM: nobody
# writes that on purpose, and it is the first sign of every missing or unescaped quote.
TOKEN: Final = re.compile(
    rf"""[{SPACE}]*+(?:
      :([^{END}]++)
    | "([^"\\]*+(?:\\.[^"\\]*+)*+)"(?![^{END}:\#^\\])
    | ([^{END}:\#^\\][^{END}]*+)(?!")
    | ([}}\])])
    | ([{{\[(])
    | (;[^\r\n]*+)
    | (\#[{SPACE}]*+\{{ | \#:[^{END}]*+\s*+\{{)
    | ( \#_
      | \#\#[^{END}]*+
      | \#"[^"\\]*+(?:\\.[^"\\]*+)*+"
      | \#[^{END}]++
      | \\.[^{END}]*+
      | [^{END}:\#^\\][^{END}]*+
      | . )
    | (\Z) )""",
    re.VERBOSE | re.DOTALL,
)

_NUMBER: Final = re.compile(
    r"""(?P<sign>[+-]?)(?:
      0[xX](?P<hex>[0-9a-fA-F]+)N?
    | (?P<radix>[1-9]\d?)[rR](?P<digits>[0-9a-zA-Z]+)
    | (?P<above>\d+)/(?P<below>\d+)
    | (?P<whole>\d+)N?
    | (?P<float>\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+(?=M))M? )""",
    re.VERBOSE,
)
_CONSTANTS: Final = {"nil": None, "true": True, "false": False}
_SPECIAL: Final = {"##NaN": math.nan, "##Inf": math.inf, "##-Inf": -math.inf}
FOREIGN: Final = frozenset(("NaN", "undefined", "null", "None", "True", "False", "Infinity"))
"""Constants of other languages that some tools write."""
_CHARACTERS: Final = {
    "newline": "\n",
    "space": " ",
    "tab": "\t",
    "return": "\r",
    "backspace": "\b",
    "formfeed": "\f",
}
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPED: Final = {"t": "\t", "r": "\r", "n": "\n", "b": "\b", "f": "\f", "\\": "\\", '"': '"'}
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

Remark = Callable[[str], None]
"""Records a message about the current token."""


def atom(word: str, remark: Remark) -> Any:
    """The value of a number, a constant or a symbol."""
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    if len(word) < _SHORT and word.isascii() and word.isdecimal() and word[0] != "0":
        return int(word)
    match = _NUMBER.fullmatch(word)
    if match:
        return _number(word, match, remark)
    if word in FOREIGN:
        remark(f"`{word}` is not an EDN value; read as unknown")
    return Symbol(word)


def _number(word: str, match: re.Match[str], remark: Remark) -> Any:  # noqa: PLR0911 - a return a form of number
    if len(word) > MAX_DIGITS:
        remark(f"a number of {len(word)} digits; read as unknown")
        return None
    sign = -1 if match["sign"] == "-" else 1
    try:
        if match["whole"]:
            if match["whole"] != "0" and match["whole"].startswith("0"):
                remark(f"`{word}`: leading zeros; read as a decimal number")
            return sign * int(match["whole"])
        if match["above"]:
            return sign * Fraction(int(match["above"]), int(match["below"]))
        if match["hex"]:
            return sign * int(match["hex"], 16)
        if match["radix"]:
            return sign * int(match["digits"], int(match["radix"]))
    except (ValueError, ZeroDivisionError):  # a digit or radix that does not exist, or a fraction of 0
        remark(f"`{word}` is not a number; read as unknown")
        return None
    number = sign * float(match["float"])
    if math.isinf(number):
        remark(f"`{word}` is too large; read as unknown")
        return None
    return number


def special(word: str, remark: Remark) -> Any:
    """The value of `##NaN`, `##Inf`, `##-Inf`."""
    if word not in _SPECIAL:
        remark(f"`{word}` is not an EDN value; read as unknown")
        return None
    remark(f"`{word}` is not a usable number; read as unknown")
    return _SPECIAL[word]


def character(word: str, remark: Remark) -> str:
    r"""The string of a character literal: `\a`, `\newline`, `\u0041`, `\o101`."""
    body = word[1:]
    if len(body) == 1:
        return body
    if body in _CHARACTERS:
        return _CHARACTERS[body]
    if re.fullmatch(r"u[0-9a-fA-F]{4}", body):
        return unescape(word, remark)
    if re.fullmatch(r"o[0-7]{1,3}", body):
        return chr(int(body[1:], 8))
    remark(f"`{word}` is not a character; read as text")
    return body


def unescape(body: str, remark: Remark) -> str:
    """A string's text with its escapes resolved."""

    def one(match: re.Match[str]) -> str:
        code = match[1]
        if code in _ESCAPED:
            return _ESCAPED[code]
        if code[0] == "u" and len(code) > 1:
            return chr(int(code[1:], 16))
        if code[0] in "01234567":
            return chr(int(code, 8))
        remark(f"`\\{code}` is not an EDN escape; the character is kept")
        return code

    text = _ESCAPE.sub(one, body)
    if _SURROGATE.search(text):
        # A surrogate pair is one character; a lone surrogate is not a character at all.
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if "\ufffd" in joined:
            remark("half of a surrogate pair; replaced by U+FFFD")
        return joined
    return text
