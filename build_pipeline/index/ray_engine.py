"""The engine `ray`: Ray Data's actors compute the vectors, on this machine or on those of a cluster.

RAY_ADDRESS names the cluster, as it does for Ray; without it one is started here and stopped afterwards. An actor that
dies is replaced and its texts computed again, by Ray. Workers need this package and its extras `build` and `ray`;
the encoder is sent to them.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from build_pipeline.index.engines import EngineError, PassageEncoder
from build_pipeline.index.graph import FACTS_FILE, Vectors
from server.dataset.files import ENCODER_FILES

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # all three are read by Ray on import or when it starts
os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
os.environ.setdefault("RAY_DATA_LOG_LEVEL", "CRITICAL")
import ray
import ray.data
from ray.data.exceptions import ExecutionTimeoutError, SystemException
from ray.exceptions import RayError

_ADDRESS: Final = "RAY_ADDRESS"
_BATCH: Final = 32
"""Texts that an actor computes and returns together: a second of work, which is all that is lost with an actor."""
_STORE: Final = 2**28
"""Bytes of shared memory for a cluster started here: the encoder, and texts and vectors in transit. The rest spills."""

_PATIENCE: Final = 10.0
"""Seconds that a cluster has to answer."""
_STDERR: Final = 2


class Worker:
    """The passage encoder in an actor: made once from the files sent, called with batch after batch."""

    def __init__(self, files: Any, fingerprint: str) -> None:
        """Load the encoder.

        Args:
            files: reference to the export's files, name → bytes.
            fingerprint: the encoder's fingerprint where the build runs.

        Raises:
            EngineError: the encoder would give different vectors here.
        """
        with TemporaryDirectory() as folder:
            for name, data in ray.get(files).items():
                (Path(folder) / name).write_bytes(data)
            self._encode = PassageEncoder(Path(folder))
        if self._encode.graph.fingerprint != fingerprint:
            msg = "a worker has another version of onnxruntime, of tokenizers or of this package than this machine"
            raise EngineError(msg)

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """A batch of `row` and `text` → `row` and `vector`, float32, (len(batch), dimensions)."""
        return {"row": batch["row"], "vector": self._encode(batch["text"].tolist())}


def on_ray(encoder: PassageEncoder, texts: Sequence[str]) -> Iterator[dict[str, Vectors]]:
    """The engine `ray`: one actor per core of the cluster.

    Raises:
        EngineError: there is no cluster, or it cannot continue.
    """
    with _cluster():
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        context.raise_original_map_exception = True
        files = ray.put({name: (encoder.folder / name).read_bytes() for name in (*ENCODER_FILES, FACTS_FILE)})
        rows = [{"row": row, "text": text} for row, text in enumerate(texts)]
        computed = ray.data.from_items(rows, override_num_blocks=-(-len(rows) // _BATCH)).map_batches(
            Worker,
            fn_constructor_args=(files, encoder.graph.fingerprint),
            batch_size=None,
            num_cpus=1,
            compute=ray.data.ActorPoolStrategy(size=max(1, int(ray.cluster_resources().get("CPU", 1)))),
        )
        try:
            for batch in computed.iter_batches(batch_size=None):
                vectors = np.array(batch["vector"])  # a copy: the batch is Ray's shared memory
                yield dict(zip((texts[row] for row in batch["row"]), vectors, strict=True))
        except (RayError, ExecutionTimeoutError, SystemException) as error:
            *_, reason = str(error).strip().splitlines() or [type(error).__name__]  # the last of a worker's traceback
            msg = f"Ray cannot continue; what it computed is kept for the next build ({reason})"
            raise EngineError(msg) from error


@contextmanager
def _cluster() -> Iterator[None]:
    """Connect to the cluster of RAY_ADDRESS, or to one started here.

    Raises:
        EngineError: it does not answer, or cannot be started.
    """
    address = os.environ.get(_ADDRESS) or "local"
    own = {"include_dashboard": False, "object_store_memory": _STORE} if address == "local" else {}
    # Whatever its log settings, Ray prints what happens to workers to stdout, where results belong.
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        try:
            _check(address)
            with _silent(nowhere.fileno()):
                ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL, **own)
        except (OSError, RuntimeError, ValueError, ImportError) as error:
            where = "no cluster could be started here" if own else f"no cluster answers at {_ADDRESS}={address}"
            msg = f"{where} ({error})"
            raise EngineError(msg) from error
        try:
            yield
        finally:
            ray.shutdown()


def _check(address: str) -> None:
    """Connect to a cluster's HOST:PORT first, because Ray itself would try for many minutes.

    Raises:
        OSError: it does not answer.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()


@contextmanager
def _silent(nowhere: int) -> Iterator[None]:
    """Discard this process's stderr, where Ray's C++ code reports at its start that logging is switched off."""
    stderr = os.dup(_STDERR)
    os.dup2(nowhere, _STDERR)
    try:
        yield
    finally:
        os.dup2(stderr, _STDERR)
        os.close(stderr)
