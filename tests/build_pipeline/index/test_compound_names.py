"""Names of two words written as one: the index has the two words too."""

from pathlib import Path

import pytest

from build_pipeline.index.lexicon import write_lexicon
from server.dataset.files import LEXICON_FOLDER
from server.dataset.index.bm25 import read_bm25


def having(folder: Path, word: str, names: list[str]) -> list[str]:
    """Which of some spells have a word, besides ten whose text has "moon" and "veil"."""
    said = [(name, "Glows.") for name in names] + [(f"Spell {number}", "A moon, a veil.") for number in range(10)]
    records = [
        {"id": str(number), "entity_type": "spell", "name": name, "description": text}
        for number, (name, text) in enumerate(said)
    ]
    write_lexicon(folder, records, {})
    index = read_bm25(folder / LEXICON_FOLDER, len(records))
    column = index.words[word]
    starts = index.starts
    rows = index.rows[starts[column] : starts[column + 1]]
    return [said[row][0] for row in sorted(rows.tolist()) if row < len(names)]


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("moon", ["Moonveil"]),
        ("veil", ["Moonveil", "Veils of Mist"]),
    ],
)
def test_the_parts_of_a_compound_are_found(tmp_path: Path, word: str, names: list[str]) -> None:
    assert having(tmp_path, word, ["Moonveil", "Moonlit", "Veils of Mist"]) == names


def test_rare_words_are_not_split_off(tmp_path: Path) -> None:
    """A word of only one text is not taken for a part of a compound."""
    assert having(tmp_path, "sing", ["Clean Sing", "Cleansing"]) == ["Clean Sing"]
