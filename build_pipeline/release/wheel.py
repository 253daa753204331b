"""A dataset as a Python wheel, for machines that can only reach a package mirror."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from build_pipeline.expected import ExpectedError
from build_pipeline.release.templates import render
from build_pipeline.text_files import write_text
from server.dataset.listing import ENTRY_POINT_GROUP, version_key

PROJECT: Final = "lorekeeper-dataset"
_MODULE: Final = "lorekeeper_dataset"


class WheelError(ExpectedError):
    """The wheel cannot be built; the message is the build backend's."""


def wheel_version(dataset_version: str) -> str:
    """A dataset version in the normal form of Python packages: `2026.11.01` → `2026.11.1`."""
    return ".".join(map(str, version_key(dataset_version)))


def write_wheel(out: Path, files: Mapping[str, Path], dataset_version: str, modified: int) -> Path:
    """Build the wheel into the folder `out` and return its path.

    The module's `folder` is the path of the dataset's folder; its entry point loads as that value.

    Args:
        out: where to put it.
        files: name of each file of the dataset → the file.
        dataset_version: the dataset's version.
        modified: time stamp of every file, in seconds since 1970.

    Raises:
        WheelError: the build backend fails.
    """
    with tempfile.TemporaryDirectory() as temporary:
        project = Path(temporary)
        module = project / _MODULE
        module.mkdir()
        write_text(module / "__init__.py", render("wheel_module.py.j2"))
        write_text(
            project / "pyproject.toml",
            render(
                "wheel_pyproject.toml.j2",
                project=PROJECT,
                module=_MODULE,
                version=wheel_version(dataset_version),
                group=ENTRY_POINT_GROUP,
                files={f"{_MODULE}/dataset/{name}": path.resolve().as_posix() for name, path in sorted(files.items())},
            ),
        )
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(out.resolve())]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(modified)}
        built = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if built.returncode != 0:
        msg = f"the dataset wheel could not be built: {built.stderr.strip()}"
        raise WheelError(msg)
    return out / f"{_MODULE}-{wheel_version(dataset_version)}-py3-none-any.whl"
