"""Text from outside, made safe for a terminal: what would move the cursor or hide text is shown as its escape."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff\ud800-\udfff]"
)
"""Control, zero-width, bidirectional and tag characters and halves of surrogate pairs, but not line breaks and tabs."""

HIDDEN: Final = (
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x{84}\x{86}-\x{90}\x{95}\x{98}-\x{9f}\x{61c}\x{200b}-\x{200f}"
    r"\x{202a}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{fff9}-\x{fffb}\x{e0000}-\x{e0fff}]"
)
"""The ones that no dataset contains, since its builder removes them; in polars's pattern syntax."""


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()


def printable(text: str, escape: Callable[[str], str] = _escape) -> str:
    r"""The text with characters that a terminal would obey, or nobody would see, as escapes.

    >>> printable("red\x1b[31m alert")
    'red\\x1b[31m alert'
    """
    return _UNPRINTABLE.sub(lambda found: escape(found[0]), text)
