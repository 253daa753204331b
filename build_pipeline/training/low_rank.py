"""Low-rank updates of a model's matrices (LoRA): they are trained, while the model itself stays frozen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import save_file
from torch import nn

from build_pipeline.index.adapter import BASE, DOWN, UP

SHARE: Final = 0.5
"""Share of an update that is kept: half answers new questions, and others as before (`docs/retrieval-tried.md`)."""


class LowRank(nn.Module):
    """A frozen linear layer, with a trainable product of two small matrices added to it."""

    def __init__(self, layer: nn.Linear, rank: int) -> None:
        """Start with an update of zero.

        Args:
            layer: the layer.
            rank: rows of the first matrix and columns of the second.
        """
        super().__init__()
        self.layer = layer
        self.down = nn.Parameter(torch.randn(rank, layer.in_features) / layer.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(layer.out_features, rank))

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """The sum of the layer's output and the update's."""
        kind = inputs.dtype
        output: torch.Tensor = self.layer(inputs) + (inputs @ self.down.to(kind).T) @ self.up.to(kind).T
        return output


def with_updates(model: nn.Module, rank: int) -> dict[str, LowRank]:
    """Freeze a model and add trainable updates to its layers; returns them by the names of the layers' matrices."""
    model.requires_grad_(requires_grad=False)
    layers = [
        (name, layer)
        for name, layer in model.named_modules()
        if isinstance(layer, nn.Linear) and name.startswith("encoder.")
    ]
    updates = {}
    for name, layer in layers:
        updates[f"{name}.weight"] = LowRank(layer, rank)
        parent, _, own = name.rpartition(".")
        setattr(model.get_submodule(parent), own, updates[f"{name}.weight"])
    return updates


def save(updates: Mapping[str, LowRank], base: str, file: Path) -> None:
    """Write updates in half precision, each as `SHARE` of what was learnt.

    Args:
        updates: the updates, by the names of their matrices.
        base: hash of the weights that they were learnt for.
        file: the file to write.
    """
    tensors = {}
    for name, update in updates.items():
        tensors[name + DOWN] = update.down.detach().half().contiguous()
        tensors[name + UP] = (SHARE * update.up.detach()).half().contiguous()
    file.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, file, metadata={BASE: base})
