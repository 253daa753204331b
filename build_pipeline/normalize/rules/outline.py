"""How the rules of the SRD 5.1 are laid out: printed headings, chapters, and which texts of the sources are the same.

Open5e v2 cuts the rules into small texts, some misnamed and none with its chapter; Open5e v1 and the D&D 5e API have
whole sections with their printed headings. A text is recognised by its opening, so these tell where v2's texts belong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from build_pipeline.normalize.merging.directory import RELATED_TYPES
from build_pipeline.normalize.merging.draft import Reference
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.names import normalize_name

_HEADING: Final = re.compile(r"(?m)^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_NOT_LETTER: Final = re.compile(r"[^a-z0-9]+")
_RUN_IN_HEADING: Final = re.compile(r"\A\s*\*\*[*_]?[^*_\n]+[*_]?\*\*")
_BOLD_LINE: Final = re.compile(r"(?m)^\*\*(?P<name>[^*\n]+)\*\*\n+(?=(?P<below>[^\n]+))")
CONTENTS: Final = " contains these rules: "
"""The words after the name of a rule that has no text of its own, before the rules it contains."""
_OPENING_LETTERS: Final = 40
_LEAST_LETTERS: Final = 24
_VAGUE_CHAPTERS: Final = {"rules", "appendix"}


def squash(text: str) -> str:
    """Only the letters and digits of a text, so that different printings of it compare equal."""
    return _NOT_LETTER.sub("", normalize_name(text))


def contents(name: str, headings: Sequence[str]) -> str | None:
    """The text of a chapter that has none of its own: a list of the rules in it."""
    return f"{name}{CONTENTS}{', '.join(headings)}." if headings else None


def below(names: Iterable[str]) -> list[Reference]:
    """References to the rules below a rule, for its `related`."""
    return [Reference(RELATED_TYPES, name, below=True) for name in names]


def opening(text: str | None) -> str:
    """The first letters of a text, without headings, by which it is recognised; "" if it is too short for that."""
    body = _RUN_IN_HEADING.sub("", _HEADING.sub("", text or ""))
    letters = squash(body[: 8 * _OPENING_LETTERS])[:_OPENING_LETTERS]
    return letters if len(letters) >= _LEAST_LETTERS else ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A heading of a longer text with the text below it, up to the next heading.

    Attributes:
        level: the heading's level; 0 for the text before the first heading.
        heading: the heading as printed.
        body: the text below it, in Markdown; may be empty.
        above: the headings that enclose it, the outermost first.
    """

    level: int
    heading: str
    body: str
    above: tuple[str, ...] = ()


def split_at_headings(title: str, text: str) -> list[Piece]:
    """A text as pieces, the first headed by `title`; a first heading that repeats the title is that piece's own."""
    parts = _HEADING.split(text)
    pieces = [Piece(0, title, parts[0].strip())]
    above: list[tuple[int, str]] = []
    for mark, heading, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        if len(pieces) == 1 and not pieces[0].body and normalize_name(heading) == normalize_name(title):
            pieces[0] = replace(pieces[0], body=body.strip())
            continue
        above = [(level, name) for level, name in above if level < len(mark)]
        pieces.append(Piece(len(mark), heading, body.strip(), tuple(name for _, name in above)))
        above.append((len(mark), heading))
    return pieces


@dataclass(frozen=True)
class Section:
    """A section of v1, or a chapter or section of the D&D 5e API, cut into pieces.

    Attributes:
        raw: the object as received.
        name: its name.
        chapter: the chapter it is in; for a chapter, its own name.
        pieces: its text, cut at the headings.
    """

    raw: RawObject
    name: str
    chapter: str
    pieces: tuple[Piece, ...]

    @property
    def opening(self) -> str:
        """The opening by which it is recognised; "" if it begins with a heading."""
        return opening(self.pieces[0].body)

    @cached_property
    def openings(self) -> frozenset[str]:
        """The openings by which its pieces are recognised."""
        return frozenset(opening(piece.body) for piece in self.pieces) - {""}


@dataclass(frozen=True)
class Outline:
    """The chapters and sections that v1 and the D&D 5e API cut the rules into, and what they tell about other texts."""

    api_chapters: tuple[Section, ...] = ()
    api_sections: tuple[Section, ...] = ()
    v1_sections: tuple[Section, ...] = ()

    @cached_property
    def _pieces(self) -> dict[str, Piece]:
        pieces: dict[str, Piece] = {}
        for section in (*self.v1_sections, *self.api_sections, *self.api_chapters):
            for piece in section.pieces:
                if not _RUN_IN_HEADING.match(piece.body):  # the text is below that heading instead
                    pieces.setdefault(opening(piece.body), piece)
        return pieces

    def piece_with(self, text: str | None) -> Piece | None:
        """The piece that opens like a text: it has the heading below which the text is printed."""
        start = opening(text)
        return self._pieces.get(start) if start else None

    def with_headings(self, text: str | None) -> str | None:
        """A text with its bold lines turned into headings where other sources print them so ("**Surprise**")."""

        def heading(line: re.Match[str]) -> str:
            piece = self.piece_with(line["below"])
            printed = piece is not None and normalize_name(piece.heading) == normalize_name(line["name"])
            return f"### {line['name']}\n\n" if printed else line[0]

        return _BOLD_LINE.sub(heading, text) if text else text

    def chapters_of(self, slug: str, texts: Iterable[str | None]) -> list[str]:
        """The chapters that contain a ruleset with this slug and these texts, the most informative first."""
        starts = {opening(text) for text in texts} - {""}
        chapters = [s.chapter for s in (*self.api_sections, *self.api_chapters) if s.openings & starts]
        chapters += [s.chapter for s in self.v1_sections if s.raw.key == slug]
        # A stable sort: chapters whose name says nothing come last.
        return sorted(dict.fromkeys(chapters), key=lambda chapter: normalize_name(chapter) in _VAGUE_CHAPTERS)


def best_chapter(chapters: list[str], otherwise: str) -> str:
    """The first of `Outline.chapters_of`, or `otherwise` if its name says nothing ("Rules" and "Appendix")."""
    first = next(iter(chapters), "")
    return first if first and normalize_name(first) not in _VAGUE_CHAPTERS else otherwise


def read_outline(raw: RawLayer) -> Outline:
    """The outline that a snapshot's v1 sections and D&D 5e rules give; empty where it has none."""
    api_chapters = raw["dnd5e_api", "2014/rules"]
    chapter_of = {
        section["index"]: chapter.data["name"]
        for chapter in api_chapters.values()
        for section in chapter.data["subsections"]
    }
    return Outline(
        _sections(api_chapters.values(), lambda obj: obj.data["name"]),
        _sections(
            raw["dnd5e_api", "2014/rule-sections"].values(), lambda obj: str(chapter_of.get(obj.key, obj.data["name"]))
        ),
        _sections(raw["open5e_v1", "sections"].values(), lambda obj: obj.data["parent"]),
    )


def _sections(objects: Iterable[RawObject], chapter_of: Callable[[RawObject], str]) -> tuple[Section, ...]:
    return tuple(
        Section(obj, name, chapter_of(obj), tuple(split_at_headings(name, clean_text(obj.data["desc"]) or "")))
        for obj in objects
        for name in [obj.data["name"]]
    )
