"""Strict JSON: read without NaN and infinities, written without spaces."""

from __future__ import annotations

import json
import math
from typing import Any


def read_json(text: str | bytes) -> Any:  # noqa: ANN401  (JSON from outside is Any until it is read)
    """The value of a JSON text.

    Raises:
        ValueError: it is not JSON, nested too deeply, or has a number that is NaN or infinite as a float.
    """
    try:
        return json.loads(text, parse_constant=finite, parse_float=finite)
    except RecursionError as error:
        msg = "nested too deeply"
        raise ValueError(msg) from error


def dump_json(value: object) -> str:
    """JSON text in the APIs' style: no spaces, only the escapes that JSON requires.

    >>> dump_json({"name": "Élan", "levels": [1, 2]})
    '{"name":"Élan","levels":[1,2]}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def finite(text: str) -> float:
    """A JSON number with a fraction or an exponent.

    Raises:
        ValueError: it is not a number, or infinite as a float.
    """
    number = float(text)
    if not math.isfinite(number):
        msg = f"{text[:40]} is not a finite number"
        raise ValueError(msg)
    return number
