"""Malicious and damaged archives."""

import io
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from mirror import NEW

from server.dataset.listing import archive_name
from server.dataset.manifest import DatasetError
from server.dataset.verify import verify
from server.store import archive as archives
from server.store.archive import unpack

Member = tuple[tarfile.TarInfo, bytes]


def member(name: str, content: bytes = b"text", **fields: Any) -> Member:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for key, value in fields.items():
        setattr(info, key, value)
    return info, content


def tar(members: Sequence[Member], form: int = tarfile.USTAR_FORMAT) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=form) as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def packed(folder: Path, content: bytes) -> Path:
    path = folder / "hostile.tar.zst"
    path.write_bytes(zstandard.ZstdCompressor(write_checksum=True).compress(content))
    return path


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (tar([member("../evil")]), "points outside"),
        (tar([member("a/../../evil")]), "points outside"),
        (tar([member("/evil")]), "points outside"),
        (tar([member("a\\..\\..\\evil")]), "not a valid file name"),
        (tar([member("C:evil")]), "not a valid file name"),
        (tar([member("a\x1b[2J")]), "not a valid file name"),
        (tar([member("link", b"", type=tarfile.SYMTYPE, linkname="/etc")]), "not a plain file"),
        (tar([member("a"), member("b", b"", type=tarfile.LNKTYPE, linkname="a")]), "not a plain file"),
        (tar([member("pipe", b"", type=tarfile.FIFOTYPE)]), "not a plain file"),
        (tar([member("device", b"", type=tarfile.CHRTYPE)]), "not a plain file"),
        (tar([member("a" * 300)], tarfile.GNU_FORMAT), "not a plain file"),
        (tar([member("ä" * 300)], tarfile.PAX_FORMAT), "not a plain file"),
        (tar([member("a"), member("a")]), "occurs twice"),
        (tar([member("a/b"), member("A/B")]), "occurs twice"),
        (tar([member("a"), member("a/b")]), "refused"),
        (tar([member("a", bytes(2000))]), "larger than 1,000 bytes"),
        (tar([member(str(n), b"") for n in range(6)]), "more than 5 files"),
        (tar([member("a")])[:700], "truncated"),
        (tar([member("a")])[:1024], "truncated"),
        (tar([member("a")]) + b"more", "after its end"),
        (tar([member("a")]) + bytes(2**22), "after its end"),
        (
            member("a", size=-1024)[0].tobuf(tarfile.GNU_FORMAT) + tar([member("b", bytes(2000))]),
            "'a' has a size of -1,024 bytes",
        ),
        (tar([member("a\udcff")]), r"the name b'a\\xff' is not UTF-8"),
        (b"no tar at all" * 100, "refused"),
    ],
)
def test_a_malicious_archive_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content, said):
    monkeypatch.setattr(archives, "_MAX_MEMBERS", 5)
    target = tmp_path / "home" / "work"
    with pytest.raises(DatasetError, match=said):
        unpack(packed(tmp_path, content), target, max_bytes=1000)
    assert not list(tmp_path.rglob("evil"))
    assert all(path.is_relative_to(target) for path in (tmp_path / "home").rglob("*") if path.is_file())
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))


def test_no_part_of_a_decompression_bomb_is_unpacked(tmp_path: Path):
    """A header that announces a huge file is refused before anything is written."""
    info, _ = member("zeros")
    info.size = 2**33 - 1
    path = packed(tmp_path, info.tobuf(tarfile.USTAR_FORMAT) + bytes(2**20))
    with pytest.raises(DatasetError, match="larger than"):
        unpack(path, tmp_path / "work", max_bytes=2**30)
    assert list((tmp_path / "work").rglob("*")) == []


def test_a_frame_that_needs_a_gigabyte_of_memory_is_refused(tmp_path: Path):
    parameters = zstandard.ZstdCompressionParameters(window_log=30)
    path = tmp_path / "wide.tar.zst"
    with path.open("wb") as file, zstandard.ZstdCompressor(compression_params=parameters).stream_writer(file) as stream:
        stream.write(tar([member("a")]))
    with pytest.raises(DatasetError, match="refused"):
        unpack(path, tmp_path / "work")


def _flip(content: bytearray, position: float) -> None:
    content[int(position * (len(content) - 1))] ^= 0x20


def _cut(content: bytearray, position: float) -> None:
    del content[int(position * len(content)) :]


@given(position=st.floats(0, 1, exclude_max=True), damage=st.sampled_from([_flip, _cut]))
def test_a_damaged_archive_is_refused_or_harmless(
    editions: dict[str, Path],
    shop: Path,
    tmp_path_factory: pytest.TempPathFactory,
    position: float,
    damage: Callable[[bytearray, float], None],
):
    content = bytearray((shop / archive_name(NEW)).read_bytes())
    damage(content, position)
    folder = tmp_path_factory.mktemp("damaged")
    (folder / "x.tar.zst").write_bytes(content)
    try:
        unpack(folder / "x.tar.zst", folder / "work")
    except DatasetError:
        return
    for path in editions[NEW].rglob("*.parquet"):
        assert next((folder / "work").rglob(path.name)).read_bytes() == path.read_bytes()


def test_an_archive_of_the_builder_is_unpacked(shop: Path, tmp_path: Path):
    unpack(shop / archive_name(NEW), tmp_path / "work")
    (folder,) = (tmp_path / "work").iterdir()
    assert verify(folder) == []
