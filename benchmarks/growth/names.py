"""Names of things that do not exist, made from the parts of real names."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np


def recombined(names: Iterable[str], chance: np.random.Generator) -> Mapping[str, str]:
    """A new name for each name.

    Names with the same number of words exchange their first words, their second words and so on, so that lengths and
    the frequencies of words stay the same. A word that only one name has, or that is a whole name, becomes a new word:
    its first half and the second half of another such word. So the vocabulary grows with the names, the worst case.
    """
    words = {name: name.split(" ") for name in dict.fromkeys(names)}
    by_length: defaultdict[int, list[str]] = defaultdict(list)
    for name, its_words in words.items():
        by_length[len(its_words)].append(name)
    names_with = Counter(word for its_words in words.values() for word in set(its_words))
    coined = _crossed(sorted(word for word, count in names_with.items() if count == 1), chance)
    whole = _crossed(sorted(by_length[1]), chance)
    made: dict[str, str] = {}
    for length, alike in by_length.items():
        columns = [[words[name][place] for name in alike] for place in range(length)]
        exchanged = [[column[i] for i in chance.permutation(len(alike))] for column in columns]
        for name, parts in zip(alike, zip(*exchanged, strict=True), strict=True):
            made[name] = whole[parts[0]] if length == 1 else " ".join(coined.get(word, word) for word in parts)
    return made


def _crossed(words: Sequence[str], chance: np.random.Generator) -> dict[str, str]:
    """For each word, its first half with the second half of another: the next one in random order."""
    order = [words[i] for i in chance.permutation(len(words))]
    return {
        word: word[: (len(word) + 1) // 2] + other[(len(other) + 1) // 2 :]
        for word, other in zip(order, order[1:] + order[:1], strict=True)
    }
