"""OrcBrew files on disk: files, folders, globs and zip archives, and their decoding."""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import unescape
from pathlib import Path
from typing import Final

from build_pipeline.expected import ExpectedError
from build_pipeline.snapshot.orcbrew.model import NAMESPACE, BrewFile

MAX_BYTES: Final = 64 * 1024 * 1024
"""Maximum file size; real files stay below 4 MB."""
MAX_TOTAL_BYTES: Final = 4 * MAX_BYTES
"""Maximum size of all files together; those in archives count unpacked."""
SUFFIXES: Final = (".orcbrew", ".orcbrewx")

_TOO_LARGE: Final = f"larger than {MAX_BYTES // 1024**2} MB"
_TOO_MUCH: Final = f"left out: all files together are larger than {MAX_TOTAL_BYTES // 1024**2} MB"

# In this order: the mark of UTF-32 begins with that of UTF-16. Without a mark, EDN begins with two ASCII characters.
_WIDE: Final = {
    "utf-32-le": re.compile(rb"\xff\xfe\0\0|[^\0]\0\0\0[^\0]\0\0\0"),
    "utf-32-be": re.compile(rb"\0\0\xfe\xff|\0\0\0[^\0]\0\0\0[^\0]"),
    "utf-16-le": re.compile(rb"\xff\xfe|[^\0]\0[^\0]\0"),
    "utf-16-be": re.compile(rb"\xfe\xff|\0[^\0]\0[^\0]"),
}

_JSON: Final = re.compile(r'\s*[\[{]\s*"(?:[^"\\]|\\.)*"\s*:[\s"{\[]', re.DOTALL)
_MARKUP: Final = re.compile(r"\s*<(?:!|\?|[a-zA-Z])")
_QUOTE: Final = '(?:"|&quot;)'
_CONTENT: Final = re.compile(
    rf"""\{{ \s* (?: {_QUOTE} [^"{{}}]*? {_QUOTE} \s* (?:\#:{re.escape(NAMESPACE)}\s*)? \{{ \s* )?
      (?: :disabled\? \s+ \w+ [\s,]+ )? : (?: {re.escape(NAMESPACE)} | orcbrew ) /""",
    re.VERBOSE,
)
"""How the content of a file begins, also in the source of a web page."""
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


@dataclass(frozen=True, slots=True)
class _Unread:
    """A file that exists: its name and label as in `Source`, its size in bytes, and a function that reads it."""

    name: str
    label: str
    size: int
    read: Callable[[], bytes]


def sources(paths: Sequence[Path | str | Source]) -> Iterator[Source]:
    """Expand paths, folders, globs and zip archives to files, in order, dropping files with equal content.

    Each is read when its turn comes. What cannot be read becomes a finding; the others are still read.

    Raises:
        OrcbrewError: a path matches no file.
    """
    room = MAX_TOTAL_BYTES
    seen: set[str] = set()
    for given in paths:
        for found in [given] if isinstance(given, Source) else _of_path(Path(given)):
            source = _read(found, room) if isinstance(found, _Unread) else found
            room -= len(source.data)
            digest = hashlib.sha256(source.data).hexdigest()
            # Empty files have equal content, but each deserves its own finding.
            if digest not in seen or not source.data:
                seen.add(digest)
                yield source


def _read(file: _Unread, room: int) -> Source:
    if file.size > min(MAX_BYTES, room):
        return Source(file.name, file.label, unreadable=_TOO_LARGE if file.size > MAX_BYTES else _TOO_MUCH)
    try:
        return Source(file.name, file.label, file.read())
    except Exception as error:  # noqa: BLE001 - a damaged archive raises what its parts and their decompressors do
        return Source(file.name, file.label, unreadable=f"cannot be read: {_reason(error)}")


def _reason(error: Exception) -> str:
    """What an error says, without the folder of the file."""
    return str(getattr(error, "strerror", None) or error) or type(error).__name__


def _of_path(path: Path) -> Iterator[Source | _Unread]:
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
        else:
            yield _Unread(path.name, str(path), path.stat().st_size, path.read_bytes)
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


def _of_archive(path: Path) -> Iterator[Source | _Unread]:
    """The OrcBrew files in an archive."""
    try:
        archive = zipfile.ZipFile(path)
    except Exception as error:  # noqa: BLE001 - as above
        yield Source(path.name, str(path), unreadable=f"the archive cannot be read: {_reason(error)}")
        return
    with archive:
        members = [m for m in archive.infolist() if Path(m.filename).suffix.lower() in SUFFIXES]
        if not members:
            yield Source(path.name, str(path), unreadable=f"the archive holds no {' or '.join(SUFFIXES)} file")
        for member in sorted(members, key=lambda m: m.filename):
            label = f"{path}/{member.filename}"
            yield _Unread(Path(member.filename).name, label, member.file_size, partial(archive.read, member))


def decode(source: Source) -> BrewFile:
    """Decode a file. Encoding problems, or content that is not EDN at all, become findings."""
    if source.unreadable:
        file = BrewFile(source.name, source.label, "")
        file.damage(0, source.unreadable)
        return file
    data, warnings = source.data, []
    wide = next((name for name, start in _WIDE.items() if start.match(data)), None)
    if wide:
        text = data.decode(wide, "replace")
        warnings.append((0, f"the file is {wide[:6].upper()}, not UTF-8"))
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
    content = _without_page(file.text)
    if content != file.text:
        file.unwrap(content)
        page = "a web page stands around the content; the content is read, the page is left out"
        warnings = [(0, message) for message in (page, *(message for _, message in warnings))]
    nothing = _not_edn(file.text)
    if nothing:
        file.damage(0, nothing)
    for offset, message in warnings:
        file.warn(offset, message)
    mojibake = _MOJIBAKE.search(file.text)
    if mojibake:
        file.warn(mojibake.start(), f"`{mojibake[0]}` looks like UTF-8 text that was read as Windows-1252 once")
    return file


def _without_page(text: str) -> str:
    """The content of a web page that shows a file, without the page; what stands before it becomes blank lines.

    A page that shows none is left as it is.
    """
    start = _CONTENT.search(text) if _MARKUP.match(text) else None
    if start is None:
        return text
    closing_tag = text.find("</", text.rindex(NAMESPACE))
    content = text[start.start() : None if closing_tag < 0 else closing_tag]
    content = content[: content.rindex("}") + 1] if "}" in content else content
    return "\n" * text.count("\n", 0, start.start()) + (unescape(content) if "&quot;" in content else content)


def _not_edn(text: str) -> str | None:
    """What the text is if it is not EDN, otherwise None."""
    if not text.strip("\ufeff\u200b \t\r\n,"):
        return "the file is empty"
    if _JSON.match(text):
        return "the file is JSON, not EDN: export it from OrcPub or Dungeon Master's Vault as .orcbrew"
    if _MARKUP.match(text):
        return "the file is a web page, not EDN: the download went wrong"
    if "\x00" in text[:1000]:
        return "the file is binary, not EDN"
    return None
