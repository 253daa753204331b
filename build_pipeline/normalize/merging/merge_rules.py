"""Rules by which a family combines two sources' values of a column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MergeRule = Callable[[Any, Any], Any]
"""Merges two sources' values of a column: (the more trusted source's, the other's) → merged; neither is None."""


def filled(winner: dict[str, Any], loser: dict[str, Any]) -> dict[str, Any]:
    """The winner's members, and the loser's where the winner has none."""
    return winner | {key: value for key, value in loser.items() if value is not None and winner.get(key) is None}


def unless_empty(winner: list[Any], loser: list[Any]) -> list[Any]:
    """The winner's list, or the loser's if it is empty."""
    return winner or loser


def all_in_order(winner: list[str], loser: list[str]) -> list[str]:
    """The members of both lists, the winner's first, each once."""
    return list(dict.fromkeys((*winner, *loser)))


def all_sorted(winner: list[str], loser: list[str]) -> list[str]:
    """The members of both lists, sorted, each once."""
    return sorted({*winner, *loser})
