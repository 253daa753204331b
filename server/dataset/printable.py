"""Text from outside made fit for a terminal: what would move the cursor or hide is shown as its escape."""

from __future__ import annotations

import re
from typing import Final

_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff\ud800-\udfff]"
)
"""Control, zero-width, bidirectional and tag characters and halves of surrogate pairs, but not line breaks and tabs."""


def printable(text: str) -> str:
    r"""The text with characters that a terminal would obey, or nobody sees, as escapes.

    >>> printable("red\x1b[31m alert")
    'red\\x1b[31m alert'
    """
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
