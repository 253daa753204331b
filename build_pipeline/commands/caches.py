"""The folders where the builder keeps what it need not fetch or compute again, and their options."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter
from platformdirs import user_cache_path

CACHE_VARIABLE: Final = "LOREKEEPER_CACHE"

CacheDir = Annotated[Path | None, Parameter(show_default=False)]


def cache_root() -> Path:
    """The folder of all caches: the one that the environment variable names, or the platform's for this user."""
    named = os.environ.get(CACHE_VARIABLE, "").strip()
    return Path(named).absolute() if named else user_cache_path("lorekeeper")


def http_cache(option: Path | None) -> Path:
    """The folder of fetched pages."""
    return option or cache_root() / "http"


def build_cache(option: Path | None) -> Path:
    """The folder of vectors, exported models and results."""
    return option or cache_root() / "build"
