"""What a rule's text refers to: conditions, skills, and rules named in quotation marks."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from build_pipeline.normalize.merging.draft import Draft, Reference
from server.dataset.names import normalize_name
from server.dataset.schema import RULE_TYPES

_QUOTED: Final = re.compile(r"[“\"]([A-Z][^”\"\n]{2,60}?)[,.]?[”\"]")
_CHECKED_SKILL: Final = re.compile(
    r"(?:Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma) \((?P<skills>[A-Z][\w ,]+)\)"
)
_OR: Final = re.compile(r",? or |, ")


def with_mentions(drafts: list[Draft]) -> Iterator[Draft]:
    """The drafts, each `related` to what its text mentions in its own document."""
    names: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for draft in drafts:
        for document in (draft.document_key, *draft.also):
            names[document, draft.entity_type].setdefault(normalize_name(draft.name), draft.name)
    texts: dict[str, list[str]] = defaultdict(list)
    for draft in drafts:
        texts[draft.document_key].append(draft.facts.get("description") or "")
    conditions = {
        document: _words(found, "\n".join(texts[document]))
        for (document, kind), found in names.items()
        if kind == "condition"
    }
    for draft in drafts:
        text = draft.facts.get("description") or ""
        if draft.entity_type != "proficiency":
            known = {kind: names[draft.document_key, kind] for kind in ("condition", "skill", "rule", "ability-score")}
            headings = known["ability-score"] | known["rule"]
            mentioned: list[str | Reference | None] = [
                *_quoted(text, headings),
                *(
                    known["skill"].get(normalize_name(name))
                    for checked in _CHECKED_SKILL.finditer(text)
                    for name in _OR.split(checked["skills"])
                ),
            ]
            if draft.document_key in conditions:
                found = conditions[draft.document_key].findall(text)
                mentioned += [known["condition"][normalize_name(word)] for word in found]
            _relate(draft, [name for name in mentioned if name])
        yield draft


def _quoted(text: str, rules: Mapping[str, str]) -> Iterator[str | Reference]:
    """The rules named in quotation marks, each under the heading beside it: "Combat" ("Cover"), "Cover" in "Combat"."""
    quoted = list(_QUOTED.finditer(text))
    for before, match, after in zip([None, *quoted], quoted, [*quoted[1:], None], strict=False):
        if name := rules.get(normalize_name(match[1])):
            within = before if before and text[before.end() : match.start()] == " (" else None
            within = after if after and text[match.end() : after.start()] == " in " else within
            yield Reference(RULE_TYPES, name, section=within[1]) if within else name


def _words(names: dict[str, str], text: str) -> re.Pattern[str]:
    """The names, as printed if the text mostly capitalises them: "a petrified mouse" is no condition's victim there."""
    any_of = "|".join(map(re.escape, names.values()))
    found = Counter(match[0][0].isupper() for match in re.finditer(rf"\b(?:{any_of})\b", text, re.IGNORECASE))
    return re.compile(rf"\b(?:{any_of})\b", 0 if found[True] > found[False] else re.IGNORECASE)


def _relate(draft: Draft, mentioned: list[str | Reference]) -> None:
    related = draft.facts.get("related") or []
    added = [name for name in dict.fromkeys(mentioned) if name not in related and name != draft.name]
    if added:
        draft.facts["related"] = [*related, *added]
        draft.from_text.add("related")
