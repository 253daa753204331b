"""The query encoder: failures of one caller and others, and what is remembered."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from server.dataset.dataset import Dataset
from server.dataset.index.query_model import Encoding, QueryModel
from server.dataset.manifest import EncoderEntry
from server.library.ranking import encoder as encoder_module
from server.library.ranking.encoder import EncoderError, QueryEncoder


@pytest.fixture
def may_encode() -> Event:
    event = Event()
    event.set()
    return event


class Watched:
    """A model that notes the texts as it begins to encode them; "unreadable" fails."""

    def __init__(self, model: QueryModel, texts: list[str], may_encode: Event) -> None:
        self._model, self._texts, self._may_encode = model, texts, may_encode

    def encode(self, text: str) -> Encoding:
        self._texts.append(text)
        assert text != "unreadable"
        self._may_encode.wait()
        return self._model.encode(text)


@pytest.fixture
def encoded(may_encode: Event, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that models encode which are loaded from now on."""
    texts: list[str] = []
    load = encoder_module.load_query_model

    def watched(folder: Path, entry: EncoderEntry) -> Watched:
        return Watched(load(folder, entry), texts, may_encode)

    monkeypatch.setattr(encoder_module, "load_query_model", watched)
    return texts


@pytest.fixture
def encoder(tiny: Dataset, encoded: list[str], may_encode: Event) -> Iterator[QueryEncoder]:
    opened = QueryEncoder(tiny.encoder_path, tiny.manifest["encoder"], 1.0)
    opened.wait_until_ready()
    encoded.clear()
    yield opened
    may_encode.set()
    opened.close()


def test_a_caller_that_gives_up_does_not_end_encoding_for_others(encoder: QueryEncoder, may_encode: Event) -> None:
    may_encode.clear()
    for busy in ("ember", "ash"):
        encoder.begin(busy)
    first, second = encoder.begin("wall of fire"), encoder.begin("wall of fire")
    with pytest.raises(EncoderError, match="longer than 1 s"):
        encoder.end(first)
    may_encode.set()
    assert encoder.end(second).vector.size


def test_vectors_are_remembered_but_failures_are_not(encoder: QueryEncoder, encoded: list[str]) -> None:
    for text in ("ember", "ember", "unreadable", "unreadable", "ember"):
        if text == "unreadable":
            with pytest.raises(EncoderError, match="failed"):
                encoder.end(encoder.begin(text))
        else:
            encoder.end(encoder.begin(text))
    assert encoded == ["ember", "unreadable", "unreadable"]


def test_a_check_encodes_anew(encoder: QueryEncoder, encoded: list[str]) -> None:
    encoder.check()
    encoder.check()
    assert len(encoded) == 2
