"""Prices and weights as written by the sources → gold pieces and pounds. Missing and zero mean unknown."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Final

GOLD_PER_COIN: Final = {
    "cp": Fraction(1, 100),
    "sp": Fraction(1, 10),
    "ep": Fraction(1, 2),
    "gp": Fraction(1),
    "pp": Fraction(10),
}

_AMOUNT: Final = r"(?P<amount>\d[\d,]*(?:\.\d+)?(?:/0*[1-9]\d*)?)"
_PRICE: Final = re.compile(rf"{_AMOUNT}\s*(?P<coin>cp|sp|ep|gp|pp)?", re.IGNORECASE)
_WEIGHT: Final = re.compile(rf"{_AMOUNT}\s*(?:lbs?\.?|pounds?)?", re.IGNORECASE)


def gold(price: Any) -> float | None:
    """A price in gold pieces, or None if unknown.

    Accepts the sources' formats: "15.00" and 15 (gold pieces), "2,000 gp", "5 cp", {"quantity": 5, "unit": "sp"}.
    Zero means unknown: the sources use it for items without a printed price.

    Raises:
        ValueError: the price has none of these formats.
    """
    if price is None or price == "":
        return None
    if isinstance(price, dict):
        return gold(f"{price['quantity']} {price['unit']}")
    match = _PRICE.fullmatch(str(price).strip())
    if not match:
        msg = f"not a price: {price!r}"
        raise ValueError(msg)
    return _positive(_number(match["amount"]) * GOLD_PER_COIN[(match["coin"] or "gp").lower()])


def pounds(weight: Any) -> float | None:
    """A weight in pounds, or None if unknown or zero: 3, "3.000", "1/4 lb.".

    Raises:
        ValueError: the weight has none of these formats.
    """
    if weight is None or weight == "":
        return None
    match = _WEIGHT.fullmatch(str(weight).strip())
    if not match:
        msg = f"not a weight: {weight!r}"
        raise ValueError(msg)
    return _positive(_number(match["amount"]))


def _number(text: str) -> Fraction:
    numerator, _, denominator = text.replace(",", "").partition("/")
    return Fraction(numerator) / Fraction(denominator or 1)


def _positive(value: Fraction) -> float | None:
    return float(value) if value > 0 else None
