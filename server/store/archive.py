"""A dataset's archive (tar in zstandard) → a folder; whatever could harm the machine is refused.

Only what the builder writes is read: plain files and folders in plain tar headers. Everything else that tar can
hold (links, devices, extended headers) has no business in a dataset and is refused, not interpreted.
"""

from __future__ import annotations

import tarfile
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

import zstandard

from server.dataset.manifest import DatasetError

SUFFIX: Final = ".tar.zst"

MAX_BYTES: Final = 8 * 2**30
"""A dataset unpacked is a quarter of a gigabyte; beyond this it is a bomb."""
MAX_MEMBERS: Final = 10_000
_MAX_WINDOW: Final = 2**27
"""Bytes of memory that a frame may ask the decoder for."""

_BLOCK: Final = tarfile.BLOCKSIZE
_CHUNK: Final = 2**20
_FORBIDDEN: Final = frozenset('\\:*?"<>|')
"""Characters that some file system reads as something other than a name."""


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


def unpack(archive: Path, folder: Path, *, max_bytes: int = MAX_BYTES, max_members: int = MAX_MEMBERS) -> None:
    """Unpack an archive into a folder, which is made.

    Raises:
        DatasetError: it is no such archive, is cut short, or holds what a dataset may not; the message names it.
            What was unpacked till then stays in `folder`.
    """
    folder.mkdir(parents=True)
    decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
    try:
        with archive.open("rb") as packed, decompressor.stream_reader(packed, read_across_frames=True) as stream:
            _unpack_members(stream, folder, max_bytes, max_members)
    except (zstandard.ZstdError, tarfile.HeaderError, FileExistsError, NotADirectoryError, _RefusedError) as error:
        msg = f"the archive {archive.name} is refused: {error}"
        raise DatasetError(msg) from error


class _RefusedError(Exception):
    """What is wrong with an archive."""


def _unpack_members(stream: _Stream, folder: Path, max_bytes: int, max_members: int) -> None:
    seen: set[str] = set()
    left = max_bytes
    while any(header := _exactly(stream, _BLOCK)):
        member = tarfile.TarInfo.frombuf(header, "utf-8", "strict")
        target = folder.joinpath(*_parts(member))
        left -= member.size
        if left < 0:
            msg = f"unpacked it is larger than {max_bytes:,} bytes"
            raise _RefusedError(msg)
        if len(seen) == max_members:
            msg = f"it holds more than {max_members:,} files"
            raise _RefusedError(msg)
        # Some file systems take names in upper and lower case for one.
        if (name := str(target).casefold()) in seen:
            msg = f"{member.name!r} occurs twice"
            raise _RefusedError(msg)
        seen.add(name)
        _write(stream, member, target)
    # To the end of the frame, where it has its checksum.
    padding = stream.read(_CHUNK)
    if any(padding) or stream.read(1):
        msg = "something follows its end"
        raise _RefusedError(msg)


def _write(stream: _Stream, member: tarfile.TarInfo, target: Path) -> None:
    if member.isdir():
        target.mkdir(parents=True, exist_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as file:
        for start in range(0, member.size, _CHUNK):
            file.write(_exactly(stream, min(_CHUNK, member.size - start)))
    _exactly(stream, -member.size % _BLOCK)


def _parts(member: tarfile.TarInfo) -> tuple[str, ...]:
    """The member's path below the folder it is unpacked into."""
    if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.DIRTYPE):
        msg = f"{member.name!r} is no plain file (tar type {member.type!r})"
        raise _RefusedError(msg)
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        msg = f"{member.name!r} leads out of the dataset"
        raise _RefusedError(msg)
    if any(char in _FORBIDDEN or not char.isprintable() for char in member.name):
        msg = f"{member.name!r} is no name for a file"
        raise _RefusedError(msg)
    return path.parts


def _exactly(stream: _Stream, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        chunk = stream.read(size - len(data))
        if not chunk:
            msg = "it is cut short"
            raise _RefusedError(msg)
        data += chunk
    return bytes(data)
