"""Straight quotation marks and apostrophes in place of typographic ones.

The sources mix both, some within a text; what looks the same should be found by the same words: `LIKE '%can''t%'`.
"""

from __future__ import annotations

from typing import Any, Final

_STRAIGHT: Final = str.maketrans({**dict.fromkeys("‘’‚‛", "'"), **dict.fromkeys("“”„‟", '"')})


def straight(value: Any) -> Any:
    r"""A text with straight marks, or a list or mapping with such texts in it; anything else as it is.

    >>> straight(["the dragon’s “hoard”", {"name": "Thieves’ Cant", "level": 1}])
    ['the dragon\'s "hoard"', {'name': "Thieves' Cant", 'level': 1}]
    """
    if isinstance(value, str):
        return value if value.isascii() else value.translate(_STRAIGHT)
    if isinstance(value, dict):
        return {name: straight(member) for name, member in value.items()}
    return [straight(member) for member in value] if isinstance(value, list) else value
