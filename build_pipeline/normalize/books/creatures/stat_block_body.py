"""The body of a stat block of the System Reference Documents, below its head: traits, actions, lore."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.normalize.text.stat_blocks.actions import action, legendary_uses, trait
from build_pipeline.normalize.text.stat_blocks.markdown import spell_lines

COLUMNS: Final = {
    "traits": "traits",
    "actions": "actions",
    "bonus actions": "bonus_actions",
    "reactions": "reactions",
    "legendary actions": "legendary_actions",
    "lair actions": "lair_actions",
}
"""Heading inside a stat block → the column for the rows below it."""

_LABEL: Final = re.compile(r"(?P<open>\*{2,3})(?P<name>[^*\n]+?[.!?])(?P<close>\*{2,3})[ \t]*")
_RUN_IN_LABEL: Final = re.compile(r"(?<=[.!?]) (?=\*{3}[A-Z][^*\n]*[.!?]\*{3} )|\n(?=\*{2,3}[A-Z][^*\n]*\.\*{2,3} )")
_UNMARKED_LABEL: Final = re.compile(r"(?<=[a-z]) (?P<label>[A-Z][a-z]+ \((?:Recharge|\d/Day)[^()]*\)\.)(?= [A-Z])")
_ANNOUNCES: Final = re.compile(r"\bone of the following\b|\bas detailed below\b")
_HEADING: Final = re.compile(r"\*{2,3}(?P<name>[A-Z][A-Za-z ]+)\*{2,3}")
_RULE: Final = re.compile(r"^\s*(?:-{3,}|\*{3,})\s*$", re.MULTILINE)
_GAME_TERM: Final = re.compile(
    r"\d|\b(?:targets?|saves?|saving|hit points|speed|(?:bonus )?actions?|in (?:this|that|its) (?:way|form)|"
    r"this effect|while|whenever|no more than)\b",
    re.IGNORECASE,
)
_BOLD: Final = re.compile(r"\*\*[^*\n]+\*\*")


@dataclass(slots=True)
class _Row:
    name: str
    paragraphs: list[str]


def read_body(parts: list[tuple[str, str]], *, with_lore: bool) -> dict[str, Any]:
    """The columns of traits and actions, how the legendary actions work, and all other text as `description`.

    Args:
        parts: (heading, text) of the block's sections in reading order; traits may be under the heading "".
        with_lore: whether paragraphs about the creature may follow its last action, as in the book of 2014.
    """
    columns: dict[str, list[_Row]] = {column: [] for column in COLUMNS.values()}
    introduction = ""
    lore: list[str] = []
    last: _Row | None = None
    for heading, text in _with_inner_headings(parts):
        column = COLUMNS.get(heading.lower() or "traits")
        before, rows = _rows(text)
        if column is None:
            lore += [f"### {heading}", text]
            continue
        if column == "legendary_actions":
            introduction = "\n\n".join(before).strip("*_ ")
        else:
            lore += before
        columns[column] += rows
        last = rows[-1] if rows else last
    if with_lore and last is not None:
        lore = [*_cut_lore(last), *lore]
    parts_of = {column: [(row.name, "\n\n".join(row.paragraphs)) for row in rows] for column, rows in columns.items()}
    return {
        "description": clean_text("\n\n".join(lore)),
        "traits": [trait(*row) for row in parts_of.pop("traits")],
        "legendary_description": clean_text(introduction),
        "legendary_uses": legendary_uses(introduction),
        **{column: [action(*row) for row in rows] for column, rows in parts_of.items()},
        "lair_actions": [action(*row) for row in parts_of["lair_actions"]] or None,
    }


def _with_inner_headings(parts: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The parts, split again at lines such as "**Actions**" that serve as headings."""
    for heading, text in parts:
        current = heading
        paragraphs: list[str] = []
        for paragraph in _paragraphs(text):
            inner = _HEADING.fullmatch(paragraph)
            if inner and inner["name"].lower() in COLUMNS:
                yield current, "\n\n".join(paragraphs)
                current, paragraphs = inner["name"], []
            else:
                paragraphs.append(paragraph)
        yield current, "\n\n".join(paragraphs)


def _paragraphs(text: str) -> list[str]:
    listed = spell_lines(_RULE.sub("", text))
    listed = _RUN_IN_LABEL.sub("\n\n", _UNMARKED_LABEL.sub(r"\n\n***\g<label>***", listed))
    return [part.strip() for part in re.split(r"\n\s*\n", listed) if part.strip()]


def _rows(text: str) -> tuple[list[str], list[_Row]]:
    """(paragraphs before the first label, rows). Labels marked differently from the first belong to the row's text."""
    before: list[str] = []
    rows: list[_Row] = []
    mark = None
    for paragraph in _paragraphs(text):
        label = _LABEL.match(paragraph)
        is_option = label and rows and _is_option(label["name"], rows[-1], mark)
        if label and mark in {None, label["open"]} and not is_option:
            mark = label["open"]
            # "***Bite.** Melee Weapon Attack:* +4": the emphasis continues after the label.
            emphasis = "*" * (len(label["open"]) - len(label["close"]))
            rows.append(_Row(label["name"], [emphasis + paragraph[label.end() :]]))
        elif rows:
            rows[-1].paragraphs.append(paragraph)
        else:
            before.append(paragraph)
    return before, [_Row(row.name, _joined_lists(row.paragraphs)) for row in rows]


def _is_option(name: str, row: _Row, mark: str | None) -> bool:
    """Whether a label is an option that a row announces: "Fire Breath" of "Breath Weapons", or any label after a colon.

    The colon counts only where names have two asterisks: where they have three, options have two and need no test.
    """
    kind = name.rstrip(".!?").lower().split()[-1]
    announced = _ANNOUNCES.search(row.paragraphs[0]) and kind in row.name.lower().split()
    listed = mark == "**" and row.paragraphs[0].endswith(":") and not row.paragraphs[-1].startswith(("* ", "- "))
    return bool(announced) or listed


def _joined_lists(paragraphs: list[str]) -> list[str]:
    """The paragraphs, with the items of one list joined into one."""
    joined: list[str] = []
    for paragraph in paragraphs:
        if joined and paragraph.startswith("* ") and joined[-1].startswith("* "):
            joined[-1] = f"{joined[-1]}\n{paragraph}"
        else:
            joined.append(paragraph)
    return joined


def _cut_lore(row: _Row) -> list[str]:
    """Cut the paragraphs about the creature off its last action: they name it in bold, or contain no game term."""
    for number, paragraph in enumerate(row.paragraphs):
        is_part = paragraph.startswith("* ") or _LABEL.match(paragraph)
        if number and not is_part and (_BOLD.search(paragraph) or not _GAME_TERM.search(paragraph)):
            lore = row.paragraphs[number:]
            del row.paragraphs[number:]
            return lore
    return []
