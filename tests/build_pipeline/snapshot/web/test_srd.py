"""Texts of the books, from an origin or a folder, and problems of files that are not as declared."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import pytest
from origin_server import Origin, manners, send

from build_pipeline.snapshot.crawl import Silent
from build_pipeline.snapshot.raw import RawLayer
from build_pipeline.snapshot.web.harvest import Harvest, Reader
from build_pipeline.snapshot.web.http import PoliteClient
from build_pipeline.snapshot.web.sections import split_sections
from build_pipeline.snapshot.web.srd import ENDPOINTS, Book, BookFile, declared_books, read_book, read_book_folder

FILES = {
    "Legal.md": "# Legal\n\nMaterial of the System Reference Document 9.1.\n",
    "Play.md": "A word before.\n\n# Play\n\n## Cover\n\nHalf of it.\n\n### Cover\n\n| Degree |\n|---|\n| Half |\n",
    "Glossary.md": "# Glossary\n\n## Cover\n\nWhat stands between.\n\n## Dash\n\nMove on.\n",
}


def book_of(files: dict[str, str], edition: str = "9.1") -> Book:
    declared = tuple(
        BookFile(name, hashlib.sha256(text.encode()).hexdigest(), sum(1 for s in split_sections(text) if s.level))
        for name, text in files.items()
    )
    return Book("srd-2024", edition, "somebody/books", "c0ffee", "text", declared)


BOOK = book_of(FILES)


def fetched(origin: Origin, folder: Path, book: Book = BOOK) -> Harvest:
    harvest = Harvest(ENDPOINTS[0])

    async def run() -> None:
        async with PoliteClient(folder, manners()) as client:
            await read_book(Reader(client, harvest, Silent()), f"{origin.url}/raw", book)

    asyncio.run(run())
    return harvest


def from_folder(folder: Path, files: dict[str, str], book: Book = BOOK) -> Harvest:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    harvest = Harvest(ENDPOINTS[0])
    read_book_folder(harvest, folder, book)
    return harvest


def serve_book(origin: Origin, files: dict[str, str]) -> None:
    origin.pages |= {f"/raw/somebody/books/c0ffee/text/{name}": text.encode() for name, text in files.items()}


def test_each_section_of_a_book_becomes_an_object_in_reading_order(origin: Origin, tmp_path: Path) -> None:
    serve_book(origin, FILES)
    harvest = fetched(origin, tmp_path)
    assert harvest.problems == []
    assert [obj.key for obj in harvest.objects] == [
        "legal",
        "opening",
        "play",
        "play/cover",
        "play/cover/cover",
        "glossary",
        "glossary/cover",
        "glossary/dash",
    ]
    assert [obj.data["order"] for obj in harvest.objects] == list(range(1, 9))
    cover = harvest.objects[6]
    assert cover.data | {"order": 0} == {
        "title": "Cover",
        "level": 2,
        "path": ["Glossary"],
        "markdown": "What stands between.",
        "file": "Glossary.md",
        "line": 3,
        "order": 0,
    }
    assert cover.url == f"{origin.url}/raw/somebody/books/c0ffee/text/Glossary.md"


def test_files_are_cached_on_disk(origin: Origin, tmp_path: Path) -> None:
    serve_book(origin, FILES)
    first = fetched(origin, tmp_path)
    again = fetched(origin, tmp_path)
    assert [o.text for o in again.objects] == [o.text for o in first.objects]
    assert len(origin.log) == len(FILES)
    assert all(page.cached for page in again.pages)


def test_a_local_folder_gives_the_same_sections(origin: Origin, tmp_path: Path) -> None:
    serve_book(origin, FILES)
    cache, folder = tmp_path / "cache", tmp_path / "books"
    cache.mkdir()
    folder.mkdir()
    assert [o.text for o in from_folder(folder, FILES).objects] == [o.text for o in fetched(origin, cache).objects]


def test_a_folder_may_contain_whole_repositories(tmp_path: Path) -> None:
    inside = tmp_path / "somebody/books/c0ffee/text"
    inside.mkdir(parents=True)
    (inside / "Legal.md").write_text(FILES["Legal.md"])
    harvest = Harvest(ENDPOINTS[0])
    read_book_folder(harvest, tmp_path, book_of({"Legal.md": FILES["Legal.md"]}))
    assert [o.key for o in harvest.objects] == ["legal"]
    assert harvest.problems == []


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("Play.md", FILES["Play.md"].replace("Half of it", "All of it"), ["line 1: the file changed: its sha256"]),
        (
            "Glossary.md",
            FILES["Glossary.md"][:30],
            ["line 1: the file changed", "line 3: 2 headings instead of 3, the last of them 'Cover'; it"],
        ),
        (
            "Legal.md",
            "# Legal\n\nMaterial of the\nSystem Reference Document 9.2.\n",
            ["line 1: the file", "line 4: another edition: System Reference Document 9.2 instead of 9.1"],
        ),
        (
            "Glossary.md",
            FILES["Glossary.md"].replace("## Dash", "## Cover"),
            ["line 1: the file changed", "line 7: the heading 'Cover' again, as in line 3"],
        ),
    ],
    ids=["changed", "cut off", "another edition", "a heading twice"],
)
def test_a_changed_file_is_used_and_named_with_its_line(tmp_path: Path, name: str, text: str, said: list[str]) -> None:
    harvest = from_folder(tmp_path, FILES | {name: text})
    assert len(harvest.problems) == len(said)
    for problem, beginning in zip(harvest.problems, said, strict=True):
        assert problem.reason.startswith(beginning)
        assert problem.raw == f"srd/srd-2024/{name}"
        assert problem.page == str(tmp_path / name)
    layer = RawLayer()
    for obj in harvest.objects:  # keys are unique
        layer.add(obj)
    assert {o.data["file"] for o in harvest.objects} == set(FILES)


def test_a_missing_file_is_named_and_the_rest_is_kept(origin: Origin, tmp_path: Path) -> None:
    serve_book(origin, {name: text for name, text in FILES.items() if name != "Play.md"})
    harvest = fetched(origin, tmp_path)
    assert [o.key for o in harvest.objects] == ["legal", "glossary", "glossary/cover", "glossary/dash"]
    [problem] = harvest.problems
    assert problem.reason == "missing (status 404 Not Found); the rest of the book is kept"
    assert problem.page.endswith("/Play.md")


def test_a_truncated_file_is_requested_again(origin: Origin, tmp_path: Path) -> None:
    serve_book(origin, FILES)
    path = "/raw/somebody/books/c0ffee/text/Play.md"
    origin.faults[path].append(send(FILES["Play.md"][:10], Content_Length="500"))
    assert fetched(origin, tmp_path).problems == []
    assert origin.asked("Play.md") == 2


def test_bytes_that_are_not_text_are_named(tmp_path: Path) -> None:
    (tmp_path / "Legal.md").write_bytes(b"# Legal \xff")
    harvest = Harvest(ENDPOINTS[0])
    read_book_folder(harvest, tmp_path, book_of({"Legal.md": "# Legal\n"}))
    assert harvest.objects == []
    assert "not UTF-8: invalid start byte at byte 8" in harvest.problems[0].reason


def test_the_declared_books_are_complete() -> None:
    books = declared_books()
    assert {b.endpoint: b.edition for b in books.values()} == {
        "srd-2024": "5.2.1",
        "srd-2014": "5.1",
        "srd-2024-second": "5.2",
        "srd-2014-second": "5.0",
    }
    for book in books.values():
        assert len(book.commit) == 40
        assert len({file.path for file in book.files}) == len(book.files)
        assert all(len(file.sha256) == 64 for file in book.files)
    order = [file.path for file in books["srd-2024"].files]
    assert order.index("Playing-the-Game.md") < order.index("Classes/Bard.md") < order.index("Feats.md")
    assert order.index("Feats.md") < order.index("Rules-Glossary.md") < order.index("Monsters/Overview.md")


def test_the_recorded_books_are_as_declared(recordings: Path) -> None:
    counts: dict[str, Any] = {}
    for endpoint in ENDPOINTS:
        harvest = Harvest(endpoint)
        read_book_folder(harvest, recordings.parent / "srd", declared_books()[endpoint.name])
        assert harvest.problems == []
        counts[endpoint.name] = len(harvest.objects)
    assert counts == {"srd-2024": 2920, "srd-2014": 2098, "srd-2024-second": 2643, "srd-2014-second": 1829}
