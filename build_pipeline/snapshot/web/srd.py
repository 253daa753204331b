"""The System Reference Documents' own text: Markdown files of pinned commits, read into one raw object per section.

`srd_books.toml` declares which files make up a book, in which order, and their hashes. A file that is not as declared
is used anyway, and named in the problems: it differs from the text that was checked against the book.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as package_files
from itertools import count
from pathlib import Path
from typing import Final

from build_pipeline.snapshot.endpoints import Endpoint
from build_pipeline.snapshot.raw import RawObject
from build_pipeline.snapshot.web.harvest import Harvest, Reader
from build_pipeline.snapshot.web.http import FetchError
from build_pipeline.snapshot.web.origin import Fetcher
from build_pipeline.snapshot.web.sections import Section, lines_of, split_sections
from build_pipeline.times import iso_time
from server.dataset.names import slugify
from server.dataset.strict_json import dump_json

ENDPOINTS: Final = (
    *(Endpoint("srd", name, "", "key", "rules") for name in ("srd-2024", "srd-2014")),
    *(
        Endpoint("srd", name, "", "key", None, "a second witness of the book, for checks")
        for name in ("srd-2024-second", "srd-2014-second")
    ),
)

_EDITION: Final = re.compile(r"System Reference Document (\d+(?:\.\d+)*)")
_OPENING: Final = "opening"
"""Key of the text before a file's first heading."""


@dataclass(frozen=True, slots=True)
class BookFile:
    """A file of a book, as it was when its text was checked.

    Attributes:
        path: its path below the book's folder.
        sha256: the hash of its bytes.
        headings: how many headings it has.
    """

    path: str
    sha256: str
    headings: int


@dataclass(frozen=True, slots=True)
class Book:
    """A book of source `srd`, or a second witness of one.

    Attributes:
        endpoint: the endpoint that it is.
        edition: the version of the System Reference Document that it is a text of (`5.2.1`).
        repository: `owner/name`.
        commit: 40 hex digits.
        folder: the folder of the repository that holds the files; may be empty.
        files: its files in reading order.
    """

    endpoint: str
    edition: str
    repository: str
    commit: str
    folder: str
    files: tuple[BookFile, ...]

    def url(self, base_url: str, file: BookFile) -> str:
        """The URL of a file, on a host with the layout of raw.githubusercontent.com."""
        folder = f"{self.folder}/" if self.folder else ""
        return f"{base_url}/{self.repository}/{self.commit}/{folder}{file.path}"


@cache
def declared_books() -> dict[str, Book]:
    """Endpoint → the book that it is."""
    text = package_files(__package__).joinpath("srd_books.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)["book"]
    books = (Book(**{**row, "files": tuple(BookFile(**file) for file in row["files"])}) for row in rows)
    return {book.endpoint: book for book in books}


async def read_endpoint(reader: Reader, base_url: str, _parents: Sequence[str]) -> None:
    """Fetch a book's files into the reader's harvest; see `Fetcher`."""
    await read_book(reader, base_url, declared_books()[reader.harvest.endpoint.name])


async def read_book(reader: Reader, base_url: str, book: Book) -> None:
    """Fetch a book's files into the reader's harvest; a file that is not available is named in its problems."""
    urls = [book.url(base_url, file) for file in book.files]
    answers = await asyncio.gather(*map(reader.get_file, urls), return_exceptions=True)
    texts = _Texts(reader.harvest, book)
    for file, url, answer in zip(book.files, urls, answers, strict=True):
        if isinstance(answer, FetchError):
            texts.lacks(file, url, str(answer))
        elif isinstance(answer, BaseException):
            raise answer
        else:
            texts.take(file, url, answer.body, answer.fetched_at)


def folder_reader(folder: Path) -> Fetcher:
    """A fetcher that reads the books from a local folder instead of the web; see `read_book_folder`."""

    async def read(reader: Reader, _base_url: str, _parents: Sequence[str]) -> None:
        read_book_folder(reader.harvest, folder, declared_books()[reader.harvest.endpoint.name])

    return read


def read_book_folder(harvest: Harvest, folder: Path, book: Book) -> None:
    """Read a book from local files into a harvest; a file that is not available is named in its problems.

    Args:
        harvest: the harvest of the book's endpoint.
        folder: holds the repositories as they are fetched (`owner/name/commit/…`), or only this book's files.
        book: the book.
    """
    inside = folder / book.repository / book.commit / book.folder
    root = inside if inside.is_dir() else folder
    texts = _Texts(harvest, book)
    for file in book.files:
        path = root / file.path
        try:
            texts.take(file, str(path), path.read_bytes(), iso_time(path.stat().st_mtime))
        except OSError as error:
            texts.lacks(file, str(path), error.strerror or str(error))


class _Texts:
    """Turns a book's files, in reading order, into objects and problems of a harvest."""

    def __init__(self, harvest: Harvest, book: Book) -> None:
        self._harvest = harvest
        self._book = book
        self._keys: set[str] = set()

    def lacks(self, file: BookFile, where: str, reason: str) -> None:
        """Record that a file is not available."""
        self._harvest.problem(where, f"missing ({reason}); the rest of the book is kept", key=file.path)

    def take(self, file: BookFile, where: str, body: bytes, fetched_at: str) -> None:
        """Take a file's sections, and record how the file differs from its declaration."""
        digest = hashlib.sha256(body).hexdigest()
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError as error:
            self.lacks(file, where, f"not UTF-8: {error.reason} at byte {error.start}")
            return
        sections = list(split_sections(text))
        if digest != file.sha256:
            for line, reason in self._drift(file, digest, text, sections):
                self._harvest.problem(where, f"line {line}: {reason}; it is used as it is", key=file.path)
        for section in sections:
            self._add(file, where, section, fetched_at)

    def _drift(self, file: BookFile, digest: str, text: str, sections: list[Section]) -> Iterator[tuple[int, str]]:
        """(line, what is wrong) for every difference of a file from its declaration."""
        yield 1, f"the file changed: its sha256 is {digest} instead of {file.sha256}"
        headings = [section for section in sections if section.level]
        if len(headings) != file.headings:
            last = headings[-1] if headings else Section("", 0, (), "", 1)
            seems = "; it seems cut off" if len(headings) < file.headings else ""
            reason = f"{len(headings)} headings instead of {file.headings}, the last of them {last.title!r}{seems}"
            yield last.line, reason
        for number, line in enumerate(lines_of(text), 1):
            for found in _EDITION.finditer(line):
                if found[1] != self._book.edition:
                    reason = f"another edition: System Reference Document {found[1]} instead of {self._book.edition}"
                    yield number, reason
        seen: dict[tuple[str, ...], int] = {}
        for section in headings:
            path = (*section.path, section.title)
            if first := seen.get(path):
                yield (
                    section.line,
                    f"the heading {section.title!r} again, as in line {first} and below the same headings",
                )
            seen.setdefault(path, section.line)

    def _add(self, file: BookFile, where: str, section: Section, fetched_at: str) -> None:
        slugs = [slugify(title) or "x" for title in (*section.path, section.title) if title]
        key = "/".join(slugs) or _OPENING
        if key in self._keys:
            key = next(again for n in count(2) if (again := f"{key}-{n}") not in self._keys)
        self._keys.add(key)
        data = {
            "title": section.title,
            "level": section.level,
            "path": list(section.path),
            "markdown": section.markdown,
            "file": file.path,
            "line": section.line,
            "order": len(self._harvest.objects) + 1,
        }
        endpoint = self._harvest.endpoint
        self._harvest.keys.append(key)
        self._harvest.objects.append(RawObject(endpoint.source, endpoint.name, key, where, fetched_at, dump_json(data)))
