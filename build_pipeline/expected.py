"""Errors that are told in a line, and not with a traceback."""

from __future__ import annotations


class ExpectedError(Exception):
    """What can go wrong although the program is right; the message is for people, and says what would be right."""
