"""A prefilter for text similarity: finds the few texts worth comparing by counting their characters and words."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.library.arrays import Mask, Rows

_MOST_COUNTED: Final = 255
"""Most occurrences of one character that are counted in a text; no real name has more."""
_ROUNDING: Final = 1e-6


class NearTexts:
    """Finds all texts that may reach a given rapidfuzz ratio, and few others.

    The ratio of two texts is twice the length of their longest common subsequence divided by the sum of their lengths,
    and no common subsequence is longer than the number of characters that both have, in any order.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        """Count the characters of `texts`."""
        self._texts = texts
        self._lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        characters = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
        owners = np.repeat(np.arange(len(texts), dtype=np.int32), self._lengths)
        self._counts: dict[str, npt.NDArray[np.uint8]] = {}
        for character in np.unique(characters):
            counts = np.bincount(owners[characters == character], minlength=len(texts))
            self._counts[chr(character)] = np.minimum(counts, _MOST_COUNTED).astype(np.uint8)

    def by_ratio(self, text: str, least: float) -> Rows:
        """Positions, ascending, of all texts whose `fuzz.ratio` with a text may be `least` (0..100) or more."""
        return np.flatnonzero(_reach(self._common(text), len(text) + self._lengths, least))

    def by_ratio_without(self, left_out: str, text: str, least: float) -> Rows:
        """The same with some characters left out of all texts."""
        rest = "".join(c for c in text if c not in left_out)
        lengths = self._lengths - sum(self._counts[c].astype(np.int64) for c in left_out if c in self._counts)
        return np.flatnonzero(_reach(self._common(rest), len(rest) + lengths, least))

    def by_token_set_ratio(self, text: str, least: float) -> Rows:
        """The same for `fuzz.token_set_ratio`.

        That is the ratio of the texts' distinct words or, if higher, of the words that they share to all words of
        either text.
        """
        words = set(text.split())
        length = _joined(words)
        lengths, with_word = self._words
        shared = np.zeros(len(self._texts), dtype=np.int64)
        for word in words & with_word.keys():
            shared[with_word[word]] += len(word) + 1
        shared = np.maximum(shared - 1, 0)
        of_shared = _reach(shared, shared + np.minimum(length, lengths), least) & (shared > 0)
        return np.flatnonzero(of_shared | _reach(self._common(text), length + lengths, least))

    @cached_property
    def _words(self) -> tuple[Rows, dict[str, list[int]]]:
        """Length of each text's distinct words, joined; word → positions of the texts that have it."""
        with_word: defaultdict[str, list[int]] = defaultdict(list)
        lengths = np.empty(len(self._texts), dtype=np.int64)
        for position, text in enumerate(self._texts):
            words = set(text.split())
            lengths[position] = _joined(words)
            for word in words:
                with_word[word].append(position)
        return lengths, dict(with_word)

    def _common(self, text: str) -> npt.NDArray[np.uint16]:
        """How many characters each text has in common with a text, uint16[texts]."""
        common = np.zeros(len(self._texts), dtype=np.uint16)
        for character in set(text) & self._counts.keys():
            common += np.minimum(self._counts[character], min(text.count(character), _MOST_COUNTED))
        return common


def _reach(common: npt.NDArray[np.integer], lengths: Rows, least: float) -> Mask:
    """Whether texts with this many characters in common, and of this length together, may be that similar."""
    return 200 * common.astype(np.int64) >= least * lengths - _ROUNDING


def _joined(words: set[str]) -> int:
    """Length of words joined by spaces."""
    return sum(map(len, words)) + max(0, len(words) - 1)
