"""Rules proper: v2's rulesets and rules, the D&D 5e API's chapters and sections, v1's sections.

v2's texts come first, then the D&D 5e API's, which are better proofread than v1's. What the first lacks (movement in
combat, dying, temporary hit points…) becomes rules of its own, cut out of the others' sections at their headings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any, Final

from build_pipeline.normalize.documents import DND5E_DOCUMENTS, v1_document, v2_document
from build_pipeline.normalize.draft import Draft, Reference
from build_pipeline.normalize.rule_outline import Outline, Piece, Section, opening, read_outline, squash, telling_chapter
from build_pipeline.normalize.text import clean_text
from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.names import normalize_name, slugify

OUTLINED_DOCUMENT: Final = DND5E_DOCUMENTS["2014"]
"""The one document whose rules v1 and the D&D 5e API have too."""

_ALIKE: Final = 0.5
"""Below this likeness, key and name are not two spellings of one thing: the name was pasted from another rule."""


def rule_text_drafts(raw: RawLayer) -> Iterator[Draft]:
    """Every chapter, section and rule that has text."""
    outline = read_outline(raw)
    told = _Told()
    for obj in raw["open5e_v1", "conditions"].values():
        told.add_text(obj.data["desc"])
    yield from _v2_drafts(raw, outline, told)
    for chapter in outline.api_chapters:
        yield from _api_drafts(chapter, outline, told, [s["name"] for s in chapter.raw.data["subsections"]])
    for section in outline.api_sections:
        yield from _api_drafts(section, outline, told, [])
    for section in outline.v1_sections:
        yield from _v1_drafts(section, outline, told)


@dataclass
class _Told:
    """What the drafts so far tell of the outlined document, so that no text is told twice.

    Attributes:
        names: normalised names of the rules.
        keys: opening of a text → the key of the first draft that has it.
    """

    names: set[str] = field(default_factory=set)
    keys: dict[str, str] = field(default_factory=dict)
    _letters: str = ""

    def add_text(self, text: str) -> None:
        self._letters += f" {squash(text)}"

    def add_rule(self, name: str, key: str, text: str | None) -> None:
        if text:
            self.names.add(normalize_name(name))
            self.keys.setdefault(opening(text), key)
            self.add_text(text)

    def has(self, text: str) -> bool:
        return (opening(text) or squash(text)) in self._letters


def _draft(obj: RawObject, document: str, name: str, keys: Iterable[str], parent_slug: str, facts: dict[str, Any]) -> Draft:
    headings = list(dict.fromkeys(normalize_name(heading) for heading in facts["headings"]))
    facts = {"rule_type": "rule", **facts, "headings": headings}
    return Draft(obj.source, (obj.id,), "rule", document, name, tuple(dict.fromkeys(keys)), parent_slug, facts=facts)


def _contents(name: str, headings: list[str]) -> str | None:
    """What a chapter without a text of its own says: which rules stand in it."""
    return f"{name} holds these rules: {', '.join(headings)}." if headings else None


def _reference(name: str, raw_id: str | None = None) -> Reference:
    return Reference(("rule",), name, raw_id)


# --- Open5e v2


def _v2_drafts(raw: RawLayer, outline: Outline, told: _Told) -> Iterator[Draft]:
    rules: dict[str, list[RawObject]] = defaultdict(list)
    for obj in raw["open5e_v2", "rules"].values():
        rules[obj.data["ruleset"]].append(obj)
    for key, ruleset in raw["open5e_v2", "rulesets"].items():
        inside = sorted(rules[key], key=lambda obj: (obj.data["index"], obj.key))
        outlined = v2_document(ruleset.data) == OUTLINED_DOCUMENT
        yield from _ruleset_drafts(ruleset, inside, outline if outlined else Outline(), told if outlined else _Told())


def _ruleset_drafts(ruleset: RawObject, rules: list[RawObject], outline: Outline, told: _Told) -> Iterator[Draft]:
    slug = ruleset.key.partition("_")[2]
    document = v2_document(ruleset.data)
    name = next((s.name for s in outline.v1_sections if s.raw.key == slug), ruleset.data["name"])
    text = clean_text(ruleset.data["desc"])
    named = _named_rules(rules, outline)
    chapters = outline.chapters_of(slug, [text, *(rule.text for rule in named)])
    section = telling_chapter(chapters, name)
    chapter = next((s for s in outline.api_chapters if s.name == section and s.opening != opening(text)), None)
    told.add_rule(name, ruleset.key, text)
    yield _draft(
        ruleset,
        document,
        name,
        (ruleset.key, slug),
        "",
        {
            "description": text or _contents(name, [rule.name for rule in named if not rule.above]),
            "section": section,
            "parent": _reference(chapter.name, chapter.raw.id) if chapter else None,
            "related": [rule.name for rule in named if not rule.above],
            "headings": [*chapters, name],
        },
    )
    for rule in named:
        told.add_rule(rule.name, rule.obj.key, rule.text)
        above = rule.above[-1].obj if rule.above else ruleset
        yield _draft(
            rule.obj,
            document,
            rule.name,
            (rule.obj.key, rule.obj.key.partition("_")[2]),
            slugify(name),
            {
                "description": rule.text,
                "section": section,
                "parent": _reference(rule.above[-1].name if rule.above else name, above.id),
                "related": [other.name for other in named if other.above and other.above[-1] is rule],
                "headings": [*chapters, name, *(outer.name for outer in rule.above)],
            },
        )


@dataclass(frozen=True, eq=False)
class _NamedRule:
    """A v2 rule under its right name.

    Attributes:
        obj: the rule.
        name: its name as printed.
        text: its text; None where v2 has another rule's text in its place.
        above: the rules of the ruleset that enclose it, the outermost first.
    """

    obj: RawObject
    name: str
    text: str | None
    above: tuple[_NamedRule, ...]


def _named_rules(rules: list[RawObject], outline: Outline) -> list[_NamedRule]:
    """A ruleset's rules in order, named as their texts' headings or keys say and nested by heading level."""
    texts = {obj.key: clean_text(obj.data["desc"]) for obj in rules}
    named: list[_NamedRule] = []
    above: list[tuple[int, _NamedRule]] = []
    for obj in rules:
        printed = outline.piece_with(texts[obj.key])
        heading = printed.heading if printed else None
        copied = any(
            other.data["name"] == heading != obj.data["name"] and opening(texts[other.key]) == opening(texts[obj.key])
            for other in rules
            if other is not obj
        )
        above = [(level, rule) for level, rule in above if level < obj.data["initialHeaderLevel"]]
        enclosing = [rule for _, rule in above]
        if printed and not copied:
            # v2's heading levels nest too much ("Spell Range" in "Casting Time"): the printed headings must agree.
            enclosing = [rule for rule in enclosing if rule.name in printed.above]
        rule = _NamedRule(
            obj,
            obj.data["name"] if copied else heading or _name_or_key(obj),
            None if copied else texts[obj.key],
            tuple(enclosing),
        )
        named.append(rule)
        above.append((obj.data["initialHeaderLevel"], rule))
    return named


def _name_or_key(obj: RawObject) -> str:
    """The name of a rule, or its key's last part as a name where the two have nothing in common."""
    name, own_key = str(obj.data["name"]), obj.key.rpartition("_")[2]
    alike = SequenceMatcher(None, own_key, slugify(name)).ratio() >= _ALIKE
    return name if alike else own_key.replace("-", " ").title()


# --- D&D 5e API and Open5e v1


def _api_drafts(section: Section, outline: Outline, told: _Told, sections: list[str]) -> Iterator[Draft]:
    same = [told.keys[section.opening]] if section.opening in told.keys else []
    same += [s.raw.key for s in outline.v1_sections if section.opening and s.opening == section.opening]
    yield from _section_drafts(section, outline, told, (section.raw.key, *same), OUTLINED_DOCUMENT, sections)


def _v1_drafts(section: Section, outline: Outline, told: _Told) -> Iterator[Draft]:
    document, _ = v1_document(section.raw.data["document__slug"])
    yield from _section_drafts(section, outline, told, (section.raw.key,), document, [])


def _section_drafts(
    section: Section, outline: Outline, told: _Told, keys: tuple[str, ...], document: str, sections: list[str]
) -> Iterator[Draft]:
    """The section itself with its opening text, then those of its pieces that nothing else tells."""
    main, *pieces = _untold_pieces(section, told)
    chapters = outline.chapters_of(section.raw.key, [piece.body for piece in section.pieces])
    chapter = next((s for s in outline.api_chapters if s.name == section.chapter and s is not section), None)
    outermost = sections or [piece.heading for piece in section.pieces[1:] if not piece.above]
    facts: dict[str, Any] = {"section": telling_chapter(chapters, section.name), "headings": [*chapters, section.name]}
    known = not main.body and bool(section.pieces[0].body)
    described = None if known else main.body or _contents(section.name, outermost)
    told.add_rule(section.name, section.raw.key, main.body)
    yield _draft(
        section.raw,
        document,
        section.name,
        keys,
        "",
        facts
        | {
            "description": described,
            "parent": _reference(chapter.name, chapter.raw.id) if chapter else None,
            "related": outermost,
        },
    )
    for piece in pieces:
        told.add_rule(piece.heading, section.raw.key, piece.body)
        yield _draft(
            section.raw,
            document,
            piece.heading,
            (f"{section.raw.key}_{slugify(piece.heading)}",),
            slugify(section.name),
            facts
            | {
                "description": piece.body,
                "parent": _reference(piece.above[-1] if piece.above else section.name),
                "related": [p.heading for p in section.pieces if p.above and p.above[-1] == piece.heading],
                "headings": [*facts["headings"], *piece.above],
            },
        )


def _untold_pieces(section: Section, told: _Told) -> list[Piece]:
    """The first piece, its body emptied if told already, and the pieces not yet told.

    A piece that is no rule by itself (a table, a name that another rule has) goes into the piece that encloses it.
    """
    first = section.pieces[0]
    untold = [replace(first, body="") if section.opening in told.keys else first]
    for piece in section.pieces[1:]:
        if not piece.body or told.has(piece.body):
            continue
        host = _enclosing(piece, untold)
        alone = not piece.body.startswith("|") and normalize_name(piece.heading) not in told.names
        if alone and normalize_name(piece.heading) != normalize_name(first.heading):
            untold.append(piece)
        elif host is not None:
            index = untold.index(host)
            untold[index] = replace(host, body=f"{host.body}\n\n### {piece.heading}\n\n{piece.body}".strip())
    return untold


def _enclosing(piece: Piece, untold: list[Piece]) -> Piece | None:
    """The untold piece that encloses another; None where that one is told elsewhere."""
    if not piece.above:
        return untold[0] if untold[0].body else None
    return next((other for other in untold if other.heading == piece.above[-1]), None)
