"""The engines by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from build_pipeline.index.engines import EngineError, in_threads

if TYPE_CHECKING:
    from build_pipeline.index.engines import Engine

EngineName = Literal["local", "ray"]


def find_engine(name: EngineName) -> Engine:
    """The engine of that name.

    Raises:
        EngineError: it is not installed.
    """
    if name == "local":
        return in_threads
    try:
        from build_pipeline.index.ray_engine import on_ray  # noqa: PLC0415  (an extra, and seconds to import)
    except ImportError as error:
        msg = f"the engine ray is not installed ({error}): pip install 'lorekeeper-offline[build,ray]'"
        raise EngineError(msg) from error
    return on_ray
