"""Removed and added entities that are the same under a new id: by raw object, key, or text and name."""

from typing import Any

import pytest

from build_pipeline.release.comparison.renames import find_renames

TEXT = "A ball of embers rolls over the ground and burns whoever stands in its way, as far as the next wall."


def record(name: str, text: str | None = None, raw: str | None = None, **others: Any) -> dict[str, Any]:
    return {
        "id": name,
        "entity_type": "spell",
        "document_key": "hills",
        "name_normalized": name.replace("-", " "),
        "description": text,
        "keys": [],
        "provenance": {"raw": [raw] if raw else []},
    } | others


def edited(text: str, letters: int) -> str:
    """The text with its first letters replaced, which lowers its similarity from 1 by their share."""
    return "#" * letters + text[letters:]


@pytest.mark.parametrize(
    ("was", "now", "is_one"),
    [
        (record("ember", raw="a"), record("salt", raw="a"), True),
        (record("ember", raw="a"), record("salt", raw="b"), False),
        (record("ember", keys=["k"]), record("salt", keys=["j", "k"]), True),
        (record("ember", keys=["k"]), record("salt", keys=["k"], document_key="vale"), False),
        (record("ember", TEXT), record("salt", edited(TEXT, 8)), True),
        (record("ember", TEXT), record("salt", edited(TEXT, 15)), False),
        (record("ember-ball", TEXT), record("ember-balls", edited(TEXT, 15)), True),
        (record("ember-ball", TEXT), record("ember-balls", edited(TEXT, 45)), False),
        (record("ember-ball", TEXT), record("ember-balls"), False),
        (record("ember", TEXT[:39]), record("salt", TEXT[:39]), False),
        (record("ember", TEXT[:40]), record("salt", TEXT[:40]), True),
        (record("ember", TEXT), record("salt", TEXT, entity_type="rule"), False),
    ],
    ids=[
        *("the raw object", "another raw object", "a key of its source", "that key in another document"),
        *("a text edited", "a text much edited", "a name corrected, a text much edited"),
        *("a name corrected, another text", "a name corrected, no text"),
        *("too short a text", "a text just long enough", "another type"),
    ],
)
def test_renamed_entities_are_recognised(was: dict[str, Any], now: dict[str, Any], *, is_one: bool) -> None:
    assert find_renames([was], [now]) == ({was["id"]: now["id"]} if is_one else {})


def test_the_most_similar_are_paired_first() -> None:
    """Each is paired once: the second added entity resembles both."""
    gone = [record("aaa", edited(TEXT, 4)), record("bbb", TEXT)]
    come = [record("ccc", edited(TEXT, 8)), record("ddd", TEXT)]

    assert find_renames(gone, come) == find_renames(gone[::-1], come[::-1]) == {"bbb": "ddd", "aaa": "ccc"}
