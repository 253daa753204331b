"""Records on a terminal: full ones as their sheets, those of a list on one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from server.commands.terminal_markdown import TerminalMarkdown
from server.sheets.sheet import render

if TYPE_CHECKING:
    from rich.console import Console


def print_answer(answer: dict[str, Any], console: Console, *, full: bool) -> None:
    """Print a response: its table, or its records with what it says about itself; `full`: the call asked for that."""
    if "text" in answer:
        console.print(answer["text"], soft_wrap=True, highlight=False, markup=False)
    else:
        for record in answer["results"]:
            if "entity_count" in record:
                console.print(_document_line(record))
            elif full and "truncated" not in record:
                print_sheet(record, console)
            else:
                print_line(record, console)
    print_notes(answer, console)


def print_sheet(record: dict[str, Any], console: Console) -> None:
    """Print a full record as its sheet."""
    console.print(TerminalMarkdown(render(record)))
    console.print()


def print_line(record: dict[str, Any], console: Console) -> None:
    """Print a record's name, id and first sentence on one line, cut at the terminal's width."""
    score = record.get("similarity_score")
    variants = record.get("variants")
    line = Text.assemble(
        ("" if score is None else f"{score:.2f}  ", "cyan"),
        (record["name"], "bold"),
        f" and {variants['count']} more" if variants else "",
        f"  {record['id']}",
        (f"  {record.get('description') or ''}".rstrip(), "dim"),
    )
    console.print(line, no_wrap=True, overflow="ellipsis")
    if parts := record.get("score_parts"):
        console.print(
            "      " + ", ".join(f"{name} {value}" for name, value in parts.items()), style="dim", markup=False
        )


def print_notes(answer: dict[str, Any], console: Console) -> None:
    """Print how many records there are, the message, and suggestions that the message does not name."""
    message = answer["message"] or ""
    more = [name for name in answer["suggestions"] if name not in message]
    parts = [f"{answer['count']} of {answer['total']}.", message, f"See also: {', '.join(more)}." if more else ""]
    console.print(" ".join(filter(None, parts)), style="dim", highlight=False, markup=False)


def _document_line(row: dict[str, Any]) -> Text:
    facts = (row["source_api"], row["game_system"], row["license"])
    return Text.assemble(
        (row["document_key"], "bold"),
        f"  {row['document_name']}  ",
        (f"{row['entity_count']:,} entries  ", "cyan"),
        (", ".join(fact for fact in facts if fact), "dim"),
    )
