"""Regular expressions over many texts: thousands of patterns in one pass over each text, by RE2."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

import re2

from build_pipeline.kept import kept

_OPTIONS: Final = re2.Options()
_OPTIONS.encoding = re2.Options.Encoding.LATIN1
_OPTIONS.max_mem = 64 << 20
_OPTIONS.log_errors = False

PatternError = re2.error


class Texts:
    """Texts in lower case, and which of them each pattern matches.

    Each character that Latin-1 lacks (curly quotes, long dashes) becomes one that only `.` and classes match, so that
    offsets are the same as in the printed text.

    Attributes:
        matching: pattern → the indexes in `printed` of the texts that it matches.
    """

    def __init__(self, printed: Sequence[str], patterns: Iterable[str]) -> None:
        """Search every text for every pattern.

        Raises:
            PatternError: one is not a regular expression; the message quotes it.
        """
        self._printed = printed
        self._folded = [text.lower().encode("latin-1", "replace") for text in printed]
        distinct = list(dict.fromkeys(patterns))
        self.matching: dict[str, set[int]] = {pattern: set() for pattern in distinct}
        if not distinct:
            return
        search = _Search(distinct)
        for place, text in enumerate(self._folded):
            for number in _found(search, text):
                self.matching[distinct[number]].add(place)

    def words(self, place: int, pattern: str) -> str:
        """The first match of a pattern in a text that it matches, as printed, extended to whole words."""
        start, stop = _compiled(pattern).search(self._folded[place]).span()
        printed = self._printed[place]
        if len(printed) != len(self._folded[place]):
            return self._folded[place][start:stop].decode("latin-1").strip()
        while start > 0 and printed[start - 1 : start + 1].isalnum():
            start -= 1
        while 0 < stop < len(printed) and printed[stop - 1 : stop + 1].isalnum():
            stop += 1
        return printed[start:stop].strip()


class _Search:
    """Patterns in one search. It is pickled as a hash of them, by which `kept` recognises the same search."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._digest = hashlib.sha256("\n".join(patterns).encode()).digest()
        self._filter = re2.Filter()
        for pattern in patterns:
            _compiled(pattern)
            self._filter.Add(pattern.encode("latin-1"), _OPTIONS)
        self._filter.Compile()

    def __getstate__(self) -> bytes:
        return self._digest

    def match(self, text: bytes) -> list[int]:
        """The numbers of the patterns that match."""
        return list(self._filter.Match(text) or ())


@kept
def _found(search: _Search, text: bytes) -> list[int]:
    return search.match(text)


@cache
def _compiled(pattern: str) -> re2._Regexp:
    try:
        return re2.compile(pattern.encode("latin-1"), _OPTIONS)
    except (re2.error, UnicodeEncodeError) as error:
        msg = f"{pattern!r} is not a regular expression: {error}"
        raise PatternError(msg) from error
