"""Values of two EDN readers, ours and edn_format, in plain Python types, to be compared."""

from __future__ import annotations

from typing import Any

import edn_format  # type: ignore[import-untyped]

from build_pipeline.snapshot.orcbrew.edn_values import EdnSet, Keyword


def their_value(value: Any) -> Any:
    """A value of edn_format in plain Python types."""
    if isinstance(value, edn_format.Keyword):
        return ("keyword", str(value)[1:])
    if isinstance(value, frozenset):
        return ("set", frozenset(map(their_value, value)))
    if isinstance(value, edn_format.ImmutableList | tuple):
        return [their_value(v) for v in value]
    if isinstance(value, edn_format.ImmutableDict):
        return {their_value(k): their_value(v) for k, v in value.items()}
    return value


def comparable(value: Any) -> Any:
    if isinstance(value, Keyword):
        return ("keyword", value.text)
    if isinstance(value, EdnSet):
        return ("set", frozenset(map(comparable, value)))
    if isinstance(value, list | tuple):
        return [comparable(v) for v in value]
    if isinstance(value, dict):
        return {comparable(k): comparable(v) for k, v in value.items()}
    return value
