"""Candidates for comparison, which include everything similar."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from server.library.names.near_texts import NearTexts

_TEXTS = st.lists(st.text("abc é-", max_size=12), max_size=30)
_LEAST = 70


@given(texts=_TEXTS, text=st.text("abc é-", max_size=12))
def test_every_similar_text_is_found(texts: list[str], text: str) -> None:
    near = NearTexts(texts)
    by_ratio = [i for i, each in enumerate(texts) if fuzz.ratio(text, each) >= _LEAST]
    assert set(by_ratio) <= set(near.by_ratio(text, _LEAST).tolist())
    by_words = [i for i, each in enumerate(texts) if fuzz.token_set_ratio(text, each) >= _LEAST]
    assert set(by_words) <= set(near.by_token_set_ratio(text, _LEAST).tolist())

    def whole(each: str) -> str:
        return each.replace("-", "").replace(" ", "")

    as_one_word = [i for i, each in enumerate(texts) if fuzz.ratio(whole(text), whole(each)) >= _LEAST]
    assert set(as_one_word) <= set(near.by_ratio_without("- ", text, _LEAST).tolist())


@pytest.mark.parametrize("text", ["fierball", "wall fire of", "gobblin"])
def test_few_other_texts_are_found(text: str) -> None:
    chance = random.Random(0)
    noise = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz ", k=chance.randrange(4, 20))) for _ in range(2_000)]
    near = NearTexts(["fireball", "wall of fire", "goblin", *noise])
    for found in (near.by_ratio(text, _LEAST), near.by_token_set_ratio(text, _LEAST)):
        assert np.count_nonzero(found >= 3) < 60
