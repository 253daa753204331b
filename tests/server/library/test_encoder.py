"""The query encoder: what one caller's failure means for others, and what is remembered."""

from collections.abc import Iterator
from threading import Event

import pytest

from server.dataset.load import Dataset
from server.dataset.query_model import Encoding, QueryModel
from server.library.encoder import EncoderError, QueryEncoder


@pytest.fixture
def may_encode() -> Event:
    event = Event()
    event.set()
    return event


@pytest.fixture
def encoded(may_encode: Event, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the model encodes, as it begins; "unreadable" fails."""
    texts: list[str] = []
    encode = QueryModel.encode

    def told(model: QueryModel, text: str) -> Encoding:
        texts.append(text)
        assert text != "unreadable"
        may_encode.wait()
        return encode(model, text)

    monkeypatch.setattr(QueryModel, "encode", told)
    return texts


@pytest.fixture
def encoder(tiny: Dataset, encoded: list[str], may_encode: Event) -> Iterator[QueryEncoder]:
    opened = QueryEncoder(tiny.encoder_path, tiny.manifest["encoder"], 1.0)
    opened.wait_until_ready()
    encoded.clear()
    yield opened
    may_encode.set()
    opened.close()


def test_who_no_longer_waits_for_a_text_ends_it_for_nobody_else(encoder: QueryEncoder, may_encode: Event) -> None:
    may_encode.clear()
    for busy in ("ember", "ash"):
        encoder.begin(busy)
    first, second = encoder.begin("wall of fire"), encoder.begin("wall of fire")
    with pytest.raises(EncoderError, match="longer than 1 s"):
        encoder.end(first)
    may_encode.set()
    assert encoder.end(second).vector.size


def test_vectors_are_remembered_and_failures_are_not(encoder: QueryEncoder, encoded: list[str]) -> None:
    for text in ("ember", "ember", "unreadable", "unreadable", "ember"):
        if text == "unreadable":
            with pytest.raises(EncoderError, match="failed"):
                encoder.end(encoder.begin(text))
        else:
            encoder.end(encoder.begin(text))
    assert encoded == ["ember", "unreadable", "unreadable"]


def test_a_check_takes_nothing_from_memory(encoder: QueryEncoder, encoded: list[str]) -> None:
    encoder.check()
    encoder.check()
    assert len(encoded) == 2
