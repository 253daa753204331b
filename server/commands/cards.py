"""A tool's response for people: a card for each record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, RenderableType

_IDENTITY: Final = frozenset(
    {
        "id",
        "name",
        "slug",
        "entity_type",
        "description",
        "document",
        "document_key",
        "document_name",
        "document_source",
        "sources",
        "license",
        "game_system",
        "truncated",
    }
)


def print_answer(answer: dict[str, Any], console: Console) -> None:
    """Print a response: its table or a card for each record, then counts, message and suggestions."""
    if "text" in answer:
        console.print(answer["text"], soft_wrap=True, highlight=False, markup=False)
    else:
        for record in answer["results"]:
            console.print(_document_row(record) if "entity_count" in record else _card(record))
    console.print(_summary(answer), style="dim", highlight=False, markup=False)


def _summary(answer: dict[str, Any]) -> str:
    """How many records there are, the message, and suggestions that the message does not name."""
    message = answer["message"] or ""
    more = [name for name in answer["suggestions"] if name not in message]
    parts = [f"{answer['count']} of {answer['total']}.", message, f"See also: {', '.join(more)}." if more else ""]
    return " ".join(filter(None, parts))


def _document_row(row: dict[str, Any]) -> Text:
    facts = (row["source_api"], row["game_system"], row["license"])
    return Text.assemble(
        (row["document_key"], "bold"),
        f"  {row['document_name']}  ",
        (f"{row['entity_count']:,} entries  ", "cyan"),
        (", ".join(fact for fact in facts if fact), "dim"),
    )


def _card(record: dict[str, Any]) -> Panel:
    parts: list[RenderableType] = []
    facts = Table.grid(padding=(0, 2))
    for name, value in record.items():
        if name not in _IDENTITY and (shown := _fact(value)):
            facts.add_row(Text(name.replace("_", " "), style="cyan"), Text(shown))
    if facts.row_count:
        parts.append(facts)
    texts = [record.get("description") or "", *_passages(record)]
    parts += [Markdown(text) for text in texts if text]
    source = Text(f"{record['document_name']}  {record['id']}", style="dim")
    return Panel(Group(*parts), title=Text(record["name"], style="bold"), subtitle=source, title_align="left")


def _fact(value: Any) -> str:
    """A value on one line; "" if it is unknown, empty or a list of texts."""
    if value is None or value in ([], {}):
        return ""
    if isinstance(value, bool | float):
        return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value:g}"
    if isinstance(value, dict):
        members = ((name.replace("_", " "), _fact(member)) for name, member in value.items())
        return ", ".join(f"{name} {member}" for name, member in members if member)
    if isinstance(value, list):
        if any(isinstance(member, dict) and "description" in member for member in value):
            return ""
        return "; ".join(filter(None, map(_fact, value)))
    return str(value)


def _passages(record: dict[str, Any]) -> Iterator[str]:
    """Lists of named texts, such as actions and features, as Markdown with a heading."""
    for name, value in record.items():
        if isinstance(value, list) and any(isinstance(member, dict) and "description" in member for member in value):
            lines = [f"### {name.replace('_', ' ').capitalize()}"]
            lines += [f"**{member['name']}.** {member.get('description') or ''}" for member in value]
            yield "\n\n".join(lines)
