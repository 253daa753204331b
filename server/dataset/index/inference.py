"""onnxruntime sessions as a server needs them: one thread each, and nothing reported to anybody."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reads it on import; without it every session is reported
import onnxruntime

if TYPE_CHECKING:
    from pathlib import Path

_ERRORS: Final = 3


def open_session(file: Path) -> onnxruntime.InferenceSession:
    """Load a graph; raises whatever onnxruntime raises."""
    options = onnxruntime.SessionOptions()
    # For a dozen tokens one thread is faster than two, and it leaves the other cores to other calls.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS  # it warns of inputs that are optional on purpose
    return onnxruntime.InferenceSession(str(file), options, ["CPUExecutionProvider"])
