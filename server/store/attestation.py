"""Build provenance: whether the publisher's workflow made an archive, checked with GitHub's own `gh`."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Final

from server.dataset.manifest import DatasetError

if TYPE_CHECKING:
    from pathlib import Path

_TIMEOUT: Final = 120
_NOT_SIGNED_IN: Final = 4


def check_attestation(archive: Path, repository: str) -> str:
    """Check that a workflow of a GitHub repository made the archive.

    Args:
        archive: the file.
        repository: `owner/name`.

    Returns:
        A note for the user: who attested it, or why that was not checked.

    Raises:
        DatasetError: `gh` is installed and finds no attestation.
    """
    gh = shutil.which("gh")
    if gh is None:
        return "provenance not checked: gh is not installed"
    command = [gh, "attestation", "verify", str(archive), "--repo", repository]
    try:
        done = subprocess.run(  # noqa: S603 - no shell, fixed arguments
            command, capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired as error:
        msg = f"gh did not check the provenance of {archive.name} within {_TIMEOUT} s; try again"
        raise DatasetError(msg) from error
    if done.returncode == _NOT_SIGNED_IN:
        return "provenance not checked: gh is not signed in"
    if done.returncode:
        reason = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        msg = f"{archive.name} is refused: gh finds no attestation by {repository} ({reason})"
        raise DatasetError(msg)
    return f"provenance attested by {repository}"
