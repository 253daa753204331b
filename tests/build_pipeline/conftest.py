"""Fixtures of the builder's tests: both APIs on loopback, and a tiny sentence encoder."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from origin_server import Origin, serve
from starter_rows import STARTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WORDS = ["fire", "ice", "storm", "a", "of", "dragon", "breath", "sword", "shield", "heals", "wounds", ".", ":", "query"]


@pytest.fixture
def origin() -> Iterator[Origin]:
    """Both APIs on a free port."""
    served = Origin()
    server = serve(served)
    yield served
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def starter_raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter's raw layer, without its homebrew."""
    folder = tmp_path_factory.mktemp("starter")
    shutil.copytree(STARTER / "raw", folder / "raw")
    shutil.copy(STARTER / "snapshot.json", folder)
    return folder


@pytest.fixture(scope="session")
def tiny_model(once_a_session: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """Folder of a two-layer BERT with random weights, CLS pooling, a query prompt and no normalisation."""
    return once_a_session("tiny-model", _save_tiny_model) / "tiny"


def _save_tiny_model(folder: Path) -> None:
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    base, final = folder / "base", folder / "tiny"
    vocabulary = {token: number for number, token in enumerate([*SPECIAL, *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(base)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        initializer_range=0.5,  # so that different texts get clearly different vectors
    )
    BertModel(config).save_pretrained(base)
    modules = [Transformer(str(base), max_seq_length=16), Pooling(32, pooling_mode="cls")]
    SentenceTransformer(modules=modules, prompts={"query": "query : "}, device="cpu").save(str(final))
