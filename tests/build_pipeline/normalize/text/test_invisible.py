"""Hidden characters are removed on reading and reported; other characters are kept."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.normalize.text.invisible import visible, without_invisible
from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.strict_json import dump_json

HIDDEN = {
    "NUL": "\x00",
    "escape": "\x1b",
    "delete": "\x7f",
    "a control sequence introducer": "\x9b",
    "right to left": "\u202e",
    "an isolate": "\u2066",
    "zero width": "\u200b",
    "a joiner": "\u200d",
    "a byte order mark": "\ufeff",
    "a variation selector": "\ufe0f",
    "a tag": "\U000e0041",
    "half of a pair": "\ud83d",
}


def obj(data: object, key: str = "zap", *, ascii_only: bool = False) -> RawObject:
    text = json.dumps(data) if ascii_only else dump_json(data)
    return RawObject("orcbrew", "spells", key, "my.orcbrew", "", text)


def cleaned(*objects: RawObject) -> tuple[list[RawObject], list[tuple[str, str]]]:
    told: list[tuple[str, str]] = []
    layer = without_invisible(RawLayer.of(objects), lambda raw, reason: told.append((raw, reason)))
    return list(layer), told


@pytest.mark.parametrize("ascii_only", [False, True], ids=["as they are", "as escapes"])
@pytest.mark.parametrize("what", HIDDEN)
def test_hidden_characters_are_removed_from_keys_names_and_texts(what: str, *, ascii_only: bool) -> None:
    hidden = HIDDEN[what]
    dirty = obj({f"na{hidden}me": f"Z{hidden}ap", "levels": [{"text": f"{hidden}A spark."}]}, ascii_only=ascii_only)
    (found,), told = cleaned(dirty)
    assert found.data == {"name": "Zap", "levels": [{"text": "A spark."}]}
    assert told == [("orcbrew/spells/zap", f"3 invisible characters were removed: U+{ord(hidden):04X}")]
    json.loads(found.text.encode("utf-8"))


def test_keys_that_differ_only_in_hidden_characters_stay_different() -> None:
    two = [obj({"name": "A"}), obj({"name": "B"}, key="z\u200bap")]
    for objects, keys in ((two, ["zap", "zap-2"]), (two[::-1], ["zap-2", "zap"])):
        found, told = cleaned(*objects)
        assert [each.key for each in found] == keys
        assert [raw for raw, _ in told] == ["orcbrew/spells/zap-2"]


@pytest.mark.parametrize("text", ["a\nb\tc", "naïve – “x”", "soft\u00adhyphen", "日本語", "\x93quoted\x94"])
def test_other_characters_are_kept(text: str) -> None:
    same = obj({"name": text})
    assert cleaned(same) == ([same], [])


@given(st.text())
def test_it_only_ever_removes(text: str) -> None:
    once = visible(text)
    assert visible(once) == once
    letters = iter(text)
    assert all(character in letters for character in once)
