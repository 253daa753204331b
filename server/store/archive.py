"""Unpacking of a dataset's archive (a tar compressed with zstandard), refusing whatever could harm the machine.

Only what the builder writes is read: plain files and folders with plain tar headers. Everything else that tar can
hold (links, devices, extended headers) is refused, not interpreted.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

import zstandard

from server.dataset.manifest import DatasetError

MAX_BYTES: Final = 8 * 2**30
"""An unpacked dataset takes a quarter of a gigabyte; anything above this limit is a decompression bomb."""
_MAX_MEMBERS: Final = 10_000
_MAX_WINDOW: Final = 2**27
"""Bytes of memory that a frame may make the decoder allocate."""

_BLOCK: Final = tarfile.BLOCKSIZE
_CHUNK: Final = 2**20
_FORBIDDEN: Final = frozenset('\\:*?"<>|')
"""Characters that have a special meaning on some file system."""


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


def unpack(
    archive: Path, folder: Path, *, max_bytes: int = MAX_BYTES, check_room: Callable[[int], None] = lambda _: None
) -> None:
    """Unpack an archive into a new folder.

    Args:
        archive: the archive.
        folder: the folder, which must not exist.
        max_bytes: maximum total size of its files.
        check_room: called before each member is written, with the total bytes including it; may raise.

    Raises:
        DatasetError: it is not such an archive, is truncated, or holds something that a dataset must not; the message
            names it. Members unpacked before it stay in `folder`.
    """
    folder.mkdir(parents=True)
    decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
    try:
        with archive.open("rb") as packed, decompressor.stream_reader(packed, read_across_frames=True) as stream:
            _unpack_members(stream, folder, max_bytes, check_room)
    except (zstandard.ZstdError, tarfile.HeaderError, FileExistsError, NotADirectoryError, _RefusedError) as error:
        msg = f"the archive {archive.name} is refused: {error}"
        raise DatasetError(msg) from error


class _RefusedError(Exception):
    """An archive is refused; the message says what is wrong with it."""


def _unpack_members(stream: _Stream, folder: Path, max_bytes: int, check_room: Callable[[int], None]) -> None:
    seen: set[str] = set()
    size = 0
    while any(header := _exactly(stream, _BLOCK)):
        member = _member(header)
        target = folder.joinpath(*_parts(member))
        size += member.size
        if size > max_bytes:
            msg = f"unpacked, it is larger than {max_bytes:,} bytes"
            raise _RefusedError(msg)
        if len(seen) == _MAX_MEMBERS:
            msg = f"it holds more than {_MAX_MEMBERS:,} files"
            raise _RefusedError(msg)
        # Some file systems ignore case.
        if (name := str(target).casefold()) in seen:
            msg = f"{member.name!r} occurs twice"
            raise _RefusedError(msg)
        seen.add(name)
        check_room(size)
        _write(stream, member, target)
    # Read to the end of the frame, where its checksum is.
    padding = stream.read(_CHUNK)
    if any(padding) or stream.read(1):
        msg = "there is data after its end"
        raise _RefusedError(msg)


def _member(header: bytes) -> tarfile.TarInfo:
    try:
        member = tarfile.TarInfo.frombuf(header, "utf-8", "strict")
    except UnicodeDecodeError as error:
        msg = f"the name {error.object!r} is not UTF-8"
        raise _RefusedError(msg) from error
    if member.size < 0:  # tar can encode one, which would let the other members exceed the limit
        msg = f"{member.name!r} has a size of {member.size:,} bytes, which is negative"
        raise _RefusedError(msg)
    return member


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
    """The member's path below the target folder."""
    if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.DIRTYPE):
        msg = f"{member.name!r} is not a plain file (tar type {member.type!r})"
        raise _RefusedError(msg)
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        msg = f"{member.name!r} points outside the dataset"
        raise _RefusedError(msg)
    if any(char in _FORBIDDEN or not char.isprintable() for char in member.name):
        msg = f"{member.name!r} is not a valid file name"
        raise _RefusedError(msg)
    return path.parts


def _exactly(stream: _Stream, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        chunk = stream.read(size - len(data))
        if not chunk:
            msg = "it is truncated"
            raise _RefusedError(msg)
        data += chunk
    return bytes(data)
