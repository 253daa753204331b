"""Regular expressions over many texts: thousands of patterns in one pass over each text, by RE2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

import re2

_OPTIONS: Final = re2.Options()
_OPTIONS.encoding = re2.Options.Encoding.LATIN1
_OPTIONS.max_mem = 64 << 20
_OPTIONS.log_errors = False

PatternError = re2.error


class Texts:
    """Texts in lower case, and which of them each of some patterns matches.

    What Latin-1 lacks (curly quotes, long dashes) is one character that only `.` and classes match, so that places in
    a text are the same as in what is printed.

    Attributes:
        matching: pattern → the places in `printed` of the texts that it matches.
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
        search = re2.Filter()
        for pattern in distinct:
            _compiled(pattern)
            search.Add(pattern.encode("latin-1"), _OPTIONS)
        search.Compile()
        for place, text in enumerate(self._folded):
            for number in search.Match(text) or ():
                self.matching[distinct[number]].add(place)

    def words(self, place: int, pattern: str) -> str:
        """The first match of a pattern in a text that it matches, as printed, in whole words."""
        start, stop = _compiled(pattern).search(self._folded[place]).span()
        printed = self._printed[place]
        if len(printed) != len(self._folded[place]):
            return self._folded[place][start:stop].decode("latin-1").strip()
        while start > 0 and printed[start - 1 : start + 1].isalnum():
            start -= 1
        while 0 < stop < len(printed) and printed[stop - 1 : stop + 1].isalnum():
            stop += 1
        return printed[start:stop].strip()


@cache
def _compiled(pattern: str) -> re2._Regexp:
    try:
        return re2.compile(pattern.encode("latin-1"), _OPTIONS)
    except (re2.error, UnicodeEncodeError) as error:
        msg = f"{pattern!r} is not a regular expression: {error}"
        raise PatternError(msg) from error
