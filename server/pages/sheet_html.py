"""Sheets as HTML. Their texts are third-party: their HTML is escaped, their links and images are dropped.

All links lead to pages of the library: the name of an entity that the record links to becomes a link where it first
appears in each section.
"""

from __future__ import annotations

import re
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from server.dataset.printable import printable
from server.pages.anchors import anchor_of
from server.pages.html import Html

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markdown_it.renderer import RendererHTML
    from markdown_it.utils import EnvType, OptionsDict

_LOWEST: Final = 6
_LABEL_WORDS: Final = 6
"""Maximum number of column headings in a table's label for screen readers."""
_DROPPED: Final = frozenset({"link_open", "link_close"})
_ALIGNED: Final = {"text-align:center": "center", "text-align:right": "right"}


def _table_open(renderer: RendererHTML, tokens: Sequence[Token], place: int, options: OptionsDict, env: EnvType) -> str:
    """A table in a box that scrolls on its own, including by keyboard."""
    label = escape(tokens[place].meta["label"])
    opened = renderer.renderToken(tokens, place, options, env)
    return f'<div class="table" role="group" tabindex="0" aria-label="{label}">{opened}'


def _table_close(
    renderer: RendererHTML, tokens: Sequence[Token], place: int, options: OptionsDict, env: EnvType
) -> str:
    return renderer.renderToken(tokens, place, options, env) + "</div>"


_PARSER: Final = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["code", "fence", "backticks"])
"""Without code: in a book, an indented line or a grave accent does not start code."""
_PARSER.add_render_rule("table_open", _table_open)
_PARSER.add_render_rule("table_close", _table_close)


def sheet_html(markdown: str, links: Mapping[str, str], *, anchors: bool = True) -> Html:
    """A sheet as HTML.

    Args:
        markdown: the sheet. Its first heading gets level 1, each later one at most one level more than the one before
            it.
        links: name → address of its page.
        anchors: whether headings, traits, actions and labels get ids; False where a page shows several sheets.
    """
    tokens = _PARSER.parse(printable(markdown))
    _number_headings(tokens)
    _name_tables(tokens)
    if anchors:
        _anchor(tokens)
    _link(tokens, links)
    return Html(_PARSER.renderer.render(tokens, _PARSER.options, {}))


def line_html(markdown: str) -> Html:
    """A line of Markdown as HTML."""
    (inline,) = _PARSER.parseInline(printable(markdown))
    inline.children = list(_own(inline.children or ()))
    return Html(_PARSER.renderer.render([inline], _PARSER.options, {}))


def _number_headings(tokens: Sequence[Token]) -> None:
    levels = [int(token.tag[1:]) for token in tokens if token.type == "heading_open"]
    first, level = next(iter(levels), 1), 0
    for token in tokens:
        if token.type == "heading_open":
            level = min(level + 1, int(token.tag[1:]) - first + 1, _LOWEST)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{level}"


def _name_tables(tokens: Sequence[Token]) -> None:
    """Give each table a label, and its cells their alignment as CSS classes."""
    table: Token | None = None
    columns: list[str] = []
    for place, token in enumerate(tokens):
        if token.type == "table_open":
            table, columns = token, []
        elif token.type in ("th_open", "td_open"):
            aligned = _ALIGNED.get(str(token.attrs.pop("style", "")))
            if aligned:
                token.attrSet("class", aligned)
            if token.type == "th_open":
                token.attrSet("scope", "col")
                columns.append(tokens[place + 1].content)
        elif token.type == "thead_close" and table is not None:
            said = [text for text in columns if text][:_LABEL_WORDS]
            table.meta["label"] = f"Table: {', '.join(said)}" if said else "Table"


def _anchor(tokens: Sequence[Token]) -> None:
    """Give headings, the paragraphs of traits and actions, and the labels of facts their anchors as ids.

    If several share an anchor, a heading or paragraph takes it before a label, otherwise the first one does.
    """
    named = [*_named_blocks(tokens), *_labels(tokens)]
    taken: set[str] = set()
    for token, name in named:
        anchor = anchor_of(name)
        if anchor and anchor not in taken:
            taken.add(anchor)
            token.attrSet("id", anchor)


def _named_blocks(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    """Headings, and paragraphs that begin with a name in bold italics, each with its name."""
    for opened, inline in pairwise(tokens):
        children = [child for child in inline.children or () if child.type != "text" or child.content]
        if opened.type == "heading_open":
            yield opened, "".join(child.content for child in children)
        begins = [child.type for child in children[:3]] == ["em_open", "strong_open", "text"]
        if opened.type == "paragraph_open" and begins:
            yield opened, children[2].content.rstrip(".:!?")


def _labels(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    """Labels, in bold at the beginning of a line, each with its text."""
    for token in tokens:
        before = ""
        children = [child for child in token.children or () if child.type != "text" or child.content]
        for opened, text in pairwise(children):
            if opened.type == "strong_open" and before in ("", "hardbreak", "softbreak"):
                yield opened, text.content.rstrip(".:!?")
            before = opened.type


def _link(tokens: Sequence[Token], links: Mapping[str, str]) -> None:
    """Drop the links and images of the texts, and link names to their pages, once in each section."""
    addresses = {name.casefold(): address for name, address in links.items()}
    names = re.compile(
        rf"(?<![\w/-])(?:{'|'.join(sorted(map(re.escape, addresses), key=len, reverse=True))})(?![\w/-])",
        re.IGNORECASE,
    )
    said: set[str] = set()
    in_heading = False
    for token in tokens:
        if token.type == "inline":
            own = _own(token.children or ())
            token.children = list(own if in_heading or not links else _linked(own, names, addresses, said))
        in_heading = token.type == "heading_open"
        if in_heading:
            said.clear()


def _own(children: Sequence[Token]) -> Iterator[Token]:
    """The tokens with links and images replaced by their text."""
    for child in children:
        if child.type == "image":
            yield _text(child.content)
        elif child.type not in _DROPPED:
            yield child


def _linked(
    children: Iterator[Token], names: re.Pattern[str], addresses: Mapping[str, str], said: set[str]
) -> Iterator[Token]:
    for child in children:
        if child.type != "text":
            yield child
            continue
        rest = 0
        for found in names.finditer(child.content):
            address = addresses[found[0].casefold()]
            if address in said:
                continue
            said.add(address)
            yield _text(child.content[rest : found.start()])
            yield Token("link_open", "a", 1, attrs={"href": address})
            yield _text(found[0])
            yield Token("link_close", "a", -1)
            rest = found.end()
        yield _text(child.content[rest:])


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
