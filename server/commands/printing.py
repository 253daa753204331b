"""Records on a terminal: full ones as sheets, those of a list on one line each."""

from __future__ import annotations

import os
import pydoc
import re
import shlex
import shutil
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len
from rich.text import Text

from server.commands.terminal_markdown import TerminalMarkdown
from server.commands.wording import in_a_terminal
from server.dataset.terminal import Terminal, encodable
from server.sheets.line import brief, line
from server.sheets.markdown import unmarked
from server.sheets.sheet import render

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_WIDEST_DOCUMENT: Final = 12
"""Widest document key that the column makes room for; longer ones push the rest of their line to the right."""


def print_paged(write: Callable[[Terminal], None]) -> None:
    """Print to stdout; on a terminal, text that does not fit the screen goes through a pager.

    Lines lose the spaces with which they are filled up to the width.
    """
    console = Terminal()
    with console.capture() as capture:
        write(console)
    text = re.sub(r" +$", "", capture.get(), flags=re.MULTILINE)
    if console.is_terminal and text.count("\n") >= console.height:
        _page(encodable(text, console.encoding))
    else:
        console.file.write(text)
        console.file.flush()


def _page(text: str) -> None:
    """Show a text in the pager that the environment names; if there is no such program, in the system's."""
    os.environ.setdefault("LESS", "-RFX")  # the flags that git uses: colours, no pager for a short text
    os.environ.pop("MANPAGER", None)  # pydoc prefers it, and it may understand only manuals
    chosen = shlex.split(os.environ.get("PAGER", ""), posix=os.name != "nt")
    if not chosen or shutil.which(chosen[0]) is None:
        os.environ.pop("PAGER", None)
    pydoc.pager(text)


def print_answer(answer: dict[str, Any], console: Terminal, *, full: bool, page: int) -> None:
    """Print a page of hits, as a line each or, with `full`, as sheets; then the counts and how to see more."""
    if full:
        for record in answer["results"]:
            print_sheet(record, console)
    else:
        print_lines(answer["results"], console)
    print_notes(answer, console)
    ways = ["lorekeeper show NAME prints one"] if answer["results"] and not full else []
    ways += [f"--page {page + 1} shows the next"] if answer["next_offset"] is not None else []
    if ways:
        console.print(f"{', '.join(ways)}.", style="dim", highlight=False)


def print_sheet(record: dict[str, Any], console: Terminal) -> None:
    """Print a full record as its sheet."""
    console.print(TerminalMarkdown(render(record)))
    console.print()


def print_lines(records: Sequence[dict[str, Any]], console: Terminal) -> None:
    """Print each record on one line: its name, its document, and what helps to choose.

    That is its facts and first sentence; for a ranked record, one fact and the sentence that matched.
    """
    names = _width(map(_called, records), console.width // 3)
    documents = _width((record["document_key"] for record in records), _WIDEST_DOCUMENT)
    for record in records:
        _print_line(record, names, documents, console)


def print_choices(records: Sequence[dict[str, Any]], console: Terminal) -> None:
    """Print each record on one line: its id, by which people can ask for it, and what helps to choose."""
    ids = _width((record["id"] for record in records), console.width * 2 // 3)
    for record in records:
        _print_cut(Text.assemble((f"{record['id']:<{ids}}", "bold"), _helps(line(record), record)), console)


def _width(words: Iterable[str], most: int) -> int:
    """The width of a column with room for all words that are not wider than `most`."""
    return max((cell_len(word) for word in words if cell_len(word) <= most), default=0)


def _called(record: dict[str, Any]) -> str:
    variants = record.get("variants")
    return f"{record['name']} and {variants['count']} more" if variants else str(record["name"])


def _print_line(record: dict[str, Any], names: int, documents: int, console: Terminal) -> None:
    score = record.get("similarity_score")
    name, called = record["name"], _called(record)
    shown = Text.assemble(
        ("" if score is None else f"{score:.2f}  ", "cyan"),
        (name, "bold"),
        called[len(name) :] + " " * (names - cell_len(called)),
        f"  {record['document_key']:<{documents}}",
        _helps(line(record) if score is None else brief(record), record),
    )
    _print_cut(shown, console)
    if parts := record.get("score_parts"):
        console.print(
            "      " + ", ".join(f"{name} {value}" for name, value in parts.items()), style="dim", markup=False
        )


def _helps(facts: str, record: dict[str, Any]) -> tuple[str, str]:
    """What helps to choose a record, and the style: facts, and the sentence that matched or is first."""
    said = filter(None, (unmarked(facts), record.get("matched") or record.get("description")))
    return f"  {' · '.join(said)}".rstrip(), "dim"


def _print_cut(text: Text, console: Terminal) -> None:
    """Print a line, cut at the width if there is one: another program that reads it gets the whole line."""
    has_width = console.is_terminal or "COLUMNS" in os.environ
    console.print(text, no_wrap=True, overflow="ellipsis" if has_width else "ignore", crop=has_width)


def print_notes(answer: dict[str, Any], console: Terminal) -> None:
    """Print the counts, the message, and the suggestions that the message does not name."""
    message = in_a_terminal(answer["message"] or "")
    more = [name for name in answer["suggestions"] if name not in message]
    counts = f"{answer['count']} of {answer['total']:,}." if answer["total"] else ""
    parts = [counts, message, f"See also: {', '.join(more)}." if more else ""]
    console.print(" ".join(filter(None, parts)), style="dim", highlight=False, markup=False)
