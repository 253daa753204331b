"""Lines of the vocabulary without effect, verdicts of readers, changes of reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hearth_creatures import CREATURES, empty, tag

from build_pipeline.declared import DeclaredError
from build_pipeline.index.vocabulary.check import (
    Change,
    Measure,
    Verdict,
    changes,
    idle_lines,
    measure,
    read_verdicts,
    sample,
    undeserved,
    untagged,
)
from build_pipeline.index.vocabulary.frames import entity_frames
from build_pipeline.index.vocabulary.tagging import Tagged
from build_pipeline.index.vocabulary.vocabulary import written_out

if TYPE_CHECKING:
    from pathlib import Path

FRAMES = entity_frames(empty() | {"creatures": CREATURES})
WOLF, GOLEM, OWL = "creature/hearth/ember-wolf", "creature/hearth/ash-golem", "creature/ridge/soot-owl"


def idle(**told: Any) -> list[tuple[str, str]]:
    """(part, line) of the lines without effect."""
    return [(found.part, found.line) for found in idle_lines(FRAMES, {"creatures": (tag(**told),)})]


def test_lines_with_an_effect_are_not_reported() -> None:
    told = {
        "where": "type in ('beast', 'construct')",
        "text": ["frightened", "smoke", "hums"],
        "unless": ["cannot be"],
        "include": [{"names": ["Soot Owl"], "because": "frightens mice"}],
        "exclude": [{"names": ["Ash Golem"], "because": "its smoke is harmless"}],
    }
    assert idle(**told) == []


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ({"text": ["frightened", "thunder"]}, ("text", "thunder")),
        ({"text": ["frightened"], "every": ["it"]}, ("every", "it")),
        ({"text": ["smoke"], "unless": ["cannot be"]}, ("unless", "cannot be")),
        ({"named": ["wolf", "bear"]}, ("named", "bear")),
        ({"where": "type = 'beast'", "not_named": ["kettle"]}, ("not_named", "kettle")),
        ({"either": [{"text": ["hums"]}, {"text": ["sings"]}]}, ("text", "sings")),
        ({"text": ["smoke"], "include": [{"names": ["Ash Golem"], "because": "it smokes"}]}, ("include", "Ash Golem")),
        ({"text": ["smoke"], "include": [{"names": ["Tin Man"], "because": "made of tin"}]}, ("include", "Tin Man")),
        ({"text": ["smoke"], "exclude": [{"names": ["Soot Owl"], "because": "only a bird"}]}, ("exclude", "Soot Owl")),
    ],
)
def test_a_line_without_effect_is_reported(told: dict[str, Any], line: tuple[str, str]) -> None:
    assert idle(**told) == [line]


def test_a_tag_that_nothing_has_is_reported() -> None:
    assert idle(where="type = 'dragon'") == [("", "")]


def test_a_line_of_an_expanded_entry_needs_an_effect_for_one_value() -> None:
    entry = {"tag": "like-{x}", "phrases": ["like {x}"], "each": ["beast", "construct"], "where": "type = '{x}'"}
    tags = tuple(tag(**written, text=["smoke", "bird", "thunder"], number=1) for written in written_out(entry))
    (found,) = idle_lines(FRAMES, {"creatures": tags})
    assert (found.tag, found.part, found.line) == ("like-beast", "text", "thunder")


TAGGED = [Tagged(WOLF, "bites", ("bites",), "bite"), Tagged(OWL, "flies", ("flies",), "speed.fly: 60")]


def test_verdicts_on_existing_pairs_are_counted() -> None:
    verdicts = [
        Verdict("bites", WOLF, deserved=True),
        Verdict("flies", OWL, deserved=False),
        Verdict("flies", WOLF, deserved=False),
    ]
    assert measure(TAGGED, verdicts) == {"": Measure(2, 1), "bites": Measure(1, 1), "flies": Measure(1, 0)}
    assert measure(TAGGED, verdicts)[""].share == 0.5
    assert undeserved(TAGGED, verdicts) == [Verdict("flies", OWL, deserved=False)]


def test_reach_is_compared_among_shared_entities() -> None:
    before, now = {"bites": [WOLF, OWL], "burns": [GOLEM], "flies": [OWL]}, {"bites": [WOLF, GOLEM], "flies": [OWL]}
    assert changes(before, now, {WOLF, OWL, GOLEM}) == [
        Change("bites", gained=(GOLEM,), lost=(OWL,)),
        Change("burns", gained=(), lost=(GOLEM,)),
    ]
    assert changes(before, now, {WOLF}) == []


def test_untagged_entities_are_counted_by_document() -> None:
    without = untagged(FRAMES, TAGGED)
    assert without["ridge"] == ([], 1)
    assert without["hearth"] == (sorted({GOLEM, "creature/hearth/kettle", "creature/hearth/kettle-(copper)"}), 4)


def test_the_same_seed_gives_the_same_sample() -> None:
    pairs = [Tagged(f"creature/x/{n}", "flies", ("flies",), "wings") for n in range(50)]
    assert sample(pairs, 10, 1) == sample(reversed(pairs), 10, 1)
    assert sample(pairs, 10, 1) != sample(pairs, 10, 2)
    assert len(sample(pairs, 80, 1)) == 50


def test_the_repositorys_verdicts_are_valid_and_a_defect_is_named(tmp_path: Path) -> None:
    assert len(read_verdicts()) >= 200
    path = tmp_path / "verdicts.csv"
    path.write_text("tag,entity_id,deserved\nflies,creature/x/owl,maybe\n", encoding="utf-8")
    with pytest.raises(DeclaredError, match=r"verdicts\.csv, line 2"):
        read_verdicts(path)
