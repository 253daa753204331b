"""Words of Open5e's creatures."""

from __future__ import annotations

import pytest

from build_pipeline.normalize.creatures.open5e_words import fuller


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("It swims.", "It swims. It dives.", "It swims. It dives."),
        ("It swims.", "It dives.", "It swims."),
        ("It swims. It dives.", "It swims.", "It swims. It dives."),
        ("It casts:\n**1/Day:** ., fog", "It casts:\n1/day: web, fog", "It casts:\n1/day: web, fog"),
        ("It casts: ., fog", None, "It casts: ., fog"),
        (None, "It swims.", None),
    ],
)
def test_the_text_that_is_whole(text, other, expected):
    assert fuller(text, other) == expected
