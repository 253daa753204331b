"""OrcBrew files on disk: files, folders, globs and zip archives, and their decoding."""

from __future__ import annotations

import hashlib
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from build_pipeline.expected import ExpectedError
from build_pipeline.snapshot.orcbrew.model import BrewFile

MAX_BYTES: Final = 64 * 1024 * 1024
"""Maximum file size; real files stay below 4 MB."""
SUFFIXES: Final = (".orcbrew", ".orcbrewx")

_TOO_LARGE: Final = f"larger than {MAX_BYTES // 1024**2} MB"
# Damaged data raises the decompressors' own errors rather than BadZipFile; a password raises RuntimeError.
_ZIP_ERRORS: Final = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError)

_JSON: Final = re.compile(r'\s*[\[{]\s*"(?:[^"\\]|\\.)*"\s*:[\s"{\[]', re.DOTALL)
_MARKUP: Final = re.compile(r"\s*<(?:!|\?|[a-zA-Z])")
_MOJIBAKE: Final = re.compile("[ÃÂâ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]")
# Where Windows-1252 differs from Latin-1; its five undefined bytes are decoded as in Latin-1.
_WINDOWS: Final = {b: bytes([b]).decode("cp1252") for b in range(0x80, 0xA0) if b not in {0x81, 0x8D, 0x8F, 0x90, 0x9D}}


class OrcbrewError(ExpectedError):
    """Nothing to read: no such file, or a folder or pattern without OrcBrew files."""


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of one file.

    Attributes:
        name: file name without folders.
        label: path as given.
        data: content.
        unreadable: why there is no content, if it could not be read.
    """

    name: str
    label: str
    data: bytes = b""
    unreadable: str = ""


def sources(paths: Sequence[Path | str | Source]) -> list[Source]:
    """Expand paths, folders, globs and zip archives to files, in order, dropping files with equal content.

    Raises:
        OrcbrewError: a path matches no file.
    """
    found: list[Source] = []
    seen: set[str] = set()
    for given in paths:
        for source in [given] if isinstance(given, Source) else _of_path(Path(given)):
            digest = hashlib.sha256(source.data).hexdigest()
            # Empty files have equal content, but each deserves its own finding.
            if digest not in seen or not source.data:
                seen.add(digest)
                found.append(source)
    return found


def _of_path(path: Path) -> Iterator[Source]:
    if path.is_dir():
        inside = sorted(p for p in path.rglob("*") if p.suffix.lower() in (*SUFFIXES, ".zip") and p.is_file())
        if not inside:
            msg = f"{path}: the folder holds no {' or '.join(SUFFIXES)} file"
            raise OrcbrewError(msg)
        for member in inside:
            yield from _of_path(member)
    elif path.is_file():
        if zipfile.is_zipfile(path):
            yield from _of_archive(path)
        elif path.stat().st_size > MAX_BYTES:
            yield Source(path.name, str(path), unreadable=_TOO_LARGE)
        else:
            yield Source(path.name, str(path), path.read_bytes())
    elif path.exists():
        msg = f"{path} is neither a file nor a folder: it cannot be read to its end"
        raise OrcbrewError(msg)
    else:
        matches = _matches(path)
        if not matches:
            msg = f"{path}: no such file or folder"
            raise OrcbrewError(msg)
        for match in matches:
            yield from _of_path(match)


def _matches(pattern: Path) -> list[Path]:
    root = Path(pattern.anchor)
    try:
        return sorted(root.glob(str(pattern.relative_to(root))))
    except ValueError as error:
        msg = f"{pattern}: not a valid file pattern: {error}"
        raise OrcbrewError(msg) from error


def _of_archive(path: Path) -> Iterator[Source]:
    """The OrcBrew files in an archive. What cannot be read becomes a finding; the other members are still read."""
    label = str(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = [m for m in archive.infolist() if Path(m.filename).suffix.lower() in SUFFIXES]
            if not members:
                yield Source(path.name, label, unreadable=f"the archive holds no {' or '.join(SUFFIXES)} file")
            for member in sorted(members, key=lambda m: m.filename):
                label = f"{path}/{member.filename}"
                if member.file_size > MAX_BYTES:
                    yield Source(Path(member.filename).name, label, unreadable=_TOO_LARGE)
                else:
                    yield Source(Path(member.filename).name, label, archive.read(member))
    except _ZIP_ERRORS as error:
        yield Source(path.name, label, unreadable=f"the archive cannot be read: {error}")


def decode(source: Source) -> BrewFile:
    """Decode a file. Encoding problems, or content that is not EDN at all, become findings."""
    if source.unreadable:
        file = BrewFile(source.name, source.label, "")
        file.damage(0, source.unreadable)
        return file
    data, warnings = source.data, []
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
        warnings.append((0, "the file is UTF-16, not UTF-8"))
    else:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            text = data.decode("latin-1").translate(_WINDOWS)
            warnings.append(
                (error.start, f"not UTF-8: byte {error.start} is {data[error.start]:#04x}; read as Windows-1252")
            )
    # Browsers write a byte order mark before every export; editors do not count it as a column.
    file = BrewFile(source.name, source.label, text.removeprefix("\ufeff"))
    nothing = _not_edn(file.text)
    if nothing:
        file.damage(0, nothing)
    for offset, message in warnings:
        file.warn(offset, message)
    mojibake = _MOJIBAKE.search(file.text)
    if mojibake:
        file.warn(mojibake.start(), f"`{mojibake[0]}` looks like UTF-8 text that was read as Windows-1252 once")
    return file


def _not_edn(text: str) -> str | None:
    """What the text is if it is not EDN, else None."""
    if not text.strip("\ufeff\u200b \t\r\n,"):
        return "the file is empty"
    if _JSON.match(text):
        return "the file is JSON, not EDN: export it from OrcPub or Dungeon Master's Vault as .orcbrew"
    if _MARKUP.match(text):
        return "the file is a web page, not EDN: the download went wrong"
    if "\x00" in text[:1000]:
        return "the file is binary, not EDN"
    return None
