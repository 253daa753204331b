"""Errors that are reported in one line, without a traceback."""

from __future__ import annotations


class ExpectedError(Exception):
    """An error that is not a bug in the program; the message is for the user, and says what would be right."""
