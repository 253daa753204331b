"""Rules proper: v2's rulesets and rules, the D&D 5e API's chapters and sections, v1's sections.

v2's texts come first, then the D&D 5e API's, which are better proofread than v1's. Rules that v2 lacks (movement in
combat, dying, temporary hit points…) are cut out of the others' sections at their headings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import partial
from typing import Any, Final

from build_pipeline.normalize.merging.documents import DND5E_DOCUMENTS, v1_document, v2_document, v2_keys
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference, read_each
from build_pipeline.normalize.rules.outline import (
    CONTENTS,
    Outline,
    Piece,
    Section,
    below,
    best_chapter,
    contents,
    opening,
    read_outline,
    split_at_headings,
    squash,
)
from build_pipeline.normalize.text.clean import clean_text
from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.names import normalize_name, slugify

OUTLINED_DOCUMENT: Final = DND5E_DOCUMENTS["2014"]
"""The only document whose rules v1 and the D&D 5e API also have."""

_ALIKE: Final = 0.5
"""Below this similarity, key and name are not two spellings of one thing: the name was pasted from another rule."""


def rule_text_drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """Every chapter, section and rule that has text."""
    outline = read_outline(raw)
    seen = _SeenRules()
    for obj in raw["open5e_v1", "conditions"].values():
        seen.add_text(obj.data["desc"])
    yield from _v2_drafts(raw, outline, seen, problems)
    for chapter in outline.api_chapters:
        yield from _api_drafts(chapter, outline, seen, [s["name"] for s in chapter.raw.data["subsections"]])
    for section in outline.api_sections:
        yield from _api_drafts(section, outline, seen, [])
    for section in outline.v1_sections:
        yield from _v1_drafts(section, outline, seen)


@dataclass
class _SeenRules:
    """The rules of the outlined document read so far: a text that a later source repeats is not added again.

    Attributes:
        names: their normalised names.
        keys: opening of a text → key of the first rule that has it.
    """

    names: set[str] = field(default_factory=set)
    keys: dict[str, str] = field(default_factory=dict)
    _letters: str = ""

    def add_text(self, text: str) -> None:
        self._letters += f" {squash(text)}"

    def add_rule(self, name: str, key: str, text: str | None) -> None:
        if text:
            self.names.add(normalize_name(name))
            self.add_text(text)
            if start := opening(text):
                self.keys.setdefault(start, key)

    def has(self, text: str) -> bool:
        return (opening(text) or squash(text)) in self._letters


def _draft(
    obj: RawObject,
    name: str,
    *,
    document: str,
    keys: Iterable[str],
    parent_slug: str = "",
    mark: str = "",
    facts: dict[str, Any],
) -> Draft:
    """A draft that is recognised by the opening of its text, or by `mark` if another draft has the text."""
    headings = [h for h in dict.fromkeys(map(normalize_name, facts["headings"])) if h != normalize_name(name)]
    facts = {"rule_type": "rule", **facts, "headings": headings}
    keys = tuple(dict.fromkeys(keys))
    start = opening(facts["description"]) or mark
    marks = (start,) if start else ()
    composed = {"description"} if CONTENTS in (facts["description"] or "") else set()
    return Draft(obj.source, (obj.id,), "rule", document, name, keys, parent_slug, (), facts, composed, marks)


def _reference(name: str, raw_id: str | None = None) -> Reference:
    return Reference(("ability-score", "rule"), name, raw_id)


# --- Open5e v2


def _v2_drafts(raw: RawLayer, outline: Outline, seen: _SeenRules, problems: Problems) -> Iterator[Draft]:
    rules: dict[str, list[RawObject]] = defaultdict(list)
    for obj in raw["open5e_v2", "rules"].values():
        rules[obj.data["ruleset"]].append(obj)
    names = _names(raw, outline)

    def read(ruleset: RawObject) -> Iterator[Draft]:
        inside = sorted(rules[ruleset.key], key=lambda obj: (obj.data["index"], obj.key))
        document = v2_document(ruleset.data)
        here = (outline, seen) if document == OUTLINED_DOCUMENT else (Outline(), _SeenRules())
        return _ruleset_drafts(ruleset, inside, *here, names[document])

    yield from read_each(raw["open5e_v2", "rulesets"].values(), problems, read)


def _ruleset_drafts(
    ruleset: RawObject, rules: list[RawObject], outline: Outline, seen: _SeenRules, taken: Counter[str]
) -> Iterator[Draft]:
    """A ruleset, its rules, and the rules inside their texts.

    Before: the ruleset "Ships" with the rules "Swimming" (`initialHeaderLevel` 2) and "Diving" (3), the text of the
    first with a bold line "**Cramps**"; in v1 a section "Ships" of the parent "Seafaring", with the headings
    `## Swimming`, `### Cramps` and `### Diving` above the same texts.

    After: `section` is "Seafaring" for all of them, and

    | rule | parent | related | headings |
    |---|---|---|---|
    | Ships | the D&D 5e API's chapter "Seafaring", if there is one | Swimming | seafaring, ships |
    | Swimming | Ships | Diving, Cramps | seafaring, ships |
    | Cramps | Swimming | | seafaring, ships, swimming |
    | Diving | Swimming | | seafaring, ships, swimming |
    """
    slug = ruleset.key.partition("_")[2]
    name = next((s.name for s in outline.v1_sections if s.raw.key == slug), ruleset.data["name"])
    text = outline.with_headings(clean_text(ruleset.data["desc"]))
    named = _named_rules(rules, outline)
    chapters = outline.chapters_of(slug, [text, *(rule.text for rule in named)])
    section = best_chapter(chapters, name)
    chapter = next((s for s in outline.api_chapters if s.name == section and s.opening != opening(text)), None)
    outermost = [rule.name for rule in named if not rule.above]
    drafts = partial(_text_drafts, document=v2_document(ruleset.data), section=section, taken=taken)
    seen.add_rule(name, ruleset.key, text)
    yield from drafts(
        ruleset,
        name,
        text or contents(name, outermost),
        keys=(ruleset.key, slug),
        parent=_reference(chapter.name, chapter.raw.id) if chapter else None,
        related=below(outermost),
        headings=[*chapters, name],
    )
    for rule in named:
        seen.add_rule(rule.name, rule.obj.key, rule.text)
        above = [name, *(outer.name for outer in rule.above)]
        yield from drafts(
            rule.obj,
            rule.name,
            rule.text,
            keys=v2_keys(rule.obj.key),
            parent=_reference(above[-1], (rule.above[-1].obj if rule.above else ruleset).id),
            parent_slug=slugify(name),
            related=below(other.name for other in named if other.above and other.above[-1] is rule),
            headings=[*chapters, *above],
        )


def _text_drafts(
    obj: RawObject,
    name: str,
    text: str | None,
    *,
    document: str,
    section: str,
    keys: Iterable[str],
    parent: Reference | None,
    parent_slug: str = "",
    related: list[Reference],
    headings: list[str],
    taken: Counter[str],
) -> Iterator[Draft]:
    """A rule with its whole text, then the pieces of the text that are rules of their own too."""
    inner = _inner_pieces(name, text, taken)
    outermost = [piece.heading for piece in inner if not piece.above]
    yield _draft(
        obj,
        name,
        document=document,
        keys=keys,
        parent_slug=parent_slug,
        facts={
            "section": section,
            "headings": headings,
            "description": text,
            "parent": parent,
            "related": [*related, *below(outermost)],
        },
    )
    inner_facts = {"section": section, "headings": [*headings, name]}
    yield from _piece_drafts(inner, _reference(name, obj.id), obj, document=document, facts=inner_facts)


def _inner_pieces(title: str, text: str | None, taken: Counter[str]) -> list[Piece]:
    """The pieces of a rule's text that become rules, as players look them up by name (Concentration in Duration).

    A heading that other texts have too ("Ability Modifier"), or that names a skill, is not the name of a rule.
    """
    pieces = split_at_headings(title, text or "")[1:]
    alone = [piece for piece in pieces if opening(piece.body) and taken[normalize_name(piece.heading)] == 1]
    headings = {piece.heading for piece in alone}
    return [replace(piece, above=tuple(h for h in piece.above if h in headings)) for piece in alone]


def _names(raw: RawLayer, outline: Outline) -> dict[str, Counter[str]]:
    """How often each name occurs among the rules, the headings in their texts and the skills, by document."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    for endpoint in ("rulesets", "rules"):
        for obj in raw["open5e_v2", endpoint].values():
            _, *pieces = split_at_headings(obj.data["name"], outline.with_headings(clean_text(obj.data["desc"])) or "")
            # The key too, for misnamed rules.
            own = {normalize_name(obj.data["name"]), obj.key.rpartition("_")[2].replace("-", " ")}
            names[v2_document(obj.data)].update([*own, *(normalize_name(piece.heading) for piece in pieces)])
    for skill in raw["open5e_v2", "skills"].values():
        for description in skill.data["descriptions"]:
            names[description["document"]][normalize_name(skill.data["name"])] += 1
    return names


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
    """A ruleset's rules in order, named as their texts' headings or keys say and nested by heading level.

    | key | name in v2 | text is printed below | becomes |
    |---|---|---|---|
    | `srd_ships_swimming` | Swimming | `## Swimming` | Swimming |
    | `srd_ships_diving` | Swimming (pasted) | `### Deep Diving` | Deep Diving |
    | `srd_ships_rope-work` | Swimming (pasted) | no heading | Rope Work, from the key |
    | `srd_ships_sailing` | Sailing | `## Swimming`, and Swimming has the same text | Sailing, without a text |

    A rule is inside the rules before it that have a lower `initialHeaderLevel` and, where its heading is printed, whose
    names are among the headings above that: v2's levels alone put "Spell Range" inside "Casting Time".
    """
    texts = {obj.key: outline.with_headings(clean_text(obj.data["desc"])) for obj in rules}
    named: list[_NamedRule] = []
    above: list[tuple[int, _NamedRule]] = []
    for obj in rules:
        level, text = obj.data["initialHeaderLevel"], texts[obj.key]
        printed = outline.piece_with(text)
        above = [(outer_level, outer) for outer_level, outer in above if outer_level < level]
        enclosing = tuple(outer for _, outer in above)
        if printed is None:
            rule = _NamedRule(obj, _name_or_key(obj), text, enclosing)
        elif _is_copy(obj, printed.heading, rules, texts):
            rule = _NamedRule(obj, obj.data["name"], None, enclosing)
        else:
            inside = tuple(outer for outer in enclosing if outer.name in printed.above)
            rule = _NamedRule(obj, printed.heading or _name_or_key(obj), text, inside)
        named.append(rule)
        above.append((level, rule))
    return named


def _is_copy(obj: RawObject, heading: str, rules: list[RawObject], texts: dict[str, str | None]) -> bool:
    """Whether v2 has, in place of a rule's text, that of another rule, whose name is the heading."""
    start = opening(texts[obj.key])
    return obj.data["name"] != heading and any(
        other.data["name"] == heading and opening(texts[other.key]) == start for other in rules if other is not obj
    )


def _name_or_key(obj: RawObject) -> str:
    """The name of a rule, or its key's last part as a name if the two have nothing in common."""
    name, own_key = str(obj.data["name"]), obj.key.rpartition("_")[2]
    slug = slugify(name)
    alike = own_key in slug or SequenceMatcher(None, own_key, slug).ratio() >= _ALIKE
    return name if alike else own_key.replace("-", " ").title()


# --- D&D 5e API and Open5e v1


def _api_drafts(section: Section, outline: Outline, seen: _SeenRules, sections: list[str]) -> Iterator[Draft]:
    # A chapter may open with the text of its first section: it is that section only if v1 has no such chapter.
    alike = [s for s in outline.v1_sections if section.opening and s.opening == section.opening]
    opens_with_section = any(s.chapter == section.name for s in alike)
    same = [seen.keys[section.opening]] if section.opening in seen.keys and not opens_with_section else []
    same += [s.raw.key for s in alike if not opens_with_section]
    keys = (section.raw.key, *same)
    yield from _section_drafts(section, outline, seen, document=OUTLINED_DOCUMENT, keys=keys, sections=sections)


def _v1_drafts(section: Section, outline: Outline, seen: _SeenRules) -> Iterator[Draft]:
    document, _ = v1_document(section.raw.data["document__slug"])
    yield from _section_drafts(section, outline, seen, document=document, keys=(section.raw.key,), sections=[])


def _section_drafts(
    section: Section, outline: Outline, seen: _SeenRules, *, document: str, keys: Iterable[str], sections: list[str]
) -> Iterator[Draft]:
    """The section itself with its opening text, then those of its pieces that no earlier rule has.

    `sections` names the sections of a chapter, which has no text of its own.
    """
    main, *pieces = _new_pieces(section, seen)
    chapters = outline.chapters_of(section.raw.key, [piece.body for piece in section.pieces])
    chapter = next((s for s in outline.api_chapters if s.name == section.chapter and s is not section), None)
    outermost = sections or [piece.heading for piece in section.pieces[1:] if not piece.above]
    facts: dict[str, Any] = {"section": best_chapter(chapters, section.name), "headings": [*chapters, section.name]}
    seen_before = bool(section.pieces[0].body) and not main.body and not sections
    described = None if seen_before else main.body or contents(section.name, outermost)
    seen.add_rule(section.name, section.raw.key, main.body)
    yield _draft(
        section.raw,
        section.name,
        document=document,
        keys=keys,
        mark=section.opening,
        facts=facts
        | {
            "description": described,
            "parent": _reference(chapter.name, chapter.raw.id) if chapter else None,
            "related": below(outermost),
        },
    )
    for piece in pieces:
        seen.add_rule(piece.heading, section.raw.key, piece.body)
    yield from _piece_drafts(pieces, _reference(section.name), section.raw, document=document, facts=facts)


def _piece_drafts(
    pieces: list[Piece], host: Reference, obj: RawObject, *, document: str, facts: dict[str, Any]
) -> Iterator[Draft]:
    """The rules at the headings inside a longer text, their host; `facts` are those of the host."""
    for piece in pieces:
        yield _draft(
            obj,
            piece.heading,
            document=document,
            keys=(f"{obj.key}_{slugify(piece.heading)}",),
            parent_slug=slugify(host.name),
            facts=facts
            | {
                "description": piece.body,
                "parent": _reference(piece.above[-1]) if piece.above else host,
                "related": below(i.heading for i in pieces if i.above and i.above[-1] == piece.heading),
                "headings": [*facts["headings"], *piece.above],
            },
        )


def _new_pieces(section: Section, seen: _SeenRules) -> list[Piece]:
    """The first piece, its body emptied if seen before, and the pieces that are new.

    A piece that is not a rule by itself (a table, a name that another rule has) is added to the one that encloses it.
    """
    first = section.pieces[0]
    new = [replace(first, body="") if section.opening in seen.keys else first]
    for piece in section.pieces[1:]:
        if not piece.body or seen.has(piece.body):
            continue
        host = _enclosing(piece, new)
        alone = not piece.body.startswith("|") and normalize_name(piece.heading) not in seen.names
        if alone and normalize_name(piece.heading) != normalize_name(first.heading):
            new.append(piece)
        elif host is not None:
            index = new.index(host)
            new[index] = replace(host, body=f"{host.body}\n\n### {piece.heading}\n\n{piece.body}".strip())
    return new


def _enclosing(piece: Piece, new: list[Piece]) -> Piece | None:
    """The new piece that encloses another; None if that piece was seen before."""
    return next((o for o in new if (o.heading == piece.above[-1] if piece.above else o is new[0] and o.body)), None)
