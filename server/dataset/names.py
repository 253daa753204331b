"""Folding names for matching, and making slugs of them; builder and server must agree on both."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_PUNCTUATION: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´ʼ", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "\u00ad": None,
        "…": "...",
    }
)
_LETTERS: Final = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"})
_NOT_SLUG: Final = re.compile(r"[^a-z0-9]+")


def normalize_name(text: str) -> str:
    """Fold a name: NFKD without accents, plain quotes and dashes, case-folded, single spaces.

    >>> normalize_name("  Hunter’s   Märk ")
    "hunter's mark"
    """
    if not text.isascii():
        text = text.translate(_PUNCTUATION)
    if text.isascii():  # nearly every name, and most texts but for their quotes: the same in a quarter of the time
        return " ".join(text.replace("`", "'").lower().split())
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    return " ".join(plain.casefold().translate(_LETTERS).split())


def slugify(text: str) -> str:
    """The slug of a name: NFKD, ASCII, lower case, hyphens, no apostrophes.

    >>> slugify("Blindness/Deafness"), slugify("Hunter’s Mark")
    ('blindness-deafness', 'hunters-mark')
    """
    folded = normalize_name(text).replace("'", "")
    return _NOT_SLUG.sub("-", folded.encode("ascii", "ignore").decode()).strip("-")
