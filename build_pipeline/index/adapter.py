"""What the encoder has learnt about this game: low-rank updates of a model's matrices, added before it is exported.

`lorekeeper-build train` makes them. They are for one model, identified by the hash of its weights; any other is used
unchanged.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from safetensors import safe_open

from build_pipeline.resources import DATA

if TYPE_CHECKING:
    import torch

ADAPTER: Final = DATA / "encoder" / "adapter.safetensors"

BASE: Final = "base_sha256"
"""Key in the file's metadata: hash of the weights that it is for."""
DOWN: Final = ".down"
"""Suffix of a matrix's name for the factor float16[rank, inputs] of its update, the product of both factors."""
UP: Final = ".up"
"""Suffix of a matrix's name for the factor float16[outputs, rank] of its update."""


def adapter_for(weights_sha256: str, file: Path = ADAPTER) -> Path | None:
    """The file of updates for a model's weights; None if there are none for these."""
    return file if file.is_file() and _base(file) == weights_sha256 else None


def adapt(model: torch.nn.Module, file: Path) -> None:
    """Add updates to the matrices of a model, in single precision.

    Args:
        model: the transformer whose weights they are for.
        file: the updates.
    """
    import torch  # noqa: PLC0415  (seconds to import; only exports need it)
    from safetensors.torch import load_file  # noqa: PLC0415

    tensors = load_file(file)
    with torch.no_grad():
        for name in tensors:
            if name.endswith(DOWN):
                matrix = name.removesuffix(DOWN)
                update = tensors[matrix + UP].float() @ tensors[name].float()
                model.get_parameter(matrix).add_(update)


def _base(file: Path) -> str | None:
    with safe_open(file, framework="numpy") as opened:
        metadata: dict[str, str] | None = opened.metadata()
    return (metadata or {}).get(BASE)
