"""Files → a reproducible archive (tar, zstandard)."""

from __future__ import annotations

import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import zstandard

from server.dataset.listing import Artifact
from server.dataset.manifest import file_sha256

_LEVEL: Final = 12
"""Tables are already compressed; a higher level would save too little on the rest."""


def write_archive(path: Path, files: Mapping[str, Path], modified: int) -> Artifact:
    """Write an archive and describe it, with its file name as URL.

    Plain headers and files only: members sorted by name, without this machine's owners, modes or times;
    single-threaded, since the number of threads changes the compressed stream.

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
