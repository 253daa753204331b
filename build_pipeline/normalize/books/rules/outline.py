"""A book's rules as a tree: the sections that are rules, and the named parts inside their texts.

Such parts are sidebars, tables with a caption, and paragraphs that begin with the word they explain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Final

from build_pipeline.normalize.books.rules.contents import (
    FOLDED,
    LISTS,
    MOVED,
    NO_RULES,
    RUN_INS,
    TAGGED,
    VOCABULARIES,
    WHOLE,
    Path,
    first_match,
    matches_any,
    path_of,
)
from build_pipeline.normalize.books.tree import Section
from build_pipeline.normalize.merging.directory import singular
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.snapshot.raw import RawObject
from server.dataset.names import normalize_name

_TAG: Final = re.compile(r"(?P<name>.+?)\s+\[(?P<tag>[^\]]+)\]")
_RULER: Final = re.compile(r"(?m)^(?:-{3,}|\*{3,}|_{3,})[ \t]*$")
_RUN_ON: Final = re.compile(r"(?m)^(?![|>#*-]+\s)(?P<line>\S.*[^\s|])\n(?=\*\*[A-Z_])")
"""A paragraph with the next one, "**Ingested.** …", on the very next line: Markdown would join the two."""
_CAPTION: Final = re.compile(r"(?m)^(?P<caption>[A-Z][^|\n*_#>]{2,80}[^|\n*_#>.:;,!?])\n\n(?=\|)")
_BULLET: Final = re.compile(r"(?m)^-[ \t]{2,}")
QUOTE: Final = re.compile(r"(?m)(?:^>.*(?:\n|\Z))+")
_SIDEBAR_TITLE: Final = re.compile(r"(?:#{1,6}[ \t]+(?P<heading>.+)|\*\*(?P<bold>[^*\n]+)\*\*)[ \t]*(?:\n|\Z)")
_CAPTIONED: Final = re.compile(
    r"(?m)^\*\*(?P<name>[^*\n]+)\*\*\n\n(?P<table>(?:^\|.*(?:\n|\Z))+(?:\n*^\\\*.+(?:\n|\Z))*)"
)
"""A table below its caption, with the footnotes below it."""
_RUN_IN: Final = re.compile(
    r"(?m)^(?P<bold>\*{2,3}_?(?P<name>[A-Z][^*_\n]{2,40}?)(?P<stop>\.?)_?\*{2,3})"
    r"(?P<text>[ ,(]+\S.*(?:\n\n(?!\*\*|#|>|\|).+|\n(?=\S).+)*)"
)
_BRACKETS: Final = re.compile(r"\s*\([^)]*\)$")
_TABLE_THEN_TEXT: Final = re.compile(r"(?P<table>(?:^\|.*\n)+)\n+(?!\\?\*(?!\*)|†)\S", re.MULTILINE)
"""A table followed by text that is not one of its footnotes."""
_TABLES_ONLY: Final = re.compile(r"(?:\s*(?:^\|.*$|^\*\*[^*\n]+\*\*$|^\\?\*[^*\n]+$))+\s*", re.MULTILINE)


@dataclass(slots=True)
class Rule:
    """A section, or part of one's text, that is a rule or a word of the game's vocabularies.

    Attributes:
        raw: the raw object of its section, or of the section whose text it is part of.
        order: its section's place in the book.
        name: the heading without the tag in brackets.
        text: the text under the heading, without the sections below it, in clean Markdown.
        path: the headings down to it, its own last.
        entity_type: `rule`, or the type of the vocabulary that it is a word of.
        tags: the families of rules that it belongs to.
        whole: whether its text includes everything below it, however long.
        parent: the rule directly above it.
        children: the rules directly below it, in reading order.
        lists: (type, names) of the things below it that are not rules.
        part: whether it is part of a section's text rather than a section.
        inside: whether its parent's text contains it.
        sections: ids of further raw objects that its text comes from, such as sections below it that are not rules.
    """

    raw: RawObject
    order: int
    name: str
    text: str
    path: Path
    entity_type: str = "rule"
    tags: tuple[str, ...] = ()
    whole: bool = False
    parent: Rule | None = None
    children: list[Rule] = field(default_factory=list)
    lists: tuple[str, tuple[str, ...]] | None = None
    part: bool = False
    inside: bool = False
    sections: list[str] = field(default_factory=list)

    def walk(self) -> Iterator[Rule]:
        """This rule, then all below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def above(self) -> list[Rule]:
        """The rules above it, the outermost first."""
        return [] if self.parent is None else [*self.parent.above(), self.parent]

    @property
    def title(self) -> str:
        """The name as printed, which other rules may share."""
        return self.path[-1]

    @property
    def prose(self) -> str:
        """Its text without tables and quotations; for a mere table, the whole text."""
        return self.text if self.is_table else QUOTE.sub("", _CAPTIONED.sub("", self.text))

    @property
    def is_table(self) -> bool:
        """Whether it is nothing but a table, with its heading as the table's title."""
        return bool(self.text) and not self.children and _TABLES_ONLY.fullmatch(self.text) is not None


def untagged(title: str) -> str:
    """A heading without the tag in brackets.

    >>> untagged("Dash [Action]")
    'Dash'
    """
    tagged = _TAG.fullmatch(title)
    return tagged["name"] if tagged else title


def outline(book: str, parts: list[Section]) -> list[Rule]:
    """A book's rules as trees, in reading order.

    Args:
        book: the book, one of `drafts.BOOKS`.
        parts: its parts, as `read_book` gives them.
    """
    rules = [rule for part in parts for rule in _rules(book, part, None)]
    everything = [below for rule in rules for below in rule.walk()]
    by_path = {rule.path: rule for rule in everything}
    for rule in everything:
        _give_to_owner(rule)
        if place := first_match(rule.path, MOVED[book]):
            _move(rule, by_path[place])
    for rule in everything:
        if (owner := _only_namer(rule)) is not None:
            _move(rule, owner)
    _name_tables(everything)
    return rules


def _rules(book: str, section: Section, parent: Rule | None, *, no_rules: bool = False) -> list[Rule]:
    """The section as a rule with everything below it; inside `NO_RULES`, only the sections of `WHOLE` below it."""
    path = path_of(section)
    whole = matches_any(path, WHOLE[book])
    no_rules = no_rules or matches_any(path, NO_RULES[book])
    if no_rules and not whole:
        return [rule for child in section.children for rule in _rules(book, child, None, no_rules=True)]
    title = _TAG.fullmatch(section.title)
    tag = title["tag"].lower() if title else first_match(path, TAGGED[book])
    rule = Rule(
        section.raw,
        int(section.raw.data["order"]),
        untagged(section.title),
        clean_markdown(section.whole() if whole else section.text),
        path,
        "condition" if tag == "condition" else first_match(path, VOCABULARIES[book]) or "rule",
        (tag,) if tag else (),
        whole,
        parent,
    )
    if whole:
        rule.sections = [below.raw.id for below in section.walk()][1:]
    elif listed := first_match(path, LISTS[book]):
        rule.lists = (listed, tuple(child.title for child in section.children))
    else:
        for child in section.children:
            if matches_any(path_of(child), FOLDED[book]):
                rule.sections.append(child.raw.id)
                rule.text = f"{rule.text}\n\n### {child.title}\n\n{clean_markdown(child.text)}"
            else:
                rule.children += _rules(book, child, rule)
        rule.children = [*_inside(book, rule), *rule.children]
        _adopt_own_table(rule)
        _take_back_texts(rule)
    return [rule]


def _inside(book: str, rule: Rule) -> Iterator[Rule]:
    """The named parts of a rule's text: sidebars, captioned tables, words that it explains."""
    for sidebar in _sidebars(rule):
        sidebar.children = list(_explained(book, sidebar))
        yield sidebar
    for table in _CAPTIONED.finditer(rule.text):
        yield _part(rule, table["name"], table["table"].strip())
    yield from _explained(book, rule)


def _part(rule: Rule, name: str, text: str, entity_type: str = "rule") -> Rule:
    """A named part of a rule's text, as a rule."""
    return Rule(rule.raw, rule.order, name, text, (*rule.path, name), entity_type, parent=rule, part=True, inside=True)


def _sidebars(rule: Rule) -> Iterator[Rule]:
    """The quotations in a rule's text that have a title of their own."""
    for quote in QUOTE.finditer(rule.text):
        title, text = _opened(quote[0])
        if title:
            yield _part(rule, title, text)


def _opened(quote: str) -> tuple[str | None, str]:
    """(title or None, text below it) of a quotation."""
    text = re.sub(r"(?m)^>[ \t]?", "", quote).strip()
    title = _SIDEBAR_TITLE.match(text)
    return ((title["heading"] or title["bold"]).strip(), text[title.end() :].strip()) if title else (None, text)


def _explained(book: str, rule: Rule) -> Iterator[Rule]:
    """The words that a rule's paragraphs begin with and explain, if the rule is one of `RUN_INS`."""
    if words := first_match(rule.path, RUN_INS[book]):
        for found in _RUN_IN.finditer(rule.text):
            word = _BRACKETS.sub("", found["name"])
            name = words.printed.format(singular(word)[-1] if words.plural else word)
            name = name.title() if words.entity_type == "alignment" else name
            # "***Acid.*** The corrosive…" is a heading, "**Aberrations** are…" the beginning of a sentence.
            text = found["text"] if found["stop"] else found[0]
            yield _part(rule, name, text.strip(), "rule" if fnmatchcase(word, words.rules) else words.entity_type)


def _adopt_own_table(rule: Rule) -> None:
    """Add tables below a rule that have the same heading as the rule to its text."""
    for child in rule.children:
        if child.is_table and not child.inside and normalize_name(child.name) == normalize_name(rule.name):
            rule.text = f"{rule.text}\n\n**{child.name}**\n\n{child.text}".strip()
            child.inside = True


def _take_back_texts(rule: Rule) -> None:
    """Append text that follows a table to the text before the table, whose heading is only its caption.

    The text before is that of the previous section if it names the table, and otherwise that of the rule above.
    """
    before: Rule | None = None
    for child in list(rule.children):
        found = _TABLE_THEN_TEXT.match(child.text)
        if found is None or child.children or child.inside:
            before = child
            continue
        owner = before if before is not None and f"{child.title} table" in before.text else rule
        owner.text = f"{owner.text}\n\n**{child.title}**\n\n{child.text}"
        child.text, child.inside = found["table"].strip(), True
        if owner is not rule:
            rule.children.remove(child)
            owner.children.append(child)
            child.parent, child.path = owner, (*owner.path, child.title)


def _give_to_owner(table: Rule) -> None:
    """Move a table to the rule further up that has its name: it had been placed where there was room."""
    owner = next((rule for rule in table.above()[:-1] if normalize_name(rule.name) == normalize_name(table.name)), None)
    if owner is not None and table.parent is not None and table.is_table and table.inside:
        host = table.parent
        host.text = host.text.replace(f"**{table.title}**\n\n{table.text}", "").strip()
        host.children.remove(table)
        owner.children.append(table)
        table.parent, table.path, table.inside = owner, (*owner.path, table.title), False


def _only_namer(table: Rule) -> Rule | None:
    """The only sibling of a table that mentions it, if any: it owns the table, though their headings have one level."""
    host = table.parent
    if host is None or table.inside or not table.is_table or f"{table.title} table" in host.text:
        return None
    naming = [rule for rule in host.children if rule is not table and f"{table.title} table" in rule.text]
    return naming[0] if len(naming) == 1 else None


def _move(moved: Rule, owner: Rule) -> None:
    """Move a sidebar or section below its owner; a sidebar is removed from the text that contained it.

    It keeps its place in the book, unless that is before its owner's.
    """
    host = moved.parent
    if host is not None:
        if moved.inside:
            own = next(quote[0] for quote in QUOTE.finditer(host.text) if _opened(quote[0])[0] == moved.title)
            host.text = re.sub(r"\n{3,}", "\n\n", host.text.replace(own, "")).strip()
        host.children.remove(moved)
    owner.children.append(moved)
    if not moved.inside:
        owner.children.sort(key=lambda rule: rule.order)
    above = len(moved.path) - 1
    for rule in moved.walk():
        rule.path = (*owner.path, *rule.path[above:])
        rule.order = max(rule.order, owner.order)
    moved.parent, moved.inside = owner, False


def _name_tables(rules: list[Rule]) -> None:
    """Rename tables that share their name with a rule to "… Table"."""
    names = {normalize_name(rule.name) for rule in rules if not rule.is_table}
    for rule in rules:
        if rule.is_table and normalize_name(rule.name) in names:
            rule.name = f"{rule.name} Table"


def clean_markdown(text: str) -> str:
    """A section's text as Markdown that renders like the book: separate paragraphs, bold captions, no rulers."""
    text = _BULLET.sub("- ", _RULER.sub("", text))
    text = _CAPTION.sub(r"**\g<caption>**\n\n", text)
    text = _RUN_ON.sub(r"\g<line>\n\n", text)
    return clean_text(text) or ""
