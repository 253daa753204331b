"""Files of the vocabulary: valid entries, and that the repository's are valid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from build_pipeline.declared import DeclaredError
from build_pipeline.index.vocabulary.vocabulary import FOLDER, read_vocabulary, written_out
from server.dataset.schema import ENTITY_TABLES

if TYPE_CHECKING:
    from pathlib import Path

LONGEST_LINE = 200


def vocabulary_of(folder: Path, spells: str, creatures: str = "tags = []") -> Path:
    for table in ENTITY_TABLES:
        text = {"spells": spells, "creatures": creatures}.get(table.name, "tags = []")
        (folder / f"{table.name}.toml").write_text(text, encoding="utf-8")
    return folder


def test_the_repositorys_vocabulary_is_read() -> None:
    vocabulary = read_vocabulary()
    slugs = {tag.tag for tags in vocabulary.values() for tag in tags}
    assert vocabulary.keys() == {table.name for table in ENTITY_TABLES}
    assert {"heals", "inflicts-frightened", "summons", "immune-to-fire"} <= slugs


def test_no_line_is_too_long() -> None:
    lines = [(path.name, line) for path in FOLDER.glob("*.toml") for line in path.read_text("utf-8").splitlines()]
    assert not [(name, line) for name, line in lines if len(line) > LONGEST_LINE]


def test_conditions_describe_things_and_do_not_name_them() -> None:
    identities = {"id", "name", "slug", "keys", "name_normalized"}
    for tags in read_vocabulary().values():
        for condition in (condition for tag in tags for condition in tag.conditions):
            assert not identities & set(condition.where.replace("(", " ").replace(")", " ").split()), condition


def test_an_entry_is_expanded_for_each_value() -> None:
    entry = {"tag": "resists-{x}", "phrases": ["resists {x}"], "either": [{"where": "a = '{x}'"}], "each": ["a", "b"]}
    assert list(written_out(entry)) == [
        {"tag": f"resists-{x}", "phrases": [f"resists {x}"], "either": [{"where": f"a = '{x}'"}]} for x in "ab"
    ]


@pytest.mark.parametrize(
    ("spells", "message"),
    [
        ('[[tags]]\ntag = "Heals!"\nphrases = ["heals"]\nwhere = "true"', "spells.toml: Heals!: tag "),
        ('[[tags]]\ntag = "heals"\nphrases = []\nwhere = "true"', "heals: phrases "),
        ('[[tags]]\ntag = "heals"\nphrases = ["heals"]', "neither a condition nor anything to include"),
        ('[[tags]]\ntag = "heals"\nphrases = ["heals"]\nwhen = "true"', "heals: when Extra inputs"),
        (
            '[[tags]]\ntag = "heals"\nphrases = ["heals"]\nnamed = ["(balm|salve)"]',
            r"heals: named.0 String",
        ),
        (
            '[[tags]]\ntag = "heals"\nphrases = ["heals"]\n[[tags.include]]\nnames = ["Balm"]\nbecause = ""',
            "heals: include.0.because ",
        ),
        (
            '[[tags]]\ntag = "heals"\nphrases = ["heals"]\n[[tags.either]]\nunless = ["poison"]',
            "an alternative has no condition that must hold",
        ),
        ("tags = [", "spells.toml is not a list of .*TOMLDecodeError"),
    ],
)
def test_an_invalid_entry_is_named(tmp_path: Path, spells: str, message: str) -> None:
    with pytest.raises(DeclaredError, match=message):
        read_vocabulary(vocabulary_of(tmp_path, spells))


def test_a_phrase_belongs_to_one_tag(tmp_path: Path) -> None:
    heals = '[[tags]]\ntag = "heals"\nphrases = ["mends wounds"]\nwhere = "true"'
    mends = heals.replace('"heals"', '"mends"')
    with pytest.raises(DeclaredError, match="'mends wounds' belongs both to heals and to mends"):
        read_vocabulary(vocabulary_of(tmp_path, heals, mends))
    assert read_vocabulary(vocabulary_of(tmp_path, heals, heals))["creatures"][0].tag == "heals"


def test_exclusions_are_declared_once_per_file(tmp_path: Path) -> None:
    apart = '[[apart]]\nnames = ["Deck"]\nbecause = "tells what chance picks"\n'
    tags = '[[tags]]\ntag = "{x}"\nphrases = ["{x}"]\nwhere = "true"\neach = ["heals", "burns"]\n'
    spells = read_vocabulary(vocabulary_of(tmp_path, apart + tags))["spells"]
    assert [(tag.tag, tag.apart[0].names) for tag in spells] == [("heals", ("Deck",)), ("burns", ("Deck",))]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DeclaredError, match=r"spells\.toml"):
        read_vocabulary(tmp_path)
