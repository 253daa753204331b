"""Similarity of names to a query."""

import pytest

from server.library.ranking.name_similarity import PARTIAL_MATCH, NameSimilarity


def test_a_misspelt_name_counts_fully_and_a_part_of_one_slightly() -> None:
    names = ["fire shield", "shield", "two-weapon fighting", "longbow"]
    assert NameSimilarity(names).scores("Shield").tolist() == [PARTIAL_MATCH / 2, 1, 0, 0]
    assert NameSimilarity(names).scores("shield fire").tolist() == [1, 0, 0, 0]
    assert NameSimilarity(names).scores("two-weapon").tolist() == [0, 0, pytest.approx(PARTIAL_MATCH / 2), 0]
    assert 0 < NameSimilarity(names).scores("longbwo")[3] < 1
    assert not NameSimilarity(names).scores("a fire that is a shield").any()
    assert not NameSimilarity(names).scores("?").any()


def test_long_words_may_be_beginnings() -> None:
    names = NameSimilarity(["moonblade of dawn", "moon", "mooring", "half moon"])
    assert names.scores("moon").tolist() == [pytest.approx(PARTIAL_MATCH / 3), 1, 0, pytest.approx(PARTIAL_MATCH / 2)]
    assert names.scores("moo").tolist()[0] == 0
    assert names.scores("dawn moonb")[0] == pytest.approx(2 * PARTIAL_MATCH / 3)
