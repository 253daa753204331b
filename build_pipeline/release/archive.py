"""Files → an archive (tar in zstandard) that has the same bytes wherever it is made."""

from __future__ import annotations

import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import zstandard

from server.dataset.listing import Artifact
from server.dataset.manifest import file_sha256

_LEVEL: Final = 12
"""Tables are compressed already; what a higher level saves of the rest is not worth its time."""


def write_archive(path: Path, files: Mapping[str, Path], modified: int) -> Artifact:
    """Write an archive and describe it, with its file name as URL.

    Only plain headers and plain files: no owners, modes or times of this machine, members in order of name, and one
    thread, since several cut the stream elsewhere.

    Args:
        path: the archive to write.
        files: name of each member → the file.
        modified: time stamp of every member, in seconds since 1970.
    """
    compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True, threads=0)
    unpacked = 0
    with (
        path.open("wb") as raw,
        compressor.stream_writer(raw) as stream,
        tarfile.open(fileobj=stream, mode="w|", format=tarfile.USTAR_FORMAT) as tar,
    ):
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size = files[name].stat().st_size
            member.mtime = modified
            member.mode = 0o644
            unpacked += member.size
            with files[name].open("rb") as content:
                tar.addfile(member, content)
    return Artifact(url=path.name, sha256=file_sha256(path), bytes=path.stat().st_size, unpacked_bytes=unpacked)
