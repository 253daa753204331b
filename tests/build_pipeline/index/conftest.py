"""A tiny sentence encoder, made here: the real loading code without a model hub."""

from pathlib import Path

import pytest

WORDS = ["fire", "ice", "storm", "a", "of", "dragon", "breath", "sword", "shield", "heals", "wounds", ".", ":", "query"]


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a two-layer BERT with random weights, CLS pooling, a query prompt and no normalisation."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("model")
    base, final = folder / "base", folder / "tiny"
    base.mkdir()
    (base / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]))
    BertTokenizerFast(vocab_file=str(base / "vocab.txt")).save_pretrained(base)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(WORDS) + 5,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(base)
    transformer = Transformer(str(base), max_seq_length=16)
    pooling = Pooling(32, pooling_mode="cls")
    SentenceTransformer(modules=[transformer, pooling], prompts={"query": "query : "}, device="cpu").save(str(final))
    return final
