"""Finds the names that a misspelt one may stand for: those similar by words in any order, as one word, or by sound."""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz, process

from server.library.names.near_texts import NearTexts
from server.library.names.other_names import JOINTS, sound_of, unhyphenated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from server.library.arrays import Mask, Rows

_MIN_RATIO: Final = 70
"""Similarity (0..100, rapidfuzz) from which a name is suggested."""
_MIN_SOUND_RATIO: Final = 75
"""Similarity of the sound from which a name is suggested."""
_MAX_BEHIND_BEST: Final = 15
"""How much less similar than the best suggestion another one may be."""


class Misspellings:
    """The distinct names of a catalogue. Indices that only misspelt names need are built for the first one."""

    def __init__(self, rows_of: Mapping[str, Sequence[int]]) -> None:
        """`rows_of`: folded name → catalogue rows of those that have it, ascending."""
        self._names = list(rows_of)
        self._rows = list(rows_of.values())

    def of(self, folded: str, inside: Mask) -> list[int]:
        """The first row inside a mask (bool[catalogue size]) of each name that may be meant, the most similar first.

        Names that are some of the words, as "wand" of "wand of magic missles", may be meant, but are less similar.
        """
        ratios: dict[int, float] = {}
        for ratio, row in chain(self._by_words(folded, inside), self._by_sound(folded, inside)):
            ratios[row] = max(ratio, ratios.get(row, 0))
        least = max(ratios.values(), default=0) - _MAX_BEHIND_BEST
        whole = {row: _as_a_whole(folded, self._name_of[row]) for row, ratio in ratios.items() if ratio >= least}
        return sorted(whole, key=lambda row: (-whole[row], -ratios[row]))

    def _by_words(self, folded: str, inside: Mask) -> Iterator[tuple[float, int]]:
        """Similarity and row of names with similar words in any order, then of those that are similar as one word."""
        near = self._inside(self._near_names.by_token_set_ratio(folded, _MIN_RATIO), inside)
        yield from _similar(folded, {row: self._names[place] for row, place in near}, fuzz.token_set_ratio, _MIN_RATIO)
        near = self._inside(self._near_names.by_ratio_without(JOINTS, folded, _MIN_RATIO), inside)
        joined = {row: unhyphenated(self._names[place]) for row, place in near}
        yield from _similar(unhyphenated(folded), joined, fuzz.ratio, _MIN_RATIO)

    def _by_sound(self, folded: str, inside: Mask) -> Iterator[tuple[float, int]]:
        """Similarity of the sound, and row, of names that sound similar."""
        sound = sound_of(folded)
        near = self._inside(self._near_sounds.by_token_set_ratio(sound, _MIN_SOUND_RATIO), inside)
        sounds = {row: self._sounds[place] for row, place in near}
        yield from _similar(sound, sounds, fuzz.token_set_ratio, _MIN_SOUND_RATIO)

    def _inside(self, near: Rows, inside: Mask) -> list[tuple[int, int]]:
        """First row inside the mask, and position, of the names that have one, in descending order of last row."""
        found = [(rows[-1], rows[0], place) for place in near.tolist() if (rows := self._rows_inside(place, inside))]
        return [(first, place) for _, first, place in sorted(found, reverse=True)]

    def _rows_inside(self, place: int, inside: Mask) -> list[int]:
        return [row for row in self._rows[place] if inside[row]]

    @cached_property
    def _name_of(self) -> dict[int, str]:
        """Row → folded name."""
        return {row: name for name, rows in zip(self._names, self._rows, strict=True) for row in rows}

    @cached_property
    def _near_names(self) -> NearTexts:
        return NearTexts(self._names)

    @cached_property
    def _sounds(self) -> list[str]:
        return [sound_of(name) for name in self._names]

    @cached_property
    def _near_sounds(self) -> NearTexts:
        return NearTexts(self._sounds)


def _as_a_whole(folded: str, name: str) -> float:
    """Similarity of all words in any order, or as one word."""
    return max(fuzz.token_sort_ratio(folded, name), fuzz.ratio(unhyphenated(folded), unhyphenated(name)))


def _similar(
    text: str, texts: Mapping[int, str], scorer: Callable[..., float], least: int
) -> Iterator[tuple[float, int]]:
    """Similarity and row of the texts (by row) that are similar enough, the most similar first."""
    found = process.extract(text, texts, scorer=scorer, score_cutoff=least, limit=None)
    yield from ((ratio, row) for _, ratio, row in found)
