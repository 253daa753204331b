"""Creatures that match a search, by their scores."""

import pytest

from server.library.library import Library
from server.play.candidates import candidates_of


@pytest.mark.parametrize(
    ("scores", "fitting", "said"),
    [
        ({"Wolf": 0.9, "Owlbear": 0.4, "Troll": 0.3}, {"Wolf": 0.9, "Owlbear": 0.4}, "Heard."),
        ({"Wolf": 0.3}, {"Wolf": 0.3}, "Heard."),
        ({"Wolf": 0.25}, {"Wolf": 0.25}, 'Heard. Wolf fits "pack" best, with a score of only 0.25.'),
        ({"Wolf": 0.15}, {}, 'No creature here fits "pack": Wolf comes closest, with a score of 0.15.'),
        ({"Wolf": None, "Owlbear": None}, {"Wolf": 1.0, "Owlbear": 1.0}, "Heard."),
    ],
    ids=["well", "just", "doubtfully", "not", "without scores"],
)
def test_creatures_with_high_scores_match(library: Library, monkeypatch: pytest.MonkeyPatch, scores, fitting, said):
    monkeypatch.setattr(library, "scores", lambda _: (scores, "Heard."))
    found = candidates_of(library, {}, "pack", None, 20)
    assert {row["name"]: row["fit"] for row in found.rows} == fitting
    assert found.said == said
