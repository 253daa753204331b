"""Source text → clean Markdown; placeholders → None."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from build_pipeline.kept import kept
from build_pipeline.normalize.text.invisible import visible

_NONE: Final = {"none", "—"}
"""Placeholders for an empty list or table cell."""
_NOTHING: Final = {"", "coming soon!", "none", "null", "false", "nan", "--", "-", "—"}
_NOT_PROVIDED: Final = re.compile(r"\[?(?:no description|none) provided\b[^\n]{0,20}", re.IGNORECASE)

_CHARACTERS: Final = str.maketrans(
    {
        **dict.fromkeys("\u00ad\u200b\u2060\ufeff", ""),
        **dict.fromkeys("\t\u00a0\u202f\u3000" + "".join(map(chr, range(0x2000, 0x200B))), " "),
        **dict.fromkeys("\u2028\u2029\u0085", "\n"),
        "ﬀ": "ff",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
        # Windows-1252 quotation marks and dashes decoded as control characters.
        "\x91": "‘",
        "\x92": "’",
        "\x93": "“",
        "\x94": "”",
        "\x96": "–",
        "\x97": "—",
    }
)

_TAGS: Final = (
    "a|b|blockquote|br|caption|center|code|div|em|font|h[1-6]|hr|i|img|li|ol|p|pre|s|small|span|strong|sub|sup|table|"
    "tbody|td|tfoot|th|thead|tr|u|ul"
)
_TABLE: Final = re.compile(r"<table\b[^<>]*>(.*?)</table>", re.IGNORECASE | re.DOTALL)
_ROW: Final = re.compile(r"<tr\b[^<>]*>(.*?)</tr>", re.IGNORECASE | re.DOTALL)
_CELL: Final = re.compile(r"<t[hd]\b[^<>]*>(.*?)</t[hd]>", re.IGNORECASE | re.DOTALL)

_PADDING: Final = re.compile(r" {2,}|-{4,}")


def _without_padding(row: re.Match[str]) -> str:
    return _PADDING.sub(lambda run: "---" if run[0][0] == "-" else " ", row[0])


def _markdown_table(table: re.Match[str]) -> str:
    rows = [[" ".join(cell.split()) for cell in _CELL.findall(row)] for row in _ROW.findall(table[1])]
    lines = [f"| {' | '.join(cells)} |" for cells in rows if cells]
    if lines:
        lines.insert(1, f"|{'---|' * len(rows[0])}")
    return "\n\n" + "\n".join(lines) + "\n\n"


_TABLE_LINES: Final = re.compile(r"(?m)(?:^\|.*\n)(?:^\|[ \t:|-]*-[ \t:|-]*\|?\n)(?:^\|.*(?:\n|\Z))*")


def _closed_rows(table: re.Match[str]) -> str:
    """A Markdown table with every row closed after its last cell; trailing text moves below the table."""
    rows = table[0].rstrip("\n").split("\n")
    cells = rows[1].rstrip("| ").count("|")
    below = ""
    for n, row in enumerate(rows):
        if row.endswith("|"):
            continue
        if row.count("|") == cells:
            rows[n] = f"{row} |"
        elif row.count("|") == cells + 1 and row is rows[-1]:
            rows[n], _, below = row.rpartition("|")
            rows[n] += "|"
    return "\n".join(rows) + (f"\n\n{below.strip()}" if below else "") + "\n" * table[0].endswith("\n")


def _on_one_line(row: re.Match[str]) -> str:
    return " ".join(row[0].split("\n"))


_BREAKS: Final = re.compile(
    r"(?P<stop>[.,:;!?|]?)(?:(?<!\s)\s+)?(?:[<\[]br\s*/?[>\]]\s*)+(?P<end>(?=\|))?", re.IGNORECASE
)


def _without_breaks(row: re.Match[str]) -> str:
    """A table row without line breaks in its cells, which Markdown would take for new rows."""
    return _BREAKS.sub(
        lambda found: found["stop"] + ("; " if not found["stop"] and found["end"] is None else " "), row[0]
    )


def _blank_head(row: re.Match[str]) -> str:
    """A header of unnamed columns for a table that starts with the given row."""
    width = len(re.findall(r"(?<!\\)\|", row[1])) - 1
    return f"|{' |' * width}\n|{'---|' * width}\n"


_STEPS: Final[tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = (
    # Corrupted characters.
    ("\r", re.compile(r"\r\n?"), "\n"),
    ("\\n", re.compile(r"\\n"), "\n"),
    ("", re.compile(r"(?:(?<!-)-+)?[\u2010\u2011]+"), "-"),
    ("\ufffd", re.compile(r"(?<=\d)\ufffd(?=\d)"), "–"),
    ("\ufffd", re.compile("\ufffd"), ""),
    ("â€", re.compile("â€(?:™|\x99)"), "’"),
    ("", re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"), ""),
    # Words and sentences wrongly joined or split.
    (".", re.compile(r"(?<=[a-z]{3}[.!?])(?=[A-Z][a-z]+ [a-z])"), " "),
    ("†", re.compile(r"(?<=[^\n|])\n(?=†)"), "\n\n"),
    (", 0", re.compile(r"(?<=\d), (?=000\b)"), ","),
    ("—", re.compile(r"(?<=\d)—(?=foot\b)"), "-"),
    ("-", re.compile(r"(?<=[a-z]{2})-(?=(?:t|s|ve|re|ll)\b(?!-))"), "’"),
    ("1", re.compile(r"(?<=[a-z]{3})1(?=[st]\b)"), "’"),
    ("d", re.compile(r"(?<=[a-z]{3})(?=\d{1,2}d\d{1,2}\b)"), " "),
    ("- ", re.compile(r"(?<=\d)(st|nd|rd|th)?- (?=[a-z])(?!(?:or|and|to)\b)"), lambda m: f"{m[1] or ''}-"),
    ("- ", re.compile(r"\b(two|one|pre|non|self|newly)- (?=[a-z])(?!(?:or|and|to)\b)", re.IGNORECASE), r"\1-"),
    ("-foot", re.compile(r"(?<=\d-foot)(?=(?:radius|long|wide|tall|high|deep|diameter|square)\b)"), "-"),
    (" +", re.compile(r"(?<=\d )\+(?=\d+\))"), "+ "),
    ("+ ", re.compile(r"(?<=\dd\d)(\d?)\+ (?=\d+\))"), r"\1 + "),
    (" b ", re.compile(r"(?<=\d) b (?=\d+ ft\.)"), " by "),
    ("-to ", re.compile(r"(?<=\d)-(?=to \d+-foot\b)"), "- "),
    # Words printed twice: "moves with moves with", "dwell in lairs dwell in lairs", "to your to your".
    ("", re.compile(r"\b([a-z]+ with|[a-z]+ in [a-z]+|to your) (?=\1\b)"), ""),
    # "the staff 's head": the blank is left over from an "ff" ligature.
    ("f ", re.compile(r"(?<=f) (?=['’]s\b)"), ""),
    # HTML.
    ("<", _TABLE, _markdown_table),
    ("<", re.compile(r"<h([1-6])\b[^<>]*>\s*", re.IGNORECASE), lambda m: "\n\n" + "#" * int(m[1]) + " "),
    ("<", re.compile(r"</(?:h[1-6]|ul|ol|blockquote|p|div)\s*>", re.IGNORECASE), "\n\n"),
    ("<", re.compile(r"(?:(?<!\s)\s+)?<li\b[^<>]*>\s*", re.IGNORECASE), "\n* "),
    ("|", re.compile(r"(?m)^\|.*[<\[]br\s*/?[>\]].*\|[ \t]*$", re.IGNORECASE), _without_breaks),
    ("", re.compile(r"[<\[]br\s*/?[>\]]", re.IGNORECASE), "\n"),
    ("<", re.compile(r"</?(?:strong|b)\s*>", re.IGNORECASE), "**"),
    ("<", re.compile(r"</?(?:em|i)\s*>", re.IGNORECASE), "*"),
    ("<", re.compile(rf"</?\s*(?:{_TAGS})\b[^<>]*>", re.IGNORECASE), ""),
    # Markup left by other tools, and dead links; consecutive links form a list.
    (")[", re.compile(r"(?<=\]\()((?:https?://(?:api\.)?open5e\.com|/)[^()]*\))(?=\[[^\[\]]+\]\()"), r"\1, "),
    ("](", re.compile(r"\[([^\[\]]+)\]\((?:https?://(?:api\.)?open5e\.com|/)[^()]*\)"), r"\1"),
    ("[/", re.compile(r"\[(?:rule|condition)\](?:[^;\[\]]*;)?([^\[\]]*)\[/(?:rule|condition)\]"), r"\1"),
    ("+]", re.compile(r"\[/?\++\]"), ""),
    ("]|", re.compile(r" ?\[Area of Effect\]\|\w+\|\w+"), ""),
    ("srd:", re.compile(r"\bsrd:([a-z]+(?:-[a-z]+)*)"), lambda m: m[1].replace("-", " ")),
    # "[Ice Mephit|Ice]": a link whose bar was escaped as if it were a table's.
    ("\\|", re.compile(r"[A-Z][\w' -]{0,60}\\\|(?=[A-Z])"), ""),
    ("| ] |", re.compile(r"(?m)\| \] \|$"), "| |"),
    # Markdown.
    (" | ", re.compile(r"(?m)^([^|\n].*?[.:)”\"’]) (\|(?:[^|\n]*\|)+)[ \t]*\n(?=\| *-)"), r"\1\n\n\2\n"),
    # Tables whose rows lack the leading bar or span several lines, or whose caption ends in "(table)".
    ("|\n|", re.compile(r"(?m)^(?=[^|\s][^|\n]*\|[^\n]*\|[ \t]*\n\|[-:| \t]+\|[ \t]*$)"), "| "),
    ("|", re.compile(r"(?m)^[ \t]+(?=\|[^\n]*\|[ \t]*$)"), ""),
    ("|\n ", re.compile(r"(?m)(?<=\|\n)[ \t]+(?=[^|\s][^|\n]*\|[^|\n]*\|$)"), "| "),
    (
        "|",
        re.compile(
            r"(?<=\|\n)\|[^\n]*[^|\s](?:[ \t]*\n(?!\|)[^\n]*[^|\s\n])*[ \t]*\n(?![|\s])[^|\n]*\|[ \t]*(?=\n|\Z)"
        ),
        _on_one_line,
    ),
    (" (table)**", re.compile(r"\*\*([^*\n]+?) \(table\)\*\*\n*"), r"**\1**\n\n"),
    # The last row of a table and the header of the next ("| 6 | Treacle | | d6 | Ooze |") on one line.
    (" | d", re.compile(r"(?m)^(\| *\d+ *\|.*\|) (\| d\d+ \|.*\|)[ \t]*\n(?=\|[-:| ]+\|[ \t]*$)"), r"\1\n\n\2\n"),
    ("—", re.compile(r"(?m)^\|(?:—+\|)+$"), lambda m: re.sub("—+", "---", m[0])),
    ("|\n\n|", re.compile(r"(?m)^(\|.*\|)\n\n(?=\|.*\|$(?!\n\|[\s:|-]+\|))"), r"\1\n"),
    ("|", _TABLE_LINES, _closed_rows),
    ("Table: ", re.compile(r"(?m)^(?:#+ |[*_]{2})*Table: ([^|\n]+?)(?:\*\*|__)*$\n*"), r"**\1**\n\n"),
    ("*** ", re.compile(r"\*\*\* (?=[^\s*][^*\n]*[.:]\*\*(?!\*))"), "**"),
    # Italics turned inside out: "_less than that of_ Snow Cloak_)._".
    ("_)._", re.compile(r"(?<![\w_])_([^_\n]+)_ ([A-Z][^_\n]*)_\)\._"), r"\1 _\2_)."),
    # A bonus that lost its sign: "it becomes a _1 longsword_".
    (" _", re.compile(r"(?<= )_(?=[123] [a-z][a-z ]*[.,]?_(?!\w))"), "_+"),
    ("** **", re.compile(r"(?<=[^\s*])\*\* \*\*(?=[^\s*])"), " "),
    ("__", re.compile(r"(?<![\w*_])__(?=[^\s_*][^_*\n]*_(?!_))"), "_"),
    # Emphasis that ends after the bracket it begins in: "(the _drowned bell )_".
    (")_", re.compile(r"(\([^()_\n]{0,30}_[^_()\n]*[^\s_()]) ?\)_(?![\w_])"), r"\1_)"),
    ("_ see _", re.compile(r"(?<=,)_ see _(?=invisibility\b)"), " see "),
    ("_ ", re.compile(r"(?<=[^\s_]_) (?=[,;:)!?]|\.(?:\s|$))"), ""),
    (" ", re.compile(r"(?<=\w) (?=[.,]_(?:\s|$))"), ""),
    ("_ —", re.compile(r"(?<=\w_) (?=—)"), ""),
    (" ,", re.compile(r"(?<=[a-z]) (?=, )"), ""),
    (" .", re.compile(r"(?<=[a-z]) (?=\.(?:\n|\Z| [A-Z]))"), ""),
    ("+ ", re.compile(r"(?<=\ba \+) (?=\d bonus)"), ""),
    ("( ", re.compile(r"\( +(?=\w)"), "("),
    ("the the ", re.compile(r"\bthe (?=the\b)"), ""),
    # Emphasis that begins or ends within a word: "sugges_tion_", "_gate s_pell", "_The Ches_t".
    ("_", re.compile(r"(?<![\w_])([a-z]{3,})_([a-z]{2,})_(?![\w_])"), r"_\1\2_"),
    ("_", re.compile(r"(?<![\w_])(_[^\s_](?:[^_\n]*[^\s_])?) +([a-z])_([a-z]+)\b"), r"\1_ \2\3"),
    # Emphasis that ends before the last word of a spell's name: "the *speak* softly spell".
    ("* ", re.compile(r"(?<![\w*])\*([a-z]+)\* (?!(?:and|or)\b)([a-z]+)(?= (?:spell|cantrip)\b)"), r"*\1 \2*"),
    # A site's message that the link of a name, or of a spell name's first word, leads nowhere.
    ("Freelinking", re.compile(r"` Freelinking: Node title (_[^_`\n]+_) does not exist `"), r"\1"),
    ("Freelinking", re.compile(r"_` Freelinking: Node title (\w+) does not exist `_ (\w+)"), r"_\1 \2_"),
    # The leftover target of a link to a creature.
    ("#^", re.compile(r" ?\( ?[^()\n]*#\^\w+\)"), ""),
    ("_", re.compile(r"(?<![\w_])(_[^\s_][^_\n]*[a-z])_([a-z])\b"), r"\1\2_"),
    # An escaped "#" at the start of a line marks a list item, not a heading.
    ("\\#", re.compile(r"(?m)^\\# "), "* "),
    ("\\", re.compile(r"\\([.\-\[\]#])"), r"\1"),
    ("", re.compile(r"(?:(?<!\s)\s+)?[•●▪◦‣]\s*"), "\n* "),
    # A table right below a line of text, which many Markdown parsers treat as part of that paragraph.
    ("\n|", re.compile(r"(?m)^(?!\|)(.*\S)\n(?=\|[^\n]*\|[ \t]*\n\|[ \t:|-]+\|[ \t]*$)"), r"\1\n\n"),
    # Rows without a header, which would be read as text.
    (
        "|\n|",
        re.compile(r"(?m)(?:\A|(?<=\n\n))(?=(\|[^\n]*\|)[ \t]*\n\|(?![-:| \t]+$)[^\n]*\|[ \t]*$)"),
        _blank_head,
    ),
    # A table that its source repeats.
    ("|\n|", re.compile(r"(?ms)^(#{1,6} [^\n]+\n+\|[^\n]+(?:\n\|[^\n]+)+)\n+\1$"), r"\1"),
    # A table's footnote, and a list item.
    ("|\n\n*", re.compile(r"(?m)(?<=\|\n\n)\*(?=[A-Z][^*\n]*$)"), r"\*"),
    ("*", re.compile(r"(?m)^\*(?=[A-Z][^*\n]*$)"), "* "),
    ("\n ", re.compile(r"(?m)^ (?=[*-] |\*{2,3}[^\s*])"), ""),
    ("\n ", re.compile(r"(?<!\n)\n+ (?=[A-Z“])"), "\n\n"),
    # A list whose items are on one line with the sentence that introduces it, or with one another.
    (" - ", re.compile(r"(?<=[:.]) - (?=[A-Z][^\n]*\n+- )"), "\n\n- "),
    (" - ", re.compile(r"(?<=:) - (?=\*{0,2}[A-Z])"), "\n\n- "),
    (" - ", re.compile(r"(?m)^(- [^\n]*\.) - (?=\*{0,2}[A-Z])"), r"\1\n- "),
    # Text that follows a list without a blank line would be part of its last item.
    ("\n", re.compile(r"(?m)^([*-] .*[.!?])\n(?=[A-Z][a-z]|I )"), r"\1\n\n"),
    ("\n", re.compile(r"(?m)^(\* .*[a-z])\n(?=[A-Z][^\n:]*\.)"), r"\1\n\n"),
    ("\n  ", re.compile(r"\n {2,3}(?=[A-Z“*])(?!\* )"), "\n\n"),
    # A line broken within a sentence.
    (
        "\n",
        re.compile(
            r"(?m)^(?![#>|*-])(.{30,}(?:[a-z,](?= ?\n[a-z(])|\b(?:on|of|the|an?|to|with|in|for|by))) ?\n(?=[\w(])"
        ),
        r"\1 ",
    ),
    # Paragraphs without a blank line between them, which Markdown would join.
    ("\n", re.compile(r"(?m)^(?![|>#]|[*-] |\d+\.)(\S.{20,}[.!?][”\"’')]?)\n(?=[A-Z“\"])"), r"\1\n\n"),
    ("\n*", re.compile(r"(?m)^(?![|>#]|[*-] |\d+\.)(\S.*[^\s|])\n(?=\*{2,3}_?[A-Z][^*\n]{1,60}\*{2,3})"), r"\1\n\n"),
    ("##", re.compile(r"(?m)^(#{2,6})(?=[^#\s])"), r"\1 "),
    ("|", re.compile(r"(?m)^\|[ \t]*\n\s*([^\n|]+?)[ \t]*\n\s*\|"), r"| \1 |"),
    # Two spaces mark a lost line break, or mean nothing.
    ("  ", re.compile(r"(?<=\S) {2,}(?=#{2,6} )"), "\n\n"),
    ("  ", re.compile(r"(?<=[a-z]) {2,}(?=\*\*[A-Z])"), "\n\n"),
    ("  ", re.compile(r"(?<=\S) {2,}(?=\S)"), " "),
    ("", re.compile(r"(?<![ \t])[ \t]+$", re.MULTILINE), ""),
    ("|", re.compile(r"^\|.*\|$", re.MULTILINE), _without_padding),
    ("\n\n\n", re.compile(r"\n{3,}"), "\n\n"),
)
"""Replacements, in order: (substring required for a match, to skip the regex; pattern; replacement)."""


def known(value: Any) -> Any:
    """`value`, or None if it is a source's placeholder ("None", "False", "null", "--", "")."""
    if isinstance(value, str) and (value.strip().casefold() in _NOTHING or _NOT_PROVIDED.fullmatch(value.strip())):
        return None
    return value


def stated(value: str | None) -> str | None:
    """`value`, `none` where a text says that there is none, or None if it says nothing.

    >>> stated("None"), stated("—"), stated("")
    ('none', 'none', None)
    """
    return "none" if (value or "").strip().casefold() in _NONE else known(value)


def clean_text(value: str | list[str] | None) -> str | None:
    """Clean Markdown of a description, or None if it is empty.

    Joins lists of paragraphs; converts HTML to Markdown; removes links to the APIs' retired pages, markup of other
    tools, broken characters and stray whitespace; keeps tables, emphasis and a mathematical "<". Idempotent.
    """
    if value is None:
        return None
    text = "\n\n".join(value) if isinstance(value, list) else value
    # One replacement may expose another ("&lt;br&gt;"), so repeat until nothing changes.
    while (cleaned := _clean_once(text)) != text:
        text = cleaned
    return text if known(text) is not None else None


@lru_cache(maxsize=2**15)  # sources repeat texts, and each is cleaned until nothing changes
@kept
def _clean_once(text: str) -> str:
    text = visible(html.unescape(text)).translate(_CHARACTERS)  # `&rlm;` is invisible, too
    for part, pattern, replacement in _STEPS:
        if part in text:
            text = pattern.sub(replacement, text)
    return text.strip()
